"""sitemap.txt, which engines take, too.

https://www.sitemaps.org/protocol.html#otherformats
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.model import MAX_BYTES, MAX_URLS, Entry, Finding, SitemapError
from sitemap_docs.output.ownership import is_page
from sitemap_docs.output.replaced import listed_rows
from sitemap_docs.output.transaction import Output
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.served_files import Webroot

TEXT = "sitemap.txt"


def write_text(
    options: Options,
    entries: Sequence[Entry],
    listed: int,
    output: Output,
    base: Base,
    earlier: Iterable[Path],
) -> tuple[list[str], list[Finding]]:
    """Adds a text sitemap where the option ``formats`` asks for one, unless it would be too long.

    Returns its name and what is wrong. ``entries`` are the first of the ``listed`` ones, as many as it may
    list; ``earlier`` are the sitemaps of earlier builds. Raises SitemapError when a file of
    the user's own is in the way and is not to be replaced.
    """
    if "text" not in options.formats:
        return [], []
    data = "".join(f"{entry.loc}\n" for entry in entries).encode()
    if listed > MAX_URLS or len(data) > MAX_BYTES:
        message = (
            f"{TEXT} is not written: it may hold {MAX_URLS:,} URLs, and {listed:,} are listed. "
            "sitemap.xml has them all; take `text` out of `formats`."
        )
        return [], [Finding(rule="text-too-long", where=TEXT, message=message)]
    file = output.folder / TEXT
    if os.path.lexists(file) and not options.replace:
        lost = _lost(file, entries, earlier, base)
        if lost:
            raise SitemapError(
                f"{file} exists and was not written by sitemap-docs. The new one would not list "
                f"{lost}. Remove it, take `text` out of `formats`, or set `replace` to overwrite it."
            )
    output.add(TEXT, data, first=True)  # as long as the sitemap proves that the old one is ours
    return [TEXT], []


def remove_text(output: Output, earlier: Iterable[Path]) -> None:
    """Removes the text sitemap of an earlier build: one that lists no more than ``earlier`` sitemaps."""
    lines = text_lines(output.folder)
    if lines and lines <= _listed(earlier):
        output.remove(TEXT)


def text_lines(folder: Path) -> set[str]:
    """The lines of the text sitemap in a folder; none where there is no such file, or a link."""
    file = folder / TEXT
    if file.is_symlink() or not file.is_file():
        return set()
    text = files.read_file(file).decode("utf-8-sig", "replace")
    return set(map(str.strip, text.splitlines())) - {""}


def _lost(file: Path, entries: Sequence[Entry], earlier: Iterable[Path], base: Base) -> str:
    """What a text file lists and the new one would not, for no reason; ``""`` for nothing.

    A text file has no mark that says who wrote it: what our own sitemaps list so far is ours.
    """
    if file.is_symlink() or not file.is_file():
        return "what it is"
    missing = text_lines(file.parent)
    for entry in entries:
        missing.discard(entry.loc)
    if missing:
        missing -= _listed(earlier)
    webroot = Webroot(file.parent, base)
    for line in sorted(missing):
        if not is_page(webroot, line):
            return one_line(line)[:200]
    return ""


def _listed(sitemaps: Iterable[Path]) -> set[str]:
    listed: set[str] = set()
    for sitemap in sitemaps:
        listed.update(row.loc for row in listed_rows(sitemap))
    return listed
