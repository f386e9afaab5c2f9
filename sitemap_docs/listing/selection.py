"""Which pages are listed, at which addresses, and why the others are not: the rendered page decides."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.options import LinkOption, LinkStyle, Options
from sitemap_docs.config.patterns import unmatched_pattern
from sitemap_docs.html.head import Head, read_head
from sitemap_docs.listing.indexing import bar, canonical_links, own_path
from sitemap_docs.model import MAX_LOC, Alternate, Fact, Finding, Page, Reason, reported
from sitemap_docs.programs.encryptcontent import is_encrypted
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, address, count_styles, origin_advice, spellings, strip_session
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.webroot import Headers, Redirects

#: Why a page is left out unless the project asks for it: of several facts, the first counts.
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
#: What the words of the option ``excludes_generated`` leave out.
_BY_WORD = {"lists": Fact.LIST, "pagination": Fact.PAGINATION}
_LISTING = "which only the blog of Material for MkDocs, ABlog and sphinx-tags are known to make"
Link = Literal["", "same", "otherwise"]
#: What stands in each page that links to one named so.
ERROR_PAGES = ("404",)
_NAMED_404 = re.compile(rf"((?:.*/)?)(?:{'|'.join(ERROR_PAGES)})(?:\.html|/|/index\.html)?", re.DOTALL)
_HOMES = ("", "index.html")


class SiteStyle(NamedTuple):
    """How addresses are spelled (``auto``: as their front door has them), and where that was found."""

    links: LinkOption = "auto"
    by: str = ""


class Note(NamedTuple):
    """A problem of one page, reported once for all pages that share the rule."""

    rule: Callable[[str, str, str], Finding]
    where: str
    detail: str


class Decision(NamedTuple):
    """A page's absolute address, and why it is left out (``reason`` is None for a listed page).

    ``detail`` is the pattern, address or header behind it; ``head`` is None where the page was not read, or
    what was read is not needed. ``link`` is how the page's only canonical link spells this address: as the
    front door does, otherwise, or not at all. ``alternates`` are the translations that its head names.
    """

    page: Page
    loc: str
    reason: Reason | None = None
    detail: str = ""
    head: Head | None = None
    notes: tuple[Note, ...] = ()
    link: Link = ""
    alternates: tuple[Alternate, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What decides about pages besides the pages themselves; calling it with a page returns the decision.

    ``links`` is the style of all addresses; with ``auto``, a page has the one that its canonical link spells,
    else its front door's. Canonical links begin with ``canonical``, where that is not ``base``.
    ``may_encrypt`` is whether the site has the script of a plugin that encrypts pages. ``described`` is
    whether the heads of decisions are read with titles and dates, for an audit of the same build.
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
        """The project's options decide first, the host next, the rendered page last.

        ``head`` is that of the page, where it was read already.
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
        """The page where its only canonical link puts it, and how it does so."""
        if self.links != "auto":
            return page, ""
        base = self.canonical or self.base
        path = own_path(head, page.path, page.file, base, self.output)
        if path is None:
            return page, ""
        return _at(page, path), "same" if path == page.path else "otherwise"

    def _by_settings(self, page: Page, loc: str) -> Decision | None:
        """Returns what options, front matter and facts decide about the page."""
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
        """Whether the globs decide otherwise about the page at another spelling of its address."""
        excludes = self.options.excludes
        if self.links != "auto" or not excludes.patterns or not has_file(page):
            return False
        name = files.seen_from(self.output, page.file)
        everywhere = excludes.decision((*page.names, *spellings(name)))
        return everywhere != excludes.decision(page.names)

    def _by_head(self, page: Page, loc: str, head: Head, link: Link) -> Decision:
        """Returns what the rendered page decides, and the host's rules for its address."""
        own = self.canonical.loc(page.path) if self.canonical else ""
        links = canonical_links(head, loc, page.file, self.base, self.output, own)
        barred = bar(head, loc, self.headers, links)
        reason, detail = None, ""
        notes: list[Note] = []
        if target := self.redirects.elsewhere(loc, existing=True):
            reason, detail = Reason.REDIRECT, f"the host redirects to {target}"
        elif "=" in page.path and strip_session(page.path) != page.path:
            reason = Reason.SESSION
        elif len(loc) > MAX_LOC:
            reason, detail = Reason.TOO_LONG, f"{len(loc):,} characters"
            notes.append(Note(address_too_long, f"{loc[:80]}…", f"{len(loc):,}"))
        elif page.options.noindex and not (barred and barred.reason is Reason.NOINDEX):
            reason = Reason.NOINDEX
            notes.append(Note(noindex_not_rendered, loc, "robots"))
        elif barred:
            reason, detail = barred
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
        return Decision(page, loc, reason, detail, kept, tuple(notes), link, alternates)


