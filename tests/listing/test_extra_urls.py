"""What the project itself has listed: extra URLs, and entries that it changed."""

from datetime import datetime, timezone

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.decide import call_hook
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.model import Entry, Page, SitemapError
from sitemap_docs.programs.host_files import read_headers
from sitemap_docs.urls.base import Base
from tests.conftest import commit, read_dates, write

BASE = Base.of("https://example.org/docs/")
NOW = datetime(2026, 6, 1, tzinfo=timezone.utc)
OLD = "2020-01-01T00:00:00+00:00"


def extra(folder, *urls, written=frozenset()) -> ExtraUrls:
    return ExtraUrls(Options.of({"extra_urls": urls}).extra_urls, folder, BASE, None, written, NOW)


def listed(folder, *urls, **more) -> dict[str, str | None]:
    """What the option lists, as address below the base URL → lastmod."""
    found = extra(folder, *urls, **more)
    dates = read_dates(filter(None, found.files.values()), environ={})
    return {
        row.entry.loc.removeprefix(BASE.url): row.entry.lastmod and row.entry.lastmod.isoformat()
        for row in found.merge_with((), dates, read_headers(folder))
        if row.entry
    }


def test_refused(tmp_path):
    with pytest.raises(SitemapError, match=r"`extra_urls` has 'https://other\.example/'"):
        listed(tmp_path, "https://other.example/")


def test_what_lies_beside_the_base_is_reported_once(tmp_path):
    assert not list(extra(tmp_path, "https://example.org/docs/a").findings())
    urls = ["https://example.org/b", "https://example.org/docs/a", "https://example.org/c"]
    (reported,) = extra(tmp_path, *urls).findings()
    assert (reported.rule, reported.where) == ("url-out-of-scope", "https://example.org/b")
    assert reported.strict


FILES = ("a.pdf", "sub/b.PDF", "sub/c d.pdf", "page.html", ".hidden/x.pdf", ".x.pdf")
FILES += ("data.json", "robots.txt")


@pytest.fixture
def folder(tmp_path):
    """A built folder with files of all kinds, and one behind a link that leads out of it."""
    built = write(tmp_path / "built", {name: name for name in FILES})
    outside = tmp_path / "outside.pdf"
    outside.write_text("outside")
    (built / "link.pdf").symlink_to(outside)
    return built


@pytest.mark.parametrize(
    ("globs", "paths"),
    [
        pytest.param(["*.pdf"], ["a.pdf", "sub/c%20d.pdf"], id="in all folders"),
        pytest.param(["sub/*"], ["sub/b.PDF", "sub/c%20d.pdf"], id="of a folder"),
        pytest.param(["*.pdf", "!sub/*"], ["a.pdf"], id="but for some"),
        pytest.param(["*"], ["a.pdf", "data.json", "sub/b.PDF", "sub/c%20d.pdf"], id="nothing of ours"),
        pytest.param(["sub/?.PDF*", "x.pdf"], ["sub/b.PDF", "x.pdf"], id="with an address"),
    ],
)
def test_globs_of_built_files(folder, globs, paths):
    assert list(listed(folder, *globs, written=frozenset({"robots.txt"}))) == paths


def test_a_built_file_that_is_tracked_itself(folder):
    commit(folder, "a.pdf", date=OLD)
    assert listed(folder, "*.pdf") == {"a.pdf": OLD, "sub/c%20d.pdf": None}


def test_a_file_that_the_host_serves_with_noindex(folder):
    (folder / "_headers").write_text("/docs/sub/*\n  X-Robots-Tag: noindex\n")
    assert list(listed(folder, "*.pdf")) == ["a.pdf"]


def test_a_date_in_the_future_is_reported_and_not_used(tmp_path):
    urls = [{"loc": "a.pdf", "lastmod": "2027-01-01"}]
    assert listed(tmp_path, *urls) == {"a.pdf": None}
    (finding,) = extra(tmp_path, *urls).findings()
    assert finding.rule == "lastmod-future"
    assert "2027-01-01 for https://example.org/docs/a.pdf" in finding.message


PAGE = Page(path="", file="index.html")
ENTRY = Entry(loc="https://example.org/docs/a/")


def test_a_changed_entry_is_spelled_as_all_others():
    answer = ENTRY._replace(loc="b é;jsessionid=1", lastmod="2026-01-31", changefreq="daily", priority=1)
    day = datetime(2026, 1, 31, tzinfo=timezone.utc)
    expected = answer._replace(loc="https://example.org/docs/b%20%C3%A9", lastmod=day)
    assert call_hook(lambda *_: answer, PAGE, ENTRY, BASE) == expected


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param(
            True,
            "returned True for https://example.org/docs/a/. Return an entry, False or None.",
            id="no entry",
        ),
        pytest.param(ENTRY._replace(loc="https://a.org/"), "to 'https://a.org/', which is not on", id="loc"),
        pytest.param(ENTRY._replace(lastmod="soon"), "to 'soon'. It must be a date", id="lastmod"),
        pytest.param(ENTRY._replace(changefreq="often"), "must be one of always, hourly", id="changefreq"),
        pytest.param(ENTRY._replace(priority=1.5), "must be a number from 0.0 to 1.0", id="priority"),
    ],
)
def test_an_entry_that_cannot_be_listed(answer, words):
    with pytest.raises(SitemapError, match=r"entry hook .* https://example\.org/docs/a/") as refused:
        call_hook(lambda *_: answer, PAGE, ENTRY, BASE)
    assert words in str(refused.value)
