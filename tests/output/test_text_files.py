"""The text sitemap and the IndexNow key file that a build writes."""

import os
import subprocess
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sitemap_docs.model import SitemapError
from sitemap_docs.output import text_files
from sitemap_docs.output.transaction import Output
from sitemap_docs.publish import Published
from sitemap_docs.urls.base import Base
from tests.conftest import HANGS, urlset, write
from tests.test_publish import page, run, site

BASE = Base.of("https://docs.example.org/project/")
KEY = "0123456789abcdef"


def build(output: Path, *paths: str, environ=None, records: Path | None = None, **options) -> Published:
    where = site(output, BASE, environ, **options)
    where = replace(where, surroundings=replace(where.surroundings, cache=records))
    return run(where, [page(output, path) for path in paths])


def names(output: Path) -> set[str]:
    return {file.name for file in output.iterdir() if file.is_file() and file.suffix != ".html"}


def test_a_text_sitemap_lists_the_pages_and_changes_only_if_the_pages_change(tmp_path: Path) -> None:
    """An older text sitemap is replaced if it lists nothing else."""
    (tmp_path / "sitemap.txt").write_text(f"{BASE.url}\n")
    done = build(tmp_path, "é/", "", "a/", formats=["text"])
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE.url}\n{BASE.url}%C3%A9/\n{BASE.url}a/\n"
    assert "sitemap.txt" in done.changed
    assert build(tmp_path, "é/", "", "a/", formats=["text"]).changed == ()
    assert build(tmp_path, "", "b/", formats=["text"]).changed == ("sitemap.xml", "sitemap.txt")
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE.url}\n{BASE.url}b/\n"


def test_a_lost_local_address_stops_neither_a_text_sitemap_nor_sitemap_xml(tmp_path: Path) -> None:
    local = "http://localhost:8000/old/"
    write(tmp_path, {"sitemap.txt": f"{local}\n", "sitemap.xml": urlset(local)})
    assert {"sitemap.xml", "sitemap.txt"} <= set(build(tmp_path, "", formats=["text"]).changed)
    assert (tmp_path / "sitemap.txt").read_text() == f"{BASE.url}\n"


def test_an_error_about_the_key_file_does_not_contain_the_key(tmp_path: Path) -> None:
    (tmp_path / f"{KEY}.txt").mkdir()
    with pytest.raises(SitemapError, match=r"\{key\}\.txt is a folder") as raised:
        build(tmp_path, "", environ={"INDEXNOW_KEY": KEY})
    assert KEY not in "".join(traceback.format_exception(raised.value))


def test_a_build_with_too_many_pages_or_no_pages_leaves_no_text_sitemap(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(text_files, "MAX_URLS", 2)
    output, records = tmp_path / "site", tmp_path / "records"
    done = build(output, "", "a/", "b/", records=records, formats=["text"])
    assert "text-too-long" in {finding.rule for finding in done.findings}
    assert "sitemap.txt" not in names(output)
    build(output, "", "a/", records=records, formats=["text"])
    assert "sitemap.txt" in names(output)
    assert build(output, records=records, formats=["text"]).listed == 0
    assert names(output) == set()


@pytest.mark.parametrize(
    "text", ["Site map of the museum\n", "https://other.example.org/\n", f"{BASE.url}\n{BASE.url}app\n"]
)
def test_a_sitemap_txt_of_the_user_is_replaced_only_with_the_option_replace(
    tmp_path: Path, text: str
) -> None:
    """The file contains prose, an address of another site, or an address of this site that is not a page."""
    file = tmp_path / "sitemap.txt"
    file.write_text(text)
    with pytest.raises(SitemapError, match=r"sitemap\.txt exists and was not written"):
        build(tmp_path, "", formats=["text"])
    assert (file.read_text(), names(tmp_path)) == (text, {"sitemap.txt"})
    build(tmp_path, "")
    assert file.read_text() == text
    build(tmp_path, "", formats=["text"], replace=True)
    assert file.read_text() != text


@pytest.mark.parametrize("text", [f"{BASE.url}\n", f"{BASE.url}\n{BASE.url}a/\n"], ids=["less", "the same"])
def test_only_a_text_sitemap_that_is_recorded_and_unchanged_is_removed(tmp_path: Path, text: str) -> None:
    (tmp_path / "sitemap.txt").write_text(text)
    records = tmp_path.parent / f"{tmp_path.name}-records"
    for _ in range(3):
        done = build(tmp_path, "", "a/", records=records)
        assert (tmp_path / "sitemap.txt").read_text() == text
        assert ("file-kept", "sitemap.txt") in {(each.rule, each.where) for each in done.findings}
    build(tmp_path, "", "a/", records=records, formats=["text"])
    assert build(tmp_path, "", "a/", records=records).removed == ("sitemap.txt",)
    build(tmp_path, "", "a/", records=records, formats=["text"])
    (tmp_path / "sitemap.txt").write_text(text + text)  # was changed since
    assert build(tmp_path, "", "a/", records=records).removed == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{BASE.url}\n{BASE.url}a/\n", id="as we write it"),
        pytest.param(f"{BASE.url}\n", id="less"),
        pytest.param(f"{BASE.url}\r\n{BASE.url}a/\r\n", id="another form"),
    ],
)
def test_without_a_record_no_text_is_removed(tmp_path, text) -> None:
    build(tmp_path, "", "a/", formats=["text"])
    (tmp_path / "sitemap.txt").write_bytes(text.encode())
    done = build(tmp_path, "", "a/")
    assert ("file-kept", "sitemap.txt") in {(each.rule, each.where) for each in done.findings}
    assert (tmp_path / "sitemap.txt").read_bytes() == text.encode()


