"""Where a sitemap lies: the folder of the option ``filename``, if a sitemap there may list the pages.

A sitemap lists what is below its own folder (https://www.sitemaps.org/protocol.html#location).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.model import Entry, Finding, SitemapError
from sitemap_docs.output.ownership import is_ours, listed_rows
from sitemap_docs.urls.base import Base


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
        segments = [segment for segment in base.url.removeprefix(base.origin).split("/") if segment]
        if set(above.split("/")) - {"", ".."} or steps > len(segments):
            message = (
                f"The sitemap is written as {name}: at {filename}, seen from {base.url}, it may list no page "
                "of this site. Change the option `filename`."
            )
            finding = Finding(rule="filename-out-of-scope", where=filename, message=message)
            return cls(output, base, name, findings=(finding,))
        folder = output
        for _ in range(steps):
            folder = folder.parent
        kept = "".join(f"{segment}/" for segment in segments[: len(segments) - steps])
        return cls(folder, Base(f"{base.origin}/{kept}"), name, "../" * steps)

    def seen(self, names: Iterable[str]) -> list[str]:
        """The names of files of this folder as they are seen from the output folder."""
        return [self.prefix + name for name in names]

    def shared_entries(self, base: Base) -> list[Entry]:
        """What other builds list in a sitemap above their output folders, in the order of the locs.

        ``base`` is that of this build, whose own entries are left out, as are those of folders that are
        gone. A sitemap in the output folder itself is of one build.
        """
        if not self.prefix:
            return []
        found: dict[str, Entry] = {}
        for name in (self.name, f"{self.name}.gz"):
            if found or not is_ours(self.folder / name):
                continue
            with suppress(SitemapError):  # a damaged one is replaced
                for row in listed_rows(self.folder / name):
                    entry = row.entry()
                    if entry and self._is_of_other(entry.loc, base):
                        found[entry.loc] = entry
        return [found[loc] for loc in sorted(found)]

    def _is_of_other(self, loc: str, base: Base) -> bool:
        """Whether an address lies in the folder of another build, which is still there."""
        if loc.startswith(base.url):
            return False
        path = self.base.path_of(loc)
        if path is None:
            return False
        steps = self.prefix.count("/")
        folders = path.split("/")[:-1][:steps]
        return len(folders) == steps and self.folder.joinpath(*folders).is_dir()
