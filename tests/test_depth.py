"""What others nest deeper than Python's stack reaches: a loop reads it, or it cannot be known."""

from __future__ import annotations

import inspect
import subprocess
import sys
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import pytest

from sitemap_docs.programs.material_blog import BlogLayout
from tests.conftest import BASE, command, commit, git, proven, read_dates, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEEP = "d/" * 1_005  # a longer address is listed in no sitemap
NESTED = 150


@pytest.fixture
def root(tmp_path) -> Iterator[Path]:
    """A folder that is removed by a program that does not recurse."""
    yield tmp_path
    subprocess.run(["rm", "-rf", tmp_path], check=True)


def deep(folder: Path, text: str, name: str = "a.html") -> None:
    subprocess.run(["mkdir", "-p", folder / DEEP], check=True)
    (folder / DEEP / name).write_text(text)


def test_folders_of_a_site_and_its_sources(root, monkeypatch):
    monkeypatch.chdir(root)
    deep(root / "site", f"<link rel=canonical href={BASE}{DEEP}a.html><title>A</title>")
    deep(root / "docs", "# A\n", "a.md")
    commit(root, "docs", date="2024-01-31T00:00:00+00:00")
    built = command("build", "site", "--base-url", BASE, "--source", "docs")
    assert built.code == 0, built.err
    assert proven(root / "site", BASE) == {f"{DEEP}a.html": "2024-01-31T00:00:00+00:00"}


def test_folders_of_old_versions(root):
    for version in ("1.0", "2.0"):
        deep(root / version, "<!doctype html><html><head><title>A</title></head><body></body></html>")
        write(root / version, {"index.html": f"<!doctype html><title>Home of {version}</title>"})
    flags = ["--base-url", BASE, "--canonical-version", "2.0", "--old-versions", "noindex"]
    joined = command("join", root, *flags)
    assert joined.code == 0, joined.err
    assert "noindex" in (root / "1.0" / DEEP / "a.html").read_text()
    assert "noindex" not in (root / "2.0" / DEEP / "a.html").read_text()


def test_folders_of_posts(root):
    deep(root / "blog/posts", "# A\n", "a.md")
    layout = BlogLayout(root, {})
    assert list(layout.places("blog/a/index.html")) == [(f"blog/posts/{DEEP}".rstrip("/"), "a")]


def test_merges_within_merges(tmp_path, monkeypatch):
    """Each merge has the files of the one within it; the innermost has what the first commit had."""
    names = ["a.md", "b.md", "c.md"]
    lines = []
    for number in range(1, NESTED):
        committer = f"committer W <w@example.org> {number * 60 * 60} +0000"
        lines += ["commit refs/heads/main", f"mark :{number}", committer, "data 0"]
        text = "other" if number == 2 else "same"
        if number > 3:  # into the commit with the other text
            lines += ["from :2", f"merge :{number - 1}"]
        elif number > 1:
            lines.append(f"from :{number - 1}")
        for name in names:
            lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "fast-import", "--quiet", given="\n".join([*lines, ""]))
    git(tmp_path, "reset", "-q", "--hard")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + NESTED - 50)
    try:
        dates = read_dates([tmp_path / name for name in names], now=datetime(2026, 1, 1, tzinfo=timezone.utc))
    finally:
        sys.setrecursionlimit(limit)
    for name in names:
        stamp = dates.find_stamp([tmp_path / name])
        assert stamp
        assert stamp.commit == git(tmp_path, "log", "-1", "--format=%H", "--", name).strip()
