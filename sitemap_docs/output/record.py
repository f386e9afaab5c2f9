"""The build record: what the last build of a folder decided about each page, for the commands that read it.

It is in a cache folder, never in the folder that is deployed, and is valid only while the sitemap is the one
that this build wrote. It travels: a folder that was moved or copied is known by its sitemap, also on another
machine that was given the cache, and sources are found below the checkout there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.cache import CacheError, drop_unused, open_cache
from sitemap_docs.config.dates import read_date
from sitemap_docs.history.page_dates import Stamp
from sitemap_docs.html.head import head_inside
from sitemap_docs.model import Page, PageOptions, Reason
from sitemap_docs.urls.base import Base

_BATCH = 1_000  # pages that are one row of the cache, in JSON: a row for each would take three times as long
_SPOOLED = 1 << 20  # bytes that wait in memory
_NO_OPTIONS = PageOptions()  # one for all pages, whose own options the build has followed
_JSON = json.JSONEncoder(separators=(",", ":"))
_BUILD = """
INSERT INTO builds (output, root, base, listed, dated, files, digest, joined, skipped)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_FORGET = "DELETE FROM builds WHERE output = ? AND (joined IS NULL) = ?"
_BUILDS = """
SELECT id, output, root, base, listed, dated, files, digest, joined, skipped FROM builds
WHERE (joined IS NULL) = ? ORDER BY output = ? DESC, id DESC
"""
_PAGES = """
SELECT batch FROM pages JOIN builds ON id = build
WHERE id = ? AND digest = ? AND instr(batch, ?) ORDER BY pages.rowid
"""


class PageRecord(NamedTuple):
    """What a build decided about one page.

    ``file`` is its path below the output folder, with ``/``. ``reason`` is the value of the ``Reason`` that
    leaves it out (``""``: it is listed), ``detail`` what exactly did. ``lastmod`` is exact, also where the
    sitemap has the day; ``commit`` dates the page by a change of the file ``changed``, and ``cause`` is why
    none does. ``sources`` are absolute paths, as are ``undated``: files that the page depends on and that do
    not date it. The cache has those below the root of the record without it.
    """

    file: str
    loc: str
    reason: str = ""
    detail: str = ""
    lastmod: str = ""
    commit: str = ""
    changed: str = ""
    cause: str = ""
    sources: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()

    def decided(self, page: Page, base: Base) -> Page:
        """The page as the build of ``base`` decided about it."""
        path = page.path
        if base.loc(path) != self.loc:  # the build spelled addresses in another way
            spelled = base.path_of(self.loc)
            if spelled is not None:  # the home page has an empty path
                path = spelled
        options = _NO_OPTIONS
        date = read_date(self.lastmod)
        if date and not self.commit:  # the page or a hook sets it
            options = PageOptions(lastmod=date.first)
        page = page._replace(path=path, sources=self.sources, decided=self.reason, options=options)
        return page._replace(unknown=self.cause)

    def stamp(self, root_of: Callable[[str], Path | None]) -> Stamp | None:
        """The commit that dated it; None where none did. ``root_of`` finds the repository of a folder."""
        date = read_date(self.lastmod)
        if date is None or not self.commit:
            return None
        root = root_of(self.changed.rpartition(os.sep)[0])
        if root is None:
            return None
        return Stamp(date.first, self.commit, files.seen_from(root, self.changed), str(root))


