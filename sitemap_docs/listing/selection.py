"""Decide which pages the sitemap lists and at which addresses.

The options and the front matter are asked first, then the rendered page.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.config.patterns import unmatched_pattern
from sitemap_docs.host_rules import Headers, Redirects
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.error_pages import is_error_page
from sitemap_docs.listing.indexing import canonical_links, exclusion_of, own_path, redirected_by_host
from sitemap_docs.listing.page_findings import (
    Note,
    address_too_long,
    canonical_spelling,
    duplicate_address,
    noindex_not_rendered,
    page_removed,
    unreadable_page,
)
from sitemap_docs.model import MAX_LOC, Alternate, Fact, Finding, Page, Reason
from sitemap_docs.programs.encryptcontent import is_encrypted
from sitemap_docs.urls.base import Base, strip_session
from sitemap_docs.urls.link_styles import address, spellings
from sitemap_docs.webroot import find_refresh_target

#: Why a page with a fact is left out of the sitemap. If a page has several facts, the first one here counts.
_BY_FACT = {
    Fact.UNREADABLE: Reason.UNREADABLE,
    Fact.LINK: Reason.DUPLICATE,
    Fact.LEFT: Reason.LEFT,
    Fact.DRAFT: Reason.DRAFT,
    Fact.ERROR_PAGE: Reason.NOT_FOUND,
    Fact.STATIC: Reason.STATIC,
    Fact.INCLUDED: Reason.INCLUDED,
    Fact.NAVIGATION: Reason.NAVIGATION,
    Fact.UNTRANSLATED: Reason.FALLBACK,
    Fact.ORPHAN: Reason.ORPHAN,
    Fact.GENERATED: Reason.GENERATED,
    Fact.NOT_IN_TEMPLATE: Reason.SITEMAP_TEMPLATE,
    Fact.LIST: Reason.EXCLUDED,
    Fact.PAGINATION: Reason.EXCLUDED,
}
#: The fact for each word that users write in the option ``excludes_generated``.
_BY_WORD = {"lists": Fact.LIST, "pagination": Fact.PAGINATION}
_LISTING = "which only the blog of Material for MkDocs, ABlog and sphinx-tags are known to make"
Link = Literal["", "same", "otherwise"]
_HOMES = ("", "index.html")


class Decision(NamedTuple):
    """The decision whether the sitemap lists a page, and at which address."""

    page: Page
    loc: str
    #: The reason for leaving the page out, such as ``noindex``, or None.
    reason: Reason | None = None
    #: The evidence, such as the glob that excludes the page.
    detail: str = ""
    head: Head | None = None
    #: Problems of the page.
    notes: tuple[Note, ...] = ()
    #: ``same`` or ``otherwise`` if a canonical link leads to the page itself.
    link: Link = ""
    #: The translations in ``hreflang`` links.
    alternates: tuple[Alternate, ...] = ()
    #: The target of a redirect or canonical link.
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Decides which pages the sitemap lists."""

    base: Base
    output: Path
    options: Options
    #: The headers of the host, such as ``X-Robots-Tag: noindex``.
    headers: Headers
    #: The redirects of the host.
    redirects: Redirects = Redirects()
    #: How addresses end, such as ``folders`` for ``a/``.
    links: LinkOption = "auto"
    #: The base URL of canonical links, if it is different.
    canonical: Base | None = None
    #: Whether a plugin may encrypt pages.
    may_encrypt: bool = False
    #: Whether to read titles and dates, too.
    described: bool = False

    def __call__(self, page: Page, head: Head | None = None) -> Decision:
        """Decide whether the sitemap lists a page, and at which address."""
        if self.links != "auto":
            page = _with_path(page, address(files.seen_from(self.output, page.file), self.links))
        loc = self.base.loc(page.path)
        decision = self._decide_by_settings(page, loc)
        if decision and not self._depends_on_address(page):
            return decision
        try:
            head = head or read_head(page.file, described=self.described)
            link: Link = "same"
            if self.canonical or self.links != "auto" or head.canonicals != (loc,):  # as of few pages
                linked_page, link = self._follow_canonical_link(page, head)
                if decision or linked_page is not page:
                    page, loc = linked_page, self.base.loc(linked_page.path)
                    decision = self._decide_by_settings(page, loc)
            if decision:
                return decision._replace(link=link)
            return self._decide_by_head(page, loc, head, link)
        except OSError as error:
            problem = error.strerror or str(error)
            notes: tuple[Note, ...] = ()
            if has_file(page):
                notes = (Note(unreadable_page, loc, problem),)
            elif not Path(page.file).exists():
                notes = (Note(page_removed, loc, ""),)
            return Decision(page, loc, Reason.UNREADABLE, problem, notes=notes)

    def of_file(self, page: Page) -> Decision:
        """Decide whether to list a page of another build, such as ``de/a.html``. Its HTML file is read."""
        try:
            head = read_head(page.file, described=self.described)
            page, link = self._follow_canonical_link(page, head)
            return self._decide_by_head(page, self.base.loc(page.path), head, link)
        except OSError as error:
            return Decision(page, self.base.loc(page.path), Reason.UNREADABLE, error.strerror or str(error))

    def _follow_canonical_link(self, page: Page, head: Head) -> tuple[Page, Link]:
        """Change the address of a page to the address in its own canonical link.

        For example, ``a.html`` with the link ``https://example.com/a`` gets the address ``a``.
        """
        if self.links != "auto":
            return page, ""
        base = self.canonical or self.base
        path = own_path(head, page.path, page.file, base, self.output)
        if path is None:
            return page, ""
        return _with_path(page, path), "same" if path == page.path else "otherwise"

    def _decide_by_settings(self, page: Page, loc: str) -> Decision | None:
        """Return the decision to leave a page out because of an option, or None."""
        matched = self.options.excludes.decision(page.names)
        reason, detail = None, ""
        notes: tuple[Note, ...] = ()
        if page.options.listed is False:
            reason = Reason.META
        elif matched and matched[0]:
            reason, detail = Reason.EXCLUDED, matched[1]
        elif not matched and not page.options.listed:
            reason = reason_without_options(page, self.options, self.base, self.output)
            if reason is Reason.SITEMAP_TEMPLATE:
                detail = page.template
            elif reason is Reason.LEFT:
                detail = "delete it, or build into an empty folder"
            elif reason is Reason.UNREADABLE:
                notes = (Note(unreadable_page, loc, "a link out of the site, no file, or no permission"),)
        if reason is None:
            return None
        return Decision(page, loc, reason, detail, notes=notes)

    def _depends_on_address(self, page: Page) -> bool:
        """Check whether a page must be read to decide if the option ``excludes`` matches its address.

        For example, a glob matches ``a/``, but not ``a/index.html``, and either may be the address of the
        page.
        """
        excludes = self.options.excludes
        if self.links != "auto" or not excludes.patterns or not has_file(page):
            return False
        name = files.seen_from(self.output, page.file)
        everywhere = excludes.decision((*page.names, *spellings(name)))
        return everywhere != excludes.decision(page.names)

    def _decide_by_head(self, page: Page, loc: str, head: Head, link: Link) -> Decision:
        """Decide by a page's ``<head>`` and the rules of the host whether the sitemap lists it.

        ``loc`` is the address of the page. ``link`` says whether its canonical link leads to the page itself.
        """
        own = self.canonical.loc(page.path) if self.canonical else ""
        links = canonical_links(head, loc, page.file, self.base, self.output, own)
        refreshes_to = find_refresh_target(head, loc, page.file, self.base, self.output)
        exclusion = exclusion_of(head, loc, links, refreshes_to, self.headers)
        reason, detail, target = None, "", ""
        notes: list[Note] = []
        if redirect := redirected_by_host(loc, self.redirects):
            reason, detail, target = redirect
        elif "=" in page.path and strip_session(page.path) != page.path:
            reason = Reason.SESSION
        elif len(loc) > MAX_LOC:
            reason, detail = Reason.TOO_LONG, f"{len(loc):,} characters"
            notes.append(Note(address_too_long, f"{loc[:80]}…", f"{len(loc):,}"))
        elif page.options.noindex and not (exclusion and exclusion.reason is Reason.NOINDEX):
            reason = Reason.NOINDEX
            notes.append(Note(noindex_not_rendered, loc, "robots"))
        elif exclusion:
            reason, detail, target = exclusion
        elif head.template:
            reason = Reason.TEMPLATE
        elif self.may_encrypt and is_encrypted(page.file) and not is_asked_for(page, self.options):
            reason = Reason.ENCRYPTED
        if links.spelled and reason in (None, Reason.NOINDEX):
            notes.insert(0, Note(canonical_spelling, loc, links.spelled[0]))
        alternates = head.alternates and head.alternate_urls(loc)
        kept = None
        # A page without a link may still get another address.
        if self.described or not (link or head.canonicals or self.links != "auto"):
            kept = head
        return Decision(page, loc, reason, detail, kept, tuple(notes), link, alternates, target)


