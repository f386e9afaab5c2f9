"""The cache: what damage, other builds and time do to it, of which none is an error or makes a build slow."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path
from time import monotonic, time

import pytest

from sitemap_docs.cache import NAME, CacheError, open_cache
from sitemap_docs.model import Row
from sitemap_docs.output.record import RECORDS, Recording, read_record
from tests.conftest import commit, git, read_dates, write

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
SECONDS = 30  # for what takes a fraction of one; waiting for another build would take longer


@pytest.fixture
def project(tmp_path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for text in "12":
        (root / "a.md").write_text(text)
        commit(root)
    return root


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "cache"


def use(project: Path, folder: Path) -> None:
    """Reads dates and leaves a record, which both have to succeed whatever the cache is."""
    file = project / "a.md"
    dates = read_dates([file], meaning="commit", now=NOW, cache=folder, environ=os.environ)
    assert dates.of([file]).commit == git(project, "rev-parse", "HEAD").strip()
    with closing(Recording(project, folder, project)) as record:
        record.add(Row("a.html", "https://example.org/a.html"))
        record.commit("https://example.org/", ["a.md"], listed=1)


def rows(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], id="cut short"),
        pytest.param(lambda data: data[:5000] + b"\xff" * 9000 + data[14000:], id="overwritten inside"),
        pytest.param(lambda data: data[:16] + b"\0" * 84 + data[100:], id="no header"),
    ],
)
def test_a_damaged_cache_is_made_anew(project, folder, damage):
    use(project, folder)
    file = folder / NAME
    file.write_bytes(damage(file.read_bytes()))
    use(project, folder)
    assert read_record(project, folder) is None or read_record(project, folder).listed == 1
    use(project, folder)
    assert read_record(project, folder).listed == 1
    assert rows(folder, "dates") == 1


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("PRAGMA user_version = 7", id="of another version"),
        pytest.param("DROP TABLE dates", id="without a table"),
        pytest.param("ALTER TABLE histories RENAME COLUMN view TO other", id="with other columns"),
    ],
)
def test_a_cache_of_another_form_is_no_error(project, folder, statement):
    use(project, folder)
    change(folder, statement)
    use(project, folder)


def another_program(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE theirs (x)")
        connection.execute("INSERT INTO theirs VALUES (1)")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(Path.mkdir, id="a folder"),
        pytest.param(getattr(os, "mkfifo", None), id="a pipe"),
        pytest.param(lambda file: file.symlink_to("/nowhere/at/all"), id="a link that leads nowhere"),
        pytest.param(another_program, id="the database of another program"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="no pipes here")
def test_what_stands_in_the_place_of_the_cache_stays(project, folder, make):
    folder.mkdir()
    make(folder / NAME)
    use(project, folder)
    assert read_record(project, folder).listed == 1  # the records are files of their own
    if (folder / NAME).is_file():
        assert rows(folder, "theirs") == 1


def test_a_folder_that_cannot_be_made(project, folder):
    folder.write_text("a file")
    use(project, folder)


def test_a_cache_that_another_build_locks_is_not_waited_for(project, folder):
    use(project, folder)
    with closing(sqlite3.connect(folder / NAME)) as other:
        other.execute("BEGIN EXCLUSIVE")
        start = monotonic()
        use(project, folder)
        assert monotonic() - start < SECONDS
    assert read_record(project, folder).listed == 1


def test_builds_at_once(project, folder):
    """Each takes its dates and leaves its record, in one cache that none of them has made before."""
    write(project, {"a.html": "<title>A</title>"})
    copies = [project.with_name(f"copy{number}") for number in range(4)]
    started = []
    for copy in copies:
        shutil.copytree(project, copy)
        flags = ["-q", "--base-url", "https://e.org/", "--source", copy, "--cache-dir", folder]
        started.append(subprocess.Popen([sys.executable, "-m", "sitemap_docs", "build", copy, *flags]))
    assert [each.wait(600) for each in started] == [0] * len(copies)
    assert [read_record(copy, folder).listed for copy in copies] == [1] * len(copies)
    assert rows(folder, "histories") == len(copies)


def test_a_build_that_is_killed_keeps_what_was_there(project, folder):
    use(project, folder)
    script = (
        "import os, sys; from pathlib import Path; from sitemap_docs.cache import open_cache\n"
        "with open_cache(Path(sys.argv[1])) as cache:\n"
        "    cache.execute('DELETE FROM histories')\n"
        "    os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, folder], check=False)
    assert rows(folder, "histories") == 1


def test_what_no_build_has_used_for_90_days_is_dropped(project, folder, tmp_path):
    use(project, folder)
    other = tmp_path / "other"
    shutil.copytree(project, other)
    use(other, folder)
    change(folder, "UPDATE histories SET used = date('now', '-91 days') WHERE id = 1")
    (old,) = {*(folder / RECORDS).iterdir()} - {read_record(other, folder).file}
    commit(write(other, {"a.md": "3"}))
    os.utime(old, (monotonic(), time() - 91 * 86_400))
    use(other, folder)
    assert [rows(folder, table) for table in ("histories", "dates")] == [1, 1]
    assert [*(folder / RECORDS).iterdir()] == [read_record(other, folder).file]


def test_what_a_build_uses_is_kept(project, folder):
    use(project, folder)
    change(folder, "UPDATE histories SET used = date('now', '-89 days')")
    use(project, folder)
    assert rows(folder, "histories WHERE used = CURRENT_DATE") == 1


def test_no_more_than_the_newest_are_kept(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("sitemap_docs.output.record.MAX_RECORDS", 20)
    for number in range(23):
        output = tmp_path / f"site {number}"
        output.mkdir()
        with closing(Recording(output, folder, output)) as record:
            record.commit("https://example.org/", ())
        os.utime(read_record(output, folder).file, (number, time() - 1_000 + number))
    assert len([*(folder / RECORDS).iterdir()]) == 20
    assert read_record(tmp_path / "site 2", folder) is None
    assert read_record(tmp_path / "site 3", folder)


def test_an_error_in_a_block_undoes_it(folder):
    def fail() -> None:
        with open_cache(folder) as cache:
            cache.execute("INSERT INTO histories (root) VALUES ('x')")
            cache.execute("no SQL")

    with pytest.raises(CacheError):
        fail()
    assert rows(folder, "histories") == 0
