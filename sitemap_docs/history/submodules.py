"""Commits of a superproject that move a submodule to another commit, and so change files in it."""

from __future__ import annotations

from collections.abc import Iterable

from sitemap_docs.history.file_commits import DatingCommit, Refused
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import SIMPLIFIED, Repository, read_changes, read_touch

GITLINK = b"160000"


def read_moves(
    above: Repository, link: bytes, inside: Repository, paths: Iterable[bytes], refused: Refused
) -> dict[bytes, DatingCommit]:
    """The last commit that changed each file of a submodule by moving it; nothing for a file that none did.

    ``link`` is where the submodule lies in the repository ``above``. Where the clone of one lacks what to
    compare, a file is not newer than the commit.
    """
    moves: dict[bytes, DatingCommit] = {}
    left = set(paths)
    for path, change in read_changes(above.log(above.head, SIMPLIFIED, [link])):
        touch = read_touch(change)
        if path != link or refused(touch.commit):
            continue
        before, after = touch.before or b"", touch.after
        is_cut = touch.commit.id in above.boundary or not before
        if not is_cut and not before.startswith(GITLINK):  # it was added here
            break
        changed = left
        dating = DatingCommit(boundary=touch.commit)
        if not is_cut:
            how = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
            try:
                changed = left.intersection(inside.git.tokens(*how, before.split()[1], after.split()[1]))
                dating = DatingCommit(commit=touch.commit)
            except GitTrouble:  # a shallow clone lacks the commits
                pass
        moves.update(dict.fromkeys(changed, dating))
        left -= changed
        if not left:
            break
    return moves
