"""The cache: what damage, other builds and time do to it, of which none is an error or makes a build slow."""

import os
import shutil
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path
from time import time

import pytest

from sitemap_docs.history.date_cache import DATES
from sitemap_docs.model import Row
from sitemap_docs.output.record import RECORDS, RecordWriter, read_record
from tests.conftest import commit, git, read_dates, write

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
DAY = 86_400


@pytest.fixture
def project(tmp_path) -> Path:
    for text in "12":
        commit(write(tmp_path / "project", {"a.md": text}))
    return tmp_path / "project"


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "cache"


def use(project: Path, folder: Path) -> None:
    """Reads dates and leaves a record, which both have to succeed whatever the cache is."""
    file = project / "a.md"
    dates = read_dates([file], meaning="commit", now=NOW, cache=folder, environ=os.environ)
    assert dates.find_stamp([file]).commit == git(project, "rev-parse", "HEAD").strip()
    with closing(RecordWriter(project, folder, project)) as record:
        record.add(Row("a.html", "https://example.org/a.html"))
        record.commit("https://example.org/", ["a.md"])


def kept(folder: Path) -> list[Path]:
    return [*(folder / DATES).iterdir()]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], id="cut short"),
        pytest.param(lambda data: data.replace(b"[", b"\xff"), id="overwritten"),
        pytest.param(lambda data: data.replace(b"[1, ", b"[0, "), id="of another version"),
        pytest.param(lambda data: data + b"[5, 5]\n", id="other values"),
        pytest.param(lambda _: b"[" * 100_000, id="nested"),
        pytest.param(lambda _: b"", id="empty"),
    ],
)
def test_a_damaged_cache_is_made_anew(project, folder, damage):
    use(project, folder)
    (file,) = kept(folder)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    use(project, folder)
    assert b'["a.md"]' in file.read_bytes()
    use(project, folder)
    assert kept(folder) == [file]


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(Path.mkdir, id="a folder"),
        pytest.param(getattr(os, "mkfifo", None), id="a pipe"),
        pytest.param(lambda file: file.symlink_to("/nowhere/at/all"), id="a link that leads nowhere"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="no pipes here")
def test_what_stands_in_the_place_of_the_cache_is_not_read(project, folder, make):
    use(project, folder)
    (file,) = kept(folder)
    file.unlink()
    make(file)
    use(project, folder)
    assert read_record(project, folder)


def test_a_folder_that_cannot_be_made(project, folder):
    folder.write_text("a file")
    use(project, folder)


def test_builds_at_once(project, folder):
    """Each takes its dates and leaves its record, in one cache that none of them has made before."""
    write(project, {"a.html": "<title>A</title>"})
    copies = [project.with_name(f"copy{number}") for number in range(2)]
    started = []
    for copy in copies:
        shutil.copytree(project, copy)
        flags = ["-q", "--base-url", "https://e.org/", "--source", copy, "--cache-dir", folder]
        started.append(subprocess.Popen([sys.executable, "-m", "sitemap_docs", "build", copy, *flags]))
    assert [each.wait(600) for each in started] == [0] * len(copies)
    assert all(read_record(copy, folder) for copy in copies)
    assert len(kept(folder)) == len(copies)


def test_what_no_build_has_used_for_90_days_is_dropped_and_what_one_uses_is_kept(project, folder, tmp_path):
    others = [tmp_path / name for name in ("unused", "used")]
    for other in others:
        shutil.copytree(project, other)
        use(other, folder)
        for file in [*kept(folder), *(folder / RECORDS).iterdir()]:
            os.utime(file, (0, time() - 91 * DAY))
    use(others[1], folder)
    use(project, folder)
    assert len(kept(folder)) == len([*(folder / RECORDS).iterdir()]) == 2


def test_no_more_than_the_newest_are_kept(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("sitemap_docs.cache.MAX_KEPT", 20)
    for number in range(23):
        output = tmp_path / f"site {number}"
        output.mkdir()
        with closing(RecordWriter(output, folder, output)) as record:
            record.commit("https://example.org/", ())
        os.utime(read_record(output, folder).file, (number, time() - 1_000 + number))
    assert len([*(folder / RECORDS).iterdir()]) == 20
    assert read_record(tmp_path / "site 2", folder) is None
    assert read_record(tmp_path / "site 3", folder)
