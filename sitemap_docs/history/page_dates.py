"""Find the date of each page: the date of the newest commit that changed one of its sources.

:func:`read_dates` reads the history of all source files of a site. :func:`page_date` then returns the date of
one page. If a page has no date, the function returns the reason.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from sitemap_docs.files import folded_name, is_repository, repository_of, seen_from
from sitemap_docs.history import diagnostics, file_commits, git
from sitemap_docs.history.file_commits import CommitFilter, LastCommit, date_of
from sitemap_docs.history.git import IGNORED, Commit, GitTrouble, Repository, open_repository
from sitemap_docs.model import Cause, Finding, Page
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import one_line

#: Folders with installed packages. Their files are not part of the project, even inside the work tree.
_INSTALLED = {"site-packages", "dist-packages"}

_EXTENDED = "\\\\?\\"  # On Windows, absolute targets of links begin with this prefix.


class TrackedPath(NamedTuple):
    """A path in a git repository, such as ``docs/guide.md``."""

    #: The folder of the repository.
    root: str
    #: The path below ``root``. Folders end with a slash.
    path: bytes


class _Location(NamedTuple):
    """The place of a file on the disk, after all symbolic links."""

    #: The path without symbolic links.
    real: str
    #: ``/`` for a folder, otherwise ``""``.
    end: str
    #: The folder of the git repository, or None.
    root: str | None
    #: The symbolic links on the way that git tracks.
    links: tuple[TrackedPath, ...]

    @property
    def tracked_paths(self) -> tuple[TrackedPath, ...]:
        """The path of the file in git, and the paths of the symbolic links that lead to it."""
        # A commit that changes a link changes the page.
        return (*self.links, *_path_in_repository(self.root, self.real, self.end))


class TrackedPaths(Mapping[str, tuple[TrackedPath, ...]]):
    """Maps files on the disk to their paths in git.

    If a symbolic link leads to a file, the file has several paths.
    """

    def __init__(self, names: Iterable[Path | str]) -> None:
        # To save memory, a file without links has only its folder here, which it shares with other files.
        self._paths: dict[str, TrackedPath | tuple[TrackedPath, ...]] = {}
        current_folder = os.getcwd()
        known_folders: dict[str, _Location] = {}
        shared_folders: dict[TrackedPath, TrackedPath] = {}
        for name in {os.fspath(name): None for name in names}:
            location = _locate(os.path.join(current_folder, name), known_folders)
            paths = location.tracked_paths
            self._paths[name] = paths
            base = name.rpartition(os.sep)[2]
            end = os.fsencode(base)
            if len(paths) == 1 and base and paths[0].path.endswith(end):
                folder = TrackedPath(paths[0].root, paths[0].path[: -len(end)])
                self._paths[name] = shared_folders.setdefault(folder, folder)

    def __getitem__(self, name: str) -> tuple[TrackedPath, ...]:
        paths = self._paths[name]
        if isinstance(paths, TrackedPath):
            base = name.rpartition(os.sep)[2]
            return (TrackedPath(paths.root, paths.path + os.fsencode(base)),)
        return paths

    def expand(self, parts: Mapping[TrackedPath, Sequence[TrackedPath]]) -> None:
        """Replace each folder among the paths in git by its files.

        ``parts`` maps a folder to its files. It may also map a file in a submodule to the paths that replace
        it.
        """
        for name in self._paths:
            paths = self[name]
            if not parts.keys().isdisjoint(paths):
                expanded = [parts.get(path) or [path] for path in paths]
                self._paths[name] = tuple(chain.from_iterable(expanded))

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _locate(path: str, known_folders: dict[str, _Location]) -> _Location:
    """Follow all symbolic links in a path.

    ``known_folders`` is a cache of the folders that were followed before. New folders are added to it.
    """
    pending: list[str] = []
    while path not in known_folders and path not in pending[-1:]:
        pending.append(path)
        path = os.path.dirname(path)
    location = known_folders.get(path, _Location(path, "/", None, ()))
    for part in reversed(pending):
        parent, name = location, os.path.basename(part)
        real = os.path.join(parent.real, name)
        try:
            mode = os.lstat(real).st_mode
        except (OSError, ValueError):
            mode = 0
        if name == "..":
            above = _locate(os.path.dirname(parent.real), known_folders)
            location = above._replace(links=parent.links)
        elif S_ISLNK(mode) and (target := _target(real)):
            location = _locate(target, known_folders)
            links = (*parent.links, *_path_in_repository(parent.root, real), *location.links)
            location = location._replace(links=links)
        elif S_ISDIR(mode):
            root = real if is_repository(real) else parent.root
            location = _Location(real, "/", root, parent.links)
        else:
            location = _Location(real, "", parent.root, parent.links)
        if location.end:
            known_folders[part] = location
    return location


def _path_in_repository(root: str | None, path: str, end: str = "") -> tuple[TrackedPath, ...]:
    """Return a file's path in its repository, as a tuple: ``docs/a.md`` for ``/project/docs/a.md``.

    ``root`` is the repository, such as ``/project``. For a file outside of any repository, ``root`` is None,
    and the tuple is empty. ``end`` is ``/`` for a folder.
    """
    if root is None:
        return ()
    if path == root:
        return (TrackedPath(root, b""),)
    inside = path[len(root) :].removeprefix(os.sep)
    return (TrackedPath(root, os.fsencode(inside.replace(os.sep, "/") + end)),)


def _target(path: str) -> str | None:
    """Return the path to which a symbolic link points, or None."""
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
    """The commit (its date and id) from which a page takes its date."""

    #: The date of the commit, in UTC.
    when: datetime
    #: The full id of the commit.
    commit: str
    #: The path of the changed file in the repository.
    path: str
    #: The folder of the repository.
    root: str
    seconds: tuple[int, ...] = ()

    @property
    def file(self) -> str:
        """The full path of the changed file on the disk."""
        return os.path.join(self.root, self.path.replace("/", os.sep))


class _SourcesHistory(NamedTuple):
    """The newest commit among the source files of a page, and why commits of some of them are unknown."""

    #: The newest last commit with its file, or None.
    newest: tuple[TrackedPath, Commit] | None
    #: The reason why some last commit is unknown, such as a shallow clone, or None.
    unproven: Cause | None
    #: The reason why some file has no commit that can be used, or None.
    undated: Cause | None
    #: The included files that are not in git.
    untracked: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of all source files of a site, from git."""

    #: Problems with git, with commits and with options.
    findings: tuple[Finding, ...] = ()
    _meaning: Meaning = "commit"
    #: Whether the user has switched dates off.
    is_off: bool = False
    _paths: Mapping[str, tuple[TrackedPath, ...]] = field(default_factory=dict)
    _last_commits: Mapping[str, Mapping[bytes, LastCommit]] = field(default_factory=dict)  # by repository
    #: For each repository, why its files have no date, unless there is a special reason for a file.
    _causes: Mapping[str, Cause] = field(default_factory=dict)
    #: The paths that git has for files whose names on the disk are spelled in another way.
    _names_in_git: Mapping[TrackedPath, bytes] = field(default_factory=dict)

    def cover(self, sources: Iterable[Path | str]) -> bool:
        """Check whether the git history of all files in ``sources`` has already been read."""
        return all(os.fspath(source) in self._paths for source in sources)

    def with_meaning(self, meaning: Meaning) -> Dates:
        """Return a copy that uses the date of commits that ``meaning`` chooses: ``author`` or ``commit``."""
        return replace(self, _meaning=meaning)

    def find_stamp(self, sources: Iterable[Path | str]) -> Stamp | None:
        """Return the commit that gives a page with the source files ``sources`` its date, or None."""
        answer = self.find(tuple(sources))
        return answer if isinstance(answer, Stamp) else None

    def find(self, sources: Sequence[Path | str]) -> Stamp | Cause:
        """Return the date of the newest source file, or the reason why there is no date."""
        if self.is_off:
            return diagnostics.SWITCHED_OFF
        if not sources:
            return diagnostics.NO_SOURCE
        history = self._find_last_commits(sources)
        cause = history.unproven
        if history.untracked:
            cause = self._untracked_cause(history.untracked)
        if cause:
            return cause
        if history.newest is None:
            return history.undated or diagnostics.EXCLUDED
        return self._date_from(*history.newest)

    def _find_last_commits(self, sources: Sequence[Path | str]) -> _SourcesHistory:
        """Look up the last commits of the source files of a page."""
        newest: tuple[TrackedPath, Commit] | None = None
        newest_date = 0
        unproven: Cause | None = None
        undated: Cause | None = None
        untracked: list[str] = []
        for number, source in enumerate(sources):
            paths = self._paths.get(os.fspath(source))
            if paths is None:  # The option `lastmod_excludes` matches the file.
                continue
            if not paths:
                undated = undated or diagnostics.NO_REPOSITORY
                continue
            for path in paths:
                last_commit = self._last_commits.get(path.root, {}).get(path.path)
                if last_commit is not None and last_commit.commit is not None:
                    date = date_of(last_commit.commit, self._meaning)
                    if newest is None or date > newest_date:
                        newest, newest_date = (path, last_commit.commit), date
                elif last_commit is not None and last_commit.is_unproven:
                    unproven = unproven or self._why_undated(path, last_commit)
                else:
                    undated = undated or self._why_undated(path, last_commit)
            if self._is_untracked(paths[-1]) and self._must_be_in_git(sources, number):
                untracked.append(os.fspath(source))
        return _SourcesHistory(newest, unproven, undated, untracked)

    def _date_from(self, path: TrackedPath, commit: Commit) -> Stamp | Cause:
        """Return the date of a commit, or the reason why it is not a valid date."""
        # A date after the year 9999 is not valid.
        when = moment(date_of(commit, self._meaning))
        if when is None:  # Only for the other meaning: a commit with such a date does not count.
            return self._impossible_date_cause(commit)
        seconds = (commit.committed, commit.authored)
        return Stamp(when, commit.id, os.fsdecode(path.path), path.root, seconds)

    def _is_untracked(self, path: TrackedPath) -> bool:
        """Check whether a file is not in git."""
        last_commits = self._last_commits.get(path.root)
        return last_commits is not None and path.path not in last_commits

    def _must_be_in_git(self, sources: Sequence[Path | str], number: int) -> bool:
        """Check whether ``sources[number]``, a source file of a page, should be in git.

        The files of installed packages, for example, need not be in git.
        """
        # Packages of a Python that pyenv has installed are in another repository, because pyenv is a clone.
        own_paths = self._paths.get(os.fspath(sources[0]), ())
        paths = self._paths[os.fspath(sources[number])]
        # A script may have written the page's own source from the other sources.
        if number == 0 and all(map(self._is_untracked, paths)):
            return False
        file = Path(sources[number])
        is_in_work_tree = paths[-1].root in {path.root for path in own_paths}
        return is_in_work_tree and file.is_file() and not _INSTALLED & {*file.parts}

    def _untracked_cause(self, untracked: Sequence[str]) -> Cause:
        """Return the reason for a missing date: the page includes files that are not in git."""
        files = tuple(untracked)
        paths = [next(filter(self._is_untracked, self._paths[file])) for file in files]
        renamed_paths = [path for path in paths if path in self._names_in_git]
        path = next(iter(renamed_paths), paths[0])
        return self._untracked_path_cause(diagnostics.DEPENDENCY_UNTRACKED, path, files)

    def _why_undated(self, path: TrackedPath, last_commit: LastCommit | None) -> Cause:
        """Return the reason why a file has no date, such as a shallow clone.

        ``last_commit`` is the result of the search in git, or None.
        """
        if last_commit is None and self._is_untracked(path):
            return self._untracked_path_cause(diagnostics.SOURCES_UNTRACKED, path)
        if last_commit and last_commit.lost:
            cause = diagnostics.lost_commit_cause(last_commit.lost)
        elif last_commit and last_commit.is_cut:
            cause = diagnostics.shallow_clone_cause(last_commit.cut_root or path.root)
        elif last_commit and last_commit.unclear:
            cause = diagnostics.unclear_move_cause(last_commit.unclear)
        elif last_commit and last_commit.future:
            cause = self._impossible_date_cause(last_commit.future)
        else:
            cause = self._causes[path.root]
        return cause

    def _untracked_path_cause(self, rule: str, path: TrackedPath, files: tuple[str, ...] = ()) -> Cause:
        """Return the reason for a missing date: git does not know a source file by its name.

        The file is not in git at all, or git knows ``a.md`` only as ``A.md``. ``rule`` is the name of the
        warning, such as ``untracked-source``. ``files`` are all source files of the page that are not in git.
        """
        name_in_git = self._names_in_git.get(path)
        if name_in_git:
            return diagnostics.renamed_cause(path.root, path.path, name_in_git)
        return diagnostics.untracked_cause(rule, path.path, files)

    def _impossible_date_cause(self, commit: Commit) -> Cause:
        """Return the reason for a missing date: the commit is dated in the future or before 1970."""
        return diagnostics.impossible_date_cause(commit, date_of(commit, self._meaning))


