"""The sitemaps that a join takes in: where each lies, where it is deployed, and what it lists."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from sitemap_docs import files, web
from sitemap_docs.model import Alternate, SitemapError
from sitemap_docs.sitemap import reader
from sitemap_docs.sitemap.render import MAX_BYTES
from sitemap_docs.sitemap.urllist import NAMES, child_place, common_folder, open_place, unread
from sitemap_docs.urls.base import Base, resolve, split_url, strip_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from datetime import datetime
    from typing import BinaryIO

    from sitemap_docs.model import Entry

DEPTH = 4
"""Folders below the tree in which a build's sitemap is looked for, such as ``project/en/1.0``."""


_NAMES = tuple(name for name in NAMES if not name.endswith(".txt"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """One sitemap: the ``place`` it is read from, and its ``url``.

    ``pages`` is the URL of the deepest folder that holds what it lists. ``build`` is the path of its build
    below the base: ``""``, or with a slash at its end. ``session`` is the first address with a session id.
    ``first`` and ``last`` are the addresses at its ends; ``first`` is ``""`` where they do not come in order.
    """

    place: str
    url: str
    build: str
    pages: str
    lastmod: datetime | None
    session: str = ""
    first: str = ""
    last: str = ""

    def entries(self) -> Iterator[Entry]:
        """What it lists, read anew, without session ids. Raises SitemapError, also while it is read."""
        with _opened(self.place) as stream:
            entries = reader.parse(stream, name=self.place).entries()
            yield from map(_without_session, entries) if self.session else entries


def in_tree(tree: Path, base: Base, own: str) -> Iterator[Child]:
    """The sitemaps of the builds below ``tree``, but for ``own``, the tree's own file."""
    for folder in _folders(tree, tree.resolve(), DEPTH):
        name = _sitemap_in(tree, folder)
        if name and not (folder == tree and name in (own, f"{own}.gz")):
            path = (folder / name).relative_to(tree).as_posix()
            yield from _children(str(folder / name), base.loc(path), base)


def guess_base(tree: Path) -> tuple[str, str]:
    """The base URL of a tree, as the first build's pages tell it, and the file that says so; else empty."""
    for folder in _folders(tree, tree.resolve(), DEPTH):
        path = folder.relative_to(tree).as_posix()
        name = _sitemap_in(tree, folder)
        if name and path != ".":
            for child in _children(str(folder / name), "", Base("https://unknown.invalid/")):
                if child.pages.endswith(f"/{path}/"):
                    return child.pages.removesuffix(f"{path}/"), child.place
    return "", ""


def _sitemap_in(tree: Path, folder: Path) -> str | None:
    """The name of a folder's sitemap, if it lies inside the tree after links."""
    below = folder.relative_to(tree)
    return next((name for name in _NAMES if files.find_inside(tree, (below / name).as_posix())), None)


def check_own(file: Path, children: Iterable[Child]) -> None:
    """Raises SitemapError when the tree's own file lists pages outside the folders of ``children``."""
    if not files.find_inside(file.parent, file.name):
        return
    parsed = reader.parse(file)
    folders = tuple({child.url.rpartition("/")[0] + "/" for child in children})
    stray = next((each.loc for each in parsed.entries() if not each.loc.startswith(folders)), None)
    if parsed.kind == "urlset" and stray:
        raise SitemapError(
            f"{file} is the sitemap of a build at the root of the tree: it lists {stray}. To keep it "
            "and join it with the others, pass --filename sitemap-index.xml"
        )


def of_places(places: Iterable[str], base: Base) -> Iterator[Child]:
    """The sitemaps at paths below the current folder, web addresses and ``fsspec`` URLs.

    A path is that of the deployed file, too, where the pages fit; else the sitemap is taken to be deployed
    in the folder of its pages.
    """
    for place in places:
        path = Path(place)
        relative = not ("://" in place or path.is_absolute() or ".." in path.parts)
        url = place if web.is_web(place) else base.loc(path.as_posix()) if relative else ""
        for child in _children(place, url, base):
            here = child.pages.startswith(child.url.rpartition("/")[0] + "/") or web.is_web(place)
            yield child if here else _moved(child, child.pages + child.url.rpartition("/")[2], base)


def _folders(folder: Path, inside: Path, depth: int, *, linked: bool = False) -> Iterator[Path]:
    """A folder and those below it; links within the tree are followed once in a path, and not in a circle."""
    yield folder
    if not depth:
        return
    real = folder.resolve()
    for entry in _entries_of(folder):
        below, through = folder / entry.name, linked or entry.is_symlink()
        if entry.name.startswith((".", "_")) or not below.is_dir():  # that of a DirEntry fails for a loop
            continue
        target = below.resolve() if through else inside
        circles = entry.is_symlink() and (linked or real.is_relative_to(target))
        if not circles and target.is_relative_to(inside):
            yield from _folders(below, inside, depth - 1, linked=through)


def _entries_of(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=attrgetter("name"))
    except OSError as error:
        raise SitemapError(f"{folder} cannot be read: {error.strerror}. Correct its permissions.") from None


def _children(place: str, url: str, base: Base) -> Iterator[Child]:
    """A sitemap, or those that it lists if it is an index; an index within it counts as its sitemaps."""
    return _unread_children(place, url, base, (), {place})


def _unread_children(
    place: str, url: str, base: Base, above: tuple[str, ...], read: set[str]
) -> Iterator[Child]:
    with _opened(place) as stream:
        parsed = reader.parse(stream, name=place)
        locs = chain.from_iterable(parsed.listed()) if parsed.kind == "sitemapindex" else None
        listed = {_child_place(place, loc): loc for loc, _ in locs if loc} if locs else {}
    if locs is None:
        yield _surveyed(place, url, base)
    for child in unread(listed, (*above, place), read):
        child_url = _child_url(place, url, child, listed[child])
        yield from _unread_children(child, child_url, base, (*above, place), read)


def _surveyed(place: str, url: str, base: Base) -> Child:
    newest: datetime | None = None
    low = high = previous = session = ""
    in_order = True
    with _opened(place) as stream:
        for entry in reader.parse(stream, name=place).entries():
            low, high = min(low or entry.loc, entry.loc), max(high, entry.loc)
            in_order, previous = in_order and entry.loc >= previous, entry.loc
            session = session or ("" if _without_session(entry) == entry else entry.loc)
            newest = max(filter(None, (newest, entry.lastmod)), default=None)
    child = Child(
        place=place,
        url="",
        build="",
        pages=common_folder(filter(None, (low, high))),
        lastmod=newest,
        session=session,
        first=low if in_order and not session else "",
        last=high,
    )
    return _moved(child, url or child.pages + place.rpartition("/")[2], base)


def _without_session(entry: Entry) -> Entry:
    alternates = tuple(Alternate(code, strip_session(href)) for code, href in entry.alternates)
    return entry._replace(loc=strip_session(entry.loc), alternates=alternates)


def _moved(child: Child, url: str, base: Base) -> Child:
    folder = url.rpartition("/")[0] + "/"
    return replace(child, url=url, build=base.path_of(folder) or "")


def _child_place(index: str, loc: str) -> str:
    """Where a sitemap lies that an index lists; for a remote file system, next to it."""
    if not _is_remote(index):
        return child_place(index, loc)
    folder, slash, _ = index.rpartition("/")
    name = unquote(split_url(loc).path.rpartition("/")[2])
    if "/" in name or "::" in name or not files.is_below(name):  # `::` chains file systems
        raise SitemapError(f"{index} lists {loc}, which names no file in {folder}/. Correct the index.")
    return folder + slash + name


def _child_url(index: str, index_url: str, child: str, loc: str) -> str:
    """Where a child of an index is deployed; ``""`` where that of the index is not known."""
    if not index_url:
        return ""
    if web.is_web(index) or _is_remote(index):
        return resolve(index_url, loc.rpartition("/")[2])
    return resolve(index_url, quote(Path(child).relative_to(Path(index).parent).as_posix()))


def _is_remote(place: str) -> bool:
    return "://" in place and not web.is_web(place)


def _opened(place: str) -> AbstractContextManager[BinaryIO]:
    return _fetched(place) if _is_remote(place) else open_place(place)


def _fetched(url: str) -> BinaryIO:
    """What lies at an ``fsspec`` URL: all of it, as its file system may fail at any byte."""
    try:
        from fsspec import open as fsspec_open  # noqa: PLC0415  an extra

        with fsspec_open(url, "rb") as stream:
            return BytesIO(stream.read(MAX_BYTES + 1))
    except ImportError as error:
        raise SitemapError(
            f"{url} needs {error.name or 'fsspec'}: python -m pip install 'sitemap-docs[remote]', and the "
            "package that fsspec names for this scheme."
        ) from None
    except Exception as error:  # noqa: BLE001  each file system raises errors of its own library
        raise SitemapError(f"{url} cannot be read: {str(error) or type(error).__name__}.") from None
