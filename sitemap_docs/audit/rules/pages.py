"""Rules about the pages of a built site, and about which of them the sitemap lists."""

import os
import re

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, Location, rule
from sitemap_docs.audit.site import Site
from sitemap_docs.audit.sitemap_file import Url
from sitemap_docs.config.dates import Date, past_robots_date
from sitemap_docs.config.directives import DIRECTIVES
from sitemap_docs.config.patterns import PLACEHOLDER
from sitemap_docs.files import is_repository, read_inside
from sitemap_docs.listing.home_page import missing_home_of_folder
from sitemap_docs.model import Reason
from sitemap_docs.output.existing import our_files
from sitemap_docs.programs import github
from sitemap_docs.programs.sphinx import UNTITLED
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.webroot import MAX_HOPS

MAX_HTML = 2_097_152
"""Bytes of a page that Google reads, unpacked."""
SCRIPTED = 8_192
"""Bytes: a page that only redirects by a script is smaller."""
_UTILITY = {
    Reason.NOT_FOUND: "The sitemap lists the error page.",
    Reason.GENERATED: "The sitemap lists a generated page that has no source document.",
    Reason.DRAFT: "The sitemap lists a draft.",
}
_REDIRECT = re.compile(rb"\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:replace|assign)\s*\(")


@rule("error")
def target_missing(entry: Url, site: Site) -> Findings:
    """The file of a listed page, image or sitemap does not exist.

    Crawlers get a 404. Search engines trust a sitemap with many such entries less.
    Build the sitemap with the site, not before it, and remove the files of earlier builds.
    Source: Google: build and submit a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap
    """
    doubled = "//" in entry.loc.partition("://")[2]  # servers differ; loc-duplicate-slash reports it
    if not doubled and site.is_lost(entry.loc):
        if site.file_of(entry.loc):
            message = (
                "The host answers this address with an error, because of a rule. Remove the rule from "
                "`_redirects` or netlify.toml, or remove the address from the sitemap."
            )
        else:
            message = "The site has no file for this address. Build the sitemap again, or remove the entry."
        yield entry.place, message
    for image in entry.images:
        if site.is_lost(image):
            message = (
                f"The sitemap lists the image {image}, but the site has no file for this address. Build the "
                "sitemap again."
            )
            yield entry.place, message


@rule("warning", once=True)
def page_not_listed(page: HtmlPage, site: Site) -> Findings:
    """The sitemap lacks a page that search engines may show.

    They find the page late or never, and do not get the date of its changes.
    List the page, add noindex to it, or exclude it in the configuration.
    Source: Google: what is a sitemap,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview
    """
    if page.url or not site.urls or page.reason or page.unknown:
        return
    if (page.head.title or "").startswith(UNTITLED):
        return  # a document of Sphinx without a title: most are only parts of others
    if page.loc == site.base.url:
        data = read_inside(site.build.output, page.file, SCRIPTED)
        if len(data) < SCRIPTED and _REDIRECT.search(data):
            return  # a home page that only chooses a language, by a script
    if site.robots and site.robots.forbids(page.loc):
        return
    if site.generators and page.generator not in site.generators:
        return  # a static file: it names another generator than the listed pages, or none
    folder, _, path = page.file.partition("/")
    if folder_language(folder):
        twins = filter(None, (site.by_file.get(f"{below}{path}") for below in ("", *site.language_folders)))
        if any(twin.url for twin in twins):
            return  # a sitemap lists the page in another language
    message = (
        "No sitemap lists this page, although search engines may index it. To list it, build the sitemap "
        "again. Otherwise, mark it noindex, or exclude it in the configuration."
    )
    yield page.place, message


