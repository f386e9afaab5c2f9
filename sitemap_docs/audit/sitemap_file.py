"""A sitemap file from the output folder or from the web, with its entries and faults."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from posixpath import dirname
from typing import BinaryIO, cast

from sitemap_docs.audit.registry import Location
from sitemap_docs.config.dates import Date, read_date
from sitemap_docs.model import MAX_BYTES, MAX_URLS
from sitemap_docs.sitemap.reader import SitemapReader
from sitemap_docs.sitemap.rows import Fault, SitemapFormat, SitemapRow
from sitemap_docs.urls.base import Base

MAX_UNPACKED = 4 * MAX_BYTES
"""The number of unpacked bytes after which reading stops. A sitemap of this size is already too large."""
MAX_ENTRIES = 4 * MAX_URLS
"""The number of entries after which reading stops. A sitemap with so many entries is already too long."""


class Url(SitemapRow):
    """An entry of a sitemap or of a sitemap index: the URL of a page or of another sitemap."""

    __slots__ = ()

    @property
    def place(self) -> Location:
        return Location(self.loc or self.sitemap, self.sitemap, self.line)

    @property
    def date(self) -> Date | None:
        """The ``lastmod`` of the entry, or None if it is not a valid date."""
        return read_date(self.lastmod)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """A sitemap file: XML, a text file with URLs, or a feed.

    Attributes:
        size: The number of unpacked bytes.
        fault: The error that stopped the reading, or None.
        root: The name of the XML root element.
        urls: The entries. If the file is a sitemap index, they are sitemaps, otherwise pages.
    """

    name: str
    size: int
    fault: Fault | None = None
    encoding: str = "utf-8"
    root: str = ""
    namespace: str = ""
    urls: tuple[Url, ...] = ()
    other_lines: tuple[Url, ...] = ()
    ours: bool = False
    format: SitemapFormat = ""

    @property
    def is_index(self) -> bool:
        """Whether the file is a sitemap index, which lists other sitemaps."""
        return self.format == "index"

    @property
    def place(self) -> Location:
        return Location(self.name, self.name)


def sitemap_facts(source: Path | BinaryIO, name: str) -> Sitemap:
    """Return the entries of a sitemap in any format, with its format and its first error.

    The file is read up to this error.

    Raises:
        OSError: The file cannot be opened.
    """
    reading = SitemapReader(source, name, max_bytes=MAX_UNPACKED, row=Url)
    urls = cast("tuple[Url, ...]", tuple(islice(reading.rows(), MAX_ENTRIES)))
    other_lines: tuple[Url, ...] = ()
    if reading.format == "text":
        other_lines = tuple(url for url in urls if not url.is_address)
        urls = tuple(url for url in urls if url.is_address)
    return Sitemap(
        name=name,
        size=reading.size,
        fault=reading.fault,
        encoding=reading.encoding,
        root=reading.root,
        namespace=reading.namespace,
        urls=urls,
        other_lines=other_lines,
        format=reading.format,
    )


@lru_cache(maxsize=1_024)
def folder_of(base: Base, sitemap: str) -> Base:
    """Return the URL of a sitemap's folder, such as ``https://e.org/de/`` for ``de/sitemap.xml``."""
    return Base.of(base.loc(dirname(sitemap)))
