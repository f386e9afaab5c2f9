"""What git says of the pages, for the rules about dates."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.audit.site import History
from sitemap_docs.git.history import GitTrouble, open_repository
from sitemap_docs.lastmod import read_dates
from sitemap_docs.sources import repository

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemap_docs.git.refusing import Meaning
    from sitemap_docs.model import Page


def read_history(
    pages: Iterable[Page],
    root: Path,
    *,
    now: datetime,
    environ: Mapping[str, str],
    meaning: Meaning = "commit",
    cache: Path | None = None,
) -> History:
    """The dates of the pages of the site in ``root``, from their sources' repositories; empty without one."""
    dated = [page for page in pages if page.sources]
    sources = {source for page in dated for source in page.sources}
    dates = read_dates(sources, meaning=meaning, now=now, cache=cache, environ=environ)
    stamps = ((page, dates.of(page.sources)) for page in dated)
    tops = {repository(folder) for folder in {source.parent for source in sources}} - {None}
    return History(
        stamps={Path(page.file).relative_to(root).as_posix(): stamp for page, stamp in stamps if stamp},
        boundary=frozenset(moment for top in tops if top for moment in _boundary(top, environ)),
    )


def _boundary(folder: Path, environ: Mapping[str, str]) -> Iterator[datetime]:
    """When the commits were made at which a shallow clone is cut off."""
    try:
        cut = open_repository(str(folder), environ)
        if not cut.boundary:
            return
        how = ("log", "--no-walk", "--format=%ct %at", *sorted(cut.boundary), "--")
        seconds = cut.git.output(*how).split()
    except GitTrouble:
        return
    yield from (datetime.fromtimestamp(int(each), timezone.utc) for each in seconds)
