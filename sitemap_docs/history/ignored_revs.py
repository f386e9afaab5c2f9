"""Commits that do not count: those that the project ignores, and those whose date has not come yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemap_docs import files

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.history.repository import Commit

Meaning = Literal["commit", "author"]

#: The file that GitHub, GitLab and many projects' ``blame.ignoreRevsFile`` read.
IGNORED = ".git-blame-ignore-revs"

# Whole ids, as git requires here: a shorter one can stand for any number of commits.
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)


class Ignored(NamedTuple):
    """Hex ids of commits; ``problem`` is what is wrong with ``file``."""

    ids: frozenset[str] = frozenset()
    file: str = ""
    problem: str = ""


class Refused(NamedTuple):
    """A test of commits: true for those that do not count at the moment ``now``, in seconds since 1970."""

    ignored: Ignored
    meaning: Meaning
    now: int

    def ahead(self, commit: Commit) -> bool:
        return date_of(commit, self.meaning) > self.now

    def __call__(self, commit: Commit) -> bool:
        return self.ahead(commit) or commit.id in self.ignored.ids


def date_of(commit: Commit, meaning: Meaning) -> int:
    """The date that a meaning asks for."""
    return commit.authored if meaning == "author" else commit.committed


def read_ignored(file: Path) -> Ignored:
    """The commits in a file in the form of ``git blame --ignore-revs-file``."""
    try:
        lines = files.read_file(file).decode("utf-8-sig", "replace").splitlines()
    except OSError as error:
        missing = f"The list of commits to ignore cannot be read: {error.strerror}."
        return Ignored(file=str(file), problem="" if file.name == IGNORED else missing)
    ids = set()
    problem = ""
    for number, line in enumerate(lines, start=1):
        entry = line.partition("#")[0].strip()
        if _ID.fullmatch(entry):
            ids.add(entry.lower())
        elif entry and not problem:
            problem = f"Line {number} names no commit."
    return Ignored(frozenset(ids), str(file), problem)
