"""What the audit reads in a sitemap file: everything that a rule may find fault with, and no more."""

from __future__ import annotations

import io
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from sys import intern
from typing import NamedTuple

from lxml import etree

from sitemap_docs.audit.registry import Location
from sitemap_docs.model import Alternate
from sitemap_docs.sitemap.render import IMAGE, SITEMAP, XHTML

MAX_UNPACKED = 4 * 52_428_800
"""Bytes that are unpacked at most: enough to tell that a file is too large."""

KNOWN = {
    SITEMAP: "",
    IMAGE: "image:",
    XHTML: "xhtml:",
    "http://www.google.com/schemas/sitemap-video/1.1": "video:",
    "http://www.google.com/schemas/sitemap-news/0.9": "news:",
    "http://www.google.com/schemas/sitemap-mobile/1.0": "mobile:",
    "http://www.google.com/schemas/sitemap-pagemap/1.0": "pagemap:",
}
_DECLARED = re.compile(rb"<\?xml[^>]*encoding\s*=\s*[\"']([^\"']+)")
_SHEET = re.compile(r"(type|href)\s*=\s*[\"']([^\"']*)")


class Sheet(NamedTuple):
    """One ``<?xml-stylesheet?>``."""

    type: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Url:
    """One ``<url>`` of a urlset or ``<sitemap>`` of an index; texts as they are written there.

    ``tags`` are the names of its children in order, with the usual prefix of their namespace (``?:`` for
    others); ``images`` the locations of its images, ``image_tags`` the names below them.
    """

    sitemap: str
    line: int
    raw: str
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""
    tags: tuple[str, ...] = ()
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    image_tags: frozenset[str] = frozenset()

    @property
    def loc(self) -> str:
        return self.raw.strip()

    @property
    def place(self) -> Location:
        return Location(self.loc or self.sitemap, self.sitemap, self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """One sitemap file.

    ``size`` is in bytes, unpacked; ``urls`` are its entries or, in an index, its sitemaps.

    ``error`` is the parser's, ``packing`` that of gzip; ``""`` where all is well.
    """

    name: str
    size: int
    packed: bool = False
    packing: str = ""
    error: str = ""
    error_line: int = 0
    bom: bool = False
    encoding: str = "utf-8"
    doctype: bool = False
    root: str = ""
    namespace: str = ""
    sheets: tuple[Sheet, ...] = ()
    urls: tuple[Url, ...] = ()

    @property
    def is_index(self) -> bool:
        return self.root == "sitemapindex"

    @property
    def place(self) -> Location:
        return Location(self.name, self.name)


def read_sitemap(file: Path, name: str) -> Sitemap:
    """The sitemap in ``file``, as far as it can be read. Raises OSError."""
    return parse_sitemap(file.read_bytes(), name)


def parse_sitemap(data: bytes, name: str) -> Sitemap:
    """The sitemap in ``data``, packed or not, as far as it can be read; ``name`` is that of its file."""
    packed = data.startswith(b"\x1f\x8b")
    packing = ""
    if packed:
        data, packing = unpack(data)
    elif name.endswith(".gz"):
        packing = "it is not gzip"
    reader = _Reader(name)
    error, line = reader.read(data) if data else ("the file is empty", 1)
    declared = _DECLARED.match(data.removeprefix(b"\xef\xbb\xbf"))
    return Sitemap(
        name=name,
        size=len(data),
        packed=packed,
        packing=packing,
        error="" if packing and packed else error,
        error_line=line,
        bom=data.startswith(b"\xef\xbb\xbf"),
        encoding="utf-16"
        if data[:2] in (b"\xff\xfe", b"\xfe\xff")
        else declared[1].decode("utf-8", "replace").lower()
        if declared
        else "utf-8",
        doctype=reader.doctype,
        root=reader.root,
        namespace=reader.namespace,
        sheets=tuple(reader.sheets),
        urls=tuple(reader.urls),
    )


def unpack(data: bytes) -> tuple[bytes, str]:
    """The unpacked bytes of a gzip file as far as they can be had, and what is wrong with it."""
    stream = zlib.decompressobj(wbits=31)
    try:
        unpacked = stream.decompress(data, MAX_UNPACKED)
    except zlib.error as error:
        return b"", str(error)
    return unpacked, "" if stream.eof or stream.unconsumed_tail else "it is cut off"


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.root = ""
        self.namespace = ""
        self.doctype = False
        self.sheets: list[Sheet] = []
        self.urls: list[Url] = []

    def read(self, data: bytes) -> tuple[str, int]:
        """Reads what it can; the parser's error and its line, if there was one."""
        events = etree.iterparse(
            io.BytesIO(data),
            events=("start", "end", "pi"),
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=True,
        )
        try:
            for event, element in events:
                self._take(event, element)
        except etree.XMLSyntaxError as error:
            return (error.msg or "not XML").partition(", line ")[0], error.lineno or 0
        return "", 0

    def _take(self, event: str, element: etree._Element) -> None:
        if event == "pi":
            if element.target == "xml-stylesheet":  # type: ignore[attr-defined]
                said = dict(_SHEET.findall(element.text or ""))
                self.sheets.append(Sheet(said.get("type", ""), said.get("href", "")))
            return
        parent = element.getparent()
        if event == "start":
            if parent is None:
                namespace, _, self.root = element.tag.rpartition("}")
                self.namespace = namespace[1:]
                self.doctype = bool(element.getroottree().docinfo.doctype)  # type: ignore[attr-defined]
        elif parent is not None and parent.getparent() is None:
            # A file whose own namespace is wrong has one finding for that, not one for each element.
            self.urls.append(_url(element, self.name, {**KNOWN, self.namespace: ""}))
            element.clear()
            while element.getprevious() is not None:
                del parent[0]


def _url(element: etree._Element, name: str, prefixes: dict[str, str]) -> Url:
    texts: dict[str, str] = {}
    tags, alternates, images, image_tags = [], [], [], set()
    for child in element.iterchildren(etree.Element):
        tag = _tag(child, prefixes)
        tags.append(tag)
        texts.setdefault(tag, child.text or "")
        if tag == "xhtml:link":
            alternates.append(
                Alternate(intern(child.get("hreflang") or ""), (child.get("href") or "").strip())
            )
        elif tag == "image:image":
            below = [(_tag(each, prefixes), each.text or "") for each in child.iterchildren(etree.Element)]
            images += [text.strip() for each, text in below if each == "image:loc"]
            image_tags |= {each for each, _ in below}
    return Url(
        sitemap=name,
        line=element.sourceline or 0,  # type: ignore[arg-type, truthy-bool]
        raw=texts.get("loc", ""),
        lastmod=texts.get("lastmod", "").strip(),
        changefreq=texts.get("changefreq", "").strip(),
        priority=texts.get("priority", "").strip(),
        tags=_shared(tuple(tags)),
        alternates=tuple(alternates),
        images=tuple(images),
        image_tags=frozenset(image_tags),
    )


def _tag(element: etree._Element, prefixes: dict[str, str]) -> str:
    namespace, _, name = element.tag.rpartition("}")
    return intern(f"{prefixes.get(namespace[1:], '?:')}{name}")


_TUPLES: dict[tuple[str, ...], tuple[str, ...]] = {}


def _shared(tags: tuple[str, ...]) -> tuple[str, ...]:
    return _TUPLES.setdefault(tags, tags) if len(_TUPLES) < 1_000 else tags  # noqa: PLR2004
