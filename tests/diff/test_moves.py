"""Pages known again at another address, from real builds and a real repository."""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copytree

import pytest

from sitemap_docs.diff.difference import Change, compute_difference
from sitemap_docs.diff.moves import by_content, by_renames, fingerprint, git_renames, moves
from sitemap_docs.model import SitemapError
from sitemap_docs.sitemap import urllist
from sitemap_docs.webroot.lookup import Webroot

BASE = "https://docs.example.org/"
LONG = "This is a sentence of some length that stands on one page of the manual only, and this is its number"


def changes(removed: list[str], added: list[str]) -> list[Change]:
    return [Change("removed", BASE + loc) for loc in removed] + [Change("added", BASE + loc) for loc in added]


def reported(found: dict[str, str]) -> dict[str, str]:
    return {old.removeprefix(BASE): new.removeprefix(BASE) for old, new in found.items()}


@pytest.mark.parametrize(
    ("renames", "removed", "added", "expected"),
    [
        pytest.param({"docs/a": "docs/b"}, ["a/"], ["b/"], {"a/": "b/"}, id="a page below docs"),
        pytest.param(
            {"a": "b"},
            ["en/latest/a.html"],
            ["en/latest/b.html"],
            {"en/latest/a.html": "en/latest/b.html"},
            id="below a prefix of the host",
        ),
        pytest.param(
            {"docs/old/a": "docs/new/a"},
            ["v1/old/a/"],
            ["v1/new/a/"],
            {"v1/old/a/": "v1/new/a/"},
            id="a folder",
        ),
        pytest.param({"docs/a": "docs/b"}, ["x/a/"], ["y/b/"], {}, id="another prefix"),
        pytest.param({"docs/a": "docs/b"}, ["a/"], ["c/"], {}, id="another page"),
        pytest.param({"docs/g/index": "docs/h"}, ["g/index/"], ["h/"], {"g/index/": "h/"}, id="into a file"),
        pytest.param(
            {"docs/a": "docs/é b"}, ["a/"], ["%C3%A9%20b/"], {"a/": "%C3%A9%20b/"}, id="percent-encoded"
        ),
        pytest.param({"docs/a": "docs/b", "docs/c": "docs/b"}, ["a/", "c/"], ["b/"], {}, id="two into one"),
    ],
)
def test_renames(
    renames: dict[str, str], removed: list[str], added: list[str], expected: dict[str, str]
) -> None:
    assert reported(moves(changes(removed, added), by_renames(renames))) == expected


def test_a_repository(mkdocs_project) -> None:
    project = mkdocs_project({"index.md": "# Home\n", "a.md": f"# A\n{LONG} 1\n", "b.md": f"# B\n{LONG} 2\n"})
    project.commit("2024-01-01T00:00:00Z")
    (project.docs / "new").mkdir()
    (project.docs / "a.md").rename(project.docs / "step.md")
    project.commit("2024-02-01T00:00:00Z")
    (project.docs / "step.md").rename(project.docs / "new/a.md")
    (project.docs / "b.md").rename(project.docs / "b\tb\n.md")
    project.commit("2024-03-01T00:00:00Z")
    ever = git_renames(project.root, "", os.environ)
    assert ever == {"docs/a": "docs/new/a", "docs/step": "docs/new/a", "docs/b": "docs/b\tb\n"}
    assert git_renames(project.root, "HEAD~1", os.environ) == {
        "docs/step": "docs/new/a",
        "docs/b": "docs/b\tb\n",
    }
    found = moves(changes(["a/", "b/"], ["new/a/", "b%09b%0A/"]), by_renames(ever))
    assert reported(found) == {"a/": "new/a/", "b/": "b%09b%0A/"}


@pytest.mark.parametrize("since", ["", "no-such-commit", "--output=here"])
def test_no_history(tmp_path: Path, since: str) -> None:
    with pytest.raises(SitemapError, match="git cannot list the renames"):
        git_renames(tmp_path, since, os.environ)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("theme", ["mkdocs", "readthedocs", "material"])
