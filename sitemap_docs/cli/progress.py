"""What a terminal shows while a command works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from sitemap_docs.listing.scan import Watch

_T = TypeVar("_T")


class _Number(ProgressColumn):
    """``1,024 of 20,000``; without a total the number alone, and nothing for the command itself."""

    def render(self, task: Task) -> Text:
        if task.total is not None:
            return Text(f"{task.completed:,.0f} of {task.total:,.0f}")
        return Text(f"{task.completed:,.0f}") if task.completed else Text()


@contextmanager
def bars(command: str) -> Iterator[Watch]:
    """A bar on stderr for the command, and one for each thing that is watched."""
    columns = (TextColumn("{task.description}"), BarColumn(), _Number(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(command, total=None)

        def watch(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:
            return progress.track(items, total=total, description=doing)

        yield watch
