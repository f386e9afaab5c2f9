"""The one pipeline: pages in, files out, whole or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from sitemap_docs import listing, robots
from sitemap_docs.disk import Output
from sitemap_docs.lastmod import NO_DATES, read_dates
from sitemap_docs.model import Entry, Finding, Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from sitemap_docs.hosting import Platform
    from sitemap_docs.lastmod import Dates
    from sitemap_docs.listing import Note, Verdict
    from sitemap_docs.model import Page
    from sitemap_docs.options import Options
    from sitemap_docs.urls import Base


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One build of one site, as its front door knows it.

    ``output`` is the folder that is deployed to ``base``. ``made`` names the files in it that the host wrote itself in
    this build, which are ours to replace. ``gzip`` is what the option's ``auto`` means here, and ``urlset_stays`` holds
    where a theme reads ``sitemap.xml`` at run time. ``now`` is only compared with, never written.
    """

    output: Path
    base: Base
    platform: Platform
    options: Options
    environ: Mapping[str, str]
    now: datetime
    cache: Path | None = None
    made: frozenset[str] = frozenset()
    gzip: str = "off"
    urlset_stays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was done: counts of pages, the files, and what to tell the user."""

    listed: int
    dated: int
    left_out: Mapping[Reason, int]
    files: tuple[Path, ...]
    findings: tuple[Finding, ...]

    def __str__(self) -> str:
        """``412 pages listed, 9 left out (4 noindex, 3 redirects, 2 generated), 398 dated``."""
        reasons = ", ".join(r.counted(n) for r, n in sorted(self.left_out.items(), key=lambda item: (-item[1], item[0].value)))
        total = sum(self.left_out.values())
        left = f"{total} left out ({reasons})" if total else "none left out"
        return f"{self.listed} page{'s' * (self.listed != 1)} listed, {left}, {self.dated} dated"


@dataclass(slots=True)
class _Tally:
    listed: int = 0
    dated: int = 0
    left_out: Counter[Reason] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)


def ignore(_: Verdict) -> None:
    """The ``on_left_out`` that says nothing."""


def publish(
    site: Site,
    pages: Iterable[Page],
    sources: Iterable[Path],
    *,
    on_left_out: Callable[[Verdict], None] = ignore,
) -> Published:
    """Writes the sitemap and robots.txt of a site into its output folder; returns what was done.

    ``pages`` come in the order of their addresses (``in_order``); they are read once and not kept. ``sources`` are the
    files and folders whose history dates them. Raises SitemapError before anything is moved into place.
    """
    options = site.options
    dates = _dates(site, sources)
    tally = _Tally()
    verdicts = (listing.judge(page, site.base, options.excludes) for page in pages)
    listed = _listed(verdicts, tally, on_left_out)
    entries = (_entry(verdict, dates, options, tally) for verdict in listed)
    written = write(site, entries)
    ...


def in_order(pages: Iterable[Page], base: Base) -> list[Page]:
    """The pages sorted by the bytes of their addresses."""
    return sorted(pages, key=lambda page: base.loc(page.path))
