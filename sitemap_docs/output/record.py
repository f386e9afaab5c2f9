"""The build record: what the last build of a folder decided about each page, for the commands that read it.

It is in the user's cache, never in the folder that is deployed, and is valid only while the sitemap is the
one that this build wrote.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs import files
from sitemap_docs.cache import CacheError, drop_unused, open_cache
from sitemap_docs.model import Page, PageOptions, Reason
from sitemap_docs.paths import seen_from
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class PageRecord(NamedTuple):
    """What a build decided about one page.

    ``file`` is its path below the output folder, with ``/``. ``reason`` is the value of the ``Reason`` that
    leaves it out (``""``: it is listed), ``detail`` what exactly did. ``lastmod`` is exact, also where the
    sitemap has the day; ``commit`` dates the page by a change of the file ``changed``. ``sources`` are
    absolute paths, as are ``undated``: files that the page depends on and that do not date it.
    """

    file: str
    loc: str
    reason: str = ""
    detail: str = ""
    lastmod: str = ""
    commit: str = ""
    changed: str = ""
    sources: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a build decided: the base URL, and a line for each page by its file below the output folder.

    ``listed`` is the number of addresses in the sitemap, also of those that are no pages of the build, and
    ``dated`` how many have a lastmod.
    """

    base: str
    listed: int = 0
    dated: int = 0
    lines: Mapping[str, str] = field(default_factory=dict)

    def page(self, file: str) -> PageRecord | None:
        """What the build decided about a file; None for one that was no page of the build."""
        line = self.lines.get(file)
        return _parse(line) if line else None

    def decided(self, page: Page, output: Path) -> Page:
        """A page as the build decided about it; unchanged where it was no page of the build."""
        known = self.page(seen_from(output, page.file))
        if known is None:
            return page
        base = Base(self.base)
        path = page.path
        if base.loc(path) != known.loc:  # the build spelled addresses in another way
            path = base.path_of(known.loc) or path
        return page._replace(
            path=path,
            sources=tuple(map(Path, known.sources)),
            default=Reason(known.reason) if known.reason else None,
            options=PageOptions() if known.reason else PageOptions(listed=True),
        )

    def pages(self) -> Iterator[PageRecord]:
        """All pages, in the order of their addresses."""
        return map(_parse, self.lines.values())


class Recording:
    """A record that is being made; nothing is kept without :meth:`commit`.

    A cache that cannot be written keeps no record, and fails no build.
    """

    def __init__(self, output: Path, folder: Path | None) -> None:
        self._output = output
        self._prefix = f"{output}{os.sep}"
        self._folder = folder

    def __enter__(self) -> Recording:  # noqa: PYI034 - typing.Self is Python 3.11
        # A database of its own, in memory and for large sites in a temporary file: the cache is locked only
        # while the whole record is moved there.
        self._pages = sqlite3.connect("")
        self._pages.execute("CREATE TABLE pages (number INTEGER PRIMARY KEY, file BLOB, line TEXT)")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pages.close()

    def add(self, page: PageRecord) -> None:
        """Takes a page; its ``file`` may be an absolute path below the output folder."""
        if self._folder:
            own = page.file.removeprefix(self._prefix).replace(os.sep, "/")
            row = (os.fsencode(own), _line([own, *page[1:]]))
            with suppress(sqlite3.Error):
                self._pages.execute("INSERT INTO pages (file, line) VALUES (?, ?)", row)

    def commit(self, base: str, sitemaps: Iterable[str], *, listed: int = 0, dated: int = 0) -> None:
        """Makes it the record of the output folder, which holds ``sitemaps`` now: files, by name."""
        if not self._folder:
            return
        names = tuple(sitemaps)
        with suppress(CacheError, OSError), open_cache(self._folder) as cache:
            build = (_key(self._output), base, listed, dated, _ENCODE(names), _digest(self._output, names))
            cache.execute("DELETE FROM builds WHERE output = ?", build[:1])
            into = "INSERT INTO builds (output, base, listed, dated, files, digest) VALUES (?, ?, ?, ?, ?, ?)"
            number = cache.execute(into, build).lastrowid
            pages = self._pages.execute("SELECT ?, number, file, line FROM pages ORDER BY number", (number,))
            cache.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", pages)
            drop_unused(cache)


def read_record(output: Path, folder: Path) -> Record | None:
    """The record of the last build of an output folder; None without one, or where the sitemap is another."""
    with suppress(*_ODD), open_cache(folder) as cache:
        build = _build(cache, output)
        rows = cache.execute("SELECT file, line FROM pages WHERE build = ? ORDER BY number", (build.id,))
        lines = {os.fsdecode(file): line for file, line in rows}
        return Record(base=build.base, listed=build.listed, dated=build.dated, lines=lines)
    return None


def read_written(output: Path, folder: Path) -> tuple[str, ...]:
    """The files that the last build wrote into an output folder, as far as its record counts."""
    with suppress(*_ODD), open_cache(folder) as cache:
        return _build(cache, output).files
    return ()


#: What reading a record may raise where there is none, or where its sitemap is not there.
_ODD = (CacheError, OSError, LookupError, ValueError)


class _Build(NamedTuple):
    id: int
    base: str
    listed: int
    dated: int
    files: tuple[str, ...]


def _build(cache: sqlite3.Connection, output: Path) -> _Build:
    """The last build of a folder; LookupError where there is none, or where the sitemap is another now."""
    columns = "SELECT id, base, listed, dated, files, digest FROM builds WHERE output = ?"
    row = cache.execute(columns, (_key(output),)).fetchone()
    if row is None:
        raise LookupError("no build")
    number, base, listed, dated, names, digest = row
    written = tuple(json.loads(names))
    if digest != _digest(output, written):
        raise LookupError("another sitemap")
    return _Build(number, base, listed, dated, written)


def _key(output: Path) -> bytes:
    return os.fsencode(os.path.realpath(output))


def _line(values: list[str | tuple[str, ...]]) -> str:
    """A JSON array without the empty values at its end; strings are encoded faster than a list of them."""
    while not values[-1]:
        values.pop()
    return f"[{','.join(map(_ENCODE, values))}]"


def _parse(line: str) -> PageRecord:
    values = json.loads(line)
    values[_TUPLES:] = map(tuple, values[_TUPLES:])
    return PageRecord(*values)


_TUPLES = PageRecord._fields.index("sources")  # from here on, each value is a tuple


def _digest(output: Path, names: Iterable[str]) -> str:
    """Of the sitemap files; OSError where one is gone."""
    digest = blake2b(digest_size=16)
    for name in names:
        for part in (os.fsencode(name), files.read_file(output / name)):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()
