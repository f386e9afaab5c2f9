"""Rules about what agents read: llms.txt, and the Markdown twins of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import HtmlPage, Site, TextFile, Url
from sitemap_docs.text import many
from sitemap_docs.urls.base import resolve

_MARKDOWN = (".md", ".markdown")
# A link as Markdown has it inline: with a title, in angle brackets, with parentheses in pairs.
_LINK = re.compile(r"\]\(\s*(?:<([^<>]*)>|((?:[^\s()<>]|\([^\s()]*\))+))(?=\s*\)|\s+[\"'])")
_FENCE = re.compile(r"\s*(```|~~~)")


def _links(llms: TextFile, site: Site) -> Iterator[tuple[int, str, str]]:
    """The links of its lists and of its prose: line, address as written, and absolute."""
    own = site.base.loc(llms.name)
    fence = ""
    for number, line in enumerate(llms.text.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and fence == mark[1]:
            fence = ""
        if fence:
            continue
        for bracketed, plain in _LINK.findall(line):
            href = bracketed.replace(" ", "%20") or plain
            yield number, href, resolve(own, href).partition("#")[0]


@rule("warning")
def llms_link_missing_file(llms: TextFile, site: Site) -> Findings:
    """A link in llms.txt leads to a page that does not exist.

    Agents get a 404.
    Build llms.txt with the site.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    for line, href, url in _links(llms, site):
        if site.is_ours(url) and not site.is_served(url):
            yield llms.at(line), f"No file found for {href}. Build llms.txt with the site."


@rule("warning")
def llms_link_left_out(llms: TextFile, site: Site) -> Findings:
    """A link in llms.txt leads to a redirect, or to a page that is marked noindex.

    llms.txt and the page contradict each other: the one recommends what the other moves away or hides.
    Link to the page that readers should get, or remove the mark.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    for line, href, url in _links(llms, site):
        page = site.page_of(url)
        target = site.redirect_of(url)
        if target:
            yield llms.at(line), f"{href} redirects to {target}. Link to that address."
        elif page and page.noindex:
            yield llms.at(line), f"{href} is marked noindex. Remove the link, or the mark."


@rule("info")
def llms_coverage(llms: TextFile, site: Site) -> Findings:
    """llms.txt does not name every page that the sitemap lists.

    Agents that start there do not see the others. The file is for a selection, which may be what you want.
    Add the pages that matter.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    linked = {site.twin_of(url) for _, _, url in _links(llms, site)}
    pages = [page for page in site.listed if page is not site.page_of(site.base.url)]  # the home of llms.txt
    missing = [page for page in pages if page not in linked]
    if missing:
        full = " llms-full.txt is there, too." if "llms-full.txt" in site.files else ""
        number = f"{len(pages) - len(missing):,} of {many(len(pages), 'listed page')} besides the home page"
        yield llms.at(), f"It links to {number}, not to {missing[0].loc}.{full}"


@rule("warning")
def markdown_twin_missing(page: HtmlPage, site: Site) -> Findings:
    """A page names a Markdown version of itself that does not exist.

    Agents that ask for it get a 404.
    Build the Markdown files with the site, or remove the link from the theme.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    for href in page.head.markdown:
        url = page.head.absolute(href, page.loc)
        if site.is_ours(url) and not site.file_of(url):
            yield page.place, f"No file found for the Markdown version {href}. Build it, or remove the link."


@rule("warning")
def markdown_twin_listed(url: Url, site: Site) -> Findings:
    """A sitemap lists a Markdown file.

    Engines index it as a page of text that competes with the rendered page.
    List the page alone; agents find its Markdown version by llms.txt, or by a link in its head.
    Source: Google: file types that are indexed,
    https://developers.google.com/search/docs/crawling-indexing/indexable-file-types
    """
    file = site.file_of(url.loc)
    if file and file.lower().endswith(_MARKDOWN):
        yield url.place, "The address is that of a Markdown file. List the rendered page alone."
