"""Decide which pages the sitemap lists and at which addresses.

The options and the front matter are asked first, then the rendered page.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.config.patterns import unmatched_pattern
from sitemap_docs.host_rules import Headers, Redirects
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.indexing import canonical_links, exclusion_of, own_path
from sitemap_docs.model import MAX_LOC, Alternate, Fact, Finding, Page, Reason, reported
from sitemap_docs.programs.encryptcontent import is_encrypted
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, origin_advice, resolve, strip_session
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.link_styles import LinkStyle, address, count_styles, spellings

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
#: The names of error pages.
ERROR_PAGES = ("404",)
_NAMED_404 = re.compile(rf"((?:.*/)?)(?:{'|'.join(ERROR_PAGES)})(?:\.html|/|/index\.html)?", re.DOTALL)
_HOMES = ("", "index.html")


class AddressStyle(NamedTuple):
    """The form of all addresses of a site: is the file ``a/index.html`` at ``a/``, or at ``a``?

    Attributes:
        links: The name of the style, such as ``folders`` for ``a/``. With ``auto``, each page keeps the
            address that Sphinx, MkDocs or the reader of the output folder gave it.
        by: The origin of the style for messages, such as ``from the canonical links``. It is ``""`` if
            nothing on the site shows a style.
    """

    links: LinkOption = "auto"
    by: str = ""


class Note(NamedTuple):
    """A problem of one page, such as a canonical link with another spelling.

    Several pages may have the same problem. The build then reports the first note and the number of pages.

    Attributes:
        rule: The function that makes the finding. Its arguments are a text such as ``3 pages``, the detail
            and the address.
        where: The address of the page.
        detail: What is wrong with this page, such as ``Permission denied``.
    """

    rule: Callable[[str, str, str], Finding]
    where: str
    detail: str


class Decision(NamedTuple):
    """The decision whether the sitemap lists a page, and at which address.

    Attributes:
        page: The page. Its path belongs to the address in ``loc``.
        loc: The absolute address, such as ``https://example.com/guide/``.
        reason: The reason why the page is left out, such as ``noindex``. None for a listed page.
        detail: The evidence for the reason: a glob, an address or a header.
        head: The content of ``<head>``, if it is still needed.
        notes: Problems of the page, for findings.
        link: The canonical link of the page. ``same``: the link has the address that the page had before.
            ``otherwise``: the link has another spelling of that address, such as ``a`` for ``a/``. ``""``:
            the page has no canonical link, several links, or a link to another page.
        alternates: The translations of the page according to its ``hreflang`` links.
        target: The page to which a redirect or a canonical link leads, if that is the reason, or ``""``.
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


class FinalDecisions(NamedTuple):
    """The decisions about all pages of a site, with the final addresses of the pages.

    Attributes:
        decisions: The decisions, sorted by address.
        style: The address style that most canonical links of the pages have.
        heads: The content of ``<head>`` of each page by its file, if an audit of the same run needs it.
    """

    decisions: list[Decision]
    style: AddressStyle
    heads: Mapping[str, Head]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A function that decides whether the sitemap lists a page: ``decision = selector(page)``.

    Attributes:
        base: The base URL of the site.
        output: The output folder.
        options: The options of the project.
        headers: The headers that the host sends, such as ``X-Robots-Tag: noindex``.
        redirects: The redirects of the host, for example from a file ``_redirects``.
        links: The address style of all pages. With ``auto``, a page has the address in its canonical link. If
            it has no such link, it has the address that Sphinx, MkDocs or the reader of the folder gave it.
        canonical: The URL with which canonical links begin, if it is not the base URL.
        may_encrypt: Whether the site has the script of a plugin that encrypts pages.
        described: Whether to read the titles and dates of pages, too, because an audit follows.
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
        """Decide whether the sitemap lists a page, and at which address.

        The first reason to leave out the page counts: an option, its front matter, a redirect or a header of
        the host, or the rendered page itself.

        Args:
            page: The page.
            head: The content of ``<head>``, if it is known. Otherwise, it is read from the rendered file.
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
                linked_page, link = self._follow_canonical_link(page, head)
                if decision or linked_page is not page:
                    page, loc = linked_page, self.base.loc(linked_page.path)
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

    def _follow_canonical_link(self, page: Page, head: Head) -> tuple[Page, Link]:
        """Give a page the address in its canonical link, if the link leads to the page itself.

        For example, the page ``a.html`` with a link to ``https://example.com/a`` gets the path ``a``.

        Returns:
            The page, and a word about the link, see ``link`` of :class:`Decision`.
        """
        if self.links != "auto":
            return page, ""
        base = self.canonical or self.base
        path = own_path(head, page.path, page.file, base, self.output)
        if path is None:
            return page, ""
        return _at(page, path), "same" if path == page.path else "otherwise"

    def _by_settings(self, page: Page, loc: str) -> Decision | None:
        """Return the decision to leave out a page because of an option, its front matter or its kind.

        For example, a draft is left out. If there is no such reason, return None.
        """
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
        """Check whether the option ``excludes`` could match another spelling of the page's address.

        For example, ``excludes: ["a/"]`` matches the address ``a/``, but not ``a/index.html``.
        """
        excludes = self.options.excludes
        if self.links != "auto" or not excludes.patterns or not has_file(page):
            return False
        name = files.seen_from(self.output, page.file)
        everywhere = excludes.decision((*page.names, *spellings(name)))
        return everywhere != excludes.decision(page.names)

    def _by_head(self, page: Page, loc: str, head: Head, link: Link) -> Decision:
        """Decide by the rendered page, such as its robots meta tag, and by the redirects of the host.

        Args:
            page: The page, at its final path.
            loc: The absolute address.
            head: The content of ``<head>``.
            link: A word about the canonical link, see :class:`Decision`.
        """
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


def settle_addresses(
    selector: Selector,
    read_decisions: Iterable[Decision],
    listed: Iterable[tuple[str, str]] = (),
    configured: LinkOption = "auto",
) -> FinalDecisions:
    """Give the pages without a canonical link an address in the style of the other pages.

    For example, if the canonical links of other pages end with a slash, the page ``a/index.html`` without a
    link gets the address ``a/``. A page with a canonical link to itself keeps the address in that link.

    Args:
        selector: The function that made the decisions. It decides again about a page with a new address.
        read_decisions: The decisions about all pages.
        listed: The pages in an existing sitemap that will be replaced, as pairs of file and URL path.
        configured: The address style of Sphinx or MkDocs, if it is known.
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
    return FinalDecisions(decisions, style, heads)


