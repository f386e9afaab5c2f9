"""Where Python objects are defined."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from sitemap_docs.sources.modules import PythonObjects
from tests.conftest import write

FILES = {
    "pkg/__init__.py": "from .core import Thing\nfrom pkg.sub import Deep as Renamed\nversion = '1'\n",
    "pkg/core.py": "class Thing: ...\n",
    "pkg/sub/__init__.py": "from .. import core\nfrom ..core import Thing as Up\nfrom .deep import Deep\n",
    "pkg/sub/deep.py": "class Deep: ...\n",
    "pkg/circle.py": "from pkg.circle import again\nfrom pkg.other import b as a\n",
    "pkg/other.py": "from pkg.circle import a as b\nfrom elsewhere import gone\n",
    "pkg/late.py": "def function():\n    from .core import Thing\nclass Thing: ...\n",
    "pkg/broken.py": "def (\n",
    "single.py": "x = 1\n",
}


@pytest.fixture
def library(tmp_path):
    return write(tmp_path / "lib", FILES)


@pytest.mark.parametrize(
    ("identifier", "file"),
    [
        pytest.param("pkg", "pkg/__init__.py", id="package"),
        pytest.param("pkg.core", "pkg/core.py", id="module"),
        pytest.param("single", "single.py", id="module at the top"),
        pytest.param("pkg.core.Thing.method", "pkg/core.py", id="object"),
        pytest.param("pkg.version", "pkg/__init__.py", id="defined in the package itself"),
        pytest.param("pkg.Thing", "pkg/core.py", id="imported by the package"),
        pytest.param("pkg.Renamed.method", "pkg/sub/deep.py", id="imported twice, renamed"),
        pytest.param("pkg.sub.Up", "pkg/core.py", id="imported from the package above"),
        pytest.param("pkg.sub.core.Thing", "pkg/core.py", id="module imported from above"),
        pytest.param("pkg.circle.again", "pkg/circle.py", id="imports itself"),
        pytest.param("pkg.circle.a", "pkg/other.py", id="imports in a circle"),
        pytest.param("pkg.other.gone", "pkg/other.py", id="from a package that is not here"),
        pytest.param("pkg.broken.name", "pkg/broken.py", id="no Python"),
        pytest.param("nowhere.name", None, id="unknown"),
    ],
)
def test_defining_file(library, identifier, file):
    assert PythonObjects([library / "empty", library]).defining_file(identifier) == (file and library / file)


@pytest.mark.skipif(not find_spec("griffe"), reason="needs griffe")
def test_griffe_decides_where_two_statements_bind_a_name(library):
    assert PythonObjects([library]).defining_file("pkg.late.Thing") == library / "pkg/late.py"


@pytest.mark.skipif(not find_spec("griffe"), reason="needs griffe")
def test_a_later_build_of_the_same_process_reads_what_changed(library):
    (library / "pkg/core.py").write_text("if 1:\n    from .sub import Thing\n", encoding="utf-8")
    (library / "pkg/sub/__init__.py").write_text("class Thing: ...\n", encoding="utf-8")
    assert PythonObjects([library]).defining_file("pkg.core.Thing") == library / "pkg/sub/__init__.py"
    (library / "pkg/core.py").write_text("if 1:\n    from .sub.deep import Deep as Thing\n", encoding="utf-8")
    assert PythonObjects([library]).defining_file("pkg.core.Thing") == library / "pkg/sub/deep.py"


def test_griffe_is_not_loaded_where_there_is_no_doubt(library):
    """It takes a fifth of a second, and reads the whole package."""
    code = (
        "import sys; from pathlib import Path\n"
        "from sitemap_docs.sources.modules import PythonObjects\n"
        f"objects = PythonObjects([Path({str(library)!r})])\n"
        "assert objects.defining_file('pkg.Renamed.method')\n"
        "assert objects.exported_files('pkg') == objects.exported_files('pkg.Thing') == ()\n"
        "assert 'griffe' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
