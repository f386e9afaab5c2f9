"""The output folder: whole or not at all, killed at any point."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.output.transaction import STAGING, Output
from tests.conftest import HANGS, write


def content(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_an_error_leaves_the_folder_as_it_was(tmp_path):
    (tmp_path / "a.xml").write_bytes(b"old")
    why = "cannot be written: File name too long"
    with pytest.raises(SitemapError, match=why), Output(tmp_path) as output:  # noqa: PT012 - the second raises
        output.add("a.xml", b"new")
        output.add("b" * 300, b"new")
    assert content(tmp_path) == {"a.xml": b"old"}


def test_commit(tmp_path):
    write(tmp_path, {"a.xml": "old", "gone.xml": "old"})
    with Output(tmp_path) as output:
        output.add("a.xml", b"new")
        output.add("b.xml", b"new")
        output.remove("gone.xml")
        output.remove("gone before.xml")
        assert (tmp_path / "a.xml").read_bytes() == (tmp_path / "gone.xml").read_bytes() == b"old"
        output.commit()
    assert content(tmp_path) == {"a.xml": b"new", "b.xml": b"new"}
    (tmp_path / "page.html").touch()  # the web server may read it
    assert (tmp_path / "b.xml").stat().st_mode == (tmp_path / "page.html").stat().st_mode
    assert (output.changed, output.removed) == (["a.xml", "b.xml"], ["gone.xml", "gone before.xml"])


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_all_is_on_the_disk_before_the_first_file_is_moved(tmp_path, monkeypatch):
    """Else a power failure could leave an empty sitemap, or a robots.txt that names one that is not there."""
    done: list[str] = []
    fsync, move = os.fsync, Path.replace

    def noted_fsync(descriptor):
        done.append(f"flushed {Path(f'/proc/self/fd/{descriptor}').readlink().name}")
        fsync(descriptor)

    def noted_move(file, target):
        done.append(f"moved {file.name}")
        move(file, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(Path, "replace", noted_move)
    with Output(tmp_path) as output:
        output.add("a.xml", b"a")
        output.add("b.xml", b"b")
        output.commit()
    assert done == ["flushed 0", "flushed 1", "moved 0", "moved 1", f"flushed {tmp_path.name}"]


def test_links_become_files(tmp_path):
    """What a link leads to may change, or be left behind when the folder is deployed."""
    (tmp_path / "site").mkdir()
    (tmp_path / "old.xml").write_bytes(b"same")
    (tmp_path / "site/a.xml").symlink_to(tmp_path / "old.xml")
    (tmp_path / "site/b.xml").symlink_to(tmp_path)
    with Output(tmp_path / "site") as output:
        output.add("a.xml", b"same")
        output.add("b.xml", b"new")
        output.commit()
    assert not [file for file in (tmp_path / "site").iterdir() if file.is_symlink()]
    assert content(tmp_path / "site") == {"a.xml": b"same", "b.xml": b"new"}


def test_two_builds_of_a_folder_that_is_not_there_yet(tmp_path):
    """The second ends, and what the first has staged stays."""
    with Output(tmp_path / "site") as first:
        with Output(tmp_path / "site") as second:
            first.add("a.xml", b"first")
            with pytest.raises(SitemapError, match="Another build is writing"):
                second.add("a.xml", b"second")
        with pytest.raises(SitemapError, match="Another build is writing"), Output(tmp_path / "site"):
            pass
        first.commit()
    assert content(tmp_path / "site") == {"a.xml": b"first"}
    with Output(tmp_path / "site") as third:
        third.add("a.xml", b"third")
        third.commit()
    assert content(tmp_path / "site") == {"a.xml": b"third"}


@pytest.mark.parametrize("make", [os.mkfifo, Path.touch, lambda place: place.symlink_to("../elsewhere")])
def test_what_is_in_the_place_of_the_staging_folder(tmp_path, make):
    write(tmp_path, {"site/index.html": "", "elsewhere/precious": ""})
    make(tmp_path / "site" / STAGING)
    with pytest.raises(SitemapError, match="is not a folder"), Output(tmp_path / "site"):
        pass
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["precious"]


# Each child is killed before its nth operation on files; its parent looks at the folder.
KILLED = r"""
import os, shutil, signal, sys
from itertools import count
from pathlib import Path
from sitemap_docs.output.transaction import STAGING, Output
from sitemap_docs.model import Entry
from sitemap_docs.config.options import Options
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.output.writer import Layout, write_sitemap

BASE = "https://example.org/"
EVENTS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.scandir", "os.listdir"}
folder = Path(sys.argv[1])

def publish(pages):
    with Output(folder) as output:
        entries = [Entry(loc=f"{BASE}{page:04}/") for page in pages]
        write_sitemap(entries, output, Layout(base=BASE, options=Options(max_urls=4), gzip="beside"))
        output.commit()

def content():
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != STAGING}

def put(files):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)

def state(pages):
    put({})
    publish(pages)
    return content()

def run(pages, number):
    if not (child := os.fork()):
        operations = count(1)
        def hook(event, _):
            if event in EVENTS and next(operations) == number:
                os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(hook)
        publish(pages)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def check(old, new, pages):
    found = content()
    for name, data in found.items():
        assert data in (old.get(name), new.get(name)), name
    assert found.keys() >= old.keys() & new.keys()
    for entry in parse(folder / "sitemap.xml").entries():
        if entry.loc.endswith(".xml"):
            assert entry.loc.removeprefix(BASE) in found, entry.loc
    publish(pages)
    assert content() == new
    assert not (folder / STAGING).exists()

points = 0
for before, after in [(range(9), range(0, 18, 2)), (range(9), range(3)), (range(3), range(9))]:
    new, old = state(after), state(before)
    for number in range(1, 10_000):
        code = run(after, number)
        check(old, new, after)
        points += 1
        put(old)
        if code == 0:
            break
print(points)
"""


@pytest.mark.once
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
def test_killed_at_every_point(tmp_path):
    memory = Path("/dev/shm")  # where flushing costs nothing
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        command = [sys.executable, "-c", KILLED, f"{folder}/site"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 120


@pytest.mark.skipif(not which("unshare"), reason="needs unshare")
def test_a_file_that_is_mounted(tmp_path):
    """As of ``docker run -v robots.txt:/site/robots.txt``; in name spaces of its own, which root may make."""
    (tmp_path / "robots.txt").write_text("")
    site = write(tmp_path / "site", {"index.html": "<title>Home</title>", "robots.txt": ""})
    build = f"{sys.executable} -m sitemap_docs build site --base-url https://docs.example.org/ --no-cache"
    script = f"mount --bind robots.txt site/robots.txt || exit 77; exec {build}"
    command = ["unshare", "--mount", "sh", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip(f"no mounts here: {done.stderr}")
    assert done.returncode == 2, done.stderr
    assert "site/robots.txt cannot be put in place" in done.stderr
    assert "mount its folder instead" in done.stderr
    assert (site / "robots.txt").read_text() == ""
