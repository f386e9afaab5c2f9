"""Rules about a deployed site: status, redirects, headers, packing."""

from collections import defaultdict
from shlex import quote

from sitemap_docs.audit.deployed_site import Answer, LiveSite, is_in_scope
from sitemap_docs.audit.registry import Findings, Location, rule
from sitemap_docs.audit.sitemap_file import Sitemap
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.host_rules import bars_robots
from sitemap_docs.text import many
from sitemap_docs.urls.base import OK, compare_urls, resolve, split_url
from sitemap_docs.web import why_not_asked


def _at(answer: Answer) -> Location:
    return Location(answer.url)


@rule("error")
def live_status(answer: Answer) -> Findings:
    """A listed address does not answer, even to the third request, or answers with an error.

    Engines drop the page, and trust the sitemap less.
    Deploy the page, or take it out of the sitemap; where nothing answers, check the server.
    Source: Google: HTTP status codes and network errors,
    https://developers.google.com/search/docs/crawling-indexing/http-network-errors
    """
    if answer.error:
        yield _at(answer), f"No answer: {answer.error}."
    elif answer.status and answer.status != OK:
        yield _at(answer), f"The server answers {answer.status}."


@rule("error")
def live_redirect(answer: Answer) -> Findings:
    """A listed address redirects.

    Engines index the target, or give up after some redirects; they report the listed address as an error.
    List the last target.
    Source: Google: redirects,
    https://developers.google.com/search/docs/crawling-indexing/301-redirects
    """
    if answer.hops:
        targets = [url for _, url in answer.hops]
        yield _at(answer), f"{answer.hops[0][0]} to {' → '.join(targets)}."


@rule("error")
def live_disallowed(answer: Answer) -> Findings:
    """A listed address is forbidden by robots.txt as it is served.

    Crawlers may not fetch it, so the audit did not either.
    Allow it, or take it out of the sitemap.
    Source: RFC 9309,
    https://www.rfc-editor.org/rfc/rfc9309
    """
    if not answer.allowed:
        yield _at(answer), "robots.txt forbids this address."


@rule("error")
def live_noindex(answer: Answer) -> Findings:
    """A listed page is marked noindex as it is served, in its head or by the header `X-Robots-Tag`.

    Engines drop it. Preview servers often send the header, which nothing in the page shows.
    Remove the mark, or take the page out of the sitemap.
    Source: Google: X-Robots-Tag,
    https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
    """
    value = answer.headers.get("x-robots-tag", "")
    if bars_robots("x-robots-tag", value):
        yield _at(answer), f"X-Robots-Tag: {', '.join(value.lower().splitlines())}."
    if answer.head and answer.head.noindex:
        yield _at(answer), "The page is marked noindex."


