"""Which commit dates each file: the one that ``git log -1`` would name, from one pass over the history.

``git log -1 -- file`` follows the first parent with the same file until a commit differs from all parents;
that commit leaves the file's present state. So, of the commits that differ from all their parents, one that
alone leaves this state is the answer. Where several do (reverts, cherry-picks), git is asked about the file.
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

#: The folder in a cache folder of the commits that date files, a file for each repository; and its form.
DATES = "dates"
_FORM = 1

#: Up to so many files, a question about each is quicker than a walk along the first parents.
FEW_PATHS = 2

#: Up to so many files that changed since an earlier build, a question about each is quicker than the history.
FEW_STATES = 16

#: After so many commits of a file that do not count, one question about it is quicker than the walk.
_FEW_PASSED = 8

#: The mode of a submodule.
GITLINK = b"160000"

#: Where the object id begins in the state of a file, behind the mode.
_ID_AT = len(git.ABSENT) + 1

# Whole ids, as git requires here: a shorter one can stand for any number of commits.
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)


class _Sought(NamedTuple):
    """A file that is looked for, by its path at HEAD; its path and its state where the search starts."""

    file: bytes
    path: bytes
    state: bytes


class Refused(NamedTuple):
    """A test of commits: true for those that do not count, as their ids are ignored or their date is to come.

    Where a commit that is ignored moved a file, the history goes on at the old path.
    """

    ids: frozenset[str]
    meaning: Meaning
    now: datetime

    def ahead(self, commit: Commit) -> bool:
        date = moment(date_of(commit, self.meaning))
        return date is None or is_future(date, self.now)

    def __call__(self, commit: Commit) -> bool:
        return self.ahead(commit) or commit.id in self.ids


def date_of(commit: Commit, meaning: Meaning) -> int:
    """The date that a meaning asks for."""
    return commit.authored if meaning == "author" else commit.committed


@linear
def read_ignored(file: Path) -> tuple[frozenset[str], str]:
    """The commits in a file in the form of ``git blame --ignore-revs-file``, and what is wrong with it."""
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
    """That a commit dates a file: one for all of its files."""
    return DatingCommit(commit=commit, future=future)


def read_dating_commits(
    repository: Repository, places: Collection[bytes], refused: Refused, cache: Path | None
) -> dict[bytes, DatingCommit]:
    """The commits that date files at HEAD, by their places; folders end in a slash."""
    if repository.is_altered:
        cache = None
    states = _states(repository, places)
    facts: list[object] = [sorted(refused.ids), sorted(repository.boundary)]
    if refused.ids:
        facts.append("unclear-moves")  # Older versions kept wrong dates of blobless clones.
    view = sha256(repr(facts).encode()).hexdigest()
    head, kept = _read_kept(repository, cache, view)
    datings = {}
    for path, commit in kept.items():
        if path in states and (commit is None or not refused(commit)):
            datings[path] = _dating(commit)
            del states[path]
    search = _Search(repository, states, refused)
    if kept and len(states) <= FEW_STATES and not refused.ids:
        datings |= {path: search.first(repository.head, path) for path in states}
    elif states:
        datings |= search.all(whole=bool(refused.ids))
    del search  # and with it all changes that it has read
    if cache and (states or head != repository.head):
        # What is true at HEAD takes the place of what was kept of the repository.
        for path in states:
            if datings[path].is_lasting:
                kept[path] = datings[path].commit
        paths: defaultdict[Commit | None, list[str]] = defaultdict(list)
        for path, commit in kept.items():
            paths[commit].append(os.fsdecode(path))
        lines: list[Sequence[object]] = [[_FORM, view, repository.head], *paths.items()]
        file = kept_file(cache / DATES, repository.git.folder)
        write_kept(file, (f"{json.dumps(line)}\n" for line in lines))
        drop_unused(cache / DATES)
    return datings


def read_moves(
    above: Repository, link: bytes, inside: Repository, paths: Iterable[bytes], refused: Refused
) -> dict[bytes, DatingCommit]:
    """Return the last commit that changed each file of a submodule by moving the submodule.

    If one of the two clones lacks the commits to compare, the files that are left are cut off. Files that no
    move has changed are left out.

    Args:
        above: The repository around the submodule.
        link: The path of the submodule in ``above``.
        inside: The repository of the submodule.
        paths: The files in ``inside``.
        refused: The commits that do not count.
    """
    moves: dict[bytes, DatingCommit] = {}
    left = set(paths)
    for path, change in git.read_changes(above.log(above.head, git.SIMPLIFIED, [link])):
        touch = git.read_touch(change)
        if path != link or refused(touch.commit):
            continue
        before, after = touch.before or b"", touch.after
        is_cut = touch.commit.id in above.boundary or not before
        if not is_cut and not before.startswith(GITLINK):  # it was added here
            break
        changed = left
        dating = DatingCommit(is_cut=True)
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


def _states(repository: Repository, places: Collection[bytes]) -> dict[bytes, bytes]:
    """The states at HEAD of files and of all below folders."""
    tree = repository.tree(git.folders(places))
    states = {}
    below = []
    for place in places:
        if place in tree:
            states[place] = tree[place]
        elif place.endswith(b"/") or not place:
            below.append(place)
    if below:
        inside = tuple(below)
        states.update((path, state) for path, state in tree.items() if path.startswith(inside))
    return states


class _Search:
    """The search for the commits that date files of one repository, given by their states at HEAD."""

    def __init__(self, repository: Repository, states: Mapping[bytes, bytes], refused: Refused) -> None:
        self._repository = repository
        self._states = states
        self._refused = refused
        self._folders = git.folders(states)
        self._changes: dict[bytes, list[RawChange]] = {}
        self._by_commit: dict[bytes, dict[bytes, RawChange]] = {}
        self._moves = cache_of(repository.moves)

    def _read_changes(self, *, whole: bool) -> None:
        """Keeps the changes of the ``whole`` history, or those that leave a file in its state at HEAD."""
        self._changes = {}
        self._by_commit = {}
        log = self._repository.log(self._repository.head, git.MERGED, self._folders)
        for path, change in git.read_changes(log):
            state = self._states.get(path)
            if whole or (state and state[_ID_AT:] in change[1]):
                others = self._changes.get(path)
                if others:
                    others.append(change)
                else:
                    self._changes[path] = [change]  # a list of one takes half of what an appended one takes

    def all(self, *, whole: bool) -> dict[bytes, DatingCommit]:
        """The commit of each file, by one pass over the history.

        Unless the ``whole`` of it is kept, only the changes are that leave a file in its state at HEAD. Where
        one of these is of the future, earlier ones matter, too, and the history is read again.
        """
        self._read_changes(whole=whole)
        head = self._repository.head
        datings: dict[bytes, DatingCommit] = {}
        futures: dict[bytes, Commit] = {}
        passed: Counter[bytes] = Counter()
        starts: dict[str, list[_Sought]] = {}
        start = head
        files: Iterable[_Sought] = (_Sought(path, path, state) for path, state in self._states.items())
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
                    if future is None and origin is None and self._refused.ahead(commit):
                        futures[file] = future = commit
                    if origin is not None:
                        starts.setdefault(before, []).append(_Sought(file, *origin))
                    elif touch.before and not (self._is_addition(touch) and self._was_folder(path)):
                        starts.setdefault(before, []).append(_Sought(file, path, touch.before))
                    else:
                        # Behind a merge, git goes on along all parents at once, by date. At the path of a
                        # former folder, git goes on with the commits of the files in that folder.
                        datings[file] = self.first(before, path, future)
            if not starts:
                return datings
            start, files = starts.popitem()

    def first(self, start: str, path: bytes, future: Commit | None = None) -> DatingCommit:
        """The first commit that counts of those that ``git log start -- path`` names.

        Behind an ignored commit that moved the file, the history goes on at its old path.
        """
        moves: set[str] = set()
        while True:
            moved = None
            for commit in self._repository.commits(start, path):
                touch = self._touch(path, commit)
                moved = self._origin(touch, path) if touch else None
                if moved and commit.id not in moves:  # grafts and replaced commits can form a circle
                    moves.add(commit.id)
                    start, path = f"{commit.id}^@", moved.path
                    break
                if answer := self._answer(commit, touch, future):
                    return answer
                if future is None and self._refused.ahead(commit):
                    future = commit
            if not moved:
                return DatingCommit(future=future)

    def _dating_touches(self, start: str, files: Iterable[_Sought]) -> Iterator[tuple[_Sought, Touch | None]]:
        """Each file with its touch by the commit that ``git log -1 start`` names for it."""
        unclear = []
        for sought in files:
            _, path, state = sought
            content = state[_ID_AT:]
            # The commits that differ from all their parents and leave the file in its state.
            touches = []
            for change in self._changes.get(path, ()):
                if content in change[1]:  # most changes leave another state, and need not be taken apart
                    touch = git.read_touch(change)
                    if touch.after == state:
                        touches.append(touch)
            if not touches:
                yield sought, None
            elif len(touches) == 1 and not state.startswith(git.ABSENT):  # which it may be without a commit
                yield sought, touches[0]
            elif all(touch.commit.id in self._repository.boundary for touch in touches):
                yield sought, max(touches, key=lambda touch: touch.commit.committed)
            else:
                unclear.append(sought)
        answers = self._ask(start, {sought.path for sought in unclear})
        for sought in unclear:
            commit = answers[sought.path]
            if commit is None:
                yield sought, None
            else:
                yield sought, self._touch(sought.path, commit) or Touch(commit, b"", None)

    def _touch(self, path: bytes, commit: Commit) -> Touch | None:
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
        if self._refused(commit):
            return None
        return _dating(commit, future)

    def _is_ignored_addition(self, touch: Touch) -> bool:
        return self._is_addition(touch) and touch.commit.id in self._refused.ids

    def _is_addition(self, touch: Touch) -> bool:
        return touch.before is not None and touch.before.startswith(git.ABSENT)

    def _was_folder(self, path: bytes) -> bool:
        """Check whether the history that was read has files in a folder at ``path``."""
        folder = path + b"/"
        return any(changed.startswith(folder) for changed in self._changes)

    def _covers(self, path: bytes) -> bool:
        """Whether the history that was read has a path."""
        return not self._folders or any((path + b"/").startswith(folder + b"/") for folder in self._folders)

    def _ask(self, start: str, paths: set[bytes]) -> dict[bytes, Commit | None]:
        """Returns what ``git log -1 start -- path`` names for each path."""
        answers: dict[bytes, Commit | None] = {}
        waiting = [(start, paths)]
        while waiting:
            start, paths = waiting.pop()
            if len(paths) <= FEW_PATHS:
                answers |= self._ask_singly(start, paths)
                continue
            first: dict[bytes, Commit] = {}
            with closing(self._repository.log(start, git.FIRST_PARENT, self._folders)) as tokens:
                for path, (line, _) in git.read_changes(tokens):
                    if path in paths and path not in first:
                        first[path] = git.read_commit(line)
                        if len(first) == len(paths):
                            break
            merged = defaultdict(set)
            for path in paths:
                commit = first.get(path)
                if commit is None or self._touch(path, commit):
                    answers[path] = commit
                else:  # a merge that differs from its first parent, not from all: of two, the second is equal
                    merged[commit.id].add(path)
            for merge, brought in merged.items():
                if self._repository.is_octopus(merge):
                    answers |= self._ask_singly(merge, brought)
                else:
                    waiting.append((f"{merge}^2", brought))
        return answers

    def _ask_singly(self, start: str, paths: Iterable[bytes]) -> dict[bytes, Commit | None]:
        return {path: next(self._repository.commits(start, path, "-1"), None) for path in paths}


def _read_kept(
    repository: Repository, folder: Path | None, view: str
) -> tuple[str, dict[bytes, Commit | None]]:
    """A HEAD of before, and the commits that dated files there and do so now; None for a file without one.

    ``view`` stands for all that decides besides HEAD.
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
        os.utime(file)  # it is in use
    if head != repository.head:
        if not repository.extends(head):
            return "", {}
        since = repository.log(f"{head}..{repository.head}", git.FIRST_PARENT, git.folders(commits))
        for path, _ in git.read_changes(since):
            commits.pop(path, None)
    return head, commits
