"""Write the files of a sitemap: a single file, or several files (shards) and an index that lists them."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

from sitemap_docs.config.options import Options
from sitemap_docs.model import MAX_BYTES, MAX_URLS, Entry, Finding, SitemapError
from sitemap_docs.output.existing import (
    Coverage,
    Mark,
    Replaced,
    existing_error,
    is_copied,
    is_ours,
    listed_rows,
    remove_left,
)
from sitemap_docs.output.transaction import Output
from sitemap_docs.rules import reported
from sitemap_docs.sitemap import render
from sitemap_docs.sitemap.render import Partition, RootTag, Shard, XmlStyle
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot

_DIGITS = 6  # of a digest in the name of a file
_LABEL = 60  # characters of an address in the name of a file; the end of an address says most


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Options of the writer of a sitemap, such as whether to write ``sitemap.xml.gz``."""

    base: str
    options: Options
    # This is the meaning of the option `gzip: auto`: no such file, beside sitemap.xml, or instead of it.
    #: Whether to write ``sitemap.xml.gz``.
    gzip: Literal["off", "beside", "instead"] = "off"
    #: Whether one file should list all pages.
    full_urlset: bool = False  # A theme may read all pages from sitemap.xml.
    #: Sitemaps that MkDocs has written.
    made: frozenset[str] = frozenset()  # These sitemaps are replaced without a comparison.
    #: Checks whether an old address may be missing.
    may_be_absent: Callable[[str], bool] | None = None
    replaced: Replaced = Replaced()
    joined: bool = False
    #: Returns the source of a file that was copied into the folder.
    source_of: Callable[[str], Path | None] | None = None


