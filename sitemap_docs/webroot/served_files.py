"""A built folder as a web server shows it: which file answers for an address."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import Base, split_url, without_query

_FOLDERS = 128  # whose names are remembered: addresses come sorted
_DEEPEST = 32  # folders
_TRIES = 100  # addresses that are looked for, to learn where a folder is deployed to


class Webroot:
    """A folder, and the base URL that it is deployed to.

    No address leads out of the folder, through links or otherwise, nor to anything but a regular file.
    ``files`` are the names of the files that are known to be there; others are looked up.
    """

    def __init__(self, folder: Path, base: Base, known: frozenset[str] = frozenset()) -> None:
        self.folder = folder
        self.base = base
        self.files = known
        root = os.path.realpath(folder)
        self._names = lru_cache(_FOLDERS)(lambda below: frozenset(files.names_inside(root, below)))

    @classmethod
    def guess(cls, folder: Path, locs: Iterable[str]) -> Webroot | None:
        """The folder with the base at which most of the first ``locs`` have their files; None where none has.

        Of bases at which equally many have, it is the longest.
        """
        built: dict[str, Webroot] = {}
        found: Counter[str] = Counter()
        for loc in islice(locs, _TRIES):
            parts = split_url(loc)
            url = f"{parts.scheme}://{parts.netloc}"
            for name in (parts.path or "/").split("/", _DEEPEST)[:-1]:
                url = f"{url}{name}/"
                try:
                    built[url] = built.get(url) or cls(folder, Base.of(url))
                except SitemapError:  # the address has no host, or a query in the place of a folder
                    break
                if built[url].file_of(loc):
                    found[url] += 1
        best = max(found, key=lambda url: (found[url], len(url)), default="")
        return built.get(best)

    def file(self, url: str) -> Path | None:
        """The file that a web server sends for an address of this site; None when there is none."""
        name = self.file_of(url)
        return None if name is None else self.folder / name

    def file_of(self, url: str) -> str | None:
        """The name below the folder, with slashes, of the file that a web server sends for an address."""
        path = self.path_of(url)
        return None if path is None else self.file_at(path)

    def file_at(self, path: str) -> str | None:
        """The same for a path below the base, not encoded: as it stands, with .html, or a folder's index."""
        name = path if path.isascii() else os.fsdecode(path.encode("utf-8", "surrogateescape"))
        for each in tried(name):
            if each in self.files:
                return each
        for each in tried(name):
            folder, _, last = each.rpartition("/")
            if files.is_below(each) and last in self._names(folder):
                return each
        return None

    def path_of(self, url: str) -> str | None:
        """The path of an address below the base URL, without query and fragment; None for other sites."""
        return self.base.path_of(without_query(url))


def tried(path: str) -> list[str]:
    """The files that a web server looks for at a path, in its order: with .html, or a folder's index."""
    if not path or path.endswith("/"):
        return [f"{path}index.html", f"{path}index.htm"]
    return [path, f"{path}.html", f"{path}/index.html"]


def find_copied(folder: Path, url: str) -> str | None:
    """The name of the file below a folder that is a copy of what an address names, wherever it is deployed.

    It is the longest end of the address's path that is there; None where nothing is.
    """
    written = [segment for segment in split_url(url).path.split("/") if segment][-_DEEPEST:]
    segments = [unquote(segment, errors="surrogateescape") for segment in written]
    if any("/" in segment for segment in segments):
        return None
    for start in range(len(segments)):
        name = "/".join(segments[start:])
        if files.find_inside(folder, name):
            return name
    return None
