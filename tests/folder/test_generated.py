"""Generated pages are known by what templates write, in real output, whatever the files are called."""

import shutil
import sys
from pathlib import Path

import pytest

from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.model import Fact
from sitemap_docs.surroundings import user_cache
from tests.conftest import needs, passed, write

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
def test_the_pages_of_sphinx(cook, name):
    """Without ``_sources``, which a project may switch off."""
    cook.configure(html_theme=name, html_copy_source=False)
    run = cook.build()
    assert run.code == 0, run.warnings
    assert generated(cook.out) == GENERATED


def test_a_split_index_a_document_called_search_and_computation_times(cook):
    """Sphinx-Gallery writes these as documents, one for each gallery and one for all."""
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


def test_the_search_form_of_mkdocs(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, theme="readthedocs", plugins=["search"])
    project.build(use_directory_urls=False)
    assert generated(project.site) == {"search"}


def test_a_page_called_search_in_mkdocs(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "search.md": "# Search"}, plugins=["search"])
    project.build(use_directory_urls=False)
    assert (project.site / "search/search_index.json").is_file()
    assert generated(project.site) == set()


def test_an_index_without_document_names(tmp_path):
    """mdBook writes a searchindex.js, too."""
    (tmp_path / "searchindex.js").write_text("Object.assign(window.search, {})")
    (tmp_path / "search.html").write_text("<html><title>x</title><div id=searchresults-outer>")
    assert generated(tmp_path) == set()


CUSTOM = {
    "overrides/main.html": '{% extends "base.html" %}',
    "overrides/home.html": "<!doctype html><html><title>{{ title }}</title></html>",
    "overrides/index.md": "# Overrides",
    "part.html": "<p>A part of a page.</p>",
    "demo.html": "<!doctype html><html lang=en><title>Demo</title></html>",
}


def test_templates_among_the_sources(mkdocs_project):
    """MkDocs copies them into the site; they are no pages, for the audit neither."""
    theme = {"name": "mkdocs", "custom_dir": "docs/overrides"}
    mkdocs_project({"index.md": "# Home", **CUSTOM}, theme=theme, plugins=[]).build()
    done = passed("build", "site", "-v")
    assert "(4 static files, 1 404 page)" in done.out
    assert "overrides/home.html: static file" in done.err
    shutil.rmtree(user_cache())
    passed("check", "site")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("api/search/all_0.html", '<body class="SRPage"><div id="SRIndex">'),  # Doxygen 1.9
        ("search.html", '<div id="mkdocs-search-results" class="search-results">'),  # mkdocs-nature 0.6
        ("sitemap.html", '<h1 id="index">Sitemap</h1>'),
        ("doc/help.html", '<body class="rustdoc mod sys"><h1>Help</h1>'),
        ("doc/src/a/lib.rs.html", '<body class="rustdoc src"><pre>'),
        (
            "all-documents.html",
            '<title>All Documents</title>\n    <meta name="generator" content="pydoctor 25.10.1">',
        ),
    ],
)
def test_what_other_generators_add(tmp_path, name, text):
    """A page with the same name and other text, such as a help, is a page."""
    for folder, content in (("theirs", text), ("ours", "<body><h1>Help</h1>")):
        write(tmp_path, {f"{folder}/{name}": f"<!doctype html><title>A</title>{content}"})
    pages = GeneratedPages(str(tmp_path))
    assert (pages.fact(f"theirs/{name}"), pages.fact(f"ours/{name}")) == (Fact.GENERATED, None)
