"""Rules about robots.txt."""

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import RobotsFile, Site
from sitemap_docs.audit.sitemap_file import Sitemap, Url
from sitemap_docs.model import SitemapError
from sitemap_docs.output.robots_file import extra_sitemaps
from sitemap_docs.robots import (
    MAX_ROBOTS,
    SIGNALS,
    Group,
    Line,
    find_signal_fault,
    parse_robots,
    remove_our_lines,
)
from sitemap_docs.urls.base import host_of, split_url

KNOWN = {
    "user-agent", "allow", "disallow", "sitemap", "crawl-delay", "content-signal", "content-usage", "host",
    "clean-param", "request-rate", "visit-time", "license", "schemamap",
}  # fmt: skip


@rule("warning")
def robots_absent(site: Site) -> Findings:
    """The host has no robots.txt.

    Nothing is forbidden then, but search engines do not find the sitemap.
    Write a robots.txt with a `Sitemap:` line. `sitemap-docs build` does this.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    if site.robots_file or site.no_sitemap or site.hosting.makes_robots:
        return
    if site.hosting.crawled_robots == "of the site":
        message = "The site has no robots.txt at its root. Write one that contains a `Sitemap:` line."
        yield site.place, message


@rule("error")
def robots_not_at_host_root(site: Site) -> Findings:
    """A robots.txt is in a folder below the root of its host, where no crawler reads it.

    Its rules have no effect, and search engines do not find its sitemap.
    Move its lines to the robots.txt at the root of the host.
    Source: RFC 9309, section 2.3,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    if site.robots_file and site.hosting.crawled_robots == "of the host":
        message = (
            "Crawlers do not read this file, because it is not at the root of the host. Move its lines to "
            f"{site.base.origin}/robots.txt."
        )
        yield site.robots_file.at(), message


@rule("error")
def robots_not_utf8(robots: RobotsFile) -> Findings:
    """robots.txt is not in UTF-8.

    Crawlers read UTF-8. Rules with other bytes match nothing, or the whole file is ignored.
    Save it as UTF-8.
    Source: RFC 9309, section 2.3,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.3
    """
    try:
        robots.data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = "This line is not in UTF-8. Save the file as UTF-8."
        yield robots.at(robots.data[: error.start].count(b"\n") + 1), message


@rule("error")
def robots_too_large(robots: RobotsFile, *, at_most: int = MAX_ROBOTS) -> Findings:
    """robots.txt is larger than crawlers read.

    Google reads the first 500 KiB and ignores the rest.
    Shorten it with wildcards.
    Source: RFC 9309, section 2.5,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.5
    """
    if len(robots.data) > at_most:
        message = f"The file has {len(robots.data):,} bytes, but crawlers read only {at_most:,}. Shorten it."
        yield robots.at(), message


@rule("warning")
def robots_unknown_directive(robots: RobotsFile) -> Findings:
    """A line of robots.txt is neither a comment nor a directive that a crawler supports.

    Crawlers skip the line. Google reads a few typing errors, but has ignored `Noindex` since 2019.
    Correct or remove the line. To hide a page, add `<meta name="robots" content="noindex">` to it.
    Source: Google: how robots.txt is interpreted,
    https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt
    """
    for line in robots.parsed.lines:
        if line.misspelled:
            right = f"{line.field.capitalize()}: {line.value}"
            message = f"{line.misspelled!r} is misspelled, and only Google accepts it. Write {right!r}."
            yield robots.at(line.number), message
        elif not line.field:
            message = f"The line {line.value!r} has no colon. Write `Name: value`, or remove the line."
            yield robots.at(line.number), message
        elif line.field == "noindex":
            message = f"The line `Noindex: {line.value}` has no effect. Mark the pages noindex instead."
            yield robots.at(line.number), message
        elif line.field not in KNOWN:
            message = f"{line.field!r} is not a directive of robots.txt. Correct or remove the line."
            yield robots.at(line.number), message


def _rules(group: Group, fields: tuple[str, ...] = ("allow", "disallow")) -> tuple[Line, ...]:
    """Return the lines of a robots.txt group that begin with one of ``fields``, such as ``disallow``."""
    return tuple(line for line in group.rules if line.field in fields)


