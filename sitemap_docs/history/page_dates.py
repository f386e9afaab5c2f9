"""The date of a page: when what it is made of last changed, as far as the history proves it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from stat import S_ISDIR, S_ISLNK
from time import monotonic
from typing import NamedTuple

from sitemap_docs.config.dates import is_future, moment
from sitemap_docs.config.options import Meaning, Options
from sitemap_docs.config.patterns import UnmatchedGlobs
from sitemap_docs.files import is_repository, repository_of, seen_from
from sitemap_docs.history import diagnostics, file_commits, git
from sitemap_docs.history.file_commits import DatingCommit, Refused, date_of
from sitemap_docs.history.git import IGNORED, Commit, GitTrouble, Repository, open_repository
from sitemap_docs.model import Cause, Finding, Page
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import one_line

_INSTALLED = {"site-packages", "dist-packages"}


_EXTENDED = "\\\\?\\"  # begins absolute targets of links on Windows


class TrackedPath(NamedTuple):
    """A path in a repository, as git spells it; a folder ends in a slash, the whole work tree is empty."""

    root: str
    path: bytes


class _Found(NamedTuple):
    """A file or folder with links resolved, and the links on the way; ``end`` is the slash of a folder."""

    real: str
    end: str
    root: str | None
    links: tuple[TrackedPath, ...]

    @property
    def places(self) -> tuple[TrackedPath, ...]:
        return (*self.links, *_place(self.root, self.real, self.end))


class TrackedPaths(Mapping[str, tuple[TrackedPath, ...]]):
    """Each link on the way to a file, and the file itself, by its name; nothing outside repositories.

    Of a file without links, as most are, only the folder is kept, which it shares with others.
    """

    def __init__(self, names: Iterable[Path | str]) -> None:
        self._places: dict[str, TrackedPath | tuple[TrackedPath, ...]] = {}
        here = os.getcwd()
        known: dict[str, _Found] = {}
        shared: dict[TrackedPath, TrackedPath] = {}
        for name in {os.fspath(name): None for name in names}:
            places = _find(os.path.join(here, name), known).places
            self._places[name] = places
            base = name.rpartition(os.sep)[2]
            end = os.fsencode(base)
            if len(places) == 1 and base and places[0].path.endswith(end):
                folder = TrackedPath(places[0].root, places[0].path[: -len(end)])
                self._places[name] = shared.setdefault(folder, folder)

    def __getitem__(self, name: str) -> tuple[TrackedPath, ...]:
        place = self._places[name]
        if isinstance(place, TrackedPath):
            base = name.rpartition(os.sep)[2]
            return (TrackedPath(place.root, place.path + os.fsencode(base)),)
        return place

    def expand(self, inside: Mapping[TrackedPath, Sequence[TrackedPath]]) -> None:
        """Puts the files in folders, where there are some, in the place of the folders."""
        for name in self._places:
            places = self[name]
            if not inside.keys().isdisjoint(places):
                expanded = [inside.get(place) or [place] for place in places]
                self._places[name] = tuple(chain.from_iterable(expanded))

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _find(path: str, known: dict[str, _Found]) -> _Found:
    """Returns what is at a path; each folder on the way is looked at once, and then ``known``."""
    new: list[str] = []
    while path not in known and path not in new[-1:]:
        new.append(path)
        path = os.path.dirname(path)
    found = known.get(path, _Found(path, "/", None, ()))
    for each in reversed(new):
        above, name = found, os.path.basename(each)
        real = os.path.join(above.real, name)
        try:
            mode = os.lstat(real).st_mode
        except (OSError, ValueError):
            mode = 0
        if name == "..":
            found = _find(os.path.dirname(above.real), known)._replace(links=above.links)
        elif S_ISLNK(mode) and (target := _target(real)):
            found = _find(target, known)
            found = found._replace(links=(*above.links, *_place(above.root, real), *found.links))
        elif S_ISDIR(mode):
            root = real if is_repository(real) else above.root
            found = _Found(real, "/", root, above.links)
        else:
            found = _Found(real, "", above.root, above.links)
        if found.end:
            known[each] = found
    return found


def _place(root: str | None, path: str, end: str = "") -> tuple[TrackedPath, ...]:
    if root is None:
        return ()
    if path == root:
        return (TrackedPath(root, b""),)
    inside = path[len(root) :].removeprefix(os.sep)
    return (TrackedPath(root, os.fsencode(inside.replace(os.sep, "/") + end)),)


def _target(path: str) -> str | None:
    """Returns where one symbolic link leads, perhaps to another link.

    It is None where the chain does not end at a file.
    """
    try:
        os.stat(path)
        target = os.readlink(path).removeprefix(_EXTENDED)
    except OSError:
        return None
    parts = [part for part in target.split(os.sep) if part not in ("", ".")]
    if target.startswith(os.sep):
        return os.path.join(os.sep, *parts)
    return os.path.join(os.path.dirname(path), *parts)


class Stamp(NamedTuple):
    """A proven date: ``when`` in UTC, from ``commit`` (a full hex id) for ``path`` in repository ``root``.

    ``seconds`` are the committer date and the author date of the commit, since 1970.
    """

    when: datetime
    commit: str
    path: str
    root: str
    seconds: tuple[int, ...] = ()

    @property
    def file(self) -> str:
        return os.path.join(self.root, self.path.replace("/", os.sep))


class _SourcesHistory(NamedTuple):
    """The history of all sources of a page.

    Attributes:
        newest: The newest commit that dates a source, and the path of this source.
        unproven: The cause if the clone does not prove the last commit of a source.
        undated: The cause if no commit dates a source. Other sources can still date the page.
        untracked: Included files that git does not track.
    """

    newest: tuple[TrackedPath, Commit] | None
    unproven: Cause | None
    undated: Cause | None
    untracked: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of files.

    Attributes:
        findings: Problems with git, with commits and with options, which concern many files.
        is_off: Whether the option ``lastmod`` is ``none``, so that no file has a date.
    """

    findings: tuple[Finding, ...] = ()
    _meaning: Meaning = "commit"
    is_off: bool = False
    _places: Mapping[str, tuple[TrackedPath, ...]] = field(default_factory=dict)
    _datings: Mapping[str, Mapping[bytes, DatingCommit]] = field(default_factory=dict)  # by repository
    #: The cause for files of a repository about which nothing else is known.
    _causes: Mapping[str, Cause] = field(default_factory=dict)

    def cover(self, sources: Iterable[Path | str]) -> bool:
        """Check whether the dates of all these files were read."""
        return all(os.fspath(source) in self._places for source in sources)

    def with_meaning(self, meaning: Meaning) -> Dates:
        """Return the dates of the same commits for another value of the option ``lastmod``."""
        return replace(self, _meaning=meaning)

    def find_stamp(self, sources: Iterable[Path | str]) -> Stamp | None:
        """Return the newest commit of the files. If the files have no date, return None."""
        answer = self.find(tuple(sources))
        return answer if isinstance(answer, Stamp) else None

    def find(self, sources: Sequence[Path | str]) -> Stamp | Cause:
        """Return the newest commit of a page's sources, or the cause if the page has no date.

        A page has no date if git does not track one of the files that it includes, or if the clone does not
        show the last commit of one of its sources. That commit may have any date, because clocks differ.

        Args:
            sources: The files of the page as they were passed to :func:`read_dates`, its own source first.
        """
        if self.is_off:
            return diagnostics.SWITCHED_OFF
        if not sources:
            return diagnostics.NO_SOURCE
        history = self._walk(sources)
        cause = history.unproven
        if history.untracked:
            cause = self._untracked_cause(history.untracked)
        if cause:
            return cause
        if history.newest is None:
            return history.undated or diagnostics.EXCLUDED
        return self._stamp(*history.newest)

    def _walk(self, sources: Sequence[Path | str]) -> _SourcesHistory:
        newest: tuple[TrackedPath, Commit] | None = None
        newest_date = 0
        unproven: Cause | None = None
        undated: Cause | None = None
        untracked: list[str] = []
        for number, source in enumerate(sources):
            places = self._places.get(os.fspath(source))
            if places is None:  # The option `lastmod_excludes` matches the file.
                continue
            if not places:
                undated = undated or diagnostics.NO_REPOSITORY
                continue
            for place in places:
                dating = self._datings.get(place.root, {}).get(place.path)
                if dating is not None and dating.commit is not None:
                    date = date_of(dating.commit, self._meaning)
                    if newest is None or date > newest_date:
                        newest, newest_date = (place, dating.commit), date
                elif dating is not None and dating.is_unproven:
                    unproven = unproven or self._cause_of(place, dating)
                else:
                    undated = undated or self._cause_of(place, dating)
            if self._is_untracked(places[-1]) and self._is_part(sources, number):
                untracked.append(os.fspath(source))
        return _SourcesHistory(newest, unproven, undated, untracked)

    def _stamp(self, place: TrackedPath, commit: Commit) -> Stamp | Cause:
        when = moment(date_of(commit, self._meaning))
        if when is None:  # Only for the other meaning: a commit with such a date counts as a future one.
            return diagnostics.future_cause(commit)
        seconds = (commit.committed, commit.authored)
        return Stamp(when, commit.id, os.fsdecode(place.path), place.root, seconds)

    def _is_untracked(self, place: TrackedPath) -> bool:
        datings = self._datings.get(place.root)
        return datings is not None and place.path not in datings

    def _is_part(self, sources: Sequence[Path | str], number: int) -> bool:
        """Check whether an untracked file contributes to the page, so that the page has no date.

        The page's own source may be generated from the others. Then git has no link to it either. A file that
        does not exist contributes nothing. Nor does a package that pip has installed in the work tree,
        because elsewhere it is installed outside. The same is true for a Python that pyenv, itself a clone,
        has installed. So only the work tree of the page's own source counts.
        """
        own_places = self._places.get(os.fspath(sources[0]), ())
        places = self._places[os.fspath(sources[number])]
        if number == 0 and all(map(self._is_untracked, places)):
            return False
        file = Path(sources[number])
        is_in_work_tree = places[-1].root in {place.root for place in own_places}
        return is_in_work_tree and file.is_file() and not _INSTALLED & {*file.parts}

    def _untracked_cause(self, untracked: Sequence[str]) -> Cause:
        """Return the cause if git does not track some of the included files."""
        place = next(place for place in self._places[untracked[0]] if self._is_untracked(place))
        return diagnostics.untracked_cause("untracked-dependency", place.path, tuple(untracked))

    def _cause_of(self, place: TrackedPath, dating: DatingCommit | None) -> Cause:
        """Return the cause if no commit dates a file."""
        if dating is None and self._is_untracked(place):
            return diagnostics.untracked_cause(diagnostics.SOURCES_UNTRACKED, place.path)
        if dating and dating.is_cut:
            return diagnostics.CUT
        if dating and dating.unclear:
            return diagnostics.unclear_move(dating.unclear)
        if dating and dating.future:
            return diagnostics.future_cause(dating.future)
        return self._causes[place.root]


