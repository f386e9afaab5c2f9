"""Write the XML of sitemaps and sitemap indexes (https://www.sitemaps.org/protocol.html).

This module also decides how a long list of pages is split into several files.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from functools import lru_cache
from gzip import GzipFile
from hashlib import blake2b, sha256
from importlib.resources import files
from io import BytesIO
from typing import Literal

from sitemap_docs.config.dates import Day
from sitemap_docs.model import Entry, SitemapError

RootTag = Literal["urlset", "sitemapindex"]

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
_MARK = "sitemap-docs"

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ENTITIES = (("&", "&amp;"), ("'", "&apos;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;"))


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlStyle:
    """Settings for the lines of a sitemap file before and after its entries: style sheet and comments."""

    #: The URL of a CSS file, or ``""``.
    stylesheet: str = ""
    #: The sitemap of which the file is a part.
    part_of: str = ""
    #: Whether the command ``join`` writes the file.
    joined: bool = False
    #: A comment about the replaced sitemap.
    kept: str = ""


def document(kind: RootTag, rows: Iterable[bytes], style: XmlStyle) -> bytes:
    """Return the content of a sitemap file in UTF-8, from the XML of its entries.

    ``kind`` is the root element, such as ``urlset``. ``style`` is the XML style, such as a stylesheet.
    """
    content = b"".join(rows)
    start, end = _frame(kind, style, xhtml=b"<xhtml:" in content, image=b"<image:" in content)
    return b"".join([start, content, end])


def overhead(kind: RootTag, style: XmlStyle) -> int:
    """Return the maximum size, in bytes, of the XML before and after the entries of a sitemap file.

    ``kind`` is the root element, such as ``urlset``. ``style`` says how the XML is formatted.
    """
    return sum(map(len, _frame(kind, style, xhtml=True, image=True)))


def _frame(kind: RootTag, style: XmlStyle, *, xhtml: bool, image: bool) -> tuple[bytes, bytes]:
    """Return the first and the last lines of a sitemap file, around the XML of its pages.

    ``xhtml`` and ``image`` say whether the pages have language links or images.
    """
    sheet = part = ""
    mark = _MARK
    if style.joined:
        mark += " join"
    if style.stylesheet:
        sheet = f'<?xml-stylesheet href="{escape(style.stylesheet)}"?>\n'
    namespaces = f' xmlns="{SITEMAP}"'
    if image:
        namespaces += f' xmlns:image="{IMAGE}"'
    if xhtml:
        namespaces += f' xmlns:xhtml="{XHTML}"'
    if style.part_of:
        # A comment must not contain "--" (XML 1.0, 2.5).
        part = f": a part of {style.part_of.replace('--', '-%2D')}"
    start = f"{_DECLARATION}{sheet}<{kind}{namespaces}>\n"
    # We recognise our own files by this comment, so it is the same for every version and build.
    end = f"</{kind}>\n{style.kept}<!-- {mark}{part} -->\n"
    return start.encode(), end.encode()


def row(
    entry: Entry, tag: Literal["url", "sitemap"], indent: int, lastmod_format: Literal["exact", "day"]
) -> bytes:
    """Return the XML of a page, such as ``<url><loc>…</loc></url>``.

    If ``indent`` is 0, the XML is a single line.

    Raises:
        SitemapError: The date has no time zone.
    """
    margin = field = end = elements = ""
    if indent:
        margin = " " * indent
        end = f"\n{margin}"
        field = end + margin  # before each child element
    if entry.lastmod:
        written = stamp(entry.lastmod)
        if lastmod_format == "day":
            written = written.partition("T")[0]
        elements += f"{field}<lastmod>{written}</lastmod>"
    # The order is that of the XSD: changefreq, priority, then the elements of other namespaces.
    if entry.changefreq:
        elements += f"{field}<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        priority = Decimal(str(entry.priority))
        elements += f"{field}<priority>{priority:f}</priority>"
    for code, href in entry.alternates:
        elements += f'{field}<xhtml:link rel="alternate" hreflang="{escape(code)}" href="{escape(href)}"/>'
    for image in entry.images:
        elements += f"{field}<image:image><image:loc>{escape(image)}</image:loc></image:image>"
    loc = escape(entry.loc)
    return f"{margin}<{tag}>{field}<loc>{loc}</loc>{elements}{end}</{tag}>\n".encode()


def stylesheet(base: str) -> bytes:
    """Return the CSS with which browsers show the sitemap of a site with the base URL ``base``."""
    scheme, _, rest = base.partition("//")
    host, _, _ = rest.partition("/")
    length = len(f"{scheme}//{host}")
    css = files("sitemap_docs").joinpath("sitemap.css").read_bytes()
    return css.replace(b"--host: 0;", b"--host: %d;" % length)


def escape(text: str) -> str:
    """Escape text for XML: ``&`` becomes ``&amp;``."""
    # Most texts have no such character. Looking for it takes a third of the time of `replace` or `translate`.
    for character, entity in _ENTITIES:
        if character in text:
            text = text.replace(character, entity)
    return text


def stamp(moment: datetime) -> str:
    """Format a date for ``<lastmod>``, such as ``2026-01-31T10:20:30+00:00``.

    Raises:
        SitemapError: The date has no time zone.
    """
    if isinstance(moment, Day):
        return moment.date().isoformat()  # %Y has no leading zeros on Linux
    if moment.tzinfo is not timezone.utc:
        if moment.tzinfo is None:
            raise SitemapError(
                f"The date {moment} has no time zone. Add the time zone, such as {moment.isoformat()}+00:00."
            )
        moment = moment.astimezone(timezone.utc)
    return _stamp(moment)


@lru_cache(maxsize=32_768)  # many pages have the same date, and isoformat takes half of a row's time
def _stamp(moment: datetime) -> str:
    return moment.isoformat("T", "seconds")


def compress(data: bytes) -> bytes:
    """Compress data with gzip. Equal data always gives equal bytes."""
    buffer = BytesIO()
    # Not gzip.compress: since Python 3.11, it writes the number of the operating system.
    with GzipFile(filename="", mode="wb", compresslevel=6, fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


_LEAST = 8  # every shard but the last has at least an eighth of the largest size


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """A part of a long sitemap, which is written to a file of its own."""

    #: The XML of each page, sorted by address.
    rows: list[bytes]
    #: The newest date of the pages.
    newest: datetime | None
    #: The address of the first page.
    start: str

    @property
    def digest(self) -> str:
        """A hash of the first page address in this part of the sitemap, for the name of its file."""
        return sha256(self.start.encode()).hexdigest()


class Partition:
    """Splits a long sitemap into several files. A new page changes only a few of these files."""

    def __init__(self, *, max_urls: int, max_bytes: int) -> None:
        self._max_urls = max_urls
        self._max_bytes = max_bytes
        # Three lists, because with a list of objects the garbage collector takes a third of the time.
        self._locs: list[str] = []
        self._dates: list[datetime | None] = []
        self._rows: list[bytes] = []
        self._size = 0
        self._last = ""
        self._start = ""

    def add(self, entry: Entry, row: bytes) -> Sequence[Shard]:
        """Add a page, and return the sitemap files that are full now.

        Args:
            entry: The page. Pages must be sorted by address.
            row: The XML of the page.

        Raises:
            SitemapError: The XML is too large, or the order is wrong.
        """
        loc = entry.loc
        if loc <= self._last:
            raise SitemapError(
                f"{loc} is listed twice, or in the wrong place: after {self._last}. Sort the addresses, and "
                "list each one once."
            )
        self._last = loc
        self._locs.append(loc)
        self._dates.append(entry.lastmod)
        self._rows.append(row)
        self._size += len(row)
        shards = []
        while len(self._rows) > self._max_urls or self._size > self._max_bytes:
            if len(self._rows) == 1:
                raise SitemapError(
                    f"The entry of {loc} with its languages and images has {self._size:,} bytes, but a "
                    f"sitemap may have only {self._max_bytes:,}. List fewer images or languages."
                )
            shards.append(self._take(self._next_size()))
        return shards

    def finish(self) -> Sequence[Shard]:
        """Return the pages that are not in a part of the sitemap yet, as its last part."""
        if not self._rows:
            return ()
        return [self._take(len(self._rows))]

    def _next_size(self) -> int:
        """Choose how many pages the next part of the sitemap contains."""
        first = size = 0
        while first < self._max_urls / _LEAST and size < self._max_bytes / _LEAST:
            size += len(self._rows[first])
            first += 1
        # A checksum such as CRC is not random enough: for numbered pages, it rises and falls regularly.
        digests = [blake2b(loc.encode(), digest_size=8).digest() for loc in self._locs[first:]]
        if not digests:
            return len(self._rows) - 1  # all rows but the last, which is too much
        # Cut before the page with the smallest hash. With parts of equal size, a new page would move all
        # later pages, and most files would change.
        smallest = min(digests)
        return first + digests.index(smallest)

    def _take(self, number: int) -> Shard:
        """Remove the first ``number`` waiting pages, and return them as a part of the sitemap."""
        newest = max(filter(None, self._dates[:number]), default=None)
        shard = Shard(rows=self._rows[:number], newest=newest, start=self._start)
        for values in (self._locs, self._dates, self._rows):
            del values[:number]
        self._size = sum(map(len, self._rows))
        if self._locs:
            self._start = self._locs[0]
        return shard
