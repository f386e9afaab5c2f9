"""Where old pages have moved, by the record of the new build and git."""

import os
import shutil
from pathlib import Path

import pytest

from sitemap_docs.history.git import Git, Tokens
from sitemap_docs.history.moved_pages import MovedPage, UnmovedPage, WhyUnmoved, find_moved_pages
from sitemap_docs.model import Reason, Row
from sitemap_docs.surroundings import Environment
from tests.conftest import BASE, commit, git, write

pytestmark = pytest.mark.once


def text(name: str, lines: int = 20) -> str:
    return "".join(f"Line {number} about {name}\n" for number in range(lines))


def row(root: Path, source: str, path: str, reason: Reason | None = None) -> Row:
    return Row(f"{path}index.html", BASE + path, reason, sources=(os.fspath(root / source),))


def find(root: Path, rows: list[Row], *paths: str, old_rows: list[Row] | None = None) -> dict[str, str]:
    """Where each page is now, below the base; or the name of the reason why that is unknown."""
    locs = [BASE + path for path in paths]
    found = find_moved_pages(locs, rows, Environment(os.environ), old_rows or [])
    assert [*found] == sorted(locs)
    shown = {}
    for loc, page in found.items():
        assert page.loc == loc
        if isinstance(page, MovedPage):
            shown[loc.removeprefix(BASE)] = page.row.loc.removeprefix(BASE)
        else:
            shown[loc.removeprefix(BASE)] = page.why.name
    return shown


def move(root: Path, *pairs: str) -> None:
    """Move files, each given as ``old>new``."""
    for pair in pairs:
        old, new = pair.split(">")
        (root / new).parent.mkdir(parents=True, exist_ok=True)
        git(root, "mv", old, new)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    names = ("index", "a", "b", "c", "guide/index", "guide/d")
    root = write(tmp_path / "project", {f"docs/{name}.md": text(name) for name in names})
    commit(root)
    return root


HOME = ("docs/index.md", "")
GUIDE = ("docs/guide/index.md", "guide/")


def rows(root: Path, *pages: tuple[str, str]) -> list[Row]:
    return [row(root, source, path) for source, path in (HOME, GUIDE, *pages)]


@pytest.mark.parametrize("committed", [True, False])
def test_a_renamed_source_has_moved(root: Path, committed: bool) -> None:
    """A rename counts once it is staged, and with a change of the text if half of it stays."""
    move(root, "docs/a.md>docs/guide/new.md")
    with (root / "docs/guide/new.md").open("a") as file:
        file.write("One more line\n")
    git(root, "add", ".")
    if committed:
        commit(root)
    pages = rows(root, ("docs/guide/new.md", "guide/new/"))
    assert find(root, pages, "a/", "unknown/") == {"a/": "guide/new/", "unknown/": "NO_SOURCE"}


@pytest.mark.parametrize(
    ("source", "path", "old", "old_path"),
    [
        pytest.param("docs/guide/new.md", "guide/new/", "docs/a.md", "a/", id="folders"),
        pytest.param("docs/guide/new.md", "guide/new.html", "docs/a.md", "a.html", id="files"),
        pytest.param("docs/guide/new.md", "guide/new", "docs/a.md", "a", id="clean"),
        pytest.param("docs/new.md", "new/", "docs/guide/index.md", "guide/", id="the page of a folder"),
        pytest.param("docs/new.md", "new.html", "docs/guide/index.md", "guide/index.html", id="index.html"),
        pytest.param("docs/x/README.md", "x/", "docs/a.md", "a/", id="to the page of a folder"),
        pytest.param("docs/a b/ü.md", "a%20b/%C3%BC/", "docs/a.md", "a/", id="encoded"),
        pytest.param("docs/new.ipynb", "new/", "docs/a.md", "a/", id="another ending"),
    ],
)
def test_the_old_address_follows_the_rule_of_the_new_one(
    root: Path, source: str, path: str, old: str, old_path: str
) -> None:
    git(root, "mv", old, "moved")
    (root / source).parent.mkdir(parents=True, exist_ok=True)
    (root / "moved").rename(root / source)
    git(root, "add", "-A")
    commit(root)
    pages = [row(root, "docs/index.md", ""), row(root, source, path)]
    assert find(root, pages, old_path) == {old_path: path}


