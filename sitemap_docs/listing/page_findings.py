"""Problems of pages, such as two pages at one address, and the findings that report them."""

from typing import NamedTuple

from sitemap_docs.model import MAX_LOC, Finding
from sitemap_docs.rules import BuildRule, reported
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import origin_advice


class NotedPages(NamedTuple):
    """Pages with the same problem."""

    #: The number of pages, such as ``3 pages``.
    counted: str
    #: The address of the first page.
    where: str
    #: What is wrong with the first page.
    detail: str


class Note(NamedTuple):
    """A problem of one page."""

    rule: BuildRule[[NotedPages]]
    #: The address of the page.
    where: str
    #: What is wrong, such as ``Permission denied``.
    detail: str


def finding_of(note: Note, pages: int) -> Finding:
    """Return one finding for a problem that several pages have.

    ``note`` describes the problem of the first page, and ``pages`` is the number of pages.
    """
    noted_pages = NotedPages(many(pages, "page"), note.where, one_line(note.detail))
    return note.rule(noted_pages).at(note.where)


@reported("info")
def page_removed(pages: NotedPages) -> str:
    """Another extension or plugin removed a page from the output folder after it was rendered.

    The sitemap does not list the page, because its address no longer exists.
    If this is intended, nothing needs to be done.
    Wrong: a hook that deletes `drafts/` after the build, and expects it in the sitemap
    Right: `excludes: ["drafts/*"]`
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    return (
        f"Left out: {pages.counted} that another extension or plugin deleted from the output folder, such "
        f"as {pages.where}."
    )


@reported()
def address_too_long(pages: NotedPages) -> str:
    """The address of a page is longer than a sitemap may list.

    The protocol allows 2,047 characters; the page is left out.
    Shorten the names of its files and folders.
    Wrong: a folder of 40 names with 60 characters each
    Right: an address that fits on a line
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    return (
        f"Left out: {pages.counted} with an address of more than {MAX_LOC:,} characters, such as "
        f"{pages.where} with {pages.detail}. A sitemap must not list it. Shorten the names of "
        "files and folders."
    )


@reported()
def unreadable_page(pages: NotedPages) -> str:
    """A page of the output folder cannot be read.

    It may have a noindex, so the sitemap does not list it.
    Correct the file or its permissions, or add it to the option `excludes`.
    Wrong: `chmod 000 public/guide.html`
    Right: `chmod 644 public/guide.html`
    Source: sitemap-docs: the page Exclude pages from the sitemap
    """
    return (
        f"Left out: {pages.counted} that cannot be read, such as {pages.where}: {pages.detail}. Correct the "
        "file or its permissions, or add it to the option `excludes`."
    )


@reported()
def duplicate_address(pages: NotedPages) -> str:
    """Several pages have the same address, and only the first is listed.

    A web server can only send one page at an address.
    Rename or remove the other pages.
    Wrong: `guide.html` and `guide/index.html`, both served as `guide`
    Right: `guide/index.html` alone
    Source: sitemaps.org: the element loc,
    https://www.sitemaps.org/protocol.html#locdef
    """
    return (
        f"Left out: {pages.counted} with the same address as another page, such as {pages.detail} at "
        f"{pages.where}. Rename one of the two pages."
    )


@reported()
def canonical_spelling(pages: NotedPages) -> str:
    """The canonical link of a page has another scheme, host or spelling than its address in the sitemap.

    Search engines use both to choose the address that they show, so both should agree.
    Use the same spelling in the base URL and in canonical links.
    Wrong: `http://docs.example.com/guide/` in the link, `https://docs.example.com/guide/` in the sitemap
    Right: `https://docs.example.com/guide/` in both
    Source: Google: consolidate duplicate URLs,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    advice = origin_advice(pages.detail, pages.where) or "Use the same form of the address everywhere."
    return (
        f"The canonical link of {pages.counted} differs from the address in the sitemap, such as "
        f"{pages.detail} in the page {pages.where}. {advice}"
    )


@reported()
def lastmod_future(pages: NotedPages) -> str:
    """The date in front matter, in the option `extra_urls` or from the entry hook is in the future."""
    return (
        f"{pages.counted} with a date in the future, such as {pages.detail} for {pages.where}. The sitemap "
        "does not have this date. Correct the date in the front matter, in the option `extra_urls` or in the "
        "entry hook."
    )


@reported()
def noindex_not_rendered(pages: NotedPages) -> str:
    """The front matter of a page has `robots: noindex`, but the rendered page has no noindex.

    The sitemap does not list the page, but search engines that find a link to it still do.
    Let the theme write the meta tag, or let the server send the header `X-Robots-Tag`.
    Wrong: `robots: noindex` with a theme that ignores it
    Right: `<meta name="robots" content="noindex">` in the head of the page
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    return (
        f"The front matter of {pages.counted} has `robots: noindex`, but the built page does not, for "
        f"example {pages.where}. The sitemap does not list it, but search engines may. For such pages, "
        'let the theme write <meta name="robots" content="noindex">.'
    )
