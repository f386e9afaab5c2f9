"""What git says of the pages, for the rules about dates."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.audit.site import History
from sitemap_docs.history import GitTrouble, open_repository
from sitemap_docs.lastmod import read_dates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemap_docs.model import Page


def read_history(
    pages: Iterable[Page],
    root: Path,
    sources: Iterable[Path],
    *,
    now: datetime,
    environ: Mapping[str, str],
) -> History:
    """The dates of the pages of the site in ``root``, from the repositories of ``sources``; empty without one."""
    folders = tuple(sources)
    dates = read_dates(folders, meaning="commit", now=now, environ=environ)
    stamps = ((page, dates.of(page.sources)) for page in pages)
    return History(
        dates={Path(page.file).relative_to(root).as_posix(): stamp.when for page, stamp in stamps if stamp},
        boundary=frozenset(moment for folder in folders for moment in _boundary(folder, environ)),
    )


def _boundary(folder: Path, environ: Mapping[str, str]) -> Iterator[datetime]:
    """When the commits were made at which a shallow clone is cut off."""
    try:
        repository = open_repository(str(folder), environ)
        if not repository.boundary:
            return
        how = ("log", "--no-walk", "--format=%ct %at", *sorted(repository.boundary), "--")
        seconds = repository.git.output(*how).split()
    except GitTrouble:
        return
    yield from (datetime.fromtimestamp(int(each), timezone.utc) for each in seconds)
