"""Globs that match nothing: reported once, with the nearest one that matches."""

from __future__ import annotations

import pytest

from sitemap_docs.cli.main import group
from sitemap_docs.config.options import Options
from sitemap_docs.config.unmatched import UnmatchedGlobs, page_globs
from sitemap_docs.model import Reason
from tests.conftest import git, runner

NAMES = ("index.html", "guide/install.html", "guide/faq.html", "drafts/a.html", "api/1.9/x.html")


def findings(*globs: str, names=NAMES, option: str = "excludes"):
    compared = UnmatchedGlobs((option, glob) for glob in globs)
    for name in names:
        compared.compare((name,))
    return list(compared.findings())


def test_globs_that_match_are_not_reported():
    assert findings("drafts/*", "!drafts/a.html", "*.html", "index.htm[l]", "index.html") == []


@pytest.mark.parametrize(
    ("glob", "meant"),
    [
        pytest.param("draft/*", "drafts/*", id="misspelled folder"),
        pytest.param("!draft/*", "!drafts/*", id="taken back in"),
        pytest.param("/drafts/*", "drafts/*", id="leading slash"),
        pytest.param("drafts", "drafts/*", id="folder"),
        pytest.param("drafts/", "drafts/*", id="folder with slash"),
        pytest.param("guide/install", "guide/install.*", id="without its ending"),
        pytest.param("guide/install.md", "guide/install.*", id="the source's ending"),
        pytest.param("guide/instal.html", "guide/install.html", id="misspelled page"),
        pytest.param("Guide/*", "guide/*", id="case"),
        pytest.param("docs/guide/*", "guide/*", id="folder of the sources"),
        pytest.param("**/drafts/*", "drafts/*", id="two stars for no folder"),
    ],
)
def test_the_nearest_glob_is_suggested(glob, meant):
    [finding] = findings(glob)
    assert (finding.rule, finding.severity) == ("unmatched-pattern", "warning")
    assert finding.message == (
        f"No page matches {glob!r} of the option `excludes` (did you mean {meant!r}?)."
    )


@pytest.mark.parametrize(
    "globs",
    [
        pytest.param(["blog/*"], id="nothing is similar"),
        pytest.param(["api/2.0/*"], id="another version"),
        pytest.param(["old/*.html", "docs/*.html", "old/index.html"], id="its end alone is much more"),
        pytest.param(["genindex.html"], id="index.html is another page"),
        pytest.param(["drafts/*", "draft/*"], id="the similar one is there, too"),
        pytest.param(["/", "//", "!", "[", "*/"], id="odd"),
    ],
)
def test_other_globs_are_no_warning(globs):
    [finding] = findings(*globs)
    assert finding.severity == "info"
    assert "did you mean" not in finding.message


def test_all_are_reported_at_once():
    wrong, other = findings("draft/*", "blog/*", "guides/*", "news/*")
    assert wrong.message == (
        "No page matches 'draft/*' of the option `excludes` (did you mean 'drafts/*'?), "
        "'guides/*' of the option `excludes` (did you mean 'guide/*'?)."
    )
    assert other.message == (
        "No page matches 'blog/*' of the option `excludes`, 'news/*' of the option `excludes`. "
        "Remove what no other build with the same options needs."
    )
    [many] = findings(*(f"x{number:02}/*" for number in range(30)))
    assert "'x09/*' of the option `excludes` and 20 other patterns. Remove" in many.message


def test_without_pages_nothing_is_reported():
    assert findings("draft/*", names=()) == []


def test_every_option_that_holds_globs_of_pages():
    options = Options.of(
        {"excludes": ["a"], "groups": {"g": ["b"]}, "changefreq": {"c": "daily"}, "priority": {"d": 0.5}}
    )
    assert list(page_globs(options)) == [
        ("excludes", "a"), ("groups", "b"), ("changefreq", "c"), ("priority", "d"),
    ]  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        file = tmp_path / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("<!doctype html><title>A page</title>")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "docs")
    git(tmp_path, "commit", "-q", "-m", "1")
    return tmp_path


def build(*arguments: str):
    return runner().invoke(group, ["build", "site", "--base-url", "https://e.org/", *arguments])


def test_the_command_fails_for_a_misspelled_pattern_only_with_strict(folder):
    flags = ("--excludes", "draft/*", "--groups", "api=apis/*", "--priority", "nowhere/*=0.3")
    done = build(*flags)
    assert done.exit_code == 0
    assert done.stderr.count("[unmatched-pattern]") == 2
    assert "'apis/*' of the option `groups` (did you mean 'api/*'?)" in done.stderr
    assert "info: No page matches 'nowhere/*' of the option `priority`." in done.stderr
    assert build(*flags, "--strict").exit_code == 1
    assert build("--excludes", "blog/*", "--strict").exit_code == 0


def test_maps_and_globs_of_sources(folder):
    done = build("--source", "docs", "--map", "guides/**=**.md", "--lastmod-excludes", "docs/indx.md")
    assert "No page matches 'guides/**' of the option `map` (did you mean 'guide/**'?)." in done.stderr
    assert (
        "No source file matches 'docs/indx.md' of the option `lastmod_excludes` "
        "(did you mean 'docs/index.md'?)." in done.stderr
    )
    assert build("--source", "docs", "--map", "guide/*=*.md", "--lastmod-excludes", "docs/*").stderr.count(
        "matches"
    ) == 0  # fmt: skip


def test_what_a_generator_adds_is_not_suggested():
    compared = UnmatchedGlobs([("excludes", "serch.html")])
    compared.compare(("search.html",), suggest=not Reason.GENERATED)
    assert [finding.severity for finding in compared.findings()] == ["info"]


def test_sphinx(sphinx_project):
    project = sphinx_project("a", "drafts/b", sitemap_excludes=["draft/*", "nowhere.html"])
    run = project.build()
    assert "WARNING: sitemap-docs: No page matches 'draft/*' of `sitemap_excludes` in conf.py" in run.warnings
    assert "(did you mean 'drafts/*'?)" in run.warnings
    assert "nowhere" not in run.warnings
    assert "No page matches 'nowhere.html' of `sitemap_excludes` in conf.py. Remove" in run.status
    strict = project.build("html", "-E", "-W", "--keep-going")
    assert (strict.code, strict.warnings) == (0, "")
    project.configure(suppress_warnings=["sitemap_docs.unmatched-pattern"])
    assert "No page matches 'draft/*'" not in project.build("html", "-E").warnings


def test_mkdocs(mkdocs_project):
    pages = {"index.md": "# Home", "drafts/a.md": "# A"}
    project = mkdocs_project(pages, options={"excludes": ["draft/*", "nowhere/*"]})
    project.build()
    levels = {line.partition(" ")[0] for line in project.messages if "No page matches" in line}
    assert {level.rstrip(":") for level in levels} == {"WARNING", "INFO"}