def addressed(
    selector: Selector,
    read: Iterable[Decision],
    listed: Iterable[tuple[str, str]] = (),
    configured: LinkOption = "auto",
    heads: dict[str, Head] | None = None,
) -> tuple[list[Decision], SiteStyle]:
    """The decisions at their final addresses, in their order, and the style that the pages themselves name.

    ``read`` are those of the selector, each at the address that the page itself names, else the one that its
    front door has, which is of the style ``configured`` where that is known. ``listed`` are files that a
    replaced sitemap lists, each with the path at which it does. What they hold of heads is given up as soon
    as it is used; in ``heads``, they are kept by the names of the files.
    """
    decisions = []
    alike: dict[Head, Head] = {}  # most pages without a canonical link have the same head
    named: dict[tuple[Alternate, ...], tuple[Alternate, ...]] = {}  # the translations of a page name the same
    for each in read:
        decision = each
        if heads is not None and decision.head:
            heads[files.seen_from(selector.output, decision.page.file)] = decision.head
        if decision.alternates:
            decision = decision._replace(alternates=named.setdefault(each.alternates, each.alternates))
        if decision.head:
            kept = None if decision.link else alike.setdefault(decision.head, decision.head)
            decision = decision._replace(head=kept)
        decisions.append(decision)

    style = SiteStyle()
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
    return decisions, style


def _style(
    decisions: Iterable[Decision], output: Path, listed: Iterable[tuple[str, str]], configured: LinkOption
) -> SiteStyle:
    """The style of most canonical links; of several, those of most addresses in a replaced sitemap."""
    named = []
    others = False  # whether there are pages without such a link
    for decision in decisions:
        if decision.link and not decision.reason:
            named.append(decision)
        elif not decision.reason:
            others = True
    same = sum(decision.link == "same" for decision in named)
    votes: Counter[LinkStyle] = Counter()
    if others or same < len(named):
        votes = count_styles(
            (files.seen_from(output, decision.page.file), decision.page.path) for decision in named
        )
    most = max(same, *votes.values(), 0)
    fitting = [style for style in votes if votes[style] == most]
    if others and len(fitting) > 1:
        counted = count_styles(listed)
        often = max(counted[style] for style in fitting)
        listing = [style for style in fitting if counted[style] == often]
        if len(listing) < len(fitting):
            links = "auto" if configured in listing else listing[0]
            return SiteStyle(links, "from the existing sitemap")
    if not named:
        return SiteStyle()
    if same == most:
        return SiteStyle("auto", "from the canonical links")
    return SiteStyle(fitting[0], "from the canonical links")


def _at(page: Page, path: str) -> Page:
    """The page at a path; the globs of options know it by both."""
    if path == page.path:
        return page
    if Fact.LEFT in page.facts:  # which no glob means
        return page._replace(path=path)
    return page._replace(path=path, names=(*page.names, path))


def is_named_404(path: str) -> bool:
    """Whether an address has the name of what hosts show where there is no page, in whatever folder."""
    return _NAMED_404.fullmatch(path) is not None


def is_error_page(path: str) -> bool:
    """Whether a host shows what is there for addresses without a page, of the site, a language or a version.

    >>> [is_error_page(path) for path in ("404.html", "da/404/", "v2/da/404/index.html", "errors/404.html")]
    [True, True, True, False]
    """
    named = _NAMED_404.fullmatch(path)
    if not named:
        return False
    from sitemap_docs.urls.versions import is_version  # noqa: PLC0415  few sites have such a page

    return all(folder_language(folder) or is_version(folder) for folder in named[1].split("/")[:-1])


def is_asked_for(page: Page, options: Options) -> bool:
    """Whether the page itself, or the option ``excludes`` by a glob with ``!``, asks to list it."""
    matched = options.excludes.decision(page.names)
    return bool(page.options.listed) or (matched is not None and not matched[0])


def default_reason(page: Page, options: Options) -> Reason | None:
    """Returns why a page is left out unless the project asks for it, if it is."""
    is_error = is_error_page(page.path)
    if not page.facts and not is_error:  # as of most pages
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
    """Returns what to report of words of ``excludes_generated`` where no program makes such pages."""
    left = set(options.excludes_generated)
    if left:
        made = frozenset().union(*(page.facts for page in pages))
        left = {word for word in left if _BY_WORD[word] not in made}
    shown = ", ".join(f"{word!r} of the option `excludes_generated`" for word in sorted(left))
    return [unmatched_pattern("page", f"{shown}, {_LISTING}")] if shown else []


def has_file(page: Page) -> bool:
    """Whether there is a file to read.

    Drafts, templates that render nothing, and links that are not followed have none.
    """
    file = os.fspath(page.file)
    if Fact.UNREADABLE in page.facts or file.endswith("/"):
        return False
    return Path(file).exists()


def duplicate(decision: Decision) -> Decision:
    """The decision on a page whose address an earlier page has."""
    note = Note(duplicate_address, decision.loc, str(decision.page.file))
    return decision._replace(reason=Reason.DUPLICATE, notes=(*decision.notes, note))


def finding_of(note: Note, pages: int) -> Finding:
    """The finding for a rule that ``pages`` pages share, of which ``note`` is the first."""
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
