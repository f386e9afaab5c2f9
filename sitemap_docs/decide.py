"""What is decided about a site: which pages are listed, at which addresses and with which dates.

Nothing is written here: ``publish.py`` does what follows from it, and all others read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal

from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.config.patterns import UnmatchedGlobs
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.diagnostics import Undated
from sitemap_docs.history.page_dates import Dates, DatingTally, dates_by
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.addresses import SiteStyle, addressed
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.entries import Listing, Transform
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.no_sitemap import of_pages, of_preview
from sitemap_docs.listing.scan import Scan, Watch, unwatched
from sitemap_docs.listing.selection import Decision, Selector, has_file, unmatched_words
from sitemap_docs.model import Entry, Fact, Finding, NoSitemap, Page, Reason, Row, SitemapError, reported
from sitemap_docs.output.indexnow_key import Key
from sitemap_docs.output.record import Recording
from sitemap_docs.output.replaced import Replaced
from sitemap_docs.output.robots_file import ROBOTS
from sitemap_docs.output.text_sitemap import TEXT
from sitemap_docs.output.transaction import translated_errors
from sitemap_docs.programs.encryptcontent import may_encrypt
from sitemap_docs.programs.followed import serving
from sitemap_docs.programs.host_files import own_rules, read_forced, read_headers, redirect_files
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import locale_findings, read_locales
from sitemap_docs.webroot.served_files import Webroot

#: What every page of a version has that the option ``noindex_versions`` names.
NOINDEX = '<meta name="robots" content="noindex">'


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What is known of one build by what renders its pages, or by who reads their folder, and set by nobody.

    ``made`` names the sitemaps in the output that the host made in this build, or that an earlier one left:
    ours to replace, unless the project keeps them as sources. ``source_of`` finds the file of the project
    that a file of the output folder, by its name, is a copy of. ``gzip`` is what the option's ``auto`` means
    here, and ``full_urlset`` holds where a theme reads ``sitemap.xml`` at run time. ``canonical`` is the base
    of the canonical links, where it is not that of the site. Where all of them may well lead to another
    version, ``canonical_by`` is what sets them, or ``""``. ``dates`` are those that pages show, where the
    host has read them (option ``page_dates``).
    ``replaced`` is what another program's sitemap says of the site, and ``links`` is the style of addresses:
    both where no host decides. ``looked_in`` names the folders in which sources were looked for. ``left``
    names files of an earlier build that are no pages, and that no glob of ``extra_urls`` matches.
    """

    language: str = ""
    made: frozenset[str] = frozenset()
    source_of: Callable[[str], Path | None] | None = None
    gzip: Literal["off", "beside", "instead"] = "off"
    full_urlset: bool = False
    canonical: Base | None = None
    canonical_by: str | None = None
    dates: Dates | None = None
    replaced: Replaced = Replaced()
    links: LinkOption = "auto"
    looked_in: str = ""
    left: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBuild:
    """One build of one site, as its user and the platform set it; ``host`` is what else is known of it.

    ``root`` is the folder that relative paths in the options start from. ``output`` is the folder that is
    deployed to ``base``, which stands at ``base_from``, and ``base_by`` what the user gave the base URL with
    for this one run, such as a flag, or ``""``. ``withheld`` is why the site has no sitemap, as far as its
    front door knows that without the pages.
    """

    root: Path
    output: Path
    base: Base
    options: Options
    around: Surroundings
    host: Host = Host()
    withheld: NoSitemap | None = None
    base_from: str = ""
    base_by: str = ""
    dry_run: bool = False

    @property
    def no_sitemap(self) -> NoSitemap | None:
        """Why the site has none, as far as that is known without its pages."""
        return of_preview(self.around, self.options) or self.withheld

    @property
    def record(self) -> Path | None:
        """The file that the option ``record`` names."""
        return self.root / self.options.record if self.options.record else None

    def recording(self) -> Recording:
        """A new record of this build, which a dry run does not keep."""
        records = None if self.dry_run else self.around.records
        return Recording(self.output, records, self.root, self.record, self.options.ignore)


