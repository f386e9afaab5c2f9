"""Whose an existing file is, and whether the new sitemap says all that the one says which it replaces."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from sitemap_docs.config.dates import read_date
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import MAX_BYTES, Entry, SitemapError
from sitemap_docs.output.transaction import translated_errors
from sitemap_docs.sitemap.reader import SitemapRow, Walk, parse
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import is_local, resolve
from sitemap_docs.urls.languages import hreflang
from sitemap_docs.webroot.served_files import Webroot, find_copied

_TAIL = 1_024
_GZIP = b"\x1f\x8b"
_STYLES = b"/* sitemap-docs */"
_MARK = re.compile(
    rb"</(?:urlset|sitemapindex)>\s*<!-- sitemap-docs(?:: a part of (?P<whole>[^>]+))? -->\s*\Z"
)


def is_ours(file: Path) -> bool:
    """Whether we wrote ``file``, a sitemap or a style sheet; a link is not ours.

    Raises SitemapError for a file that cannot be read; it is asked before anything is written.
    """
    if file.is_symlink() or not file.is_file():
        return False
    with translated_errors(file, "read"), file.open("rb") as stream:
        is_style_sheet = stream.read(len(_STYLES)) == _STYLES
    return is_style_sheet or _mark(file) is not None


def part_of(file: Path) -> str | None:
    """The sitemap that ``file`` says it is a part of; None when it is no part of ours."""
    if file.is_symlink():
        return None
    ours = _mark(file)
    if ours is None or not ours["whole"]:
        return None
    return ours["whole"].decode("utf-8", "replace").replace("-%2D", "--")


def _mark(file: Path) -> re.Match[bytes] | None:
    """The mark of a sitemap of ours, behind its root element."""
    with file.open("rb") as stream:
        if stream.read(len(_GZIP)) == _GZIP:
            return _MARK.search(_unpacked_tail(file))
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL))
        return _MARK.search(stream.read())


def _unpacked_tail(file: Path) -> bytes:
    tail, size = b"", 0
    try:
        with gzip.open(file) as stream:
            while (chunk := stream.read(1 << 20)) and size <= MAX_BYTES:
                tail, size = (tail + chunk)[-_TAIL:], size + len(chunk)
    except (OSError, EOFError, zlib.error):
        return b""
    return tail


class Coverage:
    """The existing sitemaps of a folder, compared with entries as these are written.

    Addresses are one where one file answers for them. ``accounts_for`` says of an address that is not
    written whether there is a reason for it that the build states. ``dates`` counts the pages that are listed
    again and had a date.
    """

    def __init__(self, webroot: Webroot, accounts_for: Callable[[str], bool] | None = None) -> None:
        self._webroot = webroot
        self._accounts_for = accounts_for
        self._file: Path | None = None
        self._rows: dict[str, SitemapRow] = {}  # those whose address no new entry has so far
        self._total = 0
        self.dates = 0
        self._alternates: list[tuple[str, str]] = []
        self._lost: dict[str, list[str]] = {"images": [], "videos": []}  # what is lost, and from which pages

    def add(self, file: Path) -> None:
        """Read an existing sitemap or index; raises SitemapError for what is none."""
        for row in listed_rows(file):
            if row.loc:
                self._rows[self._key(self._absolute(row.loc))] = row
        self._total = len(self._rows)
        self._file = self._file or file

    def compare(self, entry: Entry) -> None:
        """Note what an existing sitemap has for the address of a new entry and the entry has not."""
        if not self._rows:
            return
        own = self._key(entry.loc)
        row = self._rows.pop(own, None)
        if row is None:
            return
        self.dates += read_date(row.lastmod) is not None
        codes = {alternate.hreflang for alternate in entry.alternates}
        for code, href in row.alternates:
            if (hreflang(code) or code) not in codes and self._key(href) != own:
                self._alternates.append((row.loc, href))
        if not set(row.images) <= set(entry.images):
            self._lost["images"].append(row.loc)
        if "video:video" in row.tags:
            self._lost["videos"].append(row.loc)

    def require(self) -> None:
        """Raises SitemapError, with counts and examples, where something would be lost."""
        if self._file is None:
            return
        gone = []
        for row in self._rows.values():
            loc = self._absolute(row.loc)
            if self._accounts_for:
                is_accounted = self._accounts_for(loc)
            else:
                is_accounted = is_page(self._webroot, loc) or is_local(loc)
            if not is_accounted:
                gone.append(loc)
        losses = []
        if gone:
            losses.append(f"addresses ({len(gone):,} of {self._total:,}), such as {one_line(gone[0])[:200]}")
        # A link to a page that is gone is no loss of its own.
        linked = [loc for loc, href in self._alternates if self._key(href) not in self._rows]
        for what, locs in ({"hreflang links": linked} | self._lost).items():
            if locs:
                count = many(len(set(locs)), "page")
                losses.append(f"the {what} of {count}, such as {one_line(locs[0])[:200]}")
        if losses:
            raise existing_error(self._file, f"Replacing it would lose {'; '.join(losses)}. ")

    def _absolute(self, loc: str) -> str:
        return resolve(self._webroot.base.url, loc)

    def _key(self, loc: str) -> str:
        file = self._webroot.file_of(loc) or self._webroot.file_of(f"{loc}/")  # the base without its slash
        return file or loc


def is_page(webroot: Webroot, loc: str) -> bool:
    """Whether an HTML file of the folder answers for an address: it is listed, or left out for a reason."""
    return (webroot.file_of(loc) or "").lower().endswith(HTML_SUFFIXES)


class ExistingFileError(SitemapError):
    """A file of the user or of another program is in the way and may not be replaced."""


def existing_error(file: Path, why: str) -> ExistingFileError:
    """The error for a file that is in the way."""
    return ExistingFileError(
        f"{file} exists and was not written by sitemap-docs. {why}Remove it and what the build "
        "copies it from, choose another `filename`, or set `replace` to overwrite it."
    )


def listed_rows(file: Path) -> Iterator[SitemapRow]:
    """The rows of a sitemap, or of those in its folder that it lists; SitemapError for what is none.

    The row of a sitemap that is not in the folder stands for what it lists. A copy of a file is looked for by
    the end of its address: where that finds the index itself, it is the index of another folder.
    """
    walk = Walk([str(file)])
    for place in walk:
        index = Path(place)
        parsed = parse(index)
        for row in parsed.rows():
            child = find_copied(index.parent, row.loc) if parsed.root == "sitemapindex" else None
            if child is None or child == index.name:
                yield row
            else:
                walk.add([str(index.parent / child)])