def _style(
    decisions: Iterable[Decision], output: Path, listed: Iterable[tuple[str, str]], configured: LinkOption
) -> AddressStyle:
    """Find the address style that most canonical links of a site have, such as ``a/`` for ``a/index.html``.

    If the links fit several styles, the addresses in an existing sitemap decide between these styles.

    Args:
        decisions: The decisions about all pages, with a word about the canonical link of each page.
        output: The output folder.
        listed: The pages in the existing sitemap, as pairs of file and URL path.
        configured: The address style of Sphinx or MkDocs. It wins if it is among several equal styles.
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
    """Return a copy of a page with another URL path. The globs of options match both paths."""
    if path == page.path:
        return page
    if Fact.LEFT in page.facts:  # Globs do not apply to a page that an earlier build left.
        return page._replace(path=path)
    return page._replace(path=path, names=(*page.names, path))


def is_named_404(path: str) -> bool:
    """Check whether a path is named like an error page, such as ``404.html`` or ``guide/404/``."""
    return _NAMED_404.fullmatch(path) is not None


def is_error_page(path: str) -> bool:
    """Check whether a path is the error page of a whole site, or of one language or version of the site.

    >>> [is_error_page(path) for path in ("404.html", "da/404/", "v2/da/404/index.html", "errors/404.html")]
    [True, True, True, False]
    """
    named = _NAMED_404.fullmatch(path)
    if not named:
        return False
    from sitemap_docs.urls.versions import is_version  # noqa: PLC0415  few sites have such a page

    return all(folder_language(folder) or is_version(folder) for folder in named[1].split("/")[:-1])


def is_asked_for(page: Page, options: Options) -> bool:
    """Check whether the user has explicitly asked to list a page.

    The front matter asks with ``sitemap: true``, the option ``excludes`` with a glob such as ``!drafts/a*``.
    """
    matched = options.excludes.decision(page.names)
    return bool(page.options.listed) or (matched is not None and not matched[0])


def default_reason(page: Page, options: Options) -> Reason | None:
    """Return the reason to leave out a page if no option mentions it, such as ``draft``, or None."""
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
    """Report words of the option ``excludes_generated`` that match no page, such as ``pagination``.

    If all words match, the list is empty.
    """
    unmatched = set(options.excludes_generated)
    if unmatched:
        facts = frozenset().union(*(page.facts for page in pages))
        unmatched = {word for word in unmatched if _BY_WORD[word] not in facts}
    shown = ", ".join(f"{word!r} of the option `excludes_generated`" for word in sorted(unmatched))
    return [unmatched_pattern("page", f"{shown}, {_LISTING}")] if shown else []


def has_file(page: Page) -> bool:
    """Check whether the rendered file of a page exists.

    A draft has no file, for example, and a symbolic link out of the site does not count as a file.
    """
    file = os.fspath(page.file)
    if Fact.UNREADABLE in page.facts or file.endswith("/"):
        return False
    return Path(file).exists()


def duplicate(decision: Decision) -> Decision:
    """Turn the decision to list a page into one to leave it out, because another page has its address."""
    note = Note(duplicate_address, decision.loc, str(decision.page.file))
    return decision._replace(reason=Reason.DUPLICATE, notes=(*decision.notes, note))


def finding_of(note: Note, pages: int) -> Finding:
    """Return the finding for a problem that several pages have.

    Args:
        note: The problem of the first page, which the message shows as an example.
        pages: The number of pages with the problem.
    """
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
