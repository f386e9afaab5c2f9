"""Rules about a deployed site: the status, redirects and headers of its responses."""

from collections import defaultdict
from shlex import quote

from sitemap_docs.audit.deployed_site import Answer, LiveSite, is_in_scope
from sitemap_docs.audit.registry import Findings, Location, rule
from sitemap_docs.audit.rules.pages import no_longer_shown
from sitemap_docs.audit.sitemap_file import Sitemap
from sitemap_docs.config.dates import past_robots_date
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.html.head import Head
from sitemap_docs.listing.indexing import compare_canonicals
from sitemap_docs.programs import github
from sitemap_docs.text import many
from sitemap_docs.urls.base import OK, resolve, split_url
from sitemap_docs.web import why_not_asked


def _at(answer: Answer) -> Location:
    return Location(answer.url)


@rule("error")
def live_status(answer: Answer) -> Findings:
    """A listed address does not answer three requests, or answers with an error.

    Search engines drop the page, and trust the sitemap less.
    Deploy the page, or remove it from the sitemap. If no address answers, check the server.
    Source: Google: HTTP status codes and network errors,
    https://developers.google.com/search/docs/crawling-indexing/http-network-errors
    """
    if answer.error:
        yield _at(answer), f"The server does not answer: {answer.error}. Check the server."
    elif answer.status and answer.status != OK:
        message = (
            f"The server answers with status {answer.status}. Deploy the page, or remove it from the sitemap."
        )
        yield _at(answer), message


@rule("error")
def live_redirect(answer: Answer) -> Findings:
    """A listed address redirects.

    Search engines list the target, or give up after several redirects. They report the address as an error.
    List the last target.
    Source: Google: redirects,
    https://developers.google.com/search/docs/crawling-indexing/301-redirects
    """
    if answer.hops:
        targets = [url for _, url in answer.hops]
        message = (
            f"The address redirects with status {answer.hops[0][0]} to {' → '.join(targets)}. List "
            f"{targets[-1]} instead."
        )
        yield _at(answer), message


@rule("error")
def live_disallowed(answer: Answer) -> Findings:
    """The deployed robots.txt forbids a listed address.

    Crawlers may not fetch the page, so the audit has not fetched it either.
    Allow the address, or remove it from the sitemap.
    Source: RFC 9309,
    https://www.rfc-editor.org/rfc/rfc9309
    """
    if not answer.allowed:
        yield _at(answer), "robots.txt forbids this address. Allow it, or remove it from the sitemap."


@rule("error")
def live_noindex(answer: Answer) -> Findings:
    """A listed page is served with noindex, in its head or in the header `X-Robots-Tag`.

    Search engines drop the page. Preview servers often send the header, which no page shows.
    Remove the noindex, or remove the page from the sitemap.
    Source: Google: X-Robots-Tag,
    https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#xrobotstag
    """
    if any(tag.noindex for tag in answer.robots_tags):
        value = ", ".join(answer.headers["x-robots-tag"].lower().splitlines())
        message = (
            f"The server sends the header X-Robots-Tag: {value}. Remove the header, or remove the page from "
            "the sitemap."
        )
        yield _at(answer), message
    if answer.head and answer.head.noindex:
        yield (
            _at(answer),
            "The page is marked noindex. Remove the noindex, or remove the page from the sitemap.",
        )


@rule("warning")
def live_unavailable_after(answer: Answer, site: LiveSite) -> Findings:
    """A listed page is served with a date in `unavailable_after` that is over, in its head or in a header.

    Google removes the page from its results at that date, but the sitemap still lists the page.
    Correct the date, or remove the page from the sitemap.
    Source: Google: the directive unavailable_after,
    https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
    """
    head = answer.head or Head()
    if head.noindex or any(tag.noindex for tag in answer.robots_tags):
        return
    of_page = past_robots_date(head.unavailable_after, site.now)
    of_server = past_robots_date((tag.unavailable_after for tag in answer.robots_tags), site.now)
    if of_page:
        yield _at(answer), no_longer_shown(of_page, "the robots meta tag of the page")
    if of_server:
        yield _at(answer), no_longer_shown(of_server, "the header X-Robots-Tag of the server")


