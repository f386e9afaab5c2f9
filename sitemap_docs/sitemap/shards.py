"""Sitemaps of a long list that stay what they are: adding or removing one page changes few of them.

A list that is cut after every 50,000 pages moves all later pages on by one where one is added. Here the pages
themselves say where to cut: of the places at which a shard may end, which are those from an eighth of what it
may hold on, it ends before the page whose address has the smallest digest. Another page elsewhere rarely
changes which that is, and after a cut that did move, the next ones are soon the old ones again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from sitemap_docs.model import SitemapError


class Sized(Protocol):
    @property
    def loc(self) -> str: ...
    @property
    def size(self) -> int: ...


Item = TypeVar("Item", bound=Sized)

_LEAST = 8  # a shard holds at least an eighth of what it may, but for the last one


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard(Generic[Item]):
    """Neighbours in the order of their locs.

    ``start`` is the first loc; empty for the first shard, which begins with whatever comes first.
    """

    items: list[Item]
    start: str

    @property
    def digest(self) -> str:
        """64 hexadecimal digits that name the start."""
        return hashlib.sha256(self.start.encode()).hexdigest()


class Partition(Generic[Item]):
    """Shards of the items that are added in the order of their locs, as soon as they are known.

    No shard holds more than ``max_urls`` items or ``max_bytes`` bytes; one is held in memory.
    """

    def __init__(self, *, max_urls: int, max_bytes: int) -> None:
        self._max_urls = max_urls
        self._max_bytes = max_bytes
        self._held: list[Item] = []
        self._size = 0
        self._last = ""
        self._start = ""

    def add(self, item: Item) -> list[Shard[Item]]:
        """The shards that ``item`` completes; raises SitemapError when it is out of order or too large."""
        if item.loc <= self._last:
            raise SitemapError(
                f"{item.loc} is listed twice or comes after {self._last}: locs must be sorted."
            )
        if item.size > self._max_bytes:
            raise SitemapError(
                f"{item.loc} takes {item.size} bytes; a sitemap may have {self._max_bytes}. Raise max_bytes."
            )
        self._last = item.loc
        self._held.append(item)
        self._size += item.size
        shards = []
        while len(self._held) > self._max_urls or self._size > self._max_bytes:
            shards.append(self._take(self._cut()))
        return shards

    def finish(self) -> list[Shard[Item]]:
        """The shard that is left, if any."""
        if not self._held:
            return []
        return [self._take(len(self._held))]

    def _cut(self) -> int:
        """How many of the items that are held, which are too many, the next shard gets."""
        size = 0
        best = len(self._held) - 1  # all but the last, which was too much
        smallest = b""
        for number, item in enumerate(self._held):
            full_enough = number * _LEAST >= self._max_urls or size * _LEAST >= self._max_bytes
            if number and full_enough:
                # A checksum such as CRC does not do: those of numbered pages fall and rise together.
                digest = hashlib.blake2b(item.loc.encode(), digest_size=8).digest()
                if not smallest or digest < smallest:
                    smallest, best = digest, number
            size += item.size
        return best

    def _take(self, number: int) -> Shard[Item]:
        shard = Shard(items=self._held[:number], start=self._start)
        self._held = self._held[number:]
        self._size -= sum(item.size for item in shard.items)
        if self._held:
            self._start = self._held[0].loc
        return shard
