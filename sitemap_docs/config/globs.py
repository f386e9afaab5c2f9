"""The files that a page names as its sources, by globs."""

from __future__ import annotations

import os
import re
from fnmatch import translate
from itertools import chain, takewhile
from operator import attrgetter
from os.path import isdir, isfile, normpath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.model import Finding
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The entries of folders that one glob may look at.
MAX_ENTRIES = 100_000


class NamedSources(NamedTuple):
    """The files that a glob of ``sitemap: {sources: […]}`` matches, sorted, or the ``problem`` with it."""

    pattern: str
    files: tuple[Path, ...] = ()
    problem: str = ""


def named_sources(pattern: str, folder: Path) -> NamedSources:
    """The files of a glob that starts at ``folder``, the page's own, or with ``/`` at the repository's top.

    ``**`` crosses folders and enters no links to folders. Nothing outside the repository is looked at, and
    ``..`` stands only in front. Where there is no repository, nothing outside ``folder`` matters: no problem.
    """
    top = repository(folder)
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    above = len(list(takewhile("..".__eq__, parts)))
    if ".." in parts[above:]:
        return NamedSources(pattern, problem="has `..` after a folder name; `..` may only be at the start")
    if top is None and (above or pattern.startswith("/")):
        return NamedSources(pattern)
    start = normpath(Path(top if top and pattern.startswith("/") else folder, *parts[:above]))
    if top and not _is_inside(start, top):
        return NamedSources(pattern, problem="leads out of the repository; name files inside it")
    try:
        found = sorted(_files(start, tuple(parts[above:]), top or folder))
    except _TooManyError:
        return NamedSources(
            pattern, problem=f"searches more than {MAX_ENTRIES:,} files; make it more specific"
        )
    return NamedSources(pattern, tuple(map(Path, found)), "" if found else _NO_FILE)


_NO_FILE = (
    "matches no file. It is relative to the page's folder, or with a leading `/` to the top of the repository"
)


class _TooManyError(Exception):
    pass


def _files(start: str, glob: tuple[str, ...], top: Path) -> set[str]:
    """The files that match; each folder is read once for each part of the glob, whatever links lead to it."""
    found: set[str] = set()
    waiting = [(start, glob)]
    seen: set[tuple[object, tuple[str, ...]]] = set()
    looked = 0
    while waiting:
        folder, parts = waiting.pop()
        place = (_identity(folder), parts)
        if place in seen or not parts:
            continue
        seen.add(place)
        if parts[0] == "**":
            waiting.append((folder, parts[1:] or ("*",)))
        entries = sorted(_entries(folder, parts[0]), key=attrgetter("name"))
        looked += len(entries) + 1
        if looked > MAX_ENTRIES:
            raise _TooManyError
        if parts[0] == "**":
            waiting += [(entry.path, parts) for entry in entries if entry.is_dir(follow_symlinks=False)]
        elif parts[1:]:
            waiting += [(entry.path, parts[1:]) for entry in entries if _is_entered(entry, top)]
        else:
            found.update(entry.path for entry in entries if isfile(entry.path))  # noqa: PTH113
    return found


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)  # noqa: PTH116  realpath would look at each folder above, again and again
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    return status.st_dev, status.st_ino


def _entries(folder: str, part: str) -> Iterator[os.DirEntry[str]]:
    """What matches in a folder; hidden files only where the glob names the dot."""
    matches = re.compile(translate("*" if part == "**" else part)).match
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if matches(entry.name) and (part.startswith(".") or not entry.name.startswith(".")):
                    yield entry
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return


def _is_entered(entry: os.DirEntry[str], top: Path) -> bool:
    if not isdir(entry.path):  # noqa: PTH112  unlike the entry, it answers for a link to itself
        return False
    return not entry.is_symlink() or _is_inside(entry.path, top)


def _is_inside(path: str, top: Path) -> bool:
    real, root = os.path.realpath(path), os.path.realpath(top)
    return Path(real).is_relative_to(root)


def repository(folder: Path) -> Path | None:
    """The nearest folder above ``folder``, or itself, that git manages; None without one."""
    return next((top for top in chain([folder], folder.parents) if (top / ".git").exists()), None)


def page_sources(where: str, named: NamedSources) -> Finding:
    """The finding about a glob that names no sources."""
    return Finding(
        rule="page-sources",
        where=one_line(where),
        message=f"`sitemap: sources: {one_line(named.pattern)}` {named.problem}.",
    )
