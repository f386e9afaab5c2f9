"""A tree of several builds as it lies there: one table of them, which a join decides about."""

import os
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, unquote

from sitemap_docs import files, web
from sitemap_docs.folder.addressing import find_address, has_given_base, read_home
from sitemap_docs.folder.folder_site import required
from sitemap_docs.folder.settings import FolderSettings, configure_folder
from sitemap_docs.html.head import Head
from sitemap_docs.html.marks import read_unmarked
from sitemap_docs.listing.indexing import CanonicalLinks, canonical_links
from sitemap_docs.model import Alternate, BuildRow, BuildSitemap, Entry, Finding
from sitemap_docs.output.existing import read_mark, read_replaced
from sitemap_docs.project import Project
from sitemap_docs.sitemap import NAMES, reader
from sitemap_docs.sitemap.urllist import child_place, common_folder, open_place
from sitemap_docs.urls.base import Base, resolve, split_url, strip_session
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.versions import is_preview, is_version, version_rank

DEPTH = 4
"""Folders below the tree in which a build or a version is looked for, such as ``project/en/1.0``."""


def read_builds(tree: Path, base: Base, names: AbstractSet[str], own: str = "") -> dict[str, BuildRow]:
    """The builds in a tree by path: all folders with a sitemap, and those that are named after a version.

    ``names`` are versions by a list, whatever their folders are called. ``own`` is the sitemap of the tree
    that is to be written anew; what a join wrote before is none of a build. Raises SitemapError.
    """
    found: dict[str, list[BuildSitemap]] = {}
    within = ""  # of a version, a folder with such a name may be a page of a changelog
    for below, name in _walk(tree):
        folder = below[:-1].rpartition("/")[2]
        if not (within and below.startswith(within)) and (folder in names or is_version(folder)):
            within = below
            found.setdefault(below, [])
        if not name or (not below and (name in (own, f"{own}.gz") or is_of_join(tree / name))):
            continue
        for sitemap in _read_sitemaps(str(tree / below / name), base.loc(below + name)):
            found.setdefault(base.path_of(sitemap.folder) or "", []).append(sitemap)
    homes = {path: read_unmarked(tree, f"{path}index.html") for path in found}
    rows = {}
    for path, sitemaps in found.items():
        home = homes[path]
        links = canonical_links(home, base.loc(path), tree / f"{path}index.html", base, tree)
        row = _row(path, sitemaps, names, home)
        rows[path] = row._replace(original=_original(row, home, base.loc(path), links))
    return rows


def builds_of(places: Iterable[str], base: Base) -> dict[str, BuildRow]:
    """The builds whose sitemaps are at paths below the current folder, and at web addresses.

    A path is that of the deployed file, too, where the pages fit; else the sitemap is taken to be deployed
    in the folder of its pages.
    """
    found: dict[str, list[BuildSitemap]] = {}
    for place in places:
        path = Path(place)
        url = place
        if not web.is_web(place):
            url = "" if path.is_absolute() or ".." in path.parts else base.loc(path.as_posix())
        for sitemap in _read_sitemaps(place, url):
            if not (web.is_web(place) or sitemap.pages.startswith(sitemap.folder)):
                sitemap = sitemap._replace(url=sitemap.pages + _name_of(sitemap.url), listed_by="")  # noqa: PLW2901
            found.setdefault(base.path_of(sitemap.folder) or "", []).append(sitemap)
    rows = {}
    for folder, sitemaps in found.items():
        row = _row(folder, sitemaps, frozenset(), Head())
        rows[folder] = row._replace(original=_original(row, Head(), base.loc(folder)))
    return rows


def _row(path: str, sitemaps: Iterable[BuildSitemap], names: AbstractSet[str], home: Head) -> BuildRow:
    lang = home.lang if home.refresh is None else ""  # of a redirect, the language says nothing
    code, _ = language(path, lang)
    return BuildRow(path, code, lang, version_of(path, names), tuple(sitemaps))


def guess_base(tree: Path) -> tuple[str, str]:
    """Return the base URL of a tree according to the sitemap of a build, and the path of that sitemap.

    The build to which the home page redirects is asked first, then the newest release, then the other builds.
    Both values are empty if the pages of no sitemap are in the folder of their build.
    """
    folders = [(below, name) for below, name in _walk(tree) if below and name]
    redirect = read_home(tree).refresh_elsewhere("https://localhost/")  # the base URL is not known yet
    for below, name in _by_importance(folders, redirect):
        # Only the addresses in the sitemap matter here, and where it is deployed is not known yet.
        for sitemap in _read_sitemaps(str(tree / below / name), ""):
            if sitemap.pages.endswith(f"/{below}"):
                return sitemap.pages.removesuffix(below), sitemap.place
    return "", ""


