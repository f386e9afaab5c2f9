"""The sitemaps that a join takes in: where each lies, where it is deployed, and what it lists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from sitemap_docs import files, web
from sitemap_docs.model import Alternate, Entry, SitemapError
from sitemap_docs.output.transaction import translated_errors
from sitemap_docs.sitemap import NAMES, reader
from sitemap_docs.sitemap.urllist import child_place, common_folder, open_place
from sitemap_docs.urls.base import Base, resolve, strip_session

DEPTH = 4
"""Folders below the tree in which a build or a version is looked for, such as ``project/en/1.0``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """One sitemap: the ``place`` it is read from, and its ``url``.

    ``base`` is that of all builds. ``pages`` is the URL of the deepest folder that holds what it lists:
    ``listed`` addresses, of which ``dated`` have a date.
    ``index`` is the URL of the index that lists it, ``""`` without one. ``session`` is the first address with
    a session id.
    """

    place: str
    url: str
    base: Base
    pages: str
    lastmod: datetime | None
    listed: int = 0
    dated: int = 0
    index: str = ""
    session: str = ""

    @property
    def folder(self) -> str:
        """The URL of the folder that it lies in."""
        return self.url.rpartition("/")[0] + "/"

    @property
    def build(self) -> str:
        """The path of its build below the base: ``""``, or with a slash at its end."""
        return self.base.path_of(self.folder) or ""

    def entries(self) -> Iterator[Entry]:
        """What it lists, read anew, without session ids. Raises SitemapError, also while it is read."""
        with open_place(self.place) as stream:
            for entry in reader.parse(stream, name=self.place).entries():
                yield _without_session(entry)


def in_tree(tree: Path, base: Base, own: str) -> list[Child]:
    """The sitemaps of the builds below ``tree``, but for ``own``, which an earlier join wrote."""
    children: list[Child] = []
    for name in _names(tree):
        if name not in (own, f"{own}.gz"):
            children += _children(str(tree / name), base.loc(name), base)
    return children


def guess_base(tree: Path) -> tuple[str, str]:
    """The base URL of a tree, as the first build's pages tell it, and the file that says so; else empty."""
    for name in _names(tree):
        folder = name.rpartition("/")[0]
        if not folder:
            continue
        # Only the addresses in the sitemap matter here, and where it is deployed is not known yet.
        for child in _children(str(tree / name), "", Base("https://unknown.invalid/")):
            if child.pages.endswith(f"/{folder}/"):
                return child.pages.removesuffix(f"{folder}/"), child.place
    return "", ""


def check_own(file: Path, children: Iterable[Child]) -> None:
    """Raises SitemapError when the tree's own file lists pages outside the folders of ``children``."""
    if not files.find_inside(file.parent, file.name):
        return
    folders = {child.folder for child in children}
    with translated_errors(file, "read"):
        parsed = reader.parse(file)
        if parsed.root == "sitemapindex":
            return  # of an earlier join
        for entry in parsed.entries():
            if not files.is_below_any(entry.loc, folders):
                raise SitemapError(
                    f"{file} is the sitemap of a build at the root of the tree: it lists {entry.loc}. To "
                    "keep it and join it with the others, pass --filename sitemap-index.xml"
                )


def of_places(places: Iterable[str], base: Base) -> list[Child]:
    """The sitemaps at paths below the current folder, and at web addresses.

    A path is that of the deployed file, too, where the pages fit; else the sitemap is taken to be deployed
    in the folder of its pages.
    """
    children: list[Child] = []
    for place in places:
        path = Path(place)
        if web.is_web(place):
            children += _children(place, place, base)
            continue
        url = ""
        if not path.is_absolute() and ".." not in path.parts:
            url = base.loc(path.as_posix())
        for child in _children(place, url, base):
            if not child.pages.startswith(child.folder):
                child = replace(child, url=child.pages + _name_of(child.url), index="")  # noqa: PLW2901
            children.append(child)
    return children


def _names(tree: Path) -> Iterator[str]:
    """The sitemap of each build, as seen from the tree, in which it lies after links."""
    for below, _, names in walk_builds(tree):
        for name in NAMES:
            if name in names:
                yield below + name
                break


def walk_builds(tree: Path) -> Iterator[tuple[str, list[str], AbstractSet[str]]]:
    """The folders in which a build or a version may be, as :func:`files.walk_folders` has them.

    Raises SitemapError for a folder that cannot be read.
    """
    with translated_errors(tree, "read as a whole", "Correct the permissions of its folders."):
        for below, folders, names in files.walk_folders(os.path.realpath(tree), whole=True, links=True):
            folders[:] = [name for name in folders if not name.startswith("_")]
            if below.count("/") == DEPTH:
                folders.clear()
            yield below, folders, names


def _children(place: str, url: str, base: Base) -> list[Child]:
    """A sitemap, or those that it lists if it is an index; an index within it counts as its sitemaps.

    ``url`` is where ``place`` is deployed, ``""`` where that is not known.
    """
    children: list[Child] = []
    urls = {place: url}
    indexes = {place: ""}
    walk = reader.Walk([place])
    for each in walk:
        with open_place(each) as stream:
            parsed = reader.parse(stream, name=each)
            if parsed.root == "urlset":
                child = _surveyed(each, parsed, urls[each], base)
                children.append(replace(child, index=indexes[each]))
                continue
            for row in parsed.rows():
                if row.loc:
                    below = child_place(each, row.loc)
                    urls.setdefault(below, _child_url(each, urls[each], below, row.loc))
                    indexes.setdefault(below, urls[each])
                    walk.add([below])
    return children


def _child_url(index: str, index_url: str, child: str, loc: str) -> str:
    """Where a child of an index is deployed; ``""`` where that of the index is not known."""
    if not index_url:
        return ""
    if web.is_web(index):
        return resolve(index_url, _name_of(loc))
    return resolve(index_url, quote(Path(child).relative_to(Path(index).parent).as_posix()))


def _surveyed(place: str, parsed: reader.SitemapReader, url: str, base: Base) -> Child:
    newest: datetime | None = None
    low = high = session = ""
    listed = dated = 0
    for entry in parsed.entries():
        listed += 1
        dated += entry.lastmod is not None
        low = min(low or entry.loc, entry.loc)
        high = max(high, entry.loc)
        if not session and _without_session(entry) != entry:
            session = entry.loc
        if entry.lastmod and (newest is None or entry.lastmod > newest):
            newest = entry.lastmod
    pages = common_folder(filter(None, (low, high)))  # what all begin with, the first and the last do
    url = url or pages + _name_of(place)
    return Child(
        place=place,
        url=url,
        base=base,
        pages=pages,
        lastmod=newest,
        listed=listed,
        dated=dated,
        session=session,
    )


def _without_session(entry: Entry) -> Entry:
    alternates = tuple(Alternate(code, strip_session(href)) for code, href in entry.alternates)
    return entry._replace(loc=strip_session(entry.loc), alternates=alternates)


def _name_of(url: str) -> str:
    return url.rpartition("/")[2]
