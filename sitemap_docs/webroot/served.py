"""A built folder as a web server shows it: which file answers for an address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sitemap_docs.urls import split_url

if TYPE_CHECKING:
    from sitemap_docs.urls import Base

_PLAIN = re.compile(r"[A-Za-z0-9_~/-]*(?:\.[A-Za-z0-9_~-]+)*/?", re.ASCII)
_AFTER = re.compile(r"[#?].*", re.DOTALL)


class Served:
    """The files of a site, as their addresses; answers are remembered."""

    def __init__(self, base: Base, files: frozenset[str]) -> None:
        self.base = base
        self.files = files
        self._paths: dict[str, str | None] = {}

    def file_of(self, url: str) -> str | None:
        """The file that a web server sends for an address of this site; None when there is none."""
        path = self.path_of(url)
        if path is None:
            return None
        if not path or path.endswith("/"):
            tries: tuple[str, ...] = (f"{path}index.html", f"{path}index.htm")
        else:
            tries = (path, f"{path}.html", f"{path}/index.html")
        return next((each for each in tries if each in self.files), None)

    def path_of(self, url: str) -> str | None:
        """The path of an address below the base URL, without query and fragment; None for other sites."""
        if url not in self._paths:
            self._paths[url] = self._path_of(_AFTER.sub("", url))
        return self._paths[url]

    def _path_of(self, url: str) -> str | None:
        if url.startswith(self.base.url):
            path = url[len(self.base.url) :]
            if _PLAIN.fullmatch(path):
                return path
        return self.base.path_of(url)


def host_of(url: str) -> str:
    """The host of an address, in lower case; ``""`` without one."""
    return (split_url(url).hostname or "").lower()
