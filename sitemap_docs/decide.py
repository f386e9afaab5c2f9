"""What is decided about a site: which pages are listed, at which addresses and with which dates.

Nothing is written here: ``publish.py`` does what follows from it, and all others read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Literal

from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.config.patterns import UnmatchedGlobs
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.diagnostics import Undated
from sitemap_docs.history.page_dates import Dates, DatingTally, dates_by
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.html.page import may_encrypt
from sitemap_docs.listing.addresses import SiteStyle, addressed
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.entries import Listing, Transform
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.scan import Scan, Watch, unwatched
from sitemap_docs.listing.selection import Decision, Selector, has_file
from sitemap_docs.model import Entry, Fact, Finding, Page, Reason, Row, SitemapError, reported
from sitemap_docs.output.indexnow_key import Key
from sitemap_docs.output.record import Recording
from sitemap_docs.output.replaced import Replaced
from sitemap_docs.output.robots_file import ROBOTS
from sitemap_docs.output.text_sitemap import TEXT
from sitemap_docs.output.transaction import translated_errors
from sitemap_docs.programs.host_files import own_rules, read_forced, read_headers, redirect_files
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import locale_findings, read_locales
from sitemap_docs.webroot.host_rules import Headers
from sitemap_docs.webroot.served_files import Webroot

#: What every page of a version has that the option ``noindex_versions`` names.
NOINDEX = '<meta name="robots" content="noindex">'


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBuild:
    """One build of one site, as its front door knows it.

    ``root`` is the folder that relative paths in the options start from. ``output`` is the folder that is
    deployed to ``base``; ``made`` names the sitemaps in it that its host made in this build, or that an
    earlier one left: ours to replace, unless the project keeps them as sources. ``gzip`` is what the option's
    ``auto`` means here, and ``full_urlset`` holds where a theme reads ``sitemap.xml`` at run time. ``now`` is
    only compared with, never written. ``cache`` is a folder for dates from git, or None; ``records`` one for
    the build records (``output/record.py``), or None.
    ``replaced`` is what another program's sitemap says of the site, and ``links`` is the style of addresses:
    both where no host decides. ``canonical`` is the base of the canonical links, where it is not ``base``.
    ``looked_in`` names the folders in which sources were looked for; ``""`` where the host knows them.
    ``noindex`` is the version whose pages the host renders with one, by the option ``noindex_versions``.
    ``no_sitemap`` is why the front door, or the record of the last build, has no sitemap here.
    ``base_by`` is what the user gave the base URL with for this one run, such as a flag, or ``""``.
    ``dates`` are those that pages show, where the host has read them (option ``page_dates``).
    ``source_of`` finds the file of the project that a file of the output folder, by its name, is a copy of.
    """

    root: Path
    output: Path
    base: Base
    platform: Platform
    options: Options
    environ: Mapping[str, str]
    now: datetime
    language: str = ""
    cache: Path | None = None
    records: Path | None = None
    made: frozenset[str] = frozenset()
    source_of: Callable[[str], Path | None] | None = None
    gzip: Literal["off", "beside", "instead"] = "off"
    full_urlset: bool = False
    replaced: Replaced = Replaced()
    canonical: Base | None = None
    links: LinkOption = "auto"
    looked_in: str = ""
    noindex: str = ""
    no_sitemap: str = ""
    base_by: str = ""
    dry_run: bool = False
    dates: Dates | None = None

    @property
    def record(self) -> Path | None:
        """The file that the option ``record`` names."""
        return self.root / self.options.record if self.options.record else None

    def recording(self) -> Recording:
        """A new record of this build, which a dry run does not keep."""
        return Recording(self.output, None if self.dry_run else self.records, self.root, self.record)

    @property
    def skipped(self) -> str:
        """Why no sitemap is written; ``""`` where one is."""
        if preview := self.platform.writes_none(previews=self.options.previews):
            return preview
        if self.noindex:
            return f"every page has a noindex (the option `noindex_versions` names {one_line(self.noindex)})"
        return self.no_sitemap


@dataclass(slots=True, kw_only=True)
class Decisions:
    """What is decided about the pages of a ``site``.

    ``style`` is how addresses are spelled, ``decided`` the decisions on the pages, in the order of their
    addresses. Where the same build is audited, ``heads`` are those that it read, by file, and ``kept`` its
    rows. Without a ``listing``, the site has no sitemap and no rows; ``found`` is what to report then.
    """

    site: SiteBuild
    style: SiteStyle = SiteStyle()
    decided: Sequence[Decision] = ()
    listing: Listing | None = None
    found: Sequence[Finding] = ()
    heads: Mapping[str, Head] | None = None
    kept: list[Row] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[Row, Entry | None]]:
        """Each page and each address of ``extra_urls``, in the order of the locs; entries of the listed.

        It is read once; what is counted and found is complete at its end.
        """
        if self.listing is None:
            return
        for row, entry in self.listing.rows(self.decided):
            if self.heads is not None:
                self.kept.append(row)
            yield row, entry

    @property
    def left_out(self) -> Mapping[Reason, int]:
        """How many pages are left out for each reason."""
        return self.listing.left_out if self.listing else {}

    @property
    def most_undated(self) -> Undated | None:
        """The most frequent cause of pages without a date."""
        return self.listing.tally.most_undated if self.listing else None

    def findings(self, listed: int) -> list[Finding]:
        """What is wrong with the pages, of which so many are listed, and with the options."""
        if self.listing is None:
            return [*self.found]
        return self.listing.findings(listed, self.site.root, self.site.environ)


def decide(
    site: SiteBuild,
    pages: Sequence[Page],
    *,
    transform: Transform | None = None,
    scan: Scan = map,
    watch: Watch = unwatched,
    described: bool = False,
) -> Decisions:
    """Decides which pages are listed, where, and with which dates. Writes nothing.

    ``transform`` may change an entry, or drop it by returning None. ``scan`` maps the selector over the
    pages, in order; a front door may distribute it over processes. ``watch`` counts the pages that are read.
    With ``described``, heads and rows are kept for an audit. Raises SitemapError, and reading the rows also
    HookError where ``transform`` raises that or OSError.
    """
    if site.skipped:
        return Decisions(site=site, found=list(_without_noindex(pages)) if site.noindex else ())
    options, base, output = site.options, site.base, site.output
    headers = read_headers(output, rules_of(site))
    locales = read_locales(options.locales, base, site.language)
    key = Key.of_environment(site.environ)
    written = {ROBOTS, TEXT, *site.made}
    if key:
        written.add(key.file)
    extra = ExtraUrls(options.extra_urls, output, base, site.source_of, written)
    excludes = [("lastmod_excludes", glob) for glob in options.lastmod_excludes.patterns]
    undated = UnmatchedGlobs(excludes, "source")
    sources = chain.from_iterable(page.sources for page in pages)
    dates = dates_of(site, chain(sources, extra.sources), undated)

    heads: dict[str, Head] | None = {} if described else None
    select = selector(site, headers, described=described)
    webroot = Webroot(output, base)
    try:
        read = _keeping(heads, output, scan(select, watch(pages, "pages read", len(pages))))
        addresses = addressed(select, read, site.replaced.files(webroot), site.links)
    except OSError as error:  # of an executor, such as a full disk
        where = error.filename or output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error
    decided = addresses.decisions
    links = addresses.style.links if options.links == "auto" else options.links
    named = site.replaced.alternates(webroot)
    listing = Listing(
        options=options,
        base=base,
        output=output,
        now=site.now,
        extra=extra,
        headers=headers,
        tally=DatingTally(dates, looked_in=site.looked_in),
        languages=Languages(base, output, locales, headers, named, decided, links),
        transform=transform,
        found=[
            *addresses.findings,
            *locale_findings(options.locales, base, site.language),
            *undated.findings(),
        ],
    )
    return Decisions(site=site, style=addresses.style, decided=decided, listing=listing, heads=heads)


def _keeping(
    heads: dict[str, Head] | None, output: Path, decisions: Iterable[Decision]
) -> Iterator[Decision]:
    """The decisions; their heads are kept by the names of the files, if any are."""
    for decision in decisions:
        if heads is not None and decision.head:
            heads[seen_from(output, decision.page.file)] = decision.head
        yield decision


def only_noindex(version: str) -> str:
    """The last line of a build without a base URL, whose pages the option ``noindex_versions`` takes out."""
    return f"no base URL, and every page has a noindex: version {one_line(version)}"


def canonical_elsewhere(url: str, base: Base) -> str:
    """Why a build has no sitemap whose pages name those of another version or language as canonical."""
    return f"the canonical links of the pages below {base.url} lead to {one_line(url)}"


def rules_of(site: SiteBuild) -> Path | None:
    """The file of the project in which the platform of its build alone has redirects and headers."""
    return own_rules(site.output, site.platform, filter(None, (site.root, repository_of(site.root))))


def selector(site: SiteBuild, headers: Headers, *, described: bool = False) -> Selector:
    """What decides about the pages of a site, in its build and in what reads it later."""
    return Selector(
        base=site.base,
        output=site.output,
        options=site.options,
        headers=headers,
        redirects=read_forced(redirect_files(site.output, rules_of(site))),
        links=site.options.links,
        canonical=site.canonical,
        may_encrypt=may_encrypt(site.output),
        described=described,
    )


def _without_noindex(pages: Iterable[Page]) -> Iterator[Finding]:
    """What to report of pages that are to have a noindex and have none."""
    missing = []
    for page in pages:
        if Fact.STATIC in page.facts or not has_file(page):
            continue
        with translated_errors(Path(page.file), "read"):
            head = read_head(page.file)
        if not head.noindex:
            missing.append(page)
    if missing:
        yield noindex_missing(len(missing), one_line(missing[0].names[0]))


@reported()
def noindex_missing(number: int, first: str) -> str:
    """Pages of a version that search engines must not show have no noindex.

    Engines list them.
    Their template must show the block `metatags` in the head, or have the element itself.
    Wrong: `<head><title>{{ title }}</title></head>`
    Right: `<head>{{ metatags }}<title>{{ title }}</title></head>`
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    return (
        f"{many(number, 'page')} of this version, such as {first}, have no noindex: their template shows "
        f"no `metatags`, or has no <head>. Add the element there: {NOINDEX}"
    )


def dates_of(
    site: SiteBuild, sources: Iterable[Path | str], unmatched: UnmatchedGlobs | None = None
) -> Dates:
    """The dates of the sources, as :func:`dates_by` has them with the options of the site."""
    return dates_by(
        site.options,
        sources,
        root=site.root,
        now=site.now,
        cache=site.cache,
        environ=site.environ,
        unmatched=unmatched,
        known=site.dates,
    )