class _RepositoryDates(NamedTuple):
    """The last commits of the files in a repository, which give pages their dates, or the error of git."""

    cause: Cause
    commit_filter: CommitFilter
    last_commits: Mapping[bytes, LastCommit]
    trouble: GitTrouble | None = None
    repository: Repository | None = None
    findings: tuple[Finding, ...] = ()


def read_dates(
    options: Options,
    sources: Iterable[Path | str],
    *,
    around: Surroundings,
    known: Dates | None = None,
) -> Dates:
    """Read the date of the last commit of each source file.

    Commits in ``.git-blame-ignore-revs`` do not count.

    Args:
        options: The options of the project.
        sources: The source files and folders.
        around: The environment variables, current time and cache folder.
        known: Dates that this build has already read, or None.
    """
    names, unmatched = _without_excluded(options, sources)
    if known and known.cover(names):
        return known
    tracked_paths = TrackedPaths(names)
    paths_by_root = defaultdict(list)
    for root, path in chain.from_iterable(tracked_paths.values()):
        paths_by_root[root].append(path)
    deadline = monotonic() + git.TIMEOUT  # for all repositories together
    repositories = {}
    for root, paths in sorted(paths_by_root.items()):
        repositories[root] = _read_repository(root, paths, options, around, deadline)

    troubles = {root: dates.trouble for root, dates in repositories.items() if dates.trouble}
    if tracked_paths and not repositories:
        troubles[""] = GitTrouble("no-repository")
    last_commits = {root: dates.last_commits for root, dates in repositories.items() if not dates.trouble}
    if files_in_folders := _files_in_folders(paths_by_root, last_commits):
        tracked_paths.expand(files_in_folders)
    for parent in _dates_of_submodules(repositories.values(), last_commits):
        last_commits[parent.root] = {**last_commits.get(parent.root, {}), **parent.last_commits}
        tracked_paths.expand(parent.paths)
    names_in_git: dict[TrackedPath, bytes] = {}
    for root, dates in repositories.items():
        if dates.repository:
            untracked = [path for path in paths_by_root[root] if path not in last_commits[root]]
            names_in_git |= _find_names_in_git(dates.repository, untracked)
    # Several repositories may share one list of commits that do not count.
    list_findings = dict.fromkeys(chain.from_iterable(dates.findings for dates in repositories.values()))
    findings = (
        *diagnostics.troubles(troubles),
        *diagnostics.impossible_dates(_commits_with_impossible_date(last_commits, _wanted_date(options))),
        *list_findings,
        *unmatched.findings(),
    )
    return Dates(
        findings=findings,
        is_off=options.lastmod == "none",
        _meaning=_wanted_date(options),
        _paths=tracked_paths,
        _last_commits=last_commits,
        _causes={root: dates.cause for root, dates in repositories.items()},
        _names_in_git=names_in_git,
    )


