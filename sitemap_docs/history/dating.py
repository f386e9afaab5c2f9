"""Which commit dates each file: the one that ``git log -1`` would name, from one pass over the history.

``git log -1 -- file`` follows the first parent with the same file until a commit differs from all parents;
that commit leaves the file's present state. So, of the commits that differ from all their parents, one that
alone leaves this state is the answer. Where several do (reverts, cherry-picks), git is asked about the file.
"""

from __future__ import annotations

import os
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import dropwhile, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from sitemap_docs.executors import submit
from sitemap_docs.history.cache import drop_kept, read_kept, save_kept
from sitemap_docs.history.repository import FIRST_PARENT, Commit
from sitemap_docs.history.touches import OddRecordError, Touch, Touches, first_touches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sitemap_docs.history.ignored_revs import Refused
    from sitemap_docs.history.repository import Repository

#: Up to so many files, a question about each is quicker than a walk along the first parents.
_FEW = 2


_ABSENT = b"000000"


class _At(NamedTuple):
    """A path and the state of the file there, a mode and an object id."""

    path: bytes
    state: bytes


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
    dated = partial(_read_dating_commits, repository, places, refused, ignore_renames=ignore_renames)
    try:
        return dated(cache)
    except OddRecordError:
        drop_kept(repository, cache, first_parent=refused.meaning == "landing")
        return dated(None)


def _read_dating_commits(
    repository: Repository,
    places: Collection[bytes],
    refused: Refused,
    cache: Path | None,
    *,
    ignore_renames: bool,
) -> dict[bytes, DatingCommit]:
    landing = refused.meaning == "landing"
    wanted = [repository.prefix + place for place in places]
    whole = [b""] if ignore_renames else []  # a file may come from anywhere
    kept = read_kept(repository, [*wanted, *whole], cache, first_parent=landing)
    if tracked := _respelled(repository, kept.tree, wanted):
        wanted = [tracked.get(place, place) for place in wanted]
        kept = read_kept(repository, [*wanted, *whole], cache, first_parent=landing)
    files = _tracked(kept.tree, wanted)
    search = _Search(repository, kept.touches, kept.folders, refused, dict(kept.asked), ignore_renames)
    states = {path: kept.tree[path] for path in files}
    datings = search.landings(states) if landing else search.datings(states)
    if cache and len(search.asked) > len(kept.asked):
        save_kept(repository, cache, kept._replace(asked=search.asked), first_parent=landing)
    datings |= {place: datings.pop(path) for place, path in tracked.items()}
    return {path[len(repository.prefix) :]: dating for path, dating in datings.items()}


def _respelled(
    repository: Repository, tree: Mapping[bytes, bytes], places: Iterable[bytes]
) -> dict[bytes, bytes]:
    """Files that HEAD lacks → the one path there that differs in Unicode normalisation alone."""
    lacking = [place for place in places if not place.isascii() and place[-1:] != b"/" and place not in tree]
    if not lacking:
        return {}
    spellings = defaultdict(list)
    for path in repository.tree(()):
        if not path.isascii():
            spellings[_composed(path)].append(path)
    found = ((place, spellings.get(_composed(place), ())) for place in lacking)
    return {place: paths[0] for place, paths in found if len(paths) == 1 and _same(repository, place, *paths)}


def _composed(path: bytes) -> str:
    return normalize("NFC", os.fsdecode(path))


def _same(repository: Repository, place: bytes, path: bytes) -> bool:
    """Whether both spellings name one file; where they name two, the other one is another page's."""
    here, there = (Path(repository.git.folder, os.fsdecode(name)) for name in (place, path))
    return not there.exists() or (here.exists() and here.samefile(there))


def _tracked(tree: Mapping[bytes, bytes], places: Iterable[bytes]) -> list[bytes]:
    files = {place for place in places if place in tree}
    if folders := tuple(place for place in places if place.endswith(b"/") or not place):
        files.update(path for path in tree if path.startswith(folders))
    return sorted(files)


