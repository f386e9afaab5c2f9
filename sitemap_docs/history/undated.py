"""Why a file has no date: what one look at git's answers for it shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.history.ignored_revs import IGNORED, Refused, read_ignored
from sitemap_docs.history.repository import GitTrouble, open_repository

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemap_docs.history.ignored_revs import Meaning


def undated_cause(
    source: Path,
    *,
    meaning: Meaning,
    now: int,
    ignore_revs: Path | None = None,
    environ: Mapping[str, str],
) -> str:
    """The cause in a few words; ``now`` is in seconds since 1970, the others as for ``read_dates``."""
    try:
        repository = open_repository(str(source.parent), environ)
        commits = list(repository.commits(repository.head, repository.prefix + os.fsencode(source.name)))
    except GitTrouble:
        return f"{source.name} is in no git repository"
    if not commits:
        return f"{source.name} is untracked"
    top = Path(os.fsdecode(repository.git.output("rev-parse", "--show-toplevel")).rstrip("\n"))
    ignored = read_ignored(ignore_revs or top / IGNORED)
    refused = Refused(ignored, meaning, now)
    if commits[0].id in repository.boundary:
        return "the history is cut off by a shallow clone; fetch it whole"
    if all(refused(commit) for commit in commits):
        future = all(refused.ahead(commit) for commit in commits)
        where = "in the future" if future else f"in {Path(ignored.file).name}"
        return f"{'its only commit is' if len(commits) == 1 else 'all its commits are'} {where}"
    return "git gives no date"
