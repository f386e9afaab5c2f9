"""Which pages are listed, and why the others are not: the rendered page decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.config.dates import is_future
from sitemap_docs.html.head import CanonicalLinks, Head, read_head
from sitemap_docs.html.page import is_encrypted
from sitemap_docs.listing.collected import names_itself
from sitemap_docs.model import Finding, Page, Reason
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import MAX_LOC, Base, strip_session
from sitemap_docs.webroot.host_rules import Headers, Redirects

if TYPE_CHECKING:
    from sitemap_docs.config.options import Globs


class Note(NamedTuple):
    """A problem of one page, reported once for all pages that share the rule."""

    rule: str
    where: str
    detail: str


class Decision(NamedTuple):
    """A page's absolute address, and why it is left out (``reason`` is None for a listed page).

    ``detail`` is the pattern, address or header behind it; ``head`` is None where the page was not read.
    """

    page: Page
    loc: str
    reason: Reason | None = None
    detail: str = ""
    head: Head | None = None
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        """``https://docs.example.org/old/: redirect (../new/)``, on one printable line."""
        text = f"{self.loc}: listed"
        if self.reason:
            text = f"{self.loc}: {self.reason.value}"
        if self.detail:
            text += f" ({self.detail})"
        return one_line(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What decides about pages besides the pages themselves; calling it with a page returns the decision.

    ``may_encrypt`` is whether the site has the script of a plugin that encrypts pages. ``described`` is
    whether the heads of decisions are read with titles and dates, for an audit of the same build.
    """

    base: Base
    output: Path
    excludes: Globs
    headers: Headers
    redirects: Redirects = Redirects()
    may_encrypt: bool = False
    described: bool = False

    def __call__(self, page: Page, head: Head | None = None) -> Decision:
        """The project's options decide first, the host next, the rendered page last.

        ``head`` is that of the page, where it was read already.
        """
        loc = self.base.loc(page.path)
        return self._without_reading(page, loc) or self._by_head(page, loc, head)

    def _without_reading(self, page: Page, loc: str) -> Decision | None:
        matched = self.excludes.decision(page.names)
        detail = ""
        notes: tuple[Note, ...] = ()
        if page.options.listed is False:
            reason = Reason.META
        elif matched and matched[0]:
            reason, detail = Reason.EXCLUDED, matched[1]
        elif page.default and not matched and not page.options.listed:
            reason, detail = page.default, page.detail
            if reason is Reason.UNREADABLE:
                notes = (Note("unreadable-page", loc, "a link out of the site, no file, or no permission"),)
        elif pattern := self.headers.noindex(loc):
            reason, detail = Reason.NOINDEX, f"_headers: {pattern}"
        elif self.redirects and (target := self.redirects.elsewhere(loc, existing=True)):
            reason, detail = Reason.REDIRECT, f"the host redirects to {target}"
        elif "=" in page.path and strip_session(page.path) != page.path:
            reason = Reason.SESSION
        elif len(loc) > MAX_LOC:
            reason, detail = Reason.TOO_LONG, f"{len(loc):,} characters"
            notes = (Note("address-too-long", f"{loc[:80]}…", f"{len(loc):,}"),)
        else:
            return None
        return Decision(page, loc, reason, detail, notes=notes)

    def _by_head(self, page: Page, loc: str, head: Head | None) -> Decision:
        try:
            head = head or read_head(page.file, described=self.described)
        except OSError as error:
            problem = error.strerror or str(error)
            decision = Decision(page, loc, Reason.UNREADABLE, problem)
            if isinstance(error, FileNotFoundError):  # another extension took it out of the site
                return decision
            return decision._replace(notes=(Note("unreadable-page", loc, problem),))
        links = self._canonical_links(page, loc, head)
        reason = None
        detail = ""
        if head.noindex or page.options.noindex:
            reason = Reason.NOINDEX
        elif head.refresh_elsewhere(loc):
            reason, detail = Reason.REDIRECT, head.refresh or ""
        elif links.elsewhere:
            reason, detail = Reason.CANONICAL, head.canonicals[0]
        elif head.template:
            reason = Reason.TEMPLATE
        elif self.may_encrypt and is_encrypted(page.file):
            asked_for = page.options.listed or self.excludes.decision(page.names)
            if not asked_for:
                reason = Reason.ENCRYPTED
        if reason and reason is not Reason.NOINDEX:
            return Decision(page, loc, reason, detail, head)

        notes = []
        if links.spelled:
            notes.append(Note("canonical-spelling", loc, links.spelled[0]))
        if links.contradiction:
            notes.append(Note("canonical-contradiction", loc, links.contradiction))
        if reason and not head.noindex:
            notes.append(Note("noindex-not-rendered", loc, "robots"))
        return Decision(page, loc, reason, detail, head, tuple(notes))

    def _canonical_links(self, page: Page, loc: str, head: Head) -> CanonicalLinks:
        """How the canonical links of a page stand to it; a host may serve it at several addresses."""
        if head.canonicals == (loc,):
            return CanonicalLinks(1, (), ())
        links = head.canonical_links(loc, page.canonical)
        spelled = [*links.spelled]
        others = []
        for url in links.others:
            if names_itself(url, page, self.base, self.output):
                spelled.append(url)
            else:
                others.append(url)
        return links._replace(spelled=tuple(spelled), others=tuple(others))


def duplicate(decision: Decision) -> Decision:
    """The decision on a page whose address an earlier page has."""
    note = Note("duplicate-address", decision.loc, str(decision.page.file))
    return decision._replace(reason=Reason.DUPLICATE, notes=(*decision.notes, note))


def without_future_date(decision: Decision, now: datetime) -> Decision:
    """The same, without a date from the page's own front matter that search engines would refuse."""
    lastmod = decision.page.options.lastmod
    if lastmod is None or not is_future(lastmod, now):
        return decision
    note = Note("lastmod-future", decision.loc, f"{lastmod:%Y-%m-%d}")
    page = decision.page._replace(options=replace(decision.page.options, lastmod=None))
    return decision._replace(page=page, notes=(*decision.notes, note))


MESSAGES = {
    "address-too-long": (
        f"Left out: {{count}} whose address has more than {MAX_LOC:,} characters, which no sitemap may list, "
        "such as {where} with {detail}. Shorten the names of files and folders."
    ),
    "unreadable-page": (
        "Left out: {count} that cannot be read, such as {where}: {detail}. Correct the file or its "
        "permissions, or name it in `excludes`."
    ),
    "duplicate-address": "Left out: {count} with the address of another page, such as {detail} at {where}.",
    "canonical-spelling": (
        "The canonical link of {count} is only another spelling of the address we list, such as "
        "{detail} on {where}. Give the site one base URL, and its addresses one spelling."
    ),
    "canonical-contradiction": (
        "The canonical links of {count} name the page itself and another one, such as {detail} on {where}. "
        "Search engines ignore links that contradict each other; listed all the same. Remove one of the "
        "links: a theme and an extension may both add one."
    ),
    "lastmod-future": (
        "The front matter of {count} has a date in the future, such as {detail} on {where}. "
        "It is not used, as search engines refuse such dates. Correct it."
    ),
    "noindex-not-rendered": (
        "The front matter of {count} has `robots: noindex`, but the rendered page does not, such as "
        "{where}. Left out; for search engines, the theme must write the robots meta tag."
    ),
}


def finding(note: Note, pages: int) -> Finding:
    """The finding for a rule that ``pages`` pages share, of which ``note`` is the first."""
    count = "1 page" if pages == 1 else f"{pages} pages"
    message = MESSAGES[note.rule].format(count=count, detail=one_line(note.detail), where=note.where)
    return Finding(rule=note.rule, where=note.where, message=message)
