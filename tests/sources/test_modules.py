"""Where Python objects are defined."""

from __future__ import annotations

import pytest

from sitemap_docs.sources.modules import defining_file

FILES = {
    "pkg/__init__.py": "from .core import Thing\nfrom pkg.sub import Deep as Renamed\nversion = '1'\n",
    "pkg/core.py": "class Thing: ...\n",
    "pkg/sub/__init__.py": "from .. import core\nfrom ..core import Thing as Up\nfrom .deep import Deep\n",
    "pkg/sub/deep.py": "class Deep: ...\n",
    "pkg/circle.py": "from pkg.circle import again\nfrom pkg.other import b as a\n",
    "pkg/other.py": "from pkg.circle import a as b\nfrom elsewhere import gone\n",
    "pkg/broken.py": "def (\n",
    "single.py": "x = 1\n",
}


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
def test_defining_file(tmp_path, identifier, file):
    for name, text in FILES.items():
        (tmp_path / "lib" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lib" / name).write_text(text, encoding="utf-8")
    assert defining_file(identifier, [tmp_path / "empty", tmp_path / "lib"]) == (
        file and tmp_path / "lib" / file
    )
