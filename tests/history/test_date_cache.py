"""The cache of dates in clones of every depth: it may add dates, and never changes or removes one."""

import json
import shutil
from pathlib import Path

import pytest

from sitemap_docs.cache import kept_file
from sitemap_docs.history.date_cache import DATES
from tests.conftest import BASE, command, git, passed, read_dates, write
from tests.history.histories import run_trials

HISTORIES = 6


class Remote:
    """A repository with the whole history, and clones of it that follow each other at one path.

    Attributes:
        root: The work tree of the repository.
        clone: The path of the clones.
        cache: The cache folder, which all builds share.
    """

    def __init__(self, folder: Path) -> None:
        self.root, self.clone, self.cache = folder / "remote", folder / "clone", folder / "cache"
        self.root.mkdir()
        self._day = 0
        git(self.root, "init", "-q", "-b", "main")
        git(self.root, "config", "uploadpack.allowFilter", "true")
        git(self.root, "config", "uploadpack.allowAnySHA1InWant", "true")

    def git(self, *arguments: str) -> str:
        self._day += 1
        date = f"2024-{self._day // 28 + 1:02}-{self._day % 28 + 1:02}T12:00:00+00:00"
        return git(self.root, *arguments, date=date).strip()

    def commit(self, **texts: str | None) -> str:
        """Commit files by their names without `.md`, and return the id. None removes a file."""
        for name, text in texts.items():
            file = self.root / f"{name}.md"
            if text is None:
                file.unlink()
            else:
                write(self.root, {file.name: text})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", f"Change {', '.join(texts)}")
        return self.git("rev-parse", "HEAD")

    def build(self, *names: str, depth: int = 0, ignored: str = "", how: tuple[str, ...] = ()) -> list:
        """Clone the repository, and return the commits that date the files."""
        shutil.rmtree(self.clone, ignore_errors=True)
        flags = [*how, *(["--depth", str(depth)] if depth else [])]
        git(self.root, "clone", "-q", *flags, self.root.as_uri(), str(self.clone))
        write(self.clone, {"ignored": ignored})
        return self.dates(*names)

    def dates(self, *names: str) -> list[str | None]:
        files = [self.clone / f"{name}.md" for name in names]
        dates = read_dates(files, ignore_revs=self.clone / "ignored", cache=self.cache)
        stamps = [dates.find_stamp([file]) for file in files]
        return [stamp and stamp.commit for stamp in stamps]

    def snapshots(self) -> list[str]:
        """The HEADs of which the cache has commits."""
        file = kept_file(self.cache / DATES, self.clone)
        lines = map(json.loads, file.read_text().splitlines())
        return [line[1] for line in lines if line[0] == 2]


@pytest.fixture
def remote(tmp_path) -> Remote:
    return Remote(tmp_path)


@pytest.mark.once
def test_random_histories_in_clones_of_every_kind(tmp_path):
    """`tests/bench/date_cache.py` tries hundreds."""
    counts = run_trials(tmp_path, range(HISTORIES))
    assert counts.problems == []
    assert 0 < counts.found < counts.missing


@pytest.mark.parametrize("how", [(), ("--filter=blob:none",)])
def test_a_shallow_clone_has_the_dates_that_an_earlier_build_found(remote, how):
    old, changed = remote.commit(a="1"), remote.commit(b="1")
    assert remote.build("a", "b", how=how) == [old, changed]
    changed = remote.commit(b="2")
    assert remote.build("a", "b", depth=1) == [None, None]  # The clone does not contain the cached HEAD.
    assert remote.build("a", "b", depth=2) == [old, changed]
    new = remote.commit(c="1")
    assert remote.build("a", "b", "c", depth=2) == [old, changed, new]


def test_a_shallow_clone_has_the_dates_that_a_less_shallow_one_found(remote):
    remote.commit(a="1")
    first, second = remote.commit(b="1"), remote.commit(c="1")
    assert remote.build("a", "b", "c", depth=3) == [None, first, second]
    assert remote.build("a", "b", "c", depth=1) == [None, first, second]


def test_a_changed_file_has_no_date_of_before(remote):
    """The commit that changed it is in the clone, or the clone ends before it."""
    old = remote.commit(a="1", b="1")
    assert remote.build("a", "b") == [old, old]
    for text in "234":
        new = remote.commit(a=text)
    assert remote.build("a", "b", depth=2) == [new, None]
    assert remote.build("a", "b", depth=4) == [new, old]


def test_rebased_commits_keep_no_dates_of_the_replaced_ones(remote):
    remote.commit(a="1", b="1")
    replaced = remote.commit(a="2")
    assert remote.build("a")[0] == replaced
    remote.git("commit", "-q", "--amend", "-m", "Change it again")
    new = remote.git("rev-parse", "HEAD")
    assert remote.build("a", "b", depth=2) == [new, None]


def test_a_build_of_an_older_commit_neither_uses_nor_replaces_cached_dates(remote):
    old = remote.commit(a="1")
    remote.commit(b="1")
    last = remote.commit(c="1")
    remote.build("a", "b", "c")
    remote.git("branch", "older", "HEAD^")
    assert remote.build("a", "b", depth=1, how=("--branch", "older")) == [None, None]
    assert remote.build("a", "c", depth=1) == [old, last]
    assert remote.snapshots() == [last]


