"""Decide which page of the canonical version replaces a page of an old version.

Usually, the page at the same path replaces the old page: ``2.0/a.html`` replaces ``1.0/a.html``. If the page
has moved, a redirect in the canonical version shows the new address. Without a redirect, the record of the
canonical version and git may show the new address, see ``history/moved_pages.py``.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.history.moved_pages import MovedPage, find_moved_pages
from sitemap_docs.html.head import Head
from sitemap_docs.html.marks import read_unmarked
from sitemap_docs.listing.error_pages import is_error_page
from sitemap_docs.listing.indexing import canonical_links, exclusion_of
from sitemap_docs.model import Reason, Row
from sitemap_docs.output.record import Record
from sitemap_docs.surroundings import Environment
from sitemap_docs.urls.base import Base, resolve, without_query
from sitemap_docs.urls.link_styles import address
from sitemap_docs.webroot import Webroot

_MOST_REDIRECTS = 5
"""The largest number of redirects in a row that are followed."""

ReplacementKind = Literal["same", "moved", "gone"]
"""``same``: a page has the same path. ``moved``: the page has a new path. ``gone``: no page is known."""


class CanonicalVersion(NamedTuple):
    """The version that search engines should show instead of old versions.

    Attributes:
        folder: The folder of the version, such as ``2.0/``. The top folder is ``""``.
        others: The folders of other versions, which may be inside of ``folder``.
    """

    folder: str
    others: frozenset[str] = frozenset()

    def covers(self, path: str) -> bool:
        """Check whether a file such as ``2.0/a.html`` belongs to this version."""
        return path.startswith(self.folder) and not files.is_below_any(path, self.others)


class Replacement(NamedTuple):
    """The new page that replaces a page of an old version.

    Attributes:
        kind: Whether the new page is at the same path, at another path, or does not exist.
        url: The address of the new page, or ``""`` if it does not exist.
        moved_page: The old and the new page, if a renamed source file in git shows where the page is now.
    """

    kind: ReplacementKind
    url: str = ""
    moved_page: MovedPage | None = None


GONE = Replacement("gone")


def find_replacements(
    webroot: Webroot,
    canonical: CanonicalVersion,
    paths: Iterable[str],
    records: Mapping[str, Record],
    environ: Environment,
) -> dict[str, Replacement]:
    """Find the new page for each page of an old version.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        canonical: The version with the new pages.
        paths: The paths of the old pages inside their versions, such as ``guide/a.html``.
        records: The results of builds, by the path of the version, such as ``2.0/``.
        environ: The environment variables for git.

    Returns:
        The new page for each old page, by the path of the old page.
    """
    replacements = {path: _find_replacement(webroot, canonical, path) for path in dict.fromkeys(paths)}
    gone = [path for path, replacement in replacements.items() if replacement.kind == "gone"]
    if canonical.folder in records and gone:
        replacements |= _find_renamed(webroot, canonical, gone, records, environ)
    return replacements


def _find_renamed(
    webroot: Webroot,
    canonical: CanonicalVersion,
    paths: Iterable[str],
    records: Mapping[str, Record],
    environ: Environment,
) -> Iterator[tuple[str, Replacement]]:
    """Find the new page for each old page whose source file was renamed in git.

    For example, if git renamed ``a.md`` to ``b.md``, the page ``b.html`` replaces ``a.html``.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        canonical: The version with the new pages.
        paths: The paths of old pages without a page at the same path.
        records: The results of builds, by the path of the version. The version ``canonical`` is included.
        environ: The environment variables for git.

    Yields:
        The path of an old page, and its new page.
    """
    folder_url = webroot.base.loc(canonical.folder)
    record = records[canonical.folder]
    old_rows: list[Row] = []
    for folder, old_record in records.items():
        if folder != canonical.folder:
            old_rows += _pages_in_folder(old_record, folder_url)
    # An old page may have another style of addresses than the new pages.
    addresses = {path: _possible_addresses(webroot.base, canonical.folder + path) for path in paths}
    all_addresses = [loc for locs in addresses.values() for loc in locs]
    rows = [*_pages_in_folder(record, folder_url)]
    moved_pages = find_moved_pages(all_addresses, rows, environ, old_rows)
    for path, locs in addresses.items():
        found = {}
        for loc in locs:
            moved_page = moved_pages.get(loc)
            if isinstance(moved_page, MovedPage):
                found[moved_page.row.loc] = moved_page
        if len(found) != 1:
            continue
        (moved_page,) = found.values()
        file = canonical.folder + moved_page.row.file
        url = ""
        if files.find_inside(webroot.folder, file):
            url = _address_in_search(webroot, canonical, file)
        if url:
            old_loc = webroot.base.loc(address(canonical.folder + path, "folders"))
            yield path, Replacement("moved", url, moved_page._replace(loc=old_loc))


def _pages_in_folder(record: Record, folder_url: str) -> Iterator[Row]:
    """Yield the pages of a build, with addresses as if the build was deployed at ``folder_url``.

    For example, with ``https://example.org/stable/``, the address ``https://example.org/1.0/a/`` becomes
    ``https://example.org/stable/a/``.
    """
    for row in record.rows():
        if row.loc.startswith(record.base):
            yield row._replace(loc=folder_url + row.loc.removeprefix(record.base))


def _possible_addresses(base: Base, name: str) -> list[str]:
    """Return all addresses that a page may have: with ``.html``, with a slash, and without both endings.

    ``name`` is the path of the page. For ``a.html`` and for ``a/index.html``, the addresses are the same.
    """
    stem = address(name, "bare")
    paths = [stem, f"{stem}.html", f"{stem}/"] if stem else [""]
    return [base.loc(path) for path in paths]


def _find_replacement(webroot: Webroot, canonical: CanonicalVersion, path: str) -> Replacement:
    """Find the new page for an old page: a page at the same path, or the target of a redirect.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        canonical: The version with the new pages.
        path: The path of the old page inside its version, such as ``guide/a.html``.
    """
    name = canonical.folder + path
    # A page may have changed from a.html to a/index.html since.
    file = webroot.file_at(name) or webroot.file_at(address(name, "bare"))
    if file and canonical.covers(file):
        url = _address_in_search(webroot, canonical, file)
        if url:
            return Replacement("same", url)
    for loc in _served_addresses(webroot, name):
        url = _find_target(webroot, canonical, loc)
        if url:
            return Replacement("moved", url)
    return GONE


def is_missing(webroot: Webroot, canonical: CanonicalVersion, path: str) -> bool:
    """Check whether the version with the new pages has no file at the path of an old page.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        canonical: The version with the new pages.
        path: The path of the old page inside its version, such as ``guide/a.html``.
    """
    return not any(map(webroot.file_of, _served_addresses(webroot, canonical.folder + path)))


def needs_replacement(path: str, head: Head, loc: str) -> bool:
    """Check whether readers of an old page need a new page.

    They need no new page if the old page is a redirect, an error page or an HTML fragment.

    Args:
        path: The path of the old page inside its version.
        head: The head of the old page.
        loc: The address of the old page.
    """
    return not (is_error_page(path) or head.template or head.refresh_elsewhere(loc))


def _served_addresses(webroot: Webroot, name: str) -> Iterator[str]:
    """Yield the URLs at which a host may serve a file, such as ``…/a/`` and ``…/a`` for ``a/index.html``."""
    for path in dict.fromkeys((address(name, "folders"), name, address(name, "bare"))):
        yield webroot.base.loc(path)


def _find_target(webroot: Webroot, canonical: CanonicalVersion, loc: str) -> str:
    """Follow all redirects from the address ``loc``, and return the address of the page at the end.

    If there is no redirect, or if search engines may not show the page at the end, return ``""``.
    """
    steps = [*follow_redirects(webroot, loc)]
    last = steps[-1]
    has_end = len(steps) > 1 and not last.target
    if not has_end or last.file is None or files.is_below_any(last.file, canonical.others):
        return ""
    return _address_in_search(webroot, canonical, last.file)


class RedirectStep(NamedTuple):
    """An address in a chain of redirects: the first one, or an address to which a redirect leads.

    Attributes:
        url: The address.
        file: The file at this address, or None.
        target: The address to which this address redirects, or ``""`` at the end of the chain.
    """

    url: str
    file: str | None
    target: str


def follow_redirects(webroot: Webroot, loc: str) -> Iterator[RedirectStep]:
    """Yield an address, then the address to which it redirects, and so on until the last address.

    The redirects are pages with a meta refresh, or rules of the host.
    """
    url = loc
    for _ in range(_MOST_REDIRECTS + 1):
        file = webroot.file_of(url)
        target = _redirect_of(webroot, url, file)
        yield RedirectStep(url, file, target)
        if not target:
            return
        url = without_query(target)


def _redirect_of(webroot: Webroot, url: str, file: str | None) -> str:
    """Return the address to which ``url`` redirects, or ``""`` if there is no redirect.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
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
    """Return the address under which search engines may show a page, or ``""`` if they may not show the page.

    The address is usually that of the file. If the page has a canonical link to a page of the same version,
    the
    address is the one in this link.

    Args:
        webroot: The folder with all versions, as its host serves it.
        canonical: The version of the documentation with the page.
        file: The path of the page's file below the folder, such as ``2.0/a.html``.
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
