"""What is decided about a site: which pages are listed, at which addresses and with which dates.

Nothing is written here: ``publish.py`` does what follows from it, and all others read it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from sitemap_docs.config.options import PAGE_OPTIONS, Options, is_ignored, page_globs, shown
from sitemap_docs.config.patterns import GlobMap, Groups, UnmatchedGlobs
from sitemap_docs.files import repository_of, seen_from, translated_errors
from sitemap_docs.history.diagnostics import SWITCHED_OFF, Cause, DatingTally
from sitemap_docs.history.page_dates import Dates, lastmod_of, read_dates
from sitemap_docs.html.head import Head
from sitemap_docs.listing import selection
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.no_sitemap import of_pages, of_preview, without_noindex
from sitemap_docs.listing.selection import Decision, Note, Selector, SiteStyle
from sitemap_docs.model import Changefreq, Entry, Finding, NoSitemap, Page, Reason, Row, SitemapError, Watch
from sitemap_docs.output.existing import Replaced
from sitemap_docs.output.record import Recording
from sitemap_docs.output.robots_file import ROBOTS
from sitemap_docs.output.text_files import TEXT, Key
from sitemap_docs.programs.encryptcontent import may_encrypt
from sitemap_docs.programs.followed import serving
from sitemap_docs.programs.host_files import own_rules, read_forced, read_headers, redirect_files
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import locale_findings, read_locales
from sitemap_docs.webroot import Headers, Webroot

Scan = Callable[[Selector, Iterable[Page]], Iterable[Decision]]
"""Maps a selector over pages, in their order, as ``map`` does."""

Transform = Callable[[Page, Entry], Entry | None]
"""A function of the project's own, which may change the entry of a page, or drop it by returning None."""


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
    ``replaced`` is what another program's sitemap says of the site, and ``style`` is that of addresses: both
    where no host decides. ``looked_in`` names the folders in which sources were looked for. ``left``
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
    style: SiteStyle = SiteStyle()
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
        cache = None if self.dry_run else self.around.cache
        return Recording(self.output, cache, self.root, self.record, self.options.ignore)


@dataclass(slots=True, kw_only=True)
class Decisions:
    """What is decided about the pages and the ``extra`` URLs of a ``site``.

    ``style`` is how addresses are spelled, ``decided`` the decisions on the pages, in the order of their
    addresses, and ``found`` what to report of the whole site. Where the same build is audited, ``heads`` are
    those that it read, by file, and ``kept`` its rows. With ``no_sitemap``, there is no row. The counts and
    the findings are complete when :meth:`rows` has come to its end.
    """

    site: SiteBuild
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
        options = self.site.options
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
        for row, entry in self.extra.among(pages, self.dates, self.headers):
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
            row, cause = self._row(decision)
            entry = None
            if decision.reason is None:
                last = decision.loc
                entry = self._entry(decision, row)
            if entry and self.transform is not None:
                answer = transformed(self.transform, page, entry, self.site.base)
                if answer is None:
                    row = row._replace(reason=Reason.HOOK)
                elif answer.loc in given:
                    row = row._replace(loc=answer.loc, reason=Reason.DUPLICATE)
                    self._note(page, Note(selection.duplicate_address, answer.loc, str(page.file)))
                    answer = None
                else:
                    given.add(answer.loc)
                    if answer.lastmod != entry.lastmod:
                        row, cause = row.dated(answer.lastmod)._replace(cause=""), None
                entry = answer
            if row.reason and row.reason is not Reason.LEFT:  # no page of this build
                self.left_out[row.reason] += 1
            if entry:
                if entry.alternates or entry.loc != row.loc:
                    row = row._replace(loc=entry.loc, alternates=entry.alternates)
                if cause is None or not (cause is SWITCHED_OFF or self._ignores(page, cause.rule)):
                    self.tally.add(row, cause)
            yield row, entry

    def _note(self, page: Page, *notes: Note) -> None:
        for note in notes:
            if not self._ignores(page, note.rule.__name__.replace("_", "-")):
                self._notes.setdefault(note.rule, note)
                self._noted[note.rule] += 1

    def _ignores(self, page: Page, rule: str) -> bool:
        """Whether the page or the project ignores what is found there."""
        return rule in page.options.ignore or is_ignored(rule, self.site.options.ignore, page.names)

    def _row(self, decision: Decision) -> tuple[Row, Cause | None]:
        """Returns what is decided about a page, and why it has no date if it is listed without one."""
        page, is_listed, cause = decision.page, decision.reason is None, None
        listed = self.extra.own_dates.get(decision.loc) if is_listed else None
        lastmod, stamp, refused = lastmod_of(page, self.dates, self.site.around.now, listed)
        if is_listed and refused:
            self._note(page, Note(selection.lastmod_future, decision.loc, f"{refused:%Y-%m-%d}"))
        if is_listed and lastmod is None:
            cause = SWITCHED_OFF
            if self.site.options.lastmod != "none":
                cause = self.dates.why_undated(page)
        row = Row(
            file=seen_from(self.site.output, page.file),
            loc=decision.loc,
            reason=decision.reason,
            detail=decision.detail,
            asked=selection.is_asked_for(page, self.site.options),
            lastmod=lastmod,
            cause=cause.words if cause else "",
            sources=tuple(map(str, page.sources)),
            undated=tuple(map(str, page.undated)),
            ignore=page.options.ignore,
        )
        if stamp:
            row = row.dated(stamp.when, stamp.commit, stamp.file, stamp.root)
        return row, cause

    def _entry(self, decision: Decision, row: Row) -> Entry:
        """The entry of a listed page, whose own options come first."""
        page, own = decision.page, decision.page.options
        priority = self._priority.get(page.names) if own.priority is None else own.priority  # 0 is one
        shown: tuple[str, ...] = ()
        if self.site.options.images:
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
        site = self.site
        about_dates = self.tally.findings(
            self.dates.findings, listed, site.root, site.host.looked_in, site.around.environ
        )
        findings = [*self.dates.findings, *about_dates]
        for rule, note in self._notes.items():
            findings.append(selection.finding_of(note, self._noted[rule]))
        return [*findings, *self._unmatched.findings(), *self.found, *self.extra.findings()]


