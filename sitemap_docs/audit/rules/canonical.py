"""Rules about canonical links."""

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.html.body import Body
from sitemap_docs.listing.indexing import find_different
from sitemap_docs.model import Reason
from sitemap_docs.urls.base import compare_urls, normalise_host, origin_advice, split_url
from sitemap_docs.urls.versions import is_version


@rule("error")
def canonical_elsewhere_listed(page: HtmlPage, site: Site) -> Findings:
    """A listed page has a canonical link to another page.

    The sitemap and the page contradict each other. Search engines drop the page and trust the sitemap less.
    List the canonical page instead, or correct the link.
    Source: Google: what is canonicalization,
    https://developers.google.com/search/docs/crawling-indexing/canonicalization
    """
    if not (page.url and page.elsewhere) or page.noindex:
        return
    # If the canonical page is not the end of the chain, another rule says where to link to.
    if site.redirects.target_of(page.elsewhere) or _target_problem(page, site):
        return
    if not _slash_only(page.elsewhere, page.loc):
        message = (
            f"The canonical link points to another page, {page.elsewhere}. List that page instead, or "
            "correct the link."
        )
        yield page.place, message


@rule("warning")
def canonical_trailing_slash(page: HtmlPage) -> Findings:
    """A page's canonical link differs from its listed address only in the last slash or in index.html.

    Search engines treat them as two addresses, and one of them redirects.
    Use the address that the server sends without a redirect, in the sitemap and in the link.
    Source: Google: to slash or not to slash,
    https://developers.google.com/search/blog/2010/04/to-slash-or-not-to-slash
    """
    for href in dict.fromkeys(page.canonicals):
        if page.url and href != page.loc and _slash_only(href, page.loc):
            message = (
                f"The sitemap lists {page.loc}, but the canonical link is {href}. Use the same address in "
                "both."
            )
            yield page.place, message


def _slash_only(one: str, other: str) -> bool:
    bare = one.removesuffix("index.html").rstrip("/")
    return normalise_host(one) != normalise_host(other) and bare == other.removesuffix("index.html").rstrip(
        "/"
    )


@rule("error")
def canonical_multiple(page: HtmlPage) -> Findings:
    """A listed page has several canonical links with different addresses.

    Search engines then ignore all of them.
    Keep one link. Probably the theme and an extension both add one.
    Source: Google: how to specify a canonical URL,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    different = find_different(page.canonicals)
    if page.listed and different:
        message = f"The page has several canonical links: {', '.join(different)}. Keep one of them."
        yield page.place, message


@rule("warning")
def canonical_relative(page: HtmlPage) -> Findings:
    """A canonical link is not absolute.

    On a copy of the site, the link then leads to the copy, so that every copy is canonical.
    Write the full address.
    Source: Google: how to specify a canonical URL,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    if page.redirects:
        return  # of a page that redirects, engines read the target only
    for href in page.head.canonicals:
        if not (href.startswith("https://") or split_url(href).scheme):
            yield page.place, f"The canonical link {href!r} is relative. Write the full address."