def _with_path(page: Page, path: str) -> Page:
    """Return a copy of a page with another address, such as ``a/`` in place of ``a.html``."""
    if path == page.path:
        return page
    if Fact.LEFT in page.facts:  # Globs do not apply to a page that an earlier build left.
        return page._replace(path=path)
    return page._replace(path=path, names=(*page.names, path))


def is_asked_for(page: Page, options: Options) -> bool:
    """Check whether the user has asked to list a page, for example with ``sitemap: true``."""
    matched = options.excludes.decision(page.names)
    return bool(page.options.listed) or (matched is not None and not matched[0])


def default_reason(page: Page, options: Options) -> Reason | None:
    """Return the reason to leave a page out, such as ``draft``, if no option of the user mentions the page.

    If there is no such reason, return None.
    """
    is_error = is_error_page(page.path)
    if not page.facts and not is_error:  # Most pages have no facts.
        return None
    facts = set(page.facts)
    if is_error:
        facts.add(Fact.ERROR_PAGE)
    if page.path in _HOMES:
        facts.discard(Fact.STATIC)
    if options.orphans:
        facts.discard(Fact.ORPHAN)
    if options.untranslated:
        facts.discard(Fact.UNTRANSLATED)
    for word, fact in _BY_WORD.items():
        if word not in options.excludes_generated:
            facts.discard(fact)
    return next((reason for fact, reason in _BY_FACT.items() if fact in facts), None)


