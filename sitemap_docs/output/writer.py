"""Entries in, the files of a sitemap out: one urlset, or shards and their index."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from datetime import datetime
from glob import escape
from itertools import islice
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
_BATCH = 1_000


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
    """What lies in the output folder after its commit: names, relative to it.

    ``files`` are all files of the sitemap, ``sitemaps`` those that robots.txt is to name; none when nothing
    is listed.
    """

    files: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def seen_from(self, prefix: str) -> Written:
        """The same with ``prefix`` in front of all names: relative to another folder."""
        return replace(
            self,
            files=tuple(prefix + name for name in self.files),
            sitemaps=tuple(prefix + name for name in self.sitemaps),
            removed=tuple(prefix + name for name in self.removed),
            unchanged=tuple(prefix + name for name in self.unchanged),
        )


def write_sitemap(
    entries: Iterable[Entry],
    output: Output,
    layout: Layout,
    *,
    group: Callable[[Entry], str] = attrgetter("group"),
) -> Written:
    """Adds the sitemap of ``entries``, which come sorted by the bytes of their locs, to ``output``.

    What is no longer part of it is removed when ``output`` is committed. No more than two shards a group are
    held in memory (with ``full_urlset``, the full urlset). Raises SitemapError for entries that are not
    sorted or appear twice, and when a file of the user's own is in the way.
    """
    ours = _Files(output, layout)
    whole = _Sitemap(ours, layout)
    stream = iter(entries)
    while batch := list(islice(stream, _BATCH)):
        for entry in batch:
            ours.coverage.compare(entry)
        whole.add(batch, list(map(group, batch)))
    targets = whole.finish()
    ours.coverage.require()
    ours.tidy()
    return Written(
        files=tuple(ours.names),
        sitemaps=targets,
        removed=tuple(output.removed),
        unchanged=tuple(output.unchanged),
        findings=whole.findings,
    )


def write_index(sitemaps: Iterable[Entry], output: Output, layout: Layout) -> Written:
    """Adds the index of sitemaps that lie elsewhere to ``output``; see :func:`write_sitemap`."""
    ours = _Files(output, layout)
    whole = _Sitemap(ours, layout)
    listed = list(sitemaps)
    for entry in listed:
        ours.coverage.compare(entry)
    targets = whole.adopt(listed)
    ours.coverage.require()
    ours.tidy()
    return Written(
        files=tuple(ours.names),
        sitemaps=targets,
        removed=tuple(output.removed),
        unchanged=tuple(output.unchanged),
    )


class _Sitemap:
    """Entries on their way into shards, one partition a group."""

    def __init__(self, files: _Files, layout: Layout) -> None:
        self._files = files
        self._options = layout.options
        self._base = layout.base
        self._indexed = layout.options.index or bool(layout.options.groups)
        self._partitions: dict[str, Partition[Block]] = {}
        self._children: list[Block] = []
        self._full: list[Block] | None = [] if layout.full_urlset else None
        self._full_room = MAX_BYTES - files.overhead("urlset")
        self.findings: tuple[Finding, ...] = ()

    def add(self, entries: Sequence[Entry], groups: Sequence[str]) -> None:
        blocks = render.blocks(entries, "url", self._options.indent)
        if self._full is not None:
            self._keep(self._full, blocks)
        names = set(groups)
        for name in sorted(names):
            inside = blocks
            if len(names) > 1:
                inside = [block for block, group in zip(blocks, groups, strict=True) if group == name]
            for shard in self._partition(name).add(inside):
                self._child(name, shard)

    def adopt(self, sitemaps: Sequence[Entry]) -> tuple[str, ...]:
        """The names of the files that robots.txt is to name, for sitemaps that others wrote."""
        self._children += render.blocks(sitemaps, "sitemap", self._options.indent)
        return self._index(self._files.filename) if self._children else ()

    def _partition(self, group: str) -> Partition[Block]:
        if group not in self._partitions:
            room = self._options.max_bytes - self._files.overhead("urlset")
            self._partitions[group] = Partition(max_urls=self._options.max_urls, max_bytes=room)
        return self._partitions[group]

    def finish(self) -> tuple[str, ...]:
        """The names of the files that robots.txt is to name."""
        rest = [(group, shard) for group, each in self._partitions.items() for shard in each.finish()]
        if not rest:
            return ()
        if not self._indexed and all(not group and shard.whole for group, shard in rest):
            return (self._files.save(self._files.filename, "urlset", rest[0][1].items),)
        for group, shard in rest:
            self._child(group, shard)
        if self._full is None:
            return self._index(self._files.filename)
        self._files.save(self._files.filename, "urlset", self._full)
        return self._index(self._files.name("index"))

    def _keep(self, full: list[Block], blocks: Sequence[Block]) -> None:
        full.extend(blocks)
        self._full_room -= sum(block.size for block in blocks)
        if len(full) > MAX_URLS or self._full_room < 0:
            self._full = None
            self.findings = (_split(self._files.filename),)

    def _child(self, group: str, shard: Shard[Block]) -> None:
        parts = [group] if group else []
        name = (
            self._files.name(*parts)
            if group and not shard.boundary
            else self._files.name(*parts, self._label(shard), digest=shard.digest)
        )
        self._children.append(self._listed(self._files.save(name, "urlset", shard.items), shard.items))

    def _label(self, shard: Shard[Block]) -> str:
        """Where a shard begins, for its file name."""
        if not shard.boundary:
            return "first"
        below = "" if self._base.startswith(shard.start) else shard.start.removeprefix(self._base)
        return re.sub(r"[^a-z0-9]+", "-", below.lower())[-_LABEL:].strip("-")

    def _listed(self, name: str, blocks: Sequence[Block]) -> Block:
        newest = max(block.lastmod for block in blocks)
        lastmod = datetime.fromisoformat(newest) if newest else None
        entry = Entry(loc=self._base + quote(name), lastmod=lastmod)
        return render.blocks([entry], "sitemap", self._options.indent)[0]

    def _index(self, filename: str) -> tuple[str, ...]:
        room = self._options.max_bytes - self._files.overhead("sitemapindex")
        shards = list(partition(sorted(self._children), max_urls=MAX_URLS, max_bytes=room))
        nested = self._options.nested_index and len(shards) > 1
        names = tuple(
            self._files.save(
                self._files.name("index", digest=shard.digest) if nested or shard.boundary else filename,
                "sitemapindex",
                shard.items,
            )
            for shard in shards
        )
        if not nested:
            return names
        top = [self._listed(name, shard.items) for name, shard in zip(names, shards, strict=True)]
        return (self._files.save(filename, "sitemapindex", sorted(top)),)


class _Files:
    """The files of one sitemap: their names, whose they are, their bytes."""

    def __init__(self, output: Output, layout: Layout) -> None:
        self.filename = layout.options.filename
        self.names: list[str] = []
        self._output = output
        self._layout = layout
        self._stem = self.filename.removesuffix(".xml")
        self._sheet = f"{self._stem}.css"
        self._taken = {self.filename.lower()}  # some file systems, and some users, tell no case
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
            if name.lower() not in self._taken:
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
        return f"{name}.gz" if self._layout.gzip == "instead" else name

    def tidy(self) -> None:
        """Remove what was part of an earlier sitemap of this name."""
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


def _split(filename: str) -> Finding:
    return Finding(
        rule="sitemap-split",
        where=filename,
        message=f"{filename} had to become an index of several sitemaps: one may hold {MAX_URLS:,} URLs "
        f"and {MAX_BYTES:,} bytes. Themes that read it find no pages there (instant navigation, versions).",
    )