class JoinRecord(NamedTuple):
    """The folders of the builds that a join took in, and those whose version it left out.

    Each has a slash at its end; that of the tree itself is ``""``.
    """

    builds: tuple[str, ...]
    unselected: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Record:
    """What the last build of ``output`` decided: the base URL, counts, the names of the files it wrote.

    ``listed`` is the number of addresses in the sitemap, also of those that are no pages of the build, and
    ``dated`` how many have a lastmod. ``root`` is the folder that the sources are in here. The pages stay in
    the cache, in ``folder``, as those of the build with this ``number``, until they are asked for; where it
    cannot be read by then, or another build was made since, there are none.

    ``skipped`` is why the build wrote no sitemap, where it decided so; such a record has no pages.

    The record of a join has the folders that were ``joined``, and the pages that it left out itself; what the
    builds decided is in their own records, in ``below``.
    """

    base: str
    listed: int
    dated: int
    files: tuple[str, ...]
    output: Path
    root: str
    folder: Path
    number: int
    digest: str
    joined: JoinRecord | None = None
    skipped: str = ""
    below: Mapping[str, Record] = field(default_factory=dict)

    def page(self, *, file: str = "", source: str = "") -> PageRecord | None:
        """The page with this file or this first source, whichever is given.

        Only the part of the record that names it is read. None for what was no page of the build.
        """
        written = _JSON.encode(file or _below(self.root, source))  # as the batch of the page has it
        for page in self._pages(written):
            if page.file == file or (source and page.sources[:1] == (source,)):
                return page
        for folder in sorted(self.below, reverse=True):  # a build in the folder of another comes first
            if source or file.startswith(folder):
                known = self.below[folder].page(file=file.removeprefix(folder), source=source)
                if known:
                    return known._replace(file=folder + known.file)
        return None

    def page_of(self, known: PageRecord) -> Page:
        """A page of the record as the build decided about it, whether its file is there or not."""
        page = known.decided(Page(path=known.file, file=self.output / known.file), Base(self.base))
        return page._replace(names=(page.path, known.file))

    def pages(self) -> Iterator[PageRecord]:
        """All pages, in the order in which the build decided about them: that of their addresses.

        What counts comes last: a build in the folder of another, and what a join decided about pages of both.
        """
        for folder in sorted(self.below):
            for page in self.below[folder].pages():
                yield page._replace(file=folder + page.file)
        yield from self._pages("")

    def decided(self, pages: Iterable[Page]) -> list[Page]:
        """The pages as the build decided about them; those that were no pages of the build are unchanged."""
        recorded = {page.file: page for page in self.pages()}
        base = Base(self.base)
        unselected = frozenset(self.joined.unselected if self.joined else ())
        decided = []
        for page in pages:
            file = files.seen_from(self.output, page.file)
            if file in recorded:
                decided.append(recorded[file].decided(page, base))
            elif files.is_below_any(file, unselected):
                decided.append(page._replace(decided=Reason.UNSELECTED.value))
            else:
                decided.append(page)
        return decided

    def _pages(self, text: str) -> Iterator[PageRecord]:
        """The pages of the batches that hold a text."""
        batches: list[tuple[str]] = []
        with suppress(CacheError), open_cache(self.folder) as cache:
            batches = cache.execute(_PAGES, (self.number, self.digest, text)).fetchall()
        for (batch,) in batches:
            for facts in json.loads(batch):
                yield _with_paths(PageRecord._make(facts), partial(_joined, self.root))


class Recording:
    """A record that is being made; nothing is kept without :meth:`commit`.

    ``root`` is the folder of the project. A cache that cannot be written keeps no record, and fails no build.
    """

    def __init__(self, output: Path, folder: Path | None, root: Path) -> None:
        self.output = output
        self._folder = folder
        self._root = os.fspath(files.repository_of(root) or root)
        self._below = partial(_below, self._root)
        self._pages: list[PageRecord] = []
        # Batches wait outside of the cache, a line each: it is locked only while all are moved there.
        self._waiting = SpooledTemporaryFile(_SPOOLED, "w+", encoding="ascii")  # noqa: SIM115  closed on leaving

    def close(self) -> None:
        """Gives up what waits."""
        with suppress(OSError):  # no room for what still waits
            self._waiting.close()

    def add(self, page: PageRecord) -> None:
        """Takes a page, where a record is kept."""
        if not self._folder:
            return
        if page.sources or page.undated:
            page = _with_paths(page, self._below)
        self._pages.append(page)
        if len(self._pages) == _BATCH:
            self._flush()

    def _flush(self) -> None:
        try:
            self._waiting.write(_JSON.encode(self._pages) + "\n")
        except OSError:  # no room
            self._folder = None
        self._pages.clear()

    def commit(
        self,
        base: str,
        sitemaps: Iterable[str],
        *,
        listed: int = 0,
        dated: int = 0,
        joined: JoinRecord | None = None,
        skipped: str = "",
    ) -> None:
        """Makes it the record of the output folder, which holds ``sitemaps`` now: files, by name."""
        self._flush()
        if not self._folder:
            return
        output, names = _key(self.output), tuple(sitemaps)
        with suppress(CacheError), open_cache(self._folder) as cache:
            build = (
                output,
                os.fsencode(self._root),
                base,
                listed,
                dated,
                json.dumps(names),
                _digest(self.output, names, skipped),
                joined and json.dumps(joined),
                skipped,
            )
            cache.execute(_FORGET, (output, joined is None))
            number = cache.execute(_BUILD, build).lastrowid
            self._waiting.seek(0)
            for batch in self._waiting:
                cache.execute("INSERT INTO pages VALUES (?, ?)", (number, batch))
            drop_unused(cache)


