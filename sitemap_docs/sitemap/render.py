"""The XML of a ``<urlset>`` and a ``<sitemapindex>`` (https://www.sitemaps.org/protocol.html)."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from functools import lru_cache, partial
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
_DECLARATIONS = ('<?xml version="1.0" encoding="UTF-8"?>\n', '<?xml version="1.0"?>\n')
_SNIFFED = 70
"""Characters in which LinkChecker 10.6 looks for the root element (linkcheck/mimeutil.py)."""
_ENTITIES = (("&", "&amp;"), ("'", "&apos;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;"))


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
    """One entry as XML and its size in bytes; ``lastmod`` is in UTC, so that it sorts as text, or ``""``."""

    loc: str
    xml: str
    lastmod: str
    size: int


# What Block._make does, without its Python frame.
_block = partial(tuple.__new__, Block)


def urlset(entries: Iterable[Entry], *, style: Style = Style()) -> Iterator[bytes]:
    """A ``<urlset>`` in UTF-8, in chunks; it is not split, whatever its size."""
    return document("urlset", blocks(tuple(entries), "url", style.indent), style)


def sitemapindex(entries: Iterable[Entry], *, style: Style = Style()) -> Iterator[bytes]:
    """A ``<sitemapindex>`` in UTF-8, in chunks; its entries have ``loc`` and ``lastmod`` only."""
    return document("sitemapindex", blocks(tuple(entries), "sitemap", style.indent), style)


def document(kind: Kind, content: Sequence[Block], style: Style) -> Iterator[bytes]:
    """The whole file in UTF-8, in chunks, with the namespaces that its blocks need."""
    texts = [
        "".join([each.xml for each in content[start : start + _CHUNK]])
        for start in range(0, len(content), _CHUNK)
    ]
    # Of our elements, only xhtml:link has attributes, and quotes are escaped elsewhere.
    xhtml, image = (any(sign in text for text in texts) for sign in ('"', "<image:"))
    yield head(kind, style, xhtml=xhtml, image=image)
    for text in texts:
        yield text.encode()
    yield _end(kind, style)


def overhead(kind: Kind, style: Style) -> int:
    """The most bytes that :func:`document` writes around its blocks."""
    return len(head(kind, style, xhtml=True, image=True)) + len(_end(kind, style))


def head(kind: Kind, style: Style, *, xhtml: bool, image: bool) -> bytes:
    namespaces = f' xmlns="{SITEMAP}"'
    if image:
        namespaces += f' xmlns:image="{IMAGE}"'
    if xhtml:
        namespaces += f' xmlns:xhtml="{XHTML}"'
    return f"{_prolog(kind, style)}<{kind}{namespaces}>\n".encode()


def _prolog(kind: Kind, style: Style) -> str:
    """The longest that leaves the root element where it is looked for; UTF-8 is the default of XML 1.0."""
    sheet = f'<?xml-stylesheet href="{escape(style.stylesheet)}"?>\n' if style.stylesheet else ""
    for declaration in (*_DECLARATIONS, ""):
        if len(f"{declaration}{sheet}<{kind} ") <= _SNIFFED:
            return declaration + sheet
    return _DECLARATIONS[0] + sheet


def _end(kind: Kind, style: Style) -> bytes:
    return f"</{kind}>\n{mark(style)}\n".encode()


def mark(style: Style) -> str:
    """The comment by which we know our own files again; the same for every version and build."""
    # "--" may not stand in a comment (XML 1.0, 2.5).
    part = f": a part of {style.part_of.replace('--', '-%2D')}" if style.part_of else ""
    return f"<!-- {MARK}{part} -->"


def blocks(entries: Sequence[Entry], tag: Literal["url", "sitemap"], indent: int) -> list[Block]:
    """The entries as ``<url>`` or ``<sitemap>``; raises SitemapError for a date without a zone."""
    margin = " " * indent
    field, end = (f"\n{margin}{margin}", f"\n{margin}") if indent else ("", "")
    before, after = f"{margin}<{tag}>{field}<loc>", f"{end}</{tag}>\n"
    locs = [entry.loc for entry in entries]
    lastmods = [stamp(entry.lastmod) if entry.lastmod else "" for entry in entries]
    dates = [f"{field}<lastmod>{lastmod}</lastmod>" if lastmod else "" for lastmod in lastmods]
    xmls = [
        f"{before}{loc}</loc>{date}{_extras(entry, field)}{after}"
        if entry.alternates or entry.images or entry.changefreq or entry.priority is not None
        else f"{before}{loc}</loc>{date}{after}"
        for entry, loc, date in zip(entries, _escaped(locs), dates, strict=True)
    ]
    sizes = map(len, xmls if all(map(str.isascii, xmls)) else map(str.encode, xmls))
    return list(map(_block, zip(locs, xmls, lastmods, sizes, strict=True)))


def _escaped(texts: list[str]) -> list[str]:
    # Nearly no loc holds one of these characters: five looks at many are cheaper than five at each.
    together = "".join(texts)
    return list(map(escape, texts)) if any(each in together for each in "&'\"<>") else texts


def _extras(entry: Entry, field: str) -> str:
    # The XSD fixes the order: changefreq, priority, then the elements of other namespaces.
    fields = [
        *([f"<changefreq>{entry.changefreq}</changefreq>"] if entry.changefreq else []),
        *([f"<priority>{Decimal(str(entry.priority)):f}</priority>"] if entry.priority is not None else []),
        *(
            f'<xhtml:link rel="alternate" hreflang="{escape(code)}" href="{escape(href)}"/>'
            for code, href in entry.alternates
        ),
        *(f"<image:image><image:loc>{escape(image)}</image:loc></image:image>" for image in entry.images),
    ]
    return "".join([field + each for each in fields])


def stylesheet(base: str) -> bytes:
    """The CSS that shows a sitemap of the site at ``base`` in a browser; it bears our mark, too."""
    scheme, _, rest = base.partition("//")
    host = len(f"{scheme}//{rest.partition('/')[0]}")
    css = files("sitemap_docs").joinpath("sitemap.css").read_bytes()
    return css.replace(b"--host: 0;", b"--host: %d;" % host)


def escape(text: str) -> str:
    """``text`` with the five characters that the protocol names written as entities."""
    for character, entity in _ENTITIES:
        text = text.replace(character, entity)
    return text


def stamp(moment: datetime) -> str:
    """``2026-01-31T10:20:30+00:00``: W3C Datetime in UTC, whole seconds."""
    if moment.tzinfo is None:
        raise SitemapError(
            f"The date {moment} has no time zone: write one, such as {moment.isoformat()}+00:00."
        )
    return _stamp(moment if moment.tzinfo is timezone.utc else moment.astimezone(timezone.utc))


@lru_cache(maxsize=32_768)  # pages share the dates of commits
def _stamp(moment: datetime) -> str:
    return moment.isoformat("T", "seconds")


def packed(data: bytes) -> bytes:
    """``data`` as gzip without a time, a name or a system, so that the same zlib gives the same bytes."""
    # gzip.compress writes the operating system's number from Python 3.11 on.
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    body = deflate.compress(data) + deflate.flush()
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body + struct.pack("<LL", zlib.crc32(data), len(data))