@rule("error")
def live_canonical(answer: Answer) -> Findings:
    """A listed page has a canonical link to another address, in its head or in its `Link` header.

    Search engines list that address instead.
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
    links = compare_canonicals([href for _, href in named], answer.url)
    if links.contradictory:
        different = ", ".join(links.contradictory)
        message = f"The page has several canonical links: {different}. Keep one of them."
        yield _at(answer), message
        return
    for name, href in dict.fromkeys(named):
        if href in links.spelled or href in links.others:
            message = (
                f"The {name} of this page points to {href}. List that address instead, or correct the link."
            )
            yield _at(answer), message


@rule("error")
def live_content_type(answer: Answer) -> Findings:
    """A listed page is not served as HTML.

    Browsers download it, and search engines do not show it as a page.
    Configure the content types of the server.
    Source: Google: file types that are indexed,
    https://developers.google.com/search/docs/crawling-indexing/indexable-file-types
    """
    page = answer.final.endswith(("/", *HTML_SUFFIXES))
    if answer.status == OK and page and not answer.is_html:
        content_type = answer.headers.get("content-type", "none")
        message = (
            f"The server sends this page with the Content-Type: {content_type}. Configure the server to send "
            "text/html."
        )
        yield _at(answer), message


@rule("warning")
def live_soft_404(deployed: LiveSite) -> Findings:
    """The server answers 200 for an address that does not exist.

    Search engines then treat every mistyped link as a page, and notice late that a page is gone.
    Send the error page with status 404.
    Source: Google: soft 404 errors,
    https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors
    """
    if deployed.nowhere.status == OK:
        message = (
            "The server answers with status 200 for a page that does not exist. Configure it to answer with "
            "404."
        )
        yield _at(deployed.nowhere), message


@rule("error")
def live_robots_status(deployed: LiveSite) -> Findings:
    """The server answers with an error for robots.txt.

    Crawlers then fetch nothing from the site, because a server error means that everything is forbidden.
    Serve the file, or answer 404.
    Source: RFC 9309, section 2.3.1.4,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4
    """
    answer = deployed.robots_response
    if answer.is_broken:
        message = (
            f"The server answers with status {answer.status} for robots.txt, so crawlers fetch no page. "
            "Serve the file, or answer with 404."
        )
        yield _at(answer), message


@rule("error")
def live_sitemap_status(deployed: LiveSite) -> Findings:
    """A sitemap could not be fetched.

    Search engines report an error and read nothing.
    Deploy the sitemap, or correct the line in robots.txt.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    for answer, _ in deployed.sitemap_responses:
        bots = deployed.forbids(answer.url)
        if bots:
            message = f"robots.txt forbids {bots} to fetch the sitemap. Allow it in robots.txt."
            yield _at(answer), message
        elif not answer.allowed:
            yield _at(answer), "robots.txt forbids the sitemap. Allow it in robots.txt."
        elif answer.error or answer.status != OK:
            why = answer.error or f"the server answers with status {answer.status}"
            message = (
                f"The sitemap could not be fetched: {why}. Deploy it, or correct its address in robots.txt."
            )
            yield _at(answer), message


@rule("error")
def live_sitemap_elsewhere(deployed: LiveSite) -> Findings:
    """A deployed sitemap lists addresses of another site, or an index lists sitemaps of another site.

    Search engines ignore addresses with another host, port, scheme or folder. The audit skips them, too.
    Build the site with the base URL that it is deployed to. To check another site, pass its own address.
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
                f"{count} are not below {deployed.base.url}, for example {foreign[0]}. Build the site with "
                "the base URL that it is deployed to. If this is a staging copy, pass the URL of the real "
                f"site, and --at {deployed.base.url}"
            )
            yield _at(answer), message


def _children_elsewhere(answer: Answer, index: Sitemap, deployed: LiveSite) -> Findings:
    """Yield a finding for each other server from which a sitemap index lists sitemaps.

    Args:
        answer: The response of the web server with the index.
        index: The parsed index.
        deployed: The audited site.
    """
    elsewhere: dict[str, list[str]] = defaultdict(list)
    for url in index.urls:
        child = resolve(answer.url, url.loc)
        if why_not_asked(child, deployed.base.url):
            parts = split_url(child)
            elsewhere[f"{parts.scheme}://{parts.netloc}"].append(child)
    for server, children in elsewhere.items():
        count = f"{many(len(children), 'sitemap')} on {server}, such as {children[0]}"
        command = f"sitemap-docs check {quote(children[0].rpartition('/')[0] + '/')}"
        message = (
            f"The index lists {count}. This check does not fetch sitemaps of another server. To check that "
            f"server, run: {command}"
        )
        yield _at(answer), message


@rule("warning")
def live_incomplete(deployed: LiveSite) -> Findings:
    """Some pages were not requested before `--timeout` was over, or the site has too many sitemaps.

    Pages that were not requested were not checked.
    Allow more time with `--timeout` and more requests with `--rate`, or check less with `--max-pages`.
    Source: Google: crawl budget,
    https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget
    """
    if deployed.not_reached:
        count = f"{deployed.not_reached:,} of {deployed.not_reached + len(deployed.pages):,}"
        message = (
            f"{count} addresses in the sitemaps were not checked before the time limit. Allow more time with "
            "--timeout, or check fewer pages with --max-pages."
        )
        yield Location(deployed.base.url), message
    if deployed.unread:
        message = (
            f"The site has more sitemaps than one check reads. The pages in {len(deployed.unread):,} of "
            f"them, for example {deployed.unread[0]}, were not checked. Check the parts of the site one by "
            "one."
        )
        yield Location(deployed.base.url), message


@rule("info")
def live_sitemap_unmentioned(deployed: LiveSite) -> Findings:
    """The robots.txt at the root of the host does not mention the sitemap, for example of a project site.

    Search engines find the sitemap only if you have submitted it.
    Add a line `Sitemap:` with the full address, or submit the sitemap in Search Console.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    robots = deployed.robots_response
    usual = deployed.base.loc("sitemap.xml")  # All other sitemaps are in robots.txt or in an index.
    for answer, sitemap in deployed.sitemap_responses:
        children = [resolve(answer.url, entry.loc) for entry in sitemap.urls] if sitemap.is_index else []
        if usual in children or (answer.url == usual and answer.status != OK):
            return
    if robots.is_broken or deployed.is_mentioned:
        return
    if any(answer.url == usual for answer, _ in deployed.sitemap_responses):
        repository = github.robots_repository(deployed.base.origin)
        place = f" in the repository {repository}" if repository else ""
        if deployed.robots_file:
            what_to_do = f"does not mention this sitemap. Add this line to the file{place}"
        else:
            what_to_do = f"does not exist. Write a file{place} that contains this line"
        message = f"{robots.url} {what_to_do}, or submit the sitemap in Search Console: Sitemap: {usual}"
        yield Location(usual), message
