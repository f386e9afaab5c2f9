"""Touch records: which commits left which state of each file. They are facts and never go stale."""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import Struct
from struct import error as StructError  # noqa: N812
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.history.repository import Commit, GitTrouble, read_commit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Record = bytes | bytearray | memoryview

_COMMIT = Struct("=64sqq")
_COLON, _NEWLINE = _CHANGE = b":\n"


class OddRecordError(Exception):
    """A touch record that was not written by us: of a cache that holds something else."""


class Touch(NamedTuple):
    """A commit that changed a file; ``before`` is what it found, ``None`` in a merge: it found several."""

    commit: Commit
    before: bytes | None


@dataclass(frozen=True, slots=True)
class Touches:
    """The touch records of files, in the order of ``git log``.

    A state is a mode and an object id, as :meth:`Repository.tree` has it. The records of a file are lines
    ``>state<state before@number of the commit``.
    """

    commits: bytes | bytearray | memoryview = b""
    records: Mapping[bytes, Record] = field(default_factory=dict)
    _read: dict[int, Commit] = field(default_factory=dict, repr=False, compare=False)  # one for all its files

    def leaving(self, path: bytes, state: bytes) -> list[Touch]:
        """The commits that left a file in a state."""
        record = bytes(self.records.get(path, b""))
        mark = b">" + state + b"<"
        found = []
        start = record.find(mark)
        while start >= 0:
            end = record.find(b"\n", start)
            found.append(self._touch(record[start + len(mark) : end]))
            start = record.find(mark, end)
        return found

    def by(self, path: bytes, commit: str) -> Touch | None:
        """The touch of a file by one commit."""
        return next((touch for touch in self.of(path) if touch.commit.id == commit), None)

    def of(self, path: bytes) -> Iterator[Touch]:
        """All touches of a file."""
        for line in bytes(self.records.get(path, b"")).splitlines():
            yield self._touch(line.partition(b"<")[2])

    def _touch(self, rest: bytes) -> Touch:
        before, _, number = rest.partition(b"@")
        try:
            return Touch(self._commit(int(number)), before or None)
        except (ValueError, StructError) as problem:
            raise OddRecordError(f"no record: {rest[:80]!r}") from problem

    def _commit(self, number: int) -> Commit:
        if number not in self._read:
            name, committed, authored = _COMMIT.unpack_from(self.commits, number * _COMMIT.size)
            self._read[number] = Commit(name.rstrip(b"\0").decode("ascii"), committed, authored)
        return self._read[number]


def read_touches(tokens: Iterable[bytes], width: int, older: Touches | None = None) -> Touches:
    """The records in the output of ``git log -z --raw --format='%H %ct %at'``, followed by older ones.

    ``width`` is the number of hex digits of an object id. GitTrouble when the output has another form.
    """
    older = older or Touches()
    commits = bytearray(older.commits)
    records: dict[bytes, Record] = {}
    number = len(commits) // _COMMIT.size - 1
    suffix = b""
    tokens = iter(tokens)
    for token in tokens:
        if not token:  # stands before the changes of a merge
            continue
        first = token[0]
        if first not in _CHANGE:
            commits += _packed(token)
            number += 1
            suffix = b"@%d\n" % number
            continue
        change = token[1:] if first == _NEWLINE else token
        path = next(tokens, b"")
        try:
            line = _line(change, width) + suffix
        except IndexError:
            raise GitTrouble("git-failed", f"no change: {change[:80]!r}") from None
        record = records.get(path)
        if record is None:
            records[path] = bytearray(line)
        else:
            record += line  # type: ignore[operator]  # a bytearray, made above
    for path, record in older.records.items():
        records[path] = bytes(records[path]) + record if path in records else record
    return Touches(commits, records)


def first_touches(tokens: Iterable[bytes], paths: Iterable[bytes]) -> dict[bytes, Commit]:
    """The first commit of each path in the output that :func:`read_touches` reads; the rest stays unread."""
    left = set(paths)
    found = {}
    header = b""
    tokens = iter(tokens)
    for token in tokens:
        if token and token[0] not in _CHANGE:
            header = token
        elif token and (path := next(tokens, b"")) in left:
            found[path] = read_commit(header)
            left.remove(path)
            if not left:
                break
    return found


def _packed(header: bytes) -> bytes:
    commit = read_commit(header)
    return _COMMIT.pack(commit.id.encode(), commit.committed, commit.authored)


def _line(change: bytes, width: int) -> bytes:
    """``:mode mode id id M`` or, of a merge with two parents, ``::mode mode mode id id id MM``."""
    if change[1] != _COLON:
        return b">%b%b<%b%b" % (
            change[8:14],
            change[15 + width : 16 + 2 * width],
            change[1:7],
            change[14 : 15 + width],
        )
    parents = change.count(b":")
    parts = change[parents:].split(b" ")
    return b">%b %b<" % (parts[parents], parts[2 * parents + 1])
