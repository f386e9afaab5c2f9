"""Find the commit that dates each file, in one pass over the history.

It is the commit that ``git log -1 -- FILE`` shows. Git follows a parent in which the file is the same, until
it finds a commit in which the file differs from all parents. So the commit that dates a file has two
properties: the file differs from all parents, and the commit leaves the file in its present state. If only
one commit has both, it is the answer. If there are several, for example after a revert or a cherry-pick, git
is asked about the file.
"""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from functools import cache as cache_of
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.cache import drop_unused, kept_file, write_kept
from sitemap_docs.config.dates import is_future, moment
from sitemap_docs.config.options import Meaning
from sitemap_docs.history import git
from sitemap_docs.history.git import Commit, GitTrouble, Origin, RawChange, Repository, Touch
from sitemap_docs.text import linear

#: The folder in a cache folder with the commits that date files. There is one file for each repository.
DATES = "dates"

#: The version of the format of these files.
_FORM = 1

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
    """A file whose commit is searched.

    Attributes:
        file: The path of the file at HEAD.
        path: The path of the file at the commit where the search starts.
        state: The mode and object id of the file at that commit.
    """

    file: bytes
    path: bytes
    state: bytes


class CountingCommits(NamedTuple):
    """Decides which commits count. Ignored commits and commits with a date in the future do not count.

    Attributes:
        ignored_ids: The ids of the ignored commits. If such a commit moved a file, the history of the file
            continues at its old path.
        meaning: The date of a commit that the option ``lastmod`` asks for.
        now: The current time.
    """

    ignored_ids: frozenset[str]
    meaning: Meaning
    now: datetime

    def is_future(self, commit: Commit) -> bool:
        """Check whether the date of a commit is in the future."""
        date = moment(date_of(commit, self.meaning))
        return date is None or is_future(date, self.now)

    def counts(self, commit: Commit) -> bool:
        """Check whether a commit counts."""
        return not self.is_future(commit) and commit.id not in self.ignored_ids


def date_of(commit: Commit, meaning: Meaning) -> int:
    """Return the committer date or the author date of a commit."""
    return commit.authored if meaning == "author" else commit.committed


@linear
def read_ignored(file: Path) -> tuple[frozenset[str], str]:
    """Return the commits in a file for ``git blame --ignore-revs-file``, and its first problem or ``""``."""
    try:
        lines = files.read_file(file).decode("utf-8-sig", "replace").splitlines()
    except OSError as error:
        return frozenset(), f"The list of commits to ignore cannot be read: {error.strerror}."
    ids = set()
    problem = ""
    for number, line in enumerate(lines, start=1):
        entry = line.partition("#")[0].strip()
        if _ID.fullmatch(entry):
            ids.add(entry.lower())
        elif entry and not problem:
            problem = f"Line {number} names no commit."
    return frozenset(ids), problem


class DatingCommit(NamedTuple):
    """The commit that dates a file, or the reason why no commit does.

    Attributes:
        commit: The commit that dates the file.
        is_cut: Whether git shows only a commit where a shallow clone ends. The last commit of the file is
            that commit or any of its missing parents, and these may even have later dates.
        unclear: An ignored commit that added the file. The clone lacks the contents of files, so git cannot
            tell whether the commit moved the file, and from which path.
        future: The newest commit of the file that does not count because its date is in the future.
    """

    commit: Commit | None = None
    is_cut: bool = False
    unclear: Commit | None = None
    future: Commit | None = None

    @property
    def is_unproven(self) -> bool:
        """Whether the file has a last commit that the clone does not prove, so that it may have any date."""
        return self.is_cut or self.unclear is not None

    @property
    def is_lasting(self) -> bool:
        """Whether a later build finds the same, at any time and in any clone of the repository."""
        return not (self.is_unproven or self.future)


@lru_cache(maxsize=1_024)
def _dating(commit: Commit | None, future: Commit | None = None) -> DatingCommit:
    """Return the same object for all files of a commit, which saves memory."""
    return DatingCommit(commit=commit, future=future)


