"""Write redirects for pages of older versions that have moved, in a format such as ``netlify``."""

from sitemap_docs.build import reported_findings
from sitemap_docs.diff import RedirectForm, redirect_lines
from sitemap_docs.join.joining import Joined, find_redirects
from sitemap_docs.join.request import JoinRequest
from sitemap_docs.publish import Published
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many
from sitemap_docs.tree import OpenedTree


def join_redirects(opened: OpenedTree, request: JoinRequest, form: RedirectForm) -> Joined:
    """Return redirects for pages that have moved since older versions, in a format such as ``netlify``.

    No file is written. ``opened`` is the folder with all versions, and ``request`` contains the options of
    ``sitemap-docs join``.

    Raises:
        SitemapError: A version, or the file with the decisions of its last build, cannot be used.
    """
    found = find_redirects(opened, request)
    redirects = redirect_lines(found.moved_pages, form)
    findings = [*opened.findings]
    if redirects.problem:
        findings.append(redirect_unsupported(redirects.problem))
    if found.unknown:
        first = found.unknown[0]
        findings.append(redirect_unknown(len(found.unknown), first).at(first))
    shown = reported_findings(opened.project, findings)
    return Joined(published=Published(findings=shown), redirects=redirects.lines)


@reported()
def redirect_unknown(number: int, first: str) -> str:
    """A page of an older version is missing in the canonical version, and its new address is unknown.

    Readers who change to the canonical version get a 404 error.
    If another page replaces it, redirect the address to that page. Otherwise, ignore this rule.
    Wrong: `/1.0/a.html` exists, `/2.0/a.html` does not, and its source was deleted in git
    Right: `/2.0/a.html /2.0/guide/a.html 301` in the file `_redirects`
    Source: sitemap-docs: the page Redirects for pages that moved
    """
    unknown = "its new address is" if number == 1 else "their new addresses are"
    return (
        f"{many(number, 'page')} of older versions cannot be redirected, because {unknown} unknown: git "
        f"shows no rename. For example, {first} does not exist. If another page replaces it, redirect it "
        "yourself."
    )


@reported_text()
def redirect_unsupported(message: str) -> None:
    """A page has moved, but the chosen format of redirects cannot express the redirect.

    The printed redirects do not contain the page, so readers get a 404 error at its old address.
    Redirect the page yourself, or choose another format, such as `netlify`.
    Wrong: `--redirects mkdocs-redirects`, if a plugin changes the addresses of pages
    Right: `--redirects netlify`
    Source: sitemap-docs: the page Redirects for pages that moved
    """
