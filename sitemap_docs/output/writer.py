"""Entries in, the files of a sitemap out: one urlset, or shards and their index."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from glob import escape
from operator import attrgetter
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from sitemap_docs.model import Entry, Finding, SitemapError
from sitemap_docs.output import ownership
from sitemap_docs.output.coverage import Coverage, existing_error
from sitemap_docs.sitemap import render
from sitemap_docs.sitemap.render import MAX_BYTES, MAX_URLS, Block, Style
from sitemap_docs.sitemap.shards import Partition, partition
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from sitemap_docs.config.options import Options
    from sitemap_docs.output.folder import Output
    from sitemap_docs.sitemap.render import Kind
    from sitemap_docs.sitemap.shards import Shard

_DIGITS = 6
_LABEL = 60  # characters, of which the last say most


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What the files are to be like.

    ``base`` is the URL of the output folder, with its last slash. ``made`` names the files that the host
    wrote itself in this build. ``full_urlset``: the file of the option ``filename`` is the full urlset as
    long as the protocol allows (themes read it), shards and their index lie beside it. ``accounts_for`` says
    of an address in an existing sitemap whether it may be missing in ours; None: whether it is a page.
    """

    base: str
    options: Options
    gzip: Literal["off", "beside", "instead"] = "off"
    full_urlset: bool = False
    made: frozenset[str] = frozenset()
    accounts_for: Callable[[str], bool] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The files of a sitemap, by name: all ``files``, and the ``sitemaps`` that robots.txt is to name.

    None are to be named when nothing is listed. ``dates_before`` counts the listed pages that had a date in
    the sitemap which these files replace.
    """

    files: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    dates_before: int = 0


def write_sitemap(
    entries: Iterable[Entry],
    output: Output,
    layout: Layout,
    *,
    group: Callable[[Entry], str] = attrgetter("group"),
) -> Written:
    """Adds the sitemap of ``entries`` to ``output``; see :class:`SitemapWriter`."""
    sitemap = SitemapWriter(output, layout, group)
    for entry in entries:
        sitemap.add(entry)
    return sitemap.finish()


def write_index(sitemaps: Iterable[Entry], output: Output, layout: Layout) -> Written:
    """Adds the index of sitemaps that lie elsewhere to ``output``; see :class:`SitemapWriter`."""
    files = _Files(output, layout)
    listed = list(sitemaps)
    for entry in listed:
        files.coverage.compare(entry)
    targets: tuple[str, ...] = ()
    if listed:
        children = [
            render.block(entry, "sitemap", layout.options.indent, layout.options.lastmod_format)
            for entry in listed
        ]
        targets = files.save_index(files.filename, children)
    files.tidy()
    return Written(files=tuple(files.names), sitemaps=targets)


class SitemapWriter:
    """Entries in, the files of a sitemap out: one urlset, or shards and their index.

    No more than one shard a group is held in memory, and with ``full_urlset`` the full urlset. What is no
    longer part of the sitemap is removed when ``output`` is committed. ``group`` names the group of an entry.
    """

    def __init__(
        self, output: Output, layout: Layout, group: Callable[[Entry], str] = attrgetter("group")
    ) -> None:
        self._files = _Files(output, layout)
        self._layout = layout
        self._options = layout.options
        self._group = group
        self._partitions: dict[str, Partition[Block]] = {}
        self._children: list[Block] = []
        self._full: list[Block] | None = [] if layout.full_urlset else None
        self._full_room = MAX_BYTES - self._files.overhead("urlset")
        self._findings: list[Finding] = []

    def add(self, entry: Entry) -> None:
        """Take the next entry, in the order of the bytes of the locs.

        Raises SitemapError, perhaps later, for entries that are not sorted or appear twice.
        """
        self._files.coverage.compare(entry)
        block = render.block(entry, "url", self._options.indent, self._options.lastmod_format)
        if self._full is not None:
            self._keep(self._full, block)
        group = self._group(entry)
        if group not in self._partitions:
            room = self._options.max_bytes - self._files.overhead("urlset")
            self._partitions[group] = Partition(max_urls=self._options.max_urls, max_bytes=room)
        for shard in self._partitions[group].add(block):
            self._save_shard(group, shard)

    def finish(self) -> Written:
        """Adds the files to the output; raises SitemapError when a file of the user's own is in the way."""
        targets = self._save()
        self._files.tidy()
        return Written(
            files=tuple(self._files.names),
            sitemaps=targets,
            findings=tuple(self._findings),
            dates_before=self._files.coverage.dates,
        )

    def _keep(self, full: list[Block], block: Block) -> None:
        full.append(block)
        self._full_room -= block.size
        if len(full) > MAX_URLS or self._full_room < 0:
            self._full = None
            message = (
                f"{self._files.filename} had to become an index of several sitemaps: one may hold "
                f"{MAX_URLS:,} URLs and {MAX_BYTES:,} bytes. Themes that read it find no pages there "
                "(instant navigation, versions)."
            )
            self._findings.append(Finding(rule="sitemap-split", where=self._files.filename, message=message))

    def _save(self) -> tuple[str, ...]:
        """The names of the files that robots.txt is to name."""
        rest = [(group, shard) for group, each in self._partitions.items() for shard in each.finish()]
        if not rest:
            return ()
        indexed = self._options.index or self._options.groups
        if not indexed and all(not group and shard.whole for group, shard in rest):
            return (self._files.save(self._files.filename, "urlset", rest[0][1].items),)
        for group, shard in rest:
            self._save_shard(group, shard)
        if self._full is None:
            return self._files.save_index(self._files.filename, self._children)
        self._files.save(self._files.filename, "urlset", self._full)
        return self._files.save_index(self._files.name("index"), self._children)

    def _save_shard(self, group: str, shard: Shard[Block]) -> None:
        if group and not shard.start:
            name = self._files.name(group)
        else:
            name = self._files.name(group, self._label(shard), digest=shard.digest)
        saved = self._files.save(name, "urlset", shard.items)
        self._children.append(self._files.index_entry(saved, shard.items))

    def _label(self, shard: Shard[Block]) -> str:
        """Where a shard begins, for its file name."""
        if not shard.start:
            return "first"
        below = shard.start.removeprefix(self._layout.base)
        return re.sub(r"[^a-z0-9]+", "-", below.lower())[-_LABEL:].strip("-")


