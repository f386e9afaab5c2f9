"""What changed between two lists of URLs, in values and in words."""

import json
import re
import shutil
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
    redirect_line,
    redirect_lines,
    violations,
    warnings,
)
from sitemap_docs.history.moved_pages import MovedPage
from sitemap_docs.model import Row, SitemapError
from sitemap_docs.surroundings import user_cache
from sitemap_docs.webroot import Outcome
from tests.conftest import BASE, REFRESH, Answer, command, git, urlset, write

JANUARY, MAY = "2026-01-31T00:00:00+00:00", "2026-05-31T00:00:00+00:00"
OLD = [("a/", JANUARY), ("b/", JANUARY), ("b/", ""), ("c/", ""), ("d/", JANUARY)]
OLD += [("old/", JANUARY), ("z/", JANUARY)]
NEW = [("a/", JANUARY), ("b/", MAY), ("c/", ""), ("d/", ""), ("e/", MAY)]
FOUND = {"old/": Outcome("redirected", "new/"), "z/": Outcome("lost")}


def of_all() -> Difference:
    return Difference(OLD, NEW, lambda loc, _: FOUND[loc])


def undated(*locs: str) -> list[tuple[str, str]]:
    return [(loc, "") for loc in locs]


def test_the_addresses_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_docs.diff.MAX_ADDRESSES", 4)  # two million take minutes
    assert Difference(undated(*"abcda"), undated(*"cdef")).old == 4
    with pytest.raises(SitemapError, match="more than 4 addresses"):
        Difference(undated(*"abcd"), undated(*"cdefg"))


def test_the_record_shows_the_base_url_of_the_new_folder(here: Path) -> None:
    """The sitemap shows none, because it has no address with a file."""
    write(here, {"old.xml": urlset(f"{BASE}a/", f"{BASE}b/"), "site/a/index.html": "<title>A</title>"})
    flags = ("--base-url", BASE, "--excludes", "*", "--extra-urls", "tool/", "--lastmod", "none")
    assert command("build", "site", *flags).code == 0
    removed = command("diff", "old.xml", "site", "--json").data["removed"]
    assert [(each["loc"], each["found"]) for each in removed] == [
        (f"{BASE}a/", "served"),
        (f"{BASE}b/", "lost"),
    ]


@pytest.mark.parametrize("has_record", [True, False])
@pytest.mark.parametrize(
    ("built_for", "configured", "is_other"),
    [
        pytest.param("https://old.example.org/", "https://new.example.org/", True, id="another host"),
        pytest.param("https://x.example.org/docs/", "https://x.example.org/", True, id="out of its folder"),
        pytest.param("https://x.example.org/", "https://x.example.org/docs/", True, id="into a folder"),
        pytest.param("https://x.example.org/", "https://x.example.org/", False, id="the same"),
        pytest.param(
            "https://x.example.org/2.0/", "https://x.example.org/", False, id="a version of the site"
        ),
    ],
)
def test_a_new_base_url_in_the_configuration_is_told(
    here: Path, built_for: str, configured: str, *, is_other: bool, has_record: bool
) -> None:
    """``diff`` and ``notify`` need the base URL of the sitemap, and ``check`` needs the new one."""
    pages = {f"public/2.0/{name}.html": "<title>A</title>" for name in ("index", "a", "b")}
    write(here, {**pages, "old.xml": urlset(built_for, f"{built_for}a.html", f"{built_for}b.html")})
    built = command(
        "build", "public/2.0", "--base-url", built_for, "--excludes", "b.html", "--lastmod", "none"
    )
    assert built.code == 0, built.err
    if not has_record:
        shutil.rmtree(user_cache())
    write(here, {"pyproject.toml": f"[tool.sitemap-docs]\nbase-url = '{configured}'\n"})
    done = command("diff", "old.xml", "public/2.0", "--json")
    told = (
        f"warning: The sitemap in public/2.0 was built for {built_for}, but the base URL is now "
        f"{configured}, from pyproject.toml. If {configured} is right, build the site again.\n"
    )
    assert done.err == (told if is_other else "")
    (removed,) = done.data["removed"]
    assert (removed["loc"], removed["found"]) == (f"{built_for}b.html", "served")
    noted = command("notify", "old.xml", "public/2.0", "--json")
    assert noted.data["key_location"] == f"{built_for}{{key}}.txt"
    assert (told in noted.err) == is_other
    checked = command("check", "public/2.0", "-v").err
    assert f"base URL {configured} from pyproject.toml" in checked
    if has_record and built_for != configured:
        assert f"no record of the build for this base URL (the last build was for {built_for})" in checked


