"""Which pages are listed, and why the others are not: the rendered page decides."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, get_args

from sitemap_docs import files
from sitemap_docs.config.dates import is_future
from sitemap_docs.config.options import Links, Options
from sitemap_docs.html.head import CanonicalLinks, Head, read_head
from sitemap_docs.html.page import is_encrypted
from sitemap_docs.model import MAX_LOC, Fact, Finding, Page, Reason
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import Base, strip_session
from sitemap_docs.webroot.host_rules import Headers, Redirects
from sitemap_docs.webroot.lookup import address

#: Why a page is left out unless the project asks for it: of several facts, the first counts.
_BY_FACT = {
    Fact.UNREADABLE: Reason.UNREADABLE,
    Fact.LINK: Reason.DUPLICATE,
    Fact.DRAFT: Reason.DRAFT,
    Fact.ERROR_PAGE: Reason.NOT_FOUND,
    Fact.STATIC: Reason.STATIC,
    Fact.INCLUDED: Reason.INCLUDED,
    Fact.NAVIGATION: Reason.NAVIGATION,
    Fact.UNTRANSLATED: Reason.FALLBACK,
    Fact.ORPHAN: Reason.ORPHAN,
    Fact.GENERATED: Reason.GENERATED,
    Fact.NOT_IN_TEMPLATE: Reason.SITEMAP_TEMPLATE,
}
STYLES: tuple[Links, ...] = get_args(Links)
_ERROR_PAGES = ("/404.html", "/404/", "/404/index.html", "/404")


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
    options: Options
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
        matched = self.options.excludes.decision(page.names)
        detail = ""
        notes: tuple[Note, ...] = ()
        if page.options.listed is False:
            reason = Reason.META
        elif matched and matched[0]:
            reason, detail = Reason.EXCLUDED, matched[1]
        elif not matched and not page.options.listed and (default := default_reason(page, self.options)):
            reason = default
            if reason is Reason.SITEMAP_TEMPLATE:
                detail = page.template
            elif reason is Reason.UNREADABLE:
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
            notes: tuple[Note, ...] = ()
            if has_file(page):  # else another extension took it out of the site
                notes = (Note("unreadable-page", loc, problem),)
            return Decision(page, loc, Reason.UNREADABLE, problem, notes=notes)
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
            asked_for = page.options.listed or self.options.excludes.decision(page.names)
            if not asked_for:
                reason = Reason.ENCRYPTED
        if reason and reason is not Reason.NOINDEX:
            return Decision(page, loc, reason, detail, head)

        noted = []
        if links.spelled:
            noted.append(Note("canonical-spelling", loc, links.spelled[0]))
        if links.contradiction:
            noted.append(Note("canonical-contradiction", loc, links.contradiction))
        if reason and not head.noindex:
            noted.append(Note("noindex-not-rendered", loc, "robots"))
        return Decision(page, loc, reason, detail, head, tuple(noted))

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


def is_error_page(path: str) -> bool:
    """Whether an address is that of what a host shows where there is no page, in any folder.

    >>> [is_error_page(path) for path in ("404.html", "da/404/", "da/404/index.html", "http-404.html")]
    [True, True, True, False]
    """
    return f"/{path}".endswith(_ERROR_PAGES)


def default_reason(page: Page, options: Options) -> Reason | None:
    """Why a page is left out unless the project asks for it, if it is."""
    if page.decided is not None:
        return Reason(page.decided) if page.decided else None
    facts = set(page.facts)
    if is_error_page(page.path):
        facts.add(Fact.ERROR_PAGE)
    if options.orphans:
        facts.discard(Fact.ORPHAN)
    if options.untranslated:
        facts.discard(Fact.UNTRANSLATED)
    if not facts:
        return None
    return next(reason for fact, reason in _BY_FACT.items() if fact in facts)


def has_file(page: Page) -> bool:
    """Whether there is a file to read.

    Drafts, templates that render nothing, and links that are not followed have none.
    """
    file = os.fspath(page.file)
    if Fact.UNREADABLE in page.facts or page.decided == Reason.UNREADABLE.value or file.endswith("/"):
        return False
    return Path(file).exists()


def names_itself(url: str, page: Page, base: Base, output: Path) -> bool:
    """Whether a URL is an address of the page in some style, and of no other file that is there."""
    path = base.path_of(url)
    name = files.seen_from(output, page.file)
    if path is None or path not in [address(name, style) for style in STYLES]:
        return False
    # What a server tries for an address, in its order.
    tries = [path, f"{path}.html", f"{path}/index.html"]
    if not path or path.endswith("/"):
        tries = [f"{path}index.html"]
    for each in tries:
        if (output / each).is_file():
            return each == name
    return False


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
