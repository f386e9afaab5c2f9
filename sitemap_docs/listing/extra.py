"""What the project itself has listed: extra URLs, and entries that it changed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from sitemap_docs import files
from sitemap_docs.config import validators
from sitemap_docs.config.globs import repository
from sitemap_docs.config.options import Globs
from sitemap_docs.config.unmatched import UnmatchedGlobs
from sitemap_docs.model import Entry, Finding, SitemapError
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.paths import seen_from
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from sitemap_docs.history.lastmod import Dates
    from sitemap_docs.model import ExtraUrl, Page
    from sitemap_docs.webroot.headers import Headers


class BuiltFile(NamedTuple):
    """A file of the output folder that is no page, by its name there, and what its commits are those of."""

    name: str
    source: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraUrls:
    """The option ``extra_urls``: its addresses, the built ``files`` of its globs, and globs without any."""

    urls: tuple[ExtraUrl, ...]
    base: Base
    files: tuple[BuiltFile, ...] = ()
    unmatched: tuple[Finding, ...] = ()

    @classmethod
    def of(
        cls,
        urls: tuple[ExtraUrl, ...],
        output: Path,
        base: Base,
        source_of: Callable[[str], Path | None],
        written: frozenset[str] = frozenset(),
    ) -> ExtraUrls:
        """What the option names in a built folder.

        ``source_of`` finds what a file is copied from; a file that is itself below a work tree is its own
        source. Files that sitemap-docs wrote, and those named ``written``, are not among the files.
        """
        own = output if repository(output.resolve()) else None
        globs = Globs(tuple(url.loc for url in urls if url.is_glob))
        unmatched = UnmatchedGlobs((("extra_urls", glob) for glob in globs.patterns), "built file")
        found = []
        for name in _names(output) if globs.patterns else ():
            unmatched.compare([name])
            if globs.includes([name]) and name not in written and not is_ours(output / name):
                found.append(BuiltFile(name, source_of(name) or (own and own / name)))
        return cls(urls=urls, base=base, files=tuple(found), unmatched=tuple(unmatched.findings()))

    @property
    def sources(self) -> Iterator[Path]:
        """The files whose history dates the files."""
        return (file.source for file in self.files if file.source)

    def entries(self, dates: Dates, headers: Headers, now: datetime) -> list[Entry]:
        """The entries in the order of the locs, without files that the host serves with noindex.

        Raises SitemapError for an address that cannot be listed.
        """
        found = [
            Entry(loc=_spelled(url, self.base), lastmod=_past(url.lastmod, now))
            for url in self.urls
            if not url.is_glob
        ]
        for file in self.files:
            loc = self.base.loc(file.name)
            if not headers.noindex(loc):
                stamp = dates.of([file.source]) if file.source else None
                found.append(Entry(loc=loc, lastmod=stamp.when if stamp else None))
        return sorted(found, key=lambda entry: (entry.loc, entry.lastmod is None))

    def findings(self, now: datetime) -> Iterator[Finding]:
        """What is wrong with the option, once for each cause."""
        yield from self._out_of_scope()
        yield from self.unmatched
        for url in self.urls:
            if url.lastmod and url.lastmod > now:
                yield Finding(
                    rule="lastmod-future",
                    where=url.loc,
                    message=f"The option `extra_urls` has a date in the future, {url.lastmod:%Y-%m-%d} for "
                    f"{url.loc}. It is not used, as search engines refuse such dates. Correct it.",
                )

    def _out_of_scope(self) -> Iterator[Finding]:
        """A warning about URLs that are not below the base (https://www.sitemaps.org/protocol.html#location)."""
        locs = sorted({_spelled(url, self.base) for url in self.urls if not url.is_glob})
        outside = [loc for loc in locs if not loc.startswith(self.base.url)]
        if outside:
            yield Finding(
                rule="url-out-of-scope",
                where=outside[0],
                message=f"The option `extra_urls` has {len(outside)} that do not lie below {self.base.url}, "
                f"such as {outside[0]}. Search engines take these only if {self.base.origin}/robots.txt "
                "names the sitemap.",
            )


def _spelled(url: ExtraUrl, base: Base) -> str:
    try:
        return base.spelled(url.loc)
    except ValueError as error:
        raise SitemapError(f"The option `extra_urls` has {url.loc!r}: it {error}.") from None


def _past(lastmod: datetime | None, now: datetime) -> datetime | None:
    return lastmod if lastmod and lastmod <= now else None


def _names(output: Path) -> Iterator[str]:
    """The names of the files that are no pages, below no hidden folder and no link."""
    root = os.path.realpath(output)
    for folder, folders, _ in os.walk(root):
        folders[:] = (name for name in folders if not name.startswith("."))
        below = f"{seen_from(root, folder)}/" if folder != root else ""
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


class HookError(Exception):
    """The project's own function raised an error, which is the cause: no fault of the site."""


def answer_of(function: Callable[[Page, Entry], Entry | None], page: Page, entry: Entry) -> Entry | None:
    """What the project's own function returns. HookError for an error that would pass for one of ours."""
    try:
        return function(page, entry)
    except (OSError, SitemapError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise HookError(f"the project's own function failed for {entry.loc}: {cause}") from error


def changed(answer: object, entry: Entry, base: Base) -> Entry:
    """What the project made of ``entry``, if it can be listed; SitemapError otherwise."""
    if answer is entry:
        return entry
    who = f"The project's own function, for {entry.loc},"
    if not isinstance(answer, Entry):
        raise SitemapError(f"{who} returned {validators.shown(answer)}: return an entry, False or None.")
    try:
        loc = base.spelled(answer.loc)
    except ValueError as error:
        raise SitemapError(f"{who} returned the loc {answer.loc!r}: it {error}.") from None
    fields = {name: getattr(answer, name) for name in _FIELDS}
    for name, value in fields.items():
        try:
            fields[name] = None if value is None else _FIELDS[name](value)
        except ValueError as error:
            raise SitemapError(
                f"{who} returned a {name} of {validators.shown(value)}: it must be {error}."
            ) from None
    return answer._replace(loc=loc, **fields)


_FIELDS = {
    "lastmod": validators.timestamp,
    "changefreq": validators.changefreq,
    "priority": validators.priority,
}
