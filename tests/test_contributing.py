"""What CONTRIBUTING.md says about a new rule and a new option, done in a copy of the repository."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.conftest import write

pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[1]
RULE = "title-too-long"
OPTION = "lastmod_sundays"


class Copy:
    """The files of the repository in another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = ("ls-files", "--cached", "--others", "--exclude-standard", "-z")
        listed = subprocess.run(["git", *names], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        files = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
        write(folder, {name: (ROOT / name).read_bytes() for name in files})

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def run(self, line: str) -> str:
        """What a line of a shell prints."""
        tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        environ = {**os.environ, "PATH": tools, "PYTHONPATH": str(self.folder)}
        environ["MYPY_CACHE_DIR"] = str(ROOT / ".mypy_cache")  # of the same files, but for what is new
        environ.pop("PYTEST_ADDOPTS", None)
        command = ["bash", "-c", line]
        done = subprocess.run(
            command, cwd=self.folder, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def test_a_failing_comparison_with_a_file_says_how_to_update_the_file() -> None:
    """Each test that reads the option ``--update`` has a message with the command."""
    silent = []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                source = ast.unparse(node)
                is_updating = re.search(r"getoption\('(--)?update'\)", source)
                if is_updating and "pytest --update" not in source:
                    silent.append(f"{file.relative_to(ROOT)}: {node.name}")
    assert silent == [], "use assert_golden of tests/conftest.py"


def test_each_place_in_the_table_of_questions_exists() -> None:
    """Each module that a row names, and each name before it: ``page_date`` in ``history/page_dates.py``."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.partition("| question | place |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    missing = []
    for row in rows:
        place = row.split("|")[2]
        words = re.findall(r"`([^`]+)`", place)
        files = [word for word in words if word.endswith(".py") and word != "collect.py"]
        sources = {file: (ROOT / "sitemap_docs" / file) for file in files}
        missing += [f"{row}: {file}" for file, path in sources.items() if not path.is_file()]
        for names, file in re.findall(r"((?:`\w+`(?:, | and )?)+) (?:of `\w+` )?in `([\w/]+\.py)`", place):
            code = sources[file].read_text(encoding="utf-8")
            for name in re.findall(r"\w+", names.replace(" and ", " ")):
                if not re.search(rf"^ *(?:def|class) {name}\b|^{name}\b.* =", code, re.MULTILINE):
                    missing.append(f"{row}: {name} in {file}")
    assert len(rows) > 40
    assert missing == []


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    for module in ("mypy", "nox", "sphinx", "mkdocs", "ruff"):
        pytest.importorskip(module)
    return Copy(tmp_path / "copy")


def blocks(heading: str, language: str) -> list[str]:
    """The fenced blocks of one language below a heading."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```$", section, re.DOTALL | re.MULTILINE)
    return [dedent(block) for _, block in found]


def commands(heading: str) -> list[str]:
    """The lines at a prompt below a heading, of which the last checks types."""
    (lines,) = blocks(heading, "console")
    return [line.removeprefix("$ ") for line in lines.splitlines()]


def test_an_option_and_a_rule(copy: Copy) -> None:
    """Both are in the manual; the option is a flag, a value of conf.py and mkdocs.yml, and in the schema."""
    entry, values = blocks("How to add an option", "python")
    matrix = copy.folder / "tests/matrix/rows.py"
    before, last, after = matrix.read_text("utf-8").partition('    "check": Kind(')
    matrix.write_text(f"{before}{indent(values, ' ' * 4)}{last}{after}", "utf-8")
    module = copy.folder / "sitemap_docs/config/options.py"
    before, init, after = module.read_text("utf-8").partition("    def __init__(self, **values")
    module.write_text(f"{before}{indent(entry, ' ' * 4)}\n{init}{after}", "utf-8")
    *tests, types = commands("How to add an option")
    for line in tests:
        copy.run(line)

    (rule,) = blocks("How to add a rule of the audit", "python")
    with (copy.folder / "tests/audit/rules/pages.txt").open("a", encoding="utf-8") as cases:
        for kind, title in (("bad", "Guide " * 101), ("good", "Guide " * 100)):
            edit = f"-<title>Guide</title>\n+<title>{title}</title>\n"
            cases.write(f"\n=== {RULE} {kind}\n--- guide/index.html\n{edit}")
    with (copy.folder / "sitemap_docs/audit/rules/pages.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\n{rule}")
    *tests, again = commands("How to add a rule of the audit")
    for line in [*tests, types]:
        copy.run(line)
    assert again == types, "mypy walks the package once, with both"

    manual = copy.text("example_docs/pages/rules.md")
    assert manual.count(f"`{RULE}`") == 2
    assert "[Google: title links](https://developers.google.com/search/docs/appearance/title-link)" in manual
    help_ = "Also date pages by the commits of a Sunday."
    assert f"### `{OPTION}`\n\n{help_}\n\nDefault: `false`." in copy.text("example_docs/pages/options.md")
    assert f"    {OPTION}: bool\n" in copy.text("sitemap_docs/config/typed.py")
    assert "--lastmod-sundays / --no-lastmod-sundays" in copy.run("python -m sitemap_docs build --help")
    schema = json.loads(copy.run("python -m sitemap_docs schema"))
    described = {"type": "boolean", "description": help_, "default": False}
    assert schema["properties"][OPTION] == schema["properties"]["lastmod-sundays"] == described
    conf = f'extensions = ["sitemap_docs"]\nhtml_baseurl = "https://e.org/"\nsitemap_{OPTION} = True\n'
    yml = f"site_name: S\nsite_url: https://e.org/\nplugins: [sitemap-docs: {{{OPTION}: true}}]\n"
    pages = {"docs/index.md": "# Home\n", "docs/index.rst": "Home\n====\n"}
    write(copy.folder, {**pages, "docs/conf.py": conf, "mkdocs.yml": yml})
    copy.run("python -m sphinx -W --keep-going -q docs out")
    copy.run("python -m mkdocs build --strict -q")
