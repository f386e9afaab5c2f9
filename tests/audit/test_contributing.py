"""What CONTRIBUTING.md says about a new rule, done word for word in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[2]
RULE = "title-too-long"


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language in the section about rules."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## How to add a rule of the audit\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", section, re.DOTALL | re.MULTILINE)
    return [dedent(block) for _, block in found]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files of the repository in another folder, and the cases of the rule."""
    names = ("ls-files", "--cached", "--others", "--exclude-standard", "-z")
    listed = subprocess.run(["git", *names], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            file = tmp_path / "copy" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, file)
    with (tmp_path / "copy/tests/audit/rules/pages.txt").open("a", encoding="utf-8") as cases:
        for kind, title in (("bad", "Guide " * 101), ("good", "Guide " * 100)):
            edit = f"-<title>Guide</title>\n+<title>{title}</title>\n"
            cases.write(f"\n=== {RULE} {kind}\n--- guide/index.html\n{edit}")
    return tmp_path / "copy"


def test_the_walk(copy: Path) -> None:
    for module in ("mypy", "nox", "sphinx", "mkdocs", "ruff"):
        pytest.importorskip(module)
    (rule,), (commands,) = blocks("python"), blocks("console")
    with (copy / "sitemap_docs/audit/rules/pages.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\n{rule}")
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": tools, "PYTHONPATH": str(copy)}
    environ["MYPY_CACHE_DIR"] = str(ROOT / ".mypy_cache")  # of the same files, but for the rule
    environ.pop("PYTEST_ADDOPTS", None)
    for line in commands.splitlines():
        command = ["bash", "-c", line.removeprefix("$ ")]
        done = subprocess.run(command, cwd=copy, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    manual = (copy / "example_docs/pages/rules.md").read_text(encoding="utf-8")
    assert manual.count(f"`{RULE}`") == 2
    assert "[Google: title links](https://developers.google.com/search/docs/appearance/title-link)" in manual
