"""Decide which pages of a site the sitemap lists, at which addresses, and with which dates.

:func:`decide` returns a row for each page. No file is written here: ``publish.py`` writes the sitemap.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

from sitemap_docs.config.ignored import is_ignored
from sitemap_docs.config.options import PAGE_OPTIONS, page_globs
from sitemap_docs.config.patterns import GlobMap, Groups, MisspelledGlob, UnmatchedGlobs
from sitemap_docs.files import seen_from, translated_errors
from sitemap_docs.history.diagnostics import SWITCHED_OFF, Undated, UndatedPagesCounter
from sitemap_docs.history.one_commit import find_one_commit
from sitemap_docs.history.page_dates import Dates, PageDate, choose_date, page_date, read_dates
from sitemap_docs.html.head import Head
from sitemap_docs.listing.address_style import AddressStyle, known_style, settle_addresses
from sitemap_docs.listing.alternates import Languages, move_alternates
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.host_addresses import find_redirected
from sitemap_docs.listing.misspelled_globs import find_misspelled
from sitemap_docs.listing.no_sitemap import of_pages, without_noindex
from sitemap_docs.listing.page_findings import Note, duplicate_address, finding_of, lastmod_future
from sitemap_docs.listing.selection import Decision, Selector, duplicate, is_asked_for, unmatched_words
from sitemap_docs.model import (
    Entry,
    Finding,
    NoSitemap,
    Page,
    Reason,
    Row,
    SitemapError,
    Watch,
    unwatched,
)
from sitemap_docs.output.existing import Replaced
from sitemap_docs.output.robots_file import ROBOTS
from sitemap_docs.output.text_files import TEXT, Key
from sitemap_docs.programs.encryptcontent import may_encrypt
from sitemap_docs.project import Project
from sitemap_docs.text import shown
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.languages import locale_findings, read_locales
from sitemap_docs.webroot import Webroot

Scan = Callable[[Selector, Iterable[Page]], Iterable[Decision]]
"""A function like ``map``: it calls a selector for each page and returns the decisions in the same order."""

Transform = Callable[[Page, Entry], Entry | None]
"""A function of the user's project that changes the sitemap entry of a page.

If it returns None, the sitemap does not list the page.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """The input of :func:`decide`: all rendered pages, with facts from Sphinx, MkDocs or the folder."""

    pages: Sequence[Page] = ()
    #: Problems that were found so far.
    findings: Sequence[Finding] = ()
    #: The names of sitemaps that the generator has just written. They may be replaced.
    made: frozenset[str] = frozenset()
    #: The names of other files of an earlier build.
    left: frozenset[str] = frozenset()
    #: The content of another program's sitemap, which this build replaces.
    replaced: Replaced = Replaced()
    #: The dates from git, if they have been read already.
    dates: Dates | None = None
    #: How addresses end, such as ``folders`` for ``a/``.
    style: AddressStyle = AddressStyle()
    #: Returns the source of a copied file.
    source_of: Callable[[str], Path | None] | None = None
    #: The folders that were searched for source files, for messages.
    looked_in: str = ""
    gzip: Literal["off", "beside", "instead"] = "off"
    #: Whether ``sitemap.xml`` itself must list all pages, because a theme reads it.
    full_urlset: bool = False
    #: Options that may have been written for another program.
    lenient_options: frozenset[str] = frozenset()
    #: Advice how to get addresses without ``.html``.
    without_html: str = (
        "Let the generator write a/index.html instead of a.html. If the pages have no canonical links, you "
        "can also set the option `links` to `clean`, which lists addresses without .html."
    )
    untranslated: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """The decisions about all pages of a site: which pages the sitemap lists, and with which dates."""

    collected: Collected
    #: All pages, sorted by address.
    rows: Sequence[Row] = ()
    #: Problems with pages, dates and options.
    findings: tuple[Finding, ...] = ()
    #: How addresses end, such as ``a/`` or ``a.html``.
    style: AddressStyle = AddressStyle()
    #: The reason why the site gets no sitemap, or None.
    no_sitemap: NoSitemap | None = None
    #: The number of pages that are left out for each reason.
    left_out: Mapping[Reason, int] = field(default_factory=dict)
    #: Whether a canonical link proves that the base URL is right.
    is_confirmed: bool = False
    dates: Dates = Dates()
    #: The largest group of pages without a date for the same reason.
    largest_group: Undated | None = None
    #: Globs that match no page because of their spelling.
    misspelled: tuple[MisspelledGlob, ...] = ()
    #: The ``<head>`` of each page, for an audit.
    heads: Mapping[str, Head] = field(default_factory=dict)


