"""The date of a page: when what it is made of last changed, as far as the history proves it."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.files import seen_from
from sitemap_docs.history import diagnostics
from sitemap_docs.history.dating import (
    DatingCommit,
    Ignored,
    Refused,
    date_of,
    read_dating_commits,
    read_ignored,
)
from sitemap_docs.history.diagnostics import IGNORED
from sitemap_docs.history.git import Git, GitTrouble
from sitemap_docs.history.paths import Map, TrackedPath
from sitemap_docs.history.repository import (
    ABSENT,
    FIRST_PARENT,
    Commit,
    open_repository,
    read_changes,
    read_touch,
)
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from sitemap_docs.config.options import Meaning
    from sitemap_docs.model import Finding


_INSTALLED = {"site-packages", "dist-packages"}

#: One change that dates so large a part of so many pages is reported.
_PART = 0.4
_PAGES = 10


class Stamp(NamedTuple):
    """A proven date: ``when`` in UTC, from ``commit`` (a full hex id) for ``path`` in repository ``root``.

    ``authored`` is the author date of the commit, in seconds since 1970.
    """

    when: datetime
    commit: str
    path: str
    root: Path
    authored: int = 0

    @property
    def file(self) -> Path:
        return self.root / self.path


class CommitInfo(NamedTuple):
    """What a commit says of itself."""

    commit: str
    author: str
    subject: str


class _Known(NamedTuple):
    """What is known of a file: its date, or the moment after which it did not change, and why no more."""

    stamp: Stamp | None = None
    not_after: int | None = None
    cause: str = ""
    untracked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of files; ``findings`` holds one message per cause that kept dates away.

    That a shallow clone did is for those to tell who know the pages: :meth:`are_cut`.
    """

    findings: tuple[Finding, ...]
    _places: Mapping[str, tuple[TrackedPath, ...]]
    _known: Mapping[TrackedPath, _Known]

    def of(self, sources: Iterable[Path | str]) -> Stamp | None:
        """The newest stamp of the files, as they were named to :func:`read_dates`, the first of equal ones.

        The first file is the page's own source. ``None`` when none has a provable date, and when the page
        includes a file that is :meth:`untracked`. Also when a shallow clone cuts off the history of a file
        that may be newer: its date is unknown, but not later than the commit at the cut.
        """
        sources = tuple(sources)
        if self.untracked(sources):
            return None
        return _proven(self._all_of(sources))

    def untracked(self, sources: Sequence[Path | str]) -> list[Path]:
        """The files after the first that no commit dates, because git does not track them.

        A file that does not exist adds nothing to the page, nor does what pip installed in the work tree:
        elsewhere it is installed outside. So is a Python that pyenv, itself a clone, has installed: only the
        work tree of the page's own source counts.
        """
        found = []
        for source in sources[1:]:
            places = self._places.get(os.fspath(source), ())
            if not places or not all(self._known[place].untracked for place in places):
                continue
            own = {place.root for place in self._places.get(os.fspath(sources[0]), ())}
            inside = any(place.root in own for place in places)
            file = Path(source)
            if inside and file.is_file() and not _INSTALLED & {*file.parts}:
                found.append(file)
        return found

    def are_cut(self, sources: Iterable[Path | str]) -> bool:
        """Whether it is a shallow clone that keeps the date of the files away."""
        known = self._all_of(sources)
        return known.not_after is not None and not _proven(known)

    def why_undated(self, sources: Iterable[Path | str]) -> str:
        """Why :meth:`of` has no date of the files, in a few words."""
        sources = tuple(sources)
        for source in (*self.untracked(sources), *sources):
            cause = self._all_of([source]).cause
            if cause:
                return cause
        return "`lastmod_excludes` takes out its sources"

    def _all_of(self, sources: Iterable[Path | str]) -> _Known:
        known = []
        for source in sources:
            places = self._places.get(os.fspath(source))
            if places:
                known += [self._known[place] for place in places]
            elif places is not None:
                known.append(_NOWHERE)
        return _newest(known)


