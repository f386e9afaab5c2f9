"""sitemap.txt, which engines take, too, and sitemap.md, which people and agents read.

https://www.sitemaps.org/protocol.html#otherformats
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.model import Entry, Finding, SitemapError
from sitemap_docs.output.ownership import is_ours, is_page, listed_rows
from sitemap_docs.sitemap.render import MAX_BYTES, MAX_URLS, stamp
from sitemap_docs.text import one_line, site_names, without_site_name
from sitemap_docs.webroot.lookup import Webroot

if TYPE_CHECKING:
    from sitemap_docs.config.options import Options
    from sitemap_docs.output.transaction import Output
    from sitemap_docs.urls.base import Base

TEXT = "sitemap.txt"
MARKDOWN = "sitemap.md"

MARK = "<!-- sitemap-docs -->"

_MARKUP = re.compile(r"[\\`*_\[\]<>&~|$!#]")


def write_formats(
    options: Options, entries: Sequence[Entry], listed: int, output: Output, base: Base
) -> tuple[list[str], list[Finding]]:
    """Adds the files that the option ``formats`` has, unless they would be too long.

    Returns their names and what is wrong. ``entries`` are the first of the ``listed`` ones, as many as one
    file may list. Raises SitemapError when a file of the user's own is in the way and is not to be replaced.
    """
    names = []
    findings = []
    for form, name in (("text", TEXT), ("markdown", MARKDOWN)):
        if form not in options.formats:
            continue
        if form == "text":
            data = "".join(f"{entry.loc}\n" for entry in entries).encode()
        else:
            data = markdown(entries, base).encode()
        if listed > MAX_URLS or len(data) > MAX_BYTES:
            message = (
                f"{name} is not written: it may hold {MAX_URLS:,} URLs, and {listed:,} are listed. "
                f"sitemap.xml has them all; take `{form}` out of `formats`."
            )
            findings.append(Finding(rule=f"{form}-too-long", where=name, message=message))
            continue
        file = output.folder / name
        lost = ""
        if os.path.lexists(file) and not options.replace:
            if form == "text":
                lost = _lost(file, entries, options.filename, base)
            elif not is_ours(file):
                lost = "what it holds"
        if lost:
            raise SitemapError(
                f"{file} exists and was not written by sitemap-docs. The new one would not list "
                f"{lost}. Remove it, take its format out of `formats`, or set `replace` to overwrite it."
            )
        output.add(name, data, first=True)  # as long as the sitemap proves that the old one is ours
        names.append(name)
    return names, findings


def _lost(file: Path, entries: Sequence[Entry], filename: str, base: Base) -> str:
    """What a text file lists and the new one would not, for no reason; ``""`` for nothing.

    A text file has no mark that says who wrote it: what our own sitemap lists so far is ours.
    """
    if file.is_symlink() or not file.is_file():
        return "what it is"
    text = files.read_file(file).decode("utf-8-sig", "replace")
    missing = set(map(str.strip, text.splitlines())) - {""}
    for entry in entries:
        missing.discard(entry.loc)
    previous = set()
    sitemap = file.parent / filename
    if missing and is_ours(sitemap):
        previous = {row.loc for row in listed_rows(sitemap)}
    webroot = Webroot(file.parent, base)
    for line in sorted(missing):
        if line not in previous and not is_page(webroot, line):
            return one_line(line)[:200]
    return ""


def markdown(entries: Sequence[Entry], base: Base) -> str:
    """A list of links by title, nested as the folders of their addresses are, each with its day."""
    names = site_names([entry.title for entry in entries])
    pages: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        path = entry.loc.removeprefix(base.url).rstrip("/")
        # The pages below a.html, where there are any, lie in the folder a.
        pages.setdefault(tuple(path.removesuffix(".html").split("/")), []).append(entry)
    lines = [MARK, "", "# Sitemap", ""]
    above: tuple[str, ...] = ()
    for segments, here in sorted(pages.items()):
        for depth in range(1, len(segments)):
            folder = segments[:depth]
            if folder != above[:depth] and folder not in pages:  # a folder without a page
                lines.append(f"{'  ' * (depth - 1)}- {_shown(unquote(segments[depth - 1]))}")
        above = segments
        for entry in here:
            title = without_site_name(entry.title, names) or unquote(segments[-1]) or entry.loc
            address = entry.loc.replace("(", "\\(").replace(")", "\\)")
            line = f"{'  ' * (len(segments) - 1)}- [{_shown(title)}]({address})"
            if entry.lastmod:
                line += f" ({stamp(entry.lastmod).partition('T')[0]})"
            lines.append(line)
    return "\n".join(lines) + "\n"


def _shown(text: str) -> str:
    """A text of others as Markdown shows it."""
    return _MARKUP.sub(r"\\\g<0>", one_line(text))
