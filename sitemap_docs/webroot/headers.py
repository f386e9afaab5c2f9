"""``_headers``: the pages that Netlify and Cloudflare Pages serve with a noindex header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.config.patterns import PatternIndex
from sitemap_docs.html.directives import x_robots_tag
from sitemap_docs.urls.base import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FILE = "_headers"
BEGIN = "# Written by sitemap-docs from here"
END = "# to here; other lines are yours and are kept."
_EOL = re.compile(rb"(?:\r\n|\r|\n)\Z")
_HOLE = re.compile(r"(\*|:[A-Za-z]\w*)")
_LONGEST = 2_000  # characters of a line that Cloudflare reads


class HeaderRule(NamedTuple):
    """A line for ``X-Robots-Tag`` below a path pattern: it forbids indexing, or detaches earlier lines."""

    pattern: str
    noindex: bool = False
    detaches: bool = False


@dataclass(frozen=True)
class Headers:
    """The rules of a site for the header ``X-Robots-Tag``; a page has the headers of all rules that match it.

    ``*`` matches any characters and ``:name`` all but slashes, and in a host but dots. ``! X-Robots-Tag``
    detaches what earlier rules attach
    (https://developers.cloudflare.com/pages/configuration/headers/, https://docs.netlify.com/manage/routing/headers/).
    """

    rules: tuple[HeaderRule, ...] = ()

    def noindex(self, loc: str) -> str:
        """The pattern that keeps an absolute URL out of the index; ``""`` when none does."""
        if not self.rules:
            return ""
        whole, path = unquote(loc), unquote(split_url(loc).path)
        found = ""
        for number in self._index.candidates(whole):
            rule = self.rules[number]
            if _matches(self._pieces[number], whole if "://" in rule.pattern else path):
                found = "" if rule.detaches else found
                found = found or rule.pattern * rule.noindex
        return found

    @cached_property
    def _pieces(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        return tuple(tuple(_pieces(rule.pattern)) for rule in self.rules)

    @cached_property
    def _index(self) -> PatternIndex:
        return PatternIndex([[text for text, barred in each if not barred] for each in self._pieces])


def read_headers(output: Path, *, ours: bool = True) -> Headers:
    """What the ``_headers`` file of an output folder says of ``X-Robots-Tag``; empty without one.

    Without ``ours``, the lines that sitemap-docs wrote do not count.
    """
    try:
        data = files.read_inside(output, FILE)
    except OSError:
        return Headers()
    return parse_headers(data if ours else without_block(data))


def parse_headers(data: bytes) -> Headers:
    """What the content of a ``_headers`` file says of ``X-Robots-Tag``."""
    lines = data.decode("utf-8", "replace").splitlines()
    return Headers(tuple(_rules(line for line in lines if len(line) <= _LONGEST)))


def merge_headers(existing: bytes, rules: Iterable[tuple[str, str]]) -> bytes:
    """``existing`` with a block of ``rules``, path patterns and header lines, in place of an earlier one.

    The lines of the user are kept byte for byte.
    """
    yours = without_block(existing)
    eol = b"\r\n" if b"\r\n" in yours else b"\n"
    lines = [line for pattern, header in rules for line in (pattern, f"  {header}")]
    if not lines:
        return yours
    block = eol.join(line.encode() for line in (BEGIN, *lines, END))
    if not yours or yours.endswith((b"\n", b"\r")):
        return yours + block + eol
    return yours + eol + block


def without_block(data: bytes) -> bytes:
    """The content of a ``_headers`` file without the block that :func:`merge_headers` wrote."""
    kept: list[bytes] = []
    starts: list[int] = []
    for line in data.splitlines(keepends=True):
        mark = line.strip().decode(errors="replace")
        if mark == END and starts:
            del kept[starts.pop() :]
            if kept and not line.endswith((b"\n", b"\r")):  # the user's last line had no end, either
                kept[-1] = _EOL.sub(b"", kept[-1])
            continue
        if mark == BEGIN:
            starts.append(len(kept))
        kept.append(line)
    return b"".join(kept)


def _rules(lines: Iterable[str]) -> Iterator[HeaderRule]:
    pattern = ""
    for line in lines:
        if not line[:1].isspace():
            pattern = pattern if not line or line.startswith("#") else line.strip()
            continue
        name, _, value = line.partition(":")
        words = name.lower().split()
        detaches = words == ["!", "x-robots-tag"]
        if pattern and (detaches or (words == ["x-robots-tag"] and _forbids(value))):
            yield HeaderRule(pattern, noindex=not detaches, detaches=detaches)


def _forbids(value: str) -> bool:
    return any(tag.noindex for tag in x_robots_tag(value))


def _pieces(pattern: str) -> Iterator[tuple[str, str]]:
    """The texts of a pattern, and its wildcards as ``*`` or with the characters that they do not match."""
    host = len("https://") + pattern.partition("://")[2].find("/") if "://" in pattern else 0
    place = 0
    for text in _HOLE.split(pattern):
        if text == "*" or _HOLE.fullmatch(text):
            yield text, "*" if text == "*" else "/." if place < host else "/"
        elif text:
            yield unquote(text), ""  # an escaped asterisk is none
        place += len(text)


def _matches(pieces: Iterable[tuple[str, str]], text: str) -> bool:
    """Whether a pattern matches a whole text: in time that grows as both, whatever they hold."""
    ends = {0}
    for piece, barred in pieces:
        if barred == "*":
            ends = set(range(min(ends), len(text) + 1))
        elif barred:
            ends = _after_hole(ends, text, barred)
        else:
            ends = {end + len(piece) for end in ends if text.startswith(piece, end)}
        if not ends:
            return False
    return len(text) in ends


def _after_hole(starts: set[int], text: str, barred: str) -> set[int]:
    ends: set[int] = set()
    for place, character in enumerate(text):
        if character not in barred and (place in starts or place in ends):
            ends.add(place + 1)
    return ends
