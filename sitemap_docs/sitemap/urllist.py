"""The URLs that a site lists, in a sitemap or an index of any format, in files or on the web."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from os.path import commonprefix
from pathlib import Path

from sitemap_docs import files, web
from sitemap_docs.config.dates import parse_datetime
from sitemap_docs.linear import linear
from sitemap_docs.model import MAX_BYTES, SitemapError
from sitemap_docs.sitemap import NAMES, TEXT_NAMES, reader
from sitemap_docs.sitemap.copied_files import find_copied
from sitemap_docs.sitemap.render import stamp
from sitemap_docs.urls.base import is_web, resolve, split_url, without_query

_PLACES = (*NAMES, *TEXT_NAMES)

_CONTROLS = dict.fromkeys([*range(32), 127])


@linear
def read_urls(where: str) -> Iterator[tuple[str, str]]:
    """Yield the address and date of each page in a sitemap, or in all sitemaps of an index.

    Args:
        where: A sitemap, a built folder, or a web address.

    Raises:
        SitemapError: A sitemap cannot be read, or ``where`` is an RSS or Atom feed, which lists only new
            pages.
    """
    start = sitemap_of(where)
    walk = reader.Walk([start])
    for place in walk:
        # Pages drop out of a feed when there are newer ones, and would be reported as removed.
        parsed = reader.parse(open_place(place), name=place, feeds=place != start)
        for row in parsed.rows():
            loc = _printable(row.loc)
            if not loc:
                continue
            if parsed.is_index:
                walk.add([child_place(place, loc)])
            else:
                yield loc, _in_utc(row.lastmod)


def sitemap_of(where: str) -> str:
    """Find the path or URL of a site's sitemap: ``site/sitemap.xml`` for the folder ``site``.

    Raises:
        SitemapError: There is no such sitemap.
    """
    if is_web(where):
        parts = split_url(where)
        names_a_file = parts.path.strip("/") and not parts.path.endswith("/")
        if names_a_file or parts.query or parts.fragment:
            return where
        return f"{where.rstrip('/')}/{NAMES[0]}"
    path = Path(where)
    if path.is_dir():
        for name in _PLACES:
            if files.find_inside(path, name):
                return str(path / name)
        raise SitemapError(
            f"{path} has no sitemap ({', '.join(_PLACES)}). Build the site first, or pass the file."
        )
    if not path.is_file() and "://" not in where:
        raise SitemapError(
            f"{path} does not exist. Pass a sitemap, a built folder, or a web address with https://."
        )
    return where


def common_folder(locs: Iterable[str]) -> str:
    """Return the URL of the deepest folder that contains all URLs, or ``""`` if their hosts differ."""
    prefix = commonprefix([*locs])  # noqa: RUF071  by characters is meant
    folder = without_query(prefix).rpartition("/")[0] + "/"
    if not split_url(folder).netloc:
        return ""
    return folder


def open_place(place: str) -> BytesIO:
    """Read a file or a web address into memory, and return it as a binary file object.

    Raises:
        SitemapError: The file cannot be read, or is too large.
    """
    if is_web(place):
        data = web.read_url(place, MAX_BYTES + 1)
    elif "://" in place:
        raise SitemapError(
            f"{place} is neither a path nor an address with https://. Copy the file to this machine, and "
            "pass its path."
        )
    else:
        try:
            data = files.read_file(place, MAX_BYTES + 1)
        except OSError as error:
            raise SitemapError(f"{place} cannot be read: {web.reason(error)}.") from None
    if len(data) > MAX_BYTES:
        raise SitemapError(f"{place} has more than {MAX_BYTES:,} bytes, the limit for a sitemap.")
    return BytesIO(data)


def child_place(index: str, loc: str) -> str:
    """Return where to read a sitemap that an index lists: a path for a local index, otherwise a URL.

    A local sitemap must be in the folder of the index or below.

    Raises:
        SitemapError: The sitemap is missing, or on another host.
    """
    if is_web(index):
        place = loc
        if split_url(loc)[:2] != split_url(index)[:2]:  # a preview serves the addresses of production
            place = resolve(index, split_url(loc).path.rpartition("/")[2])
        if split_url(place)[:2] != split_url(index)[:2]:
            raise SitemapError(f"{index} lists {loc}, which is on another host. Correct the index.")
        return place
    folder, own = Path(index).parent, Path(index).name
    # The folder may be a copy of a site, so the host in the address is ignored.
    name = find_copied(folder, loc)
    if name and name != own:
        return str(folder / name)
    what = "is not another sitemap" if name else "is not"
    raise SitemapError(
        f"{index} lists {loc}, which {what} in {folder}. Copy all sitemaps of the index to that folder, or "
        "pass the web address of the index."
    )


def _printable(loc: str) -> str:
    return loc if loc.isprintable() else loc.translate(_CONTROLS)


@lru_cache(maxsize=65_536)  # pages share the dates of commits
def _in_utc(lastmod: str) -> str:
    when = parse_datetime(lastmod)
    return "" if when is None else stamp(when)
