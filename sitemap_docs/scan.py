"""The scan of many pages, in their order, on any ``concurrent.futures.Executor``."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.html.head import ORDINARY
from sitemap_docs.selection import decide, read_head_or_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from sitemap_docs.html.head import Head
    from sitemap_docs.model import Page
    from sitemap_docs.selection import Decision, Selector

CHUNK = 512
"""Pages a task: enough to pay for the way to another process, few enough to keep memory small."""
SMALL = 8_192
"""Pages up to which starting processes takes longer than the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """``publish``'s scan on ``executor``, with ``ahead`` chunks in flight at most.

    Threads, processes and clusters will do, as long as they find the files at the same paths. Closing the
    iterator cancels what has not begun.
    """

    executor: Executor
    ahead: int
    chunk: int = CHUNK

    def __call__(self, judge: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
        """The verdicts of ``map(judge, pages)``."""
        pages = iter(pages)
        flying: deque[_Batch] = deque()
        try:
            while some := list(islice(pages, self.chunk)):
                flying.append(_Batch.sent(some, judge, self.executor))
                if len(flying) >= self.ahead:
                    yield from flying.popleft().verdicts()
            while flying:
                yield from flying.popleft().verdicts()
        finally:
            for batch in flying:
                batch.heads.cancel()


class _Batch(NamedTuple):
    """Pages, what is said of them unread, and the unusual heads of the others, which are on their way.

    Only names go there and only what is unusual comes back: pages and verdicts are dear to send.
    """

    pages: Sequence[Page]
    locs: Sequence[str]
    unread: Sequence[Decision | None]
    heads: Future[dict[int, Head | str]]

    @classmethod
    def sent(cls, pages: Sequence[Page], judge: Selector, executor: Executor) -> _Batch:
        locs = [judge.base.loc(page.path) for page in pages]
        unread = list(map(judge.unread, pages, locs))
        asked = [
            (os.fspath(page.file), loc)
            for page, loc, verdict in zip(pages, locs, unread, strict=True)
            if not verdict
        ]
        return cls(pages, locs, unread, executor.submit(_unusual, asked))

    def verdicts(self) -> Iterator[Decision]:
        heads, place = self.heads.result(), count()
        for page, loc, verdict in zip(self.pages, self.locs, self.unread, strict=True):
            yield verdict or decide(page, loc, heads.get(next(place), ORDINARY))


def _unusual(files: Sequence[tuple[str, str]]) -> dict[int, Head | str]:
    heads = (read_head_or_error(file, loc) for file, loc in files)
    return {place: head for place, head in enumerate(heads) if head is not ORDINARY}


@dataclass(frozen=True, slots=True)
class Processes:
    """``publish``'s scan: a small number of pages here, a large one on ``jobs`` processes."""

    jobs: int

    @classmethod
    def available(cls) -> Processes:
        """As many as this process may use cores."""
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return cls(cores or 1)

    def __call__(self, judge: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
        """The verdicts of ``map(judge, pages)``."""
        pages = iter(pages)
        first = list(islice(pages, SMALL)) if self.jobs > 1 else []
        yield from map(judge, first)
        if len(first) < SMALL:
            yield from map(judge, pages)
            return
        # "spawn" is the one way that all systems have, and that is safe beside the thread of a progress bar.
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as executor:
            yield from Spread(executor=executor, ahead=self.jobs * 3)(judge, pages)
