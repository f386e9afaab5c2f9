"""What is published: the same bytes from the same sources, and nothing that does not belong there."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="`nox -s packages` installs it")

ROOT = Path(__file__).parents[1]
TOP = {"sitemap_docs", "tests", "example_docs", "noxfile.py", "pyproject.toml", "PKG-INFO", ".gitignore"}
TOP |= {"CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"}


def built(target: str, folder: Path, umask: int) -> Path:
    old = os.umask(umask)
    try:
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder],
            cwd=ROOT,
            env=os.environ | {"SOURCE_DATE_EPOCH": "1704067200"},
            capture_output=True,
            check=True,
        )
    finally:
        os.umask(old)
    (file,) = folder.iterdir()
    return file


@pytest.mark.parametrize("target", ["sdist", "wheel"])
def test_the_same_bytes(tmp_path, target):
    first, second = built(target, tmp_path / "a", 0o022), built(target, tmp_path / "b", 0o027)
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


def test_the_wheel(tmp_path):
    with zipfile.ZipFile(built("wheel", tmp_path / "a", 0o022)) as wheel:
        names = wheel.namelist()
    modules = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "sitemap_docs").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    ours = {name for name in names if ".dist-info/" not in name}
    assert ours == modules
    assert "sitemap_docs/py.typed" in ours
    assert {name.partition("/")[2] for name in set(names) - ours} == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"),
    }


def test_the_sdist(tmp_path):
    with tarfile.open(built("sdist", tmp_path / "a", 0o022)) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    assert {name.partition("/")[0] for name in names} <= TOP
    assert not [name for name in names if name.endswith((".pyc", ".orig", ".so")) or "/_build/" in name]
