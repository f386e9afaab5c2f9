"""``sitemap-docs diff`` as users call it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Answer, command, urlset, write

BASE = "https://docs.example.org/"
PAGES = ("", "a/", "b/", "c/")


def site(folder: Path, *pages: str) -> Path:
    files = {f"{page}index.html": f"<title>{page}</title>" for page in pages}
    return write(folder, {**files, "sitemap.xml": urlset(*(BASE + page for page in pages))})


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    return site(tmp_path / "old", *PAGES), site(tmp_path / "new", "", "a/", "d/")


def run(*arguments: object) -> Answer:
    return command("diff", *arguments)


def test_text(places: tuple[Path, Path]) -> None:
    done = run(*places)
    assert done.out.splitlines() == [
        "4 URLs before, 3 now: 1 added, 2 removed, 0 changed",
        f"+ {BASE}d/",
        f"- {BASE}b/  no redirect",
        f"- {BASE}c/  no redirect",
    ]
    assert done.err.startswith("warning: 2 removed addresses")
    assert done.code == 0


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        pytest.param(["--max-removed", "49%"], 1, id="beyond the share"),
        pytest.param(["--max-removed", "50%", "--max-removed", "1"], 1, id="both, one exceeded"),
        pytest.param(["--require-redirects"], 1, id="redirects are wanted"),
        pytest.param(["--max-removed", "many"], 2, id="no limit"),
        pytest.param(["--json", "--markdown"], 2, id="two forms"),
        pytest.param(["--redirects", __file__], 2, id="no file of redirects"),
    ],
)
def test_exit_status(places: tuple[Path, Path], flags: list[str], code: int) -> None:
    assert run(*places, *flags).code == code


def test_redirects_that_are_wanted_and_missing_are_an_error_said_once(places: tuple[Path, Path]) -> None:
    done = run(*places, "--require-redirects", "--markdown")
    assert done.err.startswith("error: 2 removed addresses")
    assert (done.out + done.err).count("nor a redirect") == 2  # the table's and this


def test_redirects_cannot_be_wanted_of_sitemaps_alone(places: tuple[Path, Path]) -> None:
    old, new = (place / "sitemap.xml" for place in places)
    done = run(old, new, "--require-redirects")
    assert (done.code, "the built folder as NEW" in done.err) == (2, True)
    assert run(old, old, "--require-redirects").code == 0


def test_redirects_are_found_and_given(places: tuple[Path, Path], tmp_path: Path) -> None:
    (places[1] / "_redirects").write_text("/b /a\n")
    rules = tmp_path / "netlify.toml"
    rules.write_text('redirects = [{from = "/c/*", to = "/a"}]')
    done = run(*places, "--redirects", rules, "--require-redirects")
    assert done.out.splitlines()[2:] == [f"- {BASE}b/  redirects to /a", f"- {BASE}c/  redirects to /a"]
    assert (done.code, done.err) == (0, "")


def test_redirects_of_a_configuration_where_only_sitemaps_are(
    places: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "_redirects").write_text("/c/ /a/")
    sitemaps = [place / "sitemap.xml" for place in places]
    assert run(*sitemaps).out.splitlines()[2:] == [f"- {BASE}b/", f"- {BASE}c/"]
    reported = run(*sitemaps, "--redirects", tmp_path).out.splitlines()
    assert reported[2:] == [f"- {BASE}b/  no redirect", f"- {BASE}c/  redirects to /a/"]


def test_many_are_cut_unless_asked_for(tmp_path: Path) -> None:
    old, new = (
        site(tmp_path / "old", ""),
        site(tmp_path / "new", "", *(f"{number:03}/" for number in range(60))),
    )
    assert run(old, new).out.splitlines()[-1] == "+ … and 10 more (-v shows them)"
    assert len(run(old, new, "-v").out.splitlines()) == 61
    assert run(old, new, "-q").out == ""


def test_the_web(loopback, tmp_path: Path) -> None:
    old, new = site(tmp_path / "old", ""), site(tmp_path / "new", "", "a/")
    loopback.serve("/sitemap.xml", (old / "sitemap.xml").read_bytes())
    assert run(loopback.url("/sitemap.xml"), new).out.splitlines()[1:] == [f"+ {BASE}a/"]
    for folder in (loopback.url(""), loopback.url("/")):
        assert run(folder, new).out.splitlines()[1:] == [f"+ {BASE}a/"]
    gone = run(loopback.url("/gone.xml"), new)
    assert (gone.code, "answers 404" in gone.err) == (2, True)


def test_a_pipe_that_closes_early_is_no_trouble(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(BASE)
    new.write_text("\n".join(f"{BASE}{number:05}/" for number in range(3_000)))  # more than a pipe holds
    command = [sys.executable, "-m", "sitemap_docs", "diff", "-v", str(old), str(new)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