def _by_importance(folders: Iterable[tuple[str, str]], redirect: str) -> list[tuple[str, str]]:
    """Return the folders of sitemaps in the order in which they are asked for the base URL.

    Previews come last, because their sitemaps may have been built for another host.
    """
    target = unquote(split_url(redirect).path)

    def rank(folder: tuple[str, str]) -> tuple[int, bool]:
        below = folder[0]
        is_target = redirect != "" and f"/{below}" in target
        # Of several folders in the path of the redirect, the deepest one is the target.
        depth = below.count("/") if is_target else 0
        return -depth, is_in_preview(below)

    newest_first = sorted(
        sorted(folders), key=lambda folder: version_rank(version_of(folder[0])), reverse=True
    )
    return sorted(newest_first, key=rank)


def base_claimed(sitemap: BuildSitemap, path: str) -> str:
    """Return the base URL of a tree according to a sitemap of the build at ``path``, or ``""``.

    >>> base_claimed(BuildSitemap("", pages="https://example.org/docs/1.0/api/"), "1.0/")
    'https://example.org/docs/'
    """
    end = sitemap.pages.find(f"/{path}") if path else len(sitemap.pages) - 1
    return sitemap.pages[: end + 1]


def open_tree(
    settings: FolderSettings, tree: Path | None, *, dry_run: bool = False
) -> tuple[Project, tuple[Finding, ...], str]:
    """Open the project of a join.

    Args:
        settings: The settings of the user. Their folder is the one to write into.
        tree: The folder of the builds, or None if sitemaps are joined, which may be of any project.
        dry_run: Whether nothing is written.

    Returns:
        The project, a finding for each configuration that cannot be read, and the sitemap of a build in
        which the base URL was found, if nobody named the base URL.

    Raises:
        SitemapError: The configuration is wrong, or the base URL is not known.
    """
    found = configure_folder(settings, needs_generator=tree is not None, needs_sources=False)
    guessed = ("", "")
    if tree and not has_given_base(found):  # the guess reads sitemaps
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
    return project, found.findings, guessed[1]


def version_of(path: str, names: AbstractSet[str] = frozenset()) -> str:
    """The first folder of a path that is named after a version, or has one of ``names``; ``""`` for none."""
    return next((part for part in path.split("/") if part and (part in names or is_version(part))), "")


def is_in_preview(path: str, names: AbstractSet[str] = frozenset()) -> bool:
    """Check whether a build belongs to a preview, such as ``pr-preview/pr-12/`` or ``preview/2.0/``.

    Inside a version, a folder with such a name may be a page: ``2.0/preview/``. So may a folder of ``names``.

    >>> [is_in_preview(path) for path in ("pr-preview/pr-12/", "preview/2.0/", "2.0/preview/")]
    [True, True, False]
    """
    for folder in path.split("/"):
        if folder in names or is_version(folder):
            return False
        if is_preview(folder):
            return True
    return False


def folder_names(path: str) -> list[str]:
    """Return the names of a build for globs: its path and the folders above it, with and without a slash.

    >>> folder_names("en/2.0/")
    ['en', 'en/', 'en/2.0', 'en/2.0/']
    """
    names = []
    for number, character in enumerate(path):
        if character == "/":
            names += [path[:number], path[: number + 1]]
    return names or [path]


def language(path: str, lang: str = "") -> tuple[str, str]:
    """The language of a build as BCP 47 writes it, and the rest of its path; ``("", path)`` without one.

    ``lang`` is that of its home page, which may be in another language than its folder is named after.

    >>> language("docs/pt_br/1.0/")
    ('pt-BR', 'docs/1.0/')
    """
    parts = path.split("/")
    for number, part in enumerate(parts):
        code = folder_language(part, lang)
        if code:
            return code, "/".join([*parts[:number], *parts[number + 1 :]])
    return "", path


