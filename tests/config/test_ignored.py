"""The option ``ignore``: in each door, by name and by place, with the record and without it."""

from pathlib import Path

import pytest

from sitemap_docs import api
from sitemap_docs.config.option_types import IGNORE
from tests.conftest import BASE, command, git, urlset, write

PAGE = "<!doctype html><title>{}</title><link rel=canonical href=http://docs.example.org/{}>"
FUTURE = "---\nsitemap: {lastmod: 2999-01-01}\n---\n# A"
EXCUSED = "---\nsitemap: {lastmod: 2999-01-01, ignore: [lastmod-future]}\n---\n# B"


@pytest.mark.parametrize(
    ("value", "read"),
    [
        pytest.param("a", {"a": ()}, id="a name"),
        pytest.param(["a", "b=x/*", "b=y"], {"a": (), "b": ("x/*", "y")}, id="names and globs"),
        pytest.param(["a=x", "a"], {"a": ()}, id="the whole site wins"),
        pytest.param({"a": None, "c": ["x", "!y"]}, {"a": (), "c": ("x", "!y")}, id="map"),
    ],
)
def test_values(value, read):
    assert {name: places.patterns for name, places in IGNORE.parse(value)} == read


@pytest.fixture
def folder(here) -> Path:
    """A built folder with two pages whose canonical links have another scheme."""
    pages = {f"site/{name}.html": PAGE.format(name, f"{name}.html") for name in ("a", "b")}
    write(here, pages)
    return here / "site"


@pytest.mark.parametrize(
    ("ignored", "named"),
    [
        pytest.param([], "2 pages", id="nothing"),
        pytest.param(["--ignore", "canonical-spelling"], None, id="the site"),
        pytest.param(["--ignore", "canonical-spelling=a.html"], "1 page ", id="a page by its address"),
        pytest.param(["--ignore", "canonical-spelling=*.html"], None, id="all pages"),
        pytest.param(["--ignore", "canonical-*"], None, id="a glob of names"),
    ],
)
def test_what_is_ignored_is_not_counted(folder, ignored, named):
    printed = command("build", "site", "--base-url", BASE, *ignored).err
    assert ("[canonical-spelling]" in printed) is (named is not None)
    assert named is None or f"The canonical link of {named}" in printed


def test_a_check_ignores_what_the_record_of_the_build_says(folder):
    command("build", "site", "--base-url", BASE, "--ignore", "canonical-scheme-host=b.html")
    record = command("check", "site", "--json").data["findings"]
    assert {each["file"] for each in record if each["rule"] == "canonical-scheme-host"} == {"a.html"}
    assert "canonical-scheme-host" not in command("check", "site", "--ignore", "canonical-scheme-host").out
    found = api.check(folder, base_url=BASE, ignore=["canonical-scheme-host=a.html"])
    assert [each.file for each in found if each.rule == "canonical-scheme-host"] == []  # one by the record


@pytest.mark.parametrize("name", ["redirect-source-listed", "meta-refresh-listed", "pages"])
def test_names_of_a_rule_at_a_place(folder, name):
    """Its own, one that it had, and that of its group."""
    refresh = "<!doctype html><title>A</title><meta http-equiv=refresh content='0; url=b.html'>"
    write(folder, {"a.html": refresh, "sitemap.xml": urlset(f"{BASE}a.html")})
    for place, found in (("a.html", False), ("b.html", True)):
        printed = command("check", "site", "--base-url", BASE, "--ignore", f"{name}={place}").out
        assert ("redirect-source-listed" in printed) is found


@pytest.mark.parametrize(
    ("ignored", "flags", "named"),
    [
        pytest.param("title-missing=b.html", ["-v"], True, id="nothing was found"),
        pytest.param("title-missing=b.html", [], False, id="without -v"),
        pytest.param("title-missing=a.html", ["-v"], False, id="something is found"),
        pytest.param("title-missing=b.html", ["-v", "--select", "robots"], False, id="the rule did not run"),
        pytest.param("canonical-spelling=b.html", ["-v"], False, id="a rule of builds"),
        pytest.param("lastmod-future=b.html", ["-v"], False, id="no date is read"),
    ],
)
def test_what_is_ignored_in_vain(ignored, flags, named, folder):
    write(folder, {"a.html": "<!doctype html><p>A page without a title"})
    command("build", "site", "--base-url", BASE, "--ignore", ignored)
    line = f"no {ignored.replace('=', ' was found at ')}"
    assert (line in command("check", "site", *flags).err) is named


def test_names_that_are_no_rules_of_a_build(folder):
    """One that is misspelled, and one of the audit, which it does not switch on."""
    ignored = ("--ignore", "canonical-speling", "--ignore", "title-missing")
    done = command("build", "site", "--base-url", BASE, *ignored)
    assert (done.code, "canonical-scheme-host" in done.err) == (0, False)
    assert "Did you mean `canonical-spelling`? Correct or remove the name. [unknown-rule]" in done.err


def test_what_would_lose_something_is_reported_all_the_same(folder):
    done = command("build", "site", "--base-url", BASE, "--excludes", "*", "--ignore", "empty-sitemap")
    assert (done.code, "[empty-sitemap]" in done.err) == (1, True)
    assert "empty-sitemap cannot be ignored" in done.err


def test_a_page_of_mkdocs(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": FUTURE, "b.md": EXCUSED})
    project.commit("2024-01-01T00:00:00+00:00")
    [line] = [text for text in project.build() if "in the future" in text]
    assert ": 1 page with a date in the future" in line
    assert line.endswith("[lastmod-future]")
    project.configure(options={"ignore": {"lastmod-future": "a.md"}})
    assert [text for text in project.build() if "in the future" in text] == []


def test_a_page_ignores_a_rule_of_the_audit_with_the_record_and_without(here):
    source = "---\nsitemap: {ignore: [title-missing]}\n---\n"
    page = "<!doctype html><p>A page without a title"
    write(here, {"docs/a.md": source, "docs/b.md": "# B", "site/a.html": page, "site/b.html": page})
    git(here, "init", "-q")
    arguments = ("site", "--base-url", BASE, "--source", "docs")
    command("build", *arguments, "--cache-dir", "cache")
    for cache in ("cache", "none"):
        data = command("check", *arguments, "--cache-dir", cache, "--json").data
        assert data["record"] is (cache == "cache")
        assert {each["file"] for each in data["findings"] if each["rule"] == "title-missing"} == {"b.html"}
    write(here, {"site/a.html": page.replace("<p>", "<title>A</title><p>")})
    printed = command("check", *arguments, "--cache-dir", "cache", "-v").err
    assert f"no title-missing was found at {BASE}a.html" in printed