def read_dating_commits(
    repository: Repository, paths: Collection[bytes], counting: CountingCommits, cache: Path | None
) -> dict[bytes, DatingCommit]:
    """Return the commits that date files at HEAD.

    Args:
        repository: The repository.
        paths: Files and folders. The path of a folder ends with a slash and stands for all files in it.
        counting: Decides which commits count.
        cache: The cache folder, or None.
    """
    if repository.is_altered:
        cache = None
    states = _states(repository, paths)
    facts: tuple[object, ...] = (sorted(counting.ignored_ids), sorted(repository.boundary))
    if counting.ignored_ids:
        facts = (*facts, "unclear-move")  # Older versions kept wrong dates of blobless clones.
    view = sha256(repr(facts).encode()).hexdigest()
    head, kept_commits = _read_cache(repository, cache, view)
    datings = {}
    for path, commit in kept_commits.items():
        if path in states and (commit is None or counting.counts(commit)):
            datings[path] = _dating(commit)
            del states[path]
    search = _Search(repository, states, counting)
    if kept_commits and len(states) <= FEW_STATES and not counting.ignored_ids:
        for path in states:
            datings[path] = search.first(repository.head, path)
    elif states:
        datings |= search.all(whole=bool(counting.ignored_ids))
    del search  # This frees the memory of all changes that were read.
    if cache and (states or head != repository.head):
        for path in states:
            if datings[path].is_lasting:
                kept_commits[path] = datings[path].commit
        _write_cache(repository, cache, view, kept_commits)
    return datings


def _write_cache(
    repository: Repository, cache: Path, view: str, commits: Mapping[bytes, Commit | None]
) -> None:
    """Replace what is kept about a repository. The arguments are those of :func:`_read_cache`."""
    paths_by_commit: defaultdict[Commit | None, list[str]] = defaultdict(list)
    for path, commit in commits.items():
        paths_by_commit[commit].append(os.fsdecode(path))
    lines: list[Sequence[object]] = [[_FORM, view, repository.head], *paths_by_commit.items()]
    file = kept_file(cache / DATES, repository.git.folder)
    write_kept(file, (f"{json.dumps(line)}\n" for line in lines))
    drop_unused(cache / DATES)


def read_moves(
    parent: Repository, link: bytes, inside: Repository, paths: Iterable[bytes], counting: CountingCommits
) -> dict[bytes, DatingCommit]:
    """Return the last commit that changed each file of a submodule by moving the submodule.

    If one of the two clones lacks the commits to compare, the remaining files are cut off. Files that no move
    has changed are left out.

    Args:
        parent: The repository around the submodule.
        link: The path of the submodule in ``parent``.
        inside: The repository of the submodule.
        paths: The files in ``inside``.
        counting: Decides which commits count.
    """
    moves: dict[bytes, DatingCommit] = {}
    remaining_paths = set(paths)
    for path, change in git.read_changes(parent.log(parent.head, git.SIMPLIFIED, [link])):
        touch = git.read_touch(change)
        is_at_boundary = touch.commit.id in parent.boundary
        if path != link or not (is_at_boundary or counting.counts(touch.commit)):
            continue
        before, after = touch.before or b"", touch.after
        is_cut = is_at_boundary or not before
        if not is_cut and not before.startswith(GITLINK):  # This commit has added the submodule.
            break
        changed_paths = remaining_paths
        dating = DatingCommit(is_cut=True)
        if not is_cut:
            how = ("diff-tree", "-r", "-z", "--name-only", "--no-renames")
            with suppress(GitTrouble):  # A shallow clone lacks the commits.
                names = inside.git.tokens(*how, before.split()[1], after.split()[1])
                changed_paths = remaining_paths.intersection(names)
                dating = DatingCommit(commit=touch.commit)
        moves.update(dict.fromkeys(changed_paths, dating))
        remaining_paths -= changed_paths
        if not remaining_paths:
            break
    return moves