def _commits_with_impossible_date(
    last_commits: Mapping[str, Mapping[bytes, LastCommit]], meaning: Meaning
) -> list[tuple[Commit, int]]:
    """Return the commits that are dated in the future or before 1970, with their dates in seconds.

    ``last_commits`` are the last commits of files, by repository. ``meaning`` says which date of a commit to
    use: ``author`` or ``commit``.
    """
    uncounted_commits = []
    for commits in last_commits.values():
        newest_commits = [last_commit.future for last_commit in commits.values() if last_commit.future]
        uncounted_commits += [(commit, date_of(commit, meaning)) for commit in newest_commits]
    return uncounted_commits


def _wanted_date(options: Options) -> Meaning:
    """Return which date of a commit the user has chosen: ``author`` or ``commit``."""
    return "author" if options.lastmod == "author" else "commit"


def _without_excluded(
    options: Options, sources: Iterable[Path | str]
) -> tuple[list[Path | str], UnmatchedGlobs]:
    """Remove source files that the option ``lastmod_excludes`` matches, and find globs that match nothing.

    Return the other source files, and an object with the unmatched globs.
    """
    excludes = options.lastmod_excludes
    unmatched = UnmatchedGlobs([("lastmod_excludes", glob) for glob in excludes.patterns], "source")
    if options.lastmod == "none":
        return [], unmatched
    unique_sources = list(dict.fromkeys(sources))
    if not excludes.patterns:
        return unique_sources, unmatched
    selected = []
    for source in unique_sources:
        name = [excludes.name_of(source)]
        unmatched.compare(name)
        if not excludes.includes(name):
            selected.append(source)
    return selected, unmatched


