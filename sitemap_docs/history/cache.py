"""The commits that earlier builds found for files, kept in the cache.

What is kept was found at one HEAD. It is true there for ever: a commit never changes. It stays true for a
file that no commit since has changed along the first parents, because ``git log`` follows a first parent in
which the file is the same, and so comes to the old HEAD.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.cache import CacheError, drop_unused, open_cache
from sitemap_docs.history.paths import folders
from sitemap_docs.history.repository import FIRST_PARENT, Commit
from sitemap_docs.history.touches import read_touches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sitemap_docs.history.repository import Repository


class Kept(NamedTuple):
    """The commits that date files at ``head``; None for a file that no commit dates."""

    head: str = ""
    commits: Mapping[bytes, Commit | None] = {}


def read_kept(repository: Repository, folder: Path, view: str) -> Kept:
    """What is kept of a repository and still true; ``view`` stands for all that decides besides HEAD."""
    root = os.fsencode(repository.git.folder)
    commits: dict[bytes, Commit | None] = {}
    try:
        with open_cache(folder) as cache:
            columns = "SELECT id, head, used < CURRENT_DATE FROM histories WHERE root = ? AND view = ?"
            row = cache.execute(columns, (root, view)).fetchone()
            if row is None:
                return Kept()
            history, head, unused = row
            if unused:
                cache.execute("UPDATE histories SET used = CURRENT_DATE WHERE id = ?", (history,))
            dates = cache.execute(
                "SELECT path, id, committed, authored FROM dates WHERE history = ?", (history,)
            )
            for path, *commit in dates:
                commits[path] = Commit(*commit) if commit[0] else None
    except CacheError:
        return Kept()
    if head != repository.head:
        if not repository.extends(head):
            return Kept()
        since = repository.touches(f"{head}..{repository.head}", FIRST_PARENT, folders(commits))
        for path in read_touches(since):
            commits.pop(path, None)
    return Kept(head, commits)


def save_kept(
    repository: Repository, folder: Path, view: str, commits: Mapping[bytes, Commit | None]
) -> None:
    """Keeps what is true at HEAD in the place of what was kept of the repository."""
    root = os.fsencode(repository.git.folder)
    with suppress(CacheError), open_cache(folder) as cache:
        cache.execute("DELETE FROM histories WHERE root = ?", (root,))
        into = "INSERT INTO histories (root, view, head) VALUES (?, ?, ?)"
        history = cache.execute(into, (root, view, repository.head)).lastrowid
        rows = ((history, path, *(commit or (None, None, None))) for path, commit in commits.items())
        cache.executemany("INSERT INTO dates VALUES (?, ?, ?, ?, ?)", rows)
        drop_unused(cache)
