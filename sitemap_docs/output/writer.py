"""Entries in, the files of a sitemap out: one urlset, or shards and their index, or indexes."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from sitemap_docs.config.options import Options
from sitemap_docs.model import MAX_BYTES, MAX_URLS, Entry, Finding, SitemapError, reported
from sitemap_docs.output.existing import Coverage, Replaced, existing_error, is_ours, listed_rows, remove_left
from sitemap_docs.output.transaction import Output
from sitemap_docs.sitemap import render
from sitemap_docs.sitemap.render import Partition, RootTag, Shard, Style
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot

_DIGITS = 6
_LABEL = 60  # characters, of which the last say most


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What the files are to be like.

    ``base`` is the URL of the output folder, with its last slash. ``made`` names the files that the host
    made, or an earlier build left. ``full_urlset``: the file of the option ``filename`` is the full urlset as
    long as the protocol allows (themes read it), shards and their index lie beside it. ``accounts_for`` says
    of an address in an existing sitemap whether it may be missing in ours; None: whether it is a page.
    ``gzip`` is what the option's ``auto`` means. ``replaced`` is what another program's
    sitemap said, which a comment keeps where there is room. ``joined`` is whether a join writes.
    """

    base: str
    options: Options
    gzip: Literal["off", "beside", "instead"] = "off"
    full_urlset: bool = False
    made: frozenset[str] = frozenset()
    accounts_for: Callable[[str], bool] | None = None
    replaced: Replaced = Replaced()
    joined: bool = False