@pytest.mark.parametrize(
    ("base", "is_other"),
    [
        pytest.param("https://old.example.org/", True, id="another host"),
        pytest.param("https://x.example.org/2.0/", False, id="a version"),
    ],
)
def test_the_configuration_of_a_generator_may_have_the_base_url_of_all_versions(
    here: Path, base: str, *, is_other: bool
) -> None:
    write(here, {"mkdocs.yml": "site_name: x\nsite_url: https://x.example.org/\n"})
    write(here, {"site/a.html": "<title>A</title>", "site/sitemap.xml": urlset(f"{base}a.html")})
    done = command("diff", "site", "site")
    assert done.code == 0
    assert ("the base URL is now https://x.example.org/, from mkdocs.yml" in done.err) == is_other


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
    with pytest.raises(SitemapError, match=r"The limit .* is not valid"):
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
        (
            "1 removed address has neither a page nor a redirect. Redirect each removed address to the page "
            "that replaces it."
        ),
        (
            "1 page had a date in OLD, but not in NEW. If NEW was built in a shallow clone, fetch the whole "
            "history before the build."
        ),
    ]


def test_lists_that_share_no_address() -> None:
    old, new = "http://e.org/docs/", "https://e.org/docs/"

    def differ(*added: str) -> list[str]:
        return list(warnings(Difference(undated(f"{old}a", f"{old}b/c"), undated(f"{new}a", *added))))

    (message,) = differ()
    assert message.startswith(f"OLD and NEW have no address in common: OLD lists {old}, NEW lists {new}.")
    assert differ(f"{old}a") == []
    (message,) = warnings(Difference(undated(f"{old}index.html", f"{old}b.html"), undated(old, f"{old}b/")))
    assert f"the style of the addresses has changed: OLD lists {old}b.html, NEW lists {old}b/." in message
    (message,) = warnings(Difference(undated(f"{old}a", f"{old}b"), undated(f"{old}c", f"{old}d")))
    assert f"although both list pages below {old}. Check that both are builds of the same site" in message
    assert list(warnings(Difference([], undated(new)))) == []


def test_host_without_html_is_known_from_the_addresses_of_two_sitemaps(tmp_path: Path) -> None:
    """A host such as Cloudflare Pages redirects ``a.html`` to ``a``, so a rule for ``a`` applies to both."""
    old = ("a.html", "b.html", "c.html", "d/index.html")
    new = ("b", "d/", "new")
    redirects = write(tmp_path, {"_redirects": "/a /new\n"}) / "_redirects"

    def found(host: str) -> dict[str, tuple[str, str | None]]:
        for name, paths in {"old.xml": old, "new.xml": new}.items():
            write(tmp_path, {name: urlset(*(f"https://{host}/{path}" for path in paths))})
        done = command("diff", tmp_path / "old.xml", tmp_path / "new.xml", "--redirects", redirects, "--json")
        removed = json.loads(done.out)["removed"]
        return {
            change["loc"].partition("dev/")[2]: (change["found"], change["redirect"]) for change in removed
        }

    site = "https://docs.pages.dev/"
    assert found("docs.pages.dev") == {
        "a.html": ("redirected", "/new"),
        "b.html": ("redirected", f"{site}b"),
        "c.html": ("lost", None),
        "d/index.html": ("redirected", f"{site}d/"),
    }
    assert found("docs.example.dev") == dict.fromkeys(old, ("lost", None))


def test_a_page_that_only_loses_its_ending_redirects_if_it_is_still_listed(tmp_path: Path) -> None:
    """Cloudflare Pages serves ``a.html`` as ``/a``."""
    site = "https://docs.pages.dev/"
    old = [f"{site}{name}.html" for name in ("a", "hidden", "forced", "moved", "gone")]
    pages = dict.fromkeys(("a.html", "hidden.html", "forced.html"), "")
    pages["moved.html"] = REFRESH.format("a")
    new = write(
        tmp_path / "new", {**pages, "_redirects": "/forced /a 301", "sitemap.xml": urlset(f"{site}a")}
    )
    write(tmp_path, {"old.xml": urlset(*old)})
    done = command("diff", tmp_path / "old.xml", new, "--json")
    found = {each["loc"].removeprefix(site): each["found"] for each in done.data["removed"]}
    assert found == {
        "a.html": "redirected",
        "forced.html": "redirected",
        "gone.html": "lost",
        "hidden.html": "served",
        "moved.html": "redirected",
    }


