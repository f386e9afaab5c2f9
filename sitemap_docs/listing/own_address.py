"""The address that a page gives itself: where its only canonical link puts the file."""

from __future__ import annotations

from os.path import isfile
from pathlib import Path

from sitemap_docs.html.head import Head
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.spelling import spellings
from sitemap_docs.webroot.served_files import tried


def own_path(head: Head, path: str, file: str, base: Base, folder: Path) -> str | None:
    """The path at which the only canonical link of a page puts the page itself; None where it does not.

    ``file`` is its name below the ``folder`` that is deployed to ``base``, ``path`` where its host puts it.
    """
    if len(set(head.canonicals)) != 1:
        return None
    named = base.path_of(head.canonical_urls(base.loc(path))[0])
    if named is None or named == path or names_file(named, file, folder):
        return named
    return None


def names_file(path: str, file: str, folder: Path) -> bool:
    """Whether a path is an address of a file in some style, and of no other file that is there."""
    if path not in spellings(file):
        return False
    for each in tried(path):
        if each == file:
            return True
        if isfile(f"{folder}/{each}"):  # noqa: PTH113  Path.is_file raises for a name that is too long
            return False
    return False