class _Files:
    """The files of one sitemap: their names, whose they are, their bytes."""

    def __init__(self, output: Output, layout: Layout) -> None:
        self.filename = layout.options.filename
        self.names: list[str] = []
        self._output = output
        self._layout = layout
        self._stem = self.filename.removesuffix(".xml")
        self._sheet = f"{self._stem}.css"
        self._taken: set[str] = set()
        self.coverage = Coverage(Webroot(output.folder, Base(layout.base)), layout.accounts_for)
        self._compared: set[str] = set()
        for name in (self.filename, f"{self.filename}.gz"):
            self._claim(name)

    def overhead(self, kind: Kind) -> int:
        return render.overhead(kind, self._style("part"))

    def name(self, *parts: str, digest: str = "") -> str:
        """``sitemap-<parts>-<digest>.xml``, with as many digits as make it the only one."""
        for digits in range(_DIGITS if digest else 0, len(digest) + 1):
            name = "-".join(filter(None, [self._stem, *parts, digest[:digits]])) + ".xml"
            if name.lower() not in self._taken:  # some file systems, and some users, tell no case
                self._taken.add(name.lower())
                return name
        raise SitemapError(f"Two sitemaps would have the name {name}: rename the group or change `filename`.")

    def save(self, name: str, kind: Kind, blocks: Sequence[Block]) -> str:
        """The name under which the file is served."""
        data = b"".join(render.document(kind, blocks, self._style(name)))
        self._save_sheet()
        if self._layout.gzip != "instead":
            self._add(name, data)
        if self._layout.gzip != "off":
            self._add(f"{name}.gz", render.packed(data))
        if self._layout.gzip == "instead":
            return f"{name}.gz"
        return name

    def save_index(self, filename: str, children: Iterable[Block]) -> tuple[str, ...]:
        """The names of the index, or of the several that the children need."""
        options = self._layout.options
        room = options.max_bytes - self.overhead("sitemapindex")
        in_order = sorted(children, key=attrgetter("loc"))
        shards = list(partition(in_order, max_urls=MAX_URLS, max_bytes=room))
        nested = options.nested_index and len(shards) > 1
        names = []
        for shard in shards:
            name = filename
            if nested or shard.start:
                name = self.name("index", digest=shard.digest)
            names.append(self.save(name, "sitemapindex", shard.items))
        if not nested:
            return tuple(names)
        top = [self.index_entry(name, shard.items) for name, shard in zip(names, shards, strict=True)]
        top.sort(key=attrgetter("loc"))
        return (self.save(filename, "sitemapindex", top),)

    def index_entry(self, name: str, blocks: Sequence[Block]) -> Block:
        """The ``<sitemap>`` of a file, dated by the newest of its entries."""
        dates = [block.entry.lastmod for block in blocks if block.entry.lastmod]
        entry = Entry(loc=self._layout.base + quote(name), lastmod=max(dates, default=None))
        options = self._layout.options
        return render.block(entry, "sitemap", options.indent, options.lastmod_format)

    def tidy(self) -> None:
        """Remove what was part of an earlier sitemap of this name, if the new one says all that it said."""
        self.coverage.require()
        for file in self._output.files(f"{escape(self._stem)}*"):
            if file.name not in self.names and self._is_left_over(file):
                self._output.remove(file.name)

    def _is_left_over(self, file: Path) -> bool:
        if file.name in {self.filename, f"{self.filename}.gz", self._sheet}:
            ours = file.name in self._layout.made or ownership.is_ours(file)
            return ours or (file.name in self._compared and file.name != self._sheet)
        return ownership.part_of(file) == self.filename

    def _style(self, name: str) -> Style:
        return Style(
            indent=self._layout.options.indent,
            stylesheet=quote(self._sheet) if self._layout.options.stylesheet else "",
            part_of="" if name == self.filename else self.filename,
        )

    def _save_sheet(self) -> None:
        file = self._output.folder / self._sheet
        if not self._layout.options.stylesheet or self._sheet in self.names:
            return
        # A style sheet of the user's own stays, and styles the sitemap.
        if not os.path.lexists(file) or ownership.is_ours(file):
            self._output.add(self._sheet, render.stylesheet(self._layout.base))
            self.names.append(self._sheet)

    def _add(self, name: str, data: bytes) -> None:
        self._claim(name)
        self._output.add(name, data)
        self.names.append(name)

    def _claim(self, name: str) -> None:
        file = self._output.folder / name
        if file.is_dir() and not file.is_symlink():
            raise SitemapError(f"{file} is a folder: choose another `filename`.")
        made = name in self._layout.made or name in self._compared
        if self._layout.options.replace or made or not os.path.lexists(file) or ownership.is_ours(file):
            return
        if name not in {self.filename, f"{self.filename}.gz"} or file.is_symlink() or not file.is_file():
            raise existing_error(file, "")
        try:
            self.coverage.add(file)
        except SitemapError as error:
            raise existing_error(file, f"It cannot be compared with the new one: {error} ") from None
        self._compared.add(name)
