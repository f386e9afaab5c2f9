"""Decide which pages are listed and at which addresses. The rendered page has the last word."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.options import LinkOption, LinkStyle, Options
from sitemap_docs.config.patterns import unmatched_pattern
from sitemap_docs.host_rules import Headers, Redirects
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.indexing import canonical_links, exclusion_of, own_path
from sitemap_docs.model import MAX_LOC, Alternate, Fact, Finding, Page, Reason, reported
from sitemap_docs.programs.encryptcontent import is_encrypted
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import (
    Base,
    address,
    count_styles,
    origin_advice,
    resolve,
    spellings,
    strip_session,
)
from sitemap_docs.urls.languages import folder_language

#: The reason that each fact gives to leave out a page. If a page has several facts, the first one counts.
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
#: The fact that each word of the option ``excludes_generated`` is about.
_BY_WORD = {"lists": Fact.LIST, "pagination": Fact.PAGINATION}
_LISTING = "which only the blog of Material for MkDocs, ABlog and sphinx-tags are known to make"
Link = Literal["", "same", "otherwise"]
#: The names of error pages.
ERROR_PAGES = ("404",)
_NAMED_404 = re.compile(rf"((?:.*/)?)(?:{'|'.join(ERROR_PAGES)})(?:\.html|/|/index\.html)?", re.DOTALL)
_HOMES = ("", "index.html")


class AddressStyle(NamedTuple):
    """The address style of a site.

    Attributes:
        links: The style. With ``auto``, each page keeps the address that its entry point found.
        by: Where the style was found, such as ``from the canonical links``. It is empty if nothing on the
            site shows a style.
    """

    links: LinkOption = "auto"
    by: str = ""


class Note(NamedTuple):
    """A problem of one page. The first note of a rule is reported, with the number of notes.

    Attributes:
        rule: Makes the finding from a count, such as ``3 pages``, the detail and the address.
        where: The address of the page.
        detail: What is wrong with this page.
    """

    rule: Callable[[str, str, str], Finding]
    where: str
    detail: str


class Decision(NamedTuple):
    """The address of a page, and whether the page is listed. ``decide`` turns each decision into a row.

    Attributes:
        page: The page, at the path of its address.
        loc: The absolute address.
        reason: Why the page is left out. None for a listed page.
        detail: The evidence for the reason: a glob, an address or a header.
        head: The head of the page, if it is still needed.
        notes: Problems of the page.
        link: Whether the only canonical link of the page spells the address as the entry point does
            (``same``), spells it ``otherwise``, or leads to another page or does not exist (``""``).
        alternates: The translations in the head of the page.
        target: The absolute address to which a redirect or a canonical link leads, if that is the reason.
    """

    page: Page
    loc: str
    reason: Reason | None = None
    detail: str = ""
    head: Head | None = None
    notes: tuple[Note, ...] = ()
    link: Link = ""
    alternates: tuple[Alternate, ...] = ()
    target: str = ""


class Addressed(NamedTuple):
    """The decisions about all pages of a site, at their final addresses.

    Attributes:
        decisions: The decisions, sorted by address.
        style: The address style that the pages themselves show.
        heads: The heads by file, if the selector reads described heads.
    """

    decisions: list[Decision]
    style: AddressStyle
    heads: Mapping[str, Head]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Decides about single pages. Calling a selector with a page returns the decision.

    Attributes:
        base: The base URL.
        output: The output folder.
        options: The options.
        headers: The headers that the host sends.
        redirects: The redirects of the host that also apply to addresses with a file.
        links: The style of all addresses. With ``auto``, a page has the address in its canonical link, or the
            address that its entry point found.
        canonical: The base of the canonical links, if it is not the base URL.
        may_encrypt: Whether the site has the script of a plugin that encrypts pages.
        described: Whether heads are read with titles and dates, for an audit of the same build.
    """

    base: Base
    output: Path
    options: Options
    headers: Headers
    redirects: Redirects = Redirects()
    links: LinkOption = "auto"
    canonical: Base | None = None
    may_encrypt: bool = False
    described: bool = False

    def __call__(self, page: Page, head: Head | None = None) -> Decision:
        """Decide about a page: first by the options, then by rules of the host, then by the rendered page.

        ``head`` is the head of the page, if somebody has read it already.
        """
        if self.links != "auto":
            page = _at(page, address(files.seen_from(self.output, page.file), self.links))
        loc = self.base.loc(page.path)
        decision = self._by_settings(page, loc)
        if decision and not self._depends_on_address(page):
            return decision
        try:
            head = head or read_head(page.file, described=self.described)
            link: Link = "same"
            if self.canonical or self.links != "auto" or head.canonicals != (loc,):  # as of few pages
                spelled, link = self._at_its_own_address(page, head)
                if decision or spelled is not page:
                    page, loc = spelled, self.base.loc(spelled.path)
                    decision = self._by_settings(page, loc)
            if decision:
                return decision._replace(link=link)
            return self._by_head(page, loc, head, link)
        except OSError as error:
            problem = error.strerror or str(error)
            notes: tuple[Note, ...] = ()
            if has_file(page):
                notes = (Note(unreadable_page, loc, problem),)
            elif not Path(page.file).exists():
                notes = (Note(page_removed, loc, ""),)
            return Decision(page, loc, Reason.UNREADABLE, problem, notes=notes)

    def _at_its_own_address(self, page: Page, head: Head) -> tuple[Page, Link]:
        """Return the page at the address in its only canonical link, and how that link spells the address."""
        if self.links != "auto":
            return page, ""
        base = self.canonical or self.base
        path = own_path(head, page.path, page.file, base, self.output)
        if path is None:
            return page, ""
        return _at(page, path), "same" if path == page.path else "otherwise"

    def _by_settings(self, page: Page, loc: str) -> Decision | None:
        """Decide by options, front matter and facts. Return None if they do not leave out the page."""
        matched = self.options.excludes.decision(page.names)
        reason, detail = None, ""
        notes: tuple[Note, ...] = ()
        if page.options.listed is False:
            reason = Reason.META
        elif matched and matched[0]:
            reason, detail = Reason.EXCLUDED, matched[1]
        elif not matched and not page.options.listed:
            reason = default_reason(page, self.options)
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
        """Check whether the globs could decide differently for another spelling of the page's address."""
        excludes = self.options.excludes
        if self.links != "auto" or not excludes.patterns or not has_file(page):
            return False
        name = files.seen_from(self.output, page.file)
        everywhere = excludes.decision((*page.names, *spellings(name)))
        return everywhere != excludes.decision(page.names)

    def _by_head(self, page: Page, loc: str, head: Head, link: Link) -> Decision:
        """Decide by the head of the rendered page, and by the rules of the host for its address."""
        own = self.canonical.loc(page.path) if self.canonical else ""
        links = canonical_links(head, loc, page.file, self.base, self.output, own)
        exclusion = exclusion_of(head, loc, links, self.headers)
        reason, detail, target = None, "", ""
        notes: list[Note] = []
        if redirect := self.redirects.elsewhere(loc, existing=True):
            reason, detail = Reason.REDIRECT, f"the host redirects to {redirect}"
            target = resolve(loc, redirect)
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