def read_dates(
    options: Options,
    sources: Iterable[Path | str],
    *,
    around: Surroundings,
    known: Dates | None = None,
) -> Dates:
    """The dates of files, and of folders: the newest of all tracked files below; of excluded sources none.

    The values ``commit`` and ``author`` of ``lastmod`` mean the commit that ``git log -1 -- file`` names and
    its two dates. Commits do not count that are listed in ``lastmod_ignore_revs``, else in the repository's
    ``.git-blame-ignore-revs``, nor those that are dated after now. A file that HEAD does not have has no
    date; one that was changed since has that of its last commit. ``known`` are dates of this build that were
    read before; they are returned where they have all sources.
    """
    globs = [("lastmod_excludes", glob) for glob in options.lastmod_excludes.patterns]
    unmatched = UnmatchedGlobs(globs, "source")
    names = list(dict.fromkeys(sources)) if options.lastmod != "none" else []
    if globs:
        asked, names = names, []
        for source in asked:
            seen = [options.lastmod_excludes.name_of(source)]
            unmatched.compare(seen)
            if not options.lastmod_excludes.includes(seen):
                names.append(source)
    if known and known.cover(names):
        return known
    meaning: Meaning = "author" if options.lastmod == "author" else "commit"
    ignore_revs = Path(options.lastmod_ignore_revs) if options.lastmod_ignore_revs else None
    places = TrackedPaths(names)
    wanted = defaultdict(list)
    for top, path in chain.from_iterable(places.values()):
        wanted[top].append(path)

    deadline = monotonic() + git.TIMEOUT  # of all repositories
    datings: dict[str, dict[bytes, DatingCommit]] = {}
    causes: dict[str, Cause] = {}
    troubles: dict[str, GitTrouble] = {}
    lists: dict[Path, Finding] = {}
    read: dict[str, tuple[Repository, Refused]] = {}
    for top, paths in sorted(wanted.items()):
        listed = ignore_revs or Path(top, IGNORED)
        ignored, problem = file_commits.read_ignored(listed)
        refused = Refused(ignored, meaning, around.now)
        try:
            repository = open_repository(top, around.environ, deadline)
            cache = around.cache if options.cache else None
            datings[top] = file_commits.read_dating_commits(repository, paths, refused, cache)
            read[top] = repository, refused
        except GitTrouble as trouble:
            troubles[top] = trouble
            causes[top] = diagnostics.cause_of(trouble)
            continue
        causes[top] = Cause("commits-ignored", f"all its commits are in {one_line(listed.name)}")
        if problem and (ignore_revs or listed.is_file()):
            lists[listed] = diagnostics.ignore_revs(problem).at(one_line(str(listed)))
    if inside := _files_in_folders(wanted, datings):
        places.expand(inside)
    for repository, refused in read.values():
        with suppress(GitTrouble):
            places.expand(_moved_with(repository, refused, datings))
    if places and not wanted:
        troubles[""] = GitTrouble("no-repository")
    future = []
    for dating_commits in datings.values():
        future += [dating.future for dating in dating_commits.values() if dating.future]
    findings = (
        *diagnostics.troubles(troubles),
        *diagnostics.future(future),
        *lists.values(),
        *unmatched.findings(),
    )
    return Dates(
        findings=findings,
        is_off=options.lastmod == "none",
        _meaning=meaning,
        _places=places,
        _datings=datings,
        _causes=causes,
    )


