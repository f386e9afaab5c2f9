"""Where Python objects are defined."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from sitemap_docs.sources.modules import PythonObjects
from tests.conftest import commit, proven, write

needs_griffe = pytest.mark.skipif(not find_spec("griffe"), reason="needs griffe")
HERE = Path(__file__).parents[2]
FILES = {
    "pkg/__init__.py": "from .core import Thing\nfrom pkg.sub import Deep as Renamed\nversion = '1'\n",
    "pkg/core.py": "class Thing:\n    def method(self): ...\n",
    "pkg/sub/__init__.py": "from .. import core\nfrom ..core import Thing as Up\nfrom .deep import Deep\n",
    "pkg/sub/deep.py": "class Deep:\n    def method(self): ...\n",
    "pkg/circle.py": "from pkg.other import b as a\n",
    "pkg/other.py": "from pkg.circle import a as b\nfrom elsewhere import gone\n",
    "pkg/late.py": "def function():\n    from .core import Thing\nclass Thing: ...\n",
    "pkg/starred.py": "from .core import *\n",
    "pkg/broken.py": "def (\n",
    "single.py": "x = 1\n",
}


@pytest.fixture
def library(tmp_path):
    return write(tmp_path / "lib", FILES)


@needs_griffe
@pytest.mark.parametrize(
    ("identifier", "file"),
    [
        pytest.param("pkg.core.Thing.method", "pkg/core.py", id="object"),
        pytest.param("pkg.version", "pkg/__init__.py", id="defined in the package itself"),
        pytest.param("pkg.Thing", "pkg/core.py", id="imported by the package"),
        pytest.param("pkg.Renamed.method", "pkg/sub/deep.py", id="imported twice, renamed"),
        pytest.param("pkg.sub.Up", "pkg/core.py", id="imported from the package above"),
        pytest.param("pkg.sub.core.Thing", "pkg/core.py", id="module imported from above"),
        pytest.param("pkg.starred.Thing", "pkg/core.py", id="imported by a star"),
        pytest.param("pkg.late.Thing", "pkg/late.py", id="bound twice"),
        pytest.param("pkg.circle.a", None, id="imports in a circle"),
        pytest.param("pkg.other.gone", None, id="from a package that is not here"),
        pytest.param("pkg.broken.name", None, id="no Python"),
        pytest.param("nowhere.name", None, id="unknown"),
    ],
)
def test_griffe_finds_the_defining_file(library, identifier, file):
    assert PythonObjects([library / "empty", library]).defining_file(identifier) == (file and library / file)


@needs_griffe
def test_a_later_build_of_the_same_process_reads_what_changed(library):
    core = "if 1:\n    from .sub import Thing\n"
    write(library, {"pkg/core.py": core, "pkg/sub/__init__.py": "class Thing: ...\n"})
    assert PythonObjects([library]).defining_file("pkg.core.Thing") == library / "pkg/sub/__init__.py"
    (library / "pkg/core.py").write_text("if 1:\n    from .sub.deep import Deep as Thing\n", encoding="utf-8")
    assert PythonObjects([library]).defining_file("pkg.core.Thing") == library / "pkg/sub/deep.py"


BASE = "https://e.org/"
OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"
#: The page that documents each object, and whether it takes griffe to know its module.
NAMES = {
    "module": ("tool.core", False),
    "package": ("tool.own", False),
    "object": ("tool.core.Thing", True),
    "star": ("tool.Thing", True),
    "exports": ("tool", True),
}


@pytest.mark.parametrize("is_installed", [pytest.param(True, marks=needs_griffe, id="griffe"), False])
def test_what_is_installed_decides_whether_there_is_a_date(tmp_path, is_installed):
    """Never which: pipx and uvx have no griffe."""
    paths = "plugins: [{mkdocstrings: {handlers: {python: {paths: [lib]}}}}]"
    files = {
        "mkdocs.yml": f"site_url: {BASE}\n{paths}\n",
        "lib/tool/__init__.py": "from .core import *\n__all__ = ['Thing']\n",
        "lib/tool/core.py": "class Thing: ...\n",
        "lib/tool/own/__init__.py": "from re import match\n__all__ = ['Own']\nclass Own: ...\n",
    }
    for page, (name, _) in NAMES.items():
        files[f"docs/{page}.md"] = f"# A\n\n::: {name}\n"
        files[f"site/{page}/index.html"] = f"<link rel=canonical href={BASE}{page}/><title>A</title>"
    project = write(tmp_path / "project", files)
    commit(project, "mkdocs.yml", "docs", date=OLD)
    commit(project, "lib", date=NEW)
    packages = tmp_path / "packages"
    packages.mkdir()
    for entry in map(Path, sys.path):
        for each in entry.iterdir() if entry.name.endswith("-packages") else ():
            if is_installed or "griffe" not in each.name:
                (packages / each.name).symlink_to(each)
    done = subprocess.run(
        [sys.executable, "-S", "-m", "sitemap_docs", "build", "site"],
        cwd=project, check=True, text=True, capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (HERE, packages)))},
    )  # fmt: skip
    undated = {page for page, (_, needs) in NAMES.items() if needs and not is_installed}
    assert proven(project / "site", BASE) == {f"{page}/": None if page in undated else NEW for page in NAMES}
    told = [line for line in done.stderr.splitlines() if "griffe" in line]
    if is_installed:
        assert told == []
    else:
        assert len(told) == 1
        assert "3 pages have no lastmod" in told[0]
        assert "the module of `tool` is not found, because griffe is not installed. Install griffe" in told[0]
