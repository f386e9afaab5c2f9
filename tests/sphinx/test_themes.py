"""The themes that most Sphinx sites use: each spells the canonical link itself, and we list that address."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.conftest import proven

pytest.importorskip("sphinx")

pytestmark = pytest.mark.filterwarnings("ignore")  # the themes' own

THEMES = ("furo", "pydata_sphinx_theme", "sphinx_rtd_theme")
OLD, NEW = "2020-01-01T00:00:00+00:00", "2024-01-01T00:00:00+00:00"
BASE = "https://docs.example.org/en/latest/"
NOINDEX = ".. meta::\n   :robots: noindex\n"


def theme(name: str) -> object:
    missing = find_spec(name) is None
    return pytest.param(name, marks=pytest.mark.skipif(missing, reason=f"needs {name}"))


@pytest.fixture
def themed(sphinx_project):
    """A project below a path whose base URL lacks its final slash, as many have it."""
    project = sphinx_project("guide/a", "guide/index", "é b", html_baseurl=BASE.rstrip("/"))
    project.write({"src/hidden.rst": project.page("Hidden", NOINDEX)})
    project.commit(OLD)
    project.write({"src/guide/a.rst": project.page("A", "More.")})
    project.commit(NEW)
    return project


@pytest.mark.parametrize(
    ("builder", "listed"),
    [
        ("html", {"guide/a.html": NEW, "guide/index.html": OLD, "index.html": OLD, "é b.html": OLD}),
        ("dirhtml", {"": OLD, "guide/": OLD, "guide/a/": NEW, "é b/": OLD}),
    ],
)
@pytest.mark.parametrize("name", [theme(name) for name in THEMES])
def test_each_listed_page_says_its_address(themed, name, builder, listed):
    themed.configure(html_theme=name)
    run = themed.build(builder, "-W", "--keep-going")
    assert run.code == 0, run.warnings
    assert proven(themed.out, BASE) == listed
    assert run.summary == "4 pages listed, 3 left out (2 generated, 1 noindex), 4 dated"
