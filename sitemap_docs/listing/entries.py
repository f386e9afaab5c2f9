"""Pages as the rows of a build and the entries of its sitemap, and what is counted and reported of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.config.dates import is_future
from sitemap_docs.config.ignored import is_ignored
from sitemap_docs.config.option_types import shown
from sitemap_docs.config.options import PAGE_OPTIONS, Options, page_globs
from sitemap_docs.config.patterns import GlobMap, Groups, UnmatchedGlobs
from sitemap_docs.files import seen_from
from sitemap_docs.history.diagnostics import SWITCHED_OFF, Cause
from sitemap_docs.history.page_dates import DatingTally, Stamp
from sitemap_docs.listing import selection
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.extra_urls import ExtraUrls
from sitemap_docs.listing.selection import Decision, Note, is_asked_for
from sitemap_docs.model import Changefreq, Entry, Finding, Page, Reason, Row, SitemapError
from sitemap_docs.output.transaction import translated_errors
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.host_rules import Headers

Transform = Callable[[Page, Entry], Entry | None]
"""A function of the project's own, which may change the entry of a page, or drop it by returning None."""


class _Dated(NamedTuple):
    """The date of a page, and the commit behind it, or the cause why there is none."""

    lastmod: datetime | None = None
    stamp: Stamp | None = None
    cause: Cause | None = None