@pytest.mark.parametrize(("new_end", "old_end"), [("/", ".html"), (".html", "/"), ("", ".html"), ("/", "")])
def test_the_old_addresses_may_have_another_style(root: Path, new_end: str, old_end: str) -> None:
    """A page whose source stayed has moved only if its address differs in nothing but the style."""
    move(root, "docs/a.md>docs/guide/new.md")
    commit(root)
    pages = [row(root, *HOME), row(root, "docs/guide/new.md", f"guide/new{new_end}")]
    pages += [row(root, "docs/b.md", f"b{new_end}"), row(root, "docs/c.md", f"other/c{new_end}")]
    assert find(root, pages, f"a{old_end}", f"b{old_end}", f"c{old_end}", f"x{old_end}") == {
        f"a{old_end}": f"guide/new{new_end}",
        f"b{old_end}": f"b{new_end}",
        f"c{old_end}": "SOURCE_EXISTS",
        f"x{old_end}": "NO_SOURCE",
    }


def test_a_page_is_followed_through_several_renames(root: Path) -> None:
    move(root, "docs/a.md>docs/once.md")
    commit(root)
    move(root, "docs/once.md>docs/guide/twice.md")
    commit(root)
    pages = rows(root, ("docs/guide/twice.md", "guide/twice/"))
    assert find(root, pages, "a/", "once/") == {"a/": "guide/twice/", "once/": "guide/twice/"}


def test_a_rename_on_a_branch_counts(root: Path) -> None:
    git(root, "switch", "-q", "-c", "side")
    move(root, "docs/a.md>docs/new.md")
    commit(root)
    git(root, "switch", "-q", "main")
    write(root, {"docs/b.md": "another text\n"})
    commit(root)
    git(root, "merge", "-q", "--no-edit", "side")
    assert find(root, rows(root, ("docs/new.md", "new/")), "a/") == {"a/": "new/"}


def test_what_is_not_certain_has_a_reason(root: Path) -> None:
    """A page that is deleted, split, still there, not listed, or whose name has another page since."""
    write(root, {"docs/twin1/x.md": "twins " * 30, "docs/twin2/x.md": "twins " * 30})
    commit(root)
    (root / "docs/part1.md").write_text((root / "docs/a.md").read_text())
    (root / "docs/part2.md").write_text((root / "docs/a.md").read_text())
    git(root, "rm", "-q", "docs/a.md", "docs/b.md", "docs/twin2/x.md")
    move(root, "docs/twin1/x.md>docs/twin/x.md", "docs/c.md>docs/hidden.md", "docs/guide/d.md>docs/d.md")
    commit(root)
    write(root, {"docs/d.md": text("something else")})
    git(root, "rm", "-q", "--cached", "docs/d.md")
    git(root, "commit", "-q", "-m", "Remove")
    commit(root)
    pages = rows(root, *((f"docs/{name}.md", f"{name}/") for name in ("part1", "part2", "twin/x", "d")))
    pages.append(row(root, "docs/hidden.md", "hidden/", Reason.NOINDEX))
    asked = ("a/", "b/", "c/", "guide/", "guide/d/", "twin1/x/", "twin2/x/")
    assert find(root, [*pages[:1], *pages[2:]], *asked) == {
        "a/": "AMBIGUOUS",
        "b/": "NOT_RENAMED",
        "c/": "NOT_LISTED",
        "guide/": "SOURCE_EXISTS",
        "guide/d/": "AMBIGUOUS",
        "twin1/x/": "AMBIGUOUS",
        "twin2/x/": "AMBIGUOUS",
    }
    found = find_moved_pages([BASE + "b/"], pages, Environment(os.environ))
    head = git(root, "log", "--format=%H", "--diff-filter=D", "--", "docs/b.md").strip()
    assert found[BASE + "b/"] == UnmovedPage(BASE + "b/", WhyUnmoved.NOT_RENAMED, "docs/b.md", head)


def test_without_record_repository_or_history(root: Path, tmp_path: Path) -> None:
    move(root, "docs/a.md>docs/new.md")
    commit(root)
    pages = rows(root, ("docs/new.md", "new/"))
    locs, environ = [BASE + "a/"], Environment(os.environ)
    (unrecorded,) = find_moved_pages(locs, None, environ).values()
    outside_pages = rows(tmp_path, ("elsewhere/new.md", "new/"))
    (outside,) = find_moved_pages(locs, outside_pages, environ).values()
    shutil.rmtree(root / ".git" / "objects")
    (broken,) = find_moved_pages(locs, pages, environ).values()
    reasons = [page.why for page in (unrecorded, outside, broken)]  # type: ignore[union-attr]
    assert reasons == [WhyUnmoved.NO_RECORD, WhyUnmoved.NO_CLONE, WhyUnmoved.GIT_FAILED]
    assert broken.words  # type: ignore[union-attr]


