"""Mark the parsers of untrusted input, so that a test finds them and counts their steps."""

from typing import TypeVar

_Parser = TypeVar("_Parser")

READERS: list[str] = []
"""The marked functions and classes, by module and name: ``sitemap_docs.robots.parse_robots``."""


def linear(parser: _Parser) -> _Parser:
    """Mark a parser of untrusted input. A test checks that it runs in linear time."""
    READERS.append(f"{parser.__module__}.{getattr(parser, '__name__', '')}")
    return parser
