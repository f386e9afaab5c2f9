"""The one pipeline: pages in, files out, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.config.patterns import UnmatchedGlobs
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.page_dates import Dates, DatingTally, read_dates
from sitemap_docs.html.head import read_head
from sitemap_docs.html.page import may_encrypt
from sitemap_docs.listing.addresses import Listed, SiteStyle, addressed
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.entries import Listing, Transform, count_reasons
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.scan import Scan
from sitemap_docs.listing.selection import Decision, Selector, has_file
from sitemap_docs.model import MAX_URLS, Alternate, Entry, Fact, Finding, Page, Reason, SitemapError
from sitemap_docs.output.indexnow_key import Key, KeyFiles
from sitemap_docs.output.record import Recording, read_build
from sitemap_docs.output.robots_file import ROBOTS, RobotsTxt
from sitemap_docs.output.text_sitemap import TEXT, write_text
from sitemap_docs.output.transaction import Output, translated_errors
from sitemap_docs.output.writer import Layout, Place, SitemapWriter, Written, remove_sitemap
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, resolve
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import locale_findings, read_locales
from sitemap_docs.webroot.host_rules import Headers, find_netlify, read_forced, read_headers, redirect_files

#: What every page of a version has that the option ``noindex_versions`` names.
NOINDEX = '<meta name="robots" content="noindex">'


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBuild:
    """One build of one site, as its front door knows it.

    ``root`` is the folder that relative paths in the options start from. ``output`` is the folder that is
    deployed to ``base``; ``made`` names the files in it that the host wrote itself in this build, which are
    ours to replace. ``gzip`` is what the option's ``auto`` means here, and ``full_urlset`` holds where a
    theme reads ``sitemap.xml`` at run time. ``now`` is only compared with, never written. ``cache`` is a
    folder for dates from git, or None; ``records`` one for the build records (``output/record.py``), or None.
    ``alternates`` are those of the existing sitemap, by file, for pages that name none.
    ``canonical`` is the base of the canonical links, where it is not ``base``. ``listed`` reads the addresses
    of the existing sitemap, and ``links`` is the style of those of the pages: both where no host decides.
    ``misses_sources`` is whether the front door itself reports that most pages have no source.
    ``noindex`` is the version whose pages the host renders with one, by the option ``noindex_versions``.
    ``no_sitemap`` is why the front door, or the record of the last build, has no sitemap here.
    ``base_by`` is what the user gave the base URL with for this one run, such as a flag, or ``""``; then
    ``listed_base`` finds that of the existing sitemap.
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
    alternates: Mapping[str, tuple[Alternate, ...]] = field(default_factory=dict)
    canonical: Base | None = None
    listed: Listed | None = None
    links: LinkOption = "auto"
    misses_sources: bool = False
    noindex: str = ""
    no_sitemap: str = ""
    base_by: str = ""
    listed_base: Callable[[], str] = str
    dry_run: bool = False

    @property
    def skipped(self) -> str:
        """Why no sitemap is written; ``""`` where one is."""
        if preview := self.platform.writes_none(previews=self.options.previews):
            return preview
        if self.noindex:
            return f"every page has a noindex (the option `noindex_versions` names {one_line(self.noindex)})"
        return self.no_sitemap


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was done: counts of pages, the names of the files, and the findings.

    ``changed`` are the files that were written anew, or in a dry run would be, robots.txt among them.
    ``style`` is how addresses are spelled. ``skipped`` is why nothing was written; ``""`` where it was.
    """

    listed: int = 0
    dated: int = 0
    left_out: Mapping[Reason, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    skipped: str = ""
    style: SiteStyle = SiteStyle()

    def __str__(self) -> str:
        """``412 pages listed, 9 left out (4 noindex, 3 redirects, 2 generated), 398 dated``."""
        if self.skipped:
            what = "no sitemap" if self.removed else "nothing written"
            return f"{what}: {self.skipped}"
        left_out = f"{sum(self.left_out.values()):,} left out"
        if self.left_out:
            left_out += f" ({count_reasons(self.left_out)})"
        return f"{many(self.listed, 'page')} listed, {left_out}, {self.dated:,} dated"


def publish(
    site: SiteBuild,
    pages: Iterable[Page],
    sources: Iterable[Path | str],
    *,
    log: Callable[[str], None] | None = None,
    transform: Transform | None = None,
    scan: Scan = map,
) -> Published:
    """Writes the sitemap and robots.txt of a site into its output folder; returns what was done.

    ``sources`` are the files and folders whose history dates them. ``log`` is called with a line about each
    page that is not listed or has no date. ``transform`` may change an entry, or drop it by returning None.
    ``scan`` maps the selector over the pages, in order; a front door may distribute it over processes.
    Raises SitemapError before anything is moved into place, and HookError where ``transform`` raises that or
    OSError.
    """
    if site.skipped:
        return _withdraw(site, pages)
    options, base, output = site.options, site.base, site.output
    headers = read_headers(output, netlify_of(site))
    locales = read_locales(options.locales, base, site.language)

    key = Key.of_environment(site.environ)
    written = {ROBOTS, TEXT, *site.made}
    if key:
        written.add(key.file)
    extra = ExtraUrls(options.extra_urls, output, base, site.source_of, written)

    excludes = [("lastmod_excludes", glob) for glob in options.lastmod_excludes.patterns]
    undated = UnmatchedGlobs(excludes, "source file")
    dates = dates_of(site, chain(sources, extra.sources), undated)
    select = selector(site, headers)
    try:
        addresses = addressed(select, scan(select, pages), site.listed, site.links)
    except OSError as error:  # of an executor, such as a full disk
        where = error.filename or output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error
    if site.base_by:
        _require_agreement(site, addresses.decisions)
    links = addresses.style.links if options.links == "auto" else options.links
    with closing(Recording(output, None if site.dry_run else site.records, site.root)) as record:
        listing = Listing(
            options=options,
            base=base,
            now=site.now,
            own_dates=extra.own_dates(site.now),
            tally=DatingTally(dates, misses_sources=site.misses_sources),
            languages=Languages(base, output, locales, headers, site.alternates, addresses.decisions, links),
            record=record,
            log=log,
            transform=transform,
        )
        entries: Iterable[Entry] = listing.entries(addresses.decisions)
        if transform is not None:  # it may have changed an address
            entries = sorted(entries, key=attrgetter("loc"))
        entries = extra.among(entries, dates, headers, site.now)
        published, dates_before = _write(site, entries, key, record)

    findings = [*dates.findings, *listing.findings(published.listed, site.root, site.environ)]
    findings += [*addresses.findings, *locale_findings(options.locales, base, site.language)]
    findings += [*undated.findings(), *extra.findings(site.now), *published.findings]
    if base.problem:
        findings.append(Finding(rule="base-url-unlikely", message=base.problem))
    if dates_before and not published.dated:
        findings.append(listing.dates_lost(dates_before))
    if not published.listed:
        removed = () if site.dry_run else published.removed
        findings.append(listing.nothing_listed(output, removed))
    return replace(published, left_out=listing.left_out, findings=tuple(findings), style=addresses.style)


def only_noindex(version: str) -> str:
    """The last line of a build without a base URL, whose pages the option ``noindex_versions`` takes out."""
    return f"no base URL, and every page has a noindex: version {one_line(version)}"


def canonical_elsewhere(url: str, base: Base) -> str:
    """Why a build has no sitemap whose pages name those of another version or language as canonical."""
    return f"the canonical links of the pages below {base.url} lead to {one_line(url)}"


def netlify_of(site: SiteBuild) -> Path | None:
    """The project's netlify.toml, where its rules hold: in a build on Netlify."""
    if site.platform.name != "Netlify":
        return None
    return find_netlify(site.output, filter(None, (site.root, repository_of(site.root))))


