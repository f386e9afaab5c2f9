"""What is read below a site lies inside it, ends, and is read once: in all commands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_docs.sitemap.reader import parse
from tests.conftest import command

BASE = "https://d.example/"
PAGE = "<!DOCTYPE html><title>x</title>"
SECRET = "indexnow_key: 0123456789abcdef\n"


def run(*arguments: object) -> tuple[int, str]:
    done = command(*arguments)
    return done.code, done.out + done.err


def arguments(name: str) -> list[str]:
    """A line of each command about the site."""
    more = {"explain": ["index.html"], "diff": ["s"], "notify": ["--all"]}.get(name, [])
    flags = [] if name in ("diff", "notify") else ["--base-url", BASE]
    return [name, "s", *more, *flags]


def locs(file: Path) -> list[str]:
    return [entry.loc.removeprefix(BASE) for entry in parse(file).entries()]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s").mkdir()
    (tmp_path / "s/index.html").write_text(PAGE)
    (tmp_path / "secret").write_text(SECRET + f"{BASE}secret\n/* /secret\n")
    return tmp_path / "s"


@pytest.mark.parametrize("command", ["check", "explain", "report", "build", "diff"])
@pytest.mark.parametrize(
    "name", ["robots.txt", "sitemap.xml", "sitemap.txt", "_headers", "_redirects", "a.html", "llms.txt"]
)
def test_no_line_of_a_file_outside_is_shown(site: Path, command: str, name: str) -> None:
    (site / name).symlink_to("../secret")
    code, text = run(*arguments(command))
    assert code in (0, 1, 2)
    assert "0123456789abcdef" not in text
    assert "/secret" not in text.replace("../secret", "")
    assert (site.parent / "secret").read_text().startswith(SECRET)


def test_a_folder_is_entered_through_links_once(site: Path) -> None:
    for number in range(30):  # two links in each: 2**30 paths
        (site / f"d{number:02}").mkdir()
        (site / f"d{number:02}/index.html").write_text(f'{PAGE}<link rel=canonical href="./">')
        for name in ("x", "y"):
            (site / f"d{number:02}" / name).symlink_to(f"../d{number + 1:02}")
    assert run("build", "s", "--base-url", BASE)[0] == 0
    found = locs(site / "sitemap.xml")
    assert len(found) == 1 + 30 + 29


@pytest.mark.parametrize("command", ["build", "check", "explain", "report", "diff", "notify", "join"])
@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap.xml.gz", "robots.txt", "_headers", "_redirects"])
def test_a_pipe_in_the_place_of_a_file_is_not_read(site: Path, command: str, name: str) -> None:
    os.mkfifo(site / name)
    assert run(*arguments(command))[0] in (0, 1, 2)
