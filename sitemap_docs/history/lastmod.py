"""The date of a page: when what it is made of last changed, as far as the history proves it."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.history import diagnostics
from sitemap_docs.history.dating import read_dating_commits
from sitemap_docs.history.ignored_revs import IGNORED, Ignored, Refused, date_of, read_ignored
from sitemap_docs.history.paths import Map, TrackedPath
from sitemap_docs.history.repository import Git, GitTrouble, open_repository

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from sitemap_docs.history.dating import DatingCommit
    from sitemap_docs.history.ignored_revs import Meaning
    from sitemap_docs.model import Finding


class Stamp(NamedTuple):
    """A proven date: ``when`` in UTC, from ``commit`` (a full hex id) for ``path`` in repository ``root``."""

    when: datetime
    commit: str
    path: str
    root: Path

    @property
    def file(self) -> Path:
        return self.root / self.path


class CommitInfo(NamedTuple):
    """What a commit says of itself."""

    commit: str
    author: str
    subject: str


class _Known(NamedTuple):
    stamp: Stamp | None = None
    not_after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of files; ``findings`` holds one message per cause that kept dates away.

    That a shallow clone did is for those to tell who know the pages: :meth:`are_cut`.
    """

    findings: tuple[Finding, ...]
    _known: Mapping[str, _Known]

    def of(self, sources: Iterable[Path]) -> Stamp | None:
        """The newest stamp of the files, as they were named to :func:`read_dates`, the first of equal ones.

        ``None`` when none has a provable date, and when a file whose history a shallow clone cuts off may be
        newer: its date is unknown, but not later than the commit at the cut.
        """
        return _proven(self._all_of(sources))

    def are_cut(self, sources: Iterable[Path]) -> bool:
        """Whether it is a shallow clone that keeps the date of the files away."""
        known = self._all_of(sources)
        return known.not_after is not None and not _proven(known)

    def _all_of(self, sources: Iterable[Path]) -> _Known:
        names = map(os.fspath, sources)
        return _newest(self._known[name] for name in names if name in self._known)


def read_dates(  # noqa: PLR0913  each but two is an option
    files: Iterable[Path],
    *,
    meaning: Meaning,
    now: datetime,
    ignore_revs: Path | None = None,
    ignore_renames: bool = False,
    cache: Path | None = None,
    environ: Mapping[str, str],
) -> Dates:
    """The dates of files, and of folders: the newest of all tracked files below.

    ``commit`` and ``author`` mean the commit that ``git log -1 -- file`` names and its two dates, ``landing``
    the committer date of ``git log -1 --first-parent -- file``. Commits listed in ``ignore_revs``, else in
    the repository's ``.git-blame-ignore-revs``, do not count, nor do those dated after ``now``, nor with
    ``ignore_renames`` those that only renamed a file. A file that HEAD does not have has no date; one that
    was changed since has that of its last commit.
    """
    atlas, here = Map(), os.getcwd()  # noqa: PTH109  texts: a path object for each file is expensive
    places = {name: atlas.places(os.path.join(here, name)) for name in map(os.fspath, files)}  # noqa: PTH118
    wanted = defaultdict(set)
    for place in chain.from_iterable(places.values()):
        wanted[place.root].add(place.path)
    reading = _Reading(meaning, int(now.timestamp()), ignore_revs, ignore_renames, cache, environ)
    answers = [reading.answer(root, wanted[root]) for root in sorted(wanted)]
    by_place = {place: known for answer in answers for place, known in answer.known(meaning).items()}
    dates = {name: _newest(by_place[place] for place in where) for name, where in places.items()}
    return Dates(findings=tuple(_findings(answers, named=bool(dates))), _known=dates)


def describe(stamp: Stamp, environ: Mapping[str, str]) -> CommitInfo:
    """Author and subject of the commit behind a date; SitemapError when git cannot tell."""
    git = Git(str(stamp.root), environ)
    how = ("--no-show-signature", "--no-color", "--format=%H%n%an%n%s")
    told = git.output("log", "-1", *how, stamp.commit, "--").decode(errors="replace")
    return CommitInfo(*told.split("\n")[:3])


class _Answer(NamedTuple):
    """What one repository says of the paths it was asked for, or why it does not."""

    root: str
    paths: Collection[bytes]
    datings: Mapping[bytes, DatingCommit] = {}
    ignored: Ignored = Ignored()
    trouble: GitTrouble | None = None

    def known(self, meaning: Meaning) -> dict[TrackedPath, _Known]:
        root = Path(self.root)
        each = {path: _known(root, path, dating, meaning) for path, dating in self.datings.items()}
        folders = (path for path in self.paths if path.endswith(b"/") or not path)
        below = {
            path: _newest(one for file, one in each.items() if file.startswith(path)) for path in folders
        }
        return {
            TrackedPath(self.root, path): below.get(path) or each.get(path, _Known()) for path in self.paths
        }


class _Reading(NamedTuple):
    meaning: Meaning
    now: int
    ignore_revs: Path | None
    ignore_renames: bool
    cache: Path | None
    environ: Mapping[str, str]

    def answer(self, root: str, paths: Collection[bytes]) -> _Answer:
        try:
            repository = open_repository(root, self.environ)
            ignored = (
                read_ignored(self.ignore_revs) if self.ignore_revs else read_ignored(Path(root, IGNORED))
            )
            refused = Refused(ignored, self.meaning, self.now)
            datings = read_dating_commits(
                repository, paths, refused, self.cache, ignore_renames=self.ignore_renames
            )
        except GitTrouble as trouble:
            return _Answer(root, paths, trouble=trouble)
        return _Answer(root, paths, datings, ignored)


def _known(root: Path, path: bytes, dating: DatingCommit, meaning: Meaning) -> _Known:
    if dating.boundary:
        return _Known(not_after=dating.boundary.committed)
    if not dating.commit:
        return _Known()
    when = _when(date_of(dating.commit, meaning))
    return _Known(Stamp(when=when, commit=dating.commit.id, path=os.fsdecode(path), root=root))


@lru_cache(maxsize=1_024)  # the files of a commit share it
def _when(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


def _newest(known: Iterable[_Known]) -> _Known:
    known = tuple(known)
    if len(known) == 1:
        return known[0]
    stamps = (each.stamp for each in known if each.stamp)
    cuts = (each.not_after for each in known if each.not_after is not None)
    return _Known(max(stamps, key=attrgetter("when"), default=None), max(cuts, default=None))


def _proven(known: _Known) -> Stamp | None:
    stamp, not_after = known
    return stamp if stamp and (not_after is None or not_after <= stamp.when.timestamp()) else None


def _findings(answers: Iterable[_Answer], *, named: bool) -> Iterator[Finding]:
    if named and not answers:
        yield diagnostics.trouble("no-repository")
    troubles = defaultdict(list)
    for answer in answers:
        if answer.trouble:
            troubles[answer.trouble.rule].append((answer.root, answer.trouble.words))
    for rule, those in sorted(troubles.items()):
        yield diagnostics.trouble(rule, [root for root, _ in those], those[0][1])
    datings = [dating for answer in answers for dating in answer.datings.values()]
    if ahead := [dating.future for dating in datings if dating.future]:
        yield diagnostics.future(len(ahead), max(ahead, key=attrgetter("committed", "id")))
    for ignored in sorted({answer.ignored for answer in answers if answer.ignored.problem}):
        yield diagnostics.ignore_revs(ignored)
