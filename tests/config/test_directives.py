"""The grammar of the robots meta tag and of X-Robots-Tag."""

import pytest

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


@pytest.mark.parametrize(("value", "noindex"), HEADERS.items())
def test_noindex_in_a_header(value: str, noindex: bool) -> None:
    assert any(tag.noindex for tag in x_robots_tag(value)) is noindex
