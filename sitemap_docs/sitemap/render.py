"""The XML of a ``<urlset>`` and a ``<sitemapindex>`` (https://www.sitemaps.org/protocol.html).

And where a long list of pages is cut into several files.
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
class Style:
    """How a sitemap is spelled.

    ``stylesheet`` is the address of a CSS file. ``part_of`` is the name of the sitemap that this file is a
    part of, if it is not that sitemap itself. ``joined`` is whether a join writes it. ``kept`` is a comment
    that stands in front of our mark.
    """

    stylesheet: str = ""
    part_of: str = ""
    joined: bool = False
    kept: str = ""


def document(kind: RootTag, rows: Iterable[bytes], style: Style) -> bytes:
    """The whole file in UTF-8, with the namespaces that its rows need."""
    content = b"".join(rows)
    start, end = _frame(kind, style, xhtml=b"<xhtml:" in content, image=b"<image:" in content)
    return b"".join([start, content, end])


def overhead(kind: RootTag, style: Style) -> int:
    """The most bytes that :func:`document` writes around its rows."""
    return sum(map(len, _frame(kind, style, xhtml=True, image=True)))


def _frame(kind: RootTag, style: Style, *, xhtml: bool, image: bool) -> tuple[bytes, bytes]:
    """Returns what stands before the rows and behind them."""
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
        # "--" may not stand in a comment (XML 1.0, 2.5).
        part = f": a part of {style.part_of.replace('--', '-%2D')}"
    start = f"{_DECLARATION}{sheet}<{kind}{namespaces}>\n"
    # The comment, by which we know our own files again, is the same for every version and build.
    return start.encode(), f"</{kind}>\n{style.kept}<!-- {mark}{part} -->\n".encode()


def row(
    entry: Entry, tag: Literal["url", "sitemap"], indent: int, lastmod_format: Literal["exact", "day"]
) -> bytes:
    """The entry as ``<url>`` or ``<sitemap>`` in UTF-8; raises SitemapError for a date without a zone.

    ``indent`` is spaces a level; 0 puts it on one line.
    """
    margin = field = end = elements = ""
    if indent:
        margin = " " * indent
        end = f"\n{margin}"
        field = end + margin
    if entry.lastmod:
        written = stamp(entry.lastmod)
        if lastmod_format == "day":
            written = written.partition("T")[0]
        elements += f"{field}<lastmod>{written}</lastmod>"
    # The XSD fixes the order: changefreq, priority, then the elements of other namespaces.
    if entry.changefreq:
        elements += f"{field}<changefreq>{entry.changefreq}</changefreq>"
    if entry.priority is not None:
        elements += f"{field}<priority>{Decimal(str(entry.priority)):f}</priority>"
    for code, href in entry.alternates:
        elements += f'{field}<xhtml:link rel="alternate" hreflang="{escape(code)}" href="{escape(href)}"/>'
    for image in entry.images:
        elements += f"{field}<image:image><image:loc>{escape(image)}</image:loc></image:image>"
    return f"{margin}<{tag}>{field}<loc>{escape(entry.loc)}</loc>{elements}{end}</{tag}>\n".encode()


def stylesheet(base: str) -> bytes:
    """The CSS that shows a sitemap of the site at ``base`` in a browser; it bears our mark, too."""
    scheme, _, rest = base.partition("//")
    host = len(f"{scheme}//{rest.partition('/')[0]}")
    css = files("sitemap_docs").joinpath("sitemap.css").read_bytes()
    return css.replace(b"--host: 0;", b"--host: %d;" % host)


def escape(text: str) -> str:
    """``text`` with the five characters that the protocol names written as entities."""
    # Most texts have none of them, and to look takes a third of the time of `replace` or `translate`.
    for character, entity in _ENTITIES:
        if character in text:
            text = text.replace(character, entity)
    return text


def stamp(moment: datetime) -> str:
    """``2026-01-31T10:20:30+00:00``: W3C Datetime in UTC, whole seconds; ``2026-01-31`` for a day."""
    if isinstance(moment, Day):
        return moment.date().isoformat()  # %Y has no leading zeros on Linux
    if moment.tzinfo is not timezone.utc:
        if moment.tzinfo is None:
            raise SitemapError(
                f"The date {moment} has no time zone: write one, such as {moment.isoformat()}+00:00."
            )
        moment = moment.astimezone(timezone.utc)
    return _stamp(moment)


@lru_cache(maxsize=32_768)  # pages share the dates of commits, and isoformat takes half of a row's time
def _stamp(moment: datetime) -> str:
    return moment.isoformat("T", "seconds")


def packed(data: bytes) -> bytes:
    """``data`` as gzip without a time, a name or a system, so that the same zlib gives the same bytes."""
    buffer = BytesIO()
    # gzip.compress writes the number of the operating system from Python 3.11 on.
    with GzipFile(filename="", mode="wb", compresslevel=6, fileobj=buffer, mtime=0) as file:
        file.write(data)
    return buffer.getvalue()


_LEAST = 8  # a shard holds at least an eighth of what it may, but for the last one


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The rows of neighbours in the order of their locs, and their newest date.

    ``start`` is the first loc; empty for the first shard, which begins with whatever comes first.
    """

    rows: list[bytes]
    newest: datetime | None
    start: str

    @property
    def digest(self) -> str:
        """64 hexadecimal digits that name the start."""
        return sha256(self.start.encode()).hexdigest()


