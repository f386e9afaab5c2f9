"""A site that the plugin lists is listed the same by the command, which has only the files."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.sitemap.reader import parse
from tests.conftest import runner

HTML = "<!doctype html><html lang=en><head><title>x</title>{}</head><body></body></html>"
DOCS = {
    "index.md": "# Home",
    "guide/README.md": "# Guide",
    "off.md": "---\nsitemap: false\n---\n# Off",
    "quiet.md": "---\nrobots: noindex\n---\n# Quiet",
    "404.md": "# Gone",
    "da/404.md": "# Gone, too",
    "javadoc/index.html": HTML.format(""),
    "report.html": HTML.format('<meta http-equiv="refresh" content="0; url=guide/">'),
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
def test_mkdocs(mkdocs_project, tmp_path, pages, settings):
    pytest.importorskip("mkdocs_static_i18n")
    pytest.importorskip("material")
    project = mkdocs_project(pages, **settings)
    project.commit("2024-01-01T00:00:00+00:00")
    (summary,) = [line for line in project.build() if " listed, " in line]
    dates = dict(zip(project.locs(), project.lastmods().values(), strict=True))
    assert by_command(tmp_path, project.root, "site") == (dates, summary.partition("sitemap-docs: ")[2])


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_sphinx(sphinx_project, tmp_path, monkeypatch, builder):
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
