"""What changed between two lists of URLs, in values and in words."""

import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_docs.diff import (
    FORMS,
    Difference,
    difference_data,
    difference_markdown,
    difference_text,
    headline,
    violations,
    warnings,
)
from sitemap_docs.model import SitemapError
from sitemap_docs.webroot import Outcome
from tests.conftest import BASE, Answer, command, git, urlset, write

JANUARY, MAY = "2026-01-31T00:00:00+00:00", "2026-05-31T00:00:00+00:00"
OLD = [("a/", JANUARY), ("b/", JANUARY), ("b/", ""), ("c/", ""), ("d/", JANUARY)]
OLD += [("old/", JANUARY), ("z/", JANUARY)]
NEW = [("a/", JANUARY), ("b/", MAY), ("c/", ""), ("d/", ""), ("e/", MAY)]
FOUND = {"old/": Outcome("redirected", "new/"), "z/": Outcome("lost")}


def of_all() -> Difference:
    return Difference(OLD, NEW, FOUND.__getitem__)


def undated(*locs: str) -> list[tuple[str, str]]:
    return [(loc, "") for loc in locs]


def test_the_addresses_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_docs.diff.MAX_ADDRESSES", 4)  # two million take minutes
    assert Difference(undated(*"abcda"), undated(*"cdef")).old == 4
    with pytest.raises(SitemapError, match="more than 4 addresses"):
        Difference(undated(*"abcd"), undated(*"cdefg"))


@pytest.mark.parametrize(
    ("text", "removed", "exceeded"),
    [
        pytest.param("5%", 5, False, id="just the share"),
        pytest.param("5%", 6, True, id="more than the share"),
        pytest.param("0", 0, False, id="none, and none is"),
        pytest.param("2.5 %", 3, True, id="a fraction"),
        pytest.param("7", 8, True, id="more than the number"),
        pytest.param("100%", 100, False, id="anything"),
    ],
)
def test_limits(text: str, removed: int, exceeded: bool) -> None:
    urls = undated(*map(str, range(100)))
    difference = Difference(urls, urls[removed:])
    assert len(list(violations(difference, [text]))) == exceeded
    assert not list(violations(Difference([], []), [text])), "an empty site can lose nothing"


@pytest.mark.parametrize("text", ["", "%", "-1", "5.5", "101%", "1e3", "\u0665", "nan%"])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(SitemapError, match="is not a limit"):
        list(violations(of_all(), [text]))


def test_text() -> None:
    assert list(difference_text(of_all())) == [
        "6 URLs before, 5 now: 1 added, 2 removed, 2 changed",
        f"+ e/  {MAY}",
        "- old/  redirects to new/",
        "- z/  no redirect",
        f"~ b/  {JANUARY} → {MAY}",
        f"~ d/  {JANUARY} → no date",
    ]
    assert list(warnings(of_all())) == [
        "1 removed address has neither a page nor a redirect: redirect each to the page that replaces it.",
        "1 page lost the date: fetch the whole history if the clone is shallow.",
    ]


def test_lists_that_share_no_address() -> None:
    old, new = "http://e.org/docs/", "https://e.org/docs/"

    def differ(*added: str) -> list[str]:
        return list(warnings(Difference(undated(f"{old}a", f"{old}b/c"), undated(f"{new}a", *added))))

    (message,) = differ()
    assert message.startswith(f"No address is in both lists: OLD has {old}, NEW has {new}.")
    assert differ(f"{old}a") == []
    assert list(warnings(Difference([], undated(new)))) == []


def test_json() -> None:
    assert difference_data(of_all()) == {
        "old": 6,
        "new": 5,
        "counts": {"added": 1, "removed": 2, "changed": 2},
        "lost": 1,
        "added": [{"loc": "e/", "lastmod": MAY}],
        "removed": [
            {"loc": "old/", "lastmod": JANUARY, "found": "redirected", "redirect": "new/", "moved": None},
            {"loc": "z/", "lastmod": JANUARY, "found": "lost", "redirect": None, "moved": None},
        ],
        "changed": [
            {"loc": "b/", "before": JANUARY, "after": MAY},
            {"loc": "d/", "before": JANUARY, "after": None},
        ],
    }


def test_markdown() -> None:
    said = difference_markdown(of_all(), ["Too many."]).splitlines()
    assert said[0] == f"**Sitemap:** {headline(of_all())}"
    assert "> Too many." in said
    assert "| removed | `z/` | no redirect |" in said
    assert "| removed | `old/` | redirects to `new/` |" in said
    assert difference_markdown(Difference([], [])) == (
        "**Sitemap:** 0 URLs before, 0 now: 0 added, 0 removed, 0 changed"
    )