class Place(NamedTuple):
    """The folder, the URL and the file name of a sitemap."""

    folder: Path
    #: The base URL of the folder.
    base: Base
    name: str
    #: The path from the output folder, such as ``../``.
    prefix: str = ""
    #: A finding if the option ``filename`` was ignored.
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, output: Path, base: Base, filename: str) -> Place:
        """Return the folder and name of the sitemap for an option ``filename`` such as ``../sitemap.xml``.

        A sitemap may only list pages below its own folder. If the folder in ``filename`` is not above the
        pages, the sitemap goes into the output folder.
        """
        parent, name = posixpath.split(filename)
        steps = parent.count("..")
        base_path = base.url.removeprefix(base.origin)
        segments = [*filter(None, base_path.split("/"))]
        has_other_folders = bool(set(parent.split("/")) - {"", ".."})
        # A sitemap may only list pages in its own folder and below:
        # https://www.sitemaps.org/protocol.html#location
        if has_other_folders or steps > len(segments):
            finding = filename_out_of_scope(name, filename, base).at(filename)
            return cls(output, base, name, findings=(finding,))
        folder = output
        for _ in range(steps):
            folder = folder.parent
        remaining_segments = segments[: len(segments) - steps]
        path = "".join(f"{segment}/" for segment in remaining_segments)
        return cls(folder, Base(f"{base.origin}/{path}"), name, "../" * steps)

    def seen(self, names: Iterable[str]) -> list[str]:
        """Add the path from the output folder to names of sitemap files: ``a.xml`` becomes ``../a.xml``."""
        return [self.prefix + name for name in names]

    def shared_entries(self, base: Base) -> list[Entry]:
        """Return the pages that other builds have listed in the sitemap that all builds write to.

        The pages are sorted by address. ``base`` is the base URL of this build.
        """
        if not self.prefix:
            return []
        by_loc: dict[str, Entry] = {}
        for name in (self.name, f"{self.name}.gz"):
            if by_loc or not is_ours(self.folder / name):
                continue
            with suppress(SitemapError):  # A damaged sitemap is replaced.
                for row in listed_rows(self.folder / name):
                    entry = row.entry()
                    if entry and self._is_of_other_build(entry.loc, base):
                        by_loc[entry.loc] = entry
        return sorted(by_loc.values(), key=attrgetter("loc"))

    def _is_of_other_build(self, loc: str, base: Base) -> bool:
        """Check whether a page is not below ``base``, but in the folder of another build that still exists.

        If ``base`` is ``https://example.org/en/``, the page ``https://example.org/de/a.html`` is of another
        build, provided that there is a folder ``de/``.
        """
        if base.contains(loc):
            return False
        path = self.base.path_of(loc)
        if path is None:
            return False
        steps = self.prefix.count("/")
        folders = path.split("/")[:-1][:steps]
        return len(folders) == steps and self.folder.joinpath(*folders).is_dir()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The files of a sitemap that was written, and problems for the user."""

    #: The names of all files.
    files: tuple[str, ...] = ()
    #: The names of the files for robots.txt.
    sitemaps: tuple[str, ...] = ()
    #: Problems for the user.
    findings: tuple[Finding, ...] = ()
    #: The dates in the replaced sitemap.
    dates_before: Sequence[datetime] = ()


def write_sitemap(
    entries: Iterable[Entry], output: Output, layout: Layout, *, of_sitemaps: bool = False
) -> Written:
    """Write a sitemap, and remove old files that it no longer needs.

    Args:
        entries: The entries, sorted by address.
        output: The output folder.
        layout: Settings such as the base URL, and whether to write ``sitemap.xml.gz``.
        of_sitemaps: Whether the entries are sitemaps. In that case, a sitemap index is written.

    Raises:
        SitemapError: The entries are not sorted, or a file of the user would be overwritten.
    """
    sitemap = SitemapWriter(output, layout)
    for entry in entries:
        if of_sitemaps:
            sitemap.add_sitemap(entry)
        else:
            sitemap.add(entry)
    written = sitemap.finish()

    def is_source(name: str) -> bool:
        return is_copied(output.folder, name, layout.source_of)

    def is_needed(_name: str, _mark: Mark) -> bool:
        # Other sitemaps in the folder belong to builds that this command knows nothing about.
        return True

    remove_left(output, written.files, layout.options.filename, is_source, is_needed)
    return written


def needs_index(options: Options) -> bool:
    """Check whether the user wants a sitemap index even for a single sitemap."""
    return options.index != "auto" or bool(options.groups)


def group_of_folder(folder: str) -> str:
    """Return the group for the pages in a folder, such as ``pt-br-2-0`` for ``pt-BR/2.0/``.

    The group is part of the name of its sitemap, so a long path is shortened and ends with a digest.
    """
    words = _file_words(folder).strip("-")
    label = _label(words)
    if len(words) > _LABEL:
        # Two long paths may have the same end.
        label += f"-{sha256(words.encode()).hexdigest()[:_DIGITS]}"
    return label or "root"


def _label(words: str) -> str:
    """Return the end of a text for use in a file name, at most 60 characters."""
    return words[-_LABEL:].strip("-")


def _file_words(path: str) -> str:
    """Return the words of a path for the name of a file, such as ``guide-a-html`` for ``guide/a.html``."""
    # Some file systems do not distinguish upper and lower case.
    return re.sub(r"[^a-z0-9]+", "-", path.lower())


class SitemapWriter:
    """Writes a sitemap page by page. Call :meth:`add` for each page, then :meth:`finish`."""

    def __init__(self, output: Output, layout: Layout) -> None:
        self._output = output
        self._layout = layout
        self._options = layout.options
        self._filename = layout.options.filename
        self._gzip = layout.gzip if layout.options.gzip == "auto" else layout.options.gzip
        self._stem = self._filename.removesuffix(".xml")
        self._sheet = f"{self._stem}.css"
        self._names: list[str] = []
        self._lowercase_names: set[str] = set()
        self._replaced_names: set[str] = set()
        webroot = Webroot.at(output.folder, Base(layout.base))
        self._coverage = Coverage(webroot, layout.replaced, layout.may_be_absent)
        self._overhead = render.overhead("urlset", self._style("part"))
        self._partitions: dict[str, Partition] = {}
        self._children: list[Entry] = []  # the sitemaps that the index lists
        self._full: list[bytes] | None = [] if layout.full_urlset else None
        self._full_room = MAX_BYTES - self._overhead
        self._findings: list[Finding] = []
        for name in (self._filename, f"{self._filename}.gz"):
            self._claim(name)

    def add(self, entry: Entry) -> None:
        """Add a page to the sitemap. Pages must be added in the order of their URLs.

        Raises:
            SitemapError: The order is wrong, or a file of the user would be overwritten.
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
        """Add an existing sitemap file to the index."""
        self._coverage.compare(entry)
        self._children.append(entry)

    def finish(self) -> Written:
        """Write the pages that are still in memory, and remove another program's sitemaps that were replaced.

        Raises:
            SitemapError: Files or addresses of the user would be lost.
        """
        sitemaps = self._save()
        self._coverage.require_nothing_lost()
        replaced = self._replaced_names - {*self._names}
        if self._options.replace and not self._names:
            replaced &= self._layout.made  # `replace` removes no sitemap of the user if there is no new one.
        for name in sorted(replaced):
            self._output.remove(name)
        return Written(
            files=tuple(self._names),
            sitemaps=tuple(sitemaps),
            findings=tuple(self._findings),
            dates_before=self._coverage.dates,
        )

    def _save(self) -> list[str]:
        """Write the pages that are still in memory, and return the sitemaps that robots.txt should list."""
        shards: list[tuple[str, Shard]] = []
        for group, partition in self._partitions.items():
            shards += [(group, shard) for shard in partition.finish()]
        if not shards and not self._children:
            return []
        if not (self._children or needs_index(self._options)) and len(shards) == 1:
            _, shard = shards[0]
            return [self._save_file(self._filename, "urlset", shard.rows)]
        for group, shard in shards:
            self._save_shard("urlset", group, shard)
        indexes: list[str] = []
        rows = self._index_rows()
        room = MAX_BYTES - render.overhead("sitemapindex", self._style("part"))
        is_too_large = len(rows) > MAX_URLS or sum(map(len, rows)) > room
        is_cascaded = self._options.index == "cascaded" and bool(self._partitions)
        if is_too_large or is_cascaded:
            indexes = self._save_indexes(room)
            rows = self._index_rows()
        name = self._filename
        if self._full is not None:
            self._save_file(name, "urlset", self._full)
            name = self._name("index")
        return [self._save_file(name, "sitemapindex", rows), *indexes]

    def _save_indexes(self, room: int) -> list[str]:
        """Write a sitemap index for each group of pages, and return the file names.

        ``room`` is the maximum size of all entries in one index together, in bytes.
        """
        sitemaps = sorted(self._children, key=attrgetter("group", "loc"))
        self._children = []
        names = []
        for group, members in groupby(sitemaps, key=attrgetter("group")):
            partition = Partition(max_urls=MAX_URLS, max_bytes=room)
            shards: list[Shard] = []
            for entry in members:
                shards += partition.add(entry, self._row(entry, "sitemap"))
            shards += partition.finish()
            names += [self._save_shard("sitemapindex", group, shard) for shard in shards]
        return names

    def _save_shard(self, kind: RootTag, group: str, shard: Shard) -> str:
        """Write one file of a large sitemap, such as ``sitemap-api.xml``, and return its name.

        ``kind`` says whether the file is a sitemap or an index of sitemaps. ``group`` is the name of a group
        of pages, such as ``api``. ``shard`` contains the entries of the file.
        """
        level = "index" if kind == "sitemapindex" else ""
        if group and not shard.start:
            name = self._name(level, group)
        else:
            label = "first"
            if shard.start:
                path = shard.start.removeprefix(self._layout.base)
                label = _label(_file_words(path))
            name = self._name(level, group, label, digest=shard.digest)
        saved_name = self._save_file(name, kind, shard.rows)
        # In an index, the date of a sitemap is the newest date of its entries.
        loc = self._layout.base + quote(saved_name)
        self._children.append(Entry(loc, shard.newest, group=group))
        return saved_name

    def _index_rows(self) -> list[bytes]:
        entries = sorted(self._children, key=attrgetter("loc"))
        return [self._row(entry, "sitemap") for entry in entries]

    def _row(self, entry: Entry, tag: Literal["url", "sitemap"]) -> bytes:
        return render.row(entry, tag, self._options.indent, self._options.lastmod_format)

    def _save_file(self, name: str, kind: RootTag, rows: Sequence[bytes]) -> str:
        """Write a sitemap plain, compressed or both, and return the name of the plain file if there is one.

        If not, return the name of the compressed file. ``kind`` is the root element, such as ``urlset``.
        """
        style = self._style(name)
        data = render.document(kind, rows, style)
        if len(data) > MAX_BYTES:  # There is no room for the comment.
            data = render.document(kind, rows, replace(style, kept=""))
        if self._options.stylesheet and self._sheet not in self._names:
            sheet = self._output.folder / self._sheet
            # The sitemap can also use a style sheet that the user has written.
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

    def _style(self, name: str) -> XmlStyle:
        sheet = part_of = kept = ""
        if self._options.stylesheet:
            sheet = quote(self._sheet)
        if name == self._filename:
            kept = self._coverage.comment(self._output.folder / name)
        else:
            part_of = self._filename
        return XmlStyle(stylesheet=sheet, part_of=part_of, joined=self._layout.joined, kept=kept)

    def _name(self, *parts: str, digest: str = "") -> str:
        """Return an unused name for a sitemap file, such as ``sitemap-api-first-3f9a0c.xml``.

        ``parts`` are words of the name, such as ``api`` and ``first``. ``digest`` is a hash that makes the
        name unique.
        """
        fewest_digits = _DIGITS if digest else 0
        for digits in range(fewest_digits, len(digest) + 1):
            words = [self._stem, *parts, digest[:digits]]
            name = "-".join(filter(None, words)) + ".xml"
            # Some file systems, and some people, do not distinguish upper and lower case.
            if name.lower() not in self._lowercase_names:
                self._lowercase_names.add(name.lower())
                return name
        raise SitemapError(
            f"Two sitemaps would have the name {name}. Rename the group in the option `groups`, or change "
            "the option `filename`."
        )

    def _add(self, name: str, data: bytes) -> None:
        self._claim(name)
        self._output.add(name, data)
        self._names.append(name)

    def _claim(self, name: str) -> None:
        """Check that this build may write a file of this name.

        Raises:
            SitemapError: The existing file of this name belongs to the user or another program.
        """
        file = self._output.folder / name
        if name in self._replaced_names or not os.path.lexists(file) or is_ours(file):
            return
        if name in self._layout.made:
            self._replaced_names.add(name)
            return
        is_sitemap = name in {self._filename, f"{self._filename}.gz"} and file.is_file()
        if self._options.replace:
            if is_sitemap:
                self._replaced_names.add(name)
            return
        if not is_sitemap or file.is_symlink():
            raise existing_error(file, "")
        self._coverage.add(file)
        self._replaced_names.add(name)