@dataclass(slots=True, kw_only=True)
class Decisions:
    """What is decided about the pages of a ``site``.

    ``style`` is how addresses are spelled, ``decided`` the decisions on the pages, in the order of their
    addresses. Where the same build is audited, ``heads`` are those that it read, by file, and ``kept`` its
    rows. With ``no_sitemap``, there is no ``listing`` and no row; ``found`` is what to report then.
    """

    site: SiteBuild
    no_sitemap: NoSitemap | None = None
    style: SiteStyle = SiteStyle()
    decided: Sequence[Decision] = ()
    listing: Listing | None = None
    found: Sequence[Finding] = ()
    heads: Mapping[str, Head] | None = None
    kept: list[Row] = field(default_factory=list)

    @property
    def links(self) -> LinkOption:
        """The style of addresses; with ``auto``, they are as the host has them."""
        for links in (self.site.options.links, self.style.links):
            if links != "auto":
                return links
        return self.site.host.links

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
        """Returns what is wrong with the pages, of which so many are listed, and with the options."""
        if self.listing is None:
            return [*self.found]
        return self.listing.findings(listed, self.site.root, self.site.around.environ)


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
    what ``transform`` raises.
    """
    options, base, output, host = site.options, site.base, site.output, site.host
    no_sitemap = site.no_sitemap
    if no_sitemap is None and host.canonical_by is not None and host.canonical is None:
        no_sitemap = of_pages(pages, base, options, host.canonical_by)
    if no_sitemap:
        found = [*_without_noindex(pages)] if no_sitemap.kind == "version" else []
        return Decisions(site=site, no_sitemap=no_sitemap, found=found)
    headers = read_headers(output, rules_of(site))
    locales = read_locales(options.locales, base, host.language)
    key = Key.of_environment(site.around.environ)
    written = {ROBOTS, TEXT, *host.made, *host.left}
    if key:
        written.add(key.file)
    extra = ExtraUrls(options.extra_urls, output, base, host.source_of, written, site.around.now)
    excludes = [("lastmod_excludes", glob) for glob in options.lastmod_excludes.patterns]
    undated = UnmatchedGlobs(excludes, "source")
    sources = chain.from_iterable(page.sources for page in pages)
    dates = dates_of(site, chain(sources, extra.sources), undated)

    heads: dict[str, Head] | None = {} if described else None
    select = Selector(
        base=base,
        output=output,
        options=options,
        headers=headers,
        redirects=read_forced(redirect_files(output, rules_of(site)), win=served_by(site).redirects_win),
        links=options.links,
        canonical=host.canonical,
        may_encrypt=may_encrypt(output),
        described=described,
    )
    webroot = Webroot(output, base)
    try:
        read = _keeping(heads, output, scan(select, watch(pages, "pages read", len(pages))))
        decided, style = addressed(select, read, host.replaced.files(webroot), host.links)
    except OSError as error:  # of an executor, such as a full disk
        where = error.filename or output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error
    links = style.links if options.links == "auto" else options.links
    named = host.replaced.alternates(webroot)
    listing = Listing(
        options=options,
        base=base,
        output=output,
        now=site.around.now,
        extra=extra,
        headers=headers,
        tally=DatingTally(dates, looked_in=host.looked_in),
        languages=Languages(base, output, locales, headers, named, decided, links),
        transform=transform,
        found=[
            *locale_findings(options.locales, base, host.language),
            *undated.findings(),
            *unmatched_words(pages, options),
        ],
    )
    return Decisions(site=site, style=style, decided=decided, listing=listing, heads=heads)


def _keeping(
    heads: dict[str, Head] | None, output: Path, decisions: Iterable[Decision]
) -> Iterator[Decision]:
    """The decisions; their heads are kept by the names of the files, if any are."""
    for decision in decisions:
        if heads is not None and decision.head:
            heads[seen_from(output, decision.page.file)] = decision.head
        yield decision


def rules_of(site: SiteBuild) -> Path | None:
    """The file of the project in which the platform that serves it alone has redirects and headers."""
    return own_rules(site.output, served_by(site), filter(None, (site.root, repository_of(site.root))))


def served_by(site: SiteBuild) -> Platform:
    """The platform that serves the site, as far as it is known."""
    return serving(site.around.platform, site.base.url, site.options.host)


def _without_noindex(pages: Iterable[Page]) -> Iterator[Finding]:
    """Yields what to report of pages that are to have a noindex and have none."""
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
        around=site.around,
        unmatched=unmatched,
        known=site.host.dates,
    )