@rule("error")
def noindex_listed(page: HtmlPage) -> Findings:
    """A listed page has noindex.

    Search engines do not show the page, and trust the sitemap less. Search Console reports an error.
    Remove the page from the sitemap, or remove the noindex.
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    if page.url and page.exclusion and page.noindex:
        by = f" by {page.exclusion.detail}" if page.exclusion.detail else ""
        message = (
            f"The sitemap lists this page, although it is marked noindex{by}. Remove the page from the "
            "sitemap, or remove the noindex."
        )
        yield page.place, message


@rule("warning")
def home_missing(site: Site) -> Findings:
    """The site has pages, but no index.html at its root.

    Visitors of the base URL get an error. Or the folder is above the site, and all addresses are wrong.
    Pass the folder into which the site is built, or add a home page. Otherwise, ignore the finding.
    Source: sitemap-docs: the page Any folder of HTML
    """
    # The web server may redirect the address of a tree, for example to a language.
    is_tree = any(mark.joined for mark in our_files(site.build.output).values())
    if is_tree or site.expects_none:
        return
    names = [page.file for page in site.pages]
    finding = missing_home_of_folder(site.served, names, site.build.surroundings.here)
    if finding:
        yield site.place, finding.message


@rule("warning")
def unavailable_after_past(page: HtmlPage, site: Site) -> Findings:
    """A listed page has a date in `unavailable_after` that is over, in its head or in a header of the host.

    Google removes the page from its results at that date, but the sitemap still lists the page.
    Correct the date, or add noindex to the page, so that the build leaves it out.
    Source: Google: the directive unavailable_after,
    https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag#unavailable_after
    """
    if not page.listed or page.noindex:
        return
    now = site.build.surroundings.now
    of_page = past_robots_date(page.head.unavailable_after, now)
    of_host = past_robots_date(site.served.headers.unavailable_after(page.loc), now)
    if of_page:
        yield page.place, no_longer_shown(of_page, "the robots meta tag of the page")
    if of_host:
        yield page.place, no_longer_shown(of_host, "the header X-Robots-Tag of the host")


def no_longer_shown(date: Date, origin: str) -> str:
    """Return the message that Google has stopped showing a page on a certain date.

    Args:
        date: The date in ``unavailable_after``, an instruction to search engines.
        origin: The tag or header with the date, such as ``the robots meta tag of the page``.
    """
    return (
        f"Google has not shown this page since {date.last:%Y-%m-%d}, because of `unavailable_after` in "
        f"{origin}. Correct this date, or mark the page noindex."
    )


@rule("warning")
def robots_directive_unknown(page: HtmlPage) -> Findings:
    """A robots meta tag has a directive that no search engine supports.

    Usually it is a typing error such as `no-index`, and search engines show the page.
    Correct the directive.
    Source: Google: robots meta tag,
    https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
    """
    # Directives with values, such as max-snippet, are many and change; a typing error rarely has one.
    for tag in page.head.robots:
        for directive in tag.directives:
            if directive.name not in DIRECTIVES and not directive.value:
                message = (
                    f"No search engine supports {directive.name!r} in the meta tag {tag.bot!r}. Correct or "
                    "remove it."
                )
                yield page.place, message


@rule("error")
def redirect_source_listed(url: Url, site: Site) -> Findings:
    """A listed address redirects, because of a rule of the host or a tag in the page.

    Search engines show the target, not the listed address.
    List the target, or remove the redirect from the page, `_redirects` or netlify.toml.
    Source: Google: redirects,
    https://developers.google.com/search/docs/crawling-indexing/301-redirects
    """
    visit = site.visitor.visit_page(url.loc)
    if visit.outcome.kind != "redirected":
        return
    target = visit.outcome.target
    page = site.by_file.get(visit.file or "")
    if not visit.has_refresh:
        message = (
            f"The host redirects this address to {target}. List the new address instead, or remove the "
            "redirect."
        )
        yield url.place, message
    elif page and page.url is url and page.reason is not Reason.NOT_FOUND:
        yield page.place, f"This page redirects to {target}. List that page instead."


@rule("error")
def redirect_target_missing(site: Site) -> Findings:
    """A redirect leads to a page that does not exist, in a circle, or through more than ten redirects.

    Readers and crawlers get an error. Search engines drop the old address and the links to it.
    Correct the target. After a second move, the first redirect needs the new address, too.
    Source: Google: redirects,
    https://developers.google.com/search/docs/crawling-indexing/301-redirects
    """
    redirects = [
        (page.place, page.loc) for page in site.pages if page.redirects and site.redirects.target_of(page.loc)
    ]
    for each in site.served.redirects.rules:  # of the host's, those for one address
        url = f"{each.origin or site.base.origin}{each.path}"
        if not PLACEHOLDER.search(each.path) and site.redirects.target_of(url):
            redirects.append((Location(url), url))
    for place, url in redirects:
        end = site.redirects.end_of(url)
        if not end:
            target = site.redirects.target_of(url)
            message = (
                f"{url} redirects to {target}, but after {MAX_HOPS} redirects there is still no page. "
                "Redirect it directly to a page."
            )
            yield place, message
        elif site.is_lost(end):
            message = (
                f"{url} redirects to {end}, but the site has no file for this address. Correct the target."
            )
            yield place, message


@rule("warning")
def utility_page_listed(page: HtmlPage) -> Findings:
    """The error page is listed, or a generated page such as a search form.

    Error pages, search forms, indexes and source listings compete with the documentation in search results.
    Remove the page from the sitemap. To list it on purpose, add a pattern such as `!genindex` to `excludes`.
    Source: Google: spam policies,
    https://developers.google.com/search/docs/essentials/spam-policies
    """
    if page.url and page.reason in _UTILITY and not page.noindex:
        yield page.place, f"{_UTILITY[page.reason]} Remove the page from the sitemap."


@rule("warning")
def html_too_large(page: HtmlPage, site: Site, *, at_most: int = MAX_HTML) -> Findings:
    """A listed page is larger than Google reads.

    Google reads the first 2 MB, unpacked. Text after them is in no search result, and links are not followed.
    Split the page, or move repeated or embedded content out of it.
    Source: Google: Googlebot,
    https://developers.google.com/search/docs/crawling-indexing/googlebot
    """
    if page.listed:
        size = os.stat(f"{site.build.output}/{page.file}").st_size  # noqa: PTH116  a Path of each page takes longer
        if size > at_most:
            message = f"The page has {size:,} bytes, but Google reads only {at_most:,}. Split it."
            yield page.place, message


@rule("error")
def nojekyll_missing(site: Site) -> Findings:
    """A branch for GitHub Pages has folders that begin with `_`, and no file `.nojekyll`.

    GitHub Pages builds the branch with Jekyll, which leaves out such folders. Crawlers and readers get a 404.
    Add an empty file `.nojekyll` at the root. `sphinx.ext.githubpages` and `mkdocs gh-deploy` write it.
    Source: GitHub: about GitHub Pages and Jekyll,
    https://docs.github.com/en/pages/setting-up-a-github-pages-site-with-jekyll/about-github-pages-and-jekyll
    """
    if ".nojekyll" in site.files or "_config.yml" in site.files:
        return
    # A workflow deploys without Jekyll, and what pushes a branch often adds the file: only the branch counts.
    folder = site.build.output
    is_branch = is_repository(str(folder)) or (folder.name == "docs" and is_repository(str(folder.parent)))
    if not is_branch or not github.may_serve(site.base.origin, site.files):
        return
    lost = [file for file in site.files if "/_" in f"/{file.rpartition('/')[0]}"]
    if lost:
        message = (
            f"GitHub Pages does not serve files in folders that begin with _, for example {min(lost)}. Add "
            "an empty file .nojekyll at the root of the site."
        )
        yield site.place, message


@rule("warning")
def title_missing(page: HtmlPage) -> Findings:
    """A listed page has no title.

    Search results then show its address, or text from the page.
    Give the page a heading. The theme turns it into the title.
    Source: Google: title links,
    https://developers.google.com/search/docs/appearance/title-link
    """
    if page.listed and not page.head.title:
        yield page.place, "The page has no <title>, or an empty one. Give the page a heading or a title."
