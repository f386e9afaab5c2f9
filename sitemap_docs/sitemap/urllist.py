"""The URLs that a site lists: of a sitemap or an index, in files or on the web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from os.path import commonprefix
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs import files, web
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import reader
from sitemap_docs.sitemap.dates import parse_datetime
from sitemap_docs.sitemap.render import MAX_BYTES, stamp
from sitemap_docs.sitemap.sorting import sorted_lines, split_lines
from sitemap_docs.urls.base import resolve, split_url
from sitemap_docs.webroot.lookup import Webroot, find_copied

if TYPE_CHECKING:
    from typing import BinaryIO

#: Where a folder's sitemap is looked for.
NAMES = ("sitemap.xml", "sitemap.xml.gz", "sitemap-index.xml", "sitemap_index.xml", "sitemap.txt")

_CONTROLS = dict.fromkeys([*range(32), 127])
_TRIES = 100  # pages that are looked for, to learn where a folder is deployed to
#: Sitemaps that are read of one index at most, with those of its indexes: as many as one may list.
MAX_SITEMAPS = 50_000
_DEEPEST = 3  # an index of indexes of indexes; engines read one level


class Listed(NamedTuple):
    """One listed URL; ``lastmod`` is in UTC, as we write it, or ``""``."""

    loc: str
    lastmod: str = ""

    @property
    def line(self) -> str:
        """The two with a tab between them: lines sort as their locs do, since no URL holds a tab."""
        return f"{self.loc}\t{self.lastmod}"

    @classmethod
    def of(cls, line: str) -> Listed:
        loc, _, lastmod = line.partition("\t")
        return cls(loc, lastmod)


def lines(where: str) -> Iterator[str]:
    """A line (:class:`Listed`) for each URL listed at ``where``, in the order of the files, perhaps twice.

    ``where`` is a sitemap or an index (XML, gzip or text, one URL a line), a built folder, or the web address
    of a sitemap or of the folder that holds ``sitemap.xml``. What an index lists is looked up next to it, so
    that a copy of a site can be read. Raises SitemapError, also while the lines are read.
    """
    return _lines(sitemap_of(where), (), set())


def sitemap_of(where: str) -> str:
    """The file or web address of the sitemap at a place; raises SitemapError for a folder without one."""
    if not web.is_web(where):
        return str(_file(Path(where)))
    _, _, path, *query = split_url(where)
    return where if path[-1:] not in ("", "/") or any(query) else f"{where.rstrip('/')}/{NAMES[0]}"


def built_at(place: str) -> Webroot | None:
    """The built folder at a place, with the base URL of its sitemap; None for another place."""
    folder = Path(place)
    locs = (line.partition("\t")[0] for line in lines(place)) if folder.is_dir() else ()
    return Webroot.guess(folder, islice(locs, _TRIES))


def distinct(lines: Iterable[str]) -> Iterator[str]:
    """The lines sorted by address, each address once, with its newest date."""
    ordered = sorted_lines(lines)
    held = next(ordered, "")
    loc = held.partition("\t")[0]
    for line in ordered:
        following = line.partition("\t")[0]
        if following != loc:
            yield held
        held, loc = line, following
    if held:
        yield held


def common_folder(lines: Iterable[str]) -> str:
    """The URL of the deepest folder that contains all URLs; ``""`` for none or several hosts."""
    prefix: str | None = None
    for line in lines:
        if prefix is None:
            prefix = line.partition("\t")[0]
        elif not line.startswith(prefix):
            prefix = commonprefix([prefix, line])  # noqa: RUF071  by characters is meant
    folder = (prefix or "").partition("?")[0].rpartition("/")[0] + "/"
    return folder if split_url(folder).netloc else ""


def _file(path: Path) -> Path:
    if not path.is_dir():
        if path.is_file():
            return path
        raise SitemapError(f"{path} does not exist. Pass a sitemap, a built folder or a web address.")
    found = next((path / name for name in NAMES if files.find_inside(path, name)), None)
    if found is None:
        raise SitemapError(f"{path} has no sitemap ({', '.join(NAMES)}): build it first, or name the file.")
    return found


def _lines(place: str, above: tuple[str, ...], read: set[str]) -> Iterator[str]:
    if split_url(place).path.endswith(".txt"):
        yield from text_lines(place, max_bytes=MAX_BYTES)
        return
    with open_place(place) as stream:
        parsed = reader.parse(stream, name=place)
        if parsed.kind == "urlset":
            for rows in parsed.listed():
                yield from [f"{_one_line(loc)}\t{_in_utc(lastmod)}" for loc, lastmod in rows if loc]
            return
        children = [child_place(place, _one_line(loc)) for rows in parsed.listed() for loc, _ in rows if loc]
    for child in unread(children, (*above, place), read):
        yield from _lines(child, (*above, place), read)


def unread(places: Iterable[str], above: Sequence[str], read: set[str]) -> Iterator[str]:
    """Of the sitemaps that an index lists, those that were not ``read``: each is added to it, and comes once.

    ``above`` are the indexes around them. Raises SitemapError for one of these, and for too many of them.
    """
    for place in places:
        if place in above or len(above) > _DEEPEST:
            raise SitemapError(
                f"{above[-1]} lists {place}: index nested more than {_DEEPEST} levels deep (circular?)"
            )
        if place not in read:
            if len(read) > MAX_SITEMAPS:
                raise SitemapError(f"{above[0]} leads to more than {MAX_SITEMAPS:,} sitemaps. Correct it.")
            read.add(place)
            yield place


@contextmanager
def open_place(place: str) -> Iterator[BinaryIO]:
    """A file or web address, to be read; SitemapError, also for what goes wrong while it is read."""
    if web.is_web(place):
        with web.open_url(place) as body:
            yield body
        return
    try:
        with Path(place).open("rb") as stream:
            yield stream
    except OSError as error:
        raise SitemapError(f"{place} cannot be read: {web.reason(error)}.") from None


def text_lines(place: str, *, max_bytes: int | None) -> Iterator[str]:
    """The lines of a text sitemap, which may have a date after a tab; raises SitemapError."""
    for lines in split_lines(_blocks(place, max_bytes)):
        yield from filter(None, map(_text_line, lines))


def _blocks(place: str, max_bytes: int | None) -> Iterator[bytes]:
    size = 0
    with open_place(place) as stream:
        while block := stream.read(1 << 16):
            size += len(block)
            if max_bytes is not None and size > max_bytes:
                raise SitemapError(f"{place} has more than {max_bytes:,} bytes; a sitemap may not.")
            yield block


def _text_line(line: bytes) -> str:
    loc, _, lastmod = line.decode("utf-8-sig", "replace").strip().partition("\t")
    return f"{_one_line(loc)}\t{_in_utc(lastmod)}" if web.is_web(loc) else ""


def _one_line(loc: str) -> str:
    return loc if loc.isprintable() else loc.translate(_CONTROLS)


@lru_cache(maxsize=65_536)
def _in_utc(lastmod: str) -> str:
    return stamp(when) if (when := parse_datetime(lastmod)) else ""


def child_place(index: str, loc: str) -> str:
    """Where a sitemap is that an index lists: next to the index or below, whatever host the loc names.

    The child of a web address has its scheme and host. Raises SitemapError.
    """
    if web.is_web(index):
        place = (
            loc if _origin(loc) == _origin(index) else resolve(index, split_url(loc).path.rpartition("/")[2])
        )
        if _origin(place) == _origin(index):
            return place
        raise SitemapError(f"{index} lists {loc}, which is on another host. Correct the index.")
    folder, own = Path(index).parent, Path(index).name
    name = find_copied(folder, loc)
    if name and name != own:
        return str(folder / name)
    what = "is the index itself, or a sitemap that is not" if name else "is not"
    raise SitemapError(
        f"{index} lists {loc}, which {what} in {folder}: copy the whole set, or pass its web address."
    )


def _origin(url: str) -> tuple[str, str]:
    parts = split_url(url)
    return parts.scheme, parts.netloc
