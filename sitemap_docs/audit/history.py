"""Dates from git, for the rules about dates."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.audit.site import History
from sitemap_docs.config.dates import read_date
from sitemap_docs.config.globs import repository
from sitemap_docs.history.lastmod import Stamp
from sitemap_docs.history.repository import GitTrouble, open_repository
from sitemap_docs.paths import seen_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    stamps: dict[str, Stamp] = {}
    folders: set[Path] = set()
    for page in pages:
        stamp = dates.of(page.sources)
        if stamp:
            stamps[Path(page.file).relative_to(root).as_posix()] = stamp
        folders.update(source.parent for source in page.sources)

    heads: set[datetime] = set()
    boundary: set[datetime] = set()
    # Git trouble is no finding: without these dates, fewer rules find something.
    for top in {repository(folder) for folder in folders}:
        if top is None:
            continue
        with suppress(GitTrouble):
            found = open_repository(str(top), environ)
            heads |= _moments(found, [found.head])
            boundary |= _moments(found, sorted(found.boundary))
    return History(
        stamps=stamps,
        heads=frozenset(heads),
        boundary=frozenset(boundary),
        authored=_authored(stamps.values(), environ) if meaning == "commit" else {},
    )


def _authored(stamps: Iterable[Stamp], environ: Mapping[str, str]) -> dict[str, datetime]:
    """The author date of each commit, read in batches that fit on a command line."""
    commits: dict[str, set[str]] = defaultdict(set)
    for stamp in stamps:
        commits[str(stamp.root)].add(stamp.commit)
    authored = {}
    for root, ids in commits.items():
        git = open_repository(root, environ).git
        ordered = sorted(ids)
        for start in range(0, len(ordered), BATCH):
            how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%H %at")
            lines = git.output(*how, *ordered[start : start + BATCH], "--").decode().splitlines()
            for line in lines:
                commit, seconds = line.split()
                authored[commit] = datetime.fromtimestamp(int(seconds), timezone.utc)
    return authored


def recorded_stamp(known: PageRecord) -> Stamp | None:
    """The commit that dated a page in the last build; None where none did."""
    date = read_date(known.lastmod)
    root = repository(Path(known.changed).parent) if known.commit else None
    if date is None or root is None:
        return None
    return Stamp(date.first, known.commit, seen_from(root, known.changed), root)


def _moments(found: Repository, commits: Sequence[str]) -> set[datetime]:
    """When commits were written and when they were committed."""
    if not commits:
        return set()
    how = ("log", "--no-walk", "--no-show-signature", "--no-color", "--format=%ct %at")
    seconds = found.git.output(*how, *commits, "--").split()
    return {datetime.fromtimestamp(int(each), timezone.utc) for each in seconds}