class Partition:
    """Shards of the entries that are added in the order of their locs, as soon as they are known.

    Adding or removing one page changes few of them. A list that is cut after every 50,000 pages moves all
    later pages on by one where one is added. Here the pages themselves say where to cut: of the places at
    which a shard may end, which are those from an eighth of what it may hold on, it ends before the page
    whose address has the smallest digest. Another page elsewhere rarely changes which that is, and after a
    cut that did move, the next ones are soon the old ones again.

    No shard holds more than ``max_urls`` rows or ``max_bytes`` bytes; one is held in memory.
    """

    def __init__(self, *, max_urls: int, max_bytes: int) -> None:
        self._max_urls = max_urls
        self._max_bytes = max_bytes
        # Three lists: one of objects would keep Python's garbage collector busy, a third of the time.
        self._locs: list[str] = []
        self._dates: list[datetime | None] = []
        self._rows: list[bytes] = []
        self._size = 0
        self._last = ""
        self._start = ""

    def add(self, entry: Entry, row: bytes) -> Sequence[Shard]:
        """The shards that ``entry`` completes, of which ``row`` is the XML.

        Raises SitemapError when it is out of order or too large.
        """
        loc = entry.loc
        if loc <= self._last:
            raise SitemapError(f"{loc} is listed twice or comes after {self._last}: locs must be sorted.")
        self._last = loc
        self._locs.append(loc)
        self._dates.append(entry.lastmod)
        self._rows.append(row)
        self._size += len(row)
        shards = []
        while len(self._rows) > self._max_urls or self._size > self._max_bytes:
            if len(self._rows) == 1:
                raise SitemapError(
                    f"{loc} takes {self._size:,} bytes with its languages and images; a sitemap may have "
                    f"{self._max_bytes:,}. List fewer of them."
                )
            shards.append(self._take(self._cut()))
        return shards

    def finish(self) -> Sequence[Shard]:
        """The shard that is left, if any."""
        return [self._take(len(self._rows))] if self._rows else ()

    def _cut(self) -> int:
        """Returns how many of the rows that are held, which are too many, the next shard gets."""
        first = size = 0
        while first < self._max_urls / _LEAST and size < self._max_bytes / _LEAST:
            size += len(self._rows[first])
            first += 1
        # A checksum such as CRC does not do: those of numbered pages fall and rise together.
        digests = [blake2b(loc.encode(), digest_size=8).digest() for loc in self._locs[first:]]
        if not digests:
            return len(self._rows) - 1  # all but the last, which was too much
        return first + digests.index(min(digests))

    def _take(self, number: int) -> Shard:
        newest = max(filter(None, self._dates[:number]), default=None)
        shard = Shard(rows=self._rows[:number], newest=newest, start=self._start)
        for held in (self._locs, self._dates, self._rows):
            del held[:number]
        self._size = sum(map(len, self._rows))
        if self._locs:
            self._start = self._locs[0]
        return shard
