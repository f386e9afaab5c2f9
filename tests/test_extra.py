"""What the project itself has listed: extra URLs, and entries that it changed."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from sitemap_docs.extra import changed, extra_locs, extra_sitemaps, out_of_scope
from sitemap_docs.model import Entry, SitemapError
from sitemap_docs.urls import Base

BASE = Base.of("https://example.org/docs/")


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        pytest.param("a/b.pdf", "docs/a/b.pdf", id="below the base"),
        pytest.param("/a/b.pdf", "docs/a/b.pdf", id="a slash in front means the same"),
        pytest.param("https://example.org/docs/é b.pdf", "docs/%C3%A9%20b.pdf", id="encoded once"),
        pytest.param("%C3%A9%20b.pdf", "docs/%C3%A9%20b.pdf", id="not twice"),
        pytest.param("it's & a+b", "docs/it%27s%20%26%20a%2Bb", id="as pages are spelled"),
        pytest.param("a%2Fb", "docs/a%2Fb", id="a slash that is none"),
        pytest.param("HTTPS://Example.ORG:443/docs/%7eme", "docs/~me", id="one spelling"),
        pytest.param("a?v=1&w=é", "docs/a?v=1&w=%C3%A9", id="a query"),
        pytest.param("a;jsessionid=9", "docs/a", id="a session in the path"),
        pytest.param("a?PHPSESSID=9", "docs/a", id="in the query"),
        pytest.param("a?v=1&sid=9#top", "docs/a?v=1", id="and a fragment"),
        pytest.param("../other", "other", id="beside the base"),
    ],
)
def test_locs_of_extra_urls(url, loc):
    assert extra_locs([url, url], BASE) == [f"https://example.org/{loc}"]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        pytest.param(
            "https://other.example/", "not on the sitemap's own host, https://example.org", id="host"
        ),
        pytest.param("http://example.org/docs/", "own host", id="scheme"),
        pytest.param("https://example.org:8080/docs/", "own host", id="port"),
        pytest.param("mailto:me@example.org", "must start with https://", id="no address"),
        pytest.param("a\\b", "backslashes", id="backslash"),
        pytest.param("a" * 2_024, "longer than 2047 characters", id="length"),
    ],
)
def test_refused(url, words):
    with pytest.raises(SitemapError, match="The option `extra_urls` has") as refused:
        extra_locs([url], BASE)
    assert words in str(refused.value)


def test_the_longest_loc():
    (loc,) = extra_locs(["a" * (2_047 - len(BASE.url))], BASE)
    assert len(loc) == 2_047


def test_what_lies_beside_the_base_is_told_once():
    assert not list(out_of_scope(["https://example.org/docs/a"], BASE))
    (told,) = out_of_scope(
        ["https://example.org/b", "https://example.org/docs/a", "https://example.org/c"], BASE
    )
    assert (told.rule, told.where) == ("url-out-of-scope", "https://example.org/b")
    assert "has 2 that do not lie below https://example.org/docs/" in told.message
    assert "if https://example.org/robots.txt names the sitemap" in told.message


def test_extra_sitemaps_are_absolute():
    urls = ["more.xml", "/more.xml", "https://other.example/a b.xml?x=1"]
    more = "https://example.org/docs/more.xml"
    assert list(extra_sitemaps(urls, BASE)) == [more, more, "https://other.example/a%20b.xml?x=1"]


@pytest.mark.parametrize("url", ["ftp://example.org/a.xml", "http://[a/"])
def test_extra_sitemaps_that_are_none(url):
    with pytest.raises(SitemapError, match="The option `extra_sitemaps` has"):
        list(extra_sitemaps([url], BASE))


ENTRY = Entry(loc="https://example.org/docs/a/")


def test_an_entry_that_is_left_as_it_is():
    assert changed(ENTRY, ENTRY, BASE) is ENTRY


def test_a_changed_entry_is_spelled_as_all_others():
    answer = ENTRY._replace(loc="b é;jsessionid=1", lastmod="2026-01-31", changefreq="daily", priority=1)
    assert changed(answer, ENTRY, BASE) == Entry(
        loc="https://example.org/docs/b%20%C3%A9",
        lastmod=datetime(2026, 1, 31, tzinfo=timezone.utc),
        changefreq="daily",
        priority=1.0,
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        pytest.param(True, "returned True: return an entry, False or None.", id="no entry"),
        pytest.param(
            ENTRY._replace(loc="https://other.example/"),
            "returned the loc 'https://other.example/': it is not on the sitemap's own host",
            id="loc",
        ),
        pytest.param(ENTRY._replace(lastmod="soon"), "a lastmod of 'soon': it must be a date", id="lastmod"),
        pytest.param(ENTRY._replace(changefreq="often"), "must be one of always, hourly", id="changefreq"),
        pytest.param(ENTRY._replace(priority=1.5), "must be a number from 0.0 to 1.0", id="priority"),
    ],
)
def test_an_entry_that_cannot_be_listed(answer, words):
    with pytest.raises(SitemapError, match=r"for https://example\.org/docs/a/, returned") as refused:
        changed(answer, ENTRY, BASE)
    assert words in str(refused.value)
