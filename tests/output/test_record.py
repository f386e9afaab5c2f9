"""The build record: what every front door leaves for the commands that read the site, and when it counts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from sitemap_docs.cli.build import command
from sitemap_docs.cli.main import group
from sitemap_docs.model import Reason, Row
from sitemap_docs.output.record import Recording, read_record
from sitemap_docs.surroundings import user_cache
from sitemap_docs.urls.base import Base
from tests.conftest import commit, runner, write

BASE = "https://docs.example.org/"
PAGE = '<!doctype html><html lang="en"><head><title>x</title>%s</head><body><p>x</p></body></html>'


def record_of(output: Path):
    return read_record(output, user_cache())


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
    cause = "no source file is known: the page is generated, or its source is at another path"
    assert record.find("file", "index.html") == Row("index.html", BASE, cause=cause)
    assert record.find("file", "b/index.html") == Row("b/index.html", f"{BASE}b/", Reason.NOINDEX)
    assert record.find("file", "c.html") is None
    assert [page.file for page in record.rows()] == ["index.html", "b/index.html"]


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


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs the limits of Linux")
def test_a_record_that_finds_no_room_fails_no_build(tmp_path):
    """What waits is written to a temporary file, at the latest when that is closed."""
    code = (
        "import resource, signal, sys\n"
        "from contextlib import closing\n"
        "from pathlib import Path\n"
        "from sitemap_docs.model import Row\n"
        "from sitemap_docs.output.record import Recording\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), -1))\n"
        "with closing(Recording(Path('site'), Path('cache'), Path())) as record:\n"
        "    for page in range(40_000):\n"
        "        record.add(Row(f'{page}.html', f'https://docs.example.org/{page}.html'))\n"
    )
    for room in (1_000_000, 2_200_000):
        command = [sys.executable, "-c", code, str(room)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_it_is_found_through_links(site, tmp_path):
    build(site)
    (tmp_path / "latest").symlink_to(site)
    assert list(record_of(tmp_path / "latest").rows()) == list(record_of(site).rows()) != []


def test_another_program_that_builds_there_makes_a_record_of_no_sitemap_void(site, monkeypatch):
    home = (PAGE % '<meta name="generator" content="mkdocs-1.6.1">', PAGE % "")
    (site / "index.html").write_text(home[0])
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    build(site)
    assert record_of(site).no_sitemap.kind == "preview"
    (site / "sitemap.xml").write_text("<urlset/>")
    assert record_of(site) is None
    (site / "sitemap.xml").unlink()
    assert record_of(site)
    (site / "index.html").write_text(home[1])
    assert record_of(site) is None


def test_nothing_is_left_in_the_output_folder(site):
    before = set(site.rglob("*"))
    build(site)
    new = {path.name for path in set(site.rglob("*")) - before}
    assert new == {"sitemap.xml", "sitemap.css", "robots.txt"}


def test_builds_that_share_a_sitemap_have_records_and_checks_of_their_own(site):
    bases = {site.parent / language: f"{BASE}{language}/" for language in ("en", "de")}
    for folder, base in bases.items():
        shutil.copytree(site, folder)
        build(folder, "--base-url", base, "--filename", "../sitemap.xml", "--robots", "false")
    for folder, base in bases.items():
        assert record_of(folder).base == base
        checked = runner().invoke(group, ["check", str(folder)])
        assert checked.exit_code == 0, checked.output
        assert "1 sitemap, 1 address listed, 0 dated\n" in checked.output
    shutil.copytree(site.parent / "de", site.parent / "fr")
    assert record_of(site.parent / "fr") is None


HOOK = """
from datetime import datetime, timezone

def sitemap_entry(entry, *, page, config):
    if page.path == "a/":
        return False
    if page.path == "b/":
        return entry._replace(lastmod=datetime(2025, 5, 5, tzinfo=timezone.utc), loc="/moved/b/")
