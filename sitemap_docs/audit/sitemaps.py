"""The sitemaps of a site as the rules see them: all that they may find fault with."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, cast

from sitemap_docs.audit.registry import Location
from sitemap_docs.sitemap.reader import Reading, Row, Sheet
from sitemap_docs.sitemap.render import MAX_BYTES, MAX_URLS

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.sitemap.content import Fault

MAX_UNPACKED = 4 * MAX_BYTES
"""Bytes that are unpacked at most: enough to detect that a file is too large."""

MAX_ENTRIES = 4 * MAX_URLS
"""Entries that are read at most: enough to detect that there are too many."""


class Url(Row):
    """One ``<url>`` of a urlset or ``<sitemap>`` of an index, and where its findings are."""

    __slots__ = ()

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
    reading = Reading(source, name, max_bytes=MAX_UNPACKED, row=Url)
    urls = cast("tuple[Url, ...]", tuple(islice(reading.rows(), MAX_ENTRIES)))
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
        sheets=reading.sheets,
        urls=urls,
    )
