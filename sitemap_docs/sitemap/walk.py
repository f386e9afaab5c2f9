"""The order in which an index and the sitemaps that it lists are read."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Sitemaps that are read at most of one site: as many as one index may list.
MAX_SITEMAPS = 50_000


class Walk:
    """The sitemaps that are to be read, each once, so that indexes in a circle end.

    Whoever iterates opens each place, a file or an address, and adds what an index lists; that is why the
    same walk serves files and a network, with and without ``async``.

    >>> walk = Walk(["sitemap.xml"])
    >>> for place in walk:
    ...     if place == "sitemap.xml":
    ...         walk.add(["a.xml", "sitemap.xml", "a.xml"])
    ...     print(place)
    sitemap.xml
    a.xml
    """

    def __init__(self, places: Iterable[str], *, most: int = MAX_SITEMAPS) -> None:
        self._most = most
        self._known: dict[str, None] = {}
        self._waiting: deque[str] = deque()
        self.add(places)

    def add(self, places: Iterable[str]) -> None:
        """Places to read after those that wait already; raises SitemapError for too many in all."""
        for place in places:
            if place in self._known:
                continue
            if len(self._known) > self._most:
                first = next(iter(self._known))
                raise SitemapError(f"{first} leads to more than {self._most:,} sitemaps. Correct it.")
            self._known[place] = None
            self._waiting.append(place)

    def __iter__(self) -> Iterator[str]:
        while self._waiting:
            yield self._waiting.popleft()
