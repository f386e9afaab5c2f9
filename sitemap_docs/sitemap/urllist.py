"""The URLs that a site lists: of a sitemap or an index, in files or on the web."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from os.path import commonprefix
from pathlib import Path

from sitemap_docs import files, web
from sitemap_docs.config.dates import parse_datetime
from sitemap_docs.model import MAX_BYTES, SitemapError
from sitemap_docs.sitemap import NAMES, reader
from sitemap_docs.sitemap.render import stamp
from sitemap_docs.text import linear
from sitemap_docs.urls.base import resolve, split_url, without_query
from sitemap_docs.webroot import Webroot, find_copied

_PLACES = (*NAMES, "sitemap.txt")

_CONTROLS = dict.fromkeys([*range(32), 127])


@linear
def read_urls(where: str) -> Iterator[tuple[str, str]]:
    """The loc and lastmod of each URL listed at ``where``, in the order of the files, perhaps twice.

    ``lastmod`` is in UTC, as we write it, or ``""``. ``where`` is a sitemap or an index (XML, gzip or text,
    one URL a line), a built folder, or the web address of a sitemap or of the folder that holds
    ``sitemap.xml``. What an index lists is looked up next to it, so that a copy of a site can be read.
    Raises SitemapError, also while the URLs are read.
    """
    walk = reader.Walk([sitemap_of(where)])
    for place in walk:
        stream = open_place(place)
        if split_url(place).path.endswith(".txt"):
            for line in stream:
                loc = line.decode("utf-8-sig", "replace").strip()
                if web.is_web(loc):
                    yield _printable(loc), ""
            continue
        parsed = reader.parse(stream, name=place)
        for row in parsed.rows():
            loc = _printable(row.loc)
            if not loc:
                continue
            if parsed.root == "sitemapindex":
                walk.add([child_place(place, loc)])
            else:
                yield loc, _in_utc(row.lastmod)


def sitemap_of(where: str) -> str:
    """The file or web address of the sitemap at a place; raises SitemapError for a folder without one."""
    if web.is_web(where):
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
        raise SitemapError(f"{path} has no sitemap ({', '.join(_PLACES)}): build it first, or name the file.")
    if not path.is_file() and "://" not in where:
        raise SitemapError(
            f"{path} does not exist. Pass a sitemap, a built folder, or a web address with https://."
        )
    return where


def built_at(place: str) -> Webroot | None:
    """The built folder at a place, with the base URL of its sitemap; None for no folder."""
    folder = Path(place)
    if not folder.is_dir():
        return None
    return Webroot.guess(folder, (loc for loc, _ in read_urls(place)))


def common_folder(locs: Iterable[str]) -> str:
    """The URL of the deepest folder that contains all URLs; ``""`` for none or several hosts."""
    prefix = commonprefix([*locs])  # noqa: RUF071  by characters is meant
    folder = without_query(prefix).rpartition("/")[0] + "/"
    if not split_url(folder).netloc:
        return ""
    return folder


def open_place(place: str) -> BytesIO:
    """Returns what a file or web address holds, at most 52,428,800 bytes; raises SitemapError."""
    if web.is_web(place):
        data = web.read_url(place, MAX_BYTES + 1)
    elif "://" in place:
        raise SitemapError(
            f"{place} is neither a path nor an address with https://: copy the file here, and pass its path."
        )
    else:
        try:
            data = files.read_file(place, MAX_BYTES + 1)
        except OSError as error:
            raise SitemapError(f"{place} cannot be read: {web.reason(error)}.") from None
    if len(data) > MAX_BYTES:
        raise SitemapError(f"{place} has more than {MAX_BYTES:,} bytes; a sitemap may not.")
    return BytesIO(data)


def child_place(index: str, loc: str) -> str:
    """Returns the file of a sitemap that an index lists: next to the index or below, on any host.

    The child of a web address has its scheme and host. Raises SitemapError.
    """
    if web.is_web(index):
        place = loc
        if split_url(loc)[:2] != split_url(index)[:2]:  # a preview serves the addresses of production
            place = resolve(index, split_url(loc).path.rpartition("/")[2])
        if split_url(place)[:2] != split_url(index)[:2]:
            raise SitemapError(f"{index} lists {loc}, which is on another host. Correct the index.")
        return place
    folder, own = Path(index).parent, Path(index).name
    name = find_copied(folder, loc)
    if name and name != own:
        return str(folder / name)
    what = "is the index itself, or a sitemap that is not" if name else "is not"
    raise SitemapError(
        f"{index} lists {loc}, which {what} in {folder}: copy the whole set, or pass its web address."
    )


def _printable(loc: str) -> str:
    return loc if loc.isprintable() else loc.translate(_CONTROLS)


@lru_cache(maxsize=65_536)  # pages share the dates of commits
def _in_utc(lastmod: str) -> str:
    when = parse_datetime(lastmod)
    return "" if when is None else stamp(when)
