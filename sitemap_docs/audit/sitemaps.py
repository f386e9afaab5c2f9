"""The sitemaps of a site as the rules see them: all that they may find fault with."""

from __future__ import annotations

from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING, BinaryIO

from sitemap_docs.audit.registry import Location
from sitemap_docs.model import Alternate
from sitemap_docs.sitemap.reader import Fault, Reading, Row, Sheet
from sitemap_docs.sitemap.render import MAX_BYTES, MAX_URLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NONE: frozenset[str] = frozenset()  # one for all: each other empty one takes 216 bytes

MAX_UNPACKED = 4 * MAX_BYTES
"""Bytes that are unpacked at most: enough to detect that a file is too large."""

MAX_ENTRIES = 4 * MAX_URLS
"""Entries that are read at most: enough to detect that there are too many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Url:
    """One ``<url>`` of a urlset or ``<sitemap>`` of an index; ``raw`` is its address as it is written there.

    ``tags`` are the names of its children in order, with the usual prefix of their namespace (``?:`` for
    others); ``images`` the locations of its images, ``image_tags`` the names below them.
    """

    sitemap: str
    line: int
    loc: str
    raw: str
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""
    tags: tuple[str, ...] = ()
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    image_tags: frozenset[str] = frozenset()

    @property
    def place(self) -> Location:
        return Location(self.loc or self.sitemap, self.sitemap, self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """One sitemap file.

    ``size`` is in bytes, unpacked; ``urls`` are its entries or, in an index, its sitemaps. ``fault`` ended
    the reading; None where all was read.
    """

    name: str
    size: int
    packed: bool = False
    fault: Fault | None = None
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


def sitemap_facts(source: Path | BinaryIO, name: str) -> Sitemap:
    """The sitemap in ``source``, packed or not, as far as it can be read; ``name`` is that of its file.

    Raises OSError.
    """
    reading = Reading(source, max_bytes=MAX_UNPACKED)
    urls = tuple(_urls(reading, name))
    return Sitemap(
        name=name,
        size=reading.size,
        packed=reading.packed,
        fault=reading.fault,
        bom=reading.bom,
        encoding=reading.encoding,
        doctype=reading.doctype,
        root=reading.root,
        namespace=reading.namespace,
        sheets=tuple(reading.sheets),
        urls=urls,
    )


def _urls(reading: Reading, name: str) -> Iterator[Url]:
    tuples: dict[tuple[str, ...], tuple[str, ...]] = {}
    for number, row in enumerate(reading.rows(), 1):
        tags = tuple([_tag(field.name) for field in row.fields if field.depth == 1])
        yield _url(row, name, tuples.setdefault(tags, tags))
        if number == MAX_ENTRIES:
            return


def _url(row: Row, name: str, tags: tuple[str, ...]) -> Url:
    texts: dict[str, str] = {}
    images, image_tags = [], set()
    for field in row.fields:
        if field.depth == 1:
            texts.setdefault(field.name, field.raw)
        elif field.name.startswith("image:"):
            image_tags.add(field.name)
            images += [field.text] if field.name == "image:loc" else []
    raw = texts.get("loc", "")
    return Url(
        sitemap=name,
        line=row.line,
        loc=raw.strip(),
        raw=raw,
        lastmod=intern(texts.get("lastmod", "").strip()),
        changefreq=intern(texts.get("changefreq", "").strip()),
        priority=intern(texts.get("priority", "").strip()),
        tags=tags,
        alternates=tuple(_alternates(row)) if "xhtml:link" in tags else (),
        images=tuple(images),
        image_tags=frozenset(image_tags) if image_tags else _NONE,
    )


def _alternates(row: Row) -> Iterator[Alternate]:
    for _, _, attributes, _ in (field for field in row.fields if field.name == "xhtml:link"):
        yield Alternate(intern(attributes.get("hreflang", "")), attributes.get("href", "").strip())


def _tag(name: str) -> str:
    return intern(f"?:{name.rpartition('}')[2]}") if name[0] == "{" else name
