"""What is published: the same bytes from the same sources, and nothing that does not belong there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from sitemap_docs import __version__

pytest.importorskip("hatchling", reason="`nox -s packages` installs it")

ROOT = Path(__file__).parents[2]
FOLDERS = {"sitemap_docs", "tests", "scripts", "example_docs", "templates"}
FILES = {"noxfile.py", "pyproject.toml", "action.yml", ".pre-commit-hooks.yaml", ".gitignore"}
FILES |= {"CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"}
LEFTOVERS = shutil.ignore_patterns("__pycache__", "_build")


def built(target: str, folder: Path, sources: Path = ROOT, umask: int = 0o022) -> Path:
    old = os.umask(umask)
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder]
    try:
        subprocess.run(command, cwd=sources, capture_output=True, check=True)
    finally:
        os.umask(old)
    (file,) = folder.iterdir()
    return file


@pytest.mark.parametrize("target", ["sdist", "wheel"])
def test_the_same_bytes(tmp_path, target):
    """Also of sources in another folder, outside of git, with other times."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in FOLDERS:
        shutil.copytree(ROOT / name, elsewhere / name, ignore=LEFTOVERS)
    for name in FILES:
        shutil.copy(ROOT / name, elsewhere)
    for number, file in enumerate(elsewhere.rglob("*")):
        os.utime(file, (number, number))
    first, second = built(target, tmp_path / "a"), built(target, tmp_path / "b", elsewhere, 0o027)
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


def test_the_wheel(tmp_path):
    with zipfile.ZipFile(built("wheel", tmp_path / "a")) as wheel:
        names = wheel.namelist()
    modules = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "sitemap_docs").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    ours = {name for name in names if ".dist-info/" not in name}
    assert ours == modules
    assert "sitemap_docs/py.typed" in ours
    others = {name.partition("/")[2] for name in set(names) - ours}
    assert others == {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}


@pytest.mark.parametrize("runner", ["uvx", "pipx"])
def test_it_runs_without_being_installed(tmp_path, runner):
    """The lines of the manual, from these sources."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if not shutil.which(runner, path=programs):
        pytest.skip(f"needs {runner}, which `nox -s packages` installs")
    manual = (ROOT / "example_docs" / "pages" / "commands.md").read_text(encoding="utf-8")
    (line,) = re.findall(rf"^\$ ({runner} .*) build site/$", manual, re.MULTILINE)
    command = [str(ROOT) if word == "./sitemap-docs" else word for word in shlex.split(line)]
    caches = {name: str(tmp_path / name) for name in ("UV_CACHE_DIR", "UV_TOOL_DIR", "PIPX_HOME")}
    environ = os.environ | caches | {"PATH": programs}
    command.append("--version")
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"sitemap-docs, version {__version__}\n"


def test_the_sdist(tmp_path):
    sdist = built("sdist", tmp_path / "a")
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
        safely = {"filter": "data"} if sys.version_info >= (3, 12) else {}
        archive.extractall(tmp_path / "unpacked", **safely)
    assert {name.partition("/")[0] for name in names} == FOLDERS | FILES | {"PKG-INFO"}
    assert not [name for name in names if name.endswith((".pyc", ".orig", ".so")) or "/_build/" in name]
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    wheels = [built("wheel", tmp_path / "b"), built("wheel", tmp_path / "c", unpacked)]
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
