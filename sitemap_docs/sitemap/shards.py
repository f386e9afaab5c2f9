"""Shards that stay where they are: adding or removing one page changes few sitemaps.

The sorted locs are the leaves of a crit-bit tree (https://cr.yp.to/critbit.html): each inner node stands at
the first bit in which the locs below it differ. A part is a largest subtree within both limits. Where it
begins depends on its own locs and on those that it was parted from, never on how many come before.

A shard is a part and the tiny parts behind it, as long as they fit. A part that is not tiny always begins a
shard, so that no change goes further than the tiny parts up to there. Only tiny parts at the beginning, most
often the home page, are a shard with the part behind them.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import lt
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Sized(Protocol):
    @property
    def loc(self) -> str: ...
    @property
    def size(self) -> int: ...


Item = TypeVar("Item", bound=Sized)
_TINY = 10  # a part with less than a tenth of what a shard may hold is no shard of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard(Generic[Item]):
    """Neighbours in the order of their locs.

    ``boundary`` is the first loc, cut after the bit that parts this shard from the one before (as bytes,
    the rest of the last one zero, then ``/`` and the number of bits); empty for the first shard. ``whole``
    states that no other shard comes before or after it.
    """

    items: list[Item]
    boundary: bytes
    whole: bool

    @property
    def digest(self) -> str:
        """64 hexadecimal digits that name the boundary."""
        return hashlib.sha256(self.boundary).hexdigest()

    @property
    def start(self) -> str:
        """The boundary as text: what all later locs begin with, or the first letter that they may have next.

        >>> Shard(items=[], boundary=b"https://e.org/h/37", whole=False).start
        'https://e.org/h'
        """
        prefix, _, bits = self.boundary.rpartition(b"/")
        if not bits:
            return ""
        spare = -int(bits) % 8
        whole = prefix[:-1] if spare else prefix
        last = range(prefix[-1], prefix[-1] + (1 << spare)) if spare else ()
        letter = next((chr(code) for code in last if chr(code).isascii() and chr(code).isalnum()), "")
        return whole.decode("utf-8", "ignore") + letter


def partition(items: Iterable[Item], *, max_urls: int, max_bytes: int) -> Iterator[Shard[Item]]:
    """The shards of ``items``, which come sorted by loc; see :class:`Partition`."""
    shards = Partition[Item](max_urls=max_urls, max_bytes=max_bytes)
    for item in items:
        yield from shards.add([item])
    yield from shards.finish()


class Partition(Generic[Item]):
    """Shards of the items that are added in the order of their locs, as soon as they are known.

    No shard holds more than ``max_urls`` items or ``max_bytes`` bytes; no more than two are held in memory.
    """

    def __init__(self, *, max_urls: int, max_bytes: int) -> None:
        self._max_urls = max_urls
        self._max_bytes = max_bytes
        self._parts = _Parts[Item](max_urls=max_urls, max_bytes=max_bytes)
        self._shard: Shard[Item] | None = None

    def add(self, items: Sequence[Item]) -> Iterator[Shard[Item]]:
        """The shards that ``items`` complete; raises SitemapError when one is out of order or too large."""
        for part in self._parts.add(items):
            yield from self._take(part)

    def finish(self) -> Iterator[Shard[Item]]:
        """The shards that are left."""
        for part in self._parts.finish():
            yield from self._take(part)
        if self._shard:
            yield self._shard
        self._shard = None

    def _take(self, part: Shard[Item]) -> Iterator[Shard[Item]]:
        before, self._shard = self._shard, part
        if before and self._belongs(part, before):
            self._shard = replace(before, items=before.items + part.items)
        elif before:
            yield before

    def _belongs(self, part: Shard[Item], shard: Shard[Item]) -> bool:
        at_the_beginning = not shard.boundary and self._fits(shard, of=_TINY)
        return (self._fits(part, of=_TINY) or at_the_beginning) and self._fits(shard, part)

    def _fits(self, *shards: Shard[Item], of: int = 1) -> bool:
        """Whether what the shards hold is at most the ``of``-th part of both limits."""
        items = [item for shard in shards for item in shard.items]
        size = sum(item.size for item in items)
        return len(items) * of <= self._max_urls and size * of <= self._max_bytes


class _Parts(Generic[Item]):
    """The largest subtrees within both limits, as soon as they are known; one is held in memory."""

    def __init__(self, *, max_urls: int, max_bytes: int) -> None:
        self._max_urls = max_urls
        self._max_bytes = max_bytes
        self._held: list[Item] = []
        self._size = 0
        self._last = ""
        self._subtree = _EVERYTHING

    def add(self, items: Sequence[Item]) -> Iterator[Shard[Item]]:
        """The parts that ``items`` complete; raises SitemapError when one is out of order or too large."""
        locs = [self._last, *(item.loc for item in items)]
        if not all(map(lt, locs, locs[1:])):
            raise _unsorted(locs)
        self._last = locs[-1]
        size = sum(item.size for item in items)
        if len(self._held) + len(items) <= self._max_urls and self._size + size <= self._max_bytes:
            self._held.extend(items)
            self._size += size
            return
        for item in items:
            self._held.append(item)
            self._size += item.size
            yield from self._complete()

    def finish(self) -> Iterator[Shard[Item]]:
        """The parts that are left."""
        while self._held:
            yield self._take(self._cut() or len(self._held))

    def _complete(self) -> Iterator[Shard[Item]]:
        while len(self._held) > self._max_urls or self._size > self._max_bytes:
            if len(self._held) == 1:
                loc, size = self._held[0].loc, self._size
                raise SitemapError(
                    f"{loc} takes {size} bytes; a sitemap may have {self._max_bytes}. Raise max_bytes."
                )
            if not (cut := self._cut()):
                # All that is held lies below one node that is over the limits: its left child is a shard.
                top = _critical_bit(_key(self._held[0]), _key(self._held[-1]))
                cut = bisect_left(self._held, _Subtree.of(_key(self._held[0]), top + 1).end, key=_key)
            yield self._take(cut)

    def _cut(self) -> int:
        """How many of the items held lie in the subtree that came first; 0 when they all do."""
        if self._subtree is _EVERYTHING or _key(self._held[-1]) < self._subtree.end:
            return 0
        return bisect_left(self._held, self._subtree.end, key=_key)

    def _take(self, number: int) -> Shard[Item]:
        items, self._held = self._held[:number], self._held[number:]
        self._size -= sum(item.size for item in items)
        boundary = self._subtree.boundary
        if self._held:
            first = _key(self._held[0])
            self._subtree = _Subtree.of(first, _critical_bit(_key(items[0]), first) + 1)
        return Shard(items=items, boundary=boundary, whole=not boundary and not self._held)


def _unsorted(locs: list[str]) -> SitemapError:
    before, loc = next(pair for pair in pairwise(locs) if pair[0] >= pair[1])
    return SitemapError(f"{loc} is listed twice or comes after {before}: locs must be sorted.")


class _Subtree(NamedTuple):
    """The keys that share their first bits: from ``boundary`` (see :class:`Shard`) to below ``end``."""

    boundary: bytes
    end: bytes

    @classmethod
    def of(cls, key: bytes, bits: int) -> _Subtree:
        size = -(-bits // 8)
        spare = size * 8 - bits
        prefix = int.from_bytes(key[:size].ljust(size, b"\0"), "big") >> spare
        boundary = (prefix << spare).to_bytes(size, "big") + b"/%d" % bits
        if prefix + 1 == 1 << bits:
            return cls(boundary, b"\xff")  # no UTF-8 begins with it
        # No loc holds a NUL, so that a key sorts as if zeros without end followed it.
        return cls(boundary, ((prefix + 1) << spare).to_bytes(size, "big").rstrip(b"\0"))


_EVERYTHING = _Subtree(b"", b"")


def _key(item: Sized) -> bytes:
    return item.loc.encode()


def _critical_bit(low: bytes, high: bytes) -> int:
    """The number of bits that two keys have in common."""
    size = max(len(low), len(high))
    first, second = (int.from_bytes(key.ljust(size, b"\0"), "big") for key in (low, high))
    return size * 8 - (first ^ second).bit_length()
