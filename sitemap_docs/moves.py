"""Pages that moved between two builds, by git's renames of their sources, and the redirects of them."""

from __future__ import annotations

import os
import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.git_program import GitTrouble
from sitemap_docs.history.repository import (
    SIMPLIFIED,
    Repository,
    folders,
    open_repository,
    read_changes,
    read_touch,
)
from sitemap_docs.model import Row
from sitemap_docs.output.record import read_build
from sitemap_docs.surroundings import ENVIRON, user_cache
from sitemap_docs.urls.base import split_url

RedirectForm = Literal["netlify", "sphinx-reredirects", "mkdocs-redirects"]
FORMS: tuple[RedirectForm, ...] = get_args(RedirectForm)


class Move(NamedTuple):
    """A page before, in one build, and after its source was renamed, in another."""

    old: Row
    new: Row


def find_moves(old: str, new: str, gone: Collection[str]) -> dict[str, Move]:
    """The moves of the addresses that have gone, where one rename of the page's own source is the cause.

    Both places are folders whose builds left a record, in which one page alone has the source. They may be
    built from two work trees: git is asked in that of the new one.
    """
    before, after = _by_source(old), _by_source(new)
    root = repository_of(Path(min(after)).parent) if after else None
    moves: dict[str, Move] = {}
    top_of = cache(repository_of)
    lost: dict[bytes, Row] = {}
    for source, rows in before.items():
        if len(rows) == 1 and rows[0].loc in gone and (top := top_of(Path(source).parent)):
            lost[os.fsencode(seen_from(top, source))] = rows[0]
    if root and lost:
        with suppress(GitTrouble):
            for path, moved in _renamed(open_repository(str(root), ENVIRON), lost):
                renamed = after.get(str(root / os.fsdecode(moved)), ())
                if len(renamed) == 1 and renamed[0].loc != lost[path].loc:
                    moves[lost[path].loc] = Move(lost[path], renamed[0])
    return dict(sorted(moves.items()))


def _by_source(place: str) -> dict[str, list[Row]]:
    """The listed pages that the record of a built folder has, by their own sources."""
    rows = defaultdict(list)
    record = read_build(Path(place).resolve(), user_cache()) if Path(place).is_dir() else None
    for row in record.rows() if record else ():
        if row.sources and row.reason is None:
            rows[row.sources[0]].append(row)
    return rows


def _renamed(repository: Repository, paths: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Yields which of some files the commit that removed them moved, and where, if they are still there."""
    tree = repository.tree(())
    missing = set(paths).difference(tree)
    if not missing:
        return
    commits: dict[bytes, str] = {}
    for path, change in read_changes(repository.log(repository.head, SIMPLIFIED, folders(missing))):
        if path in missing:
            commits.setdefault(path, read_touch(change).commit.id)
        if len(commits) == len(missing):
            break  # older commits need not be read
    for commit in set(commits.values()):
        for moved, origin in repository.moves(commit).items():
            if commits.get(origin.path) == commit and moved in tree:
                yield origin.path, moved


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
