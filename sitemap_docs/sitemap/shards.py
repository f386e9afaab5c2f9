"""Sitemaps of a long list that stay what they are: adding or removing one page changes few of them.

A list that is cut after every 50,000 pages moves all later pages on by one where one is added. Here the pages
themselves say where to cut: of the places at which a shard may end, which are those from an eighth of what it
may hold on, it ends before the page whose address has the smallest digest. Another page elsewhere rarely
changes which that is, and after a cut that did move, the next ones are soon the old ones again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b, sha256

from sitemap_docs.model import Entry, SitemapError

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
