"""Find the last commit of each file, in one pass over the history.

The last commit of a file is the commit that ``git log -1 -- FILE`` shows. Git follows a parent in which the
file is the same, until it finds a commit in which the file differs from all parents. So the last commit of a
file has two properties: the file differs from all parents, and the commit leaves the file in its present
state. If only one commit has both properties, it is the last commit. If several commits have them, for
example after a revert or a cherry-pick, git is asked about the file.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from functools import cache as cache_of
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.config.dates import is_future, moment
from sitemap_docs.config.options import Meaning
from sitemap_docs.history import git
from sitemap_docs.history.date_cache import read_cached_commits, write_cached_commits
from sitemap_docs.history.git import Commit, FileChange, GitTrouble, Origin, RawChange, Repository
from sitemap_docs.linear import linear

#: For so few files, it is faster to ask git about each file than to read the history of first parents.
FEW_PATHS = 2

#: If so few files have changed since an earlier build, it is faster to ask about each of them.
FEW_STATES = 16

#: If more commits of a file do not count, it is faster to ask git about the file.
_FEW_PASSED = 8

#: The mode of a submodule.
GITLINK = b"160000"

#: The position of the object id in the state of a file, after the mode.
_ID_AT = len(git.ABSENT) + 1

# Only whole ids, as git requires in this list, because an abbreviated id may fit several commits.
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)


class _SearchedFile(NamedTuple):
    """A file whose last commit git is still searching for."""

    #: The path of the file today.
    file: bytes
    #: Its path at the point that the search has reached. It differs before a rename.
    path: bytes
    #: The mode and object id at ``path``, such as ``b"100644 2c26b4…"``.
    state: bytes


class CommitFilter(NamedTuple):
    """Rejects commits that cannot give a file its date: ignored, in the future or before 1970."""

    #: The ids of the commits that the user ignores.
    ignored_ids: frozenset[str]
    #: Which date of a commit to use: ``author`` or ``commit``.
    meaning: Meaning
    #: The current time.
    now: datetime

    def has_impossible_date(self, commit: Commit) -> bool:
        """Check whether a commit has an impossible date: in the future or before 1970."""
        date = moment(date_of(commit, self.meaning))
        return date is None or is_future(date, self.now)

    def accepts(self, commit: Commit) -> bool:
        """Check whether a commit can give a file its date."""
        return not self.has_impossible_date(commit) and commit.id not in self.ignored_ids


def date_of(commit: Commit, meaning: Meaning) -> int:
    """Return a date of a commit, in seconds since 1970. ``meaning`` is ``author`` or ``commit``."""
    return commit.authored if meaning == "author" else commit.committed


@linear
def read_ignored(file: Path) -> tuple[frozenset[str], str]:
    """Return the commit ids in a file such as ``.git-blame-ignore-revs``, and an error message.

    The message is empty if the file is correct.
    """
    try:
        lines = files.read_file(file).decode("utf-8-sig", "replace").splitlines()
    except OSError as error:
        return frozenset(), (
            f"The list of commits to ignore cannot be read: {error.strerror}. Check the path of the file."
        )
    ids = set()
    problem = ""
    for number, line in enumerate(lines, start=1):
        entry = line.partition("#")[0].strip()
        if _ID.fullmatch(entry):
            ids.add(entry.lower())
        elif entry and not problem:
            problem = (
                f"Line {number} is not a full commit hash. Write one full commit hash on each line; comments "
                "start with #."
            )
    return frozenset(ids), problem


class LastCommit(NamedTuple):
    """The last commit of a file, or the reason why it is not known."""

    #: The last commit, or None.
    commit: Commit | None = None
    #: Whether the commit may be missing because the clone is shallow.
    is_cut: bool = False
    #: An ignored commit that perhaps renamed the file, or None.
    unclear: Commit | None = None
    #: A newer commit that was skipped because of its impossible date, or None.
    future: Commit | None = None
    #: An update of the submodule from or to a missing commit, or None.
    lost: Commit | None = None
    #: The folder of the submodule, if only the submodule is shallow.
    cut_root: str = ""

    @property
    def is_unproven(self) -> bool:
        """Whether the last commit is uncertain, because the clone lacks a part of the history."""
        return self.is_cut or self.unclear is not None or self.lost is not None

    @property
    def is_lasting(self) -> bool:
        """Whether later builds will find the same last commit for the file, so that it can be cached."""
        return not (self.is_unproven or self.future)


@lru_cache(maxsize=1_024)
def _share_last_commit(commit: Commit | None, future: Commit | None = None) -> LastCommit:
    """Return a ``LastCommit``. To save memory, all files with the same last commit get the same object.

    ``future`` is a newer commit that was skipped because its date is in the future or before 1970, or None.
    """
    return LastCommit(commit=commit, future=future)


def read_last_commits(
    repository: Repository, paths: Collection[bytes], commit_filter: CommitFilter, cache: Path | None
) -> dict[bytes, LastCommit]:
    """Return the last commit of each file, from git or from the folder ``cache``.

    ``paths`` are files, and folders such as ``b"docs/"``. ``commit_filter`` skips commits, for example those
    in ``.git-blame-ignore-revs``.
    """
    if repository.is_altered:
        cache = None
    states = _states_at_head(repository, paths)
    kept = read_cached_commits(repository, cache, commit_filter.ignored_ids)
    last_commits = {}
    for path, commit in kept.commits.items():
        if path in states and (commit is None or commit_filter.accepts(commit)):
            last_commits[path] = _share_last_commit(commit)
            del states[path]
    search = _Search(repository, states, commit_filter)
    if kept.commits and len(states) <= FEW_STATES and not commit_filter.ignored_ids:
        for path in states:
            last_commits[path] = search.find_one(repository.head, path)
    elif states:
        last_commits |= search.find_all(whole=bool(commit_filter.ignored_ids))
    del search  # This frees the memory of all changes that were read.
    if cache and (states or not kept.is_current):
        commits = dict(kept.commits)
        for path in states:
            if last_commits[path].is_lasting:
                commits[path] = last_commits[path].commit
        write_cached_commits(repository, cache, commit_filter.ignored_ids, commits, kept.snapshots)
    return last_commits


def read_submodule_commits(
    parent: Repository, link: bytes, inside: Repository, paths: Iterable[bytes], commit_filter: CommitFilter
) -> dict[bytes, LastCommit]:
    """Return, for each file of a submodule, the last update of the submodule that changed the file.

    An update is a commit of the outer repository: it replaces the submodule's commit by another one.

    Args:
        parent: The outer repository.
        link: The path of the submodule in the outer repository.
        inside: The repository of the submodule.
        paths: Paths of files in the submodule.
        commit_filter: Decides which commits count.
    """
    moves: dict[bytes, LastCommit] = {}
    remaining_paths = set(paths)
    # An update is a commit of the outer repository that switches the submodule to another version.
    for path, change in git.read_changes(parent.log(parent.head, git.SIMPLIFIED, [link])):
        file_change = git.parse_change(change)
        is_at_boundary = file_change.commit.id in parent.boundary
        if path != link or not (is_at_boundary or commit_filter.accepts(file_change.commit)):
            continue
        old_links = [state for state in git.read_states_before(change) if state.startswith(GITLINK)]
        if not is_at_boundary and not old_links:  # This commit has added the submodule.
            break
        changed_paths = remaining_paths
        last_commit = LastCommit(is_cut=True)
        if not is_at_boundary:
            try:
                # Like git log, compare a merge with all its parents.
                for link_state in old_links:
                    changed_paths = changed_paths & _paths_between(inside, link_state, file_change.after)
                last_commit = LastCommit(commit=file_change.commit)
            except GitTrouble:
                changed_paths = remaining_paths
                last_commit = LastCommit(is_cut=True, cut_root=inside.git.folder)
                if not inside.boundary:
                    last_commit = LastCommit(lost=file_change.commit)
        moves.update(dict.fromkeys(changed_paths, last_commit))
        remaining_paths = remaining_paths - changed_paths
        if not remaining_paths:
            break
    return moves


def _paths_between(submodule: Repository, old_link: bytes, new_link: bytes) -> set[bytes]:
    """Return the files of a submodule that differ between two of its commits.

    ``old_link`` and ``new_link`` are lines of git with the id of a commit, such as ``b"160000 2c26b4…"``.

    Raises:
        GitTrouble: The clone of the submodule lacks one of the commits.
    """
    how = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
    return {*submodule.git.tokens(*how, old_link.split()[1], new_link.split()[1])}


def _states_at_head(repository: Repository, paths: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the mode and object id of each file in HEAD, such as ``b"100644 2c26b4…"``."""
    tree = repository.tree(git.folders(paths))
    states = {}
    folders = []
    for path in paths:
        if path in tree:
            states[path] = tree[path]
        elif path.endswith(b"/") or not path:
            folders.append(path)
    if folders:
        prefixes = tuple(folders)
        states |= {path: state for path, state in tree.items() if path.startswith(prefixes)}
    return states


