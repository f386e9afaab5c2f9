"""Which of the existing files were written by sitemap-docs."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from typing import TYPE_CHECKING

from sitemap_docs.sitemap.render import MAX_BYTES

if TYPE_CHECKING:
    from pathlib import Path

_HEAD = 4_096
_TAIL = 1_024
_GZIP = b"\x1f\x8b"
_MARK = rb"<!-- sitemap-docs(?:: a part of (?P<whole>[^>]+))? -->"
_FIRST = re.compile(rb"<\?xml [^>]*\?>\s*" + _MARK + rb"|/\* sitemap-docs \*/")
_LAST = re.compile(rb"</(?:urlset|sitemapindex)>\s*" + _MARK + rb"\s*\Z")


def is_ours(file: Path) -> bool:
    """Whether we wrote ``file``, by the mark at its beginning or its end; a link is not ours."""
    return not file.is_symlink() and file.is_file() and _mark(file) is not None


def part_of(file: Path) -> str | None:
    """The sitemap that ``file`` says it is a part of; None when it is no part of ours."""
    if file.is_symlink():
        return None
    ours = _mark(file)
    if ours is None or not ours["whole"]:
        return None
    return ours["whole"].decode("utf-8", "replace").replace("-%2D", "--")


def _mark(file: Path) -> re.Match[bytes] | None:
    """The mark: of a style sheet or feed at its beginning, of a sitemap behind its root element."""
    with file.open("rb") as stream:
        start = stream.read(_HEAD)
        if start.startswith(_GZIP):
            return _LAST.search(_unpacked_tail(file))
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL))
        return _FIRST.match(start) or _LAST.search(stream.read())


def _unpacked_tail(file: Path) -> bytes:
    tail, size = b"", 0
    try:
        with gzip.open(file) as stream:
            while (chunk := stream.read(1 << 20)) and size <= MAX_BYTES:
                tail, size = (tail + chunk)[-_TAIL:], size + len(chunk)
    except (OSError, EOFError, zlib.error):
        return b""
    return tail
