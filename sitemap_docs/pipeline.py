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
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemap_docs.config.unmatched import UnmatchedGlobs, page_globs
from sitemap_docs.history import diagnostics
from sitemap_docs.history.lastmod import read_dates
from sitemap_docs.listing import selection
from sitemap_docs.listing.entries import Recorder
from sitemap_docs.listing.extra import ExtraUrls, answer_of, changed
from sitemap_docs.listing.languages import nameless, read_locales
from sitemap_docs.model import Entry, Finding, Reason, SitemapError
from sitemap_docs.output import writer
from sitemap_docs.output.feed import TEXT, Formats
from sitemap_docs.output.folder import Output
from sitemap_docs.output.key import KEY_FILE, VARIABLE, Key
from sitemap_docs.output.place import Place
from sitemap_docs.output.record import PageRecord, Recording, read_written
from sitemap_docs.output.robots import ROBOTS, add_robots
from sitemap_docs.paths import seen_from
from sitemap_docs.sitemap.render import stamp as format_lastmod
from sitemap_docs.text import many, one_line
from sitemap_docs.webroot.headers import read_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from datetime import datetime

    from sitemap_docs.config.options import Options
    from sitemap_docs.history.lastmod import Dates, Stamp
    from sitemap_docs.listing.selection import Decision, Note
    from sitemap_docs.model import Alternate, Page
    from sitemap_docs.urls.base import Base
    from sitemap_docs.urls.platforms import Platform


def no_source(_: str) -> Path | None:
    """The ``source_of`` of a front door that knows no copied files."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteBuild:
    """One build of one site, as its front door knows it.

    ``root`` is the folder that relative paths in the options start from. ``output`` is the folder that is
    deployed to ``base``; ``made`` names the files in it that the host wrote itself in this build, which are
    ours to replace. ``gzip`` is what the option's ``auto`` means here, and ``full_urlset`` holds where a
    theme reads ``sitemap.xml`` at run time. ``now`` is only compared with, never written. ``cache`` is a
    folder for dates from git, or None; ``records`` one for the build records (``record.py``), or None.
    ``alternates`` are those of the existing sitemap, by loc, for pages that name none.
    ``source_of`` is the file of the project that a file of the output folder, by its name, is a copy of.
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
    source_of: Callable[[str], Path | None] = no_source
    gzip: Literal["off", "beside", "instead"] = "off"
    full_urlset: bool = False
    alternates: Mapping[str, tuple[Alternate, ...]] = field(default_factory=dict)
    dry_run: bool = False

    @property
    def place(self) -> Place:
        """Where the sitemap is written."""
        return Place.of(self.output, self.base, self.options.filename)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What was done: counts of pages, the names of the files, and the findings.

    ``changed`` are the files that were written anew, or in a dry run would be, robots.txt among them.
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
        total = sum(self.left_out.values())
        left = f"{total} left out ({_counted(self.left_out)})" if total else "0 left out"
        return f"{self.listed} page{'s' * (self.listed != 1)} listed, {left}, {self.dated} dated"


@dataclass(slots=True)
class _Tally:
    record: Recording
    on_left_out: Callable[[Decision], None]
    unmatched: UnmatchedGlobs
    listed: int = 0
    dated: int = 0
    cut: int = 0  # by a shallow clone from their dates
    canonical: str = ""
    left_out: Counter[Reason] = field(default_factory=Counter)
    notes: list[Note] = field(default_factory=list)
    noted: Counter[str] = field(default_factory=Counter)

    def note(self, note: Note) -> None:
        if note.rule not in self.noted:
            self.notes.append(note)
        self.noted[note.rule] += 1

    def leave_out(self, decision: Decision, reason: Reason) -> None:
        left_out = decision._replace(reason=reason)
        self.left_out[reason] += 1
        if reason is Reason.CANONICAL and not self.canonical:
            self.canonical = one_line(left_out.detail)
        self.record.add(_recorded(left_out))
        self.on_left_out(left_out)


