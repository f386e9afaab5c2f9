"""Generated pages in real output: templates tell them, whatever the names of the files are."""

import shutil
import sys
from pathlib import Path

import pytest

from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.model import Fact
from sitemap_docs.surroundings import user_cache
from tests.conftest import BASE, lastmods, needs, passed, write

MODULE = '"""A module."""\n\n\ndef find():\n    """Finds."""\n'
DOMAIN = """
from sphinx.domains import Domain, Index


class Recipes(Index):
    name, localname = "routingtable", "Recipes"

    def generate(self, docnames=None):
        return [("s", [("soup", 0, "index", "soup", "", "", "")])], True


class Cooking(Domain):
    name, label, indices = "http", "Cooking", [Recipes]


def setup(app):
    app.add_domain(Cooking)
"""
GENERATED = {
    "search",
    "genindex",
    "http-routingtable",
    "py-modindex",
    "_modules/index",
    "_modules/cook/websupport/search",
    "_modules/cook/websupport",
}


def generated(root: Path) -> set[str]:
    known = GeneratedPages(str(root))
    files = [file.relative_to(root).as_posix() for file in root.rglob("*.html")]
    names = {file.removesuffix(".html") for file in files if known.fact(file) is Fact.GENERATED}
    end = "/index" if (root / "genindex/index.html").is_file() else ""
    return {name.removesuffix(end) for name in names}


@pytest.fixture
def cook(sphinx_project, monkeypatch):
    """A project with an index of a domain of its own, and the code of a package with a module `search`."""
    for name in ("cooking", "cook", "cook.websupport", "cook.websupport.search"):  # of an earlier test
        monkeypatch.delitem(sys.modules, name, raising=False)
    project = sphinx_project("guide/search", "recipes-modindex")
    modules = "cook.websupport", "cook.websupport.search"
    body = "\n".join(f".. automodule:: {name}\n   :members:\n" for name in modules)
    project.write({"src/cook/__init__.py": "", "src/cook/websupport/__init__.py": MODULE})
    project.write({"src/cook/websupport/search.py": MODULE, "src/cooking.py": DOMAIN})
    project.write({"src/api.rst": project.page("API", body)})
    monkeypatch.syspath_prepend(project.src)
    project.configure(extensions=["sitemap_docs", "cooking", "sphinx.ext.autodoc", "sphinx.ext.viewcode"])
    return project


THEMES = ("furo", "pydata_sphinx_theme", "sphinx_rtd_theme")


@pytest.mark.filterwarnings("ignore")  # the themes' own
@pytest.mark.parametrize("name", ["basic", *(pytest.param(name, marks=needs(name)) for name in THEMES)])
def test_the_generated_pages_of_sphinx_are_recognised_in_every_theme(cook, name):
    """The project publishes no ``_sources``, which would show which pages have a source."""
    cook.configure(html_theme=name, html_copy_source=False)
    run = cook.build()
    assert run.code == 0, run.warnings
    assert generated(cook.out) == GENERATED


def test_split_index_pages_and_computation_times_are_generated_but_not_a_document_called_search(cook):
    """Sphinx-Gallery writes the computation times as documents: one for each gallery and one for all."""
    cook.configure(html_split_index=True)
    times = cook.page("Computation times", "**00:00.012** total execution time for 1 file.")
    names = ("sg_execution_times", "examples/sg_execution_times")
    cook.write({f"src/{name}.rst": f":orphan:\n\n{times}" for name in names})
    # Its text has what Sphinx' own search form has, in whose place it is.
    cook.write({"src/search.rst": cook.page("Search", '.. raw:: html\n\n   <div id="search-results"></div>')})
    assert cook.build("dirhtml").code == 0
    expected = {name.removesuffix("/index") for name in GENERATED} - {"search"} | {*names}
    assert generated(cook.out) == expected | {f"genindex-{letter}" for letter in ("C", "F", "M", "all")}
    assert not [path for path in cook.paths() if "execution" in path]
    cook.configure(sitemap_excludes=["!examples/sg_execution_times*"])
    assert cook.build("dirhtml").code == 0
    assert [path for path in cook.paths() if "execution" in path] == ["examples/sg_execution_times/"]


