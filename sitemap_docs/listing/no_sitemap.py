"""The reasons for having no sitemap. The entry point, the record and its readers pass the same value on."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sitemap_docs.config.options import Options
from sitemap_docs.files import translated_errors
from sitemap_docs.hosting import find_preview
from sitemap_docs.html.head import read_head
from sitemap_docs.listing.selection import Decision, has_file
from sitemap_docs.model import Fact, Finding, NoSitemap, Page, Reason
from sitemap_docs.rules import reported
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform

NOINDEX = '<meta name="robots" content="noindex">'
"""The element in every page of a version that the option ``noindex_versions`` hides."""

KEPT = NoSitemap("own file", "the sitemap that exists is kept")
DISABLED = NoSitemap(
    "off", "`enabled` is false, so this build writes no sitemap, and the host writes its own"
)


def of_preview(platform: Platform, base: Base, options: Options) -> NoSitemap | None:
    """Return why a preview deployment has no sitemap.

    For other deployments, or if the option ``previews`` is set, return None.
    """
    preview = find_preview(platform, base)
    if options.previews or not preview:
        return None
    return NoSitemap("preview", f"a preview deployment, {preview} (see the option `previews`)")


def of_version(version: str, *, has_base: bool = True) -> NoSitemap | None:
    """Return the reason why a version has no sitemap: search engines should not show it.

    ``version`` is the name of the version if all its pages have ``noindex``. Otherwise, it is ``""``, and the
    function returns None. ``has_base`` says whether the site has a base URL.
    """
    if not version:
        return None
    words = f"version {one_line(version)} has no base URL, and all its pages have noindex"
    if has_base:
        words = f"every page has a noindex (the option `noindex_versions` names {one_line(version)})"
    return NoSitemap("version", words)


def elsewhere(url: str, base: Base, by: str = "") -> NoSitemap:
    """Return the reason for having no sitemap: all canonical links lead to another site.

    ``url`` is the base URL or a page of the other site. ``by`` is the setting that has caused the links, or
    ``""``.
    """
    words = f"the canonical links of the pages below {base.url} lead to {one_line(url)}"
    if by:
        words += f", by {by}"
    return NoSitemap("elsewhere", words)


def of_pages(decisions: Iterable[Decision], base: Base, by: str) -> NoSitemap | None:
    """Return why there is no sitemap if all canonical links lead to another site, otherwise None.

    ``by`` is the setting that has caused the links, or ``""``.
    """
    first = ""
    for decision in decisions:
        if decision.reason not in (None, Reason.CANONICAL):
            continue
        if decision.reason is None or base.path_of(decision.target) is not None:
            return None
        first = first or decision.target
    return elsewhere(first, base, by) if first else None


def no_base(local: str = "") -> NoSitemap:
    """Return the reason why there is no sitemap: the base URL is missing, or it is local.

    ``local`` is a URL such as ``http://localhost/``, or ``""``.
    """
    words = "no base URL"
    if local:
        words += f" but {local}, which only this machine can reach"
    return NoSitemap("no base URL", words)


def without_noindex(pages: Iterable[Page]) -> Iterator[Finding]:
    """Yield a warning if pages lack the ``noindex`` tag, although their version should have it."""
    missing = []
    for page in pages:
        if Fact.STATIC in page.facts or not has_file(page):
            continue
        with translated_errors(Path(page.file), "read"):
            head = read_head(page.file)
        if not head.noindex:
            missing.append(page)
    if missing:
        yield noindex_missing(len(missing), one_line(missing[0].names[0]))


@reported()
def noindex_missing(number: int, first: str) -> str:
    """Pages of a version in the option `noindex_versions` have no noindex.

    Search engines list these pages.
    Their template must output the block `metatags` in the head, or contain the element itself.
    Wrong: `<head><title>{{ title }}</title></head>`
    Right: `<head>{{ metatags }}<title>{{ title }}</title></head>`
    Source: Google: block indexing with noindex,
    https://developers.google.com/search/docs/crawling-indexing/block-indexing
    """
    return (
        f"{many(number, 'page')} of this version should have noindex, but do not, such as {first}, because "
        "the template does not output `metatags`, or has no <head>. Add to the <head> of the template: "
        f"{NOINDEX}"
    )
