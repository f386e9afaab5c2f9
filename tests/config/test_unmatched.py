"""Globs that match nothing: reported once, with the nearest one that matches."""

import re

import pytest

from sitemap_docs.config.options import Options, page_globs
from sitemap_docs.config.patterns import UnmatchedGlobs
from tests.conftest import command, commit, write

NAMES = ("index.html", "guide/install.html", "guide/faq.html", "drafts/a.html", "api/1.9/x.html")


def findings(*globs: str, names=NAMES, option: str = "excludes"):
    compared = UnmatchedGlobs((option, glob) for glob in globs)
    for name in names:
        compared.compare((name,))
    return list(compared.findings())


def test_globs_that_match_and_builds_without_pages_are_not_reported():
    assert findings("drafts/*", "!drafts/a.html", "*.html", "index.htm[l]", "index.html") == []
    assert findings("draft/*", names=()) == []


def test_all_are_reported_at_once():
    [found] = findings("draft/*", "!blog/*", "drafts/*", "/")
    assert (found.rule, found.severity) == ("unmatched-pattern", "info")
    assert re.findall("'([^']*)'", found.message) == ["draft/*", "!blog/*", "/"]
    [many] = findings(*(f"x{number:02}/*" for number in range(30)))
    assert "20 other patterns" in many.message


def test_every_option_that_holds_globs_of_pages():
    given = {"excludes": ["a"], "groups": {"g": ["b"]}, "changefreq": {"c": "daily"}, "priority": {"d": 0.5}}
    expected = {"excludes": "a", "groups": "b", "changefreq": "c", "priority": "d"}
    assert list(page_globs(Options.of(given))) == list(expected.items())


@pytest.fixture
def folder(here):
    pages = {f"site/{name}": "<!doctype html><title>A page</title>" for name in NAMES}
    commit(write(here, {"docs/index.md": "# Home\n", **pages}), "docs")
    return here


def build(*arguments: str):
    return command("build", "site", "--base-url", "https://e.org/", *arguments)


def test_a_pattern_fails_no_build(folder):
    flags = ("--excludes", "draft/*", "--priority", "nowhere/*=0.3", "--lastmod-excludes", "docs/indx.md")
    done = build(*flags, "--lastmod", "none", "--strict")
    assert done.code == 0
    assert all(f"'{glob}'" in done.err for glob in ("draft/*", "nowhere/*"))


def test_maps(folder):
    done = build("--source", "docs", "--map", "guides/**=**.md", "--map", "guide/*.html=*.txt")
    assert "'guides/**=**.md' finds no source of any page, such as **.md in" in done.err
    assert "'guide/*.html=*.txt' finds no source of any page, such as faq.txt" in done.err
    assert "[map-unused]" not in build("--source", "docs", "--map", "guide/*=index.md").err


def test_sphinx(sphinx_project):
    project = sphinx_project("a", "drafts/b", sitemap_excludes=["draft/*"])
    assert "'draft/*' of `sitemap_excludes` in conf.py" in project.build("html", "-W").status
    project.configure(sitemap_ignore=["unmatched-pattern"])
    assert "'draft/*'" not in project.build("html", "-W").status


def test_mkdocs(mkdocs_project):
    pages = {"index.md": "# Home", "drafts/a.md": "# A"}
    project = mkdocs_project(pages, options={"excludes": ["draft/*", "nowhere/*"]})
    project.build()
    levels = {line.partition(" ")[0] for line in project.messages if "'draft/*'" in line}
    assert levels == {"INFO"}
