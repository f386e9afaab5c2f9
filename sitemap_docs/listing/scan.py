"""Work on many pages, as whoever starts it may spread it, and count it while it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TypeVar

# The command line takes `Watch` from here, and shows its help without the rest.
if TYPE_CHECKING:
    from sitemap_docs.listing.selection import Decision, Selector
    from sitemap_docs.model import Page

_T = TypeVar("_T")

Scan = Callable[["Selector", "Iterable[Page]"], "Iterable[Decision]"]
"""Maps a selector over pages, in their order, as ``map`` does."""


class Watch(Protocol):
    """Passes items on while somebody counts them; ``doing`` names them in the passive, ``pages read``."""

    def __call__(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]: ...


def unwatched(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:  # noqa: ARG001
    """The ``Watch`` where there is no terminal."""
    return items
