"""``explain``: one page, and where all that is said of it comes from."""

import shutil
from pathlib import Path

import pytest

from tests.audit.cases import change, lay
from tests.conftest import command, commit, git, write

DATE = "2026-03-14T15:09:26+00:00"


@pytest.fixture
def project(tmp_path, monkeypatch) -> Path:
    """A repository with sources and the site that was built of them."""
    monkeypatch.chdir(tmp_path)
    lay(tmp_path / "site", "disallow-hides-noindex/good")
    (tmp_path / "docs").mkdir()
    for name, date in (("index", "2026-01-31T10:20:30+00:00"), ("guide", DATE), ("secret", DATE)):
        (tmp_path / "docs" / f"{name}.md").write_text(f"# {name}")
        commit(tmp_path, "docs", date=date, message=f"Write the {name}")
    return tmp_path


def explain(page: str, *more: str):
    return command("explain", "site", page, "--source", "docs", *more)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("https://docs.example.org/guide/", id="address"),
        pytest.param("https://docs.example.org/guide/#install", id="address with a fragment"),
        pytest.param("site/guide/index.html", id="file"),
        pytest.param("/guide/", id="path from the root"),
        pytest.param("docs/guide.md", id="source"),
    ],
)
def test_every_name_of_a_page_finds_it(project, page):
    assert explain(page, "--json").data["file"] == "guide/index.html"


def test_listed_page_says_what_dates_it_in_a_dozen_lines(project):
    said = explain("guide/").out
    assert said.splitlines()[0] == "page:      https://docs.example.org/guide/"
    assert "base URL:  https://docs.example.org/ (the canonical link of" in said
    assert "decision:  listed" in said
    assert "sitemap:   sitemap.xml, line 5" in said
    assert f"lastmod:   {DATE}" in said
    assert f"by A Writer, {DATE}" in said
    assert "Write the guide" in said
    assert "it changed docs/guide.md" in said
    assert len(said.splitlines()) <= 12


def test_of_a_page_that_is_left_out_a_missing_commit_or_source_is_nothing_to_report(project):
    write(project, {"site/draft.html": '<meta name="robots" content="noindex">', "docs/new.md": "# New"})
    write(project, {"site/new/index.html": '<meta name="robots" content="noindex">'})
    for page in ("draft.html", "new/"):
        said = explain(page).out
        assert "decision:  left out: noindex" in said
        assert "not listed by any" in said
        assert not any(word in said for word in ("commit", "source", "untracked"))


def test_a_page_that_the_sitemap_lists_is_listed_whatever_a_build_would_do(project):
    """As the report says, too."""
    said = explain("guide/", "--excludes", "gui*").out
    why = "a build of this folder would leave it out: excluded (gui*)"
    assert f"decision:  listed ({why})" in said
    done = command("report", "site", "--source", "docs", "--excludes", "gui*", "--json")
    pages = {page["loc"]: page for page in done.data["pages"]}
    page = pages["https://docs.example.org/guide/"]
    assert (page["status"], page["detail"]) == ("listed", why)


def test_every_rule_that_it_trips_is_reported_and_those_that_read_whole_pages_when_selected(project):
    change(project / "site", "lastmod-format/bad", "canonical-outside-head/bad")
    for flags, more in (((), set()), (("--select", "all"), {"canonical-outside-head"})):
        findings = explain("guide/", "--json", *flags).data["findings"]
        assert {finding["rule"] for finding in findings} == {"lastmod-format"} | more


def test_a_page_with_a_colon_in_its_name_is_a_file(project):
    shutil.copy("site/guide/index.html", "site/a:b.html")
    assert explain("a:b.html", "--json").data["file"] == "a:b.html"


def test_unknown_page_gets_a_hint(project):
    done = explain("guid")
    assert done.code == 2
    assert "Did you mean guide/index.html?" in done.err


@pytest.mark.parametrize(("page", "recorded"), [("docs/guide.md", True), ("guide.md", False)])
def test_a_source_is_found_from_another_folder(project, monkeypatch, page, recorded):
    if recorded:
        command("build", "site", "--source", "docs")
    (project / "web").mkdir()
    monkeypatch.chdir(project / "web")
    flags = ["explain", "../site", page, "--source", "../docs"]
    said = command(*flags, "--json").data
    assert (said["file"], said["record"]) == ("guide/index.html", recorded)
    text = command(*flags).out
    assert "file:      guide/index.html, made of ../docs/guide.md" in text


def test_no_commit_dates_a_page_that_dates_itself(project):
    write(project, {"docs/guide.md": "---\nsitemap: {lastmod: 2024-05-06}\n---\n# Guide"})
    commit(project, "docs")
    said = explain("guide/", "--json").data
    assert (said["dated"], said["undated_cause"]) == (
        None,
        "the date is set by the page, or by a hook, whose dates `page_dates` does not show",
    )


def test_why_no_commit_dates_a_page(tmp_path, monkeypatch):
    """Untracked, without a source, outside of git, ignored, and in the future."""
    monkeypatch.chdir(tmp_path)
    for name in ("ignored", "untracked", "generated"):
        write(tmp_path, {f"site/{name}/index.html": f"<!doctype html><title>{name}</title>"})
    write(tmp_path, {"docs/ignored.md": "x"})
    commit(tmp_path, "docs")
    ignored = {".git-blame-ignore-revs": git(tmp_path, "rev-parse", "HEAD")}
    write(tmp_path, {**ignored, "docs/untracked.md": "x"})

    def cause(page: str) -> str:
        return explain(page, "--base-url", "https://e.example.net/", "--json").data["undated_cause"]

    assert cause("ignored/").endswith(" are in .git-blame-ignore-revs, the list of commits to ignore")
    assert cause("untracked/") == "docs/untracked.md is untracked"
    assert cause("generated/").startswith("no source file is known")


def test_a_page_of_a_folder_without_a_sitemap_is_not_listed(project):
    (project / "site/sitemap.xml").unlink()
    said = explain("guide/").out
    assert "decision:  left out: no sitemap (a build of this folder would list the page)\n" in said
    assert explain("guide/", "--json").data["listed"] is False


EMPTY = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'


@pytest.mark.parametrize("text", ["", EMPTY])
def test_no_page_is_listed_by_an_empty_or_a_damaged_sitemap(project, text):
    write(project, {"site/sitemap.xml": text})
    assert "decision:  left out: not in the sitemap" in explain("guide/").out


@pytest.mark.parametrize(("host", "decision"), [("cdn", "listed"), ("docs", "left out: not in the sitemap")])
def test_a_sitemap_that_is_not_here_may_list_the_page(project, host, decision):
    child = f"<sitemap><loc>https://{host}.example.org/sitemap-1.xml</loc></sitemap>"
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{child}</sitemapindex>'
    write(project, {"site/sitemap.xml": index, "site/sitemap-1.xml": EMPTY})
    assert f"decision:  {decision}" in explain("guide/").out


def test_a_sitemap_elsewhere_in_robots_may_list_the_page(project):
    robots = "User-agent: *\nDisallow: /secret\nSitemap: https://cdn.example.org/sitemap.xml\n"
    write(project, {"site/sitemap.xml": EMPTY, "site/robots.txt": robots})
    assert "decision:  listed" in explain("guide/").out