OTHER = Base.of("https://other.example.org/project/")


def build_at(base: Base, output: Path, *paths: str, records: Path | None = None, **options) -> Published:
    where = site(output, base, **{"formats": ["text"], **options})
    where = replace(where, surroundings=replace(where.surroundings, cache=records))
    return run(where, [page(output, path) for path in paths])


SETTINGS = [
    pytest.param({}, id="one sitemap"),
    pytest.param({"max_urls": 1}, id="shards"),
    pytest.param({"gzip": "instead"}, id="gzip"),
    pytest.param({"filename": "../sitemap.xml"}, id="above the output folder"),
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_without_a_record_a_text_sitemap_is_replaced_if_our_old_sitemap_lists_its_addresses(
    tmp_path, settings
):
    """The base URL has changed, and a page was deleted."""
    output = tmp_path / "site"
    build_at(BASE, output, "", "a/", **settings)
    (output / "a/index.html").unlink()
    build_at(OTHER, output, "", **settings)
    assert (output / "sitemap.txt").read_text() == f"{OTHER.url}\n"


def test_without_a_record_a_text_with_one_more_address_stays(tmp_path):
    build_at(BASE, tmp_path, "", "a/")
    text = f"{BASE.url}\n{BASE.url}a/\n{BASE.url}app\n"
    (tmp_path / "sitemap.txt").write_text(text)
    with pytest.raises(SitemapError, match=f"would not list {BASE.url}app"):
        build_at(OTHER, tmp_path, "", "a/")
    assert (tmp_path / "sitemap.txt").read_text() == text


def test_a_damaged_old_sitemap_does_not_prove_that_a_text_sitemap_is_ours(tmp_path):
    build_at(BASE, tmp_path, "")
    file = tmp_path / "sitemap.xml"
    file.write_bytes(file.read_bytes().replace(b"<loc>", b"<loc"))
    with pytest.raises(SitemapError, match="would not list"):
        build_at(OTHER, tmp_path, "")


def test_a_text_sitemap_that_is_missing_from_the_record_is_not_replaced(tmp_path):
    output, records = tmp_path / "site", tmp_path / "records"
    build_at(BASE, output, "", records=records, formats=[])
    (output / "sitemap.txt").write_text(f"{BASE.url}\n")
    with pytest.raises(SitemapError, match="was not written by sitemap-docs"):
        build_at(OTHER, output, "", records=records)


# A child is killed before its nth change of a file. Then the next build, of other pages, is run.
KILLED = r"""
import os, shutil, signal, sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from sitemap_docs.urls.base import Base
from tests.output.test_text_files import build_at

root, settings = Path(sys.argv[1]), eval(sys.argv[2])
place = root / "place"
output, records = place / "site", place / "records"
EVENTS = {"os.rename", "os.remove", "os.mkdir"}

def run(host, *paths, cache=records, **options):
    shutil.rmtree(output / "a", ignore_errors=True)
    shutil.rmtree(output / "b", ignore_errors=True)
    base = Base.of(f"https://{host}.example.org/project/")
    build_at(base, output, *paths, records=cache, **{**settings, **options})
    return base

def killed(number, **options):
    if not (child := os.fork()):
        begins = count(1)
        def hook(event, _):
            if event in EVENTS and next(begins) == number:
                os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(hook)
        run("second", "", "b/", **options)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

points = 0
no_text = {"formats": []}
for second, third in [({}, {}), ({"max_urls": 2}, {}), ({}, no_text), (no_text, no_text)]:
    for number in range(1, 1_000):
        shutil.rmtree(place, ignore_errors=True)
        run("first", "", "a/")
        code = killed(number, **second)
        copy = shutil.copytree(place, root / "copy")
        for cache in (records, root / "lost"):
            base = run("third", "", cache=cache, **third)
            if "formats" not in third:
                assert (output / "sitemap.txt").read_text() == base.url + chr(10), (number, cache)
            shutil.rmtree(place)
            shutil.copytree(copy, place)
        shutil.rmtree(copy)
        points += 1
        if code == 0:
            break
print(points)
"""


@pytest.mark.once
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")
@pytest.mark.parametrize("settings", SETTINGS)
def test_a_build_that_is_killed_does_not_stop_the_next(tmp_path: Path, settings) -> None:
    """Whatever its base URL and its pages are, and also if the record is lost."""
    memory = Path("/dev/shm")  # where flushing costs nothing
    with TemporaryDirectory(dir=memory if memory.is_dir() else tmp_path) as folder:
        command = [sys.executable, "-c", KILLED, folder, repr(settings)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


def test_a_text_is_written_last_and_stays_as_it_is_if_no_file_changes(tmp_path: Path) -> None:
    """A build that ends between its files leaves no text, rather than one that fits no sitemap."""
    build_at(BASE, tmp_path, "", "a/")
    before = (tmp_path / "sitemap.txt").stat().st_ino
    build_at(BASE, tmp_path, "", "a/")
    assert (tmp_path / "sitemap.txt").stat().st_ino == before
    (tmp_path / "sitemap.css").unlink()
    (tmp_path / "sitemap.css").mkdir()
    with Output(tmp_path) as output:
        output.hold("sitemap.txt")
        output.add("sitemap.txt", b"new")
        (tmp_path / "sitemap.css").rmdir()
        output.add("sitemap.css", b"new")
        (tmp_path / "sitemap.css").mkdir()
        with pytest.raises(SitemapError, match="cannot be put in place"):
            output.commit()
    (tmp_path / "sitemap.css").rmdir()
    assert "sitemap.txt" not in names(tmp_path)
    build_at(OTHER, tmp_path, "")
    assert (tmp_path / "sitemap.txt").read_text() == f"{OTHER.url}\n"


# The IndexNow key file


def test_a_build_writes_the_indexnow_key_file_unless_the_file_contains_the_key(tmp_path: Path) -> None:
    """The result of the build does not show the key."""
    done = build(tmp_path, "", environ={"INDEXNOW_KEY": KEY})
    assert (tmp_path / f"{KEY}.txt").read_bytes() == KEY.encode()
    assert "{key}.txt" in done.changed
    assert KEY not in f"{done!r} {done}"
    for text, written in ((KEY, KEY), (f"{KEY}\n", f"{KEY}\n"), ("something else", KEY)):
        (tmp_path / f"{KEY}.txt").write_text(text)
        done = build(tmp_path, "", environ={"INDEXNOW_KEY": KEY})
        assert (tmp_path / f"{KEY}.txt").read_text() == written
        assert bool(done.changed) is (text != written)


def test_a_preview_writes_no_key_file_and_an_invalid_key_is_an_error(tmp_path: Path) -> None:
    """The error message does not show the invalid key."""
    build(tmp_path, "", environ={"INDEXNOW_KEY": KEY, "NETLIFY": "true", "CONTEXT": "deploy-preview"})
    assert names(tmp_path) == set()
    with pytest.raises(SitemapError, match="INDEXNOW_KEY is not") as raised:
        build(tmp_path, "", environ={"INDEXNOW_KEY": "../../secret"})
    assert "secret" not in str(raised.value).replace("secrets", "")
    assert names(tmp_path) == set()