def test_markdown_fits_a_comment_and_holds_no_markup_of_others() -> None:
    hostile = f"https://docs.example.org/`|<img src=x>@everyone{'x' * 1_900}"
    many = undated(*(f"{hostile}{number:05}" for number in range(3_000)))
    said = difference_markdown(Difference([], many))
    assert len(said) < 65_536
    assert "… and 2,9" in said
    for row in said.splitlines()[4:-1]:
        assert (row.count("|"), row.count("`")) == (4, 5)


@pytest.mark.parametrize("target", ["a\nhttps://x.org/\tadded\t", "\\n\t\r\x85\u2028\0", "é\udc80"])
def test_a_target_survives_whatever_a_page_names(target: str) -> None:
    (change,) = Difference(undated("a"), [], lambda _: Outcome("redirected", target)).changes()
    assert change.target == target.replace("\udc80", "\\udc80")


# Where pages have moved


LINES = {
    "netlify": ["/copied/ /part/ 301", "/old/ /guide/new/ 301"],
    "sphinx-reredirects": ['"copied": "../part/",', '"old": "../guide/new/",'],
    "mkdocs-redirects": ["'copied.md': 'part.md'", "'old.md': 'guide/new.md'"],
}


def test_a_page_that_moved_once_is_named_and_redirected(mkdocs_project):
    """Two builds with five pages that have gone: moved, moved twice, merged, moved and split, and removed."""
    names = ("old", "twice", "into", "copied", "gone")
    texts = {f"{name}.md": f"# {name}\n\n" + f"A line about {name}.\n" * 9 for name in names}
    project = mkdocs_project({"index.md": "# Home", "guide/index.md": "# Guide", **texts})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build(site_dir=str(project.root / "before"))
    git(project.root, "mv", "docs/old.md", "docs/guide/new.md")
    git(project.root, "mv", "docs/twice.md", "docs/once.md")
    git(project.root, "rm", "-q", "docs/gone.md", "docs/into.md")
    git(project.root, "commit", "-q", "-m", "Move")
    git(project.root, "mv", "docs/once.md", "docs/again.md")
    git(project.root, "mv", "docs/copied.md", "docs/part.md")
    git(project.root, "commit", "-q", "-m", "Move again")
    project.build(site_dir=str(project.root / "after"))
    lines = [line for line in run("before", "after").out.splitlines() if line.startswith("- ")]
    assert lines == [
        f"- {BASE}copied/  → {BASE}part/, no redirect",
        f"- {BASE}gone/  no redirect",
        f"- {BASE}into/  no redirect",
        f"- {BASE}old/  → {BASE}guide/new/, no redirect",
        f"- {BASE}twice/  no redirect",
    ]
    removed = {row["loc"]: row["moved"] for row in run("before", "after", "--json").data["removed"]}
    assert removed[f"{BASE}old/"] == f"{BASE}guide/new/"
    assert removed[f"{BASE}gone/"] is None
    for form in FORMS:
        assert run("before", "after", "--redirects", form).out.splitlines() == LINES[form]
    # Without the records of both builds, nothing is sure.
    assert "→ https" not in run("before/sitemap.xml", "after").out
    assert run("before/sitemap.xml", "after", "--redirects", "netlify").out == ""


# The command


def site(folder: Path, *pages: str) -> Path:
    files = {f"{page}index.html": f"<title>{page}</title>" for page in pages}
    return write(folder, {**files, "sitemap.xml": urlset(*(BASE + page for page in pages))})


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    return site(tmp_path / "old", "", "a/", "b/", "c/"), site(tmp_path / "new", "", "a/", "d/")


def run(*arguments: object) -> Answer:
    return command("diff", *arguments)


def test_the_command_prints_and_warns(places: tuple[Path, Path]) -> None:
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


def test_redirects_that_are_wanted(places: tuple[Path, Path]) -> None:
    """They are an error, which is named once, where they are missing; sitemaps alone have none."""
    done = run(*places, "--require-redirects", "--markdown")
    assert done.err.startswith("error: 2 removed addresses")
    assert (done.out + done.err).count("nor a redirect") == 2  # the table's and this
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
    # Where only sitemaps are, those of a configuration alone.
    sitemaps = [place / "sitemap.xml" for place in places]
    assert run(*sitemaps).out.splitlines()[2:] == [f"- {BASE}b/", f"- {BASE}c/"]
    reported = run(*sitemaps, "--redirects", tmp_path).out.splitlines()
    assert reported[2:] == [f"- {BASE}b/  no redirect", f"- {BASE}c/  redirects to /a"]


def test_many_are_cut_unless_asked_for(tmp_path: Path) -> None:
    old = site(tmp_path / "old", "")
    new = site(tmp_path / "new", "", *(f"{number:03}/" for number in range(60)))
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
