"""The garbage collector beside a large host."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def collector_paused() -> Iterator[None]:
    """What is there already is not looked at again until the end: not by us, not by the collector.

    Our values are many and live long enough to set off full collections, and each walks through all that a
    host keeps of its pages: a second for 20,000 of Sphinx, several times.
    """
    if not hasattr(gc, "freeze"):  # PyPy
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
