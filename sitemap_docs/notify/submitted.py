"""The state: the URLs that were submitted last, in a text file."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import urllist
from sitemap_docs.sitemap.urllist import Listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemap_docs.diff.difference import Change

_FORMAT = "# sitemap-docs notify: "
MARK = f"{_FORMAT}the URLs that were submitted, with their dates. Do not edit.\n"


def read_submitted(file: Path) -> Iterator[str] | None:
    """The lines (``urllist.Listed``), sorted; None where there is no file.

    Raises SitemapError for a file that is not such a state.
    """
    try:
        with file.open("rb") as stream:
            start = stream.read(len(_FORMAT))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SitemapError(f"{file} cannot be read: {error.strerror}.") from None
    if start != _FORMAT.encode():
        raise SitemapError(f"{file} is not a state file of `notify`: pass another file to create one.")
    return urllist.text_lines(str(file), max_bytes=None)


def write_submitted(file: Path, lines: Iterable[str]) -> None:
    """Replaces the state, whole or not at all; raises SitemapError."""
    try:
        with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}.", delete=False) as stream:
            try:
                stream.write(MARK.encode())
                stream.writelines(f"{line}\n".encode() for line in lines)
                stream.flush()
                os.fsync(stream.fileno())
                stream.close()
                Path(stream.name).replace(file)
            finally:
                stream.close()
                Path(stream.name).unlink(missing_ok=True)
    except OSError as error:
        raise SitemapError(f"{file} cannot be written: {error.strerror}.") from None


def submitted_after(lines: Iterable[str], changes: Iterable[Change]) -> Iterator[str]:
    """The state after ``changes`` are submitted; both are sorted by address."""
    held = iter(lines)
    line = next(held, None)
    for change in changes:
        while line is not None and Listed.of(line).loc < change.loc:
            yield line
            line = next(held, None)
        if line is not None and Listed.of(line).loc == change.loc:
            line = next(held, None)
        if change.kind != "removed":
            yield Listed(change.loc, change.after).line
    while line is not None:
        yield line
        line = next(held, None)