def selector(site: SiteBuild, headers: Headers) -> Selector:
    """What decides about the pages of a site, in its build and in what reads it later."""
    return Selector(
        base=site.base,
        output=site.output,
        options=site.options,
        headers=headers,
        redirects=read_forced(redirect_files(site.output, netlify_of(site))),
        links=site.options.links,
        canonical=site.canonical,
        may_encrypt=may_encrypt(site.output),
    )


def _require_agreement(site: SiteBuild, decisions: Iterable[Decision]) -> None:
    """Raises SitemapError for a base URL that no page confirms, and that the existing sitemap contradicts."""
    others = []
    for decision in decisions:
        if decision.reason is Reason.CANONICAL:
            others.append(resolve(decision.loc, decision.detail))
        elif decision.link and not decision.reason:
            return
    record = read_build(site.output, site.records) if site.records else None
    url = record.base if record else site.listed_base()
    if url in ("", site.base.url):
        return
    base = Base(url)
    below = sum(base.path_of(url) is not None for url in others)
    if 2 * below <= len(others):
        return
    raise SitemapError(
        f"`{site.base_by}` is {site.base.url}, but the canonical links of {many(below, 'page')} and "
        f"the existing sitemap begin with {base.url}. Nothing was changed. If `{site.base_by}` is "
        "mistyped, correct it or leave it out. If this is a version whose canonical links lead to another "
        "one, it has no sitemap: remove the existing one."
    )


def _withdraw(site: SiteBuild, pages: Iterable[Page]) -> Published:
    """Writes none, for a reason that is recorded, and removes the one of an earlier build, but on previews.

    Of a version that search engines must not show, the one of its host is removed, too.
    """
    missing = list(_without_noindex(pages)) if site.noindex else []  # before anything is removed
    records = None if site.dry_run else site.records
    with closing(Recording(site.output, records, site.root)) as record:
        if site.platform.writes_none(previews=site.options.previews):
            done = Published()
            record.commit(site.base.url, (), skipped=site.skipped)
        else:
            if not site.noindex:
                site = replace(site, made=frozenset())
            done, _ = _write(site, (), None, record)
    skipped = site.skipped
    if done.removed and not site.dry_run:
        skipped += f"; removed {', '.join(done.removed)}"
    return replace(done, findings=(*done.findings, *missing), skipped=skipped)


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
        message = (
            f"{many(len(missing), 'page')} of this version, such as {one_line(missing[0].names[0])}, have no "
            f"noindex: their template shows no `metatags`, or has no <head>. Add the element there: {NOINDEX}"
        )
        yield Finding(rule="noindex-missing", message=message)


