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
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from sitemap_docs.history.cache import read_kept, save_kept
from sitemap_docs.history.repository import FIRST_PARENT, Commit
from sitemap_docs.history.touches import Touch, Touches, first_touches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sitemap_docs.history.ignored_revs import Refused
    from sitemap_docs.history.repository import Repository

#: Up to so many files, a question about each is quicker than a walk along the first parents.
_FEW = 2


class DatingCommit(NamedTuple):
    """What the history says of a file.

    ``commit`` dates it, or nothing is proven but that it is not newer than ``boundary``, the commit where a
    shallow clone ends. ``future`` is a commit that was passed over because its date has not come yet.
    """

    commit: Commit | None = None
    boundary: Commit | None = None
    future: Commit | None = None


def read_dating_commits(
    repository: Repository, places: Collection[bytes], refused: Refused, cache: Path | None
) -> dict[bytes, DatingCommit]:
    """The verdict of every file at HEAD among the places in ``repository.root``; folders end in a slash.

    A file that HEAD has with other Unicode normalisation has the verdict of that one: macOS may give a name
    decomposed that git keeps composed (https://git-scm.com/docs/git-config, core.precomposeUnicode).
    """
    landing = refused.meaning == "landing"
    wanted = [repository.prefix + place for place in places]
    kept = read_kept(repository, wanted, cache, first_parent=landing)
    if tracked := _respelled(repository, kept.tree, wanted):
        wanted = [tracked.get(place, place) for place in wanted]
        kept = read_kept(repository, wanted, cache, first_parent=landing)
    files = _tracked(kept.tree, wanted)
    search = _Search(repository, kept.touches, kept.folders, refused, dict(kept.asked))
    verdicts = (
        search.landings(files) if landing else search.verdicts({path: kept.tree[path] for path in files})
    )
    if cache and len(search.asked) > len(kept.asked):
        save_kept(repository, cache, kept._replace(asked=search.asked), first_parent=landing)
    verdicts |= {place: verdicts.pop(path) for place, path in tracked.items()}
    return {path[len(repository.prefix) :]: verdict for path, verdict in verdicts.items()}


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


@dataclass(slots=True)
class _Search:
    """What is known of one repository; ``asked`` are git's answers to (start, path), true for ever."""

    repository: Repository
    touches: Touches
    folders: tuple[bytes, ...]
    refused: Refused
    asked: dict[tuple[str, bytes], Commit | None]
    _verdicts: dict[bytes, DatingCommit] = field(default_factory=dict)
    _open: defaultdict[str, dict[bytes, bytes]] = field(default_factory=lambda: defaultdict(dict))

    def landings(self, paths: Iterable[bytes]) -> dict[bytes, DatingCommit]:
        """The newest touch on the line of first parents that the touches are of."""
        return {path: self._first(touch.commit for touch in self.touches.of(path)) for path in paths}

    def verdicts(self, states: Mapping[bytes, bytes]) -> dict[bytes, DatingCommit]:
        """The commit of each file, given by its state at HEAD."""
        self._open[self.repository.head] = dict(states)
        while self._open:
            start, at_start = self._open.popitem()
            unclear = [path for path, state in at_start.items() if not self._proves(path, state)]
            self._ask(start, unclear)
            for path in unclear:
                commit = self.asked[start, path]
                self._settle(path, commit and (self.touches.by(path, commit.id) or Touch(commit, None)))
        return self._verdicts

    def _first(self, commits: Iterable[Commit], future: Commit | None = None) -> DatingCommit:
        for commit in commits:
            if commit.id in self.repository.boundary:
                return DatingCommit(boundary=commit, future=future)
            if not self.refused(commit):
                return DatingCommit(commit=commit, future=future)
            future = future or (commit if self.refused.ahead(commit) else None)
        return DatingCommit(future=future)

    def _proves(self, path: bytes, state: bytes) -> bool:
        found = self.touches.leaving(path, state)
        absent = state.startswith(b"000000")
        if not found:
            self._settle(path, None)
        elif len(found) == 1 and not absent:  # a file may be absent without a commit that removed it
            self._settle(path, found[0])
        elif not absent and all(touch.commit.id in self.repository.boundary for touch in found):
            self._settle(path, max(found, key=lambda touch: touch.commit.committed))
        else:
            return False
        return True

    def _settle(self, path: bytes, touch: Touch | None) -> None:
        future = self._verdicts.get(path, DatingCommit()).future
        verdict = self._first([touch.commit] if touch else [], future)
        if touch and verdict.commit is verdict.boundary:
            before = f"{touch.commit.id}^@"
            if touch.before:
                self._open[before][path] = touch.before
            else:  # git goes on along all parents of a merge at once, by date
                verdict = self._first(self.repository.commits(before, path), verdict.future)
        self._verdicts[path] = verdict

    def _ask(self, start: str, paths: list[bytes]) -> None:
        """Learn what ``git log -1 start -- path`` names for each path."""
        unknown = [path for path in paths if (start, path) not in self.asked]
        if len(unknown) > _FEW:
            self._follow_first_parents(start, unknown)
        else:
            self._ask_singly(start, unknown)

    def _ask_singly(self, start: str, paths: list[bytes]) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = pool.map(lambda path: self.repository.last(start, path), paths)
            self.asked.update(zip(((start, path) for path in paths), answers, strict=True))

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
