"""Read many pages in parallel processes."""

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
"""Pages per task. With fewer, sending them to another process would take too long. More would need memory."""
FEW_PAGES = 8_192
"""The number of pages up to which starting processes takes longer than reading the pages."""


def _decide(selector: Selector, pages: Sequence[Page]) -> list[Decision]:
    return list(map(selector, pages))


def scan_in_processes(jobs: int | None, selector: Selector, pages: Iterable[Page]) -> Iterator[Decision]:
    """Decide for each page whether the sitemap lists it.

    The function ``selector`` decides about one page. For a large site, several processes share the work.
    ``jobs`` is their number. By default, there is a process for each usable core.

    Raises:
        SitemapError: A process was killed.
    """
    pages = iter(pages)
    first_pages = list(islice(pages, FEW_PAGES))
    yield from map(selector, first_pages)
    if jobs is None and hasattr(os, "sched_getaffinity"):
        jobs = len(os.sched_getaffinity(0))
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(first_pages) < FEW_PAGES or not _can_start_threads():
        yield from map(selector, pages)
        return

    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415  expensive, and few sites are so large
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    submitted: deque[Future[list[Decision]]] = deque()
    # All systems support "spawn". Unlike "fork", it is safe while the progress bar runs in a thread.
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
            "Pass --jobs 1 to read all pages in one process."
        ) from None


def _can_start_threads() -> bool:
    """Check whether the system can start another thread."""
    # A pool of processes needs a thread.
    thread = threading.Thread(target=bool)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True
