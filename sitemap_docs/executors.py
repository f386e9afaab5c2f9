"""Executors where the system is short of memory or processes."""

from __future__ import annotations

import threading
from concurrent.futures import Executor, Future
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def submit(executor: Executor, function: Callable[..., T], *arguments: object) -> Future[T]:
    """``executor.submit``; where it can start no thread, the result of the function, called at once."""
    try:
        return executor.submit(function, *arguments)
    except RuntimeError:  # can't start new thread
        done: Future[T] = Future()
        done.set_result(function(*arguments))
        return done


def can_start_threads() -> bool:
    """Whether the system has the memory for one more thread, which an executor of processes needs."""
    thread = threading.Thread(target=bool)
    try:
        thread.start()
    except RuntimeError:
        return False
    thread.join()
    return True