def _states(repository: Repository, paths: Collection[bytes]) -> dict[bytes, bytes]:
    """Return the mode and object id at HEAD of each file, and of all files in the folders among the paths."""
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
    """Searches the commits that date files of one repository.

    Args:
        repository: The repository.
        states: The mode and object id of each file at HEAD.
        counting: Decides which commits count.
    """

    def __init__(
        self, repository: Repository, states: Mapping[bytes, bytes], counting: CountingCommits
    ) -> None:
        self._repository = repository
        self._states = states
        self._counting = counting
        self._folders = git.folders(states)
        self._changes: dict[bytes, list[RawChange]] = {}
        self._by_commit: dict[bytes, dict[bytes, RawChange]] = {}
        self._moves = cache_of(repository.moves)

    def _read_changes(self, *, whole: bool) -> None:
        """Read the history. Keep all changes, or only those that leave a file in its state at HEAD."""
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

    def all(self, *, whole: bool) -> dict[bytes, DatingCommit]:
        """Find the commit of each file in one pass over the history.

        Args:
            whole: Whether to keep all changes. Otherwise, only the changes are kept that leave a file in its
                state at HEAD. If one of their commits does not count, the whole history is read after all.
        """
        self._read_changes(whole=whole)
        head = self._repository.head
        datings: dict[bytes, DatingCommit] = {}
        futures: dict[bytes, Commit] = {}
        passed: Counter[bytes] = Counter()
        files_by_start: dict[str, list[_SearchedFile]] = {}
        start = head
        files: Iterable[_SearchedFile] = [
            _SearchedFile(path, path, state) for path, state in self._states.items()
        ]
        while True:
            for (file, path, _), touch in self._dating_touches(start, files):
                future = futures.get(file)
                if touch is None:
                    datings[file] = DatingCommit(future=future)
                    continue
                commit = touch.commit
                origin = self._origin(touch, path)
                answer = None if origin else self._answer(commit, touch, future)
                before = f"{commit.id}^@"
                if answer:
                    datings[file] = answer
                elif not whole:
                    return self.all(whole=True)
                elif origin and not self._covers(origin.path):
                    self._folders = ()
                    return self.all(whole=True)
                elif passed[file] == _FEW_PASSED:
                    datings[file] = self.first(head, file)
                else:
                    passed[file] += 1
                    if future is None and origin is None and self._counting.is_future(commit):
                        futures[file] = future = commit
                    if origin is not None:
                        files_by_start.setdefault(before, []).append(_SearchedFile(file, *origin))
                    elif touch.before and not (self._is_addition(touch) and self._was_folder(path)):
                        files_by_start.setdefault(before, []).append(_SearchedFile(file, path, touch.before))
                    else:
                        # Behind a merge, git goes on along all parents at once, by date. At the path of a
                        # former folder, git goes on with the commits of the files in that folder.
                        datings[file] = self.first(before, path, future)
            if not files_by_start:
                return datings
            start, files = files_by_start.popitem()

    def first(self, start: str, path: bytes, future: Commit | None = None) -> DatingCommit:
        """Find the first commit that counts among those that ``git log START -- PATH`` shows.

        If an ignored commit has moved the file, the search goes on at its old path.
        """
        followed_moves: set[str] = set()
        while True:
            origin = None
            for commit in self._repository.commits(start, path):
                touch = self._touch(path, commit)
                origin = self._origin(touch, path) if touch else None
                # Grafts and replaced commits can form a circle.
                if origin and commit.id not in followed_moves:
                    followed_moves.add(commit.id)
                    start, path = f"{commit.id}^@", origin.path
                    break
                if answer := self._answer(commit, touch, future):
                    return answer
                if future is None and self._counting.is_future(commit):
                    future = commit
            if not origin:
                return DatingCommit(future=future)

    def _dating_touches(
        self, start: str, files: Iterable[_SearchedFile]
    ) -> Iterator[tuple[_SearchedFile, Touch | None]]:
        """Yield each file with its change in the commit that ``git log -1 START -- FILE`` shows."""
        unclear_files = []
        for file in files:
            _, path, state = file
            content = state[_ID_AT:]
            # The changes in commits that differ from all their parents and leave the file in its state.
            touches = []
            for change in self._changes.get(path, ()):
                if content in change[1]:  # This quick check saves parsing most changes.
                    touch = git.read_touch(change)
                    if touch.after == state:
                        touches.append(touch)
            if not touches:
                yield file, None
            elif len(touches) == 1 and not state.startswith(
                git.ABSENT
            ):  # A file can be absent from the start.
                yield file, touches[0]
            elif all(touch.commit.id in self._repository.boundary for touch in touches):
                yield file, max(touches, key=lambda touch: touch.commit.committed)
            else:
                unclear_files.append(file)
        answers = self._ask(start, {file.path for file in unclear_files})
        for file in unclear_files:
            commit = answers[file.path]
            if commit is None:
                yield file, None
            else:
                yield file, self._touch(file.path, commit) or Touch(commit, b"", None)

    def _touch(self, path: bytes, commit: Commit) -> Touch | None:
        """Return the change of a file in a commit, if the history that was read has this change."""
        if path not in self._by_commit:
            changes = self._changes.get(path, ())
            self._by_commit[path] = {
                bytes(line.partition(b" ")[0]): (line, change) for line, change in changes
            }
        change = self._by_commit[path].get(commit.id.encode())
        return git.read_touch(change) if change else None

    def _origin(self, touch: Touch, path: bytes) -> Origin | None:
        """Return the former place of a file if an ignored commit moved the file."""
        if self._is_ignored_addition(touch):
            return self._moves(touch.commit.id).origins.get(path)
        return None

    def _answer(self, commit: Commit, touch: Touch | None, future: Commit | None) -> DatingCommit | None:
        """Return what a commit of a file tells about its date, or None if the search has to go on.

        Args:
            commit: A commit that git shows for the file and that has not moved the file, as far as is known.
            touch: The change of the file in that commit, if it was read.
            future: The newest commit of the file that does not count because of its date.
        """
        if commit.id in self._repository.boundary:
            return DatingCommit(is_cut=True, future=future)
        if touch and self._is_ignored_addition(touch) and not self._moves(commit.id).is_complete:
            return DatingCommit(unclear=commit, future=future)
        if not self._counting.counts(commit):
            return None
        return _dating(commit, future)

    def _is_ignored_addition(self, touch: Touch) -> bool:
        return self._is_addition(touch) and touch.commit.id in self._counting.ignored_ids

    def _is_addition(self, touch: Touch) -> bool:
        return touch.before is not None and touch.before.startswith(git.ABSENT)

    def _was_folder(self, path: bytes) -> bool:
        """Check whether the history that was read has files in a folder at ``path``."""
        folder = path + b"/"
        return any(changed.startswith(folder) for changed in self._changes)

    def _covers(self, path: bytes) -> bool:
        """Check whether the history that was read includes a path."""
        if not self._folders:
            return True
        return any((path + b"/").startswith(folder + b"/") for folder in self._folders)

    def _ask(self, start: str, paths: set[bytes]) -> dict[bytes, Commit | None]:
        """Return the commit that ``git log -1 START -- PATH`` shows for each path."""
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
                if commit is None or self._touch(path, commit):
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
        answers: dict[bytes, Commit | None] = {}
        for path in paths:
            commits = self._repository.commits(start, path, "-1")
            answers[path] = next(commits, None)
        return answers