def addressed(
    selector: Selector,
    read_decisions: Iterable[Decision],
    listed: Iterable[tuple[str, str]] = (),
    configured: LinkOption = "auto",
) -> Addressed:
    """Give all pages their final addresses, in the style of the site.

    Args:
        selector: The selector.
        read_decisions: The decisions of the selector. Each page is at the address in its canonical link, or
            at the address that its entry point found.
        listed: The files that a replaced sitemap lists, each with its path there.
        configured: The address style of the entry point, if it is known.
    """
    decisions = []
    heads: dict[str, Head] = {}
    shared_heads: dict[Head, Head] = {}  # Most pages without a canonical link have equal heads.
    shared_alternates: dict[tuple[Alternate, ...], tuple[Alternate, ...]] = {}
    for decision in read_decisions:
        if selector.described and decision.head:
            heads[files.seen_from(selector.output, decision.page.file)] = decision.head
        if decision.alternates:
            alternates = shared_alternates.setdefault(decision.alternates, decision.alternates)
            decision = decision._replace(alternates=alternates)  # noqa: PLW2901
        if decision.head:  # Only a page without a canonical link may still get another address.
            head = None if decision.link else shared_heads.setdefault(decision.head, decision.head)
            decision = decision._replace(head=head)  # noqa: PLW2901
        decisions.append(decision)

    style = AddressStyle()
    if selector.links == "auto":
        style = _style(decisions, selector.output, listed, configured)
    if style.links != "auto":
        styled = replace(selector, links=style.links)
        for number, decision in enumerate(decisions):
            page = decision.page
            name = files.seen_from(selector.output, page.file)
            if not decision.link and address(name, style.links) != page.path:
                decisions[number] = styled(page, decision.head)
    decisions.sort(key=attrgetter("loc"))
    return Addressed(decisions, style, heads)