def test_the_search_page_of_an_mkdocs_theme_is_a_generated_page(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, theme="readthedocs", plugins=["search"])
    project.build(use_directory_urls=False)
    assert generated(project.site) == {"search"}


def test_a_page_of_the_project_called_search_is_not_a_generated_page_in_mkdocs(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "search.md": "# Search"}, plugins=["search"])
    project.build(use_directory_urls=False)
    assert (project.site / "search/search_index.json").is_file()
    assert generated(project.site) == set()


# mdBook 0.4.52 writes the index as a script, and 0.5 with a hash in its name.
MDBOOK_INDEX = (
    'Object.assign(window.search, {"doc_urls":["index.html#index","intro.html#intro"],"index":'
    '{"documentStore":{"docInfo":{},"docs":{"0":{"body":"docnames:[\\"a\\"]","title":"Index"}}}}});'
)
MDBOOK_PAGE = """<!DOCTYPE HTML>
<html lang="en" class="light sidebar-visible" dir="ltr"><head><title>{0} - Pot</title></head>
<body><main>
<h1 id="{1}"><a class="header" href="#{1}">{0}</a></h1>
<h1>Lids</h1><div class="highlight"><pre>lid</pre></div>
</main></body></html>
"""


def test_a_search_index_without_documents_is_not_from_sphinx(here):
    """A chapter of mdBook may have the name of an index of Sphinx, and its folder the name of assets."""
    heading = '<h1 id="index"><a class="header"'
    chapters = {"index": "Index", "intro": "Intro", "lists/genindex": "Index", "_images/pots": "Pots"}
    for name, title in chapters.items():
        write(here, {f"book/{name}.html": MDBOOK_PAGE.format(title, title.lower())})
    assert heading in (here / "book/lists/genindex.html").read_text()
    write(here, {"book/searchindex.js": MDBOOK_INDEX, "book.toml": '[book]\ntitle = "Pot"\n'})
    known = GeneratedPages(str(here / "book"))
    assert (known.home(""), known.home("lists")) == (None, None)
    assert generated(here / "book") == set()
    passed("build", "book", "--base-url", BASE, "--lastmod", "none")
    assert [*lastmods(here / "book/sitemap.xml", BASE)] == [
        "",
        "_images/pots.html",
        "intro.html",
        "lists/genindex.html",
    ]
    passed("check", "book")
    shutil.rmtree(user_cache())
    passed("check", "book", "--base-url", BASE)


def test_the_generated_pages_of_sphinx_are_recognised_even_if_the_search_index_is_damaged(cook):
    """A folder stays a build of Sphinx if only its index is damaged."""
    assert cook.build().code == 0
    (cook.out / "searchindex.js").write_text('Search.setIndex({"docnames":["a","\\x"]})')
    assert generated(cook.out) == GENERATED


CUSTOM = {
    "overrides/main.html": '{% extends "base.html" %}',
    "overrides/home.html": "<!doctype html><html><title>{{ title }}</title></html>",
    "overrides/index.md": "# Overrides",
    "part.html": "<p>A part of a page.</p>",
    "demo.html": "<!doctype html><html lang=en><title>Demo</title></html>",
}


def test_theme_templates_that_mkdocs_copies_into_the_site_are_not_listed(mkdocs_project):
    """The audit does not treat these templates as pages either."""
    theme = {"name": "mkdocs", "custom_dir": "docs/overrides"}
    mkdocs_project({"index.md": "# Home", **CUSTOM}, theme=theme, plugins=[]).build()
    done = passed("build", "site", "-v")
    assert "(4 static files, 1 404 page)" in done.out
    assert "overrides/home.html: static file" in done.err
    shutil.rmtree(user_cache())
    passed("check", "site")
