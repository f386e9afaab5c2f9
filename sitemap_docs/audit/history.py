"""Dates from git, for the rules about dates."""

from __future__ import annotations

from datetime import datetime, timezone
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.audit.site import History
from sitemap_docs.config.dates import read_date
from sitemap_docs.config.globs import repository
from sitemap_docs.history.lastmod import Stamp
from sitemap_docs.history.repository import GitTrouble, open_repository
from sitemap_docs.paths import seen_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemap_docs.config.options import Meaning
    from sitemap_docs.history.lastmod import Dates
    from sitemap_docs.history.repository import Repository
    from sitemap_docs.model import Page
    from sitemap_docs.output.record import PageRecord

BATCH = 500


def read_history(
    pages: Iterable[Page], root: Path, dates: Dates, meaning: Meaning, environ: Mapping[str, str]
) -> History:
    """The dates of the pages of the site in ``root``, and of the ends of their sources' repositories."""
    pages = tuple(pages)
    stamps = ((page, dates.of(page.sources)) for page in pages)
    folders = {source.parent for page in pages for source in page.sources}
    tops = {repository(folder) for folder in folders} - {None}
    ends = [_ends(top, environ) for top in tops if top]
    known = {Path(page.file).relative_to(root).as_posix(): stamp for page, stamp in stamps if stamp}
    return History(
        stamps=known,
        heads=frozenset(moment for end in ends for moment in end.head),
        boundary=frozenset(moment for end in ends for moment in end.boundary),
        authored=dict(_authored(known.values(), environ)) if meaning == "commit" else {},
    )


def _authored(stamps: Iterable[Stamp], environ: Mapping[str, str]) -> Iterator[tuple[str, datetime]]:
    """The author date of each commit, read in batches that fit on a command line."""
    commits = sorted({(str(stamp.root), stamp.commit) for stamp in stamps})
    for root, same in groupby(commits, key=itemgetter(0)):
        ids = iter([commit for _, commit in same])
        git = open_repository(root, environ).git
        while batch := list(islice(ids, BATCH)):
            how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %at")
            for line in git.output(*how, *batch, "--").decode().splitlines():
                commit, seconds = line.split()
                yield commit, datetime.fromtimestamp(int(seconds), timezone.utc)


def recorded_stamp(known: PageRecord) -> Stamp | None:
    """The commit that dated a page in the last build; None where none did."""
    date = read_date(known.lastmod)
    root = repository(Path(known.changed).parent) if known.commit else None
    return Stamp(date.first, known.commit, seen_from(root, known.changed), root) if date and root else None


class _Ends(NamedTuple):
    """When HEAD was made, and the commits at which a shallow clone is cut off."""

    head: frozenset[datetime] = frozenset()
    boundary: frozenset[datetime] = frozenset()


def _ends(folder: Path, environ: Mapping[str, str]) -> _Ends:
    try:
        found = open_repository(str(folder), environ)
        return _Ends(_moments(found, [found.head]), _moments(found, sorted(found.boundary)))
    except GitTrouble:
        return _Ends()


def _moments(found: Repository, commits: Sequence[str]) -> frozenset[datetime]:
    how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%ct %at")
    seconds = found.git.output(*how, *commits, "--").split() if commits else ()
    return frozenset(datetime.fromtimestamp(int(each), timezone.utc) for each in seconds)