def _write(
    site: SiteBuild, entries: Iterable[Entry], key: Key | None, recording: Recording
) -> tuple[Published, int]:
    """Writes all files for the entries, which come in the order of their locs; each address counts once.

    Returns what was done, and how many of the listed pages had a date in the sitemap before.
    """
    options = site.options
    place = Place.of(site.output, site.base, options.filename)
    recorded: tuple[str, ...] = ()
    if site.records and (record := read_build(site.output, site.records)):
        recorded = record.files
    robots = RobotsTxt(site.output, site.base, site.platform, options, site.root)
    with ExitStack() as stack:
        output = stack.enter_context(Output(site.output, dry_run=site.dry_run))
        folder = output
        if place.prefix:
            folder = stack.enter_context(Output(place.folder, dry_run=site.dry_run, shared=True))
        added = _add_sitemap(site, entries, place, folder, robots)
        findings = [*place.findings, *added.written.findings]
        names = place.seen(added.written.files)
        if not site.skipped:
            sitemaps = [*place.names, *(name for name in recorded if name.endswith((".xml", ".gz")))]
            earlier = [site.output / name for name in sitemaps]
            texts, problems = write_text(options, added.first, added.listed, output, site.base, earlier)
            names += texts
            findings += problems
        findings += robots.write(output, place.seen(added.written.sitemaps))
        keys = KeyFiles(site.output, recorded)
        ours = (*names, *keys.write(output, key))
        known = {*ours, *output.removed}
        for name in recorded:  # other names, formats that are switched off now, a key that was replaced
            if name not in known and "/" not in name:
                output.remove(name)
        folder.commit(output)  # in this order: robots.txt must not name a sitemap that is not there yet

    changed, removed = keys.hidden(output.changed), keys.hidden(output.removed)
    if folder is not output:
        changed = changed + place.seen(folder.changed)
        removed = removed + place.seen(folder.removed)
    published = Published(
        listed=added.listed,
        dated=added.dated,
        files=tuple(names),
        changed=tuple(changed),
        removed=tuple(removed),
        findings=tuple(findings),
    )
    recording.commit(
        site.base.url, ours, listed=published.listed, dated=published.dated, skipped=site.skipped
    )
    return published, added.written.dates_before


class _Added(NamedTuple):
    """The sitemap, and of the entries of this build the number, how many have a date, and the first of them.

    These are as many as a text sitemap may list.
    """

    written: Written = Written()
    listed: int = 0
    dated: int = 0
    first: Sequence[Entry] = ()


def _add_sitemap(
    site: SiteBuild, entries: Iterable[Entry], place: Place, folder: Output, robots: RobotsTxt
) -> _Added:
    """Adds the sitemap to its folder, and compares each listed address with ``robots``."""
    options = site.options
    made = [name.removeprefix(place.prefix) for name in site.made if name.startswith(place.prefix)]
    layout = Layout(
        base=place.base.url,
        options=options.replaced(filename=place.name),
        gzip=site.gzip if options.gzip == "auto" else options.gzip,
        full_urlset=site.full_urlset,
        made=frozenset(made),
    )
    # Other builds may share a sitemap above the output folder: what they list stays in it.
    others = place.shared_entries(site.base)
    if site.skipped and not others:
        remove_sitemap(folder, layout)
        return _Added()
    of_others = {entry.loc for entry in others}
    sitemap = SitemapWriter(folder, layout)
    first: list[Entry] = []
    listed = dated = 0
    by_loc = attrgetter("loc")
    for loc, same in groupby(merge(entries, others, key=by_loc), key=by_loc):
        entry = next(same)
        sitemap.add(entry)
        if loc in of_others:
            continue
        if options.formats and listed < MAX_URLS:
            first.append(entry)
        listed += 1
        dated += entry.lastmod is not None
        robots.compare(loc)
    return _Added(sitemap.finish(), listed, dated, first)


def dates_of(
    site: SiteBuild, sources: Iterable[Path | str], unmatched: UnmatchedGlobs | None = None
) -> Dates:
    """The dates of the sources, as the options of the site have them; of excluded sources none.

    The sources are compared with ``unmatched``, which holds the globs of the option ``lastmod_excludes``.
    """
    options = site.options
    dating = sources
    if options.lastmod == "none":
        dating = ()
    elif options.lastmod_excludes.patterns:
        dating = []
        for source in dict.fromkeys(sources):
            names = [seen_from(site.root, source)]
            if unmatched:
                unmatched.compare(names)
            if not options.lastmod_excludes.includes(names):
                dating.append(source)
    return read_dates(
        dating,
        meaning="author" if options.lastmod == "author" else "commit",
        now=site.now,
        ignore_revs=site.root / options.lastmod_ignore_revs if options.lastmod_ignore_revs else None,
        ignore_renames=options.lastmod_ignore_renames,
        cache=site.cache if options.cache else None,
        environ=site.environ,
    )
