"""sitemap.txt, the other format that engines take (https://www.sitemaps.org/protocol.html#otherformats)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sitemap_docs import files
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.output.ownership import is_ours, is_page, listed_rows
from sitemap_docs.sitemap.render import MAX_BYTES, MAX_URLS
from sitemap_docs.text import one_line
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.model import Entry
    from sitemap_docs.output.folder import Output
    from sitemap_docs.urls.base import Base

TEXT = "sitemap.txt"


class TextSitemap:
    """The addresses of a sitemap, a line each; ``names`` are the files that :meth:`write` has added."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self._locs: list[str] = []
        self._number = 0

    def add(self, entry: Entry) -> None:
        """Take the next entry; no more are kept than one file may list."""
        self._number += 1
        if len(self._locs) < MAX_URLS:
            self._locs.append(entry.loc)

    def write(self, output: Output, base: Base, filename: str, *, replace: bool) -> list[Finding]:
        """Adds the file to ``output``, unless it would be too long; returns what is wrong.

        ``filename`` is that of the sitemap. Raises SitemapError when a file of the user's own is in the way
        and is not to be replaced.
        """
        data = "".join(f"{loc}\n" for loc in self._locs).encode()
        if self._number > MAX_URLS or len(data) > MAX_BYTES:
            message = (
                f"{TEXT} is not written: it may hold {MAX_URLS:,} URLs, and {self._number:,} are listed. "
                "sitemap.xml has them all; take `text` out of `formats`."
            )
            return [Finding(rule="text-too-long", where=TEXT, message=message)]
        file = output.folder / TEXT
        if os.path.lexists(file) and not replace:
            lost = self._lost(file, base, filename)
            if lost:
                raise SitemapError(
                    f"{file} exists and was not written by sitemap-docs. The new one would not list "
                    f"{lost}. Remove it, take its format out of `formats`, or set `replace` to overwrite it."
                )
        output.add(TEXT, data, first=True)  # as long as the sitemap proves that the old one is ours
        self.names = (TEXT,)
        return []

    def _lost(self, file: Path, base: Base, filename: str) -> str:
        """What a text file lists and the new one would not, for no reason; ``""`` for nothing.

        A text file has no mark that says who wrote it: what our own sitemap lists so far is ours.
        """
        if file.is_symlink() or not file.is_file():
            return "what it is"
        lines = {line.strip() for line in files.read_file(file).decode("utf-8-sig", "replace").splitlines()}
        missing = sorted(lines - {""} - set(self._locs))
        previous = set()
        sitemap = file.parent / filename
        if missing and is_ours(sitemap):
            previous = {row.loc for row in listed_rows(sitemap)}
        webroot = Webroot(file.parent, base)
        for line in missing:
            if line not in previous and not is_page(webroot, line):
                return one_line(line)[:200]
        return ""