@rule("error")
def robots_rule_before_user_agent(robots: RobotsFile) -> Findings:
    """A rule is before the first `User-agent`.

    The rule belongs to no group, so crawlers ignore it.
    Put `User-agent: *` above the rule.
    Source: RFC 9309, section 2.2.1,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.2.1
    """
    for group in robots.parsed.groups:
        if not group.agents:
            for line in _rules(group):
                message = (
                    "Crawlers ignore this rule, because no `User-agent` line is above it. Put `User-agent: "
                    "*` above it."
                )
                yield robots.at(line.number), message


@rule("error")
def robots_pattern_start(robots: RobotsFile) -> Findings:
    """A path in robots.txt does not begin with a slash.

    It matches no address.
    Write the path from the root of the host. It must begin with / or *.
    Source: RFC 9309, section 2.2.2,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
    """
    for group in robots.parsed.groups:
        for line in _rules(group):
            if line.value and line.value[0] not in "/*":
                rule_line = f"{line.field.capitalize()}: {line.value}"
                message = (
                    f"`{rule_line}` has no effect, because the path does not begin with / or *. Write the "
                    "path from the root of the host."
                )
                yield robots.at(line.number), message


@rule("warning")
def robots_content_signal(robots: RobotsFile) -> Findings:
    """A `Content-Signal` or `Content-Usage` line is outside a group, or has no valid pairs of key and value.

    Crawlers cannot understand the line, and may use the pages as if it did not exist.
    Write pairs such as `train-ai=n, search=y` below a `User-agent` line. A path may come first.
    Source: Content Signals,
    https://contentsignals.org
    """
    for group in robots.parsed.groups:
        for line in _rules(group, SIGNALS):
            if not group.agents:
                message = (
                    f"Crawlers ignore this {line.field.title()}: no `User-agent` line is above it. Put the "
                    "line below `User-agent: *`."
                )
                yield robots.at(line.number), message
            elif fault := find_signal_fault(line.field, line.value):
                yield robots.at(line.number), f"{line.value!r} is not valid. It must be {fault}."


@rule("error")
def robots_disallow_all(robots: RobotsFile, site: Site) -> Findings:
    """robots.txt forbids the whole site.

    Search engines fetch no page. Often the file comes from a staging server.
    Remove `Disallow: /`.
    Source: RFC 9309, section 2.2.2,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
    """
    # A single page, the home page or any other, may be forbidden on purpose.
    bot = robots.forbids(site.base.url)
    if bot and robots.forbids(site.base.loc("any-page")):
        rule = (
            "`Disallow: /`" if site.base.is_root else f"the rule that forbids {split_url(site.base.url).path}"
        )
        message = f"robots.txt forbids {bot} to fetch any page{site.if_default}. Remove {rule}."
        yield robots.at(), message


@rule("warning")
def robots_sitemap_line_missing(robots: RobotsFile, site: Site) -> Findings:
    """robots.txt does not mention the sitemap.

    Only search engines to which you have submitted the sitemap find it.
    Add a line `Sitemap:` with the full address. `sitemap-docs build` does this.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    if site.sitemaps and not robots.parsed.sitemaps:
        add = "If this is the default version, add this line" if site.if_default else "Add this line"
        sitemap_line = f"Sitemap: {site.base.loc(site.sitemaps[0].name)}"
        yield robots.at(), f"robots.txt does not list the sitemap. {add}: {sitemap_line}"


@rule("error")
def robots_sitemap_relative(robots: RobotsFile) -> Findings:
    """A `Sitemap:` line has no full address.

    Search engines ignore it.
    Write the address with https:// and the host.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    for line in robots.parsed.sitemaps:
        if not split_url(line.value).netloc:
            message = (
                f"The `Sitemap:` line has {line.value!r}, which is not a full address. Write the address "
                "with https:// and the host."
            )
            yield robots.at(line.number), message


