"""Decide which page of the canonical version replaces a page of an old version.

Usually, the page at the same path replaces the old page: ``2.0/a.html`` replaces ``1.0/a.html``. If the page
has moved, a redirect in the canonical version shows the new address. Without a redirect, git may show it.
"""

import os
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.html.marks import read_unmarked
from sitemap_docs.listing.indexing import canonical_links, exclusion_of
from sitemap_docs.model import Reason
from sitemap_docs.urls.base import resolve, without_query
from sitemap_docs.urls.link_styles import address
from sitemap_docs.webroot import Webroot

_MOST_REDIRECTS = 5
"""How many redirects are followed, one after the other."""

ReplacementKind = Literal["same", "moved", "gone"]
"""``same``: a page has the same path. ``moved``: the page has a new path. ``gone``: no page is known."""


class CanonicalVersion(NamedTuple):
    """The folder of the canonical version that belongs to some old versions.

    Attributes:
        folder: The path of the folder below the tree, such as ``2.0/``. The root of the tree is ``""``.
        others: The paths of old versions and of sites that are left out. Their pages replace no page, even if
            their folders are inside of ``folder``.
    """

    folder: str
    others: frozenset[str] = frozenset()

    def covers(self, path: str) -> bool:
        """Check whether a file or a page is in the canonical version."""
        return path.startswith(self.folder) and not files.is_below_any(path, self.others)


class Replacement(NamedTuple):
    """The page that replaces a page of an old version.

    Attributes:
        kind: Whether the page is at the same path, or has moved, or is gone.
        url: The address of the page that replaces the old page, or ``""`` if it is gone.
    """

    kind: ReplacementKind
    url: str = ""


GONE = Replacement("gone")


def find_replacements(
    webroot: Webroot, canonical: CanonicalVersion, paths: Iterable[str]
) -> dict[str, Replacement]:
    """Find the pages of the canonical version that replace some old pages.

    Args:
        webroot: The tree.
        canonical: The canonical version.
        paths: The paths of the old pages inside their versions, such as ``guide/a.html``.

    Returns:
        The replacement of each page, by path.
    """
    return {path: _find_replacement(webroot, canonical, path) for path in dict.fromkeys(paths)}


def _find_replacement(webroot: Webroot, canonical: CanonicalVersion, path: str) -> Replacement:
    """Find the page that replaces an old page, by the files and redirects of the canonical version."""
    name = canonical.folder + path
    # A page may have changed from a.html to a/index.html since.
    file = webroot.file_at(name) or webroot.file_at(address(name, "bare"))
    if file and canonical.covers(file):
        url = _address_in_search(webroot, canonical, file)
        if url:
            return Replacement("same", url)
    for loc in _old_addresses(webroot, name):
        url = _follow_redirects(webroot, canonical, loc)
        if url:
            return Replacement("moved", url)
    return GONE


def _old_addresses(webroot: Webroot, name: str) -> Iterator[str]:
    """Yield the addresses that an old page would have in the canonical version, in different styles."""
    for path in dict.fromkeys((address(name, "folders"), name, address(name, "bare"))):
        yield webroot.base.loc(path)


def _follow_redirects(webroot: Webroot, canonical: CanonicalVersion, loc: str) -> str:
    """Return the address of the page to which an address redirects, or ``""``.

    The redirect may be a rule of the host, for example in ``_redirects``, or a page with a meta refresh. It
    counts only if it leads to a page of this tree that search engines may list.
    """
    url = loc
    for _ in range(_MOST_REDIRECTS):
        file = webroot.file_of(url)
        target = _redirect_of(webroot, url, file)
        if target:
            url = without_query(target)
            continue
        if file is None or url == loc or files.is_below_any(file, canonical.others):
            return ""
        return _address_in_search(webroot, canonical, file)
    return ""


def _redirect_of(webroot: Webroot, url: str, file: str | None) -> str:
    """Return the address to which an address redirects, or ``""`` if it does not redirect.

    Args:
        webroot: The tree.
        url: The address.
        file: The file at the address, or None.
    """
    outcome = webroot.readable_redirects.find(url, existing=file is not None)
    if outcome and outcome.kind == "redirected":
        target = resolve(url, outcome.target)
        return target if without_query(target) != url else ""
    if file is None or not file.endswith(files.HTML_SUFFIXES):
        return ""
    return read_unmarked(webroot.folder, file).refresh_elsewhere(url)


def _address_in_search(webroot: Webroot, canonical: CanonicalVersion, file: str) -> str:
    """Return the address of a page as the canonical version spells it.

    Return ``""`` if the file is no page, or if search engines must not list the page.

    Args:
        webroot: The tree.
        canonical: The canonical version.
        file: The name of the file below the tree.
    """
    if not file.endswith(files.HTML_SUFFIXES):
        return ""
    head = read_unmarked(webroot.folder, file)
    loc = webroot.base.loc(address(file, "folders"))
    links = canonical_links(head, loc, webroot.folder / file, webroot.base, webroot.folder)
    exclusion = exclusion_of(head, loc, links)
    if head.template or (exclusion and exclusion.reason is not Reason.CANONICAL):
        return ""
    root = os.path.realpath(webroot.folder / canonical.folder)
    for url in head.canonical_urls(loc):
        target = webroot.file_of(url)
        if target is None or files.is_below_any(target, canonical.others):
            continue
        if files.is_inside(os.path.realpath(webroot.folder / target), root):
            return url
    return loc
