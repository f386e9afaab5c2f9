"""``_headers``: the pages that Netlify and Cloudflare Pages serve with a noindex header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.urls import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

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
        whole, path = unquote(loc), unquote(split_url(loc).path)
        for pattern, pieces in self._split:
            if _matches(pieces, whole if "://" in pattern else path):
                return pattern
        return ""

    @cached_property
    def _split(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return tuple(
            (pattern, tuple(filter(None, _HOLE.split(unquote(pattern))))) for pattern in self.patterns
        )


def read_headers(output: Path) -> Headers:
    """What the ``_headers`` file of an output folder says; empty without one."""
    try:
        text = files.read_file(output / FILE).decode("utf-8", "replace")
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


def _matches(pieces: Iterable[str], text: str) -> bool:
    """Whether a pattern matches a whole text: in time that grows as both, whatever they hold."""
    ends = {0}
    for piece in pieces:
        if piece == "*":
            ends = set(range(min(ends), len(text) + 1))
        elif _HOLE.fullmatch(piece):
            ends = _after_hole(ends, text)
        else:
            ends = {end + len(piece) for end in ends if text.startswith(piece, end)}
        if not ends:
            return False
    return len(text) in ends


def _after_hole(starts: set[int], text: str) -> set[int]:
    ends: set[int] = set()
    for place, character in enumerate(text):
        if character not in "/." and (place in starts or place in ends):
            ends.add(place + 1)
    return ends