def decide(
    project: Project,
    collected: Collected,
    *,
    transform: Transform | None = None,
    scan: Scan = map,
    watch: Watch = unwatched,
    described: bool = False,
) -> Decided:
    """Decide which pages the sitemap lists, with their addresses and dates.

    Args:
        project: The options, base URL and folders.
        collected: The pages of the site.
        transform: A function of the user that changes sitemap entries, or None.
        scan: Calls a function for each page, like ``map``, perhaps in several processes.
        watch: Shows the progress to the user.
        described: Whether to read the title and dates of each page, too.

    Raises:
        SitemapError: A file cannot be read, or an option does not fit the site.
    """
    options, base, output = project.options, project.base, project.output
    style = known_style(options.links, [collected.style])
    no_sitemap = _find_no_sitemap(project, collected.pages)
    if no_sitemap:
        missing = without_noindex(collected.pages) if no_sitemap.kind == "version" else ()
        return Decided(collected=collected, style=style, no_sitemap=no_sitemap, findings=(*missing,))

    locales = read_locales(options.locales, base, project.language)
    extra = _read_extra_urls(project, collected)
    webroot = Webroot(output, project.hosting)
    headers = webroot.headers
    page_sources = chain.from_iterable(page.sources for page in collected.pages)
    all_sources = chain(page_sources, filter(None, extra.files.values()))
    dates = dates_of(project, all_sources, collected.dates)
    replaced_alternates = collected.replaced.alternates(webroot)

    select = _create_selector(project, webroot, described=described)
    pages = collected.pages
    try:
        read_decisions = scan(select, watch(pages, "pages read", len(pages)))
        listed_files = collected.replaced.files(webroot)
        decisions, voted, heads = settle_addresses(select, read_decisions, listed_files, style.links)
    except OSError as error:  # The executor of `scan` may find the disk full.
        where = error.filename or output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error

    links = voted.links if options.links == "auto" else options.links
    languages = Languages(select, locales, replaced_alternates, decisions, links, collected.untranslated)
    maker = _RowMaker(project, extra, languages, dates, transform)
    page_rows: Iterable[Row] = maker.make_rows(decisions)
    if transform is not None:  # It may have changed addresses, also the addresses of translations.
        made_rows = [*page_rows]
        page_rows = sorted(map(maker.with_final_alternates, made_rows), key=attrgetter("loc"))
    rows = [*extra.merge_with(page_rows, dates, headers)]

    environ = project.surroundings.environ
    listed_pages = [decision.page for decision in decisions if decision.reason is None]
    misspelled = find_misspelled(maker.unmatched.unmatched(), listed_pages, base)
    listed_rows = [row for row in rows if row.entry]
    findings = (
        *dates.findings,
        *maker.tally.findings(dates.findings, len(listed_rows), project.root, collected.looked_in, environ),
        *find_one_commit(rows, project.root, options.lastmod_ignore_revs, environ),
        *maker.findings(),
        *_misspelled_findings(misspelled, collected.lenient_options),
        *maker.unmatched.findings([(each.option, each.glob) for each in misspelled]),
        *locale_findings(options.locales, base, project.language),
        *unmatched_words(pages, options),
        *find_redirected(listed_rows, project.hosting, collected.without_html),
        *extra.findings(),
    )
    return Decided(
        collected=collected,
        rows=rows,
        findings=findings,
        style=AddressStyle(style.links if voted.links == "auto" else voted.links, voted.by or style.by),
        left_out=_count_left_out(rows),
        is_confirmed=any(decision.link and not decision.reason for decision in decisions),
        dates=dates,
        largest_group=maker.tally.largest_group,
        misspelled=tuple(misspelled),
        heads=heads,
    )


def _count_left_out(rows: Iterable[Row]) -> Counter[Reason]:
    """Return how many pages are left out for each reason. Pages of earlier builds are not counted."""
    reasons = (row.reason for row in rows if row.entry is None)
    return Counter(reason for reason in reasons if reason and reason is not Reason.LEFT)


def _misspelled_findings(
    misspelled: Iterable[MisspelledGlob], lenient_options: Collection[str]
) -> Iterator[Finding]:
    """Yield a warning for each glob that matches no page because it is misspelled.

    ``lenient_options`` are options that may have been written for another program. A warning about one of
    them does not make a strict build fail.
    """
    for glob in misspelled:
        finding = glob.finding()
        yield replace(finding, strict=finding.strict and glob.option not in lenient_options)


def _find_no_sitemap(project: Project, pages: Sequence[Page]) -> NoSitemap | None:
    """Return the reason for writing no sitemap, such as a preview build, or None."""
    address = project.address
    if address.no_sitemap is None and address.canonical_by is not None and address.canonical is None:
        webroot = Webroot(project.output, project.hosting)
        decisions = map(_create_selector(project, webroot, described=False), pages)
        return of_pages(decisions, project.base, address.canonical_by)
    return address.no_sitemap


