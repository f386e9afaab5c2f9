"""Files that version 0.1.0 wrote before the record had its present form are read without an error.

`upgrade/` was made with commit 9441411c. `src` was a repository with one commit of all files but `new.md`, by
"A Writer <writer@example.org>" at 2024-01-01T00:00:00+00:00, and these commands were run:

    sitemap-docs build site --base-url https://docs.example.org/ --source src --record site.record \
        --cache-dir cache --formats text
    sitemap-docs check site --base-url https://docs.example.org/ --select all --severity info \
        --cache-dir cache --record site.record --write-baseline baseline.json

`dates.jsonl` is the only file in `cache/dates`.
"""

import shutil
from pathlib import Path

import pytest

from sitemap_docs.api import read_sitemap
from sitemap_docs.cache import kept_file
from sitemap_docs.history.date_cache import DATES
from tests.conftest import BASE, command, git, passed

OLD = Path(__file__).parent / "upgrade"
FLAGS = ("--base-url", BASE, "--source", "src", "--cache-dir", "cache")
RECORD = ("--record", "site.record")
COMMIT = "2ff3cb722a9c8b6897c69d9df41ae64fec626e7a"


@pytest.fixture
def old(tmp_path, monkeypatch) -> Path:
    """A project whose site, record, cache and baseline an older version wrote."""
    shutil.copytree(OLD, tmp_path, dirs_exist_ok=True)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "src/index.md", "src/guide.md", "src/hidden.md", "src/moved.md")
    git(tmp_path, "commit", "-q", "-m", "A change")
    assert git(tmp_path, "rev-parse", "HEAD").strip() == COMMIT
    kept = kept_file(tmp_path / "cache" / DATES, tmp_path)
    kept.parent.mkdir(parents=True)
    (tmp_path / "dates.jsonl").rename(kept)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_readers_say_in_one_line_that_the_record_is_old(old):
    for arguments in (("check", "site"), ("explain", "site", "guide.html"), ("report", "site")):
        done = passed(*arguments, *FLAGS, *RECORD)
        assert "Traceback" not in done.err
        (line,) = (line for line in done.err.splitlines() if "record-unused" in line)
        assert "site.record" in line


def test_a_build_replaces_the_record_and_changes_nothing_else(old):
    before = {file: file.read_bytes() for file in (old / "site").iterdir()}
    passed("build", "site", *FLAGS, *RECORD, "--formats", "text")
    assert {file: file.read_bytes() for file in (old / "site").iterdir()} == before
    explained = passed("explain", "site", "guide.html", *FLAGS, *RECORD, "--json").data
    assert (explained["record"], explained["dated"]["commit"]) == (True, COMMIT)


def test_a_build_replaces_the_old_cache_of_dates(old):
    """The old cache depends on the depth of the clone, and may have wrong dates of partial clones."""
    kept = kept_file(old / "cache" / DATES, old)
    changed = kept.read_text().replace("1704067200", "1000000000")
    assert changed != kept.read_text()
    kept.write_text(changed)
    passed("build", "site", *FLAGS, "--formats", "text")
    dates = {entry.loc: str(entry.lastmod) for entry in read_sitemap("site/sitemap.xml") if entry.lastmod}
    assert dates == dict.fromkeys((BASE, f"{BASE}guide.html"), "2024-01-01 00:00:00+00:00")
    assert "1704067200" in kept.read_text()
    assert "1000000000" not in kept.read_text()


def test_a_baseline_still_has_its_findings(old):
    flags = ("--select", "all", "--severity", "info")
    new = command("check", "site", *FLAGS, *flags, "--json").data["findings"]
    shown = command("check", "site", *FLAGS, *flags, "--baseline", "baseline.json", "--json").data
    assert shown["known"] == 1
    assert len(shown["findings"]) == len(new) - 1


def test_the_sitemap_can_be_compared(old):
    done = passed("diff", OLD / "site" / "sitemap.xml", "site/sitemap.xml", "--json").data
    assert done["counts"] == {"removed": 0, "added": 0, "changed": 0}