def _read_repository(
    root: str, paths: Iterable[bytes], options: Options, around: Surroundings, deadline: float
) -> _RepositoryDates:
    """Find the last commits of files in a repository.

    Args:
        root: The folder of the repository.
        paths: The paths of the files in the repository.
        options: The options of the build.
        around: The current time, the environment variables and the cache folder.
        deadline: The time, from ``monotonic()``, at which git is stopped.
    """
    named_list = options.lastmod_ignore_revs
    ignore_list = Path(named_list) if named_list else Path(root, IGNORED)
    ignored_ids, problem = file_commits.read_ignored(ignore_list)
    commit_filter = CommitFilter(ignored_ids, _wanted_date(options), around.now)
    cache = around.cache if options.cache else None
    try:
        repository = open_repository(root, around.environ, deadline)
        last_commits = file_commits.read_last_commits(repository, [*paths], commit_filter, cache)
    except GitTrouble as trouble:
        return _RepositoryDates(diagnostics.cause_of(trouble), commit_filter, {}, trouble)
    findings: tuple[Finding, ...] = ()
    if problem and (named_list or ignore_list.is_file()):
        findings = (diagnostics.ignore_revs(problem).at(one_line(str(ignore_list))),)
    cause = diagnostics.ignored_commits_cause(ignore_list)
    return _RepositoryDates(cause, commit_filter, last_commits, None, repository, findings)


