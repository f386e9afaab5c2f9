"""Pages that moved between two builds, by git's renames of their sources, and the redirects of them."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from sitemap_docs.cache import user_cache
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import Repository, open_repository
from sitemap_docs.model import Row
from sitemap_docs.output.record import read_build
from sitemap_docs.urls.base import split_url

RedirectForm = Literal["netlify", "sphinx-reredirects", "mkdocs-redirects"]
FORMS: tuple[RedirectForm, ...] = get_args(RedirectForm)


class Move(NamedTuple):
    """A page before, in one build, and after its source was renamed, in another."""

    old: Row
    new: Row


def find_moves(old: str, new: str, gone: Collection[str], environ: Mapping[str, str]) -> dict[str, Move]:
    """The moves of the addresses that have gone, where one rename of the page's own source is the cause.

    Both places are folders whose builds left a record, in which one page alone has the source. They may be
    built from two work trees: git is asked in that of the new one.
    """
    before, after = _by_source(old), _by_source(new)
    root = repository_of(Path(min(after)).parent) if after else None
    moves: dict[str, Move] = {}
    if root is None:
        return moves
    with suppress(GitTrouble):
        repository = open_repository(str(root), environ)
        for source, rows in before.items():
            there = repository_of(Path(source).parent)
            if len(rows) > 1 or rows[0].loc not in gone or there is None:
                continue
            renamed = after.get(str(root / _renamed(repository, seen_from(there, source))), ())
            if len(renamed) == 1 and renamed[0].loc != rows[0].loc:
                moves[rows[0].loc] = Move(rows[0], renamed[0])
    return moves


def _by_source(place: str) -> dict[str, list[Row]]:
    """The listed pages that the record of a built folder has, by their own sources."""
    rows = defaultdict(list)
    record = read_build(Path(place).resolve(), user_cache()) if Path(place).is_dir() else None
    for row in record.rows() if record else ():
        if row.sources and row.reason is None:
            rows[row.sources[0]].append(row)
    return rows


def _renamed(repository: Repository, source: str) -> str:
    """Returns where the commit that removed a file moved it, if it is still there.

    It is ``""`` for any other file.
    """
    path = os.fsencode(source)
    if path in repository.tree([path]):
        return ""
    for commit in repository.commits(repository.head, path, "-1"):
        for moved, origin in repository.moves(commit.id).items():
            if origin.path == path and moved in repository.tree([moved]):
                return os.fsdecode(moved)
    return ""


def redirect_lines(moves: Iterable[Move], form: RedirectForm) -> Iterator[str]:
    """Yields what to paste into the configuration of a host or an extension for redirects of moved pages."""
    for move in moves:
        old, new = split_url(move.old.loc), split_url(move.new.loc)
        target = new.path if old.netloc == new.netloc else move.new.loc
        before, after = _document(move.old), _document(move.new)
        if form == "netlify":
            yield f"{old.path} {target} 301"
        elif form == "sphinx-reredirects" and before[0]:
            relative = posixpath.relpath(new.path, posixpath.dirname(old.path))
            yield f'"{before[0]}": "{relative}{"/" * new.path.endswith("/")}",'
        elif form == "mkdocs-redirects" and before[0] and after[0]:
            yield f"'{''.join(before)}': '{''.join(after)}'"


def _document(row: Row) -> tuple[str, str]:
    """The name of a page's source below the folder of all sources, and its ending; nothing if none fits."""
    source, ending = posixpath.splitext(row.sources[0].replace(os.sep, "/"))
    name = posixpath.splitext(row.file)[0]
    folder = posixpath.dirname(name)
    for each in (name, folder, posixpath.join(folder, "README")):
        if each and f"/{source}".endswith(f"/{each}"):
            return each, ending
    return "", ""
