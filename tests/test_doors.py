"""The same site through each door: a build by the plugin, and of a copy of its output by the command."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from sitemap_docs.cache import user_cache
from sitemap_docs.cli.main import group
from sitemap_docs.output.record import read_record
from sitemap_docs.sitemap.reader import parse
from tests.conftest import runner

HTML = "<!doctype html><html><head><title>Report</title></head><body></body></html>"
MOVED = '<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/a/"></head></html>'


def decided(project, site: Path, tmp_path: Path, summary: str, *flags: object) -> dict[str, str]:
    """File → reason for each page of a build by the command; so are dates and counts those of the plugin.

    The command builds a copy, which has no sitemap and no record. Without a ``summary``, only reasons count.
    """
    theirs = {page.file: page.reason for page in read_record(site, user_cache()).pages()}
    dates = dict(zip(project.locs(), project.lastmods().values(), strict=True))
    shutil.copytree(project.root, tmp_path / "copy", ignore=shutil.ignore_patterns("sitemap*", "robots.txt"))
    copied = tmp_path / "copy" / site.name
    (tmp_path / "empty.toml").write_text("")
    unconfigured = ("--config", tmp_path / "empty.toml")
    done = runner().invoke(group, ["build", *map(str, (copied, *unconfigured, *flags))])
    assert done.exit_code == 0, done.output
    ours = {page.file: page.reason for page in read_record(copied, user_cache()).pages()}
    assert ours == theirs
    if summary:
        entries = parse(copied / "sitemap.xml").entries()
        assert dates == {entry.loc: entry.lastmod and entry.lastmod.isoformat() for entry in entries}
        assert done.stdout == f"sitemap-docs: {summary}\n"
    return ours


DOCS = {
    "index.md": "# Home",
    "a.md": "# A",
    "guide/README.md": "# Guide",
    "sub/index.md": "# Sub",
    "off.md": "---\nsitemap: false\n---\n# Off",
    "quiet.md": "---\nrobots: noindex\n---\n# Quiet",
    "404.md": "# Gone",
    "da/404.md": "# Gone, too",
    "errors/404.md": "# An error of the API",
    "javadoc/index.html": HTML,
    "report.html": HTML,
    "old.html": MOVED,
    "part.html": "<p>A part of a page.</p>",
    "overrides/main.html": '{% extends "base.html" %}',
}
I18N = {
    "i18n": {
        "docs_structure": "suffix",
        "languages": [
            {"locale": "en", "name": "English", "build": True, "default": True},
            {"locale": "de", "name": "Deutsch", "build": True},
        ],
    }
}


BLOG = {
    "index.md": "# Home",
    "blog/index.md": "# Blog",
    "blog/posts/a.md": "---\ndate: 2024-01-31\ncategories: [News]\n---\n# Hello, World!\n\nText",
    "blog/posts/b.md": "---\ndate: 2025-01-31\n---\n# Another one\n\nText",
}


@pytest.mark.parametrize(
    ("pages", "settings"),
    [
        pytest.param(DOCS, {"theme": {"name": "mkdocs", "custom_dir": "docs/overrides"}}, id="plain"),
        pytest.param({"index.html": HTML, "a.md": "# A"}, {}, id="a home page that is copied"),
        pytest.param(
            {"index.md": "# Home", "index.de.md": "# Start", "a.md": "# A", "b.md": "# B", "b.de.md": "# B"},
            {"plugins": [I18N]},
            id="static-i18n",
        ),
        pytest.param({"index.md": "# Home", "search.md": "# S"}, {"theme": "readthedocs"}, id="search"),
        pytest.param(BLOG, {"plugins": ["blog"], "theme": "material"}, id="blog"),
    ],
)
def test_mkdocs(mkdocs_project, tmp_path, pages, settings):
    pytest.importorskip("mkdocs_static_i18n")
    pytest.importorskip("material")
    project = mkdocs_project(pages, **settings)
    project.commit("2024-01-01T00:00:00+00:00")
    (summary,) = [line for line in project.build() if " listed, " in line]
    decided(project, project.site, tmp_path, summary.partition("sitemap-docs: ")[2])


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_sphinx(sphinx_project, tmp_path, monkeypatch, builder):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "thing", raising=False)
    extensions = ["sitemap_docs", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
    project = sphinx_project(
        *("a", "sub/index", "404", "da/404", "search-notes"),
        extensions=extensions,
        html_extra_path=["extra", "one/report.html"],
    )
    project.extend('import sys\nsys.path.insert(0, __file__.rpartition("/")[0])\n')
    project.write({"src/thing.py": "def thing():\n    '''A thing.'''\n"})
    project.write({"src/api.rst": ":orphan:\n\nAPI\n===\n\n.. automodule:: thing\n   :members:\n"})
    project.write({"src/one/report.html": HTML, "src/extra/part.html": "<p>A part of a page.</p>"})
    project.write({"src/b.rst": project.page("B", ".. meta::\n   :robots: noindex\n")})
    project.write({"src/c.rst": f":sitemap: false\n{project.page('C')}"})
    project.write({"src/extra/extra.html": HTML, "src/extra/javadoc/index.html": HTML})
    project.write({"src/extra/fr/404.html": HTML, "src/extra/old.html": MOVED})
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.build(builder)
    assert run.code == 0, run.warnings
    project.extend('pattern = "\\d"\n')  # Python warns about it
    flags = ("--base-url", project.base, "--source", project.src)
    ours = decided(project, project.out, tmp_path, run.summary, *flags)
    assert list(ours.values()).count("static file") == 4


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("names", [("a", "sub/index"), ("sub/index",)])
def test_sphinx_without_canonical_links(sphinx_project, tmp_path, builder, names):
    """The folder alone tells which builder wrote it, and so how it links to its pages."""
    project = sphinx_project(*names)
    project.extend(
        "def setup(app):\n    app.connect('html-page-context', on_page, 999)\n"
        "def on_page(app, name, template, context, doctree):\n    context['pageurl'] = None\n"
    )
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.build(builder)
    assert run.code == 0, run.warnings
    home = "sub/index.html" if builder == "html" else "sub/"
    assert f"{project.base}{home}" in project.locs()
    decided(project, project.out, tmp_path, run.summary, "--base-url", project.base, "--source", project.src)


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("dependencies", [True, False])
def test_fragments_of_sphinx(sphinx_project, tmp_path, builder, dependencies):
    """What has no title and is included elsewhere is no page; without an include, or with a title, it is."""
    project = sphinx_project("a", sitemap_lastmod_dependencies=dependencies)
    text = ".. include:: part.rst\n\n.. include:: /sub/other.rst\n\n.. include:: titled.rst\n"
    project.write({"src/b.rst": project.page("B", text)})
    project.write({"src/part.rst": "Text.\n", "src/sub/other.rst": "Text.\n", "src/alone.rst": "Text.\n"})
    project.write({"src/titled.rst": project.page("Titled")})
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.build(builder)
    assert run.code == 0, run.warnings
    flags = ["--base-url", project.base, "--source", project.src]
    flags += [] if dependencies else ["--no-lastmod-dependencies"]
    ours = decided(project, project.out, tmp_path, run.summary, *flags)
    assert list(ours.values()).count("only included elsewhere") == 2


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_drafts_of_ablog(sphinx_project, tmp_path, builder):
    """Only the list of drafts is left out, not that of posts with the tag "drafts", nor a document."""
    pytest.importorskip("ablog")
    settings = {"html_theme": "alabaster", "blog_title": "Blog", "fontawesome_included": True}
    project = sphinx_project(
        "drafts", extensions=["sitemap_docs", "ablog"], blog_baseurl="https://docs.example.org/", **settings
    )
    for name, date, more in (
        ("a", "2023-05-01", "   :tags: drafts\n"),
        ("b", "", ""),
        ("c", "2099-01-01", ""),
    ):
        text = f"{name}\n=\n\n.. post:: {date}\n{more}\nText.\n"
        project.write({f"src/posts/{name}.rst": text})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build(builder)
    flags = ("--base-url", project.base, "--source", project.src)
    ours = decided(project, project.out, tmp_path, "", *flags)  # only ABlog knows what dates its lists
    drafts = [file for file, reason in ours.items() if reason == "draft"]
    assert drafts == ["blog/drafts.html" if builder == "html" else "blog/drafts/index.html"]


CASCADE = {"sitemap-index-first-e3b0c4.xml", "sitemap-index-api.xml"}


def test_a_cascade_of_indexes_in_sphinx_goes_when_it_is_switched_off(sphinx_project):
    groups = {"sitemap_groups": {"api": ["api/*"]}}
    project = sphinx_project("a", "api/b", sitemap_index="cascaded", **groups)
    assert project.build("html", "-W").code == 0
    assert set(project.paths()) == CASCADE
    assert all(
        f"Sitemap: {project.base}{name}" in (project.out / "robots.txt").read_text() for name in CASCADE
    )
    before = {file.name: file.read_bytes() for file in project.out.glob("sitemap*")}
    assert project.build("html", "-W", "-E").code == 0
    assert {file.name: file.read_bytes() for file in project.out.glob("sitemap*")} == before
    project.configure(sitemap_index="auto", sitemap_groups={})
    assert project.build("html", "-W").code == 0
    assert {file.name for file in project.out.glob("sitemap*.xml")} == {"sitemap.xml"}
    assert "sitemap-index" not in (project.out / "robots.txt").read_text()


def test_a_cascade_of_indexes_in_mkdocs_goes_when_it_is_switched_off(mkdocs_project):
    options = {"groups": {"api": ["api/*"]}, "index": "cascaded"}
    project = mkdocs_project({"index.md": "# Home", "api/b.md": "# B"}, options=options)
    project.build(strict=True)
    assert project.paths() == ["", "api/b/"]  # themes read it
    below = project.xml("sitemap-index.xml").iterfind("*/{*}loc")
    assert {loc.text.removeprefix("https://docs.example.org/") for loc in below} == CASCADE
    named = project.read("robots.txt")
    assert all(f"Sitemap: https://docs.example.org/{name}" in named for name in CASCADE)
    assert "/sitemap-index.xml" in named
    project.configure(options={})
    project.build(dirty=True)  # which keeps what an earlier build left
    assert {file.name for file in project.site.glob("sitemap*.xml")} == {"sitemap.xml"}
    assert "sitemap-index" not in project.read("robots.txt")