def _files_in_folders(
    paths_by_root: Mapping[str, Iterable[bytes]], last_commits: Mapping[str, Mapping[bytes, LastCommit]]
) -> dict[TrackedPath, list[TrackedPath]]:
    """Map each folder among paths in git to all files in it that have a last commit.

    ``paths_by_root`` maps each repository to paths of files and folders. Files are ignored. ``last_commits``
    maps each repository to the last commit of each file.
    """
    files_by_folder = {}
    for root, commits in last_commits.items():
        for folder in paths_by_root[root]:
            if folder.endswith(b"/") or not folder:
                paths = sorted(path for path in commits if path.startswith(folder))
                files_by_folder[TrackedPath(root, folder)] = [TrackedPath(root, path) for path in paths]
    return files_by_folder


def _find_names_in_git(repository: Repository, untracked: Iterable[bytes]) -> dict[TrackedPath, bytes]:
    """Find untracked files that differ only by case from a file in git, such as ``A.md`` for ``a.md``."""
    root = repository.git.folder
    untracked_files = {}
    for path in untracked:
        if path and not path.endswith(b"/") and os.path.lexists(os.path.join(os.fsencode(root), path)):
            untracked_files[path] = folded_name(os.fsdecode(path))
    if not untracked_files:
        return {}
    tracked_by_folded: dict[str, bytes] = {}
    with suppress(GitTrouble):
        for tracked_path in repository.tree(()):
            tracked_by_folded[folded_name(os.fsdecode(tracked_path))] = tracked_path
    names_in_git = {}
    for path, folded in untracked_files.items():
        tracked = tracked_by_folded.get(folded)
        if tracked and not _are_two_files(os.fsencode(root), path, tracked):
            names_in_git[TrackedPath(root, path)] = tracked
    return names_in_git


def _are_two_files(root: bytes, path: bytes, other: bytes) -> bool:
    """Check whether two paths lead to two different files."""
    try:
        return not os.path.samefile(os.path.join(root, path), os.path.join(root, other))
    except OSError:
        return False


class _ParentDates(NamedTuple):
    """The dates of a submodule's files, taken from commits of the outer repository."""

    #: The folder of the outer repository.
    root: str
    #: The last commit of each file, by its path in the outer repository: ``sub/a.md``.
    last_commits: Mapping[bytes, LastCommit]
    #: The two paths of each file: ``sub/a.md`` and ``a.md``.
    paths: Mapping[TrackedPath, Sequence[TrackedPath]]


