"""The build record: what the last build of a folder decided about each page, for the commands that read it.

It is in the user's cache, never in the folder that is deployed, and is valid only while the sitemap is the
one that this build wrote.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs import files
from sitemap_docs.cache import CacheError, drop_unused, open_cache
from sitemap_docs.model import Page, PageOptions, Reason
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from types import TracebackType

_BATCH = 1_000
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
    """What the last build of ``output`` decided: the base URL, counts, the names of the files it wrote.

    ``listed`` is the number of addresses in the sitemap, also of those that are no pages of the build, and
    ``dated`` how many have a lastmod. The pages stay in the cache, in ``folder``, until they are asked for;
    where it cannot be read by then, or another build was made since, there are none.
    """

    base: str
    listed: int
    dated: int
    files: tuple[str, ...]
    output: Path
    folder: Path
    digest: str

    def page(self, *, file: str = "", source: str = "") -> PageRecord | None:
        """The page with this file or this first source, whichever is given.

        Only its row is read. None for what was no page of the build.
        """
        if file:
            rows = self._rows("file = ?", os.fsencode(file))
        else:
            rows = self._rows("source = ?", os.fsencode(source))
        return next(map(_page, rows), None)

    def pages(self) -> Iterator[PageRecord]:
        """All pages, in the order of their addresses."""
        return map(_page, self._rows())

    def decided(self, pages: Iterable[Page]) -> list[Page]:
        """The pages as the build decided about them; those that were no pages of the build are unchanged."""
        rows = {os.fsdecode(row[0]): row for row in self._rows()}
        base = Base(self.base)
        found = []
        for page in pages:
            row = rows.get(files.seen_from(self.output, page.file))
            if row is None:
                found.append(page)
                continue
            known = _page(row)
            path = page.path
            if base.loc(path) != known.loc:  # the build spelled addresses in another way
                path = base.path_of(known.loc) or path
            reason = None
            options = PageOptions(listed=True)
            if known.reason:
                reason = Reason(known.reason)
                options = PageOptions()
            found.append(page._replace(path=path, sources=known.sources, default=reason, options=options))
        return found

    def _rows(self, condition: str = "true", *values: bytes) -> list[_Row]:
        build = (_key(self.output), self.digest)
        query = f"{_ROWS} AND {condition} ORDER BY loc, file"
        with suppress(CacheError), open_cache(self.folder) as cache:
            return cache.execute(query, (*build, *values)).fetchall()
        return []


_Row = tuple[bytes, str, bytes, str]
_ROWS = """
SELECT file, loc, source, facts FROM pages JOIN builds ON id = build WHERE output = ? AND digest = ?
"""


class Recording:
    """A record that is being made; nothing is kept without :meth:`commit`.

    A cache that cannot be written keeps no record, and fails no build.
    """

    def __init__(self, output: Path, folder: Path | None) -> None:
        self._output = output
        self._folder = folder

    def __enter__(self) -> Recording:  # noqa: PYI034 - typing.Self is Python 3.11
        # A database of its own, in memory and for large sites in a temporary file: the cache is locked only
        # while the whole record is moved there.
        self._pages = sqlite3.connect("")
        self._pages.execute("CREATE TABLE pages (file BLOB, loc TEXT, source BLOB, facts TEXT)")
        self._rows: list[_Row] = []
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pages.close()

    def add(self, page: PageRecord) -> None:
        """Takes a page; its ``file`` may be an absolute path below the output folder."""
        if self._folder:
            self._rows.append(_row(page, self._output))
            if len(self._rows) == _BATCH:
                self._flush()

    def _flush(self) -> None:
        with suppress(sqlite3.Error):
            self._pages.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", self._rows)
        self._rows.clear()

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
            self._flush()
            pages = self._pages.execute("SELECT ?, file, loc, source, facts FROM pages", (number,))
            cache.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)", pages)
            drop_unused(cache)


def read_record(output: Path, folder: Path) -> Record | None:
    """The record of the last build of an output folder; None without one, or where the sitemap is another."""
    columns = "SELECT base, listed, dated, files, digest FROM builds WHERE output = ?"
    with suppress(CacheError, OSError, ValueError), open_cache(folder) as cache:
        row = cache.execute(columns, (_key(output),)).fetchone()
        if row is None:
            return None
        base, listed, dated, names, digest = row
        written = tuple(json.loads(names))
        if digest == _digest(output, written):
            return Record(
                base=base,
                listed=listed,
                dated=dated,
                files=written,
                output=output,
                folder=folder,
                digest=digest,
            )
    return None


def _key(output: Path) -> bytes:
    return os.fsencode(os.path.realpath(output))


def _row(page: PageRecord, output: Path) -> _Row:
    """The row of a page; ``facts`` is a JSON array without the empty values at its end."""
    file, loc, *facts = page
    while facts and not facts[-1]:
        facts.pop()
    source = ""
    if page.sources:
        source = page.sources[0]
    return os.fsencode(files.seen_from(output, file)), loc, os.fsencode(source), _ENCODE(facts)


def _page(row: _Row) -> PageRecord:
    page = PageRecord(os.fsdecode(row[0]), row[1], *json.loads(row[3]))
    return page._replace(sources=tuple(page.sources), undated=tuple(page.undated))


def _digest(output: Path, names: Iterable[str]) -> str:
    """Of the sitemap files; OSError where one is gone."""
    digest = blake2b(digest_size=16)
    for name in names:
        for part in (os.fsencode(name), files.read_file(output / name)):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()
