"""The other format that engines take: a text sitemap."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sitemap_docs import files
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.output import ownership
from sitemap_docs.output.coverage import is_page
from sitemap_docs.sitemap import urllist
from sitemap_docs.sitemap.render import MAX_BYTES, MAX_URLS
from sitemap_docs.sitemap.urllist import Listed
from sitemap_docs.text import one_line
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sitemap_docs.model import Entry
    from sitemap_docs.output.folder import Output
    from sitemap_docs.urls.base import Base

TEXT = "sitemap.txt"


class Formats:
    """What the other formats need of the entries, collected on their way into the sitemap."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = wanted
        self._locs: list[str] = []
        self._number = 0

    def collected(self, entries: Iterable[Entry]) -> Iterable[Entry]:
        """The entries, as they come; where a format wants them, about 50,000 addresses of them are kept."""
        return self._collect(entries) if self._wanted else entries

    def _collect(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        for entry in entries:
            self._number += 1
            if len(self._locs) < MAX_URLS:
                self._locs.append(entry.loc)
            yield entry

    def write(self, output: Output, base: Base, filename: str, *, replace: bool) -> tuple[Finding, ...]:
        """Adds the files to ``output``; returns what is wrong.

        Raises SitemapError when a file of the user's own is in the way and is not to be replaced.
        """
        if "text" in self._wanted:
            return tuple(self._write_text(output, base, filename, replace=replace))
        return ()

    @staticmethod
    def names(output: Output) -> tuple[str, ...]:
        """The files of these formats that are part of the output."""
        return (TEXT,) if TEXT in (*output.changed, *output.unchanged) else ()

    def _write_text(self, output: Output, base: Base, filename: str, *, replace: bool) -> Iterator[Finding]:
        data = "".join(f"{loc}\n" for loc in self._locs).encode()
        if self._number > MAX_URLS or len(data) > MAX_BYTES:
            yield Finding(
                rule="text-too-long",
                where=TEXT,
                message=f"{TEXT} is not written: it may hold {MAX_URLS:,} URLs, and {self._number:,} are "
                "listed. sitemap.xml has them all; take `text` out of `formats`.",
            )
            return
        file = output.folder / TEXT
        if os.path.lexists(file) and not replace and (lost := self._lost(file, base, filename)):
            raise _in_the_way(file, f" The new one would not list {lost}.")
        output.add(TEXT, data, first=True)  # as long as the sitemap proves that the old one is ours

    def _lost(self, file: Path, base: Base, filename: str) -> str:
        """What a text file lists and the new one would not, for no reason; ``""`` for nothing."""
        if file.is_symlink() or not file.is_file():
            return "what it is"
        lines = {line.strip() for line in files.read_file(file).decode("utf-8-sig", "replace").splitlines()}
        missing = sorted(lines - {""} - set(self._locs))
        previous = _previous(file.parent / filename) if missing else frozenset()
        webroot = Webroot(file.parent, base)
        unknown = (line for line in missing if line not in previous and not is_page(webroot, line))
        return one_line(next(unknown, ""))[:200]


def _previous(file: Path) -> frozenset[str]:
    """The addresses that our own sitemap lists so far: those of a text file, which has no mark, are ours."""
    if not ownership.is_ours(file):
        return frozenset()
    return frozenset(Listed.of(line).loc for line in urllist.lines(str(file)))


def _in_the_way(file: Path, why: str = "") -> SitemapError:
    return SitemapError(
        f"{file} is there already, and sitemap-docs did not write it.{why} Remove it, take its format out of "
        "`formats`, or set `replace` to overwrite it."
    )
