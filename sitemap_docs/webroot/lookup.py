"""A built folder as a web server shows it: which file answers for an address."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_docs import files
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.base import Base, split_url

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLDERS = 1_024  # whose names are remembered: addresses come sorted
_DEEPEST = 32  # folders
_PLAIN = re.compile(r"[A-Za-z0-9_~/-]*(?:\.[A-Za-z0-9_~-]+)*/?", re.ASCII)
_AFTER = re.compile(r"[#?].*", re.DOTALL)


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
        self._odd_path = lru_cache(_FOLDERS)(lambda url: base.path_of(_AFTER.sub("", url)))

    @classmethod
    def guess(cls, folder: Path, locs: Iterable[str]) -> Webroot | None:
        """The folder with the base that lets a file answer for one of ``locs``; None where none does."""
        for loc in locs:
            for base in _bases(loc):
                built = cls(folder, base)
                if built.file_of(loc):
                    return built
        return None

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
        if not path or path.endswith("/"):
            tries: tuple[str, ...] = (f"{name}index.html", f"{name}index.htm")
        else:
            tries = (name, f"{name}.html", f"{name}/index.html")
        for each in tries:
            if each in self.files:
                return each
        return next(filter(self._is_there, tries), None)

    def path_of(self, url: str) -> str | None:
        """The path of an address below the base URL, without query and fragment; None for other sites."""
        if url.startswith(self.base.url):
            path = url[len(self.base.url) :]
            if _PLAIN.fullmatch(path):
                return path
        return self._odd_path(url)

    def _is_there(self, name: str) -> bool:
        folder, _, last = name.rpartition("/")
        return files.is_below(name) and last in self._names(folder)


def find_copied(folder: Path, url: str) -> str | None:
    """The name of the file below a folder that is a copy of what an address names, wherever it is deployed.

    It is the longest end of the address's path that is there; None where nothing is.
    """
    written = [segment for segment in split_url(url).path.split("/") if segment][-_DEEPEST:]
    segments = [unquote(segment, errors="surrogateescape") for segment in written]
    if any("/" in segment for segment in segments):
        return None
    names = ("/".join(segments[start:]) for start in range(len(segments)))
    return next((name for name in names if files.find_inside(folder, name)), None)


def stem(path: str) -> str:
    """What the address and the source of a page share: neither ending nor ``index``.

    >>> [stem(path) for path in ("guide/install.md", "guide/index.html", "README.md", "", "v1.2/")]
    ['guide/install', 'guide', '', '', 'v1.2']
    """
    folder, _, name = path.strip("/").rpartition("/")
    root, dot, ending = name.rpartition(".")
    known = dot and ending.lower() in _ENDINGS
    name = root if known else name
    return folder if known and name.lower() in ("index", "readme") else f"{folder}/{name}".strip("/")


_ENDINGS = ("html", "htm", "md", "markdown", "mdx", "rst", "txt", "ipynb", "adoc")


def _bases(loc: str) -> Iterable[Base]:
    parts = split_url(loc)
    segments = parts.path.split("/")[1:-1]
    for depth in range(len(segments) + 1):
        try:
            yield Base.of(
                f"{parts.scheme}://{parts.netloc}/" + "".join(f"{each}/" for each in segments[:depth])
            )
        except SitemapError:
            return
