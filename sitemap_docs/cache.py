"""The cache of a folder: one SQLite file with dates of files.

All of it can be computed again. A cache that cannot be written, that another build holds locked, or that is
damaged is no cache: :class:`CacheError`, for which callers go on without. Neither is a link, or the database
of another program: both stay as they are.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from platformdirs import user_cache_path

NAME = "sitemap-docs.sqlite3"

#: Another number drops what older versions kept.
_VERSION = 9

#: Rows that no build used for so long are dropped, and so are all but the newest of them.
_DAYS = 90
_NEWEST = 200

#: Seconds to wait for another build that writes, which takes a fraction of one.
_PATIENCE = 0.5

_SCHEMA = """
CREATE TABLE histories (
    id INTEGER PRIMARY KEY,
    root BLOB UNIQUE,
    view TEXT,
    head TEXT,
    used TEXT DEFAULT CURRENT_DATE
);
CREATE TABLE dates (
    history INTEGER REFERENCES histories ON DELETE CASCADE,
    path BLOB,
    id TEXT,
    committed INTEGER,
    authored INTEGER,
    PRIMARY KEY (history, path)
) WITHOUT ROWID;
"""
_TABLES = frozenset(re.findall(r"CREATE TABLE (\w+)", _SCHEMA))


class CacheError(Exception):
    """There is no cache to read or write."""


def user_cache() -> Path:
    """The folder in the user's cache for what is kept between builds."""
    return user_cache_path("sitemap-docs", appauthor=False)


@contextmanager
def open_cache(folder: Path) -> Iterator[sqlite3.Connection]:
    """The cache of a folder, made where it is missing; what the block writes is kept when it ends.

    :class:`CacheError` for any trouble, also in the block.
    """
    file = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # SQLite would open a pipe or a device, too, and what a link leads to.
        if file.is_symlink() or (file.exists() and not file.is_file()):
            raise CacheError(f"{file} is not a file")
        with closing(sqlite3.connect(file, timeout=_PATIENCE)) as connection:
            connection.execute("PRAGMA foreign_keys = ON")
            if _version(connection) != _VERSION:
                _create(connection)
            with connection:
                yield connection
    except (OSError, sqlite3.Error) as error:
        # Other errors are of subclasses: what is locked, full or forbidden may be well the next time.
        if type(error) is sqlite3.DatabaseError:
            with suppress(OSError):
                file.unlink()
        raise CacheError(str(error)) from error


def drop_unused(connection: sqlite3.Connection) -> None:
    """Drops what no build has used for long, so that the cache does not grow without end."""
    connection.execute(f"DELETE FROM histories WHERE used < date('now', '-{_DAYS} days')")  # noqa: S608
    newest = f"SELECT id FROM histories ORDER BY used DESC, id DESC LIMIT {_NEWEST}"  # noqa: S608
    connection.execute(f"DELETE FROM histories WHERE id NOT IN ({newest})")  # noqa: S608


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _create(connection: sqlite3.Connection) -> None:
    """Makes the tables in one transaction, unless another build has just made them."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        if _version(connection) == _VERSION:
            return
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        if not tables <= _TABLES:
            raise CacheError(f"the database has tables of another program: {', '.join(tables - _TABLES)}")
        for table in tables:
            connection.execute(f"DROP TABLE {table}")
        for statement in _SCHEMA.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")
