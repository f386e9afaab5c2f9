"""A built folder as a web server shows it: which file answers for an address."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError
from sitemap_docs.urls import Base, split_url

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Webroot:
    """A folder, and the base URL that it is deployed to."""

    folder: Path
    base: Base

    @classmethod
    def guess(cls, folder: Path, locs: Iterable[str]) -> Webroot | None:
        """The folder with the base that lets a file answer for one of ``locs``; None where none does."""
        for loc in locs:
            for base in _bases(loc):
                built = cls(folder, base)
                if built.file(loc):
                    return built
        return None

    def file(self, loc: str) -> Path | None:
        """The file that answers for an address, as it stands or with .html or index.html; None for none."""
        path = self.base.path_of(loc)
        if path is None or ".." in path.split("/") or "\0" in path:
            return None
        path = os.fsdecode(path.encode("utf-8", "surrogateescape"))
        candidates = (
            (path, f"{path}.html", f"{path}/index.html")
            if path and path[-1] != "/"
            else (f"{path}index.html",)
        )
        return next((file for file in map(self.folder.joinpath, candidates) if _is_file(file)), None)


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


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # a name that is too long
        return False
