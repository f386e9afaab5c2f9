"""Where a sitemap lies: the folder of the option ``filename``, if a sitemap there may list the pages.

A sitemap lists what is below its own folder (https://www.sitemaps.org/protocol.html#location).
"""

from __future__ import annotations

import posixpath
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.output.coverage import listed_rows
from sitemap_docs.output.ownership import is_ours
from sitemap_docs.urls.base import Base

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.model import Entry


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

    def shared_entries(self, base: Base) -> list[Entry]:
        """What other builds list in a sitemap above their output folders, in the order of the locs.

        ``base`` is that of this build, whose own entries are left out, as are those of folders that are
        gone. A sitemap in the output folder itself is of one build.
        """
        found: dict[str, Entry] = {}
        for name in (self.name, f"{self.name}.gz") if self.prefix else ():
            if not found and is_ours(self.folder / name):
                with suppress(SitemapError):  # a damaged one is replaced
                    rows = (row.entry() for row in listed_rows(self.folder / name))
                    found = {
                        entry.loc: entry for entry in rows if entry and self._is_of_other(entry.loc, base)
                    }
        return [found[loc] for loc in sorted(found)]

    def _is_of_other(self, loc: str, base: Base) -> bool:
        path = None if loc.startswith(base.url) else self.base.path_of(loc)
        steps = self.prefix.count("/")
        folders = path.split("/")[:-1][:steps] if path else []
        return len(folders) == steps and self.folder.joinpath(*folders).is_dir()


def _out_of_scope(filename: str, base: Base, name: str) -> Finding:
    return Finding(
        rule="filename-out-of-scope",
        where=filename,
        message=f"The sitemap is written as {name}: at {filename}, seen from {base.url}, it may list no page "
        "of this site. Change the option `filename`.",
    )
