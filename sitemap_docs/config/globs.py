"""The files that a page names as its sources, by globs."""

from __future__ import annotations

import os
import re
from fnmatch import translate
from operator import attrgetter
from os.path import isdir, isfile, normpath
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.model import Finding
from sitemap_docs.text import one_line

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
    above = 0
    while above < len(parts) and parts[above] == "..":
        above += 1
    if ".." in parts[above:]:
        return NamedSources(pattern, problem="has `..` after a folder name; `..` may only be at the start")
    from_top = pattern.startswith("/")
    if top is None and (above or from_top):
        return NamedSources(pattern)
    start = normpath(Path(top if top and from_top else folder, *parts[:above]))
    if top and not _is_inside(start, top):
        return NamedSources(pattern, problem="leads out of the repository; name files inside it")
    found = _files(start, tuple(parts[above:]), top or folder)
    if found is None:
        problem = f"searches more than {MAX_ENTRIES:,} files; make it more specific"
    else:
        problem = "" if found else _NO_FILE
    return NamedSources(pattern, tuple(map(Path, sorted(found or ()))), problem)


_NO_FILE = (
    "matches no file. It is relative to the page's folder, or with a leading `/` to the top of the repository"
)


def _files(start: str, glob: tuple[str, ...], top: Path) -> set[str] | None:
    """The files that match; None where there is too much to look at.

    Each folder is read once for each part of the glob, whatever links lead to it.
    """
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
        crosses = parts[0] == "**"
        if crosses:
            waiting.append((folder, parts[1:] or ("*",)))
        entries = _entries(folder, parts[0])
        looked += len(entries) + 1
        if looked > MAX_ENTRIES:
            return None
        for entry in entries:
            if crosses:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, parts))
            elif not parts[1:]:
                if isfile(entry.path):  # noqa: PTH113
                    found.add(entry.path)
            # Unlike the entry, isdir answers for a link to itself.
            elif isdir(entry.path) and (not entry.is_symlink() or _is_inside(entry.path, top)):  # noqa: PTH112
                waiting.append((entry.path, parts[1:]))
    return found


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)  # noqa: PTH116  realpath would look at each folder above, again and again
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return None
    return status.st_dev, status.st_ino


def _entries(folder: str, part: str) -> list[os.DirEntry[str]]:
    """What matches in a folder, by name; hidden files only where the glob names the dot."""
    matches = re.compile(translate("*" if part == "**" else part)).match
    try:
        with os.scandir(folder) as entries:
            found = [entry for entry in entries if matches(entry.name)]
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return []
    shown = [entry for entry in found if part.startswith(".") or not entry.name.startswith(".")]
    return sorted(shown, key=attrgetter("name"))


def _is_inside(path: str, top: Path) -> bool:
    real, root = os.path.realpath(path), os.path.realpath(top)
    return Path(real).is_relative_to(root)


def repository(folder: Path) -> Path | None:
    """The nearest folder above ``folder``, or itself, that git manages; None without one."""
    for top in (folder, *folder.parents):
        if (top / ".git").exists():
            return top
    return None


def page_sources(where: str, named: NamedSources) -> Finding:
    """The finding about a glob that names no sources."""
    return Finding(
        rule="page-sources",
        where=one_line(where),
        message=f"`sitemap: sources: {one_line(named.pattern)}` {named.problem}.",
    )
