"""Keep the commits that date files, so that the next build need not search them again.

If a commit dates a file, this stays true as long as no later commit changes the file. So a build may use what
an earlier build has found, even if its own clone is shallow and no longer contains that commit.

The commits are kept in snapshots. A snapshot has the commits that date files at one HEAD.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.cache import drop_unused, kept_file, write_kept
from sitemap_docs.history import git
from sitemap_docs.history.git import Commit, Repository

#: The folder in a cache folder with the commits that date files. There is one file for each repository.
DATES = "dates"

#: The version of the format of these files. A file in another format counts as absent.
_FORM = 2

#: The number of snapshots that a shallow clone keeps. A whole clone needs only the one of its own HEAD.
_MOST_SNAPSHOTS = 4

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Snapshot(NamedTuple):
    """The last commit of each file, as an earlier build has found it and written it to the cache."""

    #: The id of the newest commit in that build.
    head: str
    #: The ids of the commits that the user ignored.
    ignored_ids: frozenset[str]
    #: Lines of JSON, each with a commit and the files whose last commit it is.
    lines: Sequence[str]

    def commits(self) -> Iterator[tuple[bytes, Commit | None]]:
        """Yield each file in the cache with its last commit, or with None if the file has no commit.

        Raises:
            TypeError, ValueError: The cache file is damaged.
        """
        for line in self.lines:
            fields, paths = json.loads(line)
            commit = _parse_commit(*fields) if fields else None
            for path in paths:
                if not files.is_valid_path(path):
                    raise ValueError(path)
                yield os.fsencode(path), commit


class CachedCommits(NamedTuple):
    """The last commit of each file, as an earlier build has saved it in the cache."""

    #: The last commit of each file, without files that have changed since.
    commits: Mapping[bytes, Commit | None] = {}
    #: Whether the last build had the same HEAD and the same ignored commits.
    is_current: bool = False
    #: The results of earlier builds.
    snapshots: Sequence[Snapshot] = ()


def read_cached_commits(
    repository: Repository, folder: Path | None, ignored_ids: frozenset[str]
) -> CachedCommits:
    """Return the last commits of unchanged files from the cache.

    ``folder`` is the cache folder. A file whose last commit is in ``ignored_ids`` is skipped, because the
    user ignores this commit.
    """
    if folder is None:
        return CachedCommits()
    file = kept_file(folder / DATES, repository.git.folder)
    commits: dict[bytes, Commit | None] = {}
    used_snapshots: list[Snapshot] = []
    other_snapshots: list[Snapshot] = []
    try:
        snapshots = _read_snapshots(file)
        for snapshot in snapshots:
            # In a whole clone, one snapshot is enough. The history proves everything else.
            is_needed = bool(repository.boundary) or not used_snapshots
            if (
                is_needed
                and snapshot.ignored_ids <= ignored_ids
                and _is_head_or_ancestor(snapshot, repository)
            ):
                used_snapshots.append(snapshot)
                for path, commit in _commits_at_head(snapshot, repository).items():
                    if commit is None or commit.id not in ignored_ids:
                        commits.setdefault(path, commit)
            else:
                other_snapshots.append(snapshot)
    except (OSError, RecursionError, TypeError, ValueError):
        return CachedCommits()
    with suppress(OSError):
        os.utime(file)  # The cache keeps files that are in use.
    newest = snapshots[0] if snapshots else None
    is_current = newest is not None and (newest.head, newest.ignored_ids) == (repository.head, ignored_ids)
    # The earlier build may have had another clock or value of `lastmod`, so dates may be in the future.
    return CachedCommits(commits, is_current, [*used_snapshots, *other_snapshots])


def _read_snapshots(file: Path) -> list[Snapshot]:
    """Read the snapshots, the last commits of files that earlier builds have found, from a cache file.

    Raises:
        OSError: The file cannot be read.
        TypeError, ValueError: The file is damaged or in another format.
    """
    snapshots = []
    with files.open_file(file) as stream:
        lines = iter(stream)
        for header in lines:
            form, head, ignored_ids, number = json.loads(header)
            if form != _FORM or not all(map(_ID.fullmatch, [head, *ignored_ids])):
                raise ValueError(header)
            snapshot_lines = [line.decode("ascii") for line in islice(lines, number)]
            if len(snapshot_lines) != number:
                raise ValueError(header)
            snapshots.append(Snapshot(head, frozenset(ignored_ids), snapshot_lines))
    return snapshots


def _parse_commit(commit_id: str, committed: object, authored: object) -> Commit:
    """Create a commit from its fields in the cache: the id, and the commit and author dates in seconds.

    Raises:
        TypeError: The cache file is damaged.
        ValueError: The cache file is damaged.
    """
    if not _ID.fullmatch(commit_id):
        raise ValueError(commit_id)
    if not (isinstance(committed, int) and isinstance(authored, int)):
        raise TypeError(commit_id)
    return Commit(commit_id, committed, authored)


def _is_head_or_ancestor(snapshot: Snapshot, repository: Repository) -> bool:
    """Check whether the commit of an earlier build is HEAD or an ancestor of HEAD.

    ``snapshot`` contains that commit and the dates that the build has found.
    """
    return snapshot.head == repository.head or repository.extends(snapshot.head)


def _commits_at_head(snapshot: Snapshot, repository: Repository) -> dict[bytes, Commit | None]:
    """Return the last commit of each file that has not changed since ``snapshot`` was cached.

    Raises:
        TypeError: The cache file is damaged.
        ValueError: The cache file is damaged.
    """
    # As long as a file is the same as in the first parent, `git log` follows the first parent. So it gets
    # from HEAD to the commit of the snapshot.
    commits = dict(snapshot.commits())
    if snapshot.head != repository.head:
        span = f"{snapshot.head}..{repository.head}"
        folders = git.folders(commits)
        if not all(files.is_below(os.fsdecode(folder)) for folder in folders):
            raise ValueError(folders)  # Git would fail, and no file would have a date.
        for path, _ in git.read_changes(repository.log(span, git.FIRST_PARENT, folders)):
            commits.pop(path, None)
    return commits


def write_cached_commits(
    repository: Repository,
    folder: Path,
    ignored_ids: frozenset[str],
    commits: Mapping[bytes, Commit | None],
    earlier: Iterable[Snapshot],
) -> None:
    """Write the last commit of each file into a cache folder.

    Commits in ``ignored_ids`` do not give dates. In a shallow clone, ``earlier``, the caches of earlier
    builds, are kept.
    """
    snapshots = []
    if commits:
        snapshots.append(_snapshot(repository.head, ignored_ids, commits))
    # A shallow clone keeps earlier results, because it lacks the commits to find them itself.
    if repository.boundary:
        current = (repository.head, ignored_ids)
        snapshots += [snapshot for snapshot in earlier if (snapshot.head, snapshot.ignored_ids) != current]
    lines: list[str] = []
    for snapshot in snapshots[:_MOST_SNAPSHOTS]:
        header = [_FORM, snapshot.head, sorted(snapshot.ignored_ids), len(snapshot.lines)]
        lines += [f"{json.dumps(header)}\n", *snapshot.lines]
    write_kept(kept_file(folder / DATES, repository.git.folder), lines)
    drop_unused(folder / DATES)


def _snapshot(head: str, ignored_ids: frozenset[str], commits: Mapping[bytes, Commit | None]) -> Snapshot:
    paths_by_commit: defaultdict[Commit | None, list[str]] = defaultdict(list)
    for path, commit in commits.items():
        paths_by_commit[commit].append(os.fsdecode(path))
    lines = [f"{json.dumps(entry)}\n" for entry in paths_by_commit.items()]
    return Snapshot(head, ignored_ids, lines)
