"""The same site through each door: a build by the plugin, and of a copy of its output by the command."""

from __future__ import annotations

import json
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


def decisions(output, monkeypatch, *arguments: str) -> tuple[dict[str, str], dict[str, str]]:
    """File → reason for each page of a build, by the plugin and by the command without its record."""
    theirs = {page.file: page.reason for page in read_record(output, user_cache()).pages()}
    for left in output.glob("sitemap*"):
        left.unlink()
    copy = shutil.move(output, output.with_name("copy"))
    monkeypatch.chdir(output.parent)
    done = runner().invoke(group, ["build", str(copy), *arguments, "--json"])
    assert done.exit_code == 0, done.output
    ours = {page.file: page.reason for page in read_record(copy, user_cache()).pages()}
    assert json.loads(done.stdout)["listed"] == list(ours.values()).count("")
    return theirs, ours


def test_mkdocs(mkdocs_project, monkeypatch):
    project = mkdocs_project(
        {
            "index.md": "# Home",
            "a.md": "# A",
            "sub/index.md": "# Sub",
            "b.md": "---\nrobots: noindex\n---\n# B",
            "c.md": "---\nsitemap: false\n---\n# C",
            "404.md": "# Not here",
            "da/404.md": "# Ikke her",
            "report.html": HTML,
            "javadoc/index.html": HTML,
            "old.html": MOVED,
        }
    )
    project.commit("2024-01-01T00:00:00+00:00")
    project.build()
    base = "https://docs.example.org/"
    theirs, ours = decisions(project.site, monkeypatch, "--base-url", base, "--source", "docs")
    assert ours == theirs


def test_sphinx(sphinx_project, monkeypatch):
    project = sphinx_project(
        "a", "sub/index", "404", "da/404", "search-notes", html_extra_path=["extra", "one/report.html"]
    )
    project.write({"src/one/report.html": HTML, "src/extra/part.html": "<p>A part of a page.</p>"})
    project.write({"src/b.rst": project.page("B", ".. meta::\n   :robots: noindex\n")})
    project.write({"src/c.rst": f":sitemap: false\n{project.page('C')}"})
    project.write({"src/extra/extra.html": HTML, "src/extra/javadoc/index.html": HTML})
    project.write({"src/extra/fr/404.html": HTML})
    project.write({"src/extra/old.html": MOVED})
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.build()
    assert run.code == 0, run.warnings
    project.extend('pattern = "\\d"\n')  # Python warns about it
    theirs, ours = decisions(project.out, monkeypatch, "--base-url", project.base, "--source", "src")
    assert ours == theirs
    assert list(ours.values()).count("static file") == 4


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
@pytest.mark.parametrize("dependencies", [True, False])
def test_fragments_of_sphinx(sphinx_project, monkeypatch, builder, dependencies):
    """What has no title and is included elsewhere is no page; without an include, or with a title, it is."""
    project = sphinx_project("a", sitemap_lastmod_dependencies=dependencies)
    text = ".. include:: part.rst\n\n.. include:: /sub/other.rst\n\n.. include:: titled.rst\n"
    project.write({"src/b.rst": project.page("B", text)})
    project.write({"src/part.rst": "Text.\n", "src/sub/other.rst": "Text.\n", "src/alone.rst": "Text.\n"})
    project.write({"src/titled.rst": project.page("Titled")})
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.build(builder)
    assert run.code == 0, run.warnings
    flags = ["--source", "src", *([] if dependencies else ["--no-lastmod-dependencies"])]
    theirs, ours = decisions(project.out, monkeypatch, "--base-url", project.base, *flags)
    assert ours == theirs
    assert list(ours.values()).count("only included elsewhere") == 2


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_drafts_of_ablog(sphinx_project, monkeypatch, builder):
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
    theirs, ours = decisions(project.out, monkeypatch, "--base-url", project.base, "--source", "src")
    assert ours == theirs
    drafts = [file for file, reason in ours.items() if reason == "draft"]
    assert drafts == ["blog/drafts.html" if builder == "html" else "blog/drafts/index.html"]