def test_a_shallow_clone_shows_the_renames_that_it_has(root: Path, tmp_path: Path) -> None:
    move(root, "docs/a.md>docs/new.md")
    commit(root)
    move(root, "docs/b.md>docs/newer.md")
    commit(root)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth=2", root.as_uri(), str(clone))
    pages = rows(clone, ("docs/new.md", "new/"), ("docs/newer.md", "newer/"))
    assert find(clone, pages, "a/", "b/") == {"a/": "SHALLOW", "b/": "newer/"}


def test_a_blobless_clone_shows_exact_renames(root: Path, tmp_path: Path) -> None:
    move(root, "docs/a.md>docs/new.md")
    git(root, "rm", "-q", "docs/b.md")
    write(root, {"docs/other.md": text("other")})
    commit(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--filter=blob:none", root.as_uri(), str(clone))
    pages = rows(clone, ("docs/new.md", "new/"), ("docs/other.md", "other/"))
    assert find(clone, pages, "a/", "b/") == {"a/": "new/", "b/": "NOT_COMPARED"}


def test_translations_share_a_source(root: Path) -> None:
    """Two pages have the renamed source; each old address leads to the page of its language."""
    move(root, "docs/a.md>docs/new.md")
    write(root, {"docs/b.de.md": text("b auf Deutsch")})
    commit(root)
    move(root, "docs/b.de.md>docs/neu.de.md")
    commit(root)
    pages = rows(root, ("docs/new.md", "new/"), ("docs/new.md", "de/new/"), ("docs/neu.de.md", "de/neu/"))
    pages.append(row(root, "docs/index.de.md", "de/"))
    assert find(root, pages, "a/", "de/a/", "de/b/") == {"a/": "new/", "de/a/": "de/new/", "de/b/": "de/neu/"}


def test_an_old_record_needs_no_rule(root: Path, tmp_path: Path) -> None:
    """Its sources may be in another work tree. A source of several pages shows nothing."""
    old = tmp_path / "old"
    git(root, "worktree", "add", "-q", "--detach", str(old), "HEAD")
    move(root, "docs/a.md>docs/new.md", "docs/b.md>docs/newer.md")
    commit(root)
    pages = rows(root, ("docs/new.md", "new/"), ("docs/newer.md", "newer/"))
    old_rows = [row(old, "docs/a.md", "2024/slug/"), row(old, "docs/b.md", "x/"), row(old, "docs/b.md", "y/")]
    found = find(root, pages, "2024/slug/", "x/", old_rows=old_rows)
    assert found == {"2024/slug/": "new/", "x/": "NO_SOURCE"}


def git_calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Collect the calls of git from now on."""
    calls: list[object] = []
    start = Git.tokens

    def counted(self: Git, *arguments: str | bytes) -> Tokens:
        calls.append(arguments)
        return start(self, *arguments)

    monkeypatch.setattr(Git, "tokens", counted)
    return calls


def test_git_is_called_for_all_pages_together(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"page{number}" for number in range(30)]
    write(root, {f"docs/{name}.md": text(name) for name in names})
    commit(root)
    for name in names:
        move(root, f"docs/{name}.md>docs/guide/{name}.md")
        commit(root)
    calls = git_calls(monkeypatch)
    pages = rows(root, *((f"docs/guide/{name}.md", f"guide/{name}/") for name in names))
    assert find(root, pages, *(f"{name}/" for name in names)) == {
        f"{name}/": f"guide/{name}/" for name in sorted(names)
    }
    assert len(calls) < 7


@pytest.mark.parametrize("source", ["docs/\0.md", "docs/\ud800.md", "../../etc/passwd", "-x.md", ""])
def test_a_record_with_odd_sources_is_no_trouble(root: Path, source: str) -> None:
    move(root, "docs/a.md>docs/new.md")
    commit(root)
    odd = Row("x", "https://[", sources=(f"{root}/{source}",))
    odd_too = Row("x", BASE + "a/", sources=(f"{root}/{source}",))
    pages = [*rows(root, ("docs/new.md", "new/")), odd, odd_too]
    assert find(root, pages, "a/") == {"a/": "new/"}