"""


def test_what_a_hook_drops_and_changes_is_counted_and_recorded(mkdocs_project):
    """A date of its own is not that of a commit; an address is the one that is listed."""
    project = mkdocs_project({f"{name}.md": f"# {name}" for name in ("index", "a", "b")}, hooks=["hook.py"])
    project.write({"hook.py": HOOK})
    project.commit("2024-01-01T00:00:00+00:00")
    messages = project.build()
    record = record_of(project.site)
    assert record.find("file", "a/index.html").reason == Reason.HOOK
    assert any("1 dropped by the entry hook" in message for message in messages)
    changed = record.find("file", "b/index.html")
    assert (changed.lastmod, changed.commit) == (datetime(2025, 5, 5, tzinfo=timezone.utc), "")
    assert changed.loc == f"{BASE}moved/b/"
    assert record.find("file", "index.html").commit
    report = ["report", str(project.site), "-o", str(project.root / "report.html"), "--json"]
    shown = json.loads(runner().invoke(group, report).stdout)["pages"]
    assert [page["loc"] for page in shown if page["status"] == "listed"] == [BASE, f"{BASE}moved/b/"]


def test_what_is_not_committed_changes_nothing(site):
    build(site)
    build(site, "--excludes", "index.html", "--dry-run")
    assert record_of(site).find("file", "index.html").reason is None
    with closing(Recording(site, user_cache(), site.parent)) as record:
        record.add(Row("c.html", "c"))
    assert [page.file for page in record_of(site).rows()] == ["index.html", "b/index.html"]


def test_more_pages_than_one_batch(site):
    """A name that others contain, one that is a source elsewhere, and one of any bytes, are found."""
    pages = [Row(f"{number}.html", f"{BASE}{number}", sources=(f"/s/{number}",)) for number in range(2_345)]
    pages += [
        Row(name, Base(BASE).loc(name), sources=(f"/{name}",))
        for name in ("é.html", os.fsdecode(b"caf\xe9.html"))
    ]
    pages.append(Row("last.html", f"{BASE}last", sources=("/last", "/s/7"), undated=("/u",)))
    with closing(Recording(site, user_cache(), site.parent)) as record:
        for page in pages:
            record.add(page)
        record.commit(BASE, ())
    found = record_of(site)
    assert list(found.rows()) == pages
    for page in (pages[3], pages[2344], *pages[-3:]):
        assert found.find("file", page.file) == found.find("source", page.sources[0]) == page
    assert found.find("source", "/s/7") == pages[7]
    assert [found.find("file", "html"), found.find("source", "/u"), found.find("source", "7")] == [None] * 3


def test_the_file_of_a_key_that_was_replaced_goes(site, monkeypatch):
    """That of the user stays, and messages show no key; without a record, a file of ours stays, too."""
    old, new, own = "0123456789abcdef", "fedcba9876543210", "aaaaaaaabbbbbbbb"
    (site / f"{own}.txt").write_text(own)
    monkeypatch.setenv("INDEXNOW_KEY", old)
    for _ in range(2):
        build(site)
    monkeypatch.setenv("INDEXNOW_KEY", own)
    done = runner().invoke(command, [str(site), "--base-url", BASE, "-v"])
    assert not (site / f"{old}.txt").exists()
    assert "{key}.txt" in done.stderr
    monkeypatch.setenv("INDEXNOW_KEY", new)
    done = runner().invoke(command, [str(site), "--base-url", BASE, "-v"])
    assert sorted(file.stem for file in site.glob("*.txt")) == [own, new, "robots"]
    assert not [key for key in (old, new, own) if key in done.stdout + done.stderr]
    monkeypatch.delenv("INDEXNOW_KEY")
    build(site)
    assert sorted(file.stem for file in site.glob("*.txt")) == [own, "robots"]
    monkeypatch.setenv("INDEXNOW_KEY", new)
    build(site)
    monkeypatch.setenv("INDEXNOW_KEY", old)
    another = ["--cache-dir", str(site.parent / "other")]
    done = runner().invoke(command, [str(site), "--base-url", BASE, *another])
    assert sorted(file.stem for file in site.glob("*.txt")) == [old, own, new, "robots"]
    assert "info: {key}.txt: nothing shows whether an earlier build wrote this" in done.stderr


@pytest.fixture
def named(site, monkeypatch) -> Path:
    """The record of a build that named a file for it; no cache is there any more."""
    write(site, {"c/index.html": PAGE % ""})
    commit(write(site.parent, {"docs/index.md": "# Home", "docs/c.md": "# C"}), "docs")
    build(site, "--excludes", "c/*", "--source", "docs", "--record", "out/record.jsonl")
    monkeypatch.setenv("XDG_CACHE_HOME", str(site.parent / "another"))
    return site.parent / "out/record.jsonl"


def check(site: Path, *flags: str):
    return runner().invoke(group, ["check", str(site), "-v", *flags])


def test_a_file_that_is_named_is_read_by_all(site, named):
    """In a second job, too, whose checkout is at another place."""
    job = site.parent / "job"
    job.mkdir()
    for name in ("site", "docs", ".git", "out/record.jsonl"):
        (site.parent / name).rename(job / Path(name).name)
    os.chdir(job)
    flags = ["--record", "record.jsonl"]
    assert "using the record" in check(job / "site", *flags).stderr
    for page in ("c/", "docs/c.md"):
        explain = runner().invoke(group, ["explain", "site", page, "--json", *flags])
        assert json.loads(explain.stdout)["reason"] == "excluded"
    report = runner().invoke(group, ["report", "site", "--json", *flags])
    assert json.loads(report.stdout)["left_out"] == {"excluded": 1, "noindex": 1}
    done = check(job / "site")
    assert done.exit_code == 0
    assert "1 page in no sitemap" in done.stderr
    assert "--record FILE" in done.stderr


def test_a_record_holds_no_absolute_path(site, named):
    assert str(site.parent) not in named.read_text()
    index, c = (str(site.parent / "docs" / name) for name in ("index.md", "c.md"))
    record = read_record(site, user_cache(), named)
    assert (record.base, record.listed, record.dated) == (BASE, 1, 1)
    home, _, left_out = rows = list(record.rows())
    assert [row.sources for row in rows] == [(index,), (), (c,)]
    assert (home.lastmod, home.changed) == (datetime(2024, 1, 1, tzinfo=timezone.utc), index)
    assert (left_out.reason, left_out.detail) == (Reason.EXCLUDED, "c/*")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], id="half written"),
        pytest.param(lambda data: data.replace(b'record":2', b'record":3', 1), id="of another version"),
        pytest.param(lambda _: b"[" * 100_000, id="nested"),
        pytest.param(lambda _: b"", id="empty"),
    ],
)
def test_what_is_no_whole_record_is_none(site, named, damage):
    named.write_bytes(damage(named.read_bytes()))
    done = check(site, "--record", str(named), "--source", "docs")
    assert done.exit_code == 0, done.output
    assert f"no record of the build of this sitemap in {named}" in done.stderr


def test_a_record_of_other_values_is_one_error(site, named):
    """Whole by its length, and written by somebody else."""
    site_line, rows = named.read_bytes().split(b"\n", 1)
    named.write_bytes(site_line + b"\n" + b"[]\t[[5]]".ljust(len(rows) - 1) + b"\n")
    done = check(site, "--record", str(named))
    assert done.exit_code == 2
    assert f"The record {named} is damaged. Remove it." in done.stderr


@pytest.mark.parametrize(
    ("file", "message"),
    [
        pytest.param("site/record.jsonl", "in the folder that is deployed", id="deployed"),
        pytest.param("mine.txt", "which is no record", id="another file"),
        pytest.param("docs", "which is no record", id="a folder"),
    ],
)
def test_a_file_that_must_not_be_written(site, file, message):
    write(site.parent, {"mine.txt": "mine", "docs/a.md": "x"})
    done = runner().invoke(group, ["build", str(site), "--base-url", BASE, "--record", file])
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (site / "sitemap.xml").exists()
    assert (site.parent / "mine.txt").read_text() == "mine"


def test_mkdocs_names_a_file(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"record": "record.jsonl"})
    project.build()
    assert read_record(project.site, user_cache(), project.root / "record.jsonl").base == BASE


def test_sphinx_names_a_file(sphinx_project):
    project = sphinx_project("a", sitemap_record="../record.jsonl")
    project.build()
    assert (project.root / "record.jsonl").is_file()
