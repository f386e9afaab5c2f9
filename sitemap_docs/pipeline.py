"""The one pipeline: pages in, files out, whole or not at all."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sitemap_docs.config.unmatched import UnmatchedGlobs, page_globs
from sitemap_docs.history.lastmod import read_dates
from sitemap_docs.history.tally import DatingTally
from sitemap_docs.listing import selection
from sitemap_docs.listing.entries import EntryBuilder, transformed
from sitemap_docs.listing.extra import ExtraUrls
from sitemap_docs.listing.languages import Languages, corrected_codes, nameless, read_locales
from sitemap_docs.listing.selection import Selector
from sitemap_docs.model import Entry, Finding, Reason, SitemapError
from sitemap_docs.output.folder import Output
from sitemap_docs.output.key import KEY_FILE, VARIABLE, Key
from sitemap_docs.output.place import Place
from sitemap_docs.output.record import PageRecord, Recording, read_record
from sitemap_docs.output.robots import ROBOTS, DisallowedUrls, add_robots
from sitemap_docs.output.text import TEXT, TextSitemap
from sitemap_docs.output.writer import Layout, SitemapWriter
from sitemap_docs.paths import seen_from
from sitemap_docs.sitemap.render import stamp as format_lastmod
from sitemap_docs.text import many, one_line
from sitemap_docs.webroot.headers import read_headers
from sitemap_docs.webroot.redirects import read_forced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from sitemap_docs.config.options import Options
    from sitemap_docs.history.lastmod import Dates, Stamp
    from sitemap_docs.listing.entries import Transform
    from sitemap_docs.listing.selection import Decision, Note
    from sitemap_docs.model import Alternate, Page
    from sitemap_docs.urls.base import Base
    from sitemap_docs.urls.platforms import Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBuild:
    """One build of one site, as its front door knows it.

    ``root`` is the folder that relative paths in the options start from. ``output`` is the folder that is
    deployed to ``base``; ``made`` names the files in it that the host wrote itself in this build, which are
    ours to replace. ``gzip`` is what the option's ``auto`` means here, and ``full_urlset`` holds where a
    theme reads ``sitemap.xml`` at run time. ``now`` is only compared with, never written. ``cache`` is a
    folder for dates from git, or None; ``records`` one for the build records (``output/record.py``), or None.
    ``alternates`` are those of the existing sitemap, by loc, for pages that name none.
    ``address_of`` is the path at which a file of the output folder is served, where the host does not decide.
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
    address_of: Callable[[str], str] | None = None
    dry_run: bool = False

    @property
    def place(self) -> Place:
        """Where the sitemap is written."""
        return Place.of(self.output, self.base, self.options.filename)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was done: counts of pages, the names of the files, and the findings.

    ``changed`` are the files that were written anew, or in a dry run would be, robots.txt among them.
    ``skipped`` is why nothing was written; ``""`` where something was.
    """

    listed: int = 0
    dated: int = 0
    left_out: Mapping[Reason, int] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    skipped: str = ""

    def __str__(self) -> str:
        """``412 pages listed, 9 left out (4 noindex, 3 redirects, 2 generated), 398 dated``."""
        if self.skipped:
            return f"nothing written: {self.skipped}"
        left_out = f"{sum(self.left_out.values())} left out"
        if self.left_out:
            left_out += f" ({_counted(self.left_out)})"
        return f"{many(self.listed, 'page')} listed, {left_out}, {self.dated} dated"


def publish(
    site: SiteBuild,
    pages: Iterable[Page],
    sources: Iterable[Path],
    *,
    on_left_out: Callable[[Decision], None] | None = None,
    transform: Transform | None = None,
    scan: Callable[[Selector, Iterable[Page]], Iterable[Decision]] = map,
) -> Published:
    """Writes the sitemap and robots.txt of a site into its output folder; returns what was done.

    ``pages`` come in the order of their addresses (:func:`sorted_by_loc`); they are read once and not kept.
    ``sources`` are the files and folders whose history dates them. ``on_left_out`` is called for each page
    that is not listed. ``transform`` may change an entry, or drop it by returning None. ``scan`` maps the
    selector over the pages, in order; a front door may distribute it over processes. Raises SitemapError
    before anything is moved into place, and HookError where ``transform`` raises that or OSError.
    """
    try:
        return _publish(site, pages, sources, on_left_out, transform, scan)
    except OSError as error:
        where = error.filename or site.output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error


def _publish(
    site: SiteBuild,
    pages: Iterable[Page],
    sources: Iterable[Path],
    on_left_out: Callable[[Decision], None] | None,
    transform: Transform | None,
    scan: Callable[[Selector, Iterable[Page]], Iterable[Decision]],
) -> Published:
    options, base = site.options, site.base
    if site.platform.preview and not options.previews:
        return Published(skipped=f"a preview deployment, {site.platform.preview} (see the option `previews`)")
    key = Key.of(site.environ[VARIABLE]) if site.environ.get(VARIABLE) else None
    extra = _extra_urls(site, key)
    excludes = (("lastmod_excludes", glob) for glob in options.lastmod_excludes.patterns)
    undated = UnmatchedGlobs(excludes, "source file")
    dates = dates_of(site, chain(sources, extra.sources), undated)
    headers = read_headers(site.output)
    locales = read_locales(options.locales, base, site.language)
    languages = Languages(base, site.output, locales, headers, site.alternates, site.address_of)
    selector = Selector(
        base=base,
        output=site.output,
        excludes=options.excludes,
        headers=headers,
        redirects=read_forced(site.output),
    )
    with Recording(site.output, None if site.dry_run else site.records) as record:
        listing = _Listing(site, EntryBuilder(options, dates, languages), record, on_left_out, transform)
        entries: Iterable[Entry] = listing.entries(scan(selector, pages))
        if transform is not None:  # it may have changed an address
            entries = sorted(entries, key=attrgetter("loc"))
        everything = merge(entries, extra.entries(dates, headers, site.now), key=attrgetter("loc"))
        done = _write(site, everything, key, listing)
        record.commit(base.url, done.files, listed=done.listed, dated=done.dated)
    findings = [*dates.findings, *listing.findings(done.listed), *nameless(locales, base)]
    findings += corrected_codes(options.locales)
    findings += [*undated.findings(), *extra.findings(site.now), *done.findings]
    if not done.listed:
        findings.append(listing.nothing_listed())
    return replace(done, left_out=listing.left_out, findings=tuple(findings))


def _write(site: SiteBuild, entries: Iterable[Entry], key: Key | None, listing: _Listing) -> Published:
    """Writes all files for the entries, which come in the order of their locs; each address counts once."""
    options, place = site.options, site.place
    before = read_record(site.output, site.records) if site.records else None
    with (
        Output(site.output, dry_run=site.dry_run) as output,
        # The folder of the sitemap is most often the output folder itself.
        Output(place.folder, dry_run=site.dry_run) if place.prefix else nullcontext(output) as folder,
    ):
        sitemap = SitemapWriter(folder, _layout(site, place))
        text = TextSitemap() if "text" in options.formats else None
        # Other builds may share a sitemap above the output folder: what they list stays in it.
        others = place.shared_entries(site.base)
        listed_by_others = {entry.loc for entry in others}
        disallowed = DisallowedUrls(site.output, site.base, options)
        last = ""
        listed = dated = 0
        for entry in merge(entries, others, key=attrgetter("loc")):
            if entry.loc == last:
                continue
            last = entry.loc
            sitemap.add(entry)
            if entry.loc in listed_by_others:
                continue
            listed += 1
            dated += entry.lastmod is not None
            disallowed.add(entry.loc)
            if text:
                text.add(entry)
        written = sitemap.finish()

        files = [place.prefix + name for name in written.files]
        findings = [*place.findings, *written.findings, *disallowed.findings()]
        if written.dates_before and not dated:
            findings.append(listing.dates_lost(written.dates_before))
        if text:
            findings += text.write(output, site.base, options.filename, replace=options.replace)
            files += text.names
        named = [place.prefix + name for name in written.sitemaps]
        findings += add_robots(output, named, site.base, site.platform, options)
        if key:
            key.write(output, KEY_FILE)
        for name in before.files if before else ():  # other names, or formats that are switched off now
            if name not in files and name not in output.removed and "/" not in name:
                output.remove(name)
        if folder is not output:  # robots.txt must not name a sitemap that is not there yet
            folder.commit()
        output.commit()

    changed, removed = output.changed, output.removed
    if key:
        changed = [key.hidden(name) for name in changed]
    if folder is not output:
        changed = changed + [place.prefix + name for name in folder.changed]
        removed = removed + [place.prefix + name for name in folder.removed]
    return Published(
        listed=listed,
        dated=dated,
        files=tuple(files),
        changed=tuple(changed),
        removed=tuple(removed),
        findings=tuple(findings),
    )


class _Listing:
    """The pages of one build on their way into the sitemap: what is recorded, reported and counted of them.

    The counts are complete when :meth:`entries` has come to its end.
    """

    def __init__(
        self,
        site: SiteBuild,
        builder: EntryBuilder,
        record: Recording,
        on_left_out: Callable[[Decision], None] | None,
        transform: Transform | None,
    ) -> None:
        self.left_out: Counter[Reason] = Counter()
        self._site = site
        self._builder = builder
        self._record = record
        self._on_left_out = on_left_out
        self._transform = transform
        self._unmatched = UnmatchedGlobs(page_globs(site.options))
        self._dating = DatingTally(builder.dates)
        self._notes: dict[str, Note] = {}  # by rule, the first of each
        self._noted: Counter[str] = Counter()
        self._elsewhere = ""  # the first canonical link to another address
        self._undated: tuple[str, Page] | None = None  # an undated page, with a source if one has

    def entries(self, decisions: Iterable[Decision]) -> Iterator[Entry]:
        """The entries of the listed pages, in order; every page is recorded and counted on the way."""
        last = ""
        for each in decisions:
            decision = each
            self._unmatched.compare(decision.page.names)
            if decision.reason is None and decision.loc == last:
                decision = selection.duplicate(decision)
            elif decision.reason is None:
                last = decision.loc
                decision = selection.without_future_date(decision, self._site.now)
            for note in decision.notes:
                self._notes.setdefault(note.rule, note)
                self._noted[note.rule] += 1
            if decision.reason is not None:
                self._leave_out(decision, decision.reason)
                continue

            page = decision.page
            entry, stamp = self._builder.entry(decision)
            if self._transform is not None:
                answer = transformed(self._transform, page, entry, self._site.base)
                if answer is None:
                    self._leave_out(decision, Reason.HOOK)
                    continue
                if answer.lastmod != entry.lastmod:
                    stamp = None
                entry = answer
            if page.sources and (stamp or entry.lastmod is None):
                self._dating.add(page.sources, stamp)
            if entry.lastmod is None and (
                not self._undated or (page.sources and not self._undated[1].sources)
            ):
                self._undated = entry.loc, page
            self._record.add(_recorded(decision, entry, stamp))
            yield entry

    def _leave_out(self, decision: Decision, reason: Reason) -> None:
        left_out = decision._replace(reason=reason)
        self.left_out[reason] += 1
        if reason is Reason.CANONICAL and not self._elsewhere:
            self._elsewhere = one_line(decision.detail)
        self._record.add(_recorded(left_out))
        if self._on_left_out:
            self._on_left_out(left_out)

    def findings(self, listed: int) -> list[Finding]:
        """The findings about pages, and about the options that name pages."""
        found = self._dating.findings(listed, self._site.root, self._site.environ)
        for rule, note in self._notes.items():
            found.append(selection.finding(note, self._noted[rule]))
        found += self._unmatched.findings()
        return found

    def dates_lost(self, before: int) -> Finding:
        """That the sitemap which is replaced had dates and ours has none, and why."""
        why = "no page of the project is listed"
        if self._site.options.lastmod == "none":
            why = "the option `lastmod` is `none`"
        elif self._undated:
            loc, page = self._undated
            cause = (
                self._builder.dates.why_undated(page.sources) if page.sources else "it has no known source"
            )
            why = f"{loc}, for example, has no date because {cause}"
        message = (
            f"The sitemap that is replaced had {many(before, 'date')} for the listed pages, and the new one "
            f"has 0: {why}. Name the sources, fetch the history of git, or keep the old sitemap."
        )
        return Finding(rule="dates-lost", message=message)

    def nothing_listed(self) -> Finding:
        """Why no page is listed and what to do: an empty sitemap is a mistake in the settings, or no site."""
        total = sum(self.left_out.values())
        if not total:
            advice = "Build the site first, or name the folder that it is in."
            cause = f"{self._site.output} holds no HTML page. {advice}"
        elif self.left_out[Reason.CANONICAL] == total:
            cause = (
                f"every page has another canonical address, such as {self._elsewhere}. "
                f"Is {self._site.base.url} right?"
            )
        elif self.left_out[Reason.EXCLUDED] == total:
            cause = f"`excludes` takes out all {many(total, 'page')}."
        else:
            cause = f"{many(total, 'page')} left out ({_counted(self.left_out)}). Run with -v to see each."
        return Finding(rule="empty-sitemap", severity="error", message=f"No page is listed: {cause}")


def sorted_by_loc(pages: Iterable[Page], base: Base) -> list[Page]:
    """The pages sorted by the bytes of their addresses."""
    return sorted(pages, key=lambda page: base.loc(page.path))


def dates_of(site: SiteBuild, sources: Iterable[Path], unmatched: UnmatchedGlobs | None = None) -> Dates:
    """The dates of the sources, as the options of the site have them; of excluded sources none.

    The sources are compared with ``unmatched``, which holds the globs of the option ``lastmod_excludes``.
    """
    options, excludes = site.options, site.options.lastmod_excludes
    dating: Iterable[Path] = ()
    if options.lastmod != "none":
        dating = sources
        if excludes.patterns:
            dating = _without_excluded(site, sources, unmatched)
    return read_dates(
        dating,
        meaning="author" if options.lastmod == "author" else "commit",
        now=site.now,
        ignore_revs=site.root / options.lastmod_ignore_revs if options.lastmod_ignore_revs else None,
        ignore_renames=options.lastmod_ignore_renames,
        cache=site.cache if options.cache else None,
        environ=site.environ,
    )


def _without_excluded(
    site: SiteBuild, sources: Iterable[Path], unmatched: UnmatchedGlobs | None
) -> Iterator[Path]:
    for source in sources:
        names = [seen_from(site.root, source)]
        if unmatched:
            unmatched.compare(names)
        if not site.options.lastmod_excludes.includes(names):
            yield source


def _extra_urls(site: SiteBuild, key: Key | None) -> ExtraUrls:
    written = {ROBOTS, TEXT, *site.made}
    if key:
        written.add(key.within(KEY_FILE))
    return ExtraUrls.of(
        site.options.extra_urls, site.output, site.base, site.source_of, written=frozenset(written)
    )


def _layout(site: SiteBuild, place: Place) -> Layout:
    made = [name.removeprefix(place.prefix) for name in site.made if name.startswith(place.prefix)]
    return Layout(
        base=place.base.url,
        options=replace(site.options, filename=place.name),
        gzip=site.gzip if site.options.gzip == "auto" else site.options.gzip,
        full_urlset=site.full_urlset,
        made=frozenset(made),
    )


def _recorded(decision: Decision, entry: Entry | None = None, stamp: Stamp | None = None) -> PageRecord:
    page = decision.page
    record = PageRecord(
        file=os.fspath(page.file),
        loc=decision.loc,
        reason=decision.reason.value if decision.reason else "",
        detail=decision.detail,
        sources=tuple(map(os.fspath, page.sources)),
        undated=tuple(map(os.fspath, page.undated)),
    )
    if entry:
        record = record._replace(
            loc=entry.loc, lastmod=format_lastmod(entry.lastmod) if entry.lastmod else ""
        )
    if stamp:
        record = record._replace(commit=stamp.commit, changed=str(stamp.file))
    return record


def _counted(left_out: Mapping[Reason, int]) -> str:
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0].value))
    return ", ".join(reason.counted(number) for reason, number in ordered)
