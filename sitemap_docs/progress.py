"""Progress: how long work is counted while it is done, for whoever shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")
Total = int | Callable[[], int] | None
"""How many items come: a number, what counts them where it is to be shown, or None."""


class Watch(Protocol):
    """Passes items on while somebody counts them; ``doing`` names them in the passive, ``pages read``."""

    def __call__(self, items: Iterable[T], doing: str, total: Total = None) -> Iterable[T]: ...


def unwatched(items: Iterable[T], doing: str, total: Total = None) -> Iterable[T]:  # noqa: ARG001
    """The ``Watch`` where there is no terminal."""
    return items
