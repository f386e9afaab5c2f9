"""Lines in order, however many there are: what memory need not hold waits in a temporary file."""

from __future__ import annotations

from heapq import merge
from itertools import chain
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, NamedTuple
from weakref import finalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_MOST = 50_000  # lines in memory
_LEAST = 5_000  # lines that are worth a run of their own, when they come sorted
_BLOCK = 32_768


class Run(NamedTuple):
    """Where neighbouring lines are in a :class:`LineFile`, the first and the last of them."""

    start: int
    end: int
    first: str
    last: str


class LineFile:
    """A temporary file of lines, deleted when the object is."""

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115  it is open as long as the object exists
        self._end = 0
        finalize(self, self._file.close)

    def add(self, lines: Sequence[str]) -> Run:
        """Keep lines that hold no line break, at least one."""
        self._file.seek(self._end)
        start = self._end
        self._end += self._file.write("".join([f"{line}\n" for line in lines]).encode())
        return Run(start, self._end, lines[0], lines[-1])

    def lines(self, run: Run) -> Iterator[str]:
        """The lines of a run; several runs can be read at once."""
        for lines in split_lines(self._blocks(run)):
            yield from b"\n".join(lines).decode().split("\n")

    def _blocks(self, run: Run) -> Iterator[bytes]:
        start = run.start
        while start < run.end:
            self._file.seek(start)
            block = self._file.read(min(_BLOCK, run.end - start))
            start += len(block)
            yield block


def split_lines(blocks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """The lines of a file, many at once, without their ends; the last one needs none.

    Time and memory grow as the file does, however long a line is.
    """
    begun: list[bytes] = []
    for block in blocks:
        first, newline, rest = block.partition(b"\n")
        begun.append(first)
        if newline:
            *whole, last = rest.split(b"\n")
            yield [b"".join(begun), *whole]
            begun = [last]
    if last := b"".join(begun):
        yield [last]


class Lines:
    """Lines to be read more than once, in the order in which they were given."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._sorted = LineFile()
        self._runs = [self._sorted.add(chunk) for chunk in _chunks(lines)]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(map(self._sorted.lines, self._runs))


def sorted_lines(lines: Iterable[str]) -> Iterator[str]:
    """The lines, without line breaks, sorted by their bytes in UTF-8; about 50,000 of them are in memory.

    Lines that come sorted, or in sorted stretches as in the sitemaps of one index, cost next to nothing.
    """
    runs = _sorted_runs(lines)
    first = next(runs, [])
    second = next(runs, None)
    if second is None:
        return iter(first)
    return _merged(chain((first, second), runs))


def _merged(runs: Iterable[list[str]]) -> Iterator[str]:
    file = LineFile()
    for cluster in _clusters([file.add(run) for run in runs]):
        yield from merge(*map(file.lines, cluster))


def _clusters(runs: Iterable[Run]) -> Iterator[list[Run]]:
    """Runs that overlap are together; each cluster comes before the next."""
    cluster: list[Run] = []
    last = ""
    for run in sorted(runs, key=lambda run: run.first):
        if cluster and run.first > last:
            yield cluster
            cluster = []
        cluster.append(run)
        last = max(last, run.last)
    yield cluster


def _sorted_runs(lines: Iterable[str]) -> Iterator[list[str]]:
    held: list[str] = []
    last, ordered = "", True
    for line in lines:
        if len(held) >= _MOST or (line < last and ordered and len(held) >= _LEAST):
            held.sort()
            yield held
            held, ordered = [], True
        elif line < last:
            ordered = False
        held.append(line)
        last = line
    if held:
        held.sort()
        yield held


def _chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    held: list[str] = []
    for line in lines:
        held.append(line)
        if len(held) == _MOST:
            yield held
            held = []
    if held:
        yield held
