"""robots.txt (RFC 9309): read it, merge our Sitemap lines into it, render a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import NamedTuple

from sitemap_docs.config.validators import shown
from sitemap_docs.model import SitemapError
from sitemap_docs.robots.bots import PRESETS

WHOLE = "# Written by sitemap-docs; without this line the file is yours and is kept."
"""The first line of a robots.txt that is all ours."""

MARK = "# The next line is written by sitemap-docs."
"""The line above each Sitemap line of ours in a robots.txt of the user's."""

FIELDS = ("allow", "disallow", "crawl-delay", "content-signal", "content-usage")
"""What a group may hold: RFC 9309, and the lines that contentsignals.org and the IETF's aipref propose."""

_BOM = b"\xef\xbb\xbf"
_EOL = re.compile(rb"(?:\r\n|\r|\n)\Z")
_EOLS = re.compile(rb"\r\n|\r|\n")
_SITEMAP = re.compile(rb"\s*sitemap\s*:", re.IGNORECASE)
_SECONDS = re.compile(r"[0-9]*\.?[0-9]+")
_AGENT = re.compile(r"\*|[A-Za-z0-9][A-Za-z0-9_.\- ]*")


class Line(NamedTuple):
    """One line that is neither blank nor a comment; ``field`` is in lower case, ``""`` without a colon."""

    number: int
    field: str
    value: str


class Group(NamedTuple):
    """The user agents named together and the lines that follow them."""

    agents: tuple[Line, ...]
    rules: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Robots:
    """A robots.txt, line by line."""

    lines: tuple[Line, ...]

    @property
    def sitemaps(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.field == "sitemap")

    @property
    def groups(self) -> tuple[Group, ...]:
        """Groups in order; a group without agents holds rules that stand before any ``User-agent``."""
        groups: list[tuple[list[Line], list[Line]]] = []
        for line in self.lines:
            if line.field == "sitemap":  # RFC 9309 2.2.4: other records do not end a group
                continue
            if not groups or (line.field == "user-agent" and groups[-1][1]):
                groups.append(([], []))
            groups[-1][line.field != "user-agent"].append(line)
        return tuple(Group(tuple(agents), tuple(rules)) for agents, rules in groups)


def parse_robots(data: bytes) -> Robots:
    """The lines of ``data``; a BOM is skipped, bytes that are not UTF-8 become U+FFFD.

    >>> parse_robots(b"User-agent: * # all").lines
    (Line(number=1, field='user-agent', value='*'),)
    """
    lines = []
    for number, raw in enumerate(data.removeprefix(_BOM).splitlines(), 1):
        text = raw.partition(b"#")[0].decode(errors="replace").strip()
        field, colon, value = text.partition(":")
        if text:
            lines.append(
                Line(number, field.strip().lower() if colon else "", value.strip() if colon else text)
            )
    return Robots(tuple(lines))


def merge_robots(
    existing: bytes | None, sitemaps: Sequence[str], groups: Mapping[str, object] | None = None
) -> bytes:
    """The robots.txt that names each of ``sitemaps`` once.

    What the user wrote in ``existing`` is kept byte for byte, and ``groups`` are then left to it; lines that
    an earlier run added are replaced. Without a file of the user's, one is rendered from ``groups``: user
    agents or presets, with commas between them, to a mapping of ``FIELDS`` to a value or a list of values.

    Raises SitemapError for groups that are not valid and for a file in UTF-16.
    """
    yours = None if existing is None else without(existing)
    if yours is None:
        return render_robots(sitemaps, groups)
    named = {line.value for line in parse_robots(yours).sitemaps}
    missing = [url for url in dict.fromkeys(sitemaps) if url not in named]
    return yours + _block(yours, missing) if missing else yours