PAGE = "<!doctype html><html lang=en><head><title>x</title>{}</head><body></body></html>"
DOCS = {
    "index.md": "# Home",
    "guide/README.md": "# Guide",
    "off.md": "---\nsitemap: false\n---\n# Off",
    "quiet.md": "---\nrobots: noindex\n---\n# Quiet",
    "404.md": "# Gone",
    "da/404.md": "# Gone, too",
    "javadoc/index.html": PAGE.format(""),
    "report.html": PAGE.format('<meta http-equiv="refresh" content="0; url=guide/">'),
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


def by_command(tmp_path: Path, root: Path, site: str, *flags: str) -> tuple[dict[str, str | None], str]:
    """The dates and the counts of a build of a copy, which has no sitemap and no record."""
    shutil.copytree(root, tmp_path / "copy", ignore=shutil.ignore_patterns("sitemap*", "robots.txt"))
    copied = tmp_path / "copy" / site
    (tmp_path / "empty.toml").write_text("")
    unconfigured = ("--config", tmp_path / "empty.toml", "--cache-dir", tmp_path / "cache")
    done = runner().invoke(group, ["build", *map(str, (copied, *unconfigured, *flags))])
    assert done.exit_code == 0, done.stderr
    entries = parse(copied / "sitemap.xml").entries()
    dates = {entry.loc: entry.lastmod.isoformat() if entry.lastmod else None for entry in entries}
    return dates, done.stdout.removeprefix("sitemap-docs: ").strip()


@pytest.mark.parametrize(
    ("pages", "settings"),
    [
        pytest.param(DOCS, {"theme": {"name": "mkdocs", "custom_dir": "docs/overrides"}}, id="plain"),
        pytest.param(
            {"index.md": "# Home", "index.de.md": "# Start", "a.md": "# A", "b.md": "# B", "b.de.md": "# B"},
            {"plugins": [I18N]},
            id="static-i18n",
        ),
        pytest.param({"index.md": "# Home", "search.md": "# S"}, {"theme": "readthedocs"}, id="search"),
        pytest.param(BLOG, {"plugins": ["blog"], "theme": "material"}, id="blog"),
    ],
)
def test_counts_and_dates_of_mkdocs(mkdocs_project, tmp_path, pages, settings):
    pytest.importorskip("mkdocs_static_i18n")
    pytest.importorskip("material")
    project = mkdocs_project(pages, **settings)
    project.commit("2024-01-01T00:00:00+00:00")
    (summary,) = [line for line in project.build() if " listed, " in line]
    dates = dict(zip(project.locs(), project.lastmods().values(), strict=True))
    assert by_command(tmp_path, project.root, "site") == (dates, summary.partition("sitemap-docs: ")[2])


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_counts_and_dates_of_sphinx(sphinx_project, tmp_path, monkeypatch, builder):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "thing", raising=False)
    extensions = ["sitemap_docs", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
    project = sphinx_project("a", "guide/index", "404", extensions=extensions)
    project.extend('import sys\nsys.path.insert(0, __file__.rpartition("/")[0])\n')
    project.write({"src/thing.py": "def thing():\n    '''A thing.'''\n"})
    project.write({"src/api.rst": ":orphan:\n\nAPI\n===\n\n.. automodule:: thing\n   :members:\n"})
    project.write({"src/quiet.rst": ":orphan:\n\nQuiet\n=====\n\n.. meta::\n   :robots: noindex\n"})
    project.commit("2024-01-01T00:00:00+00:00")
    summary = project.build(builder).summary
    dates = dict(zip(project.locs(), project.lastmods().values(), strict=True))
    flags = ("--base-url", project.base, "--source", str(project.src))
    assert by_command(tmp_path, project.root, "out", *flags) == (dates, summary)
