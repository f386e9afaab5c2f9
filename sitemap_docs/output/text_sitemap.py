"""sitemap.txt, which engines take, too.

https://www.sitemaps.org/protocol.html#otherformats
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.model import MAX_BYTES, MAX_URLS, Entry, Finding, SitemapError, reported
from sitemap_docs.output.ownership import is_page, our_files
from sitemap_docs.output.replaced import listed_rows
from sitemap_docs.output.transaction import Output
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.served_files import Webroot

TEXT = "sitemap.txt"


def write_text(
    options: Options, entries: Sequence[Entry], listed: int, output: Output, base: Base, *, is_own: bool
) -> tuple[list[str], list[Finding]]:
    """Adds a text sitemap where the option ``formats`` asks for one, unless it would be too long.

    Returns its name and what is wrong. ``entries`` are the first of the ``listed`` ones, as many as it may
    list; ``is_own`` is whether an earlier build wrote the one that exists. Raises SitemapError when a file
    of the user's own is in the way and is not to be replaced.
    """
    if "text" not in options.formats or not entries:
        return [], []
    data = _text(entry.loc for entry in entries)
    if listed > MAX_URLS or len(data) > MAX_BYTES:
        return [], [text_too_long(listed).at(TEXT)]
    file = output.folder / TEXT
    if os.path.lexists(file) and not is_own and not options.replace:
        lost = _lost(file, entries, base)
        if lost:
            raise SitemapError(
                f"{file} exists and was not written by sitemap-docs. The new one would not list "
                f"{lost}. Remove it, take `text` out of `formats`, or set `replace` to overwrite it."
            )
    # It has no mark: if the build is killed before the sitemap follows, the next one writes the same.
    output.add(TEXT, data, first=True)
    return [TEXT], []


def is_our_text(folder: Path, base: Base, recorded: Collection[str] | None) -> bool:
    """Whether an earlier build wrote the text sitemap of a folder, which has no mark.

    ``recorded`` are the files of the last build; None where no record tells. Then it is ours if it is what we
    would write for our sitemaps there.
    """
    file = folder / TEXT
    if file.is_symlink() or not file.is_file():
        return False
    if recorded is not None:
        return TEXT in recorded
    listed: set[str] = set()
    for name in our_files(folder):
        if not name.endswith(".css"):
            listed.update(row.loc for row in listed_rows(folder / name) if row.loc.startswith(base.url))
    return bool(listed) and files.read_file(file) == _text(sorted(listed))


def _text(locs: Iterable[str]) -> bytes:
    return "".join(f"{loc}\n" for loc in locs).encode()


def text_lines(folder: Path) -> set[str]:
    """The lines of the text sitemap in a folder; none where there is no such file, or a link."""
    file = folder / TEXT
    if file.is_symlink() or not file.is_file():
        return set()
    text = files.read_file(file).decode("utf-8-sig", "replace")
    return set(map(str.strip, text.splitlines())) - {""}


def _lost(file: Path, entries: Sequence[Entry], base: Base) -> str:
    """Returns what a text file lists and the new one would not, for no reason; ``""`` for nothing."""
    if file.is_symlink() or not file.is_file():
        return "what it is"
    missing = text_lines(file.parent)
    missing.difference_update(entry.loc for entry in entries)
    webroot = Webroot(file.parent, base)
    for line in sorted(missing):
        if not is_page(webroot, line):
            return one_line(line)[:200]
    return ""


@reported()
def text_too_long(listed: int) -> str:
    """A text sitemap would have more than 50,000 addresses, so that none is written.

    Engines refuse a longer one.
    Take `text` out of `formats`: the sitemap in XML has all addresses, in several files.
    Wrong: `formats: [text]` in a site of 60,000 pages
    Right: `formats: []`
    Source: sitemaps.org: other sitemap formats,
    https://www.sitemaps.org/protocol.html#otherformats
    """
    return (
        f"{TEXT} is not written: it may hold {MAX_URLS:,} URLs, and {listed:,} are listed. sitemap.xml has "
        "them all; take `text` out of `formats`."
    )