def _files_in_folders(
    wanted: Mapping[str, Iterable[bytes]], datings: Mapping[str, Mapping[bytes, DatingCommit]]
) -> dict[TrackedPath, list[TrackedPath]]:
    """The tracked files in each folder that is wanted, of the repositories that git can read."""
    inside = {}
    for root, dating_commits in datings.items():
        for folder in wanted[root]:
            if folder.endswith(b"/") or not folder:
                paths = sorted(path for path in dating_commits if path.startswith(folder))
                inside[TrackedPath(root, folder)] = [TrackedPath(root, path) for path in paths]
    return inside


def _moved_with(
    repository: Repository, refused: Refused, datings: dict[str, dict[bytes, DatingCommit]]
) -> dict[TrackedPath, list[TrackedPath]]:
    """The files of a submodule that a move of it changed, each also as a place in the repository around it.

    The commits that moved it are added to ``datings``. Raises GitTrouble where the repository around it
    cannot be read.
    """
    root = repository.git.folder
    around = repository_of(Path(root).parent)
    if around is None:
        return {}
    above = open_repository(os.fspath(around), repository.git.environ, repository.git.deadline)
    link = os.fsencode(seen_from(around, root))
    if not above.tree([link]).get(link, b"").startswith(file_commits.GITLINK):
        return {}
    moved = {}
    for path, dating in file_commits.read_moves(above, link, repository, datings[root], refused).items():
        place = TrackedPath(above.git.folder, link + b"/" + path)
        datings.setdefault(place.root, {})[place.path] = dating
        moved[TrackedPath(root, path)] = [place, TrackedPath(root, path)]
    return moved


