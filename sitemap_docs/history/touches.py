"""Touches: which commits left a file in which state, read from the output of ``git log --raw``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.history.repository import Commit, GitTrouble, read_commit

if TYPE_CHECKING:
    from collections.abc import Iterable

#: The mode of a file that is not there.
ABSENT = b"000000"

_COLON, _NEWLINE = _CHANGE = b":\n"


class Touch(NamedTuple):
    """A commit that changed a file, and the file's states: a mode and an object id each.

    ``before`` is None in a merge, which found several.
    """

    commit: Commit
    after: bytes
    before: bytes | None


def read_touches(tokens: Iterable[bytes]) -> dict[bytes, list[Touch]]:
    """The touches of each path in the output of ``git log -z --raw --format='%H %ct %at'``, in its order.

    GitTrouble when the output has another form.
    """
    touches: dict[bytes, list[Touch]] = {}
    states: dict[bytes, bytes] = {}  # one object for the state that a commit leaves and the next one finds
    commit = None
    tokens = iter(tokens)
    for token in tokens:
        if not token:  # stands before the changes of a merge
            continue
        if token[0] not in _CHANGE:
            commit = read_commit(token)
            continue
        path = next(tokens, b"")
        if commit is None:
            raise _odd(token)
        after, before = _states(token[1:] if token[0] == _NEWLINE else token)
        touch = Touch(commit, states.setdefault(after, after), before and states.setdefault(before, before))
        touches.setdefault(path, []).append(touch)
    return touches


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


def _states(change: bytes) -> tuple[bytes, bytes | None]:
    """``:mode mode id id M`` or, of a merge with two parents, ``::mode mode mode id id id MM``."""
    fields = change.split(b" ")
    try:
        if change[1] != _COLON:
            old_mode, mode, old, new, _ = fields
            return mode + b" " + new, old_mode[1:] + b" " + old
        parents = change.count(b":")
        return fields[parents] + b" " + fields[2 * parents + 1], None
    except (ValueError, IndexError):
        raise _odd(change) from None


def _odd(change: bytes) -> GitTrouble:
    return GitTrouble("git-failed", f"no change: {change[:80]!r}")
