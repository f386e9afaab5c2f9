"""The same site through each door: a build by the plugin, and of a copy of its output by the command."""

from __future__ import annotations

import json
import shutil

from sitemap_docs.cache import user_cache
from sitemap_docs.cli.main import group
from sitemap_docs.output.record import read_record
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


#: What a folder does not tell: field lists of reStructuredText, and what conf.py copies.
UNKNOWN = {
    "extra.html": "static file",
    "javadoc/index.html": "static file",
}


def test_sphinx(sphinx_project, monkeypatch):
    project = sphinx_project("a", "sub/index", "404", "da/404", "search-notes", html_extra_path=["extra"])
    project.write({"src/b.rst": project.page("B", ".. meta::\n   :robots: noindex\n")})
    project.write({"src/c.rst": f":sitemap: false\n{project.page('C')}"})
    project.write({"src/extra/extra.html": HTML, "src/extra/javadoc/index.html": HTML})
    project.write({"src/extra/old.html": MOVED})
    project.commit("2024-01-01T00:00:00+00:00")
    run = project.build()
    assert run.code == 0, run.warnings
    theirs, ours = decisions(project.out, monkeypatch, "--base-url", project.base, "--source", "src")
    assert theirs.keys() == ours.keys()
    assert {file: reason for file, reason in theirs.items() if ours[file] != reason} == UNKNOWN