class PageDate(NamedTuple):
    """The date of a page, or the cause if the page has none.

    Attributes:
        when: The date, in UTC unless the author wrote another time zone.
        stamp: The commit, if the date comes from git.
        cause: The cause, if there is no date.
        rejected: A date in the front matter that does not count because it is in the future.
    """

    when: datetime | None = None
    stamp: Stamp | None = None
    cause: Cause | None = None
    rejected: datetime | None = None


def page_date(page: Page, dates: Dates, now: datetime, listed: datetime | None = None) -> PageDate:
    """Return the date of a page, or the cause if the page has none.

    The first of these dates counts: the date in the front matter, unless it is in the future; the date
    ``listed`` in the option ``extra_urls``; the date of the newest commit to a source.
    """
    own_date, rejected = page.options.lastmod, None
    if own_date and is_future(own_date, now):
        own_date, rejected = None, own_date
    chosen_date = own_date or listed
    if chosen_date:
        return PageDate(chosen_date, rejected=rejected)
    if page.unknown and not dates.is_off:
        return PageDate(cause=page.unknown, rejected=rejected)
    answer = dates.find(page.sources)
    if isinstance(answer, Cause):
        return PageDate(cause=answer, rejected=rejected)
    return PageDate(answer.when, answer, rejected=rejected)
