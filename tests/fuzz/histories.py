"""The fuzzer's histories: bytes that become what git prints, beside what it means."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.history.file_commits import read_ignored
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import Commit, Repository, Touch, read_changes, read_commit, read_touch

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 40
MODES = (b"000000", b"100644", b"100755", b"120000")


class Printed(NamedTuple):
    """Stands for a git that has printed this."""

    text: bytes

    def tokens(self, *_: object) -> list[bytes]:
        return self.text.split(b"\0")[:-1]


class Change(NamedTuple):
    """What a commit did to a path; ``before`` is None in a merge."""

    commit: Commit
    path: bytes
    before: bytes | None
    after: bytes


def git(data: bytes) -> None:
    """Any output gives an answer or GitTrouble; that of a real history is read as it is meant."""
    tokens = data.split(b"\0")
    for _, change in read_changes(tokens):
        with suppress(GitTrouble):
            read_touch(change)
    for token in tokens[:3]:
        with suppress(GitTrouble):
            read_commit(token)
    changes = list(history(data))
    check_tree(changes)
    check_touches(changes)
    with TemporaryDirectory() as folder:
        file = Path(folder, "list")
        file.write_bytes(data)
        assert len(read_ignored(file)[0]) <= len(data)


def history(data: bytes) -> Iterator[Change]:
    """A change for each line: who, how and, in the rest of the line, where."""
    commit = Commit("0" * WIDTH, 0, 0)
    for number, line in enumerate(data.replace(b"\0", b"").split(b"\n")[:40]):
        if len(line) > 3:
            if line[0] % 3 == 0:
                commit = Commit(f"{number:040x}", line[1] << line[2] % 54, line[2])
            before, after = (MODES[part % 4] + b" " + b"%040x" % (part // 4) for part in line[1:3])
            yield Change(commit, line[3:], before if line[0] % 5 else None, after)


def printed(changes: list[Change]) -> Iterator[bytes]:
    """The tokens of ``git log -z --raw --format='%H %ct %at'``."""
    last = None
    for commit, path, before, after in changes:
        if commit != last:
            yield b"%b %d %d" % (commit.id.encode(), commit.committed, commit.authored)
            first = True
        mode, name = after.split(b" ")
        if before is None:
            change = b"::100644 100644 %b %b %b %b MM" % (mode, b"1" * WIDTH, b"2" * WIDTH, name)
            if first:
                yield b""
        else:
            old_mode, old_name = before.split(b" ")
            change = b":%b %b %b %b M" % (old_mode, mode, old_name, name)
        yield b"\n" + change if first else change
        yield path
        last, first = commit, False


def check_touches(changes: list[Change]) -> None:
    found = [(path, read_touch(change)) for path, change in read_changes(printed(changes))]
    assert found == [(each.path, Touch(each.commit, each.after, each.before)) for each in changes]


def check_tree(changes: list[Change]) -> None:
    files = {change.path: change.after for change in changes}
    listing = b"".join(
        b"%b blob %b\t%b\0" % (mode, name, path)
        for path, (mode, name) in ((p, s.split(b" ")) for p, s in files.items())
    )
    repository = Repository(Printed(listing), "0" * WIDTH, frozenset(), is_altered=False)  # type: ignore[arg-type]
    assert repository.tree([b"."]) == files
