"""The build record: what every front door leaves for the commands that read the site, and when it counts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sitemap_docs.cli.build import command
from sitemap_docs.model import Reason
from sitemap_docs.output.record import KEPT, PageRecord, Recording, read_record
from sitemap_docs.paths import user_cache
from tests.conftest import git, runner

BASE = "https://docs.example.org/"
PAGE = '<!doctype html><html lang="en"><head><title>x</title>%s</head><body><p>x</p></body></html>'


def record_of(output: Path):
    return read_record(output, user_cache() / "records")


def build(site: Path, *flags: str) -> None:
    done = runner().invoke(command, [str(site), "--base-url", BASE, *flags])
    assert done.exit_code == 0, done.output


@pytest.fixture
def site(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "site"
    (folder / "b").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE % "")
    (folder / "b/index.html").write_text(PAGE % '<meta name="robots" content="noindex">')
    return folder


def test_a_folder(site):
    build(site, "--excludes", "none*")
    record = record_of(site)
    assert record.base == BASE
    assert record.page("index.html") == PageRecord("index.html", BASE)
    assert record.page("b/index.html") == PageRecord("b/index.html", f"{BASE}b/", Reason.NOINDEX.value)
    assert record.page("c.html") is None
    assert [page.file for page in record.pages()] == ["index.html", "b/index.html"]


def test_sources_and_commit(site, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# x")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "docs")
    git(tmp_path, "commit", "-q", "-m", "One", date="2024-05-06T07:08:09+00:00")
    build(site, "--source", str(tmp_path / "docs"))
    page = record_of(site).page("index.html")
    assert page.sources == (str(tmp_path / "docs/index.md"),)
    assert page.commit == git(tmp_path, "rev-parse", "HEAD").strip()
    assert page.changed == str(tmp_path / "docs/index.md")
    assert page.lastmod == "2024-05-06T07:08:09+00:00"


def test_another_sitemap_makes_it_void(site):
    build(site)
    assert record_of(site)
    sitemap = site / "sitemap.xml"
    before = sitemap.read_bytes()
    sitemap.write_bytes(before + b"\n")
    assert record_of(site) is None
    sitemap.write_bytes(before)
    assert record_of(site)
    sitemap.unlink()
    assert record_of(site) is None


def test_it_is_found_through_links(site, tmp_path):
    build(site)
    (tmp_path / "latest").symlink_to(site)
    assert record_of(tmp_path / "latest") == record_of(site)


def test_a_dry_run_leaves_none(site):
    build(site, "--dry-run")
    assert record_of(site) is None


def test_nothing_is_left_in_the_output_folder(site):
    before = set(site.rglob("*"))
    build(site)
    assert {path.name for path in set(site.rglob("*")) - before} == {
        "sitemap.xml",
        "sitemap.css",
        "robots.txt",
    }


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]\n[]", b"\xff", b'{"format": 1}', b"[" * 9_000, b'{"format":1,"digest":0,"files":[1]}'],
)
def test_whatever_lies_in_the_cache_is_read_or_not(site, content):
    build(site)
    [file] = (user_cache() / "records").iterdir()
    file.write_bytes(content)
    assert record_of(site) is None


@pytest.mark.skipif(os.name != "posix", reason="a file where a folder should be")
def test_a_cache_that_cannot_be_written_fails_no_build(site, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    build(site)
    assert record_of(site) is None
    assert (site / "sitemap.xml").is_file()


def test_what_is_not_committed_changes_nothing(site, tmp_path):
    build(site)
    folder = user_cache() / "records"
    with Recording(site, folder) as record:
        record.add(PageRecord("c.html", "c"))
    assert [page.file for page in record_of(site).pages()] == ["index.html", "b/index.html"]
    assert len(list(folder.iterdir())) == 1


def test_what_the_last_build_wrote_and_this_one_does_not_is_removed(site):
    """Another file name, formats switched off; what the user wrote stays, also when it looks like ours."""
    (site / "mine.txt").write_text("mine")
    build(site, "--filename", "s1.xml", "--formats", "text")
    assert {"s1.xml", "s1.css", "sitemap.txt"} <= {file.name for file in site.iterdir()}
    build(site)
    assert {file.name for file in site.iterdir() if file.is_file()} == {
        "index.html",
        "mine.txt",
        "robots.txt",
        "sitemap.css",
        "sitemap.xml",
    }


def test_what_was_changed_since_is_not_removed(site):
    build(site, "--formats", "text")
    (site / "sitemap.txt").write_text("https://mine.example.net/\n")
    build(site)
    assert (site / "sitemap.txt").read_text() == "https://mine.example.net/\n"


def test_old_records_are_removed(site, tmp_path):
    folder = tmp_path / "records"
    for number in range(KEPT + 3):
        output = tmp_path / str(number)
        output.mkdir()
        with Recording(output, folder) as record:
            record.commit(BASE, ())
        [new] = [file for file in folder.iterdir() if file.stat().st_mtime > 10_000]
        os.utime(new, (number, number))
    assert len(list(folder.iterdir())) == KEPT
    assert read_record(tmp_path / "0", folder) is None
    assert read_record(tmp_path / str(KEPT + 2), folder)


def test_what_a_hook_drops_is_counted_and_recorded(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"}, hooks=["hook.py"])
    project.write(
        {"hook.py": "def sitemap_entry(entry, *, page, config):\n    return page.path != 'a/' and entry\n"}
    )
    messages = project.build()
    assert record_of(project.site).page("a/index.html").reason == Reason.HOOK.value
    assert any("1 dropped by the entry hook" in message for message in messages)


def test_sphinx(sphinx_project):
    sphinx_project("index", html_baseurl=BASE)
    sphinx_project.build()
    record = record_of(sphinx_project.out)
    assert record.page("index.html").reason == ""
    assert record.page("genindex.html").reason == Reason.GENERATED.value
    assert record.page("index.html").sources[0].endswith("index.rst")


def test_lines_are_ascii_json(site):
    (site / "é.html").write_text(PAGE % "")
    build(site)
    [file] = (user_cache() / "records").iterdir()
    lines = file.read_bytes().decode("ascii").splitlines()
    assert json.loads(lines[-1])["format"] == 3
    assert record_of(site).page("é.html").loc == f"{BASE}%C3%A9.html"