_NOWHERE = _Known(cause=diagnostics.CAUSES["no-repository"])


def read_dates(  # noqa: PLR0913  each but two is an option
    files: Iterable[Path | str],
    *,
    meaning: Meaning,
    now: datetime,
    ignore_revs: Path | None = None,
    ignore_renames: bool = False,
    cache: Path | None = None,
    environ: Mapping[str, str],
) -> Dates:
    """The dates of files, and of folders: the newest of all tracked files below.

    ``commit`` and ``author`` mean the commit that ``git log -1 -- file`` names and its two dates. Commits
    listed in ``ignore_revs``, else in the repository's ``.git-blame-ignore-revs``, do not count, nor do those
    dated after ``now``, nor with ``ignore_renames`` those that only renamed a file. A file that HEAD does not
    have has no date; one that was changed since has that of its last commit.
    """
    known_folders = Map()
    here = os.getcwd()  # noqa: PTH109  texts: a path object for each file is expensive
    places = {}
    wanted: dict[str, dict[bytes, TrackedPath]] = defaultdict(dict)
    for file in files:
        name = os.fspath(file)
        places[name] = known_folders.places(os.path.join(here, name))  # noqa: PTH118
        for place in places[name]:
            wanted[place.root][place.path] = place

    known: dict[TrackedPath, _Known] = {}
    troubles: dict[str, GitTrouble] = {}
    futures: list[Commit] = []
    lists: dict[str, Ignored] = {}
    for root, paths in sorted(wanted.items()):
        try:
            repository = open_repository(root, environ)
            ignored = read_ignored(ignore_revs or Path(root, IGNORED))
            refused = Refused(ignored, meaning, int(now.timestamp()))
            datings = read_dating_commits(repository, paths, refused, cache, ignore_renames=ignore_renames)
        except GitTrouble as trouble:
            troubles[root] = trouble
            for place in paths.values():
                known[place] = _Known(cause=diagnostics.CAUSES[trouble.rule])
            continue
        known.update(_known_places(root, paths, datings, refused))
        futures += [dating.future for dating in datings.values() if dating.future]
        if ignored.problem:
            lists[ignored.file] = ignored

    findings = list(diagnostics.troubles(troubles))
    if places and not wanted:
        findings.append(diagnostics.trouble("no-repository"))
    if futures:
        latest = max(futures, key=lambda commit: (commit.committed, commit.id))
        findings.append(diagnostics.future(len(futures), latest))
    findings += map(diagnostics.ignore_revs, lists.values())
    return Dates(findings=tuple(findings), _places=places, _known=known)


def describe(stamp: Stamp, environ: Mapping[str, str]) -> CommitInfo:
    """Author and subject of the commit behind a date; SitemapError when git cannot tell."""
    git = Git(str(stamp.root), environ)
    how = ("--no-show-signature", "--no-color", "--format=%H%n%an%n%s")
    told = git.output("log", "-1", *how, stamp.commit, "--").decode(errors="replace")
    return CommitInfo(*told.split("\n")[:3])


def count_renamed(root: Path, commit: str, environ: Mapping[str, str]) -> tuple[int, int]:
    """How many files a commit only gave another path, and how many it changed in place."""
    repository = open_repository(str(root), environ)
    added, removed, changed = [], set(), 0
    for _, change in read_changes(repository.log(f"{commit}^!", FIRST_PARENT, ())):
        touch = read_touch(change)
        if touch.after.startswith(ABSENT):
            removed.add(touch.before)
        elif (touch.before or b"").startswith(ABSENT):
            added.append(touch.after)
        else:
            changed += 1
    return sum(state in removed for state in added), changed