class _Search:
    """Finds the last commit of each file in a git repository.

    ``states`` maps each file to its mode and object id in git, such as ``b"100644 2c26b4…"``.
    ``commit_filter`` decides whether a commit can give a file its date.
    """

    def __init__(
        self, repository: Repository, states: Mapping[bytes, bytes], commit_filter: CommitFilter
    ) -> None:
        self._repository = repository
        self._states = states
        self._commit_filter = commit_filter
        self._folders = git.folders(states)
        self._changes: dict[bytes, list[RawChange]] = {}
        self._by_commit: dict[bytes, dict[bytes, RawChange]] = {}
        self._moves = cache_of(repository.moves)

    def _read_changes(self, *, whole: bool) -> None:
        """Read the changes of all files from git.

        If ``whole`` is false, keep only changes that produced the present content of a file.
        """
        self._changes = {}
        self._by_commit = {}
        log = self._repository.log(self._repository.head, git.MERGED, self._folders)
        for path, change in git.read_changes(log):
            state = self._states.get(path)
            if whole or (state and state[_ID_AT:] in change[1]):
                changes = self._changes.get(path)
                if changes:
                    changes.append(change)
                else:
                    self._changes[path] = [change]  # This list takes half the memory of a list with append().

    def find_all(self, *, whole: bool) -> dict[bytes, LastCommit]:
        """Find the last commit of each file in one pass over the history.

        If ``whole`` is false, only changes that produced the present content of a file are kept in memory. If
        these changes are not enough, the search is repeated with all changes.
        """
        self._read_changes(whole=whole)
        head = self._repository.head
        last_commits: dict[bytes, LastCommit] = {}
        futures: dict[bytes, Commit] = {}
        passed: Counter[bytes] = Counter()
        files_by_start: dict[str, list[_SearchedFile]] = {}
        start = head
        files: Iterable[_SearchedFile] = [
            _SearchedFile(path, path, state) for path, state in self._states.items()
        ]
        while True:
            for (file, path, _), file_change in self._last_changes(start, files):
                future = futures.get(file)
                if file_change is None:
                    last_commits[file] = self._no_commit_found(future)
                    continue
                commit = file_change.commit
                origin = self._origin(file_change, path)
                answer = None if origin else self._last_commit_at(commit, file_change, future)
                before = f"{commit.id}^@"
                if answer:
                    last_commits[file] = answer
                elif not whole:
                    # To save memory, the first search has only changes that left a file as it is now.
                    return self.find_all(whole=True)
                elif origin and not self._covers(origin.path):
                    self._folders = ()
                    return self.find_all(whole=True)
                elif passed[file] == _FEW_PASSED:
                    last_commits[file] = self.find_one(head, file)
                else:
                    passed[file] += 1
                    if future is None and origin is None and self._commit_filter.has_impossible_date(commit):
                        futures[file] = future = commit
                    if origin is not None:
                        # If the commit moved a.md to b.md, the search goes on before this commit with the
                        # file b.md and the path a.md.
                        files_by_start.setdefault(before, []).append(_SearchedFile(file, *origin))
                    elif file_change.before and not (
                        self._is_addition(file_change) and self._was_folder(path)
                    ):
                        files_by_start.setdefault(before, []).append(
                            _SearchedFile(file, path, file_change.before)
                        )
                    else:
                        # Behind a merge, git goes on along all parents at once, by date. At the path of a
                        # former folder, git goes on with the commits of the files in that folder.
                        last_commits[file] = self.find_one(before, path, future)
            if not files_by_start:
                return last_commits
            start, files = files_by_start.popitem()

    def find_one(self, start: str, path: bytes, future: Commit | None = None) -> LastCommit:
        """Find the last commit of a file, like ``git log START -- FILE``.

        ``future`` is a newer commit that the search has skipped because its date is impossible, or None. A
        warning mentions this commit, so it is returned with the last commit.
        """
        followed_moves: set[str] = set()
        has_passed = start != self._repository.head
        while True:
            origin = None
            for commit in self._repository.commits(start, path):
                file_change = self._change_in_commit(path, commit)
                origin = self._origin(file_change, path) if file_change else None
                # Grafts and replaced commits can form a circle.
                if origin and commit.id not in followed_moves:
                    followed_moves.add(commit.id)
                    start, path = f"{commit.id}^@", origin.path
                    break
                answer = self._last_commit_at(commit, file_change, future)
                if answer and has_passed and self._is_cut_before(commit, start, path):
                    return LastCommit(is_cut=True, future=future)
                if answer:
                    return answer
                has_passed = True
                if future is None and self._commit_filter.has_impossible_date(commit):
                    future = commit
            if not origin:
                return self._no_commit_found(future)

    def _no_commit_found(self, future: Commit | None) -> LastCommit:
        """Return a ``LastCommit`` that says that the last commit of a file was not found.

        In a shallow clone, the commit may be missing. ``future`` is a newer commit that was skipped because
        its date is in the future or before 1970, or None.
        """
        return LastCommit(is_cut=bool(self._repository.boundary), future=future)

    def _is_cut_before(self, commit: Commit, start: str, path: bytes) -> bool:
        """Check whether a shallow clone may lack a change of ``path`` that is newer than ``commit``.

        ``start`` is the newest commit that was searched. Between ``start`` and ``commit``, the history may
        have a branch whose older commits are not in the clone.
        """
        # Behind a merge, git goes on along all parents. If the file is missing in the commit where the clone
        # ends, git does not show that commit, although it may have removed the file.
        if not self._repository.boundary:
            return False
        for walked in self._repository.commits(start, path, "--sparse"):  # Also prints unchanged commits.
            if walked == commit:
                return False
            if walked.id in self._repository.boundary:
                return True
        return False

    def _last_changes(
        self, start: str, files: Iterable[_SearchedFile]
    ) -> Iterator[tuple[_SearchedFile, FileChange | None]]:
        """Yield each file with its last change up to the commit ``start``, or None if there is none."""
        unclear_files = []
        for file in files:
            _, path, state = file
            content = state[_ID_AT:]
            # The changes in commits that differ from all their parents and leave the file in its state.
            file_changes = []
            for change in self._changes.get(path, ()):
                if content in change[1]:  # This quick check saves parsing most changes.
                    file_change = git.parse_change(change)
                    if file_change.after == state:
                        file_changes.append(file_change)
            if not file_changes:
                yield file, None
            elif len(file_changes) == 1 and not state.startswith(
                git.ABSENT
            ):  # A file can be absent from the start.
                yield file, file_changes[0]
            elif all(file_change.commit.id in self._repository.boundary for file_change in file_changes):
                yield file, max(file_changes, key=lambda file_change: file_change.commit.committed)
            else:
                unclear_files.append(file)
        answers = self._ask(start, {file.path for file in unclear_files})
        for file in unclear_files:
            commit = answers[file.path]
            if commit is None:
                yield file, None
            else:
                yield file, self._change_in_commit(file.path, commit) or FileChange(commit, b"", None)

    def _change_in_commit(self, path: bytes, commit: Commit) -> FileChange | None:
        """Return how a commit changed a file, or None if the change is not in memory.

        To save memory, the search may have left out changes that later commits have overwritten.
        """
        if path not in self._by_commit:
            changes = self._changes.get(path, ())
            self._by_commit[path] = {
                bytes(line.partition(b" ")[0]): (line, change) for line, change in changes
            }
        change = self._by_commit[path].get(commit.id.encode())
        return git.parse_change(change) if change else None

    def _origin(self, file_change: FileChange, path: bytes) -> Origin | None:
        """Return the old path of a file if an ignored commit has moved the file, otherwise None.

        ``file_change`` is a commit's change of the file, and ``path`` the new path.
        """
        if self._is_ignored_addition(file_change):
            return self._moves(file_change.commit.id).origins.get(path)
        return None

    def _last_commit_at(
        self, commit: Commit, file_change: FileChange | None, future: Commit | None
    ) -> LastCommit | None:
        """Return ``commit`` as the last commit of a file, or None if the search must go on.

        If the last commit cannot be known, for example in a shallow clone, the returned ``LastCommit`` says
        why. ``future`` is a newer commit that was skipped because of its impossible date, or None.
        """
        if commit.id in self._repository.boundary:
            return LastCommit(is_cut=True, future=future)
        if file_change and self._is_ignored_addition(file_change) and not self._moves(commit.id).is_complete:
            return LastCommit(unclear=commit, future=future)
        if not self._commit_filter.accepts(commit):
            return None
        return _share_last_commit(commit, future)

    def _is_ignored_addition(self, file_change: FileChange) -> bool:
        """Check whether a commit that the user ignores has added a file."""
        return self._is_addition(file_change) and file_change.commit.id in self._commit_filter.ignored_ids

    def _is_addition(self, file_change: FileChange) -> bool:
        """Check whether a commit has added the path of a file, as a new file or by moving a file there."""
        return file_change.before is not None and file_change.before.startswith(git.ABSENT)

    def _was_folder(self, path: bytes) -> bool:
        """Check whether a path was a folder in the past."""
        folder = path + b"/"
        return any(changed.startswith(folder) for changed in self._changes)

    def _covers(self, path: bytes) -> bool:
        """Check whether a path is in one of the folders whose history was read."""
        if not self._folders:
            return True
        return any((path + b"/").startswith(folder + b"/") for folder in self._folders)

    def _ask(self, start: str, paths: set[bytes]) -> dict[bytes, Commit | None]:
        """Ask git for the last commit of each path, as ``git log -1 START -- PATH`` shows it."""
        answers: dict[bytes, Commit | None] = {}
        waiting = [(start, paths)]
        while waiting:
            start, paths = waiting.pop()
            if len(paths) <= FEW_PATHS:
                answers |= self._ask_singly(start, paths)
                continue
            first_commits: dict[bytes, Commit] = {}
            with closing(self._repository.log(start, git.FIRST_PARENT, self._folders)) as tokens:
                for path, (line, _) in git.read_changes(tokens):
                    if path in paths and path not in first_commits:
                        first_commits[path] = git.read_commit(line)
                        if len(first_commits) == len(paths):
                            break
            paths_by_merge = defaultdict(set)
            for path in paths:
                commit = first_commits.get(path)
                if commit is None or self._change_in_commit(path, commit):
                    answers[path] = commit
                else:
                    # The merge differs from its first parent, but not from all. If it has two parents, it is
                    # equal to the second.
                    paths_by_merge[commit.id].add(path)
            for merge, merged_paths in paths_by_merge.items():
                if self._repository.is_octopus(merge):
                    answers |= self._ask_singly(merge, merged_paths)
                else:
                    waiting.append((f"{merge}^2", merged_paths))
        return answers

    def _ask_singly(self, start: str, paths: Iterable[bytes]) -> dict[bytes, Commit | None]:
        """Return the last commit of each path, with a call of git for each path."""
        answers: dict[bytes, Commit | None] = {}
        for path in paths:
            commits = self._repository.commits(start, path, "-1")
            answers[path] = next(commits, None)
        return answers
