"""Decide about the pages of a site: which are listed, at which addresses, and with which dates.

Nothing is written here. ``publish.py`` writes the files, and all other code reads the rows.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from sitemap_docs.config.options import PAGE_OPTIONS, is_ignored, page_globs, shown
from sitemap_docs.config.patterns import GlobMap, Groups, UnmatchedGlobs
from sitemap_docs.files import seen_from, translated_errors
from sitemap_docs.history.diagnostics import SWITCHED_OFF, DatingTally
from sitemap_docs.history.page_dates import Dates, page_date, read_dates
from sitemap_docs.html.head import Head
from sitemap_docs.listing import selection
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.no_sitemap import of_pages, without_noindex
from sitemap_docs.listing.selection import Decision, Note, Selector, SiteStyle
from sitemap_docs.model import Changefreq, Entry, Finding, NoSitemap, Page, Reason, Row, SitemapError, Watch
from sitemap_docs.output.existing import Replaced
from sitemap_docs.output.robots_file import ROBOTS
from sitemap_docs.output.text_files import TEXT, Key
from sitemap_docs.programs.encryptcontent import may_encrypt
from sitemap_docs.programs.host_files import read_forced, read_headers, redirect_files
from sitemap_docs.project import Project
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.languages import locale_findings, read_locales
from sitemap_docs.webroot import Headers, Webroot

Scan = Callable[[Selector, Iterable[Page]], Iterable[Decision]]
"""Maps a selector over pages, in their order, as ``map`` does."""

Transform = Callable[[Page, Entry], Entry | None]
"""A function of the project's own, which may change the entry of a page, or drop it by returning None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What an entry point learns while the site is rendered, or while its folder is read.

    Attributes:
        pages: The pages of the site.
        findings: Problems that were found while the pages were collected.
        made: The names of sitemaps in the output folder that the host wrote, in this build or an earlier one.
            They may be replaced unless they are copies of source files.
        left: The names of other files of an earlier build. No glob of ``extra_urls`` matches them.
        replaced: What another program's sitemap says about the site.
        dates: Dates that the pages show, if the host has read them (option ``page_dates``).
        style: The address style of pages without a canonical link.
        source_of: Finds the file of the project that a file of the output folder, by its name, is a copy of.
        looked_in: The folders in which sources were searched, for messages. ``""`` if the host knows all
            sources.
        gzip: What the value ``auto`` of the option ``gzip`` means for this site.
        full_urlset: Whether ``sitemap.xml`` itself must list all pages, because a theme reads it.
    """

    pages: Sequence[Page] = ()
    findings: Sequence[Finding] = ()
    made: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    replaced: Replaced = Replaced()
    dates: Dates | None = None
    style: SiteStyle = SiteStyle()
    source_of: Callable[[str], Path | None] | None = None
    looked_in: str = ""
    gzip: Literal["off", "beside", "instead"] = "off"
    full_urlset: bool = False


@dataclass(slots=True, kw_only=True)
class Decisions:
    """What is decided about the pages and the ``extra`` URLs of a ``project``, from what was ``collected``.

    ``style`` is how addresses are spelled, ``decided`` the decisions on the pages, in the order of their
    addresses, and ``found`` what to report of the whole site. Where the same build is audited, ``heads`` are
    those that it read, by file, and ``kept`` its rows. With ``no_sitemap``, there is no row. The counts and
    the findings are complete when :meth:`rows` has come to its end.
    """

    project: Project
    collected: Collected
    extra: ExtraUrls
    languages: Languages
    style: SiteStyle
    no_sitemap: NoSitemap | None = None
    decided: Sequence[Decision] = ()
    dates: Dates = Dates()
    headers: Headers = Headers()
    transform: Transform | None = None
    found: Sequence[Finding] = ()
    heads: Mapping[str, Head] | None = None
    kept: list[Row] = field(default_factory=list)
    left_out: Counter[Reason] = field(default_factory=Counter)
    tally: DatingTally = field(default_factory=DatingTally)
    _unmatched: UnmatchedGlobs = field(init=False)
    _groups: Groups = field(init=False)
    _changefreq: GlobMap[Changefreq] = field(init=False)
    _priority: GlobMap[float] = field(init=False)
    _notes: dict[object, Note] = field(default_factory=dict)  # by rule, the first of each
    _noted: Counter[object] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        options = self.project.options
        self._unmatched = UnmatchedGlobs(page_globs(options))
        self._groups = Groups(options.groups)
        self._changefreq, self._priority = GlobMap(options.changefreq), GlobMap(options.priority)

    def rows(self) -> Iterator[tuple[Row, Entry | None]]:
        """Each page and each address of ``extra_urls``, in the order of the locs; entries of the listed.

        It is read once. Of several pages with one address, the first is listed.
        """
        pages: Iterable[tuple[Row, Entry | None]] = self._pages()
        if self.transform is not None:  # it may have changed an address
            pages = sorted(pages, key=lambda each: each[0].loc)
        for row, entry in self.extra.merge_with(pages, self.dates, self.headers):
            if self.heads is not None:
                self.kept.append(row)
            yield row, entry

    def _pages(self) -> Iterator[tuple[Row, Entry | None]]:
        last = ""
        given: set[str] = set()  # the addresses of entries that the project's own function returned
        for each in self.decided:
            decision, page = each, each.page
            self._unmatched.compare(page.names)
            if decision.reason is None and decision.loc == last:
                decision = selection.duplicate(decision)
            self._note(page, *decision.notes)
            row = self._row(decision)
            entry = None
            if decision.reason is None:
                last = decision.loc
                entry = self._entry(decision, row)
            if entry and self.transform is not None:
                answer = transformed(self.transform, page, entry, self.project.base)
                if answer is None:
                    row = row._replace(reason=Reason.HOOK)
                elif answer.loc in given:
                    row = row._replace(loc=answer.loc, reason=Reason.DUPLICATE)
                    self._note(page, Note(selection.duplicate_address, answer.loc, str(page.file)))
                    answer = None
                else:
                    given.add(answer.loc)
                    if answer.lastmod != entry.lastmod:
                        row = row.dated(answer.lastmod)._replace(cause=None)
                entry = answer
            if row.reason and row.reason is not Reason.LEFT:  # no page of this build
                self.left_out[row.reason] += 1
            if entry:
                if entry.alternates or entry.loc != row.loc:
                    row = row._replace(loc=entry.loc, alternates=entry.alternates)
                cause = row.cause
                if cause is None or not (cause == SWITCHED_OFF or self._ignores(page, cause.rule)):
                    self.tally.add(row)
            yield row, entry

    def _note(self, page: Page, *notes: Note) -> None:
        for note in notes:
            if not self._ignores(page, note.rule.__name__.replace("_", "-")):
                self._notes.setdefault(note.rule, note)
                self._noted[note.rule] += 1

    def _ignores(self, page: Page, rule: str) -> bool:
        """Whether the page or the project ignores what is found there."""
        return rule in page.options.ignore or is_ignored(rule, self.project.options.ignore, page.names)

    def _row(self, decision: Decision) -> Row:
        """Return what is decided about a page. Only listed pages have a cause if they have no date."""
        page, is_listed = decision.page, decision.reason is None
        listed = self.extra.own_dates.get(decision.loc) if is_listed else None
        date = page_date(page, self.dates, self.project.surroundings.now, listed)
        if is_listed and date.rejected:
            self._note(page, Note(selection.lastmod_future, decision.loc, f"{date.rejected:%Y-%m-%d}"))
        row = Row(
            file=seen_from(self.project.output, page.file),
            loc=decision.loc,
            reason=decision.reason,
            detail=decision.detail,
            asked=selection.is_asked_for(page, self.project.options),
            lastmod=date.when,
            cause=date.cause if is_listed else None,
            sources=tuple(map(str, page.sources)),
            undated=tuple(map(str, page.undated)),
            ignore=page.options.ignore,
        )
        if stamp := date.stamp:
            row = row.dated(stamp.when, stamp.commit, stamp.file, stamp.root)
        return row

    def _entry(self, decision: Decision, row: Row) -> Entry:
        """The entry of a listed page, whose own options come first."""
        page, own = decision.page, decision.page.options
        priority = self._priority.get(page.names) if own.priority is None else own.priority  # 0 is one
        shown: tuple[str, ...] = ()
        if self.project.options.images:
            from sitemap_docs.html.body import images  # noqa: PLC0415  few sites ask for them

            with translated_errors(Path(page.file), "read"):
                shown = images(Path(page.file), decision.loc)
        return Entry(
            loc=decision.loc,
            lastmod=row.lastmod,
            alternates=self.languages.alternates(decision),
            images=shown,
            changefreq=own.changefreq or self._changefreq.get(page.names),
            priority=priority,
            group=self._groups.find(page.names),
        )

    def findings(self, listed: int) -> list[Finding]:
        """Returns what is wrong with the pages, of which so many are listed, and with the options."""
        project = self.project
        about_dates = self.tally.findings(
            self.dates.findings,
            listed,
            project.root,
            self.collected.looked_in,
            project.surroundings.environ,
        )
        findings = [*self.dates.findings, *about_dates]
        for rule, note in self._notes.items():
            findings.append(selection.finding_of(note, self._noted[rule]))
        return [*findings, *self._unmatched.findings(), *self.found, *self.extra.findings()]


def decide(
    project: Project,
    collected: Collected,
    *,
    transform: Transform | None = None,
    scan: Scan = map,
    watch: Watch | None = None,
    described: bool = False,
) -> Decisions:
    """Decide which pages are listed, where, and with which dates. Nothing is written.

    Args:
        project: The project.
        collected: Its pages, and what else the entry point learned.
        transform: May change an entry, or drop it by returning None.
        scan: Maps the selector over the pages, in order. An entry point may distribute it over processes.
        watch: Counts the pages that are read.
        described: Whether heads and rows are kept for an audit.

    Raises:
        SitemapError: A file cannot be read, or an option does not fit the site. Reading the rows also raises
            the errors of ``transform``.
    """
    options, base, output = project.options, project.base, project.output
    now, pages, replaced = project.surroundings.now, collected.pages, collected.replaced
    style = collected.style
    if options.links != "auto":
        style = style._replace(links=options.links)
    no_sitemap = project.no_sitemap
    canonical, canonical_by = project.address.canonical, project.address.canonical_by
    if no_sitemap is None and canonical_by is not None and canonical is None:
        no_sitemap = of_pages(pages, base, options, canonical_by)
    if no_sitemap:
        return Decisions(
            project=project,
            collected=collected,
            extra=ExtraUrls((), output, base, None, (), now),
            languages=Languages(base, output),
            style=style,
            no_sitemap=no_sitemap,
            found=[*without_noindex(pages)] if no_sitemap.kind == "version" else [],
        )
    rules_file = project.rules_file
    headers = read_headers(output, rules_file)
    locales = read_locales(options.locales, base, project.language)
    key = Key.of_environment(project.surroundings.environ)
    written = {ROBOTS, TEXT, *collected.made, *collected.left}
    if key:
        written.add(key.file)
    extra = ExtraUrls(options.extra_urls, output, base, collected.source_of, written, now)
    sources = chain.from_iterable(page.sources for page in pages)
    all_sources = chain(sources, filter(None, extra.files.values()))
    dates = dates_of(project, all_sources, collected.dates)

    heads: dict[str, Head] | None = {} if described else None
    select = Selector(
        base=base,
        output=output,
        options=options,
        headers=headers,
        redirects=read_forced(redirect_files(output, rules_file), win=project.served_by.redirects_win),
        links=options.links,
        canonical=canonical,
        may_encrypt=may_encrypt(output),
        described=described,
    )
    webroot = Webroot(output, base)
    try:
        read = scan(select, watch(pages, "pages read", len(pages)) if watch else pages)
        decided, voted = selection.addressed(select, read, replaced.files(webroot), style.links, heads)
    except OSError as error:  # of an executor, such as a full disk
        where = error.filename or output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error
    links = voted.links if options.links == "auto" else options.links
    named = replaced.alternates(webroot)
    return Decisions(
        project=project,
        collected=collected,
        extra=extra,
        languages=Languages(base, output, locales, headers, named, decided, links),
        style=SiteStyle(style.links if voted.links == "auto" else voted.links, voted.by or style.by),
        decided=decided,
        dates=dates,
        headers=headers,
        transform=transform,
        found=[
            *locale_findings(options.locales, base, project.language),
            *selection.unmatched_words(pages, options),
        ],
        heads=heads,
    )


def dates_of(project: Project, sources: Iterable[Path | str], known: Dates | None = None) -> Dates:
    """Return the dates of the sources, as :func:`read_dates` reads them with the options of the project."""
    return read_dates(project.options, sources, around=project.surroundings, known=known)


def transformed(function: Transform, page: Page, entry: Entry, base: Base) -> Entry | None:
    """Returns what the project's own function makes of an entry; None where it drops it.

    Raises SitemapError for an answer that cannot be listed.
    """
    answer = function(page, entry)
    if answer is None or answer is entry:
        return answer
    who = f"The project's own function, for {entry.loc},"
    if not isinstance(answer, Entry):
        raise SitemapError(f"{who} returned {shown(answer)}: return an entry, False or None.")
    try:
        loc = base.normalise(answer.loc)
    except ValueError as error:
        raise SitemapError(f"{who} returned the loc {answer.loc!r}: it {error}.") from None
    fields: dict[str, Any] = {}
    for name in ("lastmod", "changefreq", "priority"):
        value = getattr(answer, name)
        if value is None:
            continue
        try:
            fields[name] = PAGE_OPTIONS[name].parse(value)
        except ValueError as error:
            raise SitemapError(f"{who} returned a {name} of {shown(value)}: it must be {error}.") from None
    return answer._replace(loc=loc, **fields)