def _style(
    decisions: Iterable[Decision], output: Path, listed: Iterable[tuple[str, str]], configured: LinkOption
) -> AddressStyle:
    """Find the address style of most canonical links.

    If the canonical links fit several styles, the addresses in a replaced sitemap decide between them.
    """
    linked = []
    has_unlinked = False
    for decision in decisions:
        if decision.link and not decision.reason:
            linked.append(decision)
        elif not decision.reason:
            has_unlinked = True
    same = sum(decision.link == "same" for decision in linked)
    votes: Counter[LinkStyle] = Counter()
    if has_unlinked or same < len(linked):
        votes = count_styles(
            (files.seen_from(output, decision.page.file), decision.page.path) for decision in linked
        )
    most = max(same, *votes.values(), 0)
    fitting_styles = [style for style in votes if votes[style] == most]
    if has_unlinked and len(fitting_styles) > 1:
        counts = count_styles(listed)
        highest = max(counts[style] for style in fitting_styles)
        listed_styles = [style for style in fitting_styles if counts[style] == highest]
        if len(listed_styles) < len(fitting_styles):
            links = "auto" if configured in listed_styles else listed_styles[0]
            return AddressStyle(links, "from the existing sitemap")
    if not linked:
        return AddressStyle()
    if same == most:
        return AddressStyle("auto", "from the canonical links")
    return AddressStyle(fitting_styles[0], "from the canonical links")


def _at(page: Page, path: str) -> Page:
    """Return the page at another path. The globs of options match the page by both paths."""
    if path == page.path:
        return page
    if Fact.LEFT in page.facts:  # No glob is about a page of an earlier build.
        return page._replace(path=path)
    return page._replace(path=path, names=(*page.names, path))


def is_named_404(path: str) -> bool:
    """Check whether an address has the name of an error page, such as ``guide/404.html``, in any folder."""
    return _NAMED_404.fullmatch(path) is not None


def is_error_page(path: str) -> bool:
    """Check whether a path is the error page of the site, of a language or of a version.

    >>> [is_error_page(path) for path in ("404.html", "da/404/", "v2/da/404/index.html", "errors/404.html")]
    [True, True, True, False]
    """
    named = _NAMED_404.fullmatch(path)
    if not named:
        return False
    from sitemap_docs.urls.versions import is_version  # noqa: PLC0415  few sites have such a page

    return all(folder_language(folder) or is_version(folder) for folder in named[1].split("/")[:-1])


def is_asked_for(page: Page, options: Options) -> bool:
    """Check whether the front matter, or a glob with ``!`` in the option ``excludes``, asks for the page."""
    matched = options.excludes.decision(page.names)
    return bool(page.options.listed) or (matched is not None and not matched[0])


def default_reason(page: Page, options: Options) -> Reason | None:
    """Return the reason to leave out a page that nobody asks for, or None."""
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


def unmatched_words(pages: Iterable[Page], options: Options) -> list[Finding]:
    """Return a finding if words of the option ``excludes_generated`` match no page."""
    unmatched = set(options.excludes_generated)
    if unmatched:
        facts = frozenset().union(*(page.facts for page in pages))
        unmatched = {word for word in unmatched if _BY_WORD[word] not in facts}
    shown = ", ".join(f"{word!r} of the option `excludes_generated`" for word in sorted(unmatched))
    return [unmatched_pattern("page", f"{shown}, {_LISTING}")] if shown else []


def has_file(page: Page) -> bool:
    """Check whether a page has a file that can be read.

    Drafts, templates without output, and links that are not followed have no such file.
    """
    file = os.fspath(page.file)
    if Fact.UNREADABLE in page.facts or file.endswith("/"):
        return False
    return Path(file).exists()