def without(data: bytes) -> bytes | None:
    """``data`` without what ``merge`` added to it; None when the whole file is ours."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SitemapError("robots.txt is in UTF-16; crawlers read UTF-8 only (RFC 9309): save it as UTF-8.")
    bom = _BOM if data.startswith(_BOM) else b""
    theirs = _theirs(data[len(bom) :].splitlines(keepends=True))
    if theirs and theirs[0].strip() == WHOLE.encode():
        return None
    return bom + b"".join(theirs)


def render_robots(sitemaps: Sequence[str], groups: Mapping[str, object] | None = None) -> bytes:
    """A whole robots.txt of ours; without ``groups`` everything is allowed. Raises as ``merge`` does."""
    blocks = [_group(agent, rules) for agent, rules in (groups or {"*": {"allow": "/"}}).items()]
    named = [f"Sitemap: {url}" for url in dict.fromkeys(sitemaps)]
    parts = [
        f"{WHOLE}\n" + "\n".join(blocks[0]),
        *("\n".join(block) for block in [*blocks[1:], named] if block),
    ]
    return ("\n\n".join(parts) + "\n").encode()


def _theirs(lines: list[bytes]) -> list[bytes]:
    kept: list[bytes] = []
    ours = b""  # the line above, where it is ours
    for line in lines:
        if line.strip() == MARK.encode():
            if kept[-1:] in ([b"\n"], [b"\r\n"], [b"\r"]) and not ours:
                kept.pop()
            ours = line
        elif ours.strip() == MARK.encode() and _SITEMAP.match(line):
            ours = line
        else:
            kept.append(line)
            ours = b""
    if kept and ours and not ours.endswith((b"\n", b"\r")):
        kept[-1] = _EOL.sub(b"", kept[-1])
    return kept


def _block(yours: bytes, sitemaps: Sequence[str]) -> bytes:
    eol: bytes = [b"\n", *_EOLS.findall(yours)][-1]
    added = eol.join(line.encode() for url in sitemaps for line in (MARK, f"Sitemap: {url}"))
    if yours in (b"", _BOM):
        return added + eol
    return eol + added + eol if yours.endswith((b"\n", b"\r")) else eol + eol + added


def _group(agent: str, rules: object) -> list[str]:
    agents = list(_agents(agent))
    if not isinstance(rules, Mapping):
        raise SitemapError(
            f"robots: {agent} needs a mapping such as {{'disallow': '/drafts/'}}, not {shown(rules)}."
        )
    return [*(f"User-agent: {name}" for name in agents), *_rules(agent, rules)]


def _agents(key: str) -> Iterator[str]:
    for name in map(str.strip, key.split(",")):
        if name.startswith("@") and name not in PRESETS:
            raise SitemapError(f"robots: {shown(name)} is not a preset; there are {' and '.join(PRESETS)}.")
        if name not in PRESETS and not _AGENT.fullmatch(name):
            raise SitemapError(f"robots: {shown(name)} is not a user agent; write its name, or * for all.")
        yield from PRESETS.get(name, (name,))


def _rules(agent: str, rules: Mapping[object, object]) -> Iterator[str]:
    for name, values in rules.items():
        field = str(name).lower().replace("_", "-")
        if field not in FIELDS:
            raise SitemapError(f"robots: {agent} has {shown(name)}; a group may hold: {', '.join(FIELDS)}.")
        for value in values if isinstance(values, (list, tuple)) else [values]:
            text = "" if value is None else str(value).strip()
            if not isinstance(value, (str, int, float, NoneType)) or "#" in text or not text.isprintable():
                raise SitemapError(f"robots: {agent}, {field}: {shown(value)} must be one line without #.")
            if field in ("allow", "disallow") and text and text[0] not in "/*":
                raise SitemapError(f"robots: {agent}, {field}: {shown(value)} must start with / or *.")
            if field == "crawl-delay" and not _SECONDS.fullmatch(text):
                raise SitemapError(f"robots: {agent}, {field}: {shown(value)} must be a number of seconds.")
            yield f"{field.capitalize()}: {text}".rstrip()
