"""The reader of sitemaps in all formats. It reads row by row, and does not trust the file."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from gzip import BadGzipFile, GzipFile
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from sitemap_docs import files
from sitemap_docs.linear import linear
from sitemap_docs.model import MAX_BYTES, Entry, SitemapError
from sitemap_docs.sitemap import is_compressed
from sitemap_docs.sitemap.parsers import ParserSettings, TextParser, XmlParser, choose_parser
from sitemap_docs.sitemap.rows import Fault, SitemapFormat, SitemapRow, Unreadable

# Before version 2.6, expat reads an unfinished token again from its start with each chunk (CVE-2023-52425).
# Chunks of this size make that at most 16 times for the longest token.
_CHUNK = 1 << 18

#: The largest number of sitemaps that are read of one site, as many as ten full indexes list.
MAX_SITEMAPS = 500_000


def read_chunks(source: Path | BinaryIO, max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """Read a file in chunks, and unpack gzip data.

    Raises:
        Unreadable: The data is damaged, or has more than ``max_bytes``.
    """
    if isinstance(source, Path):
        source = BytesIO(files.read_file(source, max_bytes + 1))
    data = source.read(max_bytes + 1)
    too_large = Fault("size", f"{max_bytes:,}")
    stream: GzipFile | BytesIO = BytesIO(data)
    if is_compressed(data):
        stream = GzipFile(fileobj=stream)
    size = 0
    try:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > max_bytes:
                raise Unreadable(too_large)
            yield chunk
    except (BadGzipFile, EOFError, zlib.error) as error:
        is_cut = len(data) > max_bytes  # then the data ends too early because of the limit
        damaged = Fault("gzip", str(error))
        raise Unreadable(too_large if is_cut else damaged) from None


class SitemapReader:
    """Reads a sitemap of any format, entry by entry.

    ``fault`` is the error that ended the reading, or None. ``size`` is the number of unpacked bytes so far.

    Args:
        source: The file.
        name: The name of the file, for messages.
        max_bytes: The maximum size of the unpacked file.
        strict: Whether to raise a SitemapError for an invalid sitemap.
        feeds: Whether to accept RSS and Atom.
        row: Creates the object for an entry from the texts in the file, such as the class ``SitemapRow``.
    """

    def __init__(
        self,
        source: Path | BinaryIO,
        name: str = "",
        *,
        max_bytes: int = MAX_BYTES,
        strict: bool = False,
        feeds: bool = True,
        row: Callable[..., SitemapRow] = SitemapRow,
    ) -> None:
        self.fault: Fault | None = None
        self.format: SitemapFormat = ""
        self.encoding = "utf-8"
        self.root = ""
        self.namespace = ""
        self.size = 0
        self._name = name
        self._settings = ParserSettings(name, row, strict, feeds)
        self._chunks = read_chunks(source, max_bytes)
        self._parser: XmlParser | TextParser | None = None
        self._rows: deque[SitemapRow] = deque()
        self._ended = False
        while not self._ended and not self.root and not self._is_text():
            self._parse_more()
        self._check()

    def _is_text(self) -> bool:
        return self.format == "text"

    @property
    def is_index(self) -> bool:
        """Whether the file is a sitemap index, which lists other sitemaps instead of pages."""
        return self.format == "index"

    def rows(self) -> Iterator[SitemapRow]:
        """Yield all entries that were not read so far, as written in the sitemap.

        Raises:
            SitemapError: The file is not valid, and the reader is strict.
        """
        while self._rows or not self._ended:
            while self._rows:
                yield self._rows.popleft()
            if not self._ended:
                self._parse_more()
        self._check()

    def entries(self) -> Iterator[Entry]:
        """Yield the entries that have not been read yet, and skip entries without an address."""
        for row in self.rows():
            entry = row.entry()
            if entry:
                yield entry

    def _parse_more(self) -> None:
        """Parse the next chunk of the file."""
        try:
            chunk = next(self._chunks, b"")
            self.size += len(chunk)
            self._ended = not chunk
            if self._parser is None:
                self._parser = choose_parser(chunk, self._settings)
                self._rows = self._parser.rows
            self._parser.parse(chunk, is_last=self._ended)
        except Unreadable as error:
            self.fault = error.fault
            self._ended = True
        if self._parser:
            self.format = self._parser.format
            self.encoding = self._parser.encoding
            self.root = self._parser.root
            self.namespace = self._parser.namespace

    def _check(self) -> None:
        if self._settings.strict and self.fault:
            raise SitemapError(f"{self._name} {self.fault}")


@linear
def parse(source: Path | BinaryIO, *, name: str = "", feeds: bool = False) -> SitemapReader:
    """Return a reader for a sitemap of any format. RSS and Atom are only accepted if ``feeds`` is true.

    ``source`` is the file. ``name`` is the name of the sitemap in error messages.

    Raises:
        SitemapError: The file is not a valid sitemap.
    """
    if not name:
        name = "The sitemap"
        if isinstance(source, Path):
            name = str(source)
    return SitemapReader(source, name, strict=True, feeds=feeds)


class Walk:
    """A queue of sitemaps to read, without duplicates.

    >>> walk = Walk(["sitemap.xml"])
    >>> for place in walk:
    ...     if place == "sitemap.xml":
    ...         walk.add(["a.xml", "sitemap.xml", "a.xml"])
    ...     print(place)
    sitemap.xml
    a.xml
    """

    def __init__(self, places: Iterable[str]) -> None:
        self._added: dict[str, None] = {}
        self._waiting: deque[str] = deque()
        self.add(places)

    def add(self, places: Iterable[str]) -> None:
        """Add the paths or URLs of sitemaps to the queue, unless they were added before.

        Raises:
            SitemapError: There are too many sitemaps.
        """
        for place in places:
            if place in self._added:
                continue
            if len(self._added) > MAX_SITEMAPS:
                first = next(iter(self._added))
                raise SitemapError(
                    f"{first} leads to more than {MAX_SITEMAPS:,} sitemaps. Pass an index that lists fewer."
                )
            self._added[place] = None
            self._waiting.append(place)

    def __iter__(self) -> Iterator[str]:
        while self._waiting:
            yield self._waiting.popleft()