@dataclass
class _Search:
    """What is known of one repository; ``asked`` are git's answers to (start, path), true for ever.

    ``_open`` are the files whose commit is looked for from a start, with their path and state there.
    """

    repository: Repository
    touches: Touches
    folders: tuple[bytes, ...]
    refused: Refused
    asked: dict[tuple[str, bytes], Commit | None]
    ignore_renames: bool
    _found: dict[bytes, DatingCommit] = field(default_factory=dict)
    _open: defaultdict[str, dict[bytes, _At]] = field(default_factory=lambda: defaultdict(dict))

    def landings(self, states: Mapping[bytes, bytes]) -> dict[bytes, DatingCommit]:
        """The newest touch on the line of first parents that the touches are of."""
        return {path: self._first(self._landed(_At(path, state))) for path, state in states.items()}

    def datings(self, states: Mapping[bytes, bytes]) -> dict[bytes, DatingCommit]:
        """The commit of each file, given by its state at HEAD."""
        self._open[self.repository.head] = {path: _At(path, state) for path, state in states.items()}
        while self._open:
            start, at_start = self._open.popitem()
            unclear = {file: at for file, at in at_start.items() if not self._proves(file, at)}
            self._ask(start, list(dict.fromkeys(at.path for at in unclear.values())))
            for file, at in unclear.items():
                commit = self.asked[start, at.path]
                touch = commit and (self.touches.by(at.path, commit.id) or Touch(commit, None))
                self._settle(file, at, touch)
        return self._found

    def _landed(self, at: _At) -> Iterator[Commit]:
        touches: Iterator[Touch] | None = self.touches.of(at.path)
        while touches:
            following, touches = touches, None
            for touch in following:
                if origin := self._origin(touch, at):
                    at, touches = origin, self._before(touch.commit, origin.path)
                    break
                yield touch.commit
                at = _At(at.path, touch.before or at.state)

    def _before(self, commit: Commit, path: bytes) -> Iterator[Touch]:
        """The touches of a file that are older than the one by a commit."""
        from_there = dropwhile(lambda touch: touch.commit.id != commit.id, self.touches.of(path))
        return islice(from_there, 1, None)

    def _origin(self, touch: Touch, at: _At) -> _At | None:
        """Where the file was before a commit that only renamed it; None for any other commit."""
        if not self.ignore_renames or not touch.before or not touch.before.startswith(_ABSENT):
            return None
        paths = self._removed.get((touch.commit.id, at.state), ())
        named = at.path.rpartition(b"/")[2]
        path = min(paths, key=lambda path: (path.rpartition(b"/")[2] != named, path), default=None)
        return None if path is None else _At(path, at.state)

    @cached_property
    def _removed(self) -> Mapping[tuple[str, bytes], list[bytes]]:
        """The files that each commit removed, by the state in which they were."""
        found = defaultdict(list)
        absent = _ABSENT + b" " + b"0" * len(self.repository.head)
        for path in self.touches.records:
            for touch in self.touches.leaving(path, absent):
                if touch.before:
                    found[touch.commit.id, touch.before].append(path)
        return found

    def _first(self, commits: Iterable[Commit], future: Commit | None = None) -> DatingCommit:
        for commit in commits:
            if commit.id in self.repository.boundary:
                return DatingCommit(boundary=commit, future=future)
            if not self.refused(commit):
                return DatingCommit(commit=commit, future=future)
            future = future or (commit if self.refused.ahead(commit) else None)
        return DatingCommit(future=future)

    def _proves(self, file: bytes, at: _At) -> bool:
        found = self.touches.leaving(*at)
        absent = at.state.startswith(_ABSENT)
        if not found:
            self._settle(file, at, None)
        elif len(found) == 1 and not absent:  # a file may be absent without a commit that removed it
            self._settle(file, at, found[0])
        elif not absent and all(touch.commit.id in self.repository.boundary for touch in found):
            self._settle(file, at, max(found, key=lambda touch: touch.commit.committed))
        else:
            return False
        return True

    def _settle(self, file: bytes, at: _At, touch: Touch | None) -> None:
        future = self._found.get(file, DatingCommit()).future
        if touch and (origin := self._origin(touch, at)):
            self._open[f"{touch.commit.id}^@"][file] = origin
            self._found[file] = DatingCommit(future=future)
            return
        dating = self._first([touch.commit] if touch else [], future)
        if touch and dating.commit is dating.boundary:
            before = f"{touch.commit.id}^@"
            if touch.before:
                self._open[before][file] = _At(at.path, touch.before)
            else:  # git goes on along all parents of a merge at once, by date
                dating = self._first(self.repository.commits(before, at.path), dating.future)
        self._found[file] = dating

    def _ask(self, start: str, paths: list[bytes]) -> None:
        """Learn what ``git log -1 start -- path`` names for each path."""
        unknown = [path for path in paths if (start, path) not in self.asked]
        if len(unknown) > _FEW:
            self._follow_first_parents(start, unknown)
        else:
            self._ask_singly(start, unknown)

    def _ask_singly(self, start: str, paths: list[bytes]) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = {path: submit(pool, self.repository.last, start, path) for path in paths}
            self.asked.update({(start, path): answer.result() for path, answer in answers.items()})

    def _follow_first_parents(self, start: str, paths: list[bytes]) -> None:
        with closing(self.repository.touches(start, FIRST_PARENT, self.folders)) as tokens:
            first = first_touches(tokens, paths)
        merged = defaultdict(list)
        for path in paths:
            commit = first.get(path)
            if commit is None or self.touches.by(path, commit.id):
                self.asked[start, path] = commit
            else:  # a merge that differs from its first parent and not from all: of two, the second is equal
                merged[commit.id].append(path)
        for merge, brought in merged.items():
            if self.repository.is_octopus(merge):
                other = merge
                self._ask_singly(other, brought)
            else:
                other = f"{merge}^2"
                self._ask(other, brought)
            self.asked.update({(start, path): self.asked[other, path] for path in brought})