@rule("error")
def robots_sitemap_file_missing(robots: RobotsFile, site: Site) -> Findings:
    """A `Sitemap:` line leads to a file that does not exist.

    Search engines report an error and read no sitemap.
    Build the sitemap, or correct the line.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    for line in robots.parsed.sitemaps:
        if not site.is_ours(line.value) or site.file_of(line.value):
            continue
        # Builds of other versions or languages are often deployed next to this one, below the same base URL.
        # A platform that serves each version at an address of its own deploys nothing else below it.
        folder = (site.served.path_of(line.value) or "").rpartition("/")[0]
        is_of_version = site.hosting.crawled_robots == "of the default version"
        if not folder or folder in site.folders or is_of_version:
            message = (
                f"The site has no file for the sitemap {line.value}{site.if_default}. Build the sitemap, or "
                "correct the line."
            )
            yield robots.at(line.number), message


@rule("info")
def robots_sitemap_other_host(robots: RobotsFile, site: Site) -> Findings:
    """A `Sitemap:` line leads to a sitemap on another host, for example on the domain before a move.

    Search engines still read that sitemap, and its addresses may be old.
    Remove the line. If the sitemap is needed, list it in the option `extra_sitemaps`.
    Source: sitemaps.org: the sitemap in robots.txt,
    https://www.sitemaps.org/protocol.html#submit_robots
    """
    expected = set(extra_sitemaps(site.build.options.extra_sitemaps, site.base))
    try:
        users_lines = remove_our_lines(robots.data)  # The other lines come from the option of the build.
    except SitemapError:
        return  # The rule robots-not-utf8 reports the file.
    users_sitemaps = {line.value for line in parse_robots(users_lines or b"").sitemaps}
    host = host_of(site.base.url)
    for line in robots.parsed.sitemaps:
        is_elsewhere = split_url(line.value).netloc and host_of(line.value) != host
        if is_elsewhere and line.value in users_sitemaps - expected:
            message = (
                f"robots.txt lists the sitemap {line.value}, which is on another host than {site.base.url}. "
                "If the line was written before a move of the site, remove it. If the sitemap is needed, "
                "list it in the option `extra_sitemaps`."
            )
            yield robots.at(line.number), message


@rule("error")
def listed_url_disallowed(url: Url, site: Site) -> Findings:
    """robots.txt forbids a listed address.

    Search engines cannot fetch the page, and Search Console reports an error.
    Allow the address, or remove it from the sitemap.
    Source: Google: introduction to robots.txt,
    https://developers.google.com/search/docs/crawling-indexing/robots/intro
    """
    bot = _forbidden(url.loc, site)
    if bot and site.is_ours(url.loc):
        message = (
            f"robots.txt forbids {bot} to fetch this address{site.if_default}. Allow it, or remove it from "
            "the sitemap."
        )
        yield url.place, message


@rule("error")
def sitemap_disallowed(sitemap: Sitemap, site: Site) -> Findings:
    """robots.txt forbids a sitemap.

    Search engines do not read the sitemap, even if a `Sitemap:` line mentions it.
    Allow it: add a line `Allow:` to the rules that forbid it.
    Source: RFC 9309, section 2.2.2,
    https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2
    """
    bot = _forbidden(site.base.loc(sitemap.name), site)
    if bot:
        path = f"{split_url(site.base.url).path}{sitemap.name}"
        message = (
            f"robots.txt forbids {bot} to fetch the sitemap{site.if_default}. Add `Allow: {path}` to "
            "robots.txt."
        )
        yield sitemap.place, message


def _forbidden(url: str, site: Site) -> str:
    """Return the search engine crawlers that robots.txt blocks from a URL: ``Googlebot and bingbot``.

    Return ``""`` if robots.txt also blocks the home page, because another rule reports a blocked site.
    """
    robots = site.robots
    if robots is None or robots.forbids(site.base.url):
        return ""
    return robots.forbids(url)


@rule("warning")
def assets_disallowed(robots: RobotsFile, site: Site) -> Findings:
    """robots.txt forbids style sheets or scripts of the site.

    Google renders pages like a browser. Without these files, it sees a broken page.
    Allow them.
    Source: Google: introduction to robots.txt,
    https://developers.google.com/search/docs/crawling-indexing/robots/intro
    """
    if robots.forbids(site.base.url):
        return
    assets = [file for file in site.files if file.endswith((".css", ".js"))]
    forbidden = [file for file in assets if robots.forbids(site.base.loc(file))]
    if forbidden:
        number = f"{len(forbidden):,} of the style sheets and scripts"
        message = (
            f"robots.txt forbids {number}{site.if_default}, for example {min(forbidden)}. Allow them, so "
            "that search engines can render the pages."
        )
        yield robots.at(), message


@rule("warning")
def disallow_hides_noindex(page: HtmlPage, site: Site) -> Findings:
    """robots.txt forbids a page that has noindex.

    Crawlers never see the noindex, so search results may show the address without a description.
    Allow the page, so that search engines see the noindex.
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    bot = _forbidden(page.loc, site)
    if page.head.noindex and bot:
        message = (
            f"robots.txt forbids {bot} to fetch this page{site.if_default}, so its noindex has no effect. "
            "Allow the page in robots.txt."
        )
        yield page.place, message
