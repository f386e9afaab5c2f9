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
from sitemap_docs.history.diagnostics import Cause
from sitemap_docs.history.file_commits import DatingCommit, Refused, date_of
from sitemap_docs.history.git import IGNORED, GitTrouble, Repository, open_repository
from sitemap_docs.model import Finding, Page
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import NEEDS_GRIFFE, one_line

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of files; ``findings`` holds one message per cause that kept dates away.

    That a shallow clone did is for those to tell who know the pages: :meth:`why_undated`.
    """

    findings: tuple[Finding, ...] = ()
    _meaning: Meaning = "commit"
    _places: Mapping[str, tuple[TrackedPath, ...]] = field(default_factory=dict)
    #: Of the files of each repository that git can read.
    _datings: Mapping[str, Mapping[bytes, DatingCommit]] = field(default_factory=dict)
    #: Why a file of a repository has no date, where nothing is known of the file itself.
    _causes: Mapping[str, Cause] = field(default_factory=dict)

    def cover(self, sources: Iterable[Path | str]) -> bool:
        """Whether the dates of all these files were read."""
        return all(os.fspath(source) in self._places for source in sources)

    def by(self, meaning: Meaning) -> Dates:
        """The same history, read with another value of the option ``lastmod``."""
        return replace(self, _meaning=meaning)

    def of(self, sources: Iterable[Path | str]) -> Stamp | None:
        """The newest stamp of the files, as they were named to :func:`read_dates`, the first of equal ones.

        The first file is the page's own source. ``None`` when none has a provable date, and when the page
        includes a file that is :meth:`untracked`. Also when the clone does not show the last commit of one of
        the files: it may be of any date, as clocks differ.
        """
        sources = tuple(sources)
        place, newest = None, None
        places: list[TrackedPath] = []
        for source in sources:
            places += self._places.get(os.fspath(source), ())
        for each in places:
            dating = self._datings.get(each.root, {}).get(each.path)
            if dating is None:
                continue
            if dating.is_cut or dating.unclear:
                return None
            commit = dating.commit
            if commit and (newest is None or date_of(commit, self._meaning) > date_of(newest, self._meaning)):
                place, newest = each, commit
        if place is None or newest is None or self.untracked(sources):
            return None
        when = moment(date_of(newest, self._meaning))
        if when is None:  # which the future is, so that no such commit dates a file
            return None
        both = (newest.committed, newest.authored)
        return Stamp(when, newest.id, os.fsdecode(place.path), place.root, both)

    def untracked(self, sources: Sequence[Path | str]) -> list[Path]:
        """The files that no commit dates, because git does not track them, or what a link to them leads to.

        The page's own source, the first, may be generated from the others; then git has no link to it either.
        A file that does not exist adds nothing to the page, nor does what pip installed in the work tree:
        elsewhere it is installed outside. So is a Python that pyenv, itself a clone, has installed: only the
        work tree of the page's own source counts.
        """
        untracked = []
        for number, source in enumerate(sources):
            places = self._places.get(os.fspath(source), ())
            if not places or not self._is_untracked(places[-1]):  # the last is what links lead to
                continue
            if number == 0 and all(map(self._is_untracked, places)):
                continue
            own = {place.root for place in self._places.get(os.fspath(sources[0]), ())}
            file = Path(source)
            if places[-1].root in own and file.is_file() and not _INSTALLED & {*file.parts}:
                untracked.append(file)
        return untracked

    def _is_untracked(self, place: TrackedPath) -> bool:
        datings = self._datings.get(place.root)
        return datings is not None and place.path not in datings

    def of_page(self, page: Page) -> Stamp | None:
        """The newest stamp of what a page is made of, where that is known."""
        return None if page.unknown else self.of(page.sources)

    def why_undated(self, page: Page) -> Cause:  # noqa: PLR0911  one for each cause
        """Returns why :meth:`of_page` has no date."""
        if page.unknown:
            needs_griffe = page.unknown.startswith(NEEDS_GRIFFE)
            return Cause("griffe-missing" if needs_griffe else "computed-include", page.unknown)
        if not page.sources:
            return diagnostics.NO_SOURCE
        untracked = self.untracked(page.sources)
        for source in (*untracked, *page.sources):
            places = self._places.get(os.fspath(source))
            if places == ():
                return Cause.of(GitTrouble("no-repository"))
            for place in places or ():
                if self._is_untracked(place):
                    rule = "untracked-dependency" if untracked else diagnostics.SOURCES_UNTRACKED
                    return Cause(rule, f"{one_line(os.fsdecode(place.path))} is untracked", tuple(untracked))
                dating = self._datings.get(place.root, {}).get(place.path)
                if dating and dating.is_cut:
                    return diagnostics.CUT
                if dating and dating.unclear:
                    return diagnostics.unclear_move(dating.unclear)
                if dating and dating.future and not dating.commit:
                    commit = dating.future.id[:12]
                    return Cause("future-commit", f"no commit counts: {commit} is dated in the future")
                if not dating or not dating.commit:
                    return self._causes[place.root]
        return diagnostics.EXCLUDED


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
            causes[top] = Cause.of(trouble)
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
    return Dates(findings=findings, _meaning=meaning, _places=places, _datings=datings, _causes=causes)


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


def lastmod_of(
    page: Page, dates: Dates, now: datetime, listed: datetime | None = None
) -> tuple[datetime | None, Stamp | None, datetime | None]:
    """The date of a page, the commit that it is of if it is git's, and its own date if that does not count.

    Its own option comes first, unless that lies in the future, then the date ``listed`` that ``extra_urls``
    have for its address.
    """
    own, refused = page.options.lastmod, None
    if own and is_future(own, now):
        own, refused = None, own
    if lastmod := own or listed:
        return lastmod, None, refused
    stamp = dates.of_page(page)
    return (stamp.when if stamp else None), stamp, refused