def _read_cache(
    repository: Repository, folder: Path | None, view: str
) -> tuple[str, dict[bytes, Commit | None]]:
    """Return the HEAD of an earlier build, and the commits that dated files then and still do.

    The commit of a file that no commit dates is None.

    Args:
        repository: The repository.
        folder: The cache folder, or None.
        view: A digest of everything except HEAD that decides about commits. If it has changed, the cache is
            not used.
    """
    commits: dict[bytes, Commit | None] = {}
    if folder is None:
        return "", commits
    file = kept_file(folder / DATES, repository.git.folder)
    try:
        with files.open_file(file) as stream:
            form, seen, head = json.loads(stream.readline())
            if (form, seen) != (_FORM, view):
                return "", commits
            for line in stream:
                fields, paths = json.loads(line)
                commit = Commit(*fields) if fields else None
                commits.update(dict.fromkeys(map(os.fsencode, paths), commit))
    except (OSError, RecursionError, TypeError, ValueError):
        return "", {}
    with suppress(OSError):
        os.utime(file)  # The cache keeps files that are in use.
    if head != repository.head:
        if not repository.extends(head):
            return "", {}
        since = repository.log(f"{head}..{repository.head}", git.FIRST_PARENT, git.folders(commits))
        for path, _ in git.read_changes(since):
            commits.pop(path, None)
    return head, commits
