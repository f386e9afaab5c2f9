"""What the robots.txt of a host forbids its crawlers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from urllib.parse import quote, unquote

from sitemap_docs.config.patterns import Expression, Patterns
from sitemap_docs.robots import CRAWLERS, PRESETS, SECONDS, Line, Robots
from sitemap_docs.urls.base import split_url

_LENIENT = {"Googlebot", "sitemap-docs"}  # and ours, which asks for nothing that Google may not
_TOKEN = re.compile(r"\*(?=\s|$)|[a-z_-]+")
_KEPT_ESCAPE = re.compile(r"(%(?:25|2F|2A))", re.IGNORECASE)  # %, / and * would mean something else


class CrawlerRules:
    """The rules of robots.txt for one crawler; ``delay`` is its ``Crawl-delay`` in seconds, or 0."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.delay = 0.0
        allows: dict[str, bool] = {}
        for line in lines:
            if not line.value:
                continue
            pattern = _normalised(line.value.removesuffix("$"), safe="/%=*")
            if line.value.endswith("$"):
                pattern += "$"
            if line.field == "crawl-delay" and SECONDS.fullmatch(line.value):
                self.delay = float(line.value)
            elif line.field == "disallow":
                allows.setdefault(pattern, False)
            elif line.field == "allow":
                allows[pattern] = True
                folder, slash, name = pattern.rpartition("/")
                if slash and name.startswith("index.htm"):  # for Google it is the page of its folder, too
                    allows[f"{folder}/$"] = True
        # The longest pattern that matches decides; of two as long, the permission.
        order = sorted(allows, key=lambda pattern: (-len(pattern), not allows[pattern]))
        self._allows = []
        expressions = []
        for pattern in order:
            self._allows.append(allows[pattern])
            # In which only "*", and "$" at the end, are more than themselves.
            glob = text = pattern.removesuffix("$")
            if text == pattern:
                glob += "*"
            expressions.append(Expression(translate(glob), tuple(text.split("*"))))
        self._patterns = Patterns(expressions)

    def forbids(self, url: str) -> bool:
        """Whether the crawler may not fetch an absolute address."""
        if all(self._allows):
            return False
        parts = split_url(url)
        if not parts.netloc or parts.path == "/robots.txt":
            return False
        path = parts.path or "/"
        if "?" in url.partition("#")[0]:  # also where nothing follows it
            path += f"?{parts.query}"
        for first in self._patterns.all([_normalised(path, safe="/%=")]):
            return not self._allows[first]
        return False


def shut_out(robots: Robots, url: str) -> list[str]:
    """The bots of the preset ``@search`` that may fetch neither the home page ``url`` nor a page below it."""
    bots = []
    for bot in PRESETS["@search"]:
        rules = CrawlerRules(lines_for(robots, bot))
        if rules.forbids(url) and rules.forbids(f"{url}any-page"):
            bots.append(bot)
    return bots


class SearchRules:
    """What robots.txt forbids the crawlers of search engines."""

    def __init__(self, robots: Robots) -> None:
        self._rules = {crawler: CrawlerRules(lines_for(robots, crawler)) for crawler in CRAWLERS}

    def crawlers_forbidden(self, url: str) -> tuple[str, ...]:
        """The crawlers that may not fetch an absolute address."""
        return tuple(crawler for crawler, rules in self._rules.items() if rules.forbids(url))


def lines_for(robots: Robots, agent: str) -> tuple[Line, ...]:
    """The lines of all groups for a crawler, or where there are none, of those for all crawlers.

    It is known by its product token, such as ``Googlebot``.
    """
    by_agent: dict[str, list[Line]] = {}
    if agent not in _LENIENT:  # no crawler but Google's reads otherwise than RFC 9309 has it
        robots = Robots(tuple(line for line in robots.lines if not line.misspelled))
    for group in robots.groups:
        tokens = set()
        for line in group.agents:
            match = _TOKEN.match(line.value.lower())
            if match:
                tokens.add(match[0])
        for token in tokens:
            by_agent.setdefault(token, []).extend(group.rules)
    return tuple(by_agent.get(agent.lower(), by_agent.get("*", ())))


def _normalised(text: str, safe: str) -> str:
    """A path or a pattern with an escape for each character that needs one, and for no other."""
    written = ""
    for number, part in enumerate(_KEPT_ESCAPE.split(text)):
        if number % 2:
            written += part.upper()
        else:
            written += quote(unquote(part), safe=safe)
    return written
