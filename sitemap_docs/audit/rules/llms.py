"""Rules about files for AI agents: llms.txt, and the Markdown versions of pages."""

import re
from collections.abc import Iterator

from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.registry import Findings, rule
from sitemap_docs.audit.site import Site, TextFile
from sitemap_docs.audit.sitemap_file import Url
from sitemap_docs.urls.base import resolve

_MARKDOWN = (".md", ".markdown")
# A link as Markdown has it inline: with a title, in angle brackets, with parentheses in pairs.
_LINK = re.compile(r"\]\(\s*(?:<([^<>]*)>|((?:[^\s()<>]|\([^\s()]*\))+))(?=\s*\)|\s+[\"'])")
_TITLE = re.compile(r"^\ufeff?#[ \t]+\S|^=+$", re.MULTILINE)
_FENCE = re.compile(r"\s*(```|~~~)")


def _links(llms: TextFile, site: Site) -> Iterator[tuple[int, str, str]]:
    """Yield each link in llms.txt: the line number, the link as written, and its absolute URL."""
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
def llms_incomplete(llms: TextFile, site: Site) -> Findings:
    """llms.txt has no title or no link.

    The format requires a title, and agents find pages only through the links.
    Begin the file with the name of the project, `# Project`, and link to the important pages.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    lacking = []
    if not _TITLE.search(llms.text):
        lacking.append("title (`# Project`)")
    if "://" not in llms.text and next(_links(llms, site), None) is None:
        lacking.append("link")
    if lacking:
        yield llms.at(), f"llms.txt has no {' and no '.join(lacking)}. Add what is missing."


@rule("warning")
def llms_link_missing_file(llms: TextFile, site: Site) -> Findings:
    """A link in llms.txt leads to a page that does not exist.

    Agents get a 404.
    Build llms.txt with the site.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    for line, href, url in _links(llms, site):
        if site.is_lost(url):
            message = (
                f"llms.txt links to {href}, but the site has no file for this address. Build llms.txt "
                "together with the site, or correct the link."
            )
            yield llms.at(line), message


@rule("warning")
def llms_link_left_out(llms: TextFile, site: Site) -> Findings:
    """A link in llms.txt leads to a redirect, or to a page that is marked noindex.

    llms.txt recommends a page that has moved, or that the site hides from search engines.
    Link to the target of the redirect. Remove the link to a hidden page, or its noindex.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    for line, href, url in _links(llms, site):
        page = site.page_of(url)
        end = site.redirects.end_of(url)
        if end not in ("", url):  # Another rule reports a circle of redirects.
            message = (
                f"llms.txt links to {href}, which redirects to {end}. Change the link to the second address."
            )
            yield llms.at(line), message
        elif page and page.noindex:
            message = f"llms.txt links to {href}, which is marked noindex. Remove the link or the noindex."
            yield llms.at(line), message


@rule("warning")
def markdown_twin_missing(page: HtmlPage, site: Site) -> Findings:
    """A page has a link to its Markdown version, but that file does not exist.

    Agents that request the file get a 404.
    Build the Markdown files with the site, or remove the link from the theme.
    Source: llmstxt.org: the specification,
    https://llmstxt.org
    """
    for href in page.head.markdown:
        url = page.head.absolute(href, page.loc)
        if site.is_ours(url) and not site.file_of(url):
            message = (
                f"The page links to its Markdown version {href}, but the site has no such file. Build the "
                "file, or remove the link."
            )
            yield page.place, message


@rule("warning")
def markdown_twin_listed(url: Url, site: Site) -> Findings:
    """A sitemap lists a Markdown file.

    Search engines show the file as a page of text that competes with the rendered page.
    List only the page. Agents find its Markdown version through llms.txt, or through a link in its head.
    Source: Google: file types that are indexed,
    https://developers.google.com/search/docs/crawling-indexing/indexable-file-types
    """
    file = site.file_of(url.loc)
    if file and file.lower().endswith(_MARKDOWN):
        yield url.place, "This address is a Markdown file. List only the HTML page."