class Place(NamedTuple):
    """Where a sitemap lies: the folder of the option ``filename``, if a sitemap there may list the pages.

    A sitemap lists what is below its own folder (https://www.sitemaps.org/protocol.html#location). ``name``
    is the file's plain name, ``prefix`` leads from the output folder to the folder.
    """

    folder: Path
    base: Base
    name: str
    prefix: str = ""
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, output: Path, base: Base, filename: str) -> Place:
        """The place that ``filename`` names; next to the index page where a sitemap there lists no page."""
        above, name = posixpath.split(filename)
        steps = above.count("..")
        segments = [*filter(None, base.url.removeprefix(base.origin).split("/"))]
        if set(above.split("/")) - {"", ".."} or steps > len(segments):
            finding = filename_out_of_scope(name, filename, base).at(filename)
            return cls(output, base, name, findings=(finding,))
        folder = output
        for _ in range(steps):
            folder = folder.parent
        kept = "".join(f"{segment}/" for segment in segments[: len(segments) - steps])
        return cls(folder, Base(f"{base.origin}/{kept}"), name, "../" * steps)

    def seen(self, names: Iterable[str]) -> list[str]:
        """The names of files of this folder as they are seen from the output folder."""
        return [self.prefix + name for name in names]

    def shared_entries(self, base: Base) -> list[Entry]:
        """Returns what other builds list in a sitemap above their output folders, in the order of the locs.

        ``base`` is that of this build, whose own entries are left out, as are those of folders that are
        gone. A sitemap in the output folder itself is of one build.
        """
        if not self.prefix:
            return []
        by_loc: dict[str, Entry] = {}
        for name in (self.name, f"{self.name}.gz"):
            if by_loc or not is_ours(self.folder / name):
                continue
            with suppress(SitemapError):  # a damaged one is replaced
                for row in listed_rows(self.folder / name):
                    entry = row.entry()
                    if entry and self._is_of_other(entry.loc, base):
                        by_loc[entry.loc] = entry
        return sorted(by_loc.values(), key=attrgetter("loc"))

    def _is_of_other(self, loc: str, base: Base) -> bool:
        """Whether an address lies in the folder of another build, which is still there."""
        if loc.startswith(base.url):
            return False
        path = self.base.path_of(loc)
        if path is None:
            return False
        steps = self.prefix.count("/")
        folders = path.split("/")[:-1][:steps]
        return len(folders) == steps and self.folder.joinpath(*folders).is_dir()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The files of a sitemap, by name: all ``files``, and the ``sitemaps`` that robots.txt is to name.

    These are the whole sitemap and the indexes that it lists; none when nothing is listed. ``dates_before``
    are those of the listed pages in the sitemap which these files replace.
    """

    files: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    dates_before: Sequence[datetime] = ()


def write_sitemap(
    entries: Iterable[Entry], output: Output, layout: Layout, *, of_sitemaps: bool = False
) -> Written:
    """Adds the sitemap of ``entries`` to ``output``, and removes the rest of an earlier one of its name.

    With ``of_sitemaps``, they are sitemaps that lie elsewhere, and it is their index.
    """
    sitemap = SitemapWriter(output, layout)
    for entry in entries:
        if of_sitemaps:
            sitemap.add_sitemap(entry)
        else:
            sitemap.add(entry)
    written = sitemap.finish()
    remove_left(output, written.files, lambda _, mark: mark.whole != layout.options.filename)
    return written


class SitemapWriter:
    """Entries in, the files of a sitemap out: one urlset, or shards and their index.

    No more than one shard a group is held in memory, and with ``full_urlset`` the full urlset. What another
    program wrote and ours replaces is removed when ``output`` is committed.
    """

    def __init__(self, output: Output, layout: Layout) -> None:
        self._output = output
        self._layout = layout
        self._options = layout.options
        self._filename = layout.options.filename
        self._gzip = layout.gzip if layout.options.gzip == "auto" else layout.options.gzip
        self._stem = self._filename.removesuffix(".xml")
        self._sheet = f"{self._stem}.css"
        self._names: list[str] = []
        self._taken: set[str] = set()
        self._replaced: set[str] = set()
        webroot = Webroot(output.folder, Base(layout.base))
        self._coverage = Coverage(webroot, layout.replaced, layout.accounts_for)
        self._overhead = render.overhead("urlset", self._style("part"))
        self._partitions: dict[str, Partition] = {}
        self._children: list[Entry] = []  # the sitemaps that the index lists
        self._full: list[bytes] | None = [] if layout.full_urlset else None
        self._full_room = MAX_BYTES - self._overhead
        self._findings: list[Finding] = []
        for name in (self._filename, f"{self._filename}.gz"):
            self._claim(name)

    def add(self, entry: Entry) -> None:
        """Take the next entry, in the order of the bytes of the locs.

        Raises SitemapError, perhaps later, for entries that are not sorted or appear twice.
        """
        self._coverage.compare(entry)
        row = self._row(entry, "url")
        if self._full is not None:
            self._full.append(row)
            self._full_room -= len(row)
            if len(self._full) > MAX_URLS or self._full_room < 0:
                self._full = None
                self._findings.append(sitemap_split(self._filename).at(self._filename))
        if entry.group not in self._partitions:
            room = MAX_BYTES - self._overhead
            self._partitions[entry.group] = Partition(max_urls=self._options.max_urls, max_bytes=room)
        for shard in self._partitions[entry.group].add(entry, row):
            self._save_shard("urlset", entry.group, shard)

    def add_sitemap(self, entry: Entry) -> None:
        """Take a sitemap that lies elsewhere, for the index."""
        self._coverage.compare(entry)
        self._children.append(entry)

    def finish(self) -> Written:
        """Adds the files to the output; raises SitemapError when a file of the user's own is in the way."""
        sitemaps = self._save()
        self._coverage.require()
        for name in sorted(self._replaced - {*self._names}):
            self._output.remove(name)
        return Written(
            files=tuple(self._names),
            sitemaps=tuple(sitemaps),
            findings=tuple(self._findings),
            dates_before=self._coverage.dates,
        )

    def _save(self) -> list[str]:
        """The names of the files that robots.txt is to name; none when nothing is listed."""
        rest = [(group, shard) for group, each in self._partitions.items() for shard in each.finish()]
        if not rest and not self._children:
            return []
        indexed = self._children or self._options.index != "auto" or self._options.groups
        if not indexed and len(rest) == 1:
            return [self._save_file(self._filename, "urlset", rest[0][1].rows)]
        for group, shard in rest:
            self._save_shard("urlset", group, shard)
        indexes: list[str] = []
        rows = self._index_rows()
        room = MAX_BYTES - render.overhead("sitemapindex", self._style("part"))
        too_large = len(rows) > MAX_URLS or sum(map(len, rows)) > room
        # Sitemaps that lie elsewhere are in indexes of their own where they have some.
        if too_large or (self._options.index == "cascaded" and self._partitions):
            sitemaps = sorted(self._children, key=attrgetter("group", "loc"))
            self._children = []
            for group, members in groupby(sitemaps, key=attrgetter("group")):
                partition = Partition(max_urls=MAX_URLS, max_bytes=room)
                shards: list[Shard] = []
                for entry in members:
                    shards += partition.add(entry, self._row(entry, "sitemap"))
                for shard in [*shards, *partition.finish()]:
                    saved = self._save_shard("sitemapindex", group, shard)
                    indexes.append(saved)
            rows = self._index_rows()
        name = self._filename
        if self._full is not None:
            self._save_file(name, "urlset", self._full)
            name = self._name("index")
        return [self._save_file(name, "sitemapindex", rows), *indexes]

    def _save_shard(self, kind: RootTag, group: str, shard: Shard) -> str:
        """Adds a file, whose name says where it begins, and lists it in the index; the name."""
        level = "index" if kind == "sitemapindex" else ""
        if group and not shard.start:
            name = self._name(level, group)
        else:
            label = "first"
            if shard.start:
                below = shard.start.removeprefix(self._layout.base)
                label = re.sub(r"[^a-z0-9]+", "-", below.lower())[-_LABEL:].strip("-")
            name = self._name(level, group, label, digest=shard.digest)
        saved = self._save_file(name, kind, shard.rows)
        # An index dates what it lists by the newest of its entries.
        self._children.append(Entry(self._layout.base + quote(saved), shard.newest, group=group))
        return saved

    def _index_rows(self) -> list[bytes]:
        return [self._row(entry, "sitemap") for entry in sorted(self._children, key=attrgetter("loc"))]

    def _row(self, entry: Entry, tag: Literal["url", "sitemap"]) -> bytes:
        return render.row(entry, tag, self._options.indent, self._options.lastmod_format)

    def _save_file(self, name: str, kind: RootTag, rows: Sequence[bytes]) -> str:
        """The name under which the file is served."""
        style = self._style(name)
        data = render.document(kind, rows, style)
        if len(data) > MAX_BYTES:  # there is no room for the comment
            data = render.document(kind, rows, replace(style, kept=""))
        if self._options.stylesheet and self._sheet not in self._names:
            sheet = self._output.folder / self._sheet
            # A style sheet of the user's own stays, and styles the sitemap.
            if not os.path.lexists(sheet) or is_ours(sheet):
                self._output.add(self._sheet, render.stylesheet(self._layout.base))
                self._names.append(self._sheet)
        if self._gzip != "instead":
            self._add(name, data)
        if self._gzip != "off":
            self._add(f"{name}.gz", render.compress(data))
        if self._gzip == "instead":
            return f"{name}.gz"
        return name

    def _style(self, name: str) -> Style:
        sheet = part_of = kept = ""
        if self._options.stylesheet:
            sheet = quote(self._sheet)
        if name == self._filename:
            kept = self._coverage.comment(self._output.folder / name)
        else:
            part_of = self._filename
        return Style(stylesheet=sheet, part_of=part_of, joined=self._layout.joined, kept=kept)

    def _name(self, *parts: str, digest: str = "") -> str:
        """``sitemap-<parts>-<digest>.xml``, with as many digits as make it the only one."""
        for digits in range(_DIGITS if digest else 0, len(digest) + 1):
            name = "-".join(filter(None, [self._stem, *parts, digest[:digits]])) + ".xml"
            if name.lower() not in self._taken:  # some file systems, and some users, tell no case
                self._taken.add(name.lower())
                return name
        raise SitemapError(f"Two sitemaps would have the name {name}: rename the group or change `filename`.")

    def _add(self, name: str, data: bytes) -> None:
        self._claim(name)
        self._output.add(name, data)
        self._names.append(name)

    def _claim(self, name: str) -> None:
        """Raises SitemapError for a file of the user's own; a sitemap in the place of ours is compared."""
        file = self._output.folder / name
        if name in self._replaced or not os.path.lexists(file) or is_ours(file):
            return
        if name in self._layout.made:
            self._replaced.add(name)
            return
        is_sitemap = name in {self._filename, f"{self._filename}.gz"} and file.is_file()
        if self._options.replace:
            if is_sitemap:
                self._replaced.add(name)
            return
        if not is_sitemap or file.is_symlink():
            raise existing_error(file, "")
        self._coverage.add(file)
        self._replaced.add(name)


@reported()
def filename_out_of_scope(name: str, filename: str, base: Base) -> str:
    """The option `filename` puts the sitemap where it may list no page of the site.

    A sitemap lists what is below its own folder; it is written next to the home page instead.
    Change the option.
    Wrong: `filename: maps/sitemap.xml`
    Right: `filename: sitemap.xml`, or `../sitemap.xml` for one that several builds share
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"The sitemap is written as {name}: at {filename}, seen from {base.url}, it may list no page of this "
        "site. Change the option `filename`."
    )


@reported()
def sitemap_split(name: str) -> str:
    """The sitemap had to become an index, in a site whose theme reads its pages there.

    Such a theme finds none: its instant navigation and its menu of versions have no pages.
    List fewer pages, or switch that off in the theme.
    Wrong: 60,000 pages with `navigation.instant` of Material for MkDocs
    Right: `excludes: ["reference/*"]`, or no `navigation.instant`
    Source: sitemaps.org: sitemap index files,
    https://www.sitemaps.org/protocol.html#index
    """
    return (
        f"{name} had to become an index of several sitemaps: one may hold {MAX_URLS:,} URLs and "
        f"{MAX_BYTES:,} bytes. Themes that read it find no pages there (instant navigation, versions)."
    )