def _dates_of_submodules(
    repositories: Iterable[_RepositoryDates], last_commits: Mapping[str, Mapping[bytes, LastCommit]]
) -> Iterator[_ParentDates]:
    """Yield the dates of the files in each submodule, taken from the outer repository.

    If git fails, the submodule is skipped.

    Args:
        repositories: All repositories. Only submodules are used.
        last_commits: The last commit of each file, by repository.
    """
    for dates in repositories:
        if dates.repository is None:
            continue
        parent = None
        with suppress(GitTrouble):
            parent = _dates_from_parent(dates.repository, dates.commit_filter, last_commits)
        if parent:
            yield parent


def _dates_from_parent(
    repository: Repository,
    commit_filter: CommitFilter,
    last_commits: Mapping[str, Mapping[bytes, LastCommit]],
) -> _ParentDates | None:
    """Date the files of a submodule by the commits of the outer repository that updated the submodule.

    If ``repository`` is not a submodule, return None.

    Args:
        repository: The repository of the submodule.
        commit_filter: Decides which commits count.
        last_commits: The last commit of each file, by repository. It may contain the outer repository
            already.
    """
    root = repository.git.folder
    parent_root = repository_of(Path(root).parent)
    if parent_root is None:
        return None
    parent = open_repository(os.fspath(parent_root), repository.git.environ, repository.git.deadline)
    link = os.fsencode(seen_from(parent_root, root))
    if not parent.tree([link]).get(link, b"").startswith(file_commits.GITLINK):
        return None
    moves = file_commits.read_submodule_commits(parent, link, repository, last_commits[root], commit_filter)
    parent_datings = {}
    paths = {}
    for path, last_commit in moves.items():
        path_in_parent = TrackedPath(parent.git.folder, link + b"/" + path)
        path_inside = TrackedPath(root, path)
        parent_datings[path_in_parent.path] = last_commit
        paths[path_inside] = (path_in_parent, path_inside)
    return _ParentDates(parent.git.folder, parent_datings, paths)


class PageDate(NamedTuple):
    """The date of a page, or the reason why it has none."""

    #: The date, or None.
    when: datetime | None = None
    #: The commit and the changed file, if the date comes from git.
    stamp: Stamp | None = None
    #: The reason why there is no date.
    cause: Cause | None = None
    #: A date in the front matter that is in the future, or None.
    rejected: datetime | None = None


class PageSources(NamedTuple):
    """The files whose last change can be the date of a page."""

    #: The files, the page's own source first.
    files: tuple[Path | str, ...] = ()
    #: The reason why some files cannot be found, or None. If there is a reason, the page has no date.
    unknown: Cause | None = None
    #: Included files that do not affect the date.
    undated: tuple[str, ...] = ()


def page_sources(
    own: Path | str | None, find_others: Callable[[], PageSources], options: Options
) -> PageSources:
    """Return the files that give a page its date.

    ``own`` is the source file of the page. ``find_others`` is a function that returns, for example, included
    files.
    """
    own_files = (own,) if own else ()
    if not options.lastmod_dependencies:
        return PageSources(own_files)
    others = find_others()
    distinct = {os.fspath(file): file for file in (*own_files, *others.files)}
    return others._replace(files=tuple(distinct.values()))


class ChosenDate(NamedTuple):
    """The date for the sitemap."""

    #: The date, or None.
    when: datetime | None
    #: A date that would come first, but is in the future, or None.
    rejected: datetime | None


def choose_date(candidates: Iterable[datetime | None], now: datetime) -> ChosenDate:
    """Return the first of several dates that is not in the future."""
    rejected = None
    for date in candidates:
        if date and is_future(date, now):
            rejected = rejected or date
        elif date:
            return ChosenDate(date, rejected)
    return ChosenDate(None, rejected)


def page_date(page: Page, dates: Dates, now: datetime, listed: datetime | None = None) -> PageDate:
    """Return the date of a page: from its front matter, else the option ``extra_urls``, else git.

    ``dates`` are the dates of source files in git. ``listed`` is the date in the option ``extra_urls``, or
    None.
    """
    chosen_date, rejected = choose_date((page.options.lastmod, listed), now)
    if chosen_date:
        return PageDate(chosen_date, rejected=rejected)
    if page.unknown and not dates.is_off:
        return PageDate(cause=page.unknown, rejected=rejected)
    answer = dates.find(page.sources)
    if isinstance(answer, Cause):
        return PageDate(cause=answer, rejected=rejected)
    return PageDate(answer.when, answer, rejected=rejected)