def duplicate(decision: Decision) -> Decision:
    """Return the decision to leave out a page because an earlier page has the same address."""
    note = Note(duplicate_address, decision.loc, str(decision.page.file))
    return decision._replace(reason=Reason.DUPLICATE, notes=(*decision.notes, note))


def finding_of(note: Note, pages: int) -> Finding:
    """Return the finding about the first ``note`` of a rule. ``pages`` is the number of notes."""
    return note.rule(many(pages, "page"), one_line(note.detail), note.where).at(note.where)


@reported("info")
def page_removed(count: str, _: str, where: str) -> str:
    """Another extension or plugin took a page out of the output folder after it was rendered.

    A sitemap that listed it would lead to an address without a page.
    Nothing is to be done if that is wanted.
    Wrong: a hook that deletes `drafts/` after the build, and expects it in the sitemap
    Right: `excludes: ["drafts/*"]`
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    return (
        f"Left out: {count} that another extension or plugin took out of the output folder, such as {where}."
    )


@reported()
def address_too_long(count: str, detail: str, where: str) -> str:
    """The address of a page is longer than a sitemap may list.

    The protocol allows 2,047 characters; the page is left out.
    Shorten the names of its files and folders.
    Wrong: a folder of 40 names with 60 characters each
    Right: an address that fits on a line
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    return (
        f"Left out: {count} whose address has more than {MAX_LOC:,} characters, which no sitemap may list, "
        f"such as {where} with {detail}. Shorten the names of files and folders."
    )


@reported()
def unreadable_page(count: str, detail: str, where: str) -> str:
    """A page of the output folder cannot be read.

    Whether search engines may list it is not known, so that it is left out.
    Correct the file or its permissions; or name it in `excludes`.
    Wrong: `chmod 000 public/guide.html`
    Right: `chmod 644 public/guide.html`
    Source: sitemap-docs: the page Which pages are listed
    """
    return (
        f"Left out: {count} that cannot be read, such as {where}: {detail}. Correct the file or its "
        "permissions, or name it in `excludes`."
    )


@reported()
def duplicate_address(count: str, detail: str, where: str) -> str:
    """Several pages have one address, and only the first is listed.

    A server has one page at an address.
    Rename one of them, or take it out.
    Wrong: `guide.html` and `guide/index.html`, both served as `guide`
    Right: `guide/index.html` alone
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    return f"Left out: {count} with the address of another page, such as {detail} at {where}."


@reported()
def canonical_spelling(count: str, detail: str, where: str) -> str:
    """The canonical link of a page names it by another scheme, host or spelling than the sitemap.

    Engines take the sitemap as one hint and the link as another; both should name one address.
    Give base URL and canonical links one spelling.
    Wrong: `http://docs.example.com/guide/` in the link, `https://docs.example.com/guide/` in the sitemap
    Right: `https://docs.example.com/guide/` in both
    Source: Google: consolidate duplicate URLs,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    advice = origin_advice(detail, where) or "Give the site's addresses one spelling."
    return (
        f"The canonical link of {count} names the page by another address than the sitemap, such as "
        f"{detail} on {where}. {advice}"
    )


@reported()
def lastmod_future(count: str, detail: str, where: str) -> str:
    """The date of a page in its front matter, or of an address in `extra_urls`, is in the future."""
    return (
        f"{count} with a date in the future, such as {detail} for {where}. It is not used, as search engines "
        "refuse such dates. Correct it in the front matter or in `extra_urls`."
    )


@reported()
def noindex_not_rendered(count: str, _: str, where: str) -> str:
    """The front matter of a page says `robots: noindex`, and the rendered page does not.

    The page is left out of the sitemap, but engines that find a link to it list it.
    The theme must write the meta tag, or the server a header `X-Robots-Tag`.
    Wrong: `robots: noindex` with a theme that ignores it
    Right: `<meta name="robots" content="noindex">` in the head of the page
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    return (
        f"The front matter of {count} has `robots: noindex`, but the rendered page does not, such as "
        f"{where}. Left out; for search engines, the theme must write the robots meta tag."
    )
