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


@pytest.mark.parametrize(
    ("glob", "corrected"),
    [
        ("drafts", "drafts/*"),
        ("drafts/", "drafts/*"),
        ("/drafts/", "drafts/*"),
        ("/drafts/*", "drafts/*"),
        ("./drafts/a.html", "drafts/a.html"),
        ("/drafts/a.html", "drafts/a.html"),
        ("https://e.org/drafts/", "drafts/*"),
        ("https://e.org/drafts/a.html", "drafts/a.html"),
        ("https://other.example/drafts/", None),
        ("draft/*", None),
        ("/", None),
        ("!/drafts/", None),
    ],
)
def test_another_form_of_a_glob_that_matches_is_a_warning(folder, glob, corrected):
    """With a record, `check` shows the warning, too. A strict build of the command ends with status 1."""
    done = build("--excludes", glob, "--lastmod", "none")
    assert ("[pattern-misspelled]" in done.err) is bool(corrected)
    assert ("[unmatched-pattern]" in done.err) is not bool(corrected)
    if corrected:
        assert f"No page matches '{glob}'" in done.err
        assert f"Write '{corrected}', which matches 1 listed page." in done.err
        assert "[pattern-misspelled]" in command("check", "site", "--base-url", "https://e.org/").err
        assert build("--excludes", glob, "--lastmod", "none", "--strict").code == 1
        assert "[pattern-misspelled]" not in build("--excludes", corrected, "--lastmod", "none").err


def test_maps(folder):
    done = build("--source", "docs", "--map", "guides/**=**.md", "--map", "guide/*.html=*.txt")
    assert "'guides/**=**.md' leads to no source of a page. It looks for files such as **.md in" in done.err
    assert "'guide/*.html=*.txt' leads to no source of a page. It looks for files such as faq.txt" in done.err
    assert "[map-unused]" not in build("--source", "docs", "--map", "guide/*=index.md").err


def test_sphinx(sphinx_project):
    project = sphinx_project("a", "drafts/b", sitemap_excludes=["draft/*"])
    assert "'draft/*' of `sitemap_excludes` in conf.py" in project.build("html", "-W").status
    project.configure(sitemap_ignore=["unmatched-pattern"])
    assert "'draft/*'" not in project.build("html", "-W").status


@pytest.mark.parametrize("glob", ["drafts", "/drafts/", "src/drafts/*", "project/src/drafts/*"])
def test_sphinx_warns_about_the_form_of_a_glob(sphinx_project, glob):
    """The option is one of sphinx-sitemap, too, so it fails no build."""
    project = sphinx_project("a", "drafts/b", sitemap_excludes=[glob])
    run = project.build()
    assert f"No page matches '{glob}' of `sitemap_excludes` in conf.py" in run.warnings
    assert "Write 'drafts/*', which matches 1 listed page." in run.warnings
    assert "[pattern-misspelled]" in project.build("html", "-W", "--keep-going").status


def test_only_the_options_of_sphinx_sitemap_are_lenient_in_a_strict_build(sphinx_project):
    project = sphinx_project("a", "drafts/b", sitemap_groups={"drafts": ["/drafts/"]})
    run = project.build("html", "-W", "--keep-going", code=1)
    assert "pattern-misspelled]" in run.warnings


def test_mkdocs_warns_about_the_form_of_a_glob(mkdocs_project):
    pages = {"index.md": "# Home", "drafts/a.md": "# A"}
    project = mkdocs_project(pages, options={"excludes": ["docs/drafts/*"], "priority": {"/drafts": 0.1}})
    project.build()
    warnings = [line for line in project.messages if "[pattern-misspelled]" in line]
    assert [line.partition(" ")[0] for line in warnings] == ["WARNING", "WARNING"]
    assert "'docs/drafts/*'" in warnings[0]
    assert "'/drafts'" in warnings[1]
    assert all("Write 'drafts/*'" in line for line in warnings)


@pytest.mark.parametrize(
    "glob", ["/internal/", "/internal", "internal", "https://docs.example.org/internal/"]
)
def test_the_form_that_matches_the_most_pages_is_suggested(mkdocs_project, glob):
    """``internal/`` would match the home page of the folder alone."""
    pages = {f"{name}.md": "# A page" for name in ("index", "internal/index", "internal/a")}
    project = mkdocs_project(pages, options={"excludes": [glob]})
    project.build()
    (warning,) = [line for line in project.messages if "[pattern-misspelled]" in line]
    assert "Write 'internal/*', which matches 2 listed pages." in warning


@pytest.mark.parametrize("place", ["flag", "pyproject.toml"])
@pytest.mark.parametrize("built", ["drafts/a.html", "drafts/a/index.html"])
@pytest.mark.parametrize("glob", ["docs/drafts/*", "docs/drafts"])
def test_the_command_knows_the_folder_of_the_sources(here, place, built, glob):
    page = "<!doctype html><title>A page</title>"
    commit(write(here, {"docs/index.md": "# Home\n", "docs/drafts/a.md": "# A\n"}), "docs")
    write(here, {"site/index.html": page, f"site/{built}": page})
    if place == "flag":
        done = build("--source", "docs", "--excludes", glob)
    else:
        write(here, {"pyproject.toml": f'[tool.sitemap-docs]\nsource = "docs"\nexcludes = ["{glob}"]\n'})
        done = build()
    assert "Write 'drafts/*', which matches 1 listed page." in done.err


def test_mkdocs(mkdocs_project):
    pages = {"index.md": "# Home", "drafts/a.md": "# A"}
    project = mkdocs_project(pages, options={"excludes": ["draft/*", "nowhere/*"]})
    project.build()
    levels = {line.partition(" ")[0] for line in project.messages if "'draft/*'" in line}
    assert levels == {"INFO"}
