"""Robots directives: what a robots meta tag and an ``X-Robots-Tag`` header ask of search engines.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

BOTS = ("robots", "googlebot", "bingbot")
"""The names whose directives decide whether a page is listed; ``robots`` means every engine."""

_VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
# The date of unavailable_after has spaces, colons and, after the day of the week (RFC 850), a comma.
_TOKEN = re.compile(
    r"(unavailable_after)\s*:\s*((?:[a-z]+,)?[^,;]*)|([^\s,;:]+)(?:\s*:\s*([^\s,;]*))?", re.IGNORECASE
)


class Directive(NamedTuple):
    """One directive, in lower case, such as ``noindex``, or ``max-snippet`` with its ``value``."""

    name: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.value}" if self.value else self.name


class RobotsTag(NamedTuple):
    """What one bot is asked, in lower case."""

    bot: str
    directives: tuple[Directive, ...]

    @property
    def noindex(self) -> bool:
        """Whether it keeps a search engine from listing the page."""
        return self.bot in BOTS and any(each.name in ("noindex", "none") for each in self.directives)


def robots_meta(name: str, content: str) -> RobotsTag:
    """The directives of ``<meta name=… content=…>``."""
    return RobotsTag(name.strip().lower(), tuple(_directives(content)))


def x_robots_tag(value: str) -> tuple[RobotsTag, ...]:
    """The directives of ``X-Robots-Tag`` headers, one a line, by the bot that stands before them."""
    found: dict[str, list[Directive]] = {}
    for line in value.splitlines():
        bot = "robots"
        for directive in _directives(line):
            if directive.value and directive.name not in _VALUED:
                bot, directive = directive.name, Directive(directive.value)  # noqa: PLW2901
            found.setdefault(bot, []).append(directive)
    return tuple(RobotsTag(bot, tuple(directives)) for bot, directives in found.items())


def _directives(text: str) -> Iterator[Directive]:
    for match in _TOKEN.finditer(text.lower()):
        dated, date, name, value = match.groups()
        yield Directive(dated or name, (date or value or "").strip())