def reason_without_options(page: Page, options: Options, base: Base, output: Path) -> Reason | None:
    """Return the reason to leave out a page that no option lists or excludes by name, or None.

    A static file with a meta refresh to another page has no such reason: its ``<head>`` decides.
    """
    reason = default_reason(page, options)
    if reason is Reason.STATIC and is_redirect(page, base, output):
        return None
    return reason


def is_redirect(page: Page, base: Base, output: Path) -> bool:
    """Check whether a page in the folder ``output`` sends readers to another page with a meta refresh."""
    with suppress(OSError):
        head = read_head(page.file)
        return find_refresh_target(head, base.loc(page.path), page.file, base, output) != ""
    return False


def unmatched_words(pages: Iterable[Page], options: Options) -> list[Finding]:
    """Warn about words in the option ``excludes_generated``, such as ``pagination``, that match no page."""
    unmatched = set(options.excludes_generated)
    if unmatched:
        facts = frozenset().union(*(page.facts for page in pages))
        unmatched = {word for word in unmatched if _BY_WORD[word] not in facts}
    shown = ", ".join(f"{word!r} of the option `excludes_generated`" for word in sorted(unmatched))
    return [unmatched_pattern("page", f"{shown}, {_LISTING}")] if shown else []


def has_file(page: Page) -> bool:
    """Check whether the rendered file of a page exists."""
    file = os.fspath(page.file)
    # A link to a file outside of the site counts as unreadable, because a stranger may have made the link.
    if Fact.UNREADABLE in page.facts or file.endswith("/"):
        return False
    return Path(file).exists()


def duplicate(decision: Decision) -> Decision:
    """Return the decision to leave out a page, because another page has the same address."""
    note = Note(duplicate_address, decision.loc, str(decision.page.file))
    return decision._replace(reason=Reason.DUPLICATE, notes=(*decision.notes, note))