def read_record(output: Path, folder: Path) -> Record | None:
    """The record of the build or the join that wrote the sitemap in an output folder; None without one.

    That of the folder itself is looked at first, then the newest of all. In a joined tree, the records of the
    builds that were joined are part of that of the join.
    """
    record = _read_record(output, folder, joins=True)
    if record is None or record.joined is None:
        return read_build(output, folder)
    base = Base(record.base)
    below = {}
    for name in record.joined.builds:
        build = read_build(output / name, folder)
        if build and build.base == base.loc(name):  # else its addresses are others than those in the tree
            below[name] = build
    return replace(record, below=below)


def read_build(output: Path, folder: Path) -> Record | None:
    """The record of the build of an output folder alone, as :func:`read_record` finds it."""
    return _read_record(output, folder, joins=False)


def _read_record(output: Path, folder: Path, *, joins: bool) -> Record | None:
    digests: dict[tuple[str, str], str] = {}
    with suppress(CacheError, ValueError), open_cache(folder) as cache:
        key = _key(output)
        for row in cache.execute(_BUILDS, (not joins, key)):
            number, place, root, base, listed, dated, names, digest, joined, skipped = row
            written = tuple(json.loads(names))
            if place != key and not any(map(_is_inside, written)):
                continue  # nothing that would tell one folder from another
            kind = (names, skipped)
            if kind not in digests:
                digests[kind] = ""
                with suppress(OSError):
                    digests[kind] = _digest(output, written, skipped)
            if digest == digests[kind]:
                return Record(
                    base=base,
                    listed=listed,
                    dated=dated,
                    files=written,
                    output=output,
                    root=_root_here(os.fsdecode(root)),
                    folder=folder,
                    number=number,
                    digest=digest,
                    joined=JoinRecord(*map(tuple, json.loads(joined))) if joined else None,
                    skipped=skipped,
                )
    return None


def _root_here(root: str) -> str:
    """Where the root of a build is here: without that folder, the checkout that a command is run in."""
    if Path(root).is_dir():
        return root
    here = Path.cwd()
    return os.fspath(files.repository_of(here) or here)


def _with_paths(page: PageRecord, change: Callable[[str], str]) -> PageRecord:
    """The page with its paths outside of the output folder changed."""
    changed = page.changed and change(page.changed)
    sources, undated = tuple(map(change, page.sources)), tuple(map(change, page.undated))
    return page._replace(changed=changed, sources=sources, undated=undated)


def _below(root: str, file: str) -> str:
    """The path of a file, without ``root`` where it begins with it."""
    below = file.removeprefix(f"{root}{os.sep}")
    if below == file:
        return file
    return below.replace(os.sep, "/")


def _joined(root: str, file: str) -> str:
    return os.path.join(root, file.replace("/", os.sep))  # noqa: PTH118  a Path for each source takes longer


def _key(output: Path) -> bytes:
    return os.fsencode(os.path.realpath(output))


def _is_inside(name: str) -> bool:
    return not name.startswith("../")


def _digest(output: Path, names: Iterable[str], skipped: str) -> str:
    """Of the sitemap files in the folder, as other builds change one above it; OSError where one is gone.

    Of a build that wrote none there, also of what tells that another program built there later.
    """
    parts: list[bytes] = []
    inside = list(filter(_is_inside, names))
    for name in inside:
        parts += [os.fsencode(name), files.read_file(output / name)]
    if skipped or not inside:
        home = head_inside(output, "index.html", described=True)
        parts.append((home.generator or "").encode())
        for name in sorted(files.names_inside(os.path.realpath(output), "")):
            if name.startswith("sitemap"):
                parts += [os.fsencode(name), files.read_file(output / name)]
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
