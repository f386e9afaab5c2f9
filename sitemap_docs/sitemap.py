"""The XML of a ``<urlset>`` and a ``<sitemapindex>`` (https://www.sitemaps.org/protocol.html)."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.model import Entry

Kind = Literal["urlset", "sitemapindex"]

MAX_URLS = 50_000
MAX_BYTES = 52_428_800
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
MARK = "sitemap-docs"

_CHUNK = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a sitemap is spelled.

    ``indent`` is spaces a level; 0 puts each entry on one line. ``stylesheet`` is the address of a CSS file.
    ``part_of`` is the name of the sitemap that this file is a part of, if it is not that sitemap itself.
    """

    indent: int = 0
    stylesheet: str = ""
    part_of: str = ""


class Block(NamedTuple):
    """One entry as XML; ``lastmod`` as it stands there (UTC, so that its text sorts as time), or ``""``."""

    loc: str
    xml: str
    lastmod: str

    @property
    def size(self) -> int:
        return len(self.xml) if self.xml.isascii() else len(self.xml.encode())


def urlset(entries: Iterable[Entry], *, style: Style = Style()) -> Iterator[bytes]:
    """A ``<urlset>`` in UTF-8, in chunks; it is not split, whatever its size."""
    return document("urlset", [block(entry, "url", style.indent) for entry in entries], style)


def sitemapindex(entries: Iterable[Entry], *, style: Style = Style()) -> Iterator[bytes]:
    """A ``<sitemapindex>`` in UTF-8, in chunks; its entries have ``loc`` and ``lastmod`` only."""
    return document("sitemapindex", [block(entry, "sitemap", style.indent) for entry in entries], style)


def document(kind: Kind, blocks: Sequence[Block], style: Style) -> Iterator[bytes]:
    """The whole file in UTF-8, in chunks, with the namespaces that its blocks need."""
    yield head(
        kind,
        style,
        xhtml=any("<xhtml:" in each.xml for each in blocks),
        image=any("<image:" in each.xml for each in blocks),
    )
    for start in range(0, len(blocks), _CHUNK):
        yield "".join([each.xml for each in blocks[start : start + _CHUNK]]).encode()
    yield f"</{kind}>\n".encode()


def overhead(kind: Kind, style: Style) -> int:
    """The most bytes that :func:`document` writes around its blocks."""
    return len(head(kind, style, xhtml=True, image=True)) + len(f"</{kind}>\n")


def head(kind: Kind, style: Style, *, xhtml: bool, image: bool) -> bytes:
    sheet = (
        f'<?xml-stylesheet type="text/css" href="{escape(style.stylesheet)}"?>\n' if style.stylesheet else ""
    )
    namespaces = f' xmlns="{SITEMAP}"'
    if image:
        namespaces += f' xmlns:image="{IMAGE}"'
    if xhtml:
        namespaces += f' xmlns:xhtml="{XHTML}"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{sheet}{mark(style)}\n<{kind}{namespaces}>\n'.encode()


def mark(style: Style) -> str:
    """The comment by which we know our own files again; the same for every version and build."""
    # "--" may not stand in a comment (XML 1.0, 2.5).
    part = f": a part of {style.part_of.replace('--', '-%2D')}" if style.part_of else ""
    return f"<!-- {MARK}{part} -->"


def block(entry: Entry, tag: Literal["url", "sitemap"], indent: int = 0) -> Block:
    """``entry`` as one ``<url>`` or ``<sitemap>``; raises SitemapError for a date without a zone."""
    margin = " " * indent
    field = f"\n{margin}{margin}" if indent else ""
    lastmod = stamp(entry.lastmod) if entry.lastmod else ""
    fields = f"{field}<lastmod>{lastmod}</lastmod>" if lastmod else ""
    if entry.alternates or entry.images or entry.changefreq or entry.priority is not None:
        fields += "".join(f"{field}{extra}" for extra in _extras(entry))
    end = f"\n{margin}" if indent else ""
    xml = f"{margin}<{tag}>{field}<loc>{escape(entry.loc)}</loc>{fields}{end}</{tag}>\n"
    return Block(entry.loc, xml, lastmod)


def _extras(entry: Entry) -> Iterator[str]:
    # The XSD fixes the order: changefreq, priority, then the elements of other namespaces.
    if entry.changefreq:
        yield f"<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        yield f"<priority>{Decimal(str(entry.priority)):f}</priority>"
    for code, href in entry.alternates:
        yield f'<xhtml:link rel="alternate" hreflang="{escape(code)}" href="{escape(href)}"/>'
    for image in entry.images:
        yield f"<image:image><image:loc>{escape(image)}</image:loc></image:image>"


def stylesheet() -> bytes:
    """The CSS that shows a sitemap in a browser; it bears our mark, too."""
    return files("sitemap_docs").joinpath("sitemap.css").read_bytes()


def escape(text: str) -> str:
    """``text`` with the five characters that the protocol names written as entities."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "'" in text:
        text = text.replace("'", "&apos;")
    if '"' in text:
        text = text.replace('"', "&quot;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return text


def stamp(moment: datetime) -> str:
    """``2026-01-31T10:20:30+00:00``: W3C Datetime in UTC, whole seconds."""
    if moment.tzinfo is None:
        raise SitemapError(
            f"The date {moment} has no time zone: write one, such as {moment.isoformat()}+00:00."
        )
    return moment.astimezone(timezone.utc).isoformat("T", "seconds")


def packed(data: bytes) -> bytes:
    """``data`` as gzip without a time, a name or a system, so that the same zlib gives the same bytes."""
    # gzip.compress writes the operating system's number from Python 3.11 on.
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    body = deflate.compress(data) + deflate.flush()
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body + struct.pack("<LL", zlib.crc32(data), len(data))
