"""The scan of many pages, in their order, on any ``concurrent.futures.Executor``."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_docs.html.head import Head
    from sitemap_docs.listing.selection import Decision, Selector
    from sitemap_docs.model import Page

CHUNK = 512
"""Pages a task: enough to pay for the way to another process, few enough to keep memory small."""
SMALL = 8_192
"""Pages up to which starting processes takes longer than the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """``publish``'s scan on ``executor``, with ``ahead`` chunks submitted at most.

    Threads, processes and clusters will do, as long as they find the files at the same paths. Closing the
    iterator cancels what has not begun.
    """

    executor: Executor
    ahead: int
    chunk: int = CHUNK

    def __call__(self, selector: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
        """The decisions of ``map(selector, pages)``."""
        pages = iter(pages)
        submitted: deque[Future[list[Decision]]] = deque()
        try:
            while chunk := list(islice(pages, self.chunk)):
                submitted.append(self.executor.submit(_decide, selector, chunk))
                if len(submitted) >= self.ahead:
                    yield from submitted.popleft().result()
            while submitted:
                yield from submitted.popleft().result()
        finally:
            for future in submitted:
                future.cancel()


def _decide(selector: Selector, pages: Sequence[Page]) -> list[Decision]:
    return list(map(selector, pages))


@dataclass(frozen=True, slots=True)
class Processes:
    """``publish``'s scan: a small number of pages here, a large one on ``jobs`` processes."""

    jobs: int

    @classmethod
    def available(cls) -> Processes:
        """As many as this process may use cores."""
        if hasattr(os, "sched_getaffinity"):
            return cls(len(os.sched_getaffinity(0)))
        return cls(os.cpu_count() or 1)

    def __call__(self, selector: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
        """The decisions of ``map(selector, pages)``."""
        pages = iter(pages)
        if self.jobs == 1:
            yield from map(selector, pages)
            return
        first = list(islice(pages, SMALL))
        yield from map(selector, first)
        if len(first) < SMALL:
            return
        if not can_start_threads():
            yield from map(selector, pages)
            return
        # "spawn" is the one way that all systems have, and that is safe beside the thread of a progress bar.
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as executor:
            yield from Spread(executor=executor, ahead=self.jobs * 3)(selector, pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedScan:
    """``publish``'s scan that keeps ``heads``, by file, for an audit of the same build, if ``wanted``."""

    wanted: bool
    scan: Callable[[Selector, Iterable[Page]], Iterable[Decision]] = map
    heads: dict[str, Head] = field(default_factory=dict)

    def __call__(self, selector: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
        """The decisions of ``map(selector, pages)``."""
        if not self.wanted:
            yield from self.scan(selector, pages)
            return
        for decision in self.scan(replace(selector, described=True), pages):
            if decision.head:
                self.heads[os.fspath(decision.page.file)] = decision.head
            yield decision


def can_start_threads() -> bool:
    """Whether the system has the memory for one more thread, which an executor of processes needs."""
    thread = threading.Thread(target=bool)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True
