"""The work on many pages, spread over processes."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from concurrent.futures import Future

    from sitemap_docs.listing.selection import Decision, Selector
    from sitemap_docs.model import Page

PAGES_A_TASK = 512
"""Pages a task: enough to pay for the way to another process, few enough to keep memory small."""
FEW_PAGES = 8_192
"""Pages up to which starting processes takes longer than the work."""


def _decide(selector: Selector, pages: Sequence[Page]) -> list[Decision]:
    return list(map(selector, pages))


def scan_in_processes(jobs: int | None, selector: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
    """``decide``'s scan: few pages here, many in so many processes; in one a core without ``jobs``."""
    pages = iter(pages)
    first = list(islice(pages, FEW_PAGES))
    yield from map(selector, first)
    if jobs is None and hasattr(os, "sched_getaffinity"):
        jobs = len(os.sched_getaffinity(0))  # the cores that this process may use
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(first) < FEW_PAGES or not _can_start_threads():
        yield from map(selector, pages)
        return

    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  expensive, and few sites are so large
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    submitted: deque[Future[list[Decision]]] = deque()
    # "spawn" is the one way that all systems have, and that is safe beside the thread of a progress bar.
    try:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as executor:
            while chunk := list(islice(pages, PAGES_A_TASK)):
                submitted.append(executor.submit(_decide, selector, chunk))
                if len(submitted) >= jobs * 3:
                    yield from submitted.popleft().result()
            for future in submitted:
                yield from future.result()
    except BrokenProcessPool:
        raise SitemapError(
            "The system ended a process that read pages, perhaps for lack of memory. Nothing was changed. "
            "Read them in one process: --jobs 1."
        ) from None


def _can_start_threads() -> bool:
    """Whether the system has the memory for one more thread, which an executor of processes needs."""
    thread = threading.Thread(target=bool)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True