def _recorded(decision: Decision, entry: Entry | None = None, stamp: Stamp | None = None) -> PageRecord:
    return PageRecord(
        file=os.fspath(decision.page.file),
        loc=entry.loc if entry else decision.loc,
        reason=decision.reason.value if decision.reason else "",
        detail=decision.detail,
        lastmod=format_lastmod(entry.lastmod) if entry and entry.lastmod else "",
        commit=stamp.commit if stamp else "",
        changed=str(stamp.file) if stamp else "",
        sources=tuple(map(os.fspath, decision.page.sources)),
        undated=tuple(map(os.fspath, decision.page.undated)),
    )


def ignore_left_out(_: Decision) -> None:
    """The ``on_left_out`` of a quiet build."""


def unchanged(_: Page, entry: Entry) -> Entry:
    """The ``transform`` of a project that changes nothing."""
    return entry


def sorted_by_loc(pages: Iterable[Page], base: Base) -> list[Page]:
    """The pages sorted by the bytes of their addresses."""
    return sorted(pages, key=lambda page: base.loc(page.path))


def publish(
    site: SiteBuild,
    pages: Iterable[Page],
    sources: Iterable[Path],
    *,
    on_left_out: Callable[[Decision], None] = ignore_left_out,
    transform: Callable[[Page, Entry], Entry | None] = unchanged,
    scan: Callable[[selection.Selector, Iterable[Page]], Iterable[Decision]] = map,
) -> Published:
    """Writes the sitemap and robots.txt of a site into its output folder; returns what was done.

    ``pages`` come in the order of their addresses (``in_order``); they are read once and not kept.
    ``sources`` are the files and folders whose history dates them. ``transform`` may change an entry, or
    drop it by returning None. ``scan`` maps the judge over the pages, in order; a front door may
    distribute it over processes. Raises SitemapError before anything is moved into place, and HookError where
    ``transform`` raises that or OSError.
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
    on_left_out: Callable[[Decision], None],
    transform: Callable[[Page, Entry], Entry | None],
    scan: Callable[[selection.Selector, Iterable[Page]], Iterable[Decision]],
) -> Published:
    if site.platform.preview and not site.options.previews:
        return Published(skipped=f"a preview deployment, {site.platform.preview} (see the option `previews`)")
    undated = UnmatchedGlobs(_source_globs(site.options), "source file")
    extra = _extra_urls(site)
    dates = dates_of(site, chain(_compared(site, sources, undated), extra.sources))
    headers = read_headers(site.output)
    judge = selection.Selector(base=site.base, excludes=site.options.excludes, headers=headers)
    with Recording(site.output, None if site.dry_run else site.records) as record:
        tally = _Tally(record, on_left_out, UnmatchedGlobs(page_globs(site.options)))
        listed = _listed(scan(judge, pages), tally)
        entries = _entries(listed, site, dates, tally, transform)
        done = _write(site, _merged(entries, extra.entries(dates, headers, site.now), tally))
        record.commit(site.base.url, done.files, listed=tally.listed, dated=tally.dated)
    return Published(
        listed=tally.listed,
        dated=tally.dated,
        left_out=tally.left_out,
        files=done.files,
        changed=done.changed,
        removed=done.removed,
        findings=(
            *dates.findings,
            *_findings(site, tally),
            *undated.findings(),
            *extra.findings(site.now),
            *done.findings,
            *(() if tally.listed else (_empty(site, tally),)),
        ),
    )


def _extra_urls(site: SiteBuild) -> ExtraUrls:
    key = site.environ.get(VARIABLE)
    written = {ROBOTS, TEXT, *site.made, *([Key.of(key).within(KEY_FILE)] if key else [])}
    return ExtraUrls.of(
        site.options.extra_urls, site.output, site.base, site.source_of, written=frozenset(written)
    )


def _findings(site: SiteBuild, tally: _Tally) -> Iterator[Finding]:
    """The findings about pages and options."""
    if tally.cut:
        yield diagnostics.shallow(tally.cut, tally.listed, site.environ)
    yield from (selection.finding(note, tally.noted[note.rule]) for note in tally.notes)
    yield from nameless(read_locales(site.options.locales, site.base, site.language), site.base)
    yield from tally.unmatched.findings()


class _Done(NamedTuple):
    files: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    findings: tuple[Finding, ...]


def _write(site: SiteBuild, entries: Iterable[Entry]) -> _Done:
    formats = Formats(site.options.formats)
    key = Key.of(site.environ[VARIABLE]) if site.environ.get(VARIABLE) else None
    place = site.place
    with Output(site.output, dry_run=site.dry_run) as output, _beside(output, place) as folder:
        everything = merge(formats.collected(entries), place.shared_entries(site.base), key=attrgetter("loc"))
        written = writer.write_sitemap(
            everything, folder, _layout(site), group=attrgetter("group")
        ).seen_from(place.prefix)
        more = formats.write(output, site.base, site.options.filename, replace=site.options.replace)
        robots = add_robots(output, written.sitemaps, site.base, site.platform, site.options)
        findings = (*place.findings, *written.findings, *more, *robots)
        if key:
            key.write(output, KEY_FILE)
        files = (*written.files, *formats.names(output))
        _remove_left_over(site, output, files)
        for each in dict.fromkeys((folder, output)):
            each.commit()
    changed = [*(map(key.hidden, output.changed) if key else output.changed)]
    removed = [*output.removed]
    if place.prefix:
        changed += [place.prefix + name for name in folder.changed]
        removed += [place.prefix + name for name in folder.removed]
    return _Done(files, tuple(changed), tuple(removed), findings)


def _remove_left_over(site: SiteBuild, output: Output, files: tuple[str, ...]) -> None:
    """Takes away what the last build wrote and this one does not: other names, formats switched off."""
    before = read_written(site.output, site.records) if site.records else ()
    for name in before:
        if name not in files and name not in output.removed and "/" not in name:
            output.remove(name)


def _beside(output: Output, place: Place) -> AbstractContextManager[Output]:
    """The folder of the sitemap, which is most often the output folder itself."""
    return Output(place.folder, dry_run=output.dry_run) if place.prefix else nullcontext(output)


def _empty(site: SiteBuild, tally: _Tally) -> Finding:
    """Why no page is listed, and what to do: an empty sitemap is a mistake in the settings, or no site."""
    total = sum(tally.left_out.values())
    counts = _counted(tally.left_out)
    if not total:
        cause = f"{site.output} holds no HTML page. Build the site first, or name the folder that it is in."
    elif tally.left_out[Reason.CANONICAL] == total:
        cause = (
            f"every page has another canonical address, such as {tally.canonical}. Is {site.base.url} right?"
        )
    elif tally.left_out[Reason.EXCLUDED] == total:
        cause = f"`excludes` takes out all {many(total, 'page')}."
    else:
        cause = f"{many(total, 'page')} left out ({counts}). Run with -v to see each."
    return Finding(rule="empty-sitemap", severity="error", message=f"No page is listed: {cause}")


def _counted(left_out: Mapping[Reason, int]) -> str:
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0].value))
    return ", ".join(reason.counted(number) for reason, number in ordered)


def _layout(site: SiteBuild) -> writer.Layout:
    prefix = site.place.prefix
    gzip = site.gzip if site.options.gzip == "auto" else site.options.gzip
    return writer.Layout(
        base=site.place.base.url,
        options=replace(site.options, filename=site.place.name),
        gzip=gzip,
        full_urlset=site.full_urlset,
        made=frozenset(each.removeprefix(prefix) for each in site.made if each.startswith(prefix)),
    )


def dates_of(site: SiteBuild, sources: Iterable[Path]) -> Dates:
    """The dates of the sources, as the options of the site have them; of excluded sources none."""
    options, excluded = site.options, site.options.lastmod_excludes
    dating = (source for source in sources if not excluded.includes([seen_from(site.root, source)]))
    return read_dates(
        dating if options.lastmod != "none" else (),
        meaning="commit" if options.lastmod == "none" else options.lastmod,
        now=site.now,
        ignore_revs=site.root / options.lastmod_ignore_revs if options.lastmod_ignore_revs else None,
        ignore_renames=options.lastmod_ignore_renames,
        cache=site.cache if options.cache else None,
        environ=site.environ,
    )


def _source_globs(options: Options) -> Iterator[tuple[str, str]]:
    return (("lastmod_excludes", glob) for glob in options.lastmod_excludes.patterns)


def _compared(site: SiteBuild, sources: Iterable[Path], globs: UnmatchedGlobs) -> Iterable[Path]:
    """The sources, each compared with ``globs`` on its way where the option has any."""
    if not site.options.lastmod_excludes.patterns:
        yield from sources
        return
    for source in sources:
        globs.compare([seen_from(site.root, source)])
        yield source


def _listed(decisions: Iterable[Decision], tally: _Tally) -> Iterator[Decision]:
    last = ""
    for decision in decisions:
        tally.unmatched.compare(decision.page.names, suggest=decision.page.default is None)
        if decision.reason is None and decision.loc == last:
            decision = selection.duplicate(decision)  # noqa: PLW2901
        for note in decision.notes:
            tally.note(note)
        if decision.reason is None:
            last = decision.loc
            yield decision
        else:
            tally.leave_out(decision, decision.reason)


def _entries(
    listed: Iterable[Decision],
    site: SiteBuild,
    dates: Dates,
    tally: _Tally,
    transform: Callable[[Page, Entry], Entry | None],
) -> Iterable[Entry]:
    recorder = Recorder.of(site.options, dates, site.base, site.output, site.language, site.alternates)
    accepted = (_without_future_date(decision, site.now, tally) for decision in listed)
    kept = _kept(accepted, recorder, tally, transform)
    if transform is unchanged:
        return kept
    return sorted(kept, key=attrgetter("loc"))  # it may have changed an address


def _merged(entries: Iterable[Entry], extra: Iterable[Entry], tally: _Tally) -> Iterator[Entry]:
    """The entries of pages and of the option ``extra_urls``, each address once."""
    last = ""
    for entry in merge(entries, extra, key=attrgetter("loc")):
        if entry.loc != last:
            last = entry.loc
            tally.listed += 1
            tally.dated += entry.lastmod is not None
            yield entry


def _without_future_date(decision: Decision, now: datetime, tally: _Tally) -> Decision:
    """The same, without a date from the page's own front matter that search engines would refuse."""
    lastmod = decision.page.options.lastmod
    if lastmod is None or lastmod <= now:
        return decision
    tally.note(selection.Note("lastmod-future", decision.loc, f"{lastmod:%Y-%m-%d}"))
    options = replace(decision.page.options, lastmod=None)
    return decision._replace(page=decision.page._replace(options=options))


def _kept(
    listed: Iterable[Decision],
    recorder: Recorder,
    tally: _Tally,
    transform: Callable[[Page, Entry], Entry | None],
) -> Iterator[Entry]:
    for decision in listed:
        found, stamp = recorder.entry(decision)
        answer = answer_of(transform, decision.page, found)
        if answer is None:
            tally.leave_out(decision, Reason.HOOK)
            continue
        entry = changed(answer, found, recorder.languages.base)
        if entry.lastmod is None and decision.page.sources:
            tally.cut += recorder.dates.are_cut(decision.page.sources)
        tally.record.add(_recorded(decision, entry, stamp if entry.lastmod == found.lastmod else None))
        yield entry