def _read_extra_urls(project: Project, collected: Collected) -> ExtraUrls:
    """Return the files and addresses in the option ``extra_urls``, such as ``*.pdf``."""
    written = {ROBOTS, TEXT, *collected.made, *collected.left}
    key = Key.of_environment(project.surroundings.environ)
    if key:
        written.add(key.file)
    return ExtraUrls(
        project.options.extra_urls,
        project.output,
        project.base,
        collected.source_of,
        written,
        project.surroundings.now,
    )


def _create_selector(project: Project, webroot: Webroot, *, described: bool) -> Selector:
    """Create the function that decides for each page whether the sitemap lists it.

    If ``described`` is true, the function also reads the title and dates in each page.
    """
    return Selector(
        base=project.base,
        output=project.output,
        options=project.options,
        headers=webroot.headers,
        redirects=webroot.readable_redirects,
        links=project.options.links,
        canonical=project.address.canonical,
        may_encrypt=may_encrypt(project.output),
        described=described,
    )


class _RowMaker:
    """Makes a row for each page: the page, whether the sitemap lists it, its date and its sitemap entry.

    Args:
        project: The options, base URL and folders.
        extra: The files and URLs in the option ``extra_urls``.
        languages: Finds the translations of a page.
        dates: The dates of source files in git.
        transform: A function of the user that changes sitemap entries, or None.
    """

    def __init__(
        self,
        project: Project,
        extra: ExtraUrls,
        languages: Languages,
        dates: Dates,
        transform: Transform | None,
    ) -> None:
        options = project.options
        self._project = project
        self._extra = extra
        self._languages = languages
        self._dates = dates
        self._transform = transform
        self.unmatched = UnmatchedGlobs(page_globs(options))
        self._groups = Groups(options.groups)
        self._changefreq = GlobMap(options.changefreq)
        self._priority = GlobMap(options.priority)
        self._first_notes: dict[str, Note] = {}  # by rule
        self._note_counts: Counter[str] = Counter()
        self._transformed_locs: set[str] = set()
        self._moved_locs: dict[str, str | None] = {}  # the new address, or None for a dropped page
        self.tally = UndatedPagesCounter()

    def make_rows(self, decisions: Iterable[Decision]) -> Iterator[Row]:
        """Yield a row for each page: the page with its address, date and sitemap entry.

        ``decisions`` say whether the sitemap should list a page. If several pages have the same address, only
        the first page is listed.
        """
        last_loc = ""
        for selected in decisions:
            decision, page = selected, selected.page
            self.unmatched.compare(page.names)
            if decision.reason is None and decision.loc == last_loc:
                decision = duplicate(decision)
            self._remember(page, *decision.notes)
            if decision.reason is None:
                last_loc = decision.loc
                yield self._listed_row(decision)
            else:
                date = page_date(page, self._dates, self._project.surroundings.now)
                # Only a listed page needs the cause of a missing date.
                yield self._create_row(decision, date._replace(cause=None))

    def findings(self) -> Iterator[Finding]:
        """Yield the problems of all pages. Call this after the last page."""
        for rule, note in self._first_notes.items():
            yield finding_of(note, self._note_counts[rule])

    def _remember(self, page: Page, *notes: Note) -> None:
        """Count the problems of a page by rule. The end of the build reports them."""
        for note in notes:
            rule = note.rule.id
            if not self._ignores(page, rule):
                self._first_notes.setdefault(rule, note)
                self._note_counts[rule] += 1

    def _ignores(self, page: Page, rule: str) -> bool:
        """Check whether the user ignores a rule for a page."""
        return rule in page.options.ignore or is_ignored(rule, self._project.options.ignore, page.names)

    def _listed_row(self, decision: Decision) -> Row:
        """Return a page of the sitemap as a :class:`Row`, with its date and its sitemap entry."""
        page, now = decision.page, self._project.surroundings.now
        date = page_date(page, self._dates, now, self._extra.own_dates.get(decision.loc))
        if date.rejected:
            self._remember(page, Note(lastmod_future, decision.loc, f"{date.rejected:%Y-%m-%d}"))
        row = self._create_row(decision, date, self._create_entry(decision, date.when))
        if self._transform is not None:
            row = self._apply_hook(row, page, self._transform)
        cause = row.cause
        is_quiet = cause is not None and (cause.rule == SWITCHED_OFF.rule or self._ignores(page, cause.rule))
        if row.entry and not is_quiet:
            self.tally.add(row)
        return row

    def _create_row(self, decision: Decision, date: PageDate, entry: Entry | None = None) -> Row:
        """Combine the decision about a page, its date and its sitemap entry into one row of the record."""
        page = decision.page
        commit = changed = root = ""
        if date.stamp:
            commit, changed, root = date.stamp.commit, date.stamp.file, date.stamp.root
        return Row(
            file=seen_from(self._project.output, page.file),
            loc=decision.loc,
            reason=decision.reason,
            detail=decision.detail,
            asked=is_asked_for(page, self._project.options),
            lastmod=date.when,
            commit=commit,
            changed=changed,
            root=root,
            cause=date.cause,
            sources=tuple(map(str, page.sources)),
            undated=tuple(map(str, page.undated)),
            alternates=entry.alternates if entry else (),
            ignore=page.options.ignore,
            target=decision.target,
            entry=entry,
        )

    def _apply_hook(self, row: Row, page: Page, transform: Transform) -> Row:
        """Call the user's function ``transform``, which may change a sitemap entry or drop the page.

        ``row`` is the page with its entry. Return a row with the new entry, or with the reason for dropping
        the page.
        """
        entry = row.entry
        answer = call_hook(transform, page, entry, self._project.base) if entry else None
        if answer is None:
            self._moved_locs[row.loc] = None
            return row._replace(reason=Reason.HOOK, alternates=(), entry=None)
        if answer.lastmod != row.lastmod:
            candidates = (answer.lastmod, row.lastmod) if answer.lastmod else ()
            date = choose_date(candidates, self._project.surroundings.now)
            if date.rejected:
                self._remember(page, Note(lastmod_future, answer.loc, f"{date.rejected:%Y-%m-%d}"))
            answer = answer._replace(lastmod=date.when)
        if answer.loc != row.loc:
            self._moved_locs[row.loc] = answer.loc
        if answer.loc in self._transformed_locs:
            self._remember(page, Note(duplicate_address, answer.loc, str(page.file)))
            return row._replace(loc=answer.loc, reason=Reason.DUPLICATE, alternates=(), entry=None)
        self._transformed_locs.add(answer.loc)
        if answer.lastmod != row.lastmod:
            row = row.dated(answer.lastmod)._replace(cause=None)
        return row._replace(loc=answer.loc, alternates=answer.alternates, entry=answer)

    def with_final_alternates(self, row: Row) -> Row:
        """Return a page whose links to translations have the final URLs.

        A function of the user may have changed URLs after the links were made.
        """
        if row.entry is None or not row.alternates:
            return row
        alternates = move_alternates(row.loc, row.alternates, self._moved_locs)
        return row._replace(alternates=alternates, entry=row.entry._replace(alternates=alternates))

    def _create_entry(self, decision: Decision, lastmod: datetime | None) -> Entry:
        """Create the sitemap entry of a page."""
        page, own = decision.page, decision.page.options
        priority = own.priority
        if priority is None:
            priority = self._priority.get(page.names)
        images: tuple[str, ...] = ()
        if self._project.options.images:
            from sitemap_docs.html.body import images as read_images  # noqa: PLC0415  few sites ask for images

            with translated_errors(Path(page.file), "read"):
                images = read_images(Path(page.file), decision.loc)
        return Entry(
            loc=decision.loc,
            lastmod=lastmod,
            alternates=self._languages.alternates(decision),
            images=images,
            changefreq=own.changefreq or self._changefreq.get(page.names),
            priority=priority,
            group=self._groups.find(page.names),
        )


