"""One function over many items, in their order, on any ``concurrent.futures.Executor``."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Executor, Future

T = TypeVar("T")
R = TypeVar("R")

CHUNK = 512
"""Items a task: enough to make the way to another process cheap, few enough to keep memory small."""
SMALL = 8_192
"""Items up to which starting processes takes longer than the work."""


def spread(
    function: Callable[[T], R],
    items: Iterable[T],
    executor: Executor,
    *,
    ahead: int,
    chunk: int = CHUNK,
) -> Iterator[R]:
    """``map(function, items)`` on an executor: the results in order, ``ahead`` chunks in flight at most.

    Function, items and results must be picklable where the executor needs it. Closing the iterator cancels
    what has not begun.
    """
    items = iter(items)
    flying: deque[Future[list[R]]] = deque()
    try:
        while batch := list(islice(items, chunk)):
            flying.append(executor.submit(_all, function, batch))
            if len(flying) >= ahead:
                yield from flying.popleft().result()
        while flying:
            yield from flying.popleft().result()
    finally:
        for future in flying:
            future.cancel()


def _all(function: Callable[[T], R], items: list[T]) -> list[R]:
    return [function(item) for item in items]


@dataclass(frozen=True, slots=True)
class Processes:
    """Maps as ``map`` does: a small number of items here, a large one on ``jobs`` processes."""

    jobs: int

    @classmethod
    def available(cls) -> Processes:
        """As many as this process may use cores."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return cls(cores or 1)

    def __call__(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        items = iter(items)
        first = list(islice(items, SMALL if self.jobs > 1 else 0))
        yield from map(function, first)
        if self.jobs == 1 or len(first) < SMALL:
            yield from map(function, items)
            return
        # "spawn" is the one way that all systems have, and that is safe beside the thread of a progress bar.
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as executor:
            yield from spread(function, items, executor, ahead=self.jobs * 3)
