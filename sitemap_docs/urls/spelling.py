"""How addresses are spelled: with or without ``.html``, ``index.html`` and the slash of a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import get_args

from sitemap_docs.config.options import LinkStyle

STYLES: tuple[LinkStyle, ...] = get_args(LinkStyle)


def address(file: str, links: LinkStyle) -> str:
    """The path at which a host serves a file: the shortest, in that style, at which it finds the file.

    ``links`` is "folders" (``a.html``, ``b/``), "files" (``a.html``, ``b/index.html``), "clean" (``a``,
    ``b/``) or "bare" (``a``, ``b``). Hosts leave out ``.html`` and ``index.html`` in just this spelling.

    >>> [address(file, "clean") for file in ("a.html", "b/index.html", "c.htm", "d.HTML", "e/index.htm")]
    ['a', 'b/', 'c.htm', 'd.HTML', 'e/index.htm']
    """
    folder, slash, name = file.rpartition("/")
    if links == "files":
        return file
    if name == "index.html":
        return folder if links == "bare" else folder + slash
    if links == "folders":
        return file
    return file.removesuffix(".html")


def spellings(file: str) -> set[str]:
    """The paths at which hosts serve a file, in any style."""
    return {address(file, style) for style in STYLES}


def count_styles(addresses: Iterable[tuple[str, str]]) -> Counter[str]:
    """Returns how many of some addresses, each a file and its path, are what a style makes of the file."""
    votes: Counter[str] = Counter()
    for file, path in addresses:
        votes.update(style for style in STYLES if address(file, style) == path)
    return votes
