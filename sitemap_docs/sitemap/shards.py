"""Sitemaps of a long list that stay what they are: adding or removing one page changes few of them.

A list that is cut after every 50,000 pages moves all later pages on by one where one is added. Here the pages
themselves say where to cut: of the places at which a shard may end, which are those from an eighth of what it
may hold on, it ends before the page whose address has the smallest digest. Another page elsewhere rarely
changes which that is, and after a cut that did move, the next ones are soon the old ones again.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemap_docs.sitemap.render import Block

_LEAST = 8  # a shard holds at least an eighth of what it may, but for the last one


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Neighbours in the order of their locs.

    ``start`` is the first loc; empty for the first shard, which begins with whatever comes first.
    """

    blocks: list[Block]
    start: str

    @property
    def digest(self) -> str:
        """64 hexadecimal digits that name the start."""
        return sha256(self.start.encode()).hexdigest()


class Partition:
    """Shards of the blocks that are added in the order of their locs, as soon as they are known.

    No shard holds more than ``max_urls`` blocks or ``max_bytes`` bytes; one is held in memory.
    """

    def __init__(self, *, max_urls: int, max_bytes: int) -> None:
        self._max_urls = max_urls
        self._max_bytes = max_bytes
        self._held: list[Block] = []
        self._size = 0
        self._last = ""
        self._start = ""

    def add(self, block: Block) -> Sequence[Shard]:
        """The shards that ``block`` completes; raises SitemapError when it is out of order or too large."""
        if block.loc <= self._last:
            raise SitemapError(
                f"{block.loc} is listed twice or comes after {self._last}: locs must be sorted."
            )
        if block.size > self._max_bytes:
            raise SitemapError(
                f"{block.loc} takes {block.size} bytes; a sitemap may have {self._max_bytes}. Raise max_bytes."
            )
        self._last = block.loc
        self._held.append(block)
        self._size += block.size
        if len(self._held) <= self._max_urls and self._size <= self._max_bytes:
            return ()
        shards = []
        while len(self._held) > self._max_urls or self._size > self._max_bytes:
            shards.append(self._take(self._cut()))
        return shards

    def finish(self) -> Sequence[Shard]:
        """The shard that is left, if any."""
        if not self._held:
            return ()
        return [self._take(len(self._held))]

    def _cut(self) -> int:
        """How many of the blocks that are held, which are too many, the next shard gets."""
        enough, enough_bytes = self._max_urls / _LEAST, self._max_bytes / _LEAST
        size = 0
        best = len(self._held) - 1  # all but the last, which was too much
        smallest = b""
        for number, block in enumerate(self._held):
            if number >= enough or size >= enough_bytes:
                # A checksum such as CRC does not do: those of numbered pages fall and rise together.
                digest = blake2b(block.loc.encode(), digest_size=8).digest()
                if not smallest or digest < smallest:
                    smallest, best = digest, number
            size += block.size
        return best

    def _take(self, number: int) -> Shard:
        shard = Shard(blocks=self._held[:number], start=self._start)
        self._held = self._held[number:]
        self._size = 0
        for block in self._held:
            self._size += block.size
        if self._held:
            self._start = self._held[0].loc
        return shard