@rule("error")
def canonical_scheme_host(page: HtmlPage, site: Site) -> Findings:
    """A page's canonical link and its listed address differ in the scheme, `www.`, the port or the encoding.

    Search engines treat them as two addresses, and choose one of them.
    Use the same scheme and host for the base URL and for the theme, and percent-encode both paths alike.
    Source: Google: how to specify a canonical URL,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    # Several links are an error of their own, and a page of another host is no spelling of this one.
    if page.canonicals == (page.loc,):
        return
    links = {normalise_host(href) for href in page.canonicals}
    if len(links) != 1 or page.loc in links or not page.loc.startswith(f"{site.base.origin}/"):
        return
    href = links.pop()
    if "#" in href or _slash_only(href, page.loc) or compare_urls(href, page.loc) != "spelling":
        return
    advice = origin_advice(href, page.loc) or "In the link, percent-encode the path as in the sitemap."
    yield page.place, f"The canonical link is {href}, but the sitemap lists {page.loc}. {advice}"


@rule("error")
def canonical_to_missing(page: HtmlPage, site: Site) -> Findings:
    """A page's canonical link leads to a page that does not exist.

    Search engines that follow the link get a 404, and may drop both pages.
    Correct the link. After a rename, check the settings for the old name.
    Source: Google: what is canonicalization,
    https://developers.google.com/search/docs/crawling-indexing/canonicalization
    """
    if page.url or not page.elsewhere or page.reason is Reason.NOT_FOUND:
        return
    if site.is_lost(page.elsewhere):
        message = (
            f"The canonical link points to {page.elsewhere}, but the site has no file for this address. "
            "Correct the link."
        )
        yield page.place, message


@rule("error")
def canonical_chain(page: HtmlPage, site: Site) -> Findings:
    """The canonical link of a listed page leads to a page that search engines do not list either.

    That page redirects, has noindex, or has a canonical link to a third page, so no address is certain.
    Link to the page at the end, or remove its noindex.
    Source: Google: canonicalization troubleshooting,
    https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting
    """
    # A page that is left out harms no listed page. Most of these pages redirect, and are as they should be.
    if not (page.listed and page.elsewhere):
        return
    if site.redirects.target_of(page.elsewhere):
        end = site.redirects.end_of(page.elsewhere)
        if end:  # another rule reports a circle
            message = (
                f"The canonical link points to {page.elsewhere}, which redirects to {end}. Link to {end} "
                "directly."
            )
            yield page.place, message
    elif problem := _target_problem(page, site):
        yield page.place, problem


def _target_problem(page: HtmlPage, site: Site) -> str:
    """Return what is wrong with the target of a page's canonical link, or ``""``."""
    target = site.page_of(page.elsewhere)
    if target is None or target is page:
        return ""
    if target.noindex:
        return (
            f"The canonical link points to {page.elsewhere}, which is marked noindex. Remove the noindex or "
            "the link."
        )
    if target.elsewhere:
        return (
            f"The canonical link points to {page.elsewhere}, which has a canonical link to "
            f"{target.elsewhere}. Link to {target.elsewhere} directly."
        )
    return ""


@rule("warning")
def canonical_to_root_for_many(site: Site, *, at_least: int = 3) -> Findings:
    """Many pages have a canonical link to the home page.

    A template writes the base URL instead of the page's address. Search engines drop all of these pages.
    Let the theme write the address of each page.
    Source: Google: five mistakes with rel=canonical,
    https://developers.google.com/search/blog/2013/04/5-common-mistakes-with-relcanonical
    """
    pages = []
    for page in site.pages:
        left_out = page.elsewhere and not page.url
        folder = page.file.rpartition("/")[0].rpartition("/")[2]
        is_home_of_version = page.file.endswith("/index.html") and is_version(folder)
        ordinary = not (page.redirects or page.reason is Reason.NOT_FOUND or is_home_of_version)
        # Redirects, not-found pages and home pages of old versions have good reasons to name the home page.
        if left_out and ordinary and site.base.path_of(page.elsewhere) == "":
            pages.append(page)
    if len(pages) >= at_least:
        message = (
            f"{len(pages):,} pages have a canonical link to the home page, for example this page. Set the "
            "canonical link of each page to the address of the page."
        )
        yield pages[0].place, message


@rule("warning")
def canonical_outside_head(page: HtmlPage, body: Body) -> Findings:
    """A canonical link is outside the head.

    Search engines ignore it there. An element that is not allowed in a head ends the head early.
    Move the link into the head.
    Source: Google: how to specify a canonical URL,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    for href in body.canonicals:
        message = (
            f"<link rel=canonical href={href!r}> is in the <body>, where search engines ignore it. Move it "
            "into the <head>."
        )
        yield page.place, message