def test_a_shallow_clone_keeps_four_snapshots_and_a_whole_one_keeps_one(remote):
    remote.commit(a="1")
    heads = []
    for number in range(6):
        heads.insert(0, remote.commit(b=str(number)))
        remote.build("a", "b", depth=2)
    assert remote.snapshots() == heads[:4]
    remote.build("a", "b")
    assert remote.snapshots() == heads[:1]


def test_a_commit_that_is_ignored_now_dates_nothing_and_all_other_dates_stay(remote):
    old, formatted = remote.commit(a="1", b="1"), remote.commit(a="2")
    assert remote.build("a", "b") == [formatted, old]
    remote.commit(c="1")
    assert remote.build("a", "b", depth=2, ignored=formatted) == [None, old]


def test_an_ignored_commit_that_counts_again_dates_its_files(remote):
    old, formatted = remote.commit(a="1", b="1"), remote.commit(a="2")
    assert remote.build("a", "b", ignored=formatted) == [old, old]
    remote.commit(c="1")
    assert remote.build("a", "b", depth=2) == [None, None]
    assert remote.build("a", "b") == [formatted, old]


def test_with_only_ignored_commits_in_a_shallow_clone_the_date_stays_unknown(remote):
    """Git does not show that the commit where the clone ends has removed a file at the same path."""
    remote.commit(a="1")
    removed = remote.commit(a=None, b="1")
    formatted = remote.commit(a="2")
    assert remote.build("a", depth=2, ignored=formatted) == [None]
    assert remote.build("a", ignored=formatted) == [removed]
    dates = read_dates([remote.clone / "a.md"], ignore_revs=remote.clone / "ignored", cache=remote.cache)
    assert dates.find_stamp([remote.clone / "a.md"]).commit == removed


@pytest.mark.parametrize("name", ["a", "b"])
def test_behind_an_ignored_merge_no_older_commit_dates_a_file_that_the_clone_may_have_lost(remote, name):
    """The commit where the clone ends has removed `a`, later than the other branch changed both files."""
    remote.commit(a="1", b="1")
    remote.git("branch", "side")
    remote.git("checkout", "-q", "side")
    remote.commit(c="1")
    changed = remote.commit(a="2", b="2")
    remote.git("checkout", "-q", "main")
    removed = remote.commit(a=None, d="1")
    git(remote.root, "merge", "-q", "-s", "ours", "--no-commit", "side")
    merge = remote.commit(a="evil", b="evil")
    right = {"a": removed, "b": changed}[name]
    assert remote.build(name, ignored=merge) == [right]
    shutil.rmtree(remote.cache)
    (remote.clone / ".git/shallow").write_text(f"{removed}\n")
    assert remote.dates(name) in ([None], [right])
    (remote.clone / ".git/shallow").unlink()
    assert remote.dates(name) == [right]


@pytest.mark.parametrize("cache", ["cache", "another-cache"])
def test_the_audit_knows_that_the_commit_where_the_clone_ends_has_dated_a_page(
    remote, tmp_path, monkeypatch, cache
):
    """The cache or the record of the build proves it. Without both, only a wrong build gives that date."""
    monkeypatch.chdir(tmp_path)
    remote.commit(a="1", b="1")
    remote.commit(a="2")
    remote.build("a", "b")
    remote.commit(b="2")
    remote.build(depth=2)
    write(tmp_path / "site", {f"{name}.html": f"<title>{name}</title>" for name in ("a", "b")})
    flags = ("--base-url", BASE, "--source", "clone")
    done = passed("build", "site", *flags, "--cache-dir", "cache", "--record", "site.record", "--json")
    assert done.data["dated"] == 2
    rules = ("--select", "lastmod", "--ignore", "page-stale", "--severity", "info")
    check = ("check", "site", *flags, *rules, "--json")
    assert passed(*check, "--cache-dir", cache, "--record", "site.record").data["findings"] == []
    if cache != "cache":
        (finding, *_) = command(*check, "--cache-dir", cache).data["findings"]
        assert finding["rule"] == "lastmod-shallow-boundary"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        pytest.param(("header", 1), "--all", id="head"),
        pytest.param(("header", 2), [5, "x"], id="ignored commits"),
        pytest.param(("header", 3), 1e999, id="number"),
        pytest.param(("commit", 0), "--output=written", id="commit"),
        pytest.param(("commit", 1), "x", id="date"),
        pytest.param(("commit", 2), 0.5, id="fraction"),
        pytest.param(("paths", 0), "a\0.md", id="path with NUL"),
        pytest.param(("paths", 0), "\ud800.md", id="path with a surrogate"),
        pytest.param(("paths", 0), "../a.md", id="path out of the repository"),
        pytest.param(("paths", 0), ["a.md"], id="list"),
    ],
)
def test_a_damaged_cache_changes_no_date(remote, place, value):
    old = remote.commit(a="1")
    assert remote.build("a", "b") == [old, None]
    new = remote.commit(b="1")
    file = kept_file(remote.cache / DATES, remote.clone)
    header, line, *_ = map(json.loads, file.read_text().splitlines())
    part = {"header": header, "commit": line[0], "paths": line[1]}[place[0]]
    part[place[1]] = value
    file.write_text(f"{json.dumps(header)}\n{json.dumps(line)}\n")
    for _ in range(2):
        assert remote.build("a", "b") == [old, new]
    assert not (remote.clone / "written").exists()
