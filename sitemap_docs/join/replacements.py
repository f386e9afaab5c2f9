"""Find the page of the canonical version that replaces a page of an old version.

The canonical version is the version that search engines should show, such as ``2.0/``. Usually, the page at
the same path replaces the old page: ``2.0/a.html`` replaces ``1.0/a.html``. If the page has moved, a redirect
in ``2.0/`` shows the new address. Without a redirect, the record of the version and git may show the new
address, see ``history/moved_pages.py``. Without the record, a canonical link of an earlier join may show the
new address. Otherwise, the old page's own canonical link may show it.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.history.moved_pages import MovedPage, find_moved_pages
from sitemap_docs.html.head import Head
from sitemap_docs.html.marks import read_inserted_link, read_unmarked
from sitemap_docs.listing.address_style import BuiltAddresses
from sitemap_docs.listing.error_pages import is_error_page
from sitemap_docs.listing.indexing import canonical_links, find_exclusion, own_path, redirected_by_host
from sitemap_docs.model import Reason, Row, SitemapError, TreeSite
from sitemap_docs.output.record import Record
from sitemap_docs.surroundings import Environment
from sitemap_docs.tree import read_entries
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.link_styles import address
from sitemap_docs.webroot import FolderVisitor, Webroot, find_refresh_target

ReplacementKind = Literal["same", "moved", "gone"]
"""``same``: a page has the same path. ``moved``: the page has a new path. ``gone``: no page is known."""


class CanonicalVersion(NamedTuple):
    """A version that search engines should show instead of old versions, such as ``stable/``."""

    #: The folder, or ``""`` for the top folder.
    folder: str
    #: The folders of other versions, which may be inside ``folder``.
    others: frozenset[str] = frozenset()

    def covers(self, path: str) -> bool:
        """Check whether a file such as ``2.0/a.html`` belongs to this version."""
        return path.startswith(self.folder) and not self.is_in_other_version(path)

    def is_in_other_version(self, path: str) -> bool:
        """Check whether a file such as ``1.0/a.html`` belongs to another version."""
        return files.is_below_any(path, self.others)


class Replacement(NamedTuple):
    """What replaces an old page in the current version: the same page, a moved page, or nothing."""

    kind: ReplacementKind
    #: The address, such as ``https://example.com/2.0/guide/a.html``, or ``""`` if there is none.
    url: str = ""
    #: The old and the new source file, if git shows that the page has moved.
    moved_page: MovedPage | None = None


GONE = Replacement("gone")


class NewPages(NamedTuple):
    """The pages of the canonical version, which search engines should show instead of old versions."""

    webroot: Webroot
    canonical: CanonicalVersion
    #: The addresses of the pages.
    addresses: BuiltAddresses

    def address_of(self, path: str) -> str:
        """Return the URL that a file would have in the canonical version, even if the file does not exist.

        The canonical version is the version that search engines should show. ``path`` is relative to its
        folder.
        """
        return self.webroot.base.loc(self.addresses.spell(self.canonical.folder + path))


def find_new_pages(
    webroot: Webroot,
    canonical: CanonicalVersion,
    sites: Iterable[TreeSite],
    records: Mapping[str, Record],
) -> NewPages:
    """Return the pages of the version that search engines should show, with their addresses.

    ``canonical`` is that version. The addresses come from its sitemaps. ``records`` maps folders of versions,
    such as ``1.0/``, to the records of their builds. A record is the file with the decisions about all pages.

    Raises:
        SitemapError: A sitemap cannot be read.
    """
    listed = []
    for site in sites:
        if canonical.covers(site.path):
            for sitemap in site.joined_sitemaps:
                listed += [entry.loc for entry in read_entries(sitemap)]
    record = records.get(canonical.folder)
    generated = GeneratedPages(str(webroot.folder))
    links = record.links if record else "auto"
    addresses = BuiltAddresses(webroot, canonical.folder, listed, links, generated.is_flat_file)
    return NewPages(webroot, canonical, addresses)


class OldAddresses:
    """Finds where readers of ``1.0/a/`` arrive if they change to the version 2.0: at ``2.0/a/``."""

    def __init__(
        self, new_pages: NewPages, site: TreeSite | None, folder: str, records: Mapping[str, Record]
    ) -> None:
        """Read the addresses in the sitemaps of an old version.

        Args:
            new_pages: The pages of the canonical version.
            site: The old version, or None if it is unknown.
            folder: The folder of the old version, such as ``1.0/``.
            records: The record of each version, by its folder. A record is the file with the decisions of the
                last build.
        """
        self._new_pages = new_pages
        self._folder = folder
        webroot = new_pages.webroot
        listed: list[str] = []
        for sitemap in site.sitemaps if site else ():
            with suppress(SitemapError):  # The join reports a damaged sitemap.
                listed += [entry.loc for entry in read_entries(sitemap)]
        record = records.get(folder)
        self._addresses = None
        if listed or record:
            is_flat = GeneratedPages(str(webroot.folder)).is_flat_file
            links = record.links if record else "auto"
            self._addresses = BuiltAddresses(webroot, folder, listed, links, is_flat)

    def find(self, path: str) -> str:
        """Return the URL that an old page would have in the current version.

        For ``a/index.html`` in 1.0, this is ``https://example.com/2.0/a/``. The URL ends like the URLs of
        1.0.
        """
        base = self._new_pages.webroot.base
        if self._addresses is None:
            return self._new_pages.address_of(path)
        file = self._folder + path
        listed = self._addresses.find_listed(file)
        old_path = (base.path_of(listed) if listed else None) or self._addresses.spell(file)
        return base.loc(self._new_pages.canonical.folder + old_path.removeprefix(self._folder))


def find_replacements(
    new_pages: NewPages,
    old_files: Mapping[str, Sequence[str]],
    records: Mapping[str, Record],
    environ: Environment,
) -> dict[str, Replacement]:
    """Map each old page to its new page in the canonical version, or to :data:`GONE` if there is no new page.

    Without the record of the canonical version, the canonical links of an earlier join show where pages have
    moved.

    Args:
        new_pages: The pages of the canonical version, which search engines should show.
        old_files: The files of old pages, by their path inside the version. For example, ``a.html`` has the
            files ``1.0/a.html`` and ``2.0/a.html``.
        records: The files with the decisions of each version's last build, by folder, such as ``1.0/``. They
            contain the source file of each page.
        environ: The environment variables, for git.
    """
    replacements = {path: _find_replacement(new_pages, path) for path in old_files}
    gone = [path for path, replacement in replacements.items() if replacement.kind == "gone"]
    if new_pages.canonical.folder not in records:
        replacements |= {path: _find_linked(new_pages, old_files[path]) for path in gone}
    elif gone:
        replacements |= _find_renamed(new_pages, gone, records, environ)
    return replacements


def _find_linked(new_pages: NewPages, old_files: Iterable[str]) -> Replacement:
    """Return the page to which the canonical links of an earlier join lead, if search engines may show it.

    ``old_files`` are the files of an old page in each version, such as ``1.0/a.html``.
    """
    webroot = new_pages.webroot
    replacements = set()
    for file in old_files:
        replacement = find_linked_page(new_pages, read_inserted_link(webroot.folder, file))
        # The page's own link is not for the same page of other versions.
        if replacement != find_linked_page(new_pages, _read_own_link(webroot, file)):
            replacements.add(replacement)
    replacements.discard(GONE)
    return replacements.pop() if len(replacements) == 1 else GONE


def _read_own_link(webroot: Webroot, file: str) -> str:
    """If the canonical link of a page leads to another page, return its URL, otherwise ``""``.

    Links of an earlier join do not count. ``file`` is the HTML file of the page.
    """
    head = read_unmarked(webroot.folder, file)
    loc = served_loc(webroot, file)
    return canonical_links(head, loc, webroot.folder / file, webroot.base, webroot.folder).elsewhere


def find_linked_page(new_pages: NewPages, link: str) -> Replacement:
    """Return the page to which a canonical link of an old page leads, if search engines may show it.

    If the link leads to an older version, return the page that replaces it in the canonical version.
    Without such a page, return :data:`GONE`. ``link`` is the absolute URL, or ``""`` without a link.
    """
    webroot, canonical, _ = new_pages
    path = webroot.path_of(link)
    folder = None if path is None else _linked_folder(canonical, path)
    if path is None or folder is None:
        return GONE
    name = f"{path}index.html" if path.endswith("/") else path
    url = _find_replacement(new_pages, name.removeprefix(folder)).url
    return Replacement("moved", url) if url else GONE


def _linked_folder(canonical: CanonicalVersion, path: str) -> str | None:
    """Return the folder of the version that contains a page, such as ``2.0/`` for ``2.0/a.html``, or None.

    The link of an earlier join may lead to a version that is not the canonical version anymore.
    """
    if canonical.covers(path):
        return canonical.folder
    # A version in another folder belongs to another project or language.
    places = {_parent(canonical.folder), canonical.folder}
    folders = [each for each in canonical.others if path.startswith(each) and _parent(each) in places]
    return max(folders, key=len, default=None)


def _parent(folder: str) -> str:
    """Return the folder that contains a folder: ``de/`` for ``de/1.0/``, and ``""`` for ``1.0/``."""
    above, slash, _ = folder.rstrip("/").rpartition("/")
    return above + slash


def _find_renamed(
    new_pages: NewPages, paths: Iterable[str], records: Mapping[str, Record], environ: Environment
) -> Iterator[tuple[str, Replacement]]:
    """Yield each old page whose source file was renamed in git, with the URL of its new page.

    Args:
        new_pages: The pages of the canonical version, which search engines should show.
        paths: The old pages, as paths inside their version, such as ``a.html``.
        records: The files with the decisions of each version's last build, by folder, such as ``1.0/``.
        environ: The environment variables, for git.
    """
    webroot, canonical, _ = new_pages
    folder_url = webroot.base.loc(canonical.folder)
    new_rows = [*_pages_in_folder(records[canonical.folder], folder_url)]
    old_rows: list[Row] = []
    for folder, record in records.items():
        if folder != canonical.folder:
            old_rows += _pages_in_folder(record, folder_url)
    addresses = {path: _possible_addresses(webroot.base, canonical.folder + path) for path in paths}
    all_addresses = [loc for locs in addresses.values() for loc in locs]
    moved_pages = find_moved_pages(all_addresses, new_rows, environ, old_rows)
    for path, locs in addresses.items():
        moves = [move for loc in locs if isinstance(move := moved_pages.get(loc), MovedPage)]
        moved_page = _only_move(moves)
        if moved_page is None:
            continue
        url = _find_existing(new_pages, canonical.folder + moved_page.row.file)
        if url:
            yield path, Replacement("moved", url, moved_page._replace(loc=new_pages.address_of(path)))


def _only_move(moves: Iterable[MovedPage]) -> MovedPage | None:
    """If all ``moves`` of an old page lead to the same new page, return one of them, otherwise None.

    A move is a pair of an old address and a new page. A page with several old addresses has several moves.
    """
    by_target = {move.row.loc: move for move in moves}
    return next(iter(by_target.values())) if len(by_target) == 1 else None


def _find_existing(new_pages: NewPages, file: str) -> str:
    """Return the URL of an HTML file, or ``""`` if it is missing or hidden from search engines.

    ``new_pages`` are the pages of the version that contains the file.
    """
    if not files.find_inside(new_pages.webroot.folder, file):
        return ""
    return _address_in_search(new_pages, file)


def _pages_in_folder(record: Record, folder_url: str) -> Iterator[Row]:
    """Yield the pages of a version, with the addresses that they would have in another folder.

    If ``folder_url`` is ``https://example.com/2.0/``, the address of ``1.0/a.html`` becomes
    ``https://example.com/2.0/a.html``, so that it can be compared with the pages of ``2.0/``. ``record`` is
    the file with the decisions of the version's last build.
    """
    for row in record.rows():
        if row.loc.startswith(record.base):
            yield row._replace(loc=folder_url + row.loc.removeprefix(record.base))


def _possible_addresses(base: Base, name: str) -> list[str]:
    """Return the possible addresses of a page such as ``a.html``: ``…/a``, ``…/a.html`` and ``…/a/``."""
    # An old page may have another style of addresses than the new pages.
    stem = address(name, "bare")
    paths = [stem, f"{stem}.html", f"{stem}/"] if stem else [""]
    return [base.loc(path) for path in paths]


def _find_replacement(new_pages: NewPages, path: str) -> Replacement:
    """Find the page that replaces an old page, such as ``stable/a.html`` for ``1.0/a.html``.

    If ``stable/a.html`` is a redirect, its target replaces the old page.
    """
    url = _find_same_path(new_pages, path)
    if url:
        return Replacement("same", url)
    url = _find_redirected(new_pages, path)
    return Replacement("moved", url) if url else GONE


def _find_same_path(new_pages: NewPages, path: str) -> str:
    """For the old page ``1.0/a.html``, return the URL of ``stable/a.html``, or ``""`` if it is missing."""
    webroot, canonical, _ = new_pages
    name = canonical.folder + path
    file = webroot.file_at(name) or webroot.file_at(address(name, "bare"))
    if file is None or not canonical.covers(file):
        return ""
    return _address_in_search(new_pages, file)


def _find_redirected(new_pages: NewPages, path: str) -> str:
    """For the old page ``1.0/a.html``, return the URL to which ``stable/a.html`` redirects, or ``""``."""
    webroot, canonical, _ = new_pages
    visitor = open_tree_visitor(webroot)
    for loc in _served_addresses(webroot, canonical.folder + path):
        end = visitor.find_end(loc)
        if end is None or end.url == loc or end.file is None or end.outcome.kind != "served":
            continue
        if canonical.is_in_other_version(end.file):
            continue
        url = _address_in_search(new_pages, end.file)
        if url:
            return url
    return ""


def is_missing(webroot: Webroot, canonical: CanonicalVersion, path: str) -> bool:
    """Check whether the version ``canonical``, such as ``stable/``, lacks a page such as ``guide.html``."""
    return not any(map(webroot.file_of, _served_addresses(webroot, canonical.folder + path)))


def needs_replacement(webroot: Webroot, folder: str, path: str, head: Head) -> bool:
    """Check whether readers of an old page must be sent to a new page. Not so for redirects and error pages.

    ``folder`` is the folder of the old version, such as ``1.0/``, and ``path`` the path of the page in it.
    """
    if is_error_page(path) or head.template:
        return False
    # A page with noindex needs a new page: noindex is for search engines, but readers still have links to it.
    name = folder + path
    loc = served_loc(webroot, name)
    if redirected_by_host(loc, webroot.readable_redirects):
        return False
    return find_refresh_target(head, loc, webroot.folder / name, webroot.base, webroot.folder) == ""


def served_loc(webroot: Webroot, name: str) -> str:
    """Return the URL at which most web servers serve an HTML file, such as ``…/a/`` for ``a/index.html``."""
    return webroot.base.loc(address(name, "folders"))


def _served_addresses(webroot: Webroot, name: str) -> Iterator[str]:
    """Yield the URLs at which a web server may serve a file, such as ``…/a/`` for ``a/index.html``."""
    for path in dict.fromkeys((address(name, "folders"), name, address(name, "bare"))):
        yield webroot.base.loc(path)


def open_tree_visitor(webroot: Webroot) -> FolderVisitor:
    """Return a :class:`FolderVisitor`, which follows the redirects between all versions of a site."""
    return FolderVisitor(
        webroot=webroot,
        redirects=webroot.readable_redirects,
        read_head=partial(read_unmarked, webroot.folder),
        is_ours=lambda url: webroot.path_of(url) is not None,
    )


def _address_in_search(new_pages: NewPages, file: str) -> str:
    """Return the URL at which search engines may show a page, or ``""`` if they may not index the page.

    ``file`` is the HTML file of the page, one of the ``new_pages`` of the canonical version.
    """
    if not files.is_html(file):
        return ""
    webroot, _, addresses = new_pages
    head = read_unmarked(webroot.folder, file)
    loc = addresses.find_listed(file)
    if not loc:
        path = addresses.spell(file)
        own = own_path(head, path, webroot.folder / file, webroot.base, webroot.folder)
        loc = webroot.base.loc(path if own is None else own)
    links = canonical_links(head, loc, webroot.folder / file, webroot.base, webroot.folder)
    exclusion = find_exclusion(webroot, file, loc, head, links)
    if head.template or (exclusion and exclusion.reason is not Reason.CANONICAL):
        return ""
    if links.elsewhere:
        return _linked_address(new_pages, links.elsewhere) or loc
    return loc


def _linked_address(new_pages: NewPages, link: str) -> str:
    """Return the URL of the page to which a canonical link leads.

    If the page does not exist, is hidden from search engines, or is not in the version of ``new_pages``,
    return ``""``.
    """
    webroot, canonical, addresses = new_pages
    path = webroot.path_of(link)
    file = None if path is None else webroot.file_at(path)
    if path is None or file is None or canonical.is_in_other_version(file):
        return ""
    root = os.path.realpath(webroot.folder / canonical.folder)
    if not files.is_inside(os.path.realpath(webroot.folder / file), root):
        return ""
    loc = addresses.find_listed(file) or webroot.base.loc(path)
    if not files.is_html(file):
        return loc
    head = read_unmarked(webroot.folder, file)
    links = canonical_links(head, loc, webroot.folder / file, webroot.base, webroot.folder)
    exclusion = find_exclusion(webroot, file, loc, head, links)
    return "" if exclusion and exclusion.reason is not Reason.CANONICAL else loc
