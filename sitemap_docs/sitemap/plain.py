"""The plainest of the sitemaps that we write, one row a line, read without a parser of XML.

What any other sitemap holds is for ``reader``. A line is taken only if it can mean one thing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Generator

_BLOCK = 1 << 20
_HEAD = re.compile(
    rb'<\?xml version="1\.0" encoding="UTF-8"\?>\n'
    rb'(?:<\?xml-stylesheet type="text/css" href="[ !#-;=?-~]*"\?>\n)?'
    rb"<!-- sitemap-docs(?:: (?:[ -,.-~]|-(?!-))*)? -->\n"
    rb'<urlset xmlns="http://www\.sitemaps\.org/schemas/sitemap/0\.9">\n'
)
_ROW = re.compile(
    r"^<url><loc>([!-%'-;=?-~]+)</loc>"
    r"(?:<lastmod>(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)</lastmod>)?</url>$",
    re.ASCII | re.MULTILINE,
)
_END = "</urlset>\n"


def rows(stream: BinaryIO, max_bytes: int) -> Generator[list[tuple[str, str]], None, bool]:
    """The loc and lastmod (``""``: none) of each row, many at once; returns whether that is the whole file.

    When it is not, or the file has more than ``max_bytes``, the rows so far are true, and more may follow.
    """
    block = stream.read(_BLOCK)
    head = _HEAD.match(block)
    rest = block[head.end() :] if head else b""
    size = len(block)
    while head and size <= max_bytes:
        block = stream.read(_BLOCK)
        size += len(block)
        whole, newline, after = rest.rpartition(b"\n")
        text = _decoded(whole + newline)
        ended = not block and text.endswith(_END) and not after
        found = _ROW.findall(text)
        if len(found) != text.count("\n") - ended:
            return False
        yield found
        if not block:
            return ended
        rest = after + block
    return False


def _decoded(data: bytes) -> str:
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        return "\n"  # a line that is no row
