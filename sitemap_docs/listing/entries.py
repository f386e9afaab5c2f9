"""Listed pages as the entries of a sitemap, and what is counted, recorded and reported of all pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sitemap_docs.config.option_types import shown
from sitemap_docs.config.options import PAGE_OPTIONS, Options, page_globs
from sitemap_docs.config.patterns import Groups, UnmatchedGlobs
from sitemap_docs.files import seen_from
from sitemap_docs.history.diagnostics import Cause
from sitemap_docs.history.page_dates import DatingTally, Stamp
from sitemap_docs.html.page import images
from sitemap_docs.listing import selection
from sitemap_docs.listing.alternates import Languages
from sitemap_docs.listing.selection import Decision, Note
from sitemap_docs.model import Entry, Finding, Page, Reason, SitemapError
from sitemap_docs.output.record import PageRecord, Recording
from sitemap_docs.output.transaction import translated_errors
from sitemap_docs.sitemap.render import stamp as format_lastmod
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base

Transform = Callable[[Page, Entry], Entry | None]
"""A function of the project's own, which may change the entry of a page, or drop it by returning None."""
NO_PAGES = "{} contains no HTML page. Build the site first, or name the folder that it is in."


@dataclass(slots=True, kw_only=True)
class Listing:
    """The pages of one build on their way into the sitemap.

    ``own_dates`` are those that the option ``extra_urls`` gives to addresses.
    ``record`` takes every page, and ``log`` a line about each that is not listed or has no date. The counts
    and the findings are complete when :meth:`entries` has come to its end.
    """

    options: Options
    base: Base
    now: datetime
    own_dates: Mapping[str, datetime]
    tally: DatingTally
    languages: Languages
    record: Recording
    log: Callable[[str], None] | None
    transform: Transform | None
    left_out: Counter[Reason] = field(default_factory=Counter)
    _unmatched: UnmatchedGlobs = field(init=False)
    _groups: Groups = field(init=False)
    _notes: dict[str, Note] = field(default_factory=dict)  # by rule, the first of each
    _noted: Counter[str] = field(default_factory=Counter)
    _elsewhere: str = ""  # the first canonical link to another address

    def __post_init__(self) -> None:
        self._unmatched = UnmatchedGlobs(page_globs(self.options))
        self._groups = Groups(self.options.groups)

    def entries(self, decisions: Iterable[Decision]) -> Iterator[Entry]:
        """The entries of the listed pages, in the order of the decisions, which come sorted by loc.

        Of several pages with one address, the first is listed.
        """
        last = ""
        transformed_locs: set[str] = set()
        for each in decisions:
            decision = each
            self._unmatched.compare(decision.page.names)
            if decision.reason is None and decision.loc == last:
                decision = selection.duplicate(decision)
            elif decision.reason is None:
                last = decision.loc
                decision = selection.without_future_date(decision, self.now)
            if decision.notes:
                self._note(*decision.notes)
            if decision.reason is not None:
                self._leave_out(decision, decision.reason)
                continue

            page = decision.page
            entry, stamp = self._entry(decision)
            cause = None
            if entry.lastmod is None and self.options.lastmod != "none":
                cause = self.tally.dates.why_undated(page)
            if self.transform is not None:
                answer = transformed(self.transform, page, entry, self.base)
                if answer is None:
                    self._leave_out(decision, Reason.HOOK)
                    continue
                if answer.loc in transformed_locs:
                    repeated = selection.duplicate(decision._replace(loc=answer.loc, notes=()))
                    self._note(*repeated.notes)
                    self._leave_out(repeated, Reason.DUPLICATE)
                    continue
                transformed_locs.add(answer.loc)
                if answer.lastmod != entry.lastmod:
                    stamp = cause = None
                entry = answer
            if stamp:
                self.tally.add_dated(page, stamp)
            if cause:
                self.tally.add_undated(page, entry.loc, cause)
                if self.log:
                    self.log(one_line(f"no date: {entry.loc}: {cause.words}"))
            self._keep(decision, entry, stamp, cause)
            yield entry

    def _note(self, *notes: Note) -> None:
        for note in notes:
            self._notes.setdefault(note.rule, note)
            self._noted[note.rule] += 1

    def _entry(self, decision: Decision) -> tuple[Entry, Stamp | None]:
        """The entry of a listed page, whose own options come first, and the commit behind its date."""
        page, own, options = decision.page, decision.page.options, self.options
        stamp = None
        lastmod = own.lastmod or self.own_dates.get(decision.loc)
        if lastmod is None:
            stamp = self.tally.dates.of_page(page)
            if stamp:
                lastmod = stamp.when
        priority = own.priority
        if priority is None:  # 0 is a priority
            priority = options.priority.get(page.names)
        shown: tuple[str, ...] = ()
        if options.images:
            with translated_errors(Path(page.file), "read"):
                shown = images(Path(page.file), decision.loc)
        entry = Entry(
            loc=decision.loc,
            lastmod=lastmod,
            alternates=self.languages.alternates(decision),
            images=shown,
            changefreq=own.changefreq or options.changefreq.get(page.names),
            priority=priority,
            group=self._groups.of(page.names),
        )
        return entry, stamp

    def _leave_out(self, decision: Decision, reason: Reason) -> None:
        left_out = decision._replace(reason=reason)
        self.left_out[reason] += 1
        if reason is Reason.CANONICAL and not self._elsewhere:
            self._elsewhere = one_line(decision.detail)
        self._keep(left_out)
        if self.log:
            self.log(f"left out: {left_out}")

    def _keep(
        self,
        decision: Decision,
        entry: Entry | None = None,
        stamp: Stamp | None = None,
        cause: Cause | None = None,
    ) -> None:
        page = decision.page
        loc, reason, lastmod, commit, changed, why = decision.loc, "", "", "", "", page.unknown
        if decision.reason:
            reason = decision.reason.value
        if entry:
            loc = entry.loc
            if entry.lastmod:
                lastmod = format_lastmod(entry.lastmod)
        if stamp:
            commit, changed = stamp.commit, stamp.file
        if cause:
            why = cause.words
        file = seen_from(self.record.output, page.file)
        sources, undated = tuple(map(str, page.sources)), tuple(map(str, page.undated))
        self.record.add(
            PageRecord(file, loc, reason, decision.detail, lastmod, commit, changed, why, sources, undated)
        )

    def findings(self, listed: int, root: Path, environ: Mapping[str, str]) -> list[Finding]:
        """What is wrong with pages, and options that name them; files are named as seen from ``root``."""
        findings = self.tally.findings(listed, root, environ)
        for rule, note in self._notes.items():
            findings.append(selection.finding(note, self._noted[rule]))
        return [*findings, *self._unmatched.findings()]

    def dates_lost(self, before: int) -> Finding:
        """That the sitemap which is replaced had dates and ours has none, and why."""
        if self.options.lastmod == "none":
            why = "the option `lastmod` is `none`"
        elif undated := self.tally.most_undated:
            why = f"{undated.loc}, for example, has no date because {undated.cause.words}"
        else:
            why = "no page of the project is listed"
        message = (
            f"The sitemap that is replaced had {many(before, 'date')} for the listed pages, and the new one "
            f"has 0: {why}. Name the sources, fetch the history of git, or keep the old sitemap."
        )
        return Finding(rule="dates-lost", message=message)

    def nothing_listed(self, output: Path, removed: Collection[str]) -> Finding:
        """Why no page is listed and what to do: an empty sitemap is a mistake in the settings, or no site.

        ``removed`` are the files of the sitemap that was there before.
        """
        total = sum(self.left_out.values())
        if not total:
            cause = NO_PAGES.format(output)
        elif 2 * self.left_out[Reason.CANONICAL] > total:
            pages = "every page has"
            if self.left_out[Reason.CANONICAL] < total:
                pages = f"{self.left_out[Reason.CANONICAL]} of {many(total, 'page')} have"
            cause = f"{pages} another canonical address, such as {self._elsewhere}. Is {self.base.url} right?"
        elif self.left_out[Reason.EXCLUDED] == total:
            cause = f"`excludes` takes out all {many(total, 'page')}."
        else:
            cause = (
                f"{many(total, 'page')} left out ({count_reasons(self.left_out)}). Run with -v to see each."
            )
        message = f"No page is listed: {cause}"
        if removed:
            message += f" Removed what an earlier build wrote: {', '.join(removed)}."
        return Finding(rule="empty-sitemap", severity="error", message=message)


def count_reasons(left_out: Mapping[Reason, int]) -> str:
    """``4 noindex, 3 redirects``: the most frequent reason first."""
    ordered = sorted(left_out.items(), key=lambda item: (-item[1], item[0].value))
    return ", ".join(reason.counted(number) for reason, number in ordered)


class HookError(Exception):
    """The project's own function raised an error, which is the cause: no fault of the site."""


def transformed(function: Transform, page: Page, entry: Entry, base: Base) -> Entry | None:
    """What the project's own function makes of an entry; None where it drops it.

    Raises HookError for an error that would pass for one of ours, and SitemapError for an answer that
    cannot be listed.
    """
    try:
        answer = function(page, entry)
    except (OSError, SitemapError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise HookError(f"the project's own function failed for {entry.loc}: {cause}") from error
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
