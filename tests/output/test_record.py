"""The build record: what every front door leaves for the commands that read the site, and when it counts."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from sitemap_docs.history.diagnostics import NO_SOURCE
from sitemap_docs.model import Reason, Row
from sitemap_docs.output.record import RecordWriter, read_record
from sitemap_docs.surroundings import user_cache
from sitemap_docs.urls.base import Base
from tests.conftest import BASE, NOINDEX, command, commit, html_page, passed, write


def record_of(output: Path):
    return read_record(output, user_cache())


def build(site: Path, *flags: str) -> str:
    """What a build says."""
    done = passed("build", site, "--base-url", BASE, *flags)
    return done.out + done.err


@pytest.fixture
def site(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "site", {"index.html": html_page(), "b/index.html": html_page(NOINDEX)})


def test_a_folder(site):
    before = set(site.rglob("*"))
    build(site, "--excludes", "none*")
    new = {file.name for file in set(site.rglob("*")) - before}
    assert new == {"sitemap.xml", "sitemap.css", "robots.txt"}
    record = record_of(site)
    assert record.base == BASE
    cause = NO_SOURCE
    assert record.find("file", "index.html") == Row("index.html", BASE, cause=cause)
    assert record.find("file", "b/index.html") == Row("b/index.html", f"{BASE}b/", Reason.NOINDEX)
    assert record.find("file", "c.html") is None
    assert [page.file for page in record.rows()] == ["index.html", "b/index.html"]


def test_a_record_has_the_names_of_reasons_and_not_their_texts(site):
    """A text for users may change between versions, and a record of the same form is still read."""
    build(site)
    (file,) = user_cache().rglob("*.jsonl")
    rows = file.read_text(encoding="utf-8").partition("\n")[2]
    assert f'"{Reason.NOINDEX.name}"' in rows
    assert f'"{Reason.NOINDEX.value}"' not in rows


def test_another_sitemap_makes_it_void(site, tmp_path):
    """It is found through links, too."""
    build(site)
    (tmp_path / "latest").symlink_to(site)
    assert list(record_of(tmp_path / "latest").rows()) == list(record_of(site).rows()) != []
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
        "from sitemap_docs.output.record import RecordWriter\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), -1))\n"
        "with closing(RecordWriter(Path('site'), Path('cache'), Path())) as record:\n"
        "    for page in range(40_000):\n"
        "        record.add(Row(f'{page}.html', f'https://docs.example.org/{page}.html'))\n"
    )
    for room in (1_000_000, 2_200_000):
        script = [sys.executable, "-c", code, str(room)]
        done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_another_program_that_builds_there_makes_a_record_of_no_sitemap_void(site, monkeypatch):
    write(site, {"index.html": html_page('<meta name="generator" content="mkdocs-1.6.1">')})
    monkeypatch.setenv("NETLIFY", "true")
    monkeypatch.setenv("CONTEXT", "deploy-preview")
    build(site)
    assert record_of(site).no_sitemap.kind == "preview"
    (site / "sitemap.xml").write_text("<urlset/>")
    assert record_of(site) is None
    (site / "sitemap.xml").unlink()
    assert record_of(site)
    write(site, {"index.html": html_page()})
    assert record_of(site) is None


def test_builds_that_share_a_sitemap_have_records_and_checks_of_their_own(site):
    bases = {site.parent / language: f"{BASE}{language}/" for language in ("en", "de")}
    for folder, base in bases.items():
        shutil.copytree(site, folder)
        build(folder, "--base-url", base, "--filename", "../sitemap.xml", "--robots", "false")
    for folder, base in bases.items():
        assert record_of(folder).base == base
        checked = passed("check", folder)
        assert "1 sitemap, 1 address listed, 0 dated\n" in checked.out + checked.err
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
    project.commit("2024-01-01T00:00:00+00:00", {"hook.py": HOOK})
    messages = project.build()
    record = record_of(project.site)
    assert record.find("file", "a/index.html").reason == Reason.HOOK
    assert any("1 dropped by the entry hook" in message for message in messages)
    changed = record.find("file", "b/index.html")
    assert (changed.lastmod, changed.commit) == (datetime(2025, 5, 5, tzinfo=timezone.utc), "")
    assert changed.loc == f"{BASE}moved/b/"
    assert record.find("file", "index.html").commit
    report = command("report", project.site, "-o", project.root / "report.html", "--json")
    shown = report.data["pages"]
    assert [page["loc"] for page in shown if page["status"] == "listed"] == [BASE, f"{BASE}moved/b/"]


def test_what_is_not_committed_changes_nothing(site):
    build(site)
    build(site, "--excludes", "b/*", "--dry-run")
    assert record_of(site).find("file", "b/index.html").reason is Reason.NOINDEX
    with closing(RecordWriter(site, user_cache(), site.parent)) as record:
        record.add(Row("c.html", "c"))
    assert [page.file for page in record_of(site).rows()] == ["index.html", "b/index.html"]


def test_more_pages_than_one_batch(site):
    """A name that others contain, one that is a source elsewhere, and one of any bytes, are found."""
    pages = [Row(f"{number}.html", f"{BASE}{number}", sources=(f"/s/{number}",)) for number in range(2_345)]
    names = ("é.html", os.fsdecode(b"caf\xe9.html"))
    pages += [Row(name, Base(BASE).loc(name), sources=(f"/{name}",)) for name in names]
    pages.append(Row("last.html", f"{BASE}last", sources=("/last", "/s/7"), undated=("/u",)))
    with closing(RecordWriter(site, user_cache(), site.parent)) as record:
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
        build(site, "--cache-dir", "cache")
    monkeypatch.setenv("INDEXNOW_KEY", own)
    assert "{key}.txt" in build(site, "-v", "--cache-dir", "cache")
    assert not (site / f"{old}.txt").exists()
    for key, cache, kept in (
        (new, "cache", [own, new, "robots"]),
        ("", "cache", [own, "robots"]),
        (new, "cache", [own, new, "robots"]),
        (old, "other", [old, own, new, "robots"]),
    ):
        monkeypatch.setenv("INDEXNOW_KEY", key)
        said = build(site, "-v", "--cache-dir", cache)
        assert not [name for name in (old, new, own) if name in said]
        assert sorted(file.stem for file in site.glob("*.txt")) == kept
    assert "info: {key}.txt may come from an earlier build" in said


@pytest.fixture
def named(site, monkeypatch) -> Path:
    """The record of a build that named a file for it; no cache is there any more."""
    write(site, {"c/index.html": html_page()})
    commit(write(site.parent, {"docs/index.md": "# Home", "docs/c.md": "# C"}), "docs")
    build(site, "--excludes", "c/*", "--source", "docs", "--record", "out/record.jsonl")
    monkeypatch.setenv("XDG_CACHE_HOME", str(site.parent / "another"))
    return site.parent / "out/record.jsonl"


def test_a_file_that_is_named_is_read_by_all(site, named):
    """In a second job, too, whose checkout is at another place."""
    job = site.parent / "job"
    job.mkdir()
    for name in ("site", "docs", ".git", "out/record.jsonl"):
        (site.parent / name).rename(job / Path(name).name)
    os.chdir(job)
    flags = ["--record", "record.jsonl"]
    assert "using the record" in command("check", "site", "-v", *flags).err
    for page in ("c/", "docs/c.md"):
        assert command("explain", "site", page, "--json", *flags).data["reason"] == "excluded"
    report = command("report", "site", "--json", *flags)
    assert report.data["left_out"] == {"excluded": 1, "noindex": 1}
    done = passed("check", "site")
    assert "No sitemap lists 1 page. To see whether it was left out on purpose" in done.err
    assert "--record FILE" in done.err


OLD_HOST = "https://old.example.net/sitemap.xml"


def finds_other_host(*arguments: object) -> bool:
    """Whether `check` reports the line of the old host in robots.txt."""
    done = command("check", *arguments, "--severity", "info", "--select", "robots-sitemap-other-host")
    return "robots-sitemap-other-host" in done.out


@pytest.mark.parametrize("listed", [True, False])
def test_a_check_knows_the_sitemaps_that_the_build_added_to_robots_txt(site, listed):
    robots = f"Sitemap: {OLD_HOST}\n"
    write(site, {"robots.txt": robots})
    flags = ["--extra-sitemaps", OLD_HOST] if listed else []
    build(site, *flags, "--record", "record.jsonl")
    assert record_of(site).extra_sitemaps == ((OLD_HOST,) if listed else ())
    assert finds_other_host(site, "--record", "record.jsonl") is not listed
    assert finds_other_host(site, "--cache-dir", "other") is True  # without the record


def test_a_check_knows_the_sitemaps_in_conf_py(sphinx_project):
    project = sphinx_project(sitemap_extra_sitemaps=[OLD_HOST], html_extra_path=["robots.txt"])
    write(project.src, {"robots.txt": f"Sitemap: {OLD_HOST}\n"})
    project.build()
    assert finds_other_host(project.out) is False


def test_a_record_of_a_build_that_did_not_write_extra_sitemaps(site, named):
    """Earlier builds did not store this option."""
    site_line, rows = named.read_bytes().split(b"\n", 1)
    fields = json.loads(site_line)
    assert fields.pop("extra_sitemaps") == []
    named.write_bytes(json.dumps(fields, separators=(",", ":")).encode() + b"\n" + rows)
    assert "using the record" in command("check", site, "-v", "--record", named).err
    assert command("explain", site, "c/", "--json", "--record", named).data["reason"] == "excluded"
    write(site, {"robots.txt": f"Sitemap: {OLD_HOST}\n"})
    assert finds_other_host(site, "--record", named) is True


def test_a_record_holds_no_absolute_path(site, named):
    assert str(site.parent) not in named.read_text()
    index, c = (str(site.parent / "docs" / name) for name in ("index.md", "c.md"))
    record = read_record(site, user_cache(), [named])
    assert record.base == BASE
    home, _, left_out = rows = list(record.rows())
    assert [row.sources for row in rows] == [(index,), (), (c,)]
    assert (home.lastmod, home.changed) == (datetime(2024, 1, 1, tzinfo=timezone.utc), index)
    assert (left_out.reason, left_out.detail) == (Reason.EXCLUDED, "c/*")


def test_the_cache_has_the_record_if_the_file_of_the_option_is_missing(site):
    """The option is new, so no build has written its file yet."""
    build(site, "--excludes", "b/*")
    write(site.parent, {"pyproject.toml": '[tool.sitemap-docs]\nrecord = "new.jsonl"\n'})
    assert f"using the record of the last build, {user_cache()}" in command("check", site, "-v").err
    assert command("explain", site, "b/", "--json").data["reason"] == "excluded"


def test_a_file_that_is_passed_is_read_alone(site):
    """The record in the cache would fit, but the user has passed another one."""
    build(site)
    other = write(site.parent / "other", {"other.html": html_page()})
    build(other, "--record", "other.jsonl")
    done = command("check", site, "-v", "--record", "other.jsonl")
    assert "other.jsonl is not used: it belongs to another build" in done.err
    assert "no record of the build" in done.err


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[: len(data) // 2], id="half written"),
        pytest.param(lambda data: data.replace(b'record":4', b'record":5', 1), id="of another version"),
        pytest.param(lambda _: b"[" * 100_000, id="nested"),
        pytest.param(lambda _: b"", id="empty"),
    ],
)
def test_what_is_no_whole_record_is_none(site, named, damage):
    named.write_bytes(damage(named.read_bytes()))
    write(site.parent, {"pyproject.toml": '[tool.sitemap-docs]\nrecord = "out/record.jsonl"\n'})
    done = passed("check", site, "-v", "--source", "docs")
    assert f"no record of the build in {named}" in done.err


def test_a_record_of_other_values_is_one_error(site, named):
    """Whole by its length, and written by somebody else."""
    site_line, rows = named.read_bytes().split(b"\n", 1)
    named.write_bytes(site_line + b"\n" + b"[]\t[[5]]".ljust(len(rows) - 1) + b"\n")
    done = command("check", site, "--record", named)
    assert done.code == 2
    assert f"The record {named} is damaged. Remove it." in done.err


def change_record(file: Path, fields: dict[str, object], row: tuple[int, object] | None = None) -> None:
    """Change fields of the first line of a record, and one field of the page on top of the last line."""
    first, *lines = file.read_text().splitlines()
    site = json.loads(first)
    if row:
        alternates, _, rows = lines[-1].partition("\t")
        pages = json.loads(rows)
        pages[0][row[0]] = row[1]
        lines[-1] = f"{alternates}\t{json.dumps(pages)}"
    text = "".join(f"{line}\n" for line in lines)
    file.write_text(f"{json.dumps({**site, 'bytes': len(text), **fields}, separators=(',', ':'))}\n{text}")


DAMAGED_FIELDS = [
    pytest.param({"files": ["a\0.xml"]}, id="file with NUL"),
    pytest.param({"files": ["\ud800"]}, id="file with a surrogate"),
    pytest.param({"files": [["x"]]}, id="list as a file"),
    pytest.param({"files": [1]}, id="number as a file"),
    pytest.param({"files": 5}, id="files"),
    pytest.param({"files": ["sub/../../sitemap.xml"]}, id="file out of the folder"),
    pytest.param({"files": ["/etc/hostname"]}, id="absolute file"),
    pytest.param({"base": 5}, id="number as base URL"),
    pytest.param({"base": ["x"]}, id="list as base URL"),
    pytest.param({"base": "x"}, id="base URL"),
    pytest.param({"base": "https://docs.example.org/a/.."}, id="base URL in another form"),
    pytest.param({"digest": 5}, id="digest"),
    pytest.param({"links": "x"}, id="links"),
    pytest.param({"version": []}, id="version"),
    pytest.param({"root": "\0"}, id="root"),
    pytest.param({"root": "\ud800", "example": ""}, id="root with a surrogate"),
    pytest.param({"example": 5}, id="example"),
    pytest.param({"platform": []}, id="platform"),
    pytest.param({"platform": {"name": 5, "hosts": []}}, id="name of the platform"),
    pytest.param({"platform": {"base_url": 5, "hosts": []}}, id="base URL of the platform"),
    pytest.param({"platform": {"hosts": [5]}}, id="host of the platform"),
    pytest.param({"platform": {"hosts": [], "x": ""}}, id="another field of the platform"),
    pytest.param({"no_sitemap": ["x", "words"]}, id="reason"),
    pytest.param({"no_sitemap": ["off", 5]}, id="words of the reason"),
    pytest.param({"builds": [{"path": "../"}]}, id="folder of a version"),
    pytest.param({"builds": [{"path": "2.0/", "state": "x"}]}, id="state of a version"),
    pytest.param({"builds": [{"path": "2.0/", "version": 5}]}, id="version"),
    pytest.param({"misspelled": [["excludes", "/a/", "a/*", 1e999]]}, id="infinite number"),
    pytest.param({"misspelled": [["excludes", "/a/", "a/*", "x"]]}, id="text as a number"),
    pytest.param({"ignore": {"x": [5]}}, id="ignore"),
    pytest.param({"extra_sitemaps": [5]}, id="number as a sitemap"),
    pytest.param({"extra_sitemaps": ["ftp://x/s.xml"]}, id="sitemap that is not on the web"),
    pytest.param({"extra_sitemaps": ["https://user:pw@x.org/s.xml"]}, id="sitemap with a password"),
]


@pytest.mark.parametrize("fields", DAMAGED_FIELDS)
def test_a_record_with_a_damaged_field_is_no_record_for_any_command(site, fields):
    """A build of another site reads it, too, because a folder may have been moved."""
    build(site, "--excludes", "b/*")
    (file,) = user_cache().rglob("*.jsonl")
    old = write(site.parent, {"old.txt": f"{BASE}\n{BASE}old/\n"}) / "old.txt"
    other = write(site.parent / "other", {"index.html": html_page()})
    change_record(file, fields)
    assert record_of(site) is None
    build(other, "--base-url", "https://other.example.org/")
    assert "no record of the build" in passed("check", site, "-v").err
    assert "1 removed" in command("diff", old, site).out
    assert command("explain", site, "b/", "--json").data["reason"] == "noindex"
    assert command("report", site, "--json").data["record"] is False
    done = command("check", site, "--record", file)
    assert (done.code, "it is not the record of a build" in done.err) == (2, True)
    build(site, "--excludes", "b/*")
    assert record_of(site)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        pytest.param("file", "\0", id="file"),
        pytest.param("loc", 5, id="address"),
        pytest.param("reason", "x", id="reason"),
        pytest.param("lastmod", 5, id="date"),
        pytest.param("commit", "--output=written", id="commit"),
        pytest.param("changed", "\ud800", id="changed file"),
        pytest.param("root", "\0", id="repository"),
        pytest.param("cause", ["x"], id="cause"),
        pytest.param("cause", ["x", "x", ["\0"], "", ""], id="file of a cause"),
        pytest.param("sources", ["\0"], id="source"),
        pytest.param("undated", [5], id="included file"),
        pytest.param("alternates", 7, id="alternates"),
        pytest.param("ignore", [5], id="ignored rule"),
        pytest.param("target", None, id="target"),
    ],
)
def test_a_record_with_a_damaged_page_is_one_error(site, named, field, value):
    """No value reaches git: a commit such as `--output=written` would make it write a file."""
    change_record(named, {}, (Row._fields.index(field), value))
    for command_line in (("check", site), ("explain", site, "index.html"), ("report", site)):
        done = command(*command_line, "--record", named)
        assert (done.code, f"The record {named} is damaged. Remove it." in done.err) == (2, True)
    assert not list(site.parent.rglob("written*"))


def test_a_record_with_damaged_alternates_is_one_error(site, named):
    text = named.read_text()
    first, _, rows = text.partition("\n")
    named.write_text(f'{first}\n[[["de",5]]]{rows[2:]}')
    change_record(named, {})
    done = command("check", site, "--record", named)
    assert (done.code, f"The record {named} is damaged. Remove it." in done.err) == (2, True)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        pytest.param("site/record.jsonl", "in the output folder", id="deployed"),
        pytest.param("mine.txt", "is not the record of a build", id="another file"),
        pytest.param("docs", "is not the record of a build", id="a folder"),
    ],
)
def test_a_file_that_must_not_be_written(site, file, message):
    write(site.parent, {"mine.txt": "mine", "docs/a.md": "x"})
    done = command("build", site, "--base-url", BASE, "--record", file)
    assert done.code == 2
    assert message in done.err
    assert not (site / "sitemap.xml").exists()
    assert (site.parent / "mine.txt").read_text() == "mine"


def test_mkdocs_names_a_file(mkdocs_project):
    project = mkdocs_project({"index.md": "# Home"}, options={"record": "record.jsonl"})
    project.build()
    assert read_record(project.site, user_cache(), [project.root / "record.jsonl"]).base == BASE


def test_sphinx_names_a_file(sphinx_project):
    project = sphinx_project("a", sitemap_record="../record.jsonl")
    project.build()
    assert (project.root / "record.jsonl").is_file()
