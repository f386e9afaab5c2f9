"""The dates that git gives for the pages of a built site, to compare them with the sitemap."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.built import BuiltSite
from sitemap_docs.config.dates import Day, moment
from sitemap_docs.decide import dates_of
from sitemap_docs.history.diagnostics import CUT
from sitemap_docs.history.git import GitTrouble, Repository, open_repository, read_commit
from sitemap_docs.history.git import folders as common_folders
from sitemap_docs.model import Row

_BATCH = 500  # commits that fit on a command line


@dataclass(frozen=True, kw_only=True)
class History:
    """The dates of the pages from git, to check the dates in the sitemap."""

    #: All correct dates of a page, by file.
    dates: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    newest: datetime = datetime.max.replace(tzinfo=timezone.utc)
    #: Dates of the oldest commits of a shallow clone. They are wrong for most pages, because git shows them
    #: for every older page.
    boundary: frozenset[datetime] = frozenset()
    #: Pages without a date because of a shallow clone.
    cut: frozenset[str] = frozenset()
    #: The author date and the committer date of a commit, by its date in the sitemap.
    commit_dates: Mapping[datetime, frozenset[datetime]] = field(default_factory=dict)
    dates_elsewhere: frozenset[datetime] = frozenset()
    #: Unexpected dates in the sitemap that another commit has or may have, so they are not reported.
    explained: frozenset[datetime] = frozenset()


def read_history(
    built: BuiltSite,
    rows: Iterable[Row],
    unexplained: Collection[datetime] = frozenset(),
    listed: Mapping[str, datetime] | None = None,
) -> History:
    """Read the dates of pages from git, to compare them with the dates in the sitemap.

    Args:
        built: The built site.
        rows: The pages, each with the decision whether the sitemap lists it.
        unexplained: Dates in the sitemap to search in all commits, not only in the last commits of the
            sources.
        listed: The date in the sitemap for each HTML file. A date that is newer than the current branch is
            searched in other branches. If the site has several versions, all dates are searched there,
            because each version may be built from another branch.
    """
    listed = listed or {}
    dated = [row for row in rows if row.commit]
    sources = set(chain.from_iterable(row.sources for row in dated))
    dates = _acceptable_dates(built, dated, sources)
    # An included file that the audit does not know may have such a date, if the sitemap has author dates.
    between = {date for file, date in listed.items() if _is_between(date, dates.get(file, ()))}
    listed_dates = set(listed.values())
    # Versions such as 2.0/ and latest/ were built from other commits than HEAD, newer or older.
    has_versions = bool(built.folder.sites)
    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    commit_dates: dict[datetime, frozenset[datetime]] = {}
    explained: set[datetime] = set()
    dates_elsewhere: set[datetime] = set()
    folders = {Path(source).parent for source in sources}
    if unexplained:
        folders.update((built.project.root, built.project.output))
    for top in filter(None, set(map(files.repository_of, folders))):
        # What was found before the error is kept.
        with suppress(GitTrouble):  # no finding: without these dates, fewer rules find something
            repository = open_repository(str(top), built.project.surroundings.environ)
            head_dates = [*_commit_dates(repository, [repository.head])]
            heads.update(head_dates)
            boundary.update(_commit_dates(repository, sorted(repository.boundary)))
            # The sitemap may have the committer date of a commit, and the page the author date.
            commit_dates.update(_dates_of_commits(repository, unexplained, [repository.head, "--"]))
            explained.update(_explain_dates(repository, between))
            wanted = {date for date in listed_dates if has_versions or date > max(head_dates, default=date)}
            if wanted:
                inside = [files.seen_from(top, each) for each in sources if Path(each).is_relative_to(top)]
                elsewhere = _dates_elsewhere(repository, wanted, inside, has_versions=has_versions)
                dates_elsewhere.update(elsewhere)
    own_dates = {own for own, *_ in dates.values()}
    return History(
        dates=dates,
        newest=max((*own_dates, *heads), default=History.newest),
        boundary=frozenset(boundary),
        cut=frozenset(row.file for row in rows if row.cause and row.cause.rule == CUT.rule),
        commit_dates=commit_dates,
        dates_elsewhere=frozenset(dates_elsewhere),
        explained=frozenset(explained),
    )


def _acceptable_dates(
    built: BuiltSite, rows: Iterable[Row], sources: Collection[str]
) -> dict[str, tuple[datetime, ...]]:
    """Return the dates that the sitemap may have for each page, by the HTML file of the page.

    They are the author date and the committer date of the page's last commit. A build writes the first one.
    ``rows`` are the pages with a date, and ``sources`` all their source files.
    """
    now = built.dates
    if now is None:
        now = dates_of(built.project, sources)
    other = now.with_meaning("commit" if built.project.options.lastmod == "author" else "author")
    dates: dict[str, tuple[datetime, ...]] = {}
    # Most pages of a site have the dates of a few commits.
    alike: dict[tuple[datetime, ...], tuple[datetime, ...]] = {}
    for row in rows:
        stamp, newest = now.find_stamp(row.sources), other.find_stamp(row.sources)
        if stamp:
            right = (stamp.when, *filter(None, map(moment, stamp.seconds)))
            if newest and newest.commit != stamp.commit:
                right = (*right, newest.when)
            dates[row.file] = alike.setdefault(right, right)
    return dates


def _explain_dates(repository: Repository, dates: Collection[datetime]) -> Collection[datetime]:
    """Return the dates in ``dates`` at which a commit of the current branch was made.

    In a shallow clone, return all dates, because the commit may be missing.

    Raises:
        GitTrouble: git fails.
    """
    if repository.boundary:
        return dates
    return _dates_of_commits(repository, dates, [repository.head, "--"])


def _dates_elsewhere(
    repository: Repository, dates: Collection[datetime], sources: Iterable[str], *, has_versions: bool
) -> Collection[datetime]:
    """Return the dates in ``dates`` at which a commit of another branch was made.

    Args:
        repository: The git repository.
        dates: The dates to search for.
        sources: The source files of the pages, as paths in the repository. Only commits that change files in
            the same folders are searched.
        has_versions: Whether to search the current branch, too.

    Raises:
        GitTrouble: git fails.
    """
    head = [repository.head] if has_versions else ["--not", repository.head]
    commits = ["--branches", "--tags", "--remotes", *head, "--"]
    return _dates_of_commits(repository, dates, [*commits, *common_folders(map(os.fsencode, sources))])


def _is_between(date: datetime, right: Collection[datetime]) -> bool:
    """Check whether a date is between the first and the last correct date of a page, but is not correct.

    ``right`` contains the correct dates.
    """
    return bool(right) and min(right) < date < max(right) and date not in right


def _dates_of_commits(
    repository: Repository, wanted: Collection[datetime], commits: Sequence[str | bytes]
) -> dict[datetime, frozenset[datetime]]:
    """Return the dates of the commits that were made at each date in ``wanted``.

    The mapping contains the committer dates and author dates of these commits, by the date in ``wanted``.
    ``commits`` are arguments of ``git log``, such as ``--branches``.
    """
    if not wanted:
        return {}
    days = {date.date() for date in wanted if isinstance(date, Day)}
    found: dict[datetime, set[datetime]] = defaultdict(set)
    options = ("--no-show-signature", "--no-color", "-z", "--format=%H %ct %at")
    for line in repository.git.tokens("log", *options, *commits):
        commit = read_commit(line)
        dates = [date for date in map(moment, (commit.committed, commit.authored)) if date]
        for date in dates:
            if date in wanted:
                found[date].update(dates)
            if date.date() in days:
                found[date.replace(hour=0, minute=0, second=0)].update(dates)
    return {date: frozenset(dates) for date, dates in found.items()}


def _commit_dates(repository: Repository, commits: Sequence[str]) -> Iterator[datetime]:
    """Yield the committer date and the author date of each commit."""
    for start in range(0, len(commits), _BATCH):
        how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %ct %at")
        for line in repository.git.output(*how, *commits[start : start + _BATCH], "--").splitlines():
            commit = read_commit(line)
            yield from filter(None, map(moment, (commit.committed, commit.authored)))