def default_language(tree: Path, base: Base, builds: Mapping[str, BuildRow]) -> str:
    """Return the language of the build to which the home page of a tree redirects, or ``""``."""
    path = base.path_of(read_home(tree).refresh_elsewhere(base.url)) or ""
    build = build_at(builds, path)
    return language(path, build.lang if build else "")[0]


def build_at(builds: Mapping[str, BuildRow], path: str) -> BuildRow | None:
    """The build, by its path, that has a file or a page: in the folder of one may be that of another."""
    end = len(path)
    while end > 0:
        end = path.rfind("/", 0, end) + 1
        if path[:end] in builds:
            return builds[path[:end]]
        end -= 1
    return None


def _original(build: BuildRow, home: Head, loc: str, links: CanonicalLinks | None = None) -> str:
    """Return the address where the pages of a build belong, or ``""`` if they belong to the build itself.

    The canonical link of the home page decides. Without such a link, the sitemaps of the build decide by the
    addresses that they list, and without sitemaps the redirect of the home page.

    Args:
        build: The build.
        home: The head of its home page.
        loc: The address of the build.
        links: The canonical links of the home page, or None without a home page.
    """
    if links and links.number:
        return links.elsewhere
    urls = [sitemap.pages for sitemap in build.sitemaps if sitemap.pages]
    if not urls:
        urls = [home.refresh_elsewhere(loc)]
    return "" if any(url.startswith(loc) for url in urls) else urls[0]


def is_of_join(file: Path) -> bool:
    """Whether a join wrote a sitemap."""
    mark = read_mark(file)
    return mark is not None and mark.joined


def _walk(tree: Path) -> Iterator[tuple[str, str]]:
    """The folders in which a build or a version may be, in a tree, after links, each with its sitemap.

    Raises SitemapError for a folder that cannot be read.
    """
    with files.translated_errors(tree, "read as a whole", "Correct the permissions of its folders."):
        for below, folders, names in files.walk_folders(os.path.realpath(tree), whole=True, links=True):
            folders[:] = [name for name in folders if not name.startswith("_")]
            if below.count("/") == DEPTH:
                folders.clear()
            yield below, next((name for name in NAMES if name in names), "")


def _read_sitemaps(place: str, url: str) -> list[BuildSitemap]:
    """A sitemap, or those that it lists if it is an index; an index within it counts as its sitemaps.

    ``url`` is where ``place`` is deployed, ``""`` where that is not known.
    """
    sitemaps: list[BuildSitemap] = []
    urls = {place: url}
    indexes = {place: ""}
    walk = reader.Walk([place])
    for each in walk:
        # A feed in an index is a part of the list of pages. Alone, it would hide the older pages.
        parsed = reader.parse(open_place(each), name=each, feeds=each != place)
        if not parsed.is_index:
            sitemaps.append(_surveyed(each, parsed, urls[each])._replace(listed_by=indexes[each]))
            continue
        for row in parsed.rows():
            if row.loc:
                below = child_place(each, row.loc)
                urls.setdefault(below, _child_url(each, urls[each], below, row.loc))
                indexes.setdefault(below, urls[each])
                walk.add([below])
    return sitemaps


def _child_url(index: str, index_url: str, child: str, loc: str) -> str:
    """Returns where a child of an index is deployed; ``""`` where that of the index is not known."""
    if not index_url:
        return ""
    if web.is_web(index):
        return resolve(index_url, _name_of(loc))
    return resolve(index_url, quote(Path(child).relative_to(Path(index).parent).as_posix()))


def _surveyed(place: str, parsed: reader.SitemapReader, url: str) -> BuildSitemap:
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
    pages = common_folder(filter(None, (low, high)))  # what all begin with, the first and the last do
    return BuildSitemap(
        url=url or pages + _name_of(place),
        place=place,
        pages=pages,
        lastmod=newest,
        session=session,
        element=element,
    )


def entries_of_build(sitemap: BuildSitemap) -> Iterator[Entry]:
    """Yield the entries of a sitemap, without session ids.

    Raises:
        SitemapError: The sitemap cannot be read. The error may come after some entries.
    """
    for entry in reader.parse(open_place(sitemap.place), name=sitemap.place, feeds=True).entries():
        yield _without_session(entry)


def _without_session(entry: Entry) -> Entry:
    alternates = tuple(Alternate(code, strip_session(href)) for code, href in entry.alternates)
    return entry._replace(loc=strip_session(entry.loc), alternates=alternates)


def _name_of(url: str) -> str:
    return url.rpartition("/")[2]
