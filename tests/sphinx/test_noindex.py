"""The option `noindex_versions`: a version that search engines must not show, with each theme."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

pytest.importorskip("sphinx")

pytestmark = pytest.mark.filterwarnings("ignore")  # the themes' own

PAGES = ("a.html", "genindex.html", "guide/b.html", "index.html", "search.html")


def hidden(project) -> list[str]:
    """The pages with our element in their head, as an HTML parser reads them."""
    found = []
    for name in PAGES:
        soup = BeautifulSoup((project.out / name).read_bytes(), "html.parser")
        if [meta for meta in soup.head.select("meta[name=robots]") if meta["content"] == "noindex"]:
            found.append(name)
    return found


@pytest.mark.parametrize("name", ["furo", "pydata_sphinx_theme", "sphinx_rtd_theme"])
def test_each_theme_shows_it_on_every_page(sphinx_project, name):
    pytest.importorskip(name)
    project = sphinx_project("a", "guide/b", html_theme=name, version="1.2", sitemap_noindex_versions=["1.*"])
    run = project.build("html", "-W", "--keep-going")
    assert (run.code, hidden(project)) == (0, [*PAGES]), run.warnings
    assert run.summary.endswith("(the option `noindex_versions` names 1.2)")


def test_a_version_becomes_old_and_current_again(sphinx_project, monkeypatch):
    """Each page is rendered again, though none of the sources changed; what is ours of the sitemap goes.

    With the same globs, the platform may name another version in the next build.
    """
    settings = {"sitemap_formats": ["text"], "sitemap_gzip": "beside", "sitemap_max_urls": 2}
    project = sphinx_project("a", "guide/b", version="1.2", sitemap_noindex_versions=["0.*"], **settings)
    before = project.build()
    ours = {file.name for file in project.out.glob("sitemap*")}
    assert len(ours) > 4
    project.write({"out/sitemap-blog.xml": "<urlset/>"})
    lines = (project.out / "robots.txt").read_text()

    project.configure(sitemap_noindex_versions=["1.*"])
    old = project.build()
    assert hidden(project) == [*PAGES]
    assert old.summary.startswith("no sitemap: every page")
    assert "removed sitemap" in old.summary
    assert [file.name for file in project.out.glob("sitemap*")] == ["sitemap-blog.xml"]
    assert not (project.out / "robots.txt").exists()
    stamp = (project.out / "a.html").stat().st_mtime_ns
    project.build()
    assert (project.out / "a.html").stat().st_mtime_ns == stamp, "nothing changed"

    project.configure(sitemap_noindex_versions=["0.*"])
    assert project.build().summary == before.summary
    assert hidden(project) == ["search.html"]
    assert (project.out / "robots.txt").read_text() == lines
    assert {file.name for file in project.out.glob("sitemap*")} == {*ours, "sitemap-blog.xml"}

    project.configure(sitemap_noindex_versions=["*", "!stable"])
    for version in ("stable", "latest"):
        monkeypatch.setenv("READTHEDOCS_VERSION", version)
        monkeypatch.setenv("READTHEDOCS_VERSION_NAME", version)
        project.build()
        assert (hidden(project) == [*PAGES]) == (version == "latest")


@pytest.mark.parametrize(
    ("globs", "environ", "is_hidden"),
    [
        pytest.param(["1.*"], {"READTHEDOCS_VERSION": "stable"}, False, id="the platform comes first"),
        pytest.param(
            ["v1/x"], {"READTHEDOCS_VERSION": "v1-x", "READTHEDOCS_VERSION_NAME": "v1/x"}, True, id="a branch"
        ),
        pytest.param(["1.2.3"], {}, True, id="release in conf.py"),
        pytest.param(["v1"], {"SPHINX_MULTIVERSION_NAME": "v1"}, True, id="sphinx-multiversion"),
    ],
)
def test_which_version_is_built(sphinx_project, monkeypatch, globs, environ, is_hidden):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    project = sphinx_project("a", "guide/b", version="1.2", release="1.2.3", sitemap_noindex_versions=globs)
    project.build()
    assert (hidden(project) == [*PAGES]) == is_hidden
    assert (project.out / "sitemap.xml").exists() != is_hidden


def test_without_a_base_and_in_workers(sphinx_project):
    project = sphinx_project("a", "guide/b", version="1", html_baseurl=None, sitemap_noindex_versions=["1"])
    run = project.passes("html", "-j", "2")
    assert hidden(project) == [*PAGES]
    assert run.summary == "no base URL, and every page has a noindex: version 1"


def test_a_sitemap_of_the_project_stays(sphinx_project):
    project = sphinx_project("a", version="1", sitemap_noindex_versions=["1"], html_extra_path=["extra"])
    project.write({"src/extra/sitemap.xml": "<urlset/>"})
    assert project.build().code == 0
    assert (project.out / "sitemap.xml").read_text() == "<urlset/>"
