"""The dates that git gives for the pages of a built site, to compare them with the sitemap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.built import BuiltSite
from sitemap_docs.config.dates import moment
from sitemap_docs.decide import dates_of
from sitemap_docs.history.diagnostics import CUT
from sitemap_docs.history.git import GitTrouble, Repository, open_repository, read_commit
from sitemap_docs.model import Row

_BATCH = 500  # commits that fit on a command line


@dataclass(frozen=True, kw_only=True)
class History:
    """The dates of the pages from git, to check whether the dates in the sitemap are right.

    Attributes:
        dates: All dates that are right for a page, by its file, for example both dates of its last commit.
            The first is the date that a build would write.
        newest: The date of the newest commit.
        boundary: The dates of the oldest commits of a shallow clone. They are wrong for most pages, because
            git shows them for every older page.
        cut: The pages without a date because the clone is shallow.
    """

    dates: Mapping[str, tuple[datetime, ...]] = field(default_factory=dict)
    newest: datetime = datetime.max.replace(tzinfo=timezone.utc)
    boundary: frozenset[datetime] = frozenset()
    cut: frozenset[str] = frozenset()


def read_history(built: BuiltSite, rows: Iterable[Row]) -> History:
    """Ask git again for the dates of pages, to compare them with the dates in the sitemap.

    Only pages whose dates came from git are looked up.
    """
    dated = [row for row in rows if row.commit]
    sources = set(chain.from_iterable(row.sources for row in dated))
    now = built.dates
    if now is None:
        now = dates_of(built.project, sources)
    other = now.with_meaning("commit" if built.project.options.lastmod == "author" else "author")
    dates: dict[str, tuple[datetime, ...]] = {}
    alike: dict[tuple[datetime, ...], tuple[datetime, ...]] = {}
    for row in dated:
        stamp, newest = now.find_stamp(row.sources), other.find_stamp(row.sources)
        if stamp:
            right = (stamp.when, *filter(None, map(moment, stamp.seconds)))
            if newest and newest.commit != stamp.commit:
                right = (*right, newest.when)
            dates[row.file] = alike.setdefault(right, right)

    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    folders = {Path(source).parent for source in sources}
    for top in filter(None, set(map(files.repository_of, folders))):
        with suppress(GitTrouble):  # no finding: without these dates, fewer rules find something
            repository = open_repository(str(top), built.project.surroundings.environ)
            heads.update(_commit_dates(repository, [repository.head]))
            boundary.update(_commit_dates(repository, sorted(repository.boundary)))
    return History(
        dates=dates,
        newest=max((*(own for own, *_ in alike), *heads), default=History.newest),
        boundary=frozenset(boundary),
        cut=frozenset(row.file for row in rows if row.cause and row.cause.rule == CUT.rule),
    )


def _commit_dates(repository: Repository, commits: Sequence[str]) -> Iterator[datetime]:
    """Yield the committer date and the author date of each commit."""
    for start in range(0, len(commits), _BATCH):
        how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %ct %at")
        for line in repository.git.output(*how, *commits[start : start + _BATCH], "--").splitlines():
            commit = read_commit(line)
            yield from filter(None, map(moment, (commit.committed, commit.authored)))