@dataclass(slots=True, kw_only=True)
class Listing:
    """The pages and the ``extra`` URLs of one build on their way into the sitemap.

    ``found`` is what to report of the whole site. The counts and the findings are complete when :meth:`rows`
    has come to its end.
    """

    options: Options
    base: Base
    output: Path
    now: datetime
    extra: ExtraUrls
    headers: Headers
    tally: DatingTally
    languages: Languages
    transform: Transform | None
    found: Sequence[Finding]
    left_out: Counter[Reason] = field(default_factory=Counter)
    _unmatched: UnmatchedGlobs = field(init=False)
    _groups: Groups = field(init=False)
    _changefreq: GlobMap[Changefreq] = field(init=False)
    _priority: GlobMap[float] = field(init=False)
    _notes: dict[object, Note] = field(default_factory=dict)  # by rule, the first of each
    _noted: Counter[object] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._unmatched = UnmatchedGlobs(page_globs(self.options))
        self._groups = Groups(self.options.groups)
        self._changefreq, self._priority = GlobMap(self.options.changefreq), GlobMap(self.options.priority)

    def rows(self, decisions: Iterable[Decision]) -> Iterator[tuple[Row, Entry | None]]:
        """Each page and each extra URL in the order of the locs, with its entry if it is listed.

        The decisions come sorted. Of several pages with one address, the first is listed.
        """
        pages: Iterable[tuple[Row, Entry | None]] = self._pages(decisions)
        if self.transform is not None:  # it may have changed an address
            pages = sorted(pages, key=lambda each: each[0].loc)
        return self.extra.among(pages, self.tally.dates, self.headers)

    def _pages(self, decisions: Iterable[Decision]) -> Iterator[tuple[Row, Entry | None]]:
        last = ""
        given: set[str] = set()  # the addresses of entries that the project's own function returned
        for each in decisions:
            decision = each
            self._unmatched.compare(decision.page.names)
            if decision.reason is None and decision.loc == last:
                decision = selection.duplicate(decision)
            self._note(decision, *decision.notes)
            dated = self._date(decision)
            entry = None
            if decision.reason is None:
                last = decision.loc
                entry = self._entry(decision, dated.lastmod)
            if entry and self.transform is not None:
                answer = transformed(self.transform, decision.page, entry, self.base)
                if answer is None:
                    decision = decision._replace(reason=Reason.HOOK)
                elif answer.loc in given:
                    decision = selection.duplicate(decision._replace(loc=answer.loc, notes=()))
                    self._note(decision, *decision.notes)
                    answer = None
                else:
                    given.add(answer.loc)
                    if answer.lastmod != entry.lastmod:
                        dated = _Dated(answer.lastmod)
                entry = answer
            yield self._row(decision, entry, dated), entry

    def _note(self, decision: Decision, *notes: Note) -> None:
        for note in notes:
            if not self._ignores(decision.page, note.rule.__name__.replace("_", "-")):
                self._notes.setdefault(note.rule, note)
                self._noted[note.rule] += 1

    def _ignores(self, page: Page, rule: str) -> bool:
        """Whether the page or the project ignores what is found there."""
        return rule in page.options.ignore or is_ignored(rule, self.options.ignore, page.names)

    def _date(self, decision: Decision) -> _Dated:
        """The date of a page, whose own options come first."""
        page = decision.page
        is_listed = decision.reason is None
        lastmod = page.options.lastmod
        if lastmod and is_future(lastmod, self.now):
            if is_listed:
                self._note(decision, Note(selection.lastmod_future, decision.loc, f"{lastmod:%Y-%m-%d}"))
            lastmod = None
        if lastmod is None and is_listed:
            lastmod = self.extra.own_dates.get(decision.loc)
        if lastmod:
            return _Dated(lastmod)
        stamp = self.tally.dates.of_page(page)
        if stamp:
            return _Dated(stamp.when, stamp)
        if not is_listed:
            return _Dated()
        if self.options.lastmod == "none":
            return _Dated(cause=SWITCHED_OFF)
        return _Dated(cause=self.tally.dates.why_undated(page))

    def _entry(self, decision: Decision, lastmod: datetime | None) -> Entry:
        """The entry of a listed page, whose own options come first."""
        page, own, options = decision.page, decision.page.options, self.options
        priority = own.priority
        if priority is None:  # 0 is a priority
            priority = self._priority.get(page.names)
        shown: tuple[str, ...] = ()
        if options.images:
            from sitemap_docs.html.page import images  # noqa: PLC0415  few sites ask for them

            with translated_errors(Path(page.file), "read"):
                shown = images(Path(page.file), decision.loc)
        return Entry(
            loc=decision.loc,
            lastmod=lastmod,
            alternates=self.languages.alternates(decision),
            images=shown,
            changefreq=own.changefreq or self._changefreq.get(page.names),
            priority=priority,
            group=self._groups.of(page.names),
        )

    def _row(self, decision: Decision, entry: Entry | None, dated: _Dated) -> Row:
        """Returns what is decided about a page, which is counted."""
        page = decision.page
        stamp, cause = dated.stamp, dated.cause
        row = Row(
            file=seen_from(self.output, page.file),
            loc=decision.loc,
            reason=decision.reason,
            detail=decision.detail,
            asked=is_asked_for(page, self.options),
            lastmod=dated.lastmod,
            cause=cause.words if cause else "",
            sources=tuple(map(str, page.sources)),
            undated=tuple(map(str, page.undated)),
            ignore=page.options.ignore,
        )
        if stamp:
            row = row.dated(stamp.when, stamp.commit, stamp.file, stamp.root)
        if decision.reason and decision.reason is not Reason.LEFT:  # no page of this build
            self.left_out[decision.reason] += 1
        if entry is None:
            return row
        if stamp:
            self.tally.add_dated(page, stamp)
        elif cause and cause is not SWITCHED_OFF and not self._ignores(page, cause.rule):
            self.tally.add_undated(page, entry.loc, cause)
        return row._replace(loc=entry.loc, alternates=entry.alternates)

    def findings(self, listed: int, root: Path, environ: Mapping[str, str]) -> list[Finding]:
        """Returns what to report, with so many addresses listed; files are named as seen from ``root``."""
        findings = [*self.tally.dates.findings, *self.tally.findings(listed, root, environ)]
        for rule, note in self._notes.items():
            findings.append(selection.finding_of(note, self._noted[rule]))
        return [*findings, *self._unmatched.findings(), *self.found, *self.extra.findings()]


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
        loc = base.spelled(answer.loc)
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