def dates_of(project: Project, sources: Iterable[Path | str], known: Dates | None = None) -> Dates:
    """Return the dates of source files. If ``known`` contains all of them, git is not called again."""
    return read_dates(project.options, sources, around=project.surroundings, known=known)


def call_hook(function: Transform, page: Page, entry: Entry, base: Base) -> Entry | None:
    """Call the user's hook to change the sitemap entry of a page.

    Return the new entry, or None if the sitemap should not list the page.

    Raises:
        SitemapError: The hook has returned an incorrect entry.
    """
    answer = function(page, entry)
    if answer is None or answer is entry:
        return answer
    hook = "The entry hook of the project"
    if not isinstance(answer, Entry):
        raise SitemapError(
            f"{hook} returned {shown(answer)} for {entry.loc}. Return an entry, False or None."
        )
    try:
        loc = base.normalise(answer.loc)
    except ValueError as error:
        raise SitemapError(
            f"{hook} changed the address {entry.loc} to {answer.loc!r}, which {error}. The function must "
            "return an address of this site."
        ) from None
    fields: dict[str, Any] = {}
    for name in ("lastmod", "changefreq", "priority"):
        value = getattr(answer, name)
        if value is None:
            continue
        try:
            fields[name] = PAGE_OPTIONS[name].parse(value)
        except ValueError as error:
            raise SitemapError(
                f"{hook} set the {name} of {entry.loc} to {shown(value)}. It must be {error}."
            ) from None
    return answer._replace(loc=loc, **fields)
