"""Which commit dates each file: the one that ``git log -1`` would name, from one pass over the history.

``git log -1 -- file`` follows the first parent with the same file until a commit differs from all parents;
that commit leaves the file's present state. So, of the commits that differ from all their parents, one that
alone leaves this state is the answer. Where several do (reverts, cherry-picks), git is asked about the file.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from unicodedata import normalize

from sitemap_docs import files
from sitemap_docs.cache import CacheError, drop_unused, open_cache
from sitemap_docs.history.diagnostics import IGNORED
from sitemap_docs.history.repository import (
    ABSENT,
    FIRST_PARENT,
    MERGED,
    Change,
    Commit,
    Repository,
    Touch,
    folders,
    read_changes,
    read_commit,
    read_touch,
)

if TYPE_CHECKING:
    from sitemap_docs.config.options import Meaning

T = TypeVar("T")

#: Up to so many files, a question about each is quicker than a walk along the first parents.
_FEW = 2

#: Up to so many files that changed since an earlier build, a question about each is quicker than the history.
_FEW_CHANGED = 16

# Whole ids, as git requires here: a shorter one can stand for any number of commits.
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}", re.IGNORECASE)


class _At(NamedTuple):
    """A path and the state of the file there, a mode and an object id."""

    path: bytes
    state: bytes


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
    if meaning == "author":
        return commit.authored
    return commit.committed


def read_ignored(file: Path) -> Ignored:
    """The commits in a file in the form of ``git blame --ignore-revs-file``."""
    try:
        lines = files.read_file(file).decode("utf-8-sig", "replace").splitlines()
    except OSError as error:
        problem = ""
        if file.name != IGNORED:
            problem = f"The list of commits to ignore cannot be read: {error.strerror}."
        return Ignored(file=str(file), problem=problem)
    ids = set()
    problem = ""
    for number, line in enumerate(lines, start=1):
        entry = line.partition("#")[0].strip()
        if _ID.fullmatch(entry):
            ids.add(entry.lower())
        elif entry and not problem:
            problem = f"Line {number} names no commit."
    return Ignored(frozenset(ids), str(file), problem)


class DatingCommit(NamedTuple):
    """What the history says of a file.

    ``commit`` dates it, or nothing is proven but that it is not newer than ``boundary``, the commit where a
    shallow clone ends. ``future`` is a commit that was passed over because its date has not come yet.
    """

    commit: Commit | None = None
    boundary: Commit | None = None
    future: Commit | None = None


def read_dating_commits(
    repository: Repository,
    places: Collection[bytes],
    refused: Refused,
    cache: Path | None,
    *,
    ignore_renames: bool = False,
) -> dict[bytes, DatingCommit]:
    """The commits that date files at HEAD, by their places in ``repository.root``; folders end in a slash.

    A file that HEAD has with other Unicode normalisation has the commit of that one: macOS may give a name
    decomposed that git keeps composed (https://git-scm.com/docs/git-config, core.precomposeUnicode).
    With ``ignore_renames``, a commit that only gave a file another path, its content and mode unchanged,
    does not count; the history goes on at the old path.
    """
    wanted = [repository.prefix + place for place in places]
    tree = repository.tree(folders(wanted))
    tracked = {}
    if any(not place.isascii() and not place.endswith(b"/") and place not in tree for place in wanted):
        tree = repository.tree(())
        tracked = _respelled(repository, tree, wanted)
    below = []
    for place in wanted:
        if place in tree:
            tracked[place] = place
        elif place.endswith(b"/") or not place:
            below.append(place)
    if below:
        inside = tuple(below)
        tracked.update((path, path) for path in tree if path.startswith(inside))

    facts = f"{ignore_renames}\n{sorted(refused.ignored.ids)}\n{repository.grafts}"
    view = sha256(facts.encode()).hexdigest()
    kept = _read_kept(repository, cache, view)
    found = {}
    states = {}
    for path in tracked.values():
        commit = kept.commits.get(path)
        if path in kept.commits and not (commit and refused(commit)):
            found[path] = DatingCommit(commit)
        else:
            states[path] = tree[path]
    search = _Search(repository, refused, ignore_renames=ignore_renames)
    if kept.commits and len(states) <= _FEW_CHANGED and not ignore_renames:
        found |= search.each(states)
    elif states:
        found |= search.all(states)
    if cache and (states or kept.head != repository.head):
        # What a later build may see otherwise is not kept: the clock goes on, a clone may be deepened.
        commits = dict(kept.commits)
        for path in states:
            if not found[path].boundary and not found[path].future:
                commits[path] = found[path].commit
        _save_kept(repository, cache, view, commits)
    return {place[len(repository.prefix) :]: found[path] for place, path in tracked.items()}


def _respelled(
    repository: Repository, tree: Mapping[bytes, bytes], places: Iterable[bytes]
) -> dict[bytes, bytes]:
    """Files that HEAD lacks → the one path there that differs in Unicode normalisation alone."""
    spellings = defaultdict(list)
    for path in tree:
        if not path.isascii():
            spellings[_composed(path)].append(path)
    found = {}
    for place in places:
        same = spellings.get(_composed(place), ())
        if place not in tree and len(same) == 1:
            here = Path(repository.git.folder, os.fsdecode(place))
            there = Path(repository.git.folder, os.fsdecode(same[0]))
            # Where the two spellings name two files, the tracked one is another page's.
            if not there.exists() or (here.exists() and here.samefile(there)):
                found[place] = same[0]
    return found


def _composed(path: bytes) -> str:
    return normalize("NFC", os.fsdecode(path))


class _Search:
    """The search for the commits of one repository."""

    def __init__(self, repository: Repository, refused: Refused, *, ignore_renames: bool) -> None:
        self._repository = repository
        self._refused = refused
        self._ignore_renames = ignore_renames
        self._folders: tuple[bytes, ...] = ()
        self._changes: dict[bytes, list[Change]] = {}
        # The files that are looked for from each start, with their paths and states there.
        self._starts: dict[str, dict[bytes, _At]] = {}
        self._passed: set[tuple[bytes, str]] = set()
        self._futures: dict[bytes, Commit] = {}
        self._found: dict[bytes, DatingCommit] = {}

    def each(self, files: Iterable[bytes]) -> dict[bytes, DatingCommit]:
        """The commit of each file, by one question about each."""
        return _at_once(lambda path: self._first(self._repository.head, path), files)

    def all(self, states: Mapping[bytes, bytes]) -> dict[bytes, DatingCommit]:
        """The commit of each file, given by its state at HEAD, by one pass over the history."""
        head = self._repository.head
        if not self._ignore_renames:  # a renamed file may come from anywhere
            self._folders = folders(states)
        for path, change in read_changes(self._repository.log(head, MERGED, self._folders)):
            self._changes.setdefault(path, []).append(change)
        self._starts[head] = {path: _At(path, state) for path, state in states.items()}
        while self._starts:
            start, files = self._starts.popitem()
            for file, touch in self._dating_touches(start, files).items():
                future = self._futures.get(file)
                if touch is None:
                    self._found[file] = DatingCommit(future=future)
                    continue
                commit = touch.commit
                origin = self._origin(touch, files[file])
                before = f"{commit.id}^@"
                if origin is None and commit.id in self._repository.boundary:
                    self._found[file] = DatingCommit(boundary=commit, future=future)
                elif origin is None and not self._refused(commit):
                    self._found[file] = DatingCommit(commit=commit, future=future)
                elif (file, commit.id) in self._passed:  # grafts and replaced commits can form a circle
                    self._found[file] = self._first(head, file)
                elif origin:
                    self._starts.setdefault(before, {})[file] = origin
                else:
                    if future is None and self._refused.ahead(commit):
                        self._futures[file] = future = commit
                    path = files[file].path
                    if touch.before:
                        self._starts.setdefault(before, {})[file] = _At(path, touch.before)
                    else:  # git goes on along all parents of a merge at once, by date
                        self._found[file] = self._first(before, path, future)
                self._passed.add((file, commit.id))
        return self._found

    def _first(self, start: str, path: bytes, future: Commit | None = None) -> DatingCommit:
        """The first commit that counts of those that ``git log start -- path`` names."""
        for commit in self._repository.commits(start, path):
            if commit.id in self._repository.boundary:
                return DatingCommit(boundary=commit, future=future)
            if not self._refused(commit):
                return DatingCommit(commit=commit, future=future)
            if future is None and self._refused.ahead(commit):
                future = commit
        return DatingCommit(future=future)

    def _dating_touches(self, start: str, files: Mapping[bytes, _At]) -> dict[bytes, Touch | None]:
        """The touch of each file by the commit that ``git log -1 start`` names for it."""
        touches: dict[bytes, Touch | None] = {}
        unclear = {}
        once_folders = {}
        for file, at in files.items():
            absent = at.state.startswith(ABSENT)
            found = self._touches(at)
            if absent and at.path in self._former_folders:
                once_folders[file] = at.path
            elif not found:
                touches[file] = None
            elif absent:  # a file may be absent without a commit that removed it
                unclear[file] = at.path
            elif len(found) == 1:
                touches[file] = found[0]
            elif all(touch.commit.id in self._repository.boundary for touch in found):
                touches[file] = max(found, key=lambda touch: touch.commit.committed)
            else:
                unclear[file] = at.path
        answers = self._ask(start, set(unclear.values()))
        # A walk along the first parents sees the files of a folder, and not the folder.
        answers |= self._ask_singly(start, set(once_folders.values()))
        for file, path in (unclear | once_folders).items():
            commit = answers[path]
            touches[file] = commit and (self._touch(path, commit) or Touch(commit, b"", None))
        return touches

    def _touches(self, at: _At) -> list[Touch]:
        """The commits that differ from all their parents and leave a file in its state."""
        _, _, content = at.state.partition(b" ")
        found = []
        for change in self._changes.get(at.path, ()):
            if content in change[1]:  # most changes leave another state, and need not be taken apart
                touch = read_touch(change)
                if touch.after == at.state:
                    found.append(touch)
        return found

    def _touch(self, path: bytes, commit: Commit) -> Touch | None:
        for change in self._changes.get(path, ()):
            if change[0].startswith(commit.id.encode()):
                return read_touch(change)
        return None

    def _origin(self, touch: Touch, at: _At) -> _At | None:
        """Where the file was before a commit that only renamed it; None for any other commit."""
        if not self._ignore_renames or not touch.before or not touch.before.startswith(ABSENT):
            return None
        paths = self._removed.get((touch.commit.id, at.state))
        if not paths:
            return None
        name = at.path.rpartition(b"/")[2]
        same_name = [path for path in paths if path.rpartition(b"/")[2] == name]
        return _At(min(same_name or paths), at.state)

    @cached_property
    def _former_folders(self) -> set[bytes]:
        """The folders of all touched files: ``git log -- file`` names their commits where a file was one."""
        found = set()
        for path in self._changes:
            while path := path.rpartition(b"/")[0]:
                found.add(path)
        return found

    @cached_property
    def _removed(self) -> Mapping[tuple[str, bytes], list[bytes]]:
        """The files that each commit removed, by the state in which they were."""
        found = defaultdict(list)
        for path, changes in self._changes.items():
            for touch in map(read_touch, changes):
                if touch.before and touch.after.startswith(ABSENT):
                    found[touch.commit.id, touch.before].append(path)
        return found

    def _ask(self, start: str, paths: set[bytes]) -> dict[bytes, Commit | None]:
        """What ``git log -1 start -- path`` names for each path."""
        if len(paths) <= _FEW:
            return self._ask_singly(start, paths)
        first: dict[bytes, Commit] = {}
        with closing(self._repository.log(start, FIRST_PARENT, self._folders)) as tokens:
            for path, (line, _) in read_changes(tokens):
                if path in paths and path not in first:
                    first[path] = read_commit(line)
                    if len(first) == len(paths):
                        break
        answers: dict[bytes, Commit | None] = {}
        merged = defaultdict(set)
        for path in paths:
            commit = first.get(path)
            if commit is None or self._touch(path, commit):
                answers[path] = commit
            else:  # a merge that differs from its first parent and not from all: of two, the second is equal
                merged[commit.id].add(path)
        for merge, brought in merged.items():
            if self._repository.is_octopus(merge):
                answers |= self._ask_singly(merge, brought)
            else:
                answers |= self._ask(f"{merge}^2", brought)
        return answers

    def _ask_singly(self, start: str, paths: Iterable[bytes]) -> dict[bytes, Commit | None]:
        return _at_once(lambda path: self._repository.last(start, path), paths)


def _at_once(ask: Callable[[bytes], T], paths: Iterable[bytes]) -> dict[bytes, T]:
    """The answers about paths, asked in threads; one after the other where no thread can be started."""
    answers = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in paths:
            try:
                answers[path] = pool.submit(ask, path).result
            except RuntimeError:  # can't start new thread
                answers[path] = partial(ask, path)
        return {path: answer() for path, answer in answers.items()}


class _Kept(NamedTuple):
    """The commits that date files at ``head``; None for a file that no commit dates."""

    head: str = ""
    commits: Mapping[bytes, Commit | None] = {}


def _read_kept(repository: Repository, folder: Path | None, view: str) -> _Kept:
    """What is kept of a repository and still true; ``view`` stands for all that decides besides HEAD."""
    if folder is None:
        return _Kept()
    root = os.fsencode(repository.git.folder)
    commits: dict[bytes, Commit | None] = {}
    try:
        with open_cache(folder) as cache:
            columns = "SELECT id, head, used < CURRENT_DATE FROM histories WHERE root = ? AND view = ?"
            row = cache.execute(columns, (root, view)).fetchone()
            if row is None:
                return _Kept()
            history, head, unused = row
            if unused:
                cache.execute("UPDATE histories SET used = CURRENT_DATE WHERE id = ?", (history,))
            dates = cache.execute(
                "SELECT path, id, committed, authored FROM dates WHERE history = ?", (history,)
            )
            for path, *commit in dates:
                commits[path] = Commit(*commit) if commit[0] else None
    except CacheError:
        return _Kept()
    if head != repository.head:
        if not repository.extends(head):
            return _Kept()
        since = repository.log(f"{head}..{repository.head}", FIRST_PARENT, folders(commits))
        for path, _ in read_changes(since):
            commits.pop(path, None)
    return _Kept(head, commits)


def _save_kept(
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