def decide(
    site: SiteBuild,
    pages: Sequence[Page],
    *,
    transform: Transform | None = None,
    scan: Scan = map,
    watch: Watch | None = None,
    described: bool = False,
) -> Decisions:
    """Decides which pages are listed, where, and with which dates. Writes nothing.

    ``transform`` may change an entry, or drop it by returning None. ``scan`` maps the selector over the
    pages, in order; a front door may distribute it over processes. ``watch`` counts the pages that are read.
    With ``described``, heads and rows are kept for an audit. Raises SitemapError, and reading the rows also
    what ``transform`` raises.
    """
    options, base, output, host, now = site.options, site.base, site.output, site.host, site.around.now
    style = host.style
    if options.links != "auto":
        style = style._replace(links=options.links)
    no_sitemap = site.no_sitemap
    if no_sitemap is None and host.canonical_by is not None and host.canonical is None:
        no_sitemap = of_pages(pages, base, options, host.canonical_by)
    if no_sitemap:
        return Decisions(
            site=site,
            extra=ExtraUrls((), output, base, None, (), now),
            languages=Languages(base, output),
            style=style,
            no_sitemap=no_sitemap,
            found=[*without_noindex(pages)] if no_sitemap.kind == "version" else [],
        )
    headers = read_headers(output, rules_of(site))
    locales = read_locales(options.locales, base, host.language)
    key = Key.of_environment(site.around.environ)
    written = {ROBOTS, TEXT, *host.made, *host.left}
    if key:
        written.add(key.file)
    extra = ExtraUrls(options.extra_urls, output, base, host.source_of, written, now)
    sources = chain.from_iterable(page.sources for page in pages)
    dates = dates_of(site, chain(sources, filter(None, extra.files.values())))

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
        read = scan(select, watch(pages, "pages read", len(pages)) if watch else pages)
        decided, voted = selection.addressed(select, read, host.replaced.files(webroot), style.links, heads)
    except OSError as error:  # of an executor, such as a full disk
        where = error.filename or output
        raise SitemapError(f"{where}: {error.strerror or error}. Nothing was changed.") from error
    links = voted.links if options.links == "auto" else options.links
    named = host.replaced.alternates(webroot)
    return Decisions(
        site=site,
        extra=extra,
        languages=Languages(base, output, locales, headers, named, decided, links),
        style=SiteStyle(style.links if voted.links == "auto" else voted.links, voted.by or style.by),
        decided=decided,
        dates=dates,
        headers=headers,
        transform=transform,
        found=[
            *locale_findings(options.locales, base, host.language),
            *selection.unmatched_words(pages, options),
        ],
        heads=heads,
    )


def rules_of(site: SiteBuild) -> Path | None:
    """The file of the project in which the platform that serves it alone has redirects and headers."""
    return own_rules(site.output, served_by(site), filter(None, (site.root, repository_of(site.root))))


def served_by(site: SiteBuild) -> Platform:
    """The platform that serves the site, as far as it is known."""
    return serving(site.around.platform, site.base.url, site.options.host)


def dates_of(site: SiteBuild, sources: Iterable[Path | str]) -> Dates:
    """The dates of the sources, as :func:`read_dates` has them with the options of the site."""
    return read_dates(site.options, sources, root=site.root, around=site.around, known=site.host.dates)


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
