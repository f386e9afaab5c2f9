"""Where a sitemap lies: the folder of the option ``filename``, if a sitemap there may list the pages.

A sitemap lists what is below its own folder (https://www.sitemaps.org/protocol.html#location).
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.model import Finding
from sitemap_docs.urls import Base

if TYPE_CHECKING:
    from pathlib import Path


class Place(NamedTuple):
    """The folder of a sitemap, its URL, the file's plain name, and that seen from the output folder."""

    folder: Path
    base: Base
    name: str
    prefix: str = ""
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, output: Path, base: Base, filename: str) -> Place:
        """The place that ``filename`` names; next to the index page where a sitemap there lists no page."""
        above, name = posixpath.split(filename)
        steps = above.count("..")
        segments = base.url.removeprefix(base.origin).strip("/").split("/") if not base.is_root else []
        if set(above.split("/")) - {"", ".."} or steps > len(segments):
            return cls(output, base, name, findings=(_out_of_scope(filename, base, name),))
        folder = output
        for _ in range(steps):
            folder = folder.parent
        kept = "".join(f"{segment}/" for segment in segments[: len(segments) - steps])
        return cls(folder, Base(f"{base.origin}/{kept}"), name, "../" * steps)


def _out_of_scope(filename: str, base: Base, name: str) -> Finding:
    return Finding(
        rule="filename-out-of-scope",
        where=filename,
        message=f"The sitemap is written as {name}: at {filename}, seen from {base.url}, it may list no page "
        "of this site. Change the option `filename`.",
    )