def test_json() -> None:
    assert difference_data(of_all()) == {
        "old": 6,
        "new": 5,
        "counts": {"added": 1, "removed": 2, "changed": 2},
        "lost": 1,
        "added": [{"loc": "e/", "lastmod": MAY}],
        "removed": [
            {
                "loc": "old/",
                "lastmod": JANUARY,
                "found": "redirected",
                "redirect": "new/",
                "moved": None,
                "unmoved": None,
            },
            {
                "loc": "z/",
                "lastmod": JANUARY,
                "found": "lost",
                "redirect": None,
                "moved": None,
                "unmoved": None,
            },
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
    (change,) = Difference(undated("a"), [], lambda *_: Outcome("redirected", target)).changes()
    assert change.target == target.replace("\udc80", "\\udc80")


# Where pages have moved


LINES = {
    "netlify": ["/copied/ /part/ 301", "/old/ /guide/new/ 301", "/twice/ /again/ 301"],
    "sphinx-reredirects": ['"copied": "../part/",', '"old": "../guide/new/",', '"twice": "../again/",'],
    "mkdocs-redirects": ["'copied.md': 'part.md'", "'old.md': 'guide/new.md'", "'twice.md': 'again.md'"],
    "table": [
        "| From URL | To URL |",
        "|---|---|",
        "| /copied/ | /part/ |",
        "| /old/ | /guide/new/ |",
        "| /twice/ | /again/ |",
    ],
}


@pytest.mark.parametrize("old", ["a folder with a record", "a file", "an address"])
def test_pages_that_moved_are_found_by_the_new_record_and_git(mkdocs_project, loopback, old: str) -> None:
    """Five pages have gone: moved, moved twice, merged into another, moved and split, and removed."""
    names = ("old", "twice", "into", "copied", "gone")
    texts = {f"{name}.md": f"# {name}\n\n" + f"A line about {name}.\n" * 9 for name in names}
    project = mkdocs_project({"index.md": "# Home", "guide/index.md": "# Guide", **texts})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build(site_dir=str(project.root / "before"))
    git(project.root, "mv", "docs/old.md", "docs/guide/new.md")
    git(project.root, "mv", "docs/twice.md", "docs/once.md")
    git(project.root, "rm", "-q", "docs/gone.md", "docs/into.md")
    git(project.root, "commit", "-q", "-m", "Move")
    removal = git(project.root, "rev-parse", "--short=8", "HEAD").strip()
    git(project.root, "mv", "docs/once.md", "docs/again.md")
    git(project.root, "mv", "docs/copied.md", "docs/part.md")
    git(project.root, "commit", "-q", "-m", "Move again")
    project.build(site_dir=str(project.root / "after"))
    place = "before"
    if old != "a folder with a record":
        place = "deployed.xml"
        (project.root / "before/sitemap.xml").rename(place)
        shutil.rmtree("before")
    if old == "an address":
        loopback.serve("/sitemap.xml", (project.root / place).read_bytes())
        place = loopback.url("/sitemap.xml")
    lines = [line for line in run(place, "after").out.splitlines() if line.startswith("- ")]
    assert lines == [
        f"- {BASE}copied/  → {BASE}part/, no redirect",
        f"- {BASE}gone/  no redirect, docs/gone.md was deleted (in {removal}), not renamed",
        f"- {BASE}into/  no redirect, docs/into.md was deleted (in {removal}), not renamed",
        f"- {BASE}old/  → {BASE}guide/new/, no redirect",
        f"- {BASE}twice/  → {BASE}again/, no redirect",
    ]
    removed = {row["loc"]: row for row in run(place, "after", "--json").data["removed"]}
    moved, gone = removed[f"{BASE}old/"], removed[f"{BASE}gone/"]
    assert (moved["moved"], moved["unmoved"]) == (f"{BASE}guide/new/", None)
    assert (gone["moved"], gone["unmoved"]) == (None, "not renamed")
    for form in FORMS:
        done = run(place, "after", "--redirects", form)
        assert done.out.splitlines() == LINES[form]
        assert "It is unknown" not in done.err
    assert "Git shows that 3 pages moved" in run(place, "after").err


def test_pages_that_moved_while_the_style_of_all_addresses_changed(mkdocs_project) -> None:
    """A source that stayed leads to its new address, too. Without a source, the reason is printed."""
    texts = {f"{name}.md": f"# {name}\n\n" + f"A line about {name}.\n" * 9 for name in ("old", "stays")}
    project = mkdocs_project({"index.md": "# Home", "hidden.md": "# Hidden", **texts})
    project.commit("2024-01-01T00:00:00+00:00")
    project.configure(use_directory_urls=False)
    project.build()
    listed = (project.site / "sitemap.xml").read_text()
    shutil.rmtree(project.site)
    assert f"<loc>{BASE}old.html</loc>" in listed
    deployed = project.root / "old.xml"
    deployed.write_text(listed.replace("</urlset>", f"<url><loc>{BASE}tags.html</loc></url></urlset>"))
    (project.docs / "guide").mkdir()
    git(project.root, "mv", "docs/old.md", "docs/guide/new.md")
    project.configure(use_directory_urls=True, options={"excludes": ["hidden*"]})
    project.commit("2024-01-02T00:00:00+00:00")
    project.build()
    done = run(deployed, project.site)
    assert [line for line in done.out.splitlines() if line.startswith("- ")] == [
        f"- {BASE}hidden.html  no redirect, its source docs/hidden.md still exists",
        f"- {BASE}index.html  still served, but not listed",
        f"- {BASE}old.html  → {BASE}guide/new/, no redirect",
        f"- {BASE}stays.html  → {BASE}stays/, no redirect",
        f"- {BASE}tags.html  no redirect, source unknown (git shows no file for this address)",
    ]
    unknown = "It is unknown whether 1 removed page moved, because git shows no source file for such an"
    assert f"info: {unknown}" in done.err
    done = run(deployed, project.site, "--redirects", "table")
    assert done.out.splitlines()[2:] == ["| /old.html | /guide/new/ |", "| /stays.html | /stays/ |"]
    assert f"warning: {unknown}" in done.err
    for form in ("mkdocs-redirects", "sphinx-reredirects"):
        done = run(deployed, project.site, "--redirects", form)
        assert (done.out, "cannot redirect 2 moved pages" in done.err) == ("", True)


def test_a_table_shows_where_pages_moved_and_escapes_their_sources(sphinx_project) -> None:
    """A pull request may add a file with any name. Sphinx leaves the HTML files of earlier builds."""
    project = sphinx_project("a", "<img>")
    project.commit("2024-01-01T00:00:00+00:00")
    project.build()
    (project.out / "sitemap.xml").rename(project.root / "old.xml")
    git(project.root, "mv", "src/a.rst", "src/b.rst")
    git(project.root, "rm", "-q", "src/<img>.rst")
    project.commit("2024-01-02T00:00:00+00:00")
    project.build()
    table = run(project.root / "old.xml", project.out, "--markdown").out
    assert f"| removed | `{BASE}a.html` | → `{BASE}b.html`, still served, but not listed |" in table
    assert "still served, but not listed, `src/<img>.rst` was deleted (in " in table
    shutil.rmtree(project.out)
    shutil.rmtree(project.root / "trees")
    project.build()
    table = run(project.root / "old.xml", project.out, "--markdown").out
    assert f"| removed | `{BASE}a.html` | → `{BASE}b.html`, no redirect |" in table
    assert "no redirect, `src/<img>.rst` was deleted (in " in table


def test_a_clone_without_the_history_is_a_reason_with_an_advice(mkdocs_project, tmp_path: Path) -> None:
    project = mkdocs_project({"index.md": "# Home", "a.md": "# A"})
    project.commit("2024-01-01T00:00:00+00:00")
    project.build()
    deployed = tmp_path / "deployed.xml"
    deployed.write_bytes((project.site / "sitemap.xml").read_bytes())
    git(project.root, "mv", "docs/a.md", "docs/b.md")
    project.commit("2024-01-02T00:00:00+00:00")
    git(project.root, "commit", "-q", "--allow-empty", "-m", "Empty")
    git(tmp_path, "clone", "-q", "--depth=1", project.root.as_uri(), "clone")
    project.config(config_file_path=str(tmp_path / "clone/mkdocs.yml"))
    clone = type(project)(tmp_path / "clone")
    clone.build()
    done = run(deployed, clone.site)
    assert f"- {BASE}a/  no redirect, unknown whether it moved: the clone is shallow" in done.out
    assert "info: It is unknown whether 1 removed page moved, because this clone is shallow." in done.err
    done = run(deployed, clone.site, "--redirects", "netlify")
    assert (done.out, "warning: It is unknown" in done.err) == ("", True)
    shutil.rmtree(tmp_path / "clone/.git")
    assert "unknown whether it moved: no git repository" in run(deployed, clone.site).out


# Redirects


def moved_page(loc: str, source: str) -> MovedPage:
    return MovedPage(BASE + loc, Row("c/index.html", f"{BASE}c/"), source, "docs/c.md")


@pytest.mark.parametrize(
    ("loc", "source", "form", "line"),
    [
        ("a%20b/", "docs/a b.md", "netlify", "/a%20b/ /c/ 301"),
        ("a%20b/", "docs/a b.md", "sphinx-reredirects", '"a b": "../c/",'),
        ("a%20b/", "docs/a b.md", "mkdocs-redirects", "'a b.md': 'c.md'"),
        ("x*y/:z /", "docs/x.md", "netlify", "/x%2Ay/%3Az%20/ /c/ 301"),
        ("x/", 'docs/x", "y.md', "sphinx-reredirects", r'"x\", \"y": "../c/",'),
        ("x/", "docs/it's.md", "mkdocs-redirects", "\"it's.md\": 'c.md'"),
        ("x/", "docs/x\n.md", "mkdocs-redirects", r""""x\n.md": 'c.md'"""),
        ("x/", "other/x.md", "netlify", "/x/ /c/ 301"),
        ("x/", "other/x.md", "sphinx-reredirects", None),
    ],
)
def test_a_redirect_in_each_form(loc: str, source: str, form: str, line: str | None) -> None:
    assert redirect_line(moved_page(loc, source), form) == line


@pytest.mark.parametrize(
    ("sources", "advice"),
    [
        (["other/x.md"], "cannot redirect 1 moved page, because .* Redirect this page yourself: "),
        (["other/x.md", "z.md"], "cannot redirect 2 moved pages, because .* Redirect these pages yourself, "),
    ],
)
def test_pages_that_a_form_cannot_redirect(sources: list[str], advice: str) -> None:
    pages = [moved_page("y/", "docs/y.md"), *(moved_page("x/", source) for source in sources)]
    redirects = redirect_lines(pages, "mkdocs-redirects")
    assert redirects.lines == ("'y.md': 'c.md'",)
    assert re.search(advice, redirects.problem)
    assert redirect_lines([], "table") == ((), "")


@pytest.mark.parametrize("flag", ["--json", "--markdown"])
def test_redirects_are_no_json_and_no_comment(places: tuple[Path, Path], flag: str) -> None:
    done = run(*places, flag, "--redirects", "table")
    assert (done.code, done.out) == (2, "")
    assert f"{flag} and --redirects table cannot be combined" in done.err


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
        f"- {BASE}b/  no redirect, source unknown (there is no record of the build)",
        f"- {BASE}c/  no redirect, source unknown (there is no record of the build)",
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
    # Sitemaps alone have no redirects but those of a file that is passed.
    sitemaps = [place / "sitemap.xml" for place in places]
    unknown = "source unknown (there is no record of the build)"
    assert run(*sitemaps).out.splitlines()[2:] == [f"- {BASE}b/  {unknown}", f"- {BASE}c/  {unknown}"]
    reported = run(*sitemaps, "--redirects", tmp_path).out.splitlines()
    assert reported[2:] == [f"- {BASE}b/  no redirect, {unknown}", f"- {BASE}c/  redirects to /a"]


RULES = 'redirects = [{from = "/b/*", to = "/a"}]\n[build]\npublish = "new"\n'


@pytest.mark.parametrize(
    ("platform", "folder", "is_found"),
    [
        pytest.param("true", ".", True, id="on Netlify"),
        pytest.param("true", "new", False, id="in the folder that is deployed"),
        pytest.param("", ".", False, id="elsewhere"),
    ],
)
@pytest.mark.parametrize("here", [".", "new", "another"])
def test_netlify_toml_is_found_as_in_builds(
    places, monkeypatch, platform: str, folder: str, here: str, is_found: bool
) -> None:
    """It is in the project, and the command may run in the folder of another project."""
    root = places[1].parent
    git(root, "init", "-q")
    git(root, "init", "-q", "another")
    write(root / folder, {"netlify.toml": RULES})
    monkeypatch.setenv("NETLIFY", platform)
    monkeypatch.chdir(root / here)
    outcomes = {row["loc"]: row["found"] for row in run(*places, "--json").data["removed"]}
    assert outcomes[f"{BASE}b/"] == ("redirected" if is_found else "lost")


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
