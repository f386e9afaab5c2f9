"""Which of the files that are there sitemap-docs wrote."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 4_096
_OURS = re.compile(
    rb"<\?xml [^>]*\?>\s*(?:<\?xml-stylesheet [^>]*\?>\s*)?"
    rb"<!-- sitemap-docs(?:: a part of (?P<whole>[^>]+))? -->"
    rb"|/\* sitemap-docs \*/"
)


def is_ours(file: Path) -> bool:
    """Whether we wrote ``file``, by the mark in its first 4,096 bytes (unpacked); a link is not ours."""
    return not file.is_symlink() and file.is_file() and _OURS.match(_head(file)) is not None


def part_of(file: Path) -> str | None:
    """The sitemap that ``file`` says it is a part of; None when it is no part of ours."""
    ours = None if file.is_symlink() else _OURS.match(_head(file))
    return ours["whole"].decode("utf-8", "replace").replace("-%2D", "--") if ours and ours["whole"] else None


def _head(file: Path) -> bytes:
    with file.open("rb") as stream:
        start = stream.read(_HEAD)
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, _HEAD)
    except zlib.error:
        return b""
