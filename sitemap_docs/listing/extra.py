"""What the project itself has listed: the option ``extra_urls``, and sitemaps of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sitemap_docs import files
from sitemap_docs.config.globs import repository
from sitemap_docs.config.options import Globs
from sitemap_docs.config.unmatched import UnmatchedGlobs
from sitemap_docs.model import Entry, Finding, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.paths import seen_from
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from sitemap_docs.history.lastmod import Dates
    from sitemap_docs.model import ExtraUrl
    from sitemap_docs.webroot.headers import Headers


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraUrls:
    """The option ``extra_urls``: its addresses, and the built files that its globs name.

    ``files`` maps the name of each below the output folder to the file whose commits date it, or to None.
    ``unmatched`` are the findings about globs that name no file.
    """

    urls: tuple[ExtraUrl, ...]
    base: Base
    files: Mapping[str, Path | None]
    unmatched: tuple[Finding, ...]

    @classmethod
    def of(
        cls,
        urls: tuple[ExtraUrl, ...],
        output: Path,
        base: Base,
        source_of: Callable[[str], Path | None] | None,
        written: frozenset[str],
    ) -> ExtraUrls:
        """What the option names in a built folder.

        ``source_of`` finds what a file is copied from; a file that is itself below a work tree is its own
        source. Files that sitemap-docs wrote, and those named ``written``, are not among the files.
        """
        globs = Globs(tuple(url.loc for url in urls if url.is_glob))
        unmatched = UnmatchedGlobs((("extra_urls", glob) for glob in globs.patterns), "built file")
        found: dict[str, Path | None] = {}
        if globs.patterns:
            is_tracked = repository(output.resolve()) is not None
            for name in _names(output):
                unmatched.compare([name])
                if not globs.includes([name]) or name in written or is_ours(output / name):
                    continue
                found[name] = source_of(name) if source_of else None
                if found[name] is None and is_tracked:
                    found[name] = output / name
        locs = tuple(url for url in urls if not url.is_glob)
        return cls(urls=locs, base=base, files=found, unmatched=tuple(unmatched.findings()))

    @property
    def sources(self) -> Iterator[Path]:
        """The files whose history dates the files."""
        return filter(None, self.files.values())

    def entries(self, dates: Dates, headers: Headers, now: datetime) -> list[Entry]:
        """The entries in the order of the locs, without files that the host serves with noindex.

        Raises SitemapError for an address that cannot be listed.
        """
        found = []
        for url in self.urls:
            lastmod = url.lastmod
            if lastmod and lastmod > now:  # reported by findings()
                lastmod = None
            found.append(Entry(loc=_spelled(url, self.base), lastmod=lastmod))
        for name, source in self.files.items():
            loc = self.base.loc(name)
            if not headers.noindex(loc):
                stamp = dates.of([source]) if source else None
                found.append(Entry(loc=loc, lastmod=stamp.when if stamp else None))
        return sorted(found, key=lambda entry: (entry.loc, entry.lastmod is None))

    def findings(self, now: datetime) -> Iterator[Finding]:
        """What is wrong with the option, once for each cause."""
        locs = sorted({_spelled(url, self.base) for url in self.urls})
        outside = [loc for loc in locs if not loc.startswith(self.base.url)]
        if outside:  # https://www.sitemaps.org/protocol.html#location
            yield Finding(
                rule="url-out-of-scope",
                where=outside[0],
                message=f"The option `extra_urls` has {len(outside)} that do not lie below {self.base.url}, "
                f"such as {outside[0]}. Search engines take these only if {self.base.origin}/robots.txt "
                "names the sitemap.",
            )
        yield from self.unmatched
        for url in self.urls:
            if url.lastmod and url.lastmod > now:
                yield Finding(
                    rule="lastmod-future",
                    where=url.loc,
                    message=f"The option `extra_urls` has a date in the future, {url.lastmod:%Y-%m-%d} for "
                    f"{url.loc}. It is not used, as search engines refuse such dates. Correct it.",
                )


def _spelled(url: ExtraUrl, base: Base) -> str:
    try:
        return base.spelled(url.loc)
    except ValueError as error:
        raise SitemapError(f"The option `extra_urls` has {url.loc!r}: it {error}.") from None


def _names(output: Path) -> Iterator[str]:
    """The names of the files that are no pages, below no hidden folder and no link."""
    root = os.path.realpath(output)
    for folder, folders, _ in os.walk(root):
        folders[:] = (name for name in folders if not name.startswith("."))
        below = ""
        if folder != root:
            below = f"{seen_from(root, folder)}/"
        for name in files.names_inside(root, below.rstrip("/")):
            if not name.startswith(".") and not name.lower().endswith(files.HTML_SUFFIXES):
                yield below + name


def extra_sitemaps(urls: Iterable[str], base: Base) -> Iterator[str]:
    """The option ``extra_sitemaps`` as absolute URLs, on any host; SitemapError for one that is none."""
    for url in urls:
        try:
            absolute = urljoin(base.url, url.lstrip("/")).replace(" ", "%20")
            Base.of(absolute.partition("?")[0])
        except (SitemapError, ValueError):
            raise SitemapError(
                f"The option `extra_sitemaps` has {url!r}: it must be the address of a sitemap, absolute or "
                "below the base URL."
            ) from None
        yield absolute
