"""Who made a sitemap that is there: we, a generator that would make it again, or the user."""

from __future__ import annotations

import re
import zlib
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 4_096
_OURS = re.compile(
    rb"<\?xml [^>]*\?>\s*(?:<\?xml-stylesheet [^>]*\?>\s*)?"
    rb"<!-- sitemap-docs(?:: a part of (?P<whole>[^>]+))? -->"
    rb"|/\* sitemap-docs \*/"
)
#: What the file of a generator begins with.
GENERATORS = {
    "MkDocs": re.compile(
        rb'<\?xml version="1\.0" encoding="UTF-8"\?>\n'
        rb'<urlset xmlns="http://www\.sitemaps\.org/schemas/sitemap/0\.9">\n'
    ),
}


class Maker(Enum):
    OURS = "sitemap-docs"
    GENERATOR = "a generator"
    USER = "the user"


def maker(file: Path) -> Maker:
    """Who made ``file``, told from its first 4,096 bytes (unpacked); a symbolic link is the user's."""
    if file.is_symlink():
        return Maker.USER
    start = _head(file)
    if _OURS.match(start):
        return Maker.OURS
    return Maker.GENERATOR if any(each.match(start) for each in GENERATORS.values()) else Maker.USER


def part_of(file: Path) -> str | None:
    """The sitemap that ``file`` says it is a part of; None when it is no part of ours."""
    ours = None if file.is_symlink() else _OURS.match(_head(file))
    return ours["whole"].decode().replace("-%2D", "--") if ours and ours["whole"] else None


def _head(file: Path) -> bytes:
    with file.open("rb") as stream:
        start = stream.read(_HEAD)
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, _HEAD)
    except zlib.error:
        return b""
