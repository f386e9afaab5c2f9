"""How the addresses of built files are spelled: with their endings, or as a server finds them without."""

from __future__ import annotations

from typing import Literal, get_args

Links = Literal["folders", "files", "clean", "bare"]
"""How the addresses of ``a.html`` and ``b/index.html`` are spelled.

folders: ``a.html`` and ``b/``; files: ``a.html`` and ``b/index.html``; clean: ``a`` and ``b/``; bare: ``a``
and ``b``.
"""
STYLES: tuple[Links, ...] = get_args(Links)


def served_at(file: str, links: Links) -> str:
    """The path at which a file below the root of a site is served; a folder's own path for a folder.

    Servers with clean addresses look for ``.html`` alone: other endings stay.
    """
    if links == "files":
        return file
    if file == "index.html":
        return ""
    if file.endswith("/index.html"):
        return file.removesuffix("/index.html" if links == "bare" else "index.html")
    if links == "folders":
        return file
    return file.removesuffix(".html")
