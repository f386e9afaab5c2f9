"""Whose an existing file is: ours by its mark, or in the way."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.model import ExistingFileError, SitemapError, reported
from sitemap_docs.output.transaction import Output, translated_errors
from sitemap_docs.webroot.served_files import Webroot, find_copied

_TAIL = 1_024
_GZIP = b"\x1f\x8b"
_STYLES = b"/* sitemap-docs */"
_MARK = b"<!-- sitemap-docs"
_ROOTS = (b"</urlset>", b"</sitemapindex>")
_MARKED = re.compile(rb"( join)?(?:: a part of ([^>]+))? -->")


class Mark(NamedTuple):
    """What the mark of a file of ours says, a sitemap or a style sheet.

    ``whole`` is the sitemap that the file is a part of, ``""`` where it is that itself. ``joined`` is whether
    a join wrote it. ``keeps`` is whether a comment has what the sitemap of another program said.
    """

    whole: str = ""
    joined: bool = False
    keeps: bool = False


def is_ours(file: Path) -> bool:
    """Whether we wrote ``file``, a sitemap or a style sheet; a link is not ours.

    Raises SitemapError for a file that cannot be read; it is asked before anything is written.
    """
    return read_mark(file) is not None


def read_mark(file: Path) -> Mark | None:
    """The mark of a file of ours, a sitemap or a style sheet; None for any other, and for a link.

    Raises SitemapError for a file that cannot be read.
    """
    if file.is_symlink() or not file.is_file():
        return None
    with translated_errors(file, "read"), file.open("rb") as stream:
        head = stream.read(len(_STYLES))
        if head == _STYLES:
            return Mark(f"{file.stem}.xml")
        if head.startswith(_GZIP):
            tail = _unpacked_tail(file)
        else:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL))
            tail = stream.read()
    before, _, text = tail.rstrip().rpartition(_MARK)
    before = before.rstrip()
    found = _MARKED.fullmatch(text)
    if found is None or not before.endswith((*_ROOTS, b"-->")):
        return None
    whole = (found[2] or b"").decode("utf-8", "replace").replace("-%2D", "--")
    return Mark(whole, bool(found[1]), not before.endswith(_ROOTS))


def our_files(folder: Path) -> dict[str, Mark]:
    """Our sitemaps and style sheets in a folder, by their names, in order; ``whole`` is that of each.

    Raises SitemapError.
    """
    ours = {}
    for file in sorted([*folder.glob("*.xml*"), *folder.glob("*.css")]):
        if file.name.endswith((".xml", ".xml.gz", ".css")) and (mark := read_mark(file)):
            ours[file.name] = mark._replace(whole=mark.whole or file.name.removesuffix(".gz"))
    return ours


def remove_left(output: Output, written: Container[str], is_kept: Callable[[str, Mark], bool]) -> None:
    """Removes our files of earlier builds from a folder: those that are not ``written`` now, nor kept.

    ``is_kept`` is asked with the name and the mark. A style sheet stays with its sitemap.
    """
    left = {name: mark for name, mark in our_files(output.folder).items() if name not in written}
    kept = {name: mark.whole for name, mark in left.items() if is_kept(name, mark)}
    for name, mark in left.items():
        has_sitemap = name.endswith(".css") and mark.whole in kept.values()
        if name not in kept and not has_sitemap:
            output.remove(name)


def indexed_files(folder: Path) -> Iterator[str]:
    """The files of a folder that an index in it lists which another program or a join wrote."""
    from sitemap_docs.sitemap.reader import parse  # noqa: PLC0415  few builds have one

    for file in sorted(folder.glob("*.xml*")):
        with suppress(OSError, SitemapError):
            mark = read_mark(file)
            if mark and not mark.joined:
                continue
            parsed = parse(file)
            for row in parsed.rows() if parsed.root == "sitemapindex" else ():
                yield find_copied(folder, row.loc) or row.loc


def _unpacked_tail(file: Path) -> bytes:
    from sitemap_docs.sitemap.reader import Unreadable, content  # noqa: PLC0415  a first build reads none

    tail = b""
    try:
        for chunk in content(file):
            tail = (tail + chunk)[-_TAIL:]
    except Unreadable:
        return b""
    return tail


def is_page(webroot: Webroot, loc: str) -> bool:
    """Whether an HTML file of the folder answers for an address: it is listed, or left out for a reason."""
    return (webroot.file_of(loc) or "").lower().endswith(HTML_SUFFIXES)


def existing_error(file: Path, why: str) -> ExistingFileError:
    """The error for a file that is in the way."""
    return ExistingFileError(
        f"{file} exists and was not written by sitemap-docs. {why}Remove it and what the build "
        "copies it from, choose another name with the option `filename`, or overwrite it with the option "
        "`replace`."
    )


@reported()
def own_sitemap(message: str) -> str:
    """The project has a sitemap of its own with the name of the one that is written.

    With Sphinx yours is kept and none is written; MkDocs and the plugin write over a file of that name.
    Remove it, or take its name from ours by the option `filename`; the option `replace` gives it up.
    Wrong: `docs/sitemap.xml`, copied into the site by each build
    Right: `filename: pages.xml`
    Source: sitemap-docs: the page Options
    """
    return message
