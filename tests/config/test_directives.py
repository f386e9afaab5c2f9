"""The grammar of the robots meta tag and of X-Robots-Tag."""

import pytest

from sitemap_docs.config.dates import read_robots_date
from sitemap_docs.config.directives import Directive
from sitemap_docs.html.head import RobotsTag, parse_head, x_robots_tag

DIRECTIVES = {
    "noindex,nofollow": [("noindex",), ("nofollow",)],
    "NOINDEX nofollow": [("noindex",), ("nofollow",)],
    " , all , ": [("all",)],
    "max-image-preview:none, max-snippet : -1": [("max-image-preview", "none"), ("max-snippet", "-1")],
    "unavailable_after: 25 Jun 2010 15:00:00 PST, none": [
        ("unavailable_after", "25 jun 2010 15:00:00 pst"),
        ("none",),
    ],
    "": [],
}


@pytest.mark.parametrize(("content", "expected"), DIRECTIVES.items())
def test_grammar(content: str, expected: list[tuple[str, ...]]) -> None:
    directives = tuple(Directive(*each) for each in expected)
    head = parse_head(f'<meta name=" Robots " content="{content}">'.encode())
    assert head.robots == (RobotsTag("robots", directives),)
    assert x_robots_tag(content) == ((RobotsTag("robots", directives),) if directives else ())


HEADERS = {
    "noindex": True,
    "googlebot: noindex, nofollow": True,
    "otherbot: noindex, nofollow": False,
    "otherbot: noindex, googlebot: none": True,
    "otherbot: noindex\nnoindex": True,
    "otherbot: nofollow\nunavailable_after: 25 Jun 2010 15:00:00 PST": False,
    "googlebot: max-snippet: 0, noindex": True,
    "noindexing": False,
    "unavailable_after: none": False,
    "": False,
}


DATES = {
    "unavailable_after: 25 Jun 2010 15:00:00 PST": ["2010-06-25T23:00:00+00:00"],
    "unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow": ["2010-06-25T15:00:00+00:00"],
    "nofollow, unavailable_after: Friday, 25-Jun-10 15:00:00 UTC": ["2010-06-25T15:00:00+00:00"],
    "Unavailable_After : 2010-06-25T15:00:00+02:00": ["2010-06-25T13:00:00+00:00"],
    "googlebot: unavailable_after: 2010-06-25, noindex": ["2010-06-25T00:00:00+00:00"],
    "otherbot: noindex, googlebot: unavailable_after: 2010-06-25": ["2010-06-25T00:00:00+00:00"],
    "robots: unavailable_after: 2010-06-25": ["2010-06-25T00:00:00+00:00"],
    "otherbot: unavailable_after: 2010-06-25": [],
    "bingbot: unavailable_after: 2010-06-25": [],
    "googlebot-news: unavailable_after: 2010-06-25": [],
    "unavailable_after: the end of the project": [],
    "max-snippet: 20": [],
}


@pytest.mark.parametrize(("value", "expected"), DATES.items())
def test_date_in_a_header(value: str, expected: list[str]) -> None:
    dates = [read_robots_date(tag.unavailable_after) for tag in x_robots_tag(value)]
    assert [date.first.isoformat() for date in dates if date] == expected


def test_crawler_before_a_directive_with_a_value():
    tags = x_robots_tag("googlebot: max-snippet: 0, noindex")
    assert tags == (RobotsTag("googlebot", (Directive("max-snippet", "0"), Directive("noindex"))),)


@pytest.mark.parametrize(("value", "noindex"), HEADERS.items())
def test_noindex_in_a_header(value: str, noindex: bool) -> None:
    assert any(tag.noindex for tag in x_robots_tag(value)) is noindex
