"""``_headers``: the pages that Netlify and Cloudflare Pages serve with a noindex header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from sitemap_docs import regular

if TYPE_CHECKING:
    from pathlib import Path
    from re import Pattern

FILE = "_headers"
_AGENT = re.compile(r"\s*(?!max-|unavailable_after)([\w-]+)\s*:", re.IGNORECASE)
_HOLE = re.compile(r"(\*|:[A-Za-z]\w*)")


@dataclass(frozen=True)
class Headers:
    """The path patterns of a site whose pages are served with ``X-Robots-Tag: noindex``.

    ``*`` matches any characters and ``:name`` all but slashes and dots
    (https://developers.cloudflare.com/pages/configuration/headers/, https://docs.netlify.com/manage/routing/headers/).
    """

    patterns: tuple[str, ...] = ()

    def noindex(self, loc: str) -> str:
        """The pattern that keeps an absolute URL out of the index; ``""`` when none does."""
        if not self.patterns:
            return ""
        whole, path = unquote(loc), unquote(urlsplit(loc).path)
        for pattern, expression in self._compiled:
            if expression.fullmatch(whole if "://" in pattern else path):
                return pattern
        return ""

    @cached_property
    def _compiled(self) -> tuple[tuple[str, Pattern[str]], ...]:
        return tuple((pattern, _expression(pattern)) for pattern in self.patterns)


def read_headers(output: Path) -> Headers:
    """What the ``_headers`` file of an output folder says; empty without one."""
    try:
        text = regular.read(output / FILE).decode("utf-8", "replace")
    except OSError:
        return Headers()
    patterns = []
    pattern = ""
    for line in text.splitlines():
        if line[:1].isspace():
            if pattern and _forbids(line) and pattern not in patterns:
                patterns.append(pattern)
        elif line and not line.startswith("#"):
            pattern = line.strip()
    return Headers(tuple(patterns))


def _forbids(line: str) -> bool:
    name, _, value = line.partition(":")
    if name.strip().lower() != "x-robots-tag":
        return False
    agent = _AGENT.match(value)
    if agent and agent[1].lower() not in ("googlebot", "bingbot"):
        return False
    said = value[agent.end() :] if agent else value
    return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,]+", said.lower()))


def _expression(pattern: str) -> Pattern[str]:
    pieces = (_piece(piece) for piece in _HOLE.split(unquote(pattern)))
    return re.compile("".join(pieces), re.DOTALL)


def _piece(piece: str) -> str:
    if piece == "*":
        return ".*"
    return "[^/.]+" if _HOLE.fullmatch(piece) else re.escape(piece)