def test_content_of_real_builds(mkdocs_project, tmp_path: Path, theme: str) -> None:
    """The old and the new page differ in links, navigation and canonical address, not in what they say."""
    pytest.importorskip("mkdocs" if theme != "material" else "material")
    pages = {
        f"{name}.md": f"# Page {name}\n\n{LONG} {name}\n\n[home](index.md)\n"
        for name in ("index", "a", "b", "c")
    }
    project = mkdocs_project(pages, theme=theme)
    project.build()
    copytree(project.site, tmp_path / "before")
    (project.docs / "deep").mkdir()
    moved = (project.docs / "a.md").read_text().replace("index.md", "../index.md")
    (project.docs / "deep/moved.md").write_text(moved)
    (project.docs / "a.md").unlink()
    (project.docs / "b.md").unlink()
    (project.docs / "d.md").write_text(
        "# Page d\n\nAnother text, which is as long as it must be to be counted.\n"
    )
    project.build()
    old, new = (
        Webroot.guess(folder, [line.partition("\t")[0] for line in urllist.lines(str(folder))])
        for folder in (tmp_path / "before", project.site)
    )
    difference = compute_difference(
        urllist.lines(str(tmp_path / "before")),
        urllist.lines(str(project.site)),
        find_moves=lambda changes: moves(changes, by_content(old, new)),
    )
    said = [(change.kind, change.loc, change.to) for change in difference.changes()]
    assert said == [
        ("moved", f"{BASE}a/", f"{BASE}deep/moved/"),
        ("removed", f"{BASE}b/", ""),
        ("added", f"{BASE}d/", ""),
    ]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"<p>Short.", id="next to nothing"),
        pytest.param(b"\0\xff\xfe<", id="no page"),
        pytest.param(b"<main><nav>" + LONG.encode() + b"</nav></main>", id="navigation only"),
        pytest.param(
            b"<main><!--" + LONG.encode() + b"--><script>" + LONG.encode() + b"</script></main>",
            id="nothing shown",
        ),
    ],
)
def test_no_content_to_know_a_page_by(tmp_path: Path, page: bytes) -> None:
    (tmp_path / "page.html").write_bytes(page)
    assert fingerprint(tmp_path / "page.html") == ""


def test_two_pages_of_one_content_prove_nothing(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.html").write_text(f"<main>{LONG}</main>")
    built = Webroot.guess(tmp_path, [f"{BASE}a"])
    assert moves(changes(["a"], ["b", "c"]), by_content(built, built)) == {}
    assert reported(moves(changes(["a"], ["b"]), by_content(built, built))) == {"a": "b"}


@pytest.mark.parametrize(
    ("base", "loc", "file"),
    [
        pytest.param("", "", "index.html", id="home"),
        pytest.param("proj/", "a/", "a/index.html", id="below a path"),
        pytest.param("proj/", "a", "a/index.html", id="no slash"),
        pytest.param("", "b", "b.html", id="without ending"),
        pytest.param("", "b.html", "b.html", id="as it stands"),
        pytest.param("", "%61/", "a/index.html", id="another spelling"),
        pytest.param("", "../secret.html", None, id="outside"),
        pytest.param("", "%2e%2e/secret.html", None, id="outside, encoded"),
        pytest.param("", "c/", None, id="nothing there"),
        pytest.param("", "b.html?x=1", "b.html", id="a query, which static hosts ignore"),
        pytest.param("", "/etc/hostname", None, id="an absolute path"),
        pytest.param("", "a%00", None, id="NUL"),
        pytest.param("", "..%2fsecret.html", None, id="outside, an encoded slash"),
        pytest.param("", "out.html", None, id="a link that leaves the folder"),
        pytest.param("", "far/secret.html", None, id="a linked folder outside"),
        pytest.param("", "pipe", None, id="a pipe"),
        pytest.param("", "in.html", "in.html", id="a link within the folder"),
        pytest.param("", "near/", "near/index.html", id="a linked folder within the folder"),
        pytest.param("", "n" * 300, None, id="too long for a name"),
    ],
)
def test_the_file_that_answers(tmp_path: Path, base: str, loc: str, file: str | None) -> None:
    site = tmp_path / "site"
    (site / "a").mkdir(parents=True)
    for name in ("index.html", "a/index.html", "b.html", "../secret.html"):
        (site / name).write_text("")
    (site / "out.html").symlink_to("../secret.html")
    (site / "in.html").symlink_to("b.html")
    (site / "far").symlink_to("..")
    (site / "near").symlink_to("a")
    os.mkfifo(site / "pipe")
    built = Webroot.guess(site, [f"{BASE}{base}gone", f"{BASE}{base}", f"{BASE}{base}a/"])
    assert built is not None
    assert built.base.url == BASE + base
    assert built.file(f"{BASE}{base}{loc}") == (site / file if file else None)


def test_no_file_answers(tmp_path: Path) -> None:
    assert Webroot.guess(tmp_path, [f"{BASE}a/", "no address", "mailto:x@example.org"]) is None
