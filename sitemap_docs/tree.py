"""Find the sites in a folder that contains several sites: versions, languages and previews.

Such a folder is called a tree, for example the branch ``gh-pages`` with ``1.0/`` and ``2.0/``. Each site is a
:class:`TreeSite`. ``version_policy.py`` decides which sites the common sitemap lists.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from sitemap_docs import files
from sitemap_docs.folder.addressing import find_address, has_given_base, read_home
from sitemap_docs.folder.folder_site import required, source_folders
from sitemap_docs.folder.generators import configuration_unreadable
from sitemap_docs.folder.settings import FolderSettings, configure_folder
from sitemap_docs.html.head import Head, head_inside
from sitemap_docs.html.marks import read_unmarked, without_marks
from sitemap_docs.listing.indexing import CanonicalLinks, Exclusion, canonical_links, find_exclusion
from sitemap_docs.model import Alternate, Entry, Finding, Reason, SitemapError, TreeSite, TreeSitemap
from sitemap_docs.output.existing import read_mark, read_replaced
from sitemap_docs.programs.mike import is_deployed_version, read_aliases
from sitemap_docs.programs.pydata_sphinx_theme import PREFERRED, read_switcher
from sitemap_docs.project import Project
from sitemap_docs.sitemap import NAMES, TEXT_NAMES, reader
from sitemap_docs.sitemap.urllist import child_place, common_folder, open_place
from sitemap_docs.urls.base import Base, is_web, resolve, split_url, strip_session
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.versions import is_version, preview_folder, version_number, version_rank
from sitemap_docs.webroot import Webroot

ROOT = "/"
"""The name of the version at the root of the tree, next to the folders of the other versions."""

DEPTH = 4
"""How many folders below the tree a site may be. ``project/en/1.0`` is three folders below the tree."""


class OpenedTree(NamedTuple):
    """The folder with all versions, opened by ``sitemap-docs join``, and the settings of the command."""

    project: Project
    #: The folder, or None if the user has passed sitemaps instead.
    folder: Path | None = None
    findings: tuple[Finding, ...] = ()
    #: The sitemap from which the base URL was guessed, or ``""``.
    guessed_by: str = ""
    #: Returns the source of a file that the build of the root copied, or None.
    source_of: Callable[[str], Path | None] | None = None
    #: Whether the option ``record`` is set for commands, and not only for the builds of a plugin.
    asks_for_record: bool = False


def open_tree(settings: FolderSettings, tree: Path | None, *, dry_run: bool = False) -> OpenedTree:
    """Read the settings of ``sitemap-docs join``, and find the base URL of the folder with all versions.

    ``tree`` is the folder, or None if the user has passed sitemaps instead.

    Raises:
        SitemapError: The configuration is wrong, or no base URL is known.
    """
    found = configure_folder(settings, needs_generator=tree is not None, needs_sources=False)
    guessed = ("", "")
    if tree and not has_given_base(found):  # The guess reads sitemaps.
        guessed = guess_base(tree)
    replaced = read_replaced(found.output, found.options.filename)
    project = Project(
        root=found.root,
        output=found.output,
        options=found.options,
        address=required(find_address(found, replaced, guessed=guessed), found),
        surroundings=found.surroundings,
        dry_run=dry_run,
    )
    own_record = settings.options.get("record") or found.project_file.options.get("record")
    return OpenedTree(
        project=project,
        folder=tree,
        findings=found.findings,
        guessed_by=guessed[1],
        source_of=source_folders(found).find_copied,
        asks_for_record=bool(own_record),
    )


def find_tree(site: Path) -> Path | None:
    """Return the folder with all versions, such as ``public``, for the folder of one: ``public/3.0``.

    ``site`` is the folder of the version. If no file such as ``versions.json`` lists the version, return
    None.
    """
    return site.parent if is_deployed_version(site) else None


class VersionNames(NamedTuple):
    """The names of versions in a file such as ``versions.json``."""

    #: The version of each alias, such as ``{"latest": "2.0"}``.
    aliases: Mapping[str, str] = {}
    #: The names of all folders with a version.
    folders: frozenset[str] = frozenset()
    #: The warning about a damaged file.
    findings: tuple[Finding, ...] = ()


def read_version_names(tree: Path, base: Base, *, is_required: bool) -> VersionNames:
    """Read the names of versions from ``versions.json`` or ``switcher.json``.

    Args:
        tree: The folder with all versions.
        base: The base URL of the folder.
        is_required: Whether a damaged ``switcher.json`` is an error, because the user chooses versions by
            their names. Otherwise, a warning is reported.

    Raises:
        SitemapError: The file is damaged.
    """
    aliases = read_aliases(tree)
    if aliases:
        return VersionNames(aliases, frozenset(aliases))
    try:
        entries = read_switcher(tree)
    except SitemapError as error:
        if is_required:
            raise
        return VersionNames(findings=(configuration_unreadable(str(error)),))
    switcher = {}
    for entry in entries:
        path = base.path_of(resolve(base.url, entry.url))
        if path is None:  # The version is on another host.
            continue
        _, without_language = split_language(f"{path.removesuffix('index.html').rstrip('/')}/")
        folder = without_language.strip("/").rpartition("/")[2] or ROOT
        switcher[folder] = folder
        for name in (entry.version, entry.name, PREFERRED if entry.is_preferred else ""):
            if name:
                switcher.setdefault(name, folder)
    return VersionNames(switcher, frozenset(switcher.values()) - {ROOT})


def read_sites(tree: Path, base: Base, names: AbstractSet[str], own: str = "") -> dict[str, TreeSite]:
    """Find the versions and languages in a folder, such as ``de/2.0/``, with their sitemaps.

    ``names`` are folder names, such as ``lts``, that also count as versions. ``own`` is the file name of the
    common sitemap of all versions, which is ignored.

    Raises:
        SitemapError: A folder or a sitemap cannot be read.
    """
    found: dict[str, list[TreeSitemap]] = {}
    version_path = ""
    for below, name in _walk_folders(tree):
        folder = below[:-1].rpartition("/")[2]
        # Inside a version, a folder such as 1.0/ may be a page of the changelog.
        is_in_version = version_path != "" and below.startswith(version_path)
        if not is_in_version and (folder in names or is_version(folder)):
            version_path = below
            found.setdefault(below, [])
        if not name or (not below and (name in (own, f"{own}.gz") or is_written_by_join(tree / name))):
            continue
        for sitemap in _read_sitemaps(str(tree / below / name), base.loc(below + name)):
            found.setdefault(base.path_of(sitemap.folder) or "", []).append(sitemap)
    sites = {}
    for path, sitemaps in found.items():
        home = read_unmarked(tree, f"{path}index.html")
        links = canonical_links(home, base.loc(path), tree / f"{path}index.html", base, tree)
        site = _make_site(path, sitemaps, names, home)
        sites[path] = site._replace(original=_find_original(site, home, base.loc(path), links))
    return sites


def find_hidden(webroot: Webroot, sites: Iterable[TreeSite], *, ignores_edits: bool) -> set[str]:
    """Return the folders of the versions that are hidden from search engines, such as ``1.0/``.

    A version is hidden if each page in its sitemap has ``noindex`` or a canonical link to another page. The
    command ``sitemap-docs join --old-versions`` adds both. If ``ignores_edits`` is true, ignore what earlier
    joins have added to versions. Edits in other folders count, because this join does not undo them. For
    example, a folder may have been a version only because ``switcher.json`` listed it, and that file is gone.
    """
    hidden = set()
    for site in sites:
        read_head = read_unmarked if ignores_edits and site.version else head_inside
        if _is_hidden(webroot, site, read_head):
            hidden.add(site.path)
    return hidden


def _is_hidden(webroot: Webroot, site: TreeSite, read_head: Callable[[Path, str], Head]) -> bool:
    """Check whether search engines do not show any listed page of a version."""
    tree = webroot.folder
    has_hidden_page = is_edited = has_unread_file = False
    for sitemap in site.sitemaps:
        for entry in read_entries(sitemap):
            file = webroot.file_of(entry.loc)
            if file is None or not files.is_html(file):
                has_unread_file = has_unread_file or not webroot.headers.noindex(entry.loc)
                continue
            head = read_head(tree, file)
            exclusion = _find_exclusion_in_tree(webroot, file, entry.loc, head)
            if exclusion is None:
                return False
            if exclusion.reason is not Reason.REDIRECT:  # A join does not edit redirects.
                has_hidden_page = True
                is_edited = is_edited or read_unmarked(tree, file) != head
    # A file that cannot be read, such as a PDF, may be shown. But a join hides a version as a whole.
    return has_hidden_page and (is_edited or not has_unread_file)


def _find_exclusion_in_tree(webroot: Webroot, file: str, loc: str, head: Head) -> Exclusion | None:
    """Return why search engines do not index a page, or None if they may index it.

    Ignore a canonical link to a page below the base URL whose file is missing.
    """
    links = canonical_links(head, loc, webroot.folder / file, webroot.base, webroot.folder)
    exclusion = find_exclusion(webroot, file, loc, head, links)
    if exclusion and exclusion.reason is Reason.CANONICAL:
        path = webroot.path_of(exclusion.target)
        if path is not None and webroot.file_at(path) is None:
            return None
    return exclusion


def mark_copies(
    tree: Path,
    base: Base,
    sites: Mapping[str, TreeSite],
    preferred: Sequence[str] = (),
    hidden: Collection[str] = (),
) -> dict[str, TreeSite]:
    """Mark each version, such as ``latest/``, that is a copy of another version, such as ``2.0/``.

    If two versions are equal, the version in ``preferred`` is not marked. Versions in ``hidden`` are not
    compared.
    """
    marked = dict(sites)
    for path, original in _find_copies(tree, sites.values(), preferred, hidden).items():
        marked[path] = sites[path]._replace(original=base.loc(original), is_copy=True)
    return marked


def _find_copies(
    tree: Path, sites: Iterable[TreeSite], preferred: Sequence[str], hidden: Collection[str]
) -> dict[str, str]:
    """Map each version that is a copy to the original with the same pages: ``{"latest/": "2.0/"}``.

    A version that matches ``preferred`` is the original. Versions in ``hidden`` are not compared.
    """
    root = os.path.realpath(tree)
    by_home: dict[tuple[str, str], list[TreeSite]] = {}
    for site in _add_parent_folders(sites):
        folder = os.path.normpath(f"{root}/{site.path}")
        if site.original or site.path in hidden or site.path not in (site.folder, site.above):
            continue
        if os.path.realpath(folder) != folder:
            continue
        home = _read_unedited(tree, f"{site.path}index.html")
        if home:
            by_home.setdefault((site.above, sha256(home).hexdigest()), []).append(site)
    copies = {}
    for alike in by_home.values():
        originals: list[TreeSite] = []
        for site in sorted(alike, key=partial(_rank_to_keep, preferred)):
            for original in originals:
                if site.version and has_same_pages(tree, site.path, original):
                    copies[site.path] = original.path
                    break
            else:
                originals.append(site)
    return copies


def _add_parent_folders(sites: Iterable[TreeSite]) -> list[TreeSite]:
    """Return the sites together with the folder around each version, such as ``en/`` for ``en/1.0/``."""
    by_path = {site.path: site for site in sites}
    for site in [*by_path.values()]:
        by_path.setdefault(site.above, TreeSite(site.above))
    return [*by_path.values()]


def _rank_to_keep(preferred: Sequence[str], site: TreeSite) -> tuple[bool, bool, bool, str]:
    """Return a sort key for versions with the same pages: the version to keep comes first.

    Versions that match a glob in ``preferred`` come before all others. Numbers come before names: ``2.0/``
    before ``latest/``.
    """
    name = site.version or ROOT
    is_preferred = any(fnmatchcase(name, glob) for glob in preferred)
    return not is_preferred, site.version != "", version_number(site.version) is None, site.path


def has_same_pages(tree: Path, path: str, other: TreeSite) -> bool:
    """Check whether two versions have the same pages, byte for byte.

    ``tree`` is the folder with all versions, and ``path`` the folder of the first version, such as
    ``latest/``. If ``other`` is the top folder, its additional pages are ignored.
    """
    # Most versions differ on the home page, which is quick to read.
    home = _read_unedited(tree, f"{path}index.html")
    if not home or home != _read_unedited(tree, f"{other.path}index.html"):
        return False
    pages = find_pages(tree, path)
    if other.version and pages != find_pages(tree, other.path):
        return False
    for page in pages:
        content = _read_unedited(tree, path + page)
        if not content or content != _read_unedited(tree, other.path + page):
            return False
    return True


def _read_unedited(tree: Path, name: str) -> bytes:
    """Read an HTML page without the tags that ``sitemap-docs join`` has added, or return ``b""``."""
    try:
        return without_marks(files.read_inside(tree, name))
    except OSError:
        return b""


def find_pages(tree: Path, path: str) -> list[str]:
    """Return the HTML files of a version, such as ``guide/b.html``. Symbolic links are skipped.

    Raises:
        SitemapError: A folder cannot be read.
    """
    folder = tree / path
    root = os.path.realpath(folder)
    pages = []
    with files.translated_errors(folder, "read as a whole", "Correct the permissions of its folders."):
        for below, _, names in files.walk_folders(root, whole=True):
            for name in sorted(names):
                is_page = files.is_html(name)
                if is_page and not Path(root, below, name).is_symlink():
                    pages.append(f"{below}{name}")
    return pages


def sites_of_sitemaps(places: Iterable[str], base: Base) -> dict[str, TreeSite]:
    """Group sitemaps by folder, such as ``2.0/``, and return the version or language in each folder.

    ``places`` are the files or URLs of the sitemaps.
    """
    found: dict[str, list[TreeSitemap]] = {}
    for place in places:
        path = Path(place)
        url = place
        if not is_web(place):
            url = "" if path.is_absolute() or ".." in path.parts else base.loc(path.as_posix())
        for sitemap in _read_sitemaps(place, url):
            deployed = sitemap
            if not (is_web(place) or sitemap.pages.startswith(sitemap.folder)):
                deployed = sitemap._replace(url=sitemap.pages + _last_part(sitemap.url), listed_by="")
            found.setdefault(base.path_of(deployed.folder) or "", []).append(deployed)
    sites = {}
    for folder, sitemaps in found.items():
        site = _make_site(folder, sitemaps, frozenset(), Head())
        sites[folder] = site._replace(original=_find_original(site, Head(), base.loc(folder)))
    return sites


def _make_site(path: str, sitemaps: Iterable[TreeSitemap], names: AbstractSet[str], home: Head) -> TreeSite:
    """Return the version or language in a folder such as ``de/2.0/``.

    ``names`` are folder names that also count as versions. ``home`` is the ``<head>`` of the home page.
    """
    lang = home.lang
    if home.refresh is not None:  # The language of a redirect says nothing about the site.
        lang = ""
    code, _ = split_language(path, lang)
    return TreeSite(path, code, lang, version_of(path, names), tuple(sitemaps))


def guess_base(tree: Path) -> tuple[str, str]:
    """Guess the base URL of a folder with several versions from the sitemap of one version.

    Returns:
        The base URL and the file of the sitemap, or two empty strings.
    """
    folders = [(below, name) for below, name in _walk_folders(tree) if below and name]
    redirect = read_home(tree).refresh_elsewhere("https://localhost/")  # the base URL is not known yet
    for below, name in _sort_versions(folders, redirect):
        # Only the addresses in the sitemap matter here, and where it is deployed is not known yet.
        for sitemap in _read_sitemaps(str(tree / below / name), ""):
            if sitemap.pages.endswith(f"/{below}"):
                return sitemap.pages.removesuffix(below), sitemap.place
    return "", ""


def _sort_versions(folders: Iterable[tuple[str, str]], redirect: str) -> list[tuple[str, str]]:
    """Sort the folders of versions, the newest version first.

    The version to which the home page redirects (``redirect``) comes before all others.
    """
    target = unquote(split_url(redirect).path)

    def rank(folder: tuple[str, str]) -> tuple[int, bool]:
        below = folder[0]
        is_target = redirect != "" and f"/{below}" in target
        # Of several folders in the path of the redirect, the deepest one is the target.
        depth = below.count("/") if is_target else 0
        return -depth, preview_folder(below) != ""

    newest_first = sorted(
        sorted(folders), key=lambda folder: version_rank(version_of(folder[0])), reverse=True
    )
    return sorted(newest_first, key=rank)


def derive_base_of_tree(sitemap: TreeSitemap, path: str) -> str:
    """Return the base URL of the folder with all versions, derived from the sitemap of one version.

    If the sitemap does not show this base URL, return ``""``. ``path`` is the folder of the version.

    >>> derive_base_of_tree(TreeSitemap("", pages="https://example.org/docs/1.0/api/"), "1.0/")
    'https://example.org/docs/'
    """
    end = sitemap.pages.find(f"/{path}") if path else len(sitemap.pages) - 1
    return sitemap.pages[: end + 1]


def version_of(path: str, names: AbstractSet[str] = frozenset()) -> str:
    """Return the first folder in a path that is named after a version, or ``""``.

    ``names`` are further names of versions, in addition to numbers and usual names such as ``latest``.

    >>> version_of("en/2.0/api/")
    '2.0'
    """
    for part in path.split("/"):
        if part and (part in names or is_version(part)):
            return part
    return ""


def folder_names(path: str) -> list[str]:
    """Return all ways to write a folder or one of its parent folders in a user's glob.

    >>> folder_names("en/2.0/")
    ['en', 'en/', 'en/2.0', 'en/2.0/']
    """
    names = []
    for number, character in enumerate(path):
        if character == "/":
            names += [path[:number], path[: number + 1]]
    return names or [path]


def split_language(path: str, lang: str = "") -> tuple[str, str]:
    """Split the path of a folder into its language and the rest of the path.

    >>> split_language("docs/pt_br/1.0/")
    ('pt-BR', 'docs/1.0/')

    ``lang`` is the language of the pages in the folder, if it is known. A folder named after another language
    stays in the path:

    >>> split_language("docs/pt_br/1.0/", lang="en")
    ('', 'docs/pt_br/1.0/')
    """
    parts = path.split("/")
    for number, part in enumerate(parts):
        code = folder_language(part, lang)
        if code:
            return code, "/".join([*parts[:number], *parts[number + 1 :]])
    return "", path


def default_language(tree: Path, base: Base, sites: Mapping[str, TreeSite]) -> str:
    """Return the language of the version to which the home page redirects, or ``""``.

    If it redirects to ``en/1.0/``, the language is ``en``.
    """
    path = base.path_of(read_home(tree).refresh_elsewhere(base.url)) or ""
    site = site_at(sites, path)
    return split_language(path, site.lang if site else "")[0]


def site_at(sites: Mapping[str, TreeSite], path: str) -> TreeSite | None:
    """Return the version or language that contains a file: ``de/2.0/`` for ``de/2.0/a.html``, or None."""
    end = len(path)
    while end > 0:
        end = path.rfind("/", 0, end) + 1
        if path[:end] in sites:
            return sites[path[:end]]
        end -= 1
    return None


def _find_original(site: TreeSite, home: Head, loc: str, links: CanonicalLinks | None = None) -> str:
    """Return the URL that search engines should show instead of a version, or ``""`` if there is none.

    It is the target of the version's canonical links. Without such links, it is the address of the pages in
    its sitemap, and without a sitemap, the target of a redirect.
    """
    if links and links.number:
        return links.elsewhere
    urls = [sitemap.pages for sitemap in site.sitemaps if sitemap.pages]
    if not urls:
        urls = [home.refresh_elsewhere(loc)]
    if any(url.startswith(loc) for url in urls):
        return ""
    return urls[0]


def is_written_by_join(file: Path) -> bool:
    """Check whether the command ``sitemap-docs join`` wrote the sitemap ``file``."""
    mark = read_mark(file)
    return mark is not None and mark.joined


def _walk_folders(tree: Path) -> Iterator[tuple[str, str]]:
    """Yield each folder that may contain a version, with the file name of its sitemap or ``""``."""
    with files.translated_errors(tree, "read as a whole", "Correct the permissions of its folders."):
        for below, folders, names in files.walk_folders(os.path.realpath(tree), whole=True, links=True):
            folders[:] = [name for name in folders if not name.startswith("_")]
            if below.count("/") == DEPTH:
                folders.clear()
            sitemap = next((name for name in NAMES if name in names), "")
            yield below, sitemap or _find_text(tree / below, names)


def _find_text(folder: Path, names: Iterable[str]) -> str:
    """Return the name of the plain text sitemap in a folder, such as ``sitemap.txt``, or ``""``.

    ``names`` are the names of the files in the folder.
    """
    for name in TEXT_NAMES:
        if name in names:
            with suppress(SitemapError):
                if reader.parse(folder / name).format == "text":
                    return name
    return ""


def _read_sitemaps(place: str, url: str) -> list[TreeSitemap]:
    """Read a sitemap, or all sitemaps that a sitemap index lists, and return them in a list.

    ``place`` is a file, or the URL from which to read. ``url`` is the URL of this sitemap on the public site.
    """
    sitemaps: list[TreeSitemap] = []
    urls = {place: url}
    indexes = {place: ""}
    walk = reader.Walk([place])
    for sitemap_place in walk:
        # A feed in an index is a part of the list of pages. Alone, it would hide the older pages.
        parsed = reader.parse(open_place(sitemap_place), name=sitemap_place, feeds=sitemap_place != place)
        if not parsed.is_index:
            sitemap = _summarize(sitemap_place, parsed, urls[sitemap_place])
            sitemaps.append(sitemap._replace(listed_by=indexes[sitemap_place]))
            continue
        for row in parsed.rows():
            if row.loc:
                below = child_place(sitemap_place, row.loc)
                urls.setdefault(below, _child_url(sitemap_place, urls[sitemap_place], below, row.loc))
                indexes.setdefault(below, urls[sitemap_place])
                walk.add([below])
    return sitemaps


def _child_url(index: str, index_url: str, child: str, loc: str) -> str:
    """Return the public URL of a sitemap that is listed in a sitemap index, or ``""`` if it is unknown.

    Args:
        index: The file or URL from which the index was read.
        index_url: The public URL of the index, or ``""``.
        child: The file or URL from which to read the listed sitemap.
        loc: The address of the listed sitemap as written in the index.
    """
    if not index_url:
        return ""
    if is_web(index):
        return resolve(index_url, _last_part(loc))
    return resolve(index_url, quote(Path(child).relative_to(Path(index).parent).as_posix()))


def _summarize(place: str, parsed: reader.SitemapReader, url: str) -> TreeSitemap:
    """Return a summary of a sitemap, such as its URL and its newest date."""
    newest: datetime | None = None
    low = high = session = element = ""
    seen: set[tuple[str, ...]] = set()  # most rows have the same elements
    for row in parsed.rows():
        entry = row.entry()
        if entry is None:
            continue
        low = min(low or entry.loc, entry.loc)
        high = max(high, entry.loc)
        if not session and _without_session(entry) != entry:
            session = entry.loc
        if entry.lastmod and (newest is None or entry.lastmod > newest):
            newest = entry.lastmod
        if row.tags not in seen:
            seen.add(row.tags)
            element = element or next(iter(row.not_in_entry), "")
    # A folder that contains the first and the last address in alphabetical order contains all addresses.
    pages = common_folder(filter(None, (low, high)))
    return TreeSitemap(
        url=url or pages + _last_part(place),
        place=place,
        pages=pages,
        lastmod=newest,
        session=session,
        element=element,
    )


def read_entries(sitemap: TreeSitemap) -> Iterator[Entry]:
    """Yield the pages that a sitemap lists. Session ids, such as ``;jsessionid=1A2B``, are cut off the URLs.

    Raises:
        SitemapError: The sitemap cannot be read, perhaps after some pages.
    """
    for entry in reader.parse(open_place(sitemap.place), name=sitemap.place, feeds=True).entries():
        yield _without_session(entry)


def _without_session(entry: Entry) -> Entry:
    """Remove session ids from the addresses of a page and its translations."""
    alternates = tuple(Alternate(code, strip_session(href)) for code, href in entry.alternates)
    return entry._replace(loc=strip_session(entry.loc), alternates=alternates)


def _last_part(url: str) -> str:
    """Return the part of a URL after the last slash."""
    return url.rpartition("/")[2]