@reported()
def filename_out_of_scope(name: str, filename: str, base: Base) -> str:
    """The option `filename` names a folder in which a sitemap must not list the pages of the site.

    A sitemap may only list pages in its own folder and below. It was written next to the home page instead.
    Change the option.
    Wrong: `filename: maps/sitemap.xml`
    Right: `filename: sitemap.xml`, or `../sitemap.xml` for one that several builds share
    Source: sitemaps.org: sitemap file location,
    https://www.sitemaps.org/protocol.html#location
    """
    return (
        f"The option `filename` is {filename}, but a sitemap there must not list pages below {base.url}. The "
        f"sitemap was written as {name}. Change the option."
    )


@reported()
def sitemap_split(name: str) -> str:
    """The sitemap is too large for one file and is now an index, but the theme reads pages from it.

    The theme finds no pages in an index, so its instant navigation and its version menu do not work.
    List fewer pages, or turn off these features in the theme.
    Wrong: 60,000 pages with `navigation.instant` of Material for MkDocs
    Right: `excludes: ["reference/*"]`, or no `navigation.instant`
    Source: sitemaps.org: sitemap index files,
    https://www.sitemaps.org/protocol.html#index
    """
    return (
        f"{name} is now an index of several sitemaps, because one file may have only {MAX_URLS:,} URLs and "
        f"{MAX_BYTES:,} bytes. The theme finds no pages in an index, so its instant navigation does not "
        "work. List fewer pages, or turn off instant navigation in the theme."
    )
