"""What robots.txt forbids a crawler to fetch (RFC 9309, 2.2): many rules for many addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import translate
from urllib.parse import quote, unquote

from sitemap_docs.config.patterns import Expression, Patterns
from sitemap_docs.robots.document import SECONDS, Line, Robots
from sitemap_docs.urls.base import split_url

_DISALLOW = {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"}  # as Google's crawlers
_TOKEN = re.compile(r"\*|[a-z_-]+")
_KEPT_ESCAPE = re.compile(r"(%(?:25|2F|2A))", re.IGNORECASE)  # %, / and * would mean something else
_INDEX = "/index.html"


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
            elif line.field in _DISALLOW:
                allows.setdefault(pattern, False)
            elif line.field == "allow":
                allows[pattern] = True
                if pattern.endswith(_INDEX):  # for Google it is the page of its folder, too
                    allows[f"{pattern.removesuffix(_INDEX)}/$"] = True
        # The longest pattern that matches decides; of two as long, the permission.
        order = sorted(allows, key=lambda pattern: (-len(pattern), not allows[pattern]))
        self._allows = [allows[pattern] for pattern in order]
        expressions = []
        for pattern in order:
            # In which only "*", and "$" at the end, are more than themselves.
            glob = text = pattern.removesuffix("$")
            if text == pattern:
                glob += "*"
            expressions.append(Expression(translate(glob), tuple(text.split("*"))))
        self._patterns = Patterns(expressions)

    def forbid(self, url: str) -> bool:
        """Whether the crawler may not fetch an absolute address."""
        if all(self._allows):
            return False
        parts = split_url(url)
        if not parts.netloc or parts.path == "/robots.txt":
            return False
        path = parts.path or "/"
        if "?" in url.partition("#")[0]:  # also where nothing follows it
            path += f"?{parts.query}"
        first = self._patterns.first([_normalised(path, safe="/%=")])
        return first is not None and not self._allows[first]


def read_rules(robots: Robots, agents: Iterable[str]) -> Mapping[str, CrawlerRules]:
    """The rules for each crawler, which is known by its product token, such as ``Googlebot``."""
    rules: dict[str, CrawlerRules] = {}
    same: dict[tuple[Line, ...], CrawlerRules] = {}
    for agent in agents:
        lines = lines_for(robots, agent)
        if lines not in same:
            same[lines] = CrawlerRules(lines)
        rules[agent] = same[lines]
    return rules


def lines_for(robots: Robots, agent: str) -> tuple[Line, ...]:
    """The lines of all groups for a crawler, or where there are none, of those for all crawlers."""
    for token in (agent.lower(), "*"):
        groups = []
        for group in robots.groups:
            tokens = [_TOKEN.match(line.value.lower()) for line in group.agents]
            if token in [match[0] for match in tokens if match]:
                groups.append(group)
        if groups:
            return tuple(line for group in groups for line in group.rules)
    return ()


def _normalised(text: str, safe: str) -> str:
    """A path or a pattern with an escape for each character that needs one, and for no other."""
    written = ""
    for number, part in enumerate(_KEPT_ESCAPE.split(text)):
        if number % 2:
            written += part.upper()
        else:
            written += quote(unquote(part), safe=safe)
    return written