@rule("error")
def live_canonical(answer: Answer) -> Findings:
    """A listed page names another address as canonical, in its head or in its `Link` header.

    Engines index that one instead.
    List the canonical address, or correct the link.
    Source: Google: how to specify a canonical URL,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    if answer.hops:
        return
    named = []
    if answer.canonical:
        named.append(("Link header", answer.canonical))
    if answer.head:
        named += [("canonical link", href) for href in answer.head.canonical_urls(answer.url)]
    for name, href in named:
        if compare_urls(href, answer.url) != "same":
            yield _at(answer), f"Its {name} is {href}."


@rule("error")
def live_content_type(answer: Answer) -> Findings:
    """A listed page is not served as HTML.

    Browsers download it, and engines do not index it as a page.
    Configure the server's types.
    Source: Google: file types that are indexed,
    https://developers.google.com/search/docs/crawling-indexing/indexable-file-types
    """
    page = answer.final.endswith(("/", *HTML_SUFFIXES))
    if answer.status == OK and page and not answer.is_html:
        yield _at(answer), f"Content-Type: {answer.headers.get('content-type', 'none')}."


@rule("warning")
def live_soft_404(deployed: LiveSite) -> Findings:
    """The server answers 200 for an address that does not exist.

    Engines then take every mistyped link for a page, and detect missing pages late.
    Answer 404 with the error page.
    Source: Google: soft 404 errors,
    https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors
    """
    if deployed.nowhere.status == OK:
        yield _at(deployed.nowhere), "The server answers 200 for a page that does not exist. Answer 404."


@rule("error")
def live_robots_status(deployed: LiveSite) -> Findings:
    """robots.txt is answered with a server error.

    Crawlers then fetch nothing of the site: an error means that all is forbidden.
    Serve the file, or answer 404.
    Source: RFC 9309, section 2.3.1.4,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4
    """
    answer = deployed.robots_response
    if answer.is_broken:
        yield _at(answer), f"The server answers {answer.status}. Nothing else was fetched, as crawlers do."


@rule("error")
def live_sitemap_status(deployed: LiveSite) -> Findings:
    """A sitemap could not be fetched.

    Engines report an error and read nothing.
    Deploy it, or correct the line in robots.txt.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    for answer, _ in deployed.sitemap_responses:
        bots = deployed.forbids(answer.url)
        if bots:
            yield _at(answer), f"robots.txt forbids the sitemap to {bots}. Allow it there."
        elif answer.error or answer.status != OK:
            why = answer.error or answer.status
            if not answer.allowed:
                why = "robots.txt forbids it"
            yield _at(answer), f"The sitemap could not be fetched: {why}."


@rule("error")
def live_sitemap_elsewhere(deployed: LiveSite) -> Findings:
    """A sitemap as it is served lists addresses of another site, or an index sitemaps of one.

    Engines ignore addresses of another host, port or scheme, or above the sitemap; the audit skips them.
    Build the site with the base URL that it is deployed to; check another site by its own address.
    Source: sitemaps.org: location of the file,
    https://www.sitemaps.org/protocol.html#location
    """
    for answer, sitemap in deployed.sitemap_responses:
        if sitemap.is_index:
            yield from _children_elsewhere(answer, sitemap, deployed)
            continue
        foreign = [url.loc for url in sitemap.urls if not is_in_scope(deployed.base, url.loc)]
        if foreign:
            count = f"{len(foreign):,} of {len(sitemap.urls):,} addresses"
            message = (
                f"{count} are not below {deployed.base.url}, such as {foreign[0]}. Build the site with the "
                "base URL that it is deployed to. If this is a copy, check the site with --at "
                f"{deployed.base.url}"
            )
            yield _at(answer), message


def _children_elsewhere(answer: Answer, index: Sitemap, deployed: LiveSite) -> Findings:
    """For each server, the sitemaps of an index that are on it and were therefore not fetched."""
    elsewhere: dict[str, list[str]] = defaultdict(list)
    for url in index.urls:
        child = resolve(answer.url, url.loc)
        if why_not_asked(child, deployed.base.url):
            parts = split_url(child)
            elsewhere[f"{parts.scheme}://{parts.netloc}"].append(child)
    for server, children in elsewhere.items():
        count = f"{many(len(children), 'sitemap')} on {server}, such as {children[0]}"
        command = f"sitemap-docs check {quote(children[0].rpartition('/')[0] + '/')}"
        yield _at(answer), f"The index lists {count}, and nothing of it was fetched. Check it: {command}"


@rule("warning")
def live_incomplete(deployed: LiveSite) -> Findings:
    """Part of the site was not asked for before `--timeout` was over, or has more sitemaps than are read.

    Pages that were not requested were not checked.
    Allow more time with `--timeout` and more requests with `--rate`, or check less with `--max-pages`.
    Source: Google: crawl budget,
    https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget
    """
    if deployed.not_reached:
        count = f"{deployed.not_reached:,} of {deployed.not_reached + len(deployed.pages):,}"
        yield Location(deployed.base.url), f"{count} listed addresses were not reached in time."
    if deployed.unread:
        count = f"{len(deployed.unread):,} sitemaps were not read"
        yield Location(deployed.base.url), f"{count}, such as {deployed.unread[0]}: there are too many."