def _known_places(
    root: str, places: Mapping[bytes, TrackedPath], datings: Mapping[bytes, DatingCommit], refused: Refused
) -> Iterator[tuple[TrackedPath, _Known]]:
    """What is known of files and folders, from the commits that date the files."""
    files = {}
    work_tree = Path(root)
    for path, dating in datings.items():
        if dating.boundary:
            files[path] = _Known(not_after=dating.boundary.committed, cause=diagnostics.CUT)
        elif dating.commit:
            when = datetime.fromtimestamp(date_of(dating.commit, refused.meaning), timezone.utc)
            stamp = Stamp(when, dating.commit.id, os.fsdecode(path), work_tree, dating.commit.authored)
            files[path] = _Known(stamp)
        else:
            cause = f"all its commits are in {one_line(Path(refused.ignored.file).name)}"
            if dating.future:
                cause = f"no commit counts: {dating.future.id[:12]} is dated in the future"
            files[path] = _Known(cause=cause)
    for path, place in places.items():
        if path.endswith(b"/") or not path:
            below = _newest([known for file, known in files.items() if file.startswith(path)])
            yield place, below
        elif path in files:
            yield place, files[path]
        else:
            cause = f"{one_line(os.fsdecode(path))} is untracked"
            yield place, _Known(cause=cause, untracked=True)


def _newest(known: list[_Known]) -> _Known:
    """The newest date of several files, and the last moment at which the others can have changed."""
    if len(known) == 1:
        return known[0]
    stamp, not_after, cause = None, None, ""
    for each in known:
        if each.stamp and (stamp is None or each.stamp.when > stamp.when):
            stamp = each.stamp
        if each.not_after is not None and (not_after is None or each.not_after > not_after):
            not_after = each.not_after
        cause = cause or each.cause
    return _Known(stamp, not_after, cause, bool(known) and all(each.untracked for each in known))


def _proven(known: _Known) -> Stamp | None:
    if known.stamp and known.not_after is not None and known.not_after > known.stamp.when.timestamp():
        return None
    return known.stamp


class DatingTally:
    """The counts of one build, from its pages with known sources."""

    def __init__(self, dates: Dates) -> None:
        self._dates = dates
        self._cut = 0
        self._untracked: set[Path] = set()
        self._with_untracked = 0
        self._files: Counter[Path] = Counter()
        self._commits: Counter[tuple[Path, str]] = Counter()
        self._stamps: dict[str, Stamp] = {}

    def add(self, sources: Sequence[Path | str], stamp: Stamp | None) -> None:
        """Takes the sources of a listed page and what dates it, if anything does."""
        if stamp:
            self._commits[stamp.root, stamp.commit] += 1
            self._stamps.setdefault(stamp.commit, stamp)
            if str(stamp.file) != os.fspath(sources[0]):
                self._files[stamp.file] += 1
        elif untracked := self._dates.untracked(sources):
            self._untracked.update(untracked)
            self._with_untracked += 1
        elif self._dates.are_cut(sources):
            self._cut += 1

    def findings(self, listed: int, root: Path, environ: Mapping[str, str]) -> list[Finding]:
        """The findings about dates of the pages that are listed; files are named as seen from ``root``."""
        found = []
        if self._cut:
            found.append(diagnostics.shallow(self._cut, listed, environ))
        if self._untracked:
            names = {seen_from(root, file) for file in self._untracked}
            found.append(diagnostics.untracked_files(names, self._with_untracked))
        enough = max(_PAGES, _PART * listed)
        for file, dated in self._files.most_common(1):
            if dated >= enough:
                return [*found, diagnostics.one_file(seen_from(root, file), dated, listed)]
        for (_, commit), dated in self._commits.most_common(1):
            if dated >= enough:
                found += _one_commit(self._stamps[commit], dated, listed, environ)
        return found


def _one_commit(stamp: Stamp, dated: int, listed: int, environ: Mapping[str, str]) -> list[Finding]:
    """That one commit dates many pages; nothing where it brought them."""
    try:
        renamed, changed = count_renamed(stamp.root, stamp.commit, environ)
        commit = describe(stamp, environ)
    except GitTrouble:
        return []
    if max(renamed, changed) * 2 < dated:
        return []
    return [diagnostics.one_commit(commit, renamed=renamed > changed, dated=dated, pages=listed)]
