"""Which page of the canonical version replaces an old page: the same path, a redirect, or a rename in git."""

import json
import os
import re
import runpy
import shlex
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from sitemap_docs import api
from tests.conftest import (
    NOINDEX,
    REFRESH,
    MkDocsProject,
    canonical,
    command,
    commit,
    git,
    html_page,
    mike_deploy,
    passed,
    urlset,
    write,
)

pytestmark = pytest.mark.once

BASE = "https://x.org/"
TEXT = "".join(f"Line {number} of a page that is long enough to be recognised.\n\n" for number in range(9))


def head_of(file: Path) -> str:
    """The canonical link of a page below the base URL, or ``noindex``."""
    text = file.read_text("utf-8")
    if NOINDEX[:-1] in text.replace("\n", ""):
        return "noindex"
    return text.partition(f'href="{BASE}')[2].partition('"')[0]


def join(tree: Path, *flags: object, version: str = "2.0", code: int = 0):
    canonical_flags = ["--canonical-version", version, "--old-versions", "canonical"]
    result = command("join", tree, "--base-url", BASE, *canonical_flags, *flags)
    assert result.code == code, result.err
    return result


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    names = ("1.0/index.html", "1.0/a.html", "1.0/b.html", "2.0/index.html", "2.0/guide/a.html")
    return write(tmp_path / "tree", dict.fromkeys(names, html_page()))


def test_the_target_of_a_redirect_in_the_canonical_version(tree: Path) -> None:
    write(tree, {"2.0/a.html": html_page(REFRESH.format("guide/a.html#part"))})
    said = join(tree).out
    assert head_of(tree / "1.0/index.html") == "2.0/"
    assert head_of(tree / "1.0/a.html") == "2.0/guide/a.html"
    assert head_of(tree / "1.0/b.html") == "noindex"
    assert said.endswith(
        "; edited 3 pages in 1.0/; old versions have 1 canonical link to the same page, "
        "1 to a page that moved, and 1 noindex\n"
    )
    again = join(tree, "--json").data
    assert again["edited"] == {}
    assert again["replacements"] == {"same": 1, "moved": 1, "gone": 1}


@pytest.mark.parametrize("style", ["a/index.html", "a.html"])
def test_a_redirect_in_another_style_of_addresses(tree: Path, style: str) -> None:
    write(tree, {f"2.0/{style}": html_page(REFRESH.format(f"{BASE}2.0/guide/a.html"))})
    (tree / "1.0/a.html").unlink()
    write(tree, {"1.0/a/index.html": html_page()})
    join(tree)
    assert head_of(tree / "1.0/a/index.html") == "2.0/guide/a.html"


@pytest.mark.parametrize(
    ("links", "shown"),
    [
        (("2.0/b.html", "2.0/a.html"), "2.0/a.html"),  # the links contradict each other
        (("2.0/guide/a.html",), "2.0/guide/a.html"),
        (("2.0/guide/gone.html",), "2.0/a.html"),
        (("1.0/b.html",), "2.0/a.html"),
        (("2.0/a",), "2.0/a"),
    ],
)
@pytest.mark.parametrize("origin", [BASE, "http://www.x.org/"])
def test_canonical_links_of_the_new_page_are_read_as_in_a_build(
    tree: Path, origin: str, links: tuple[str, ...], shown: str
) -> None:
    head = "".join(canonical(origin + link) for link in links)
    write(tree, {"2.0/a.html": html_page(head), "2.0/b.html": html_page()})
    join(tree)
    assert head_of(tree / "1.0/a.html") == shown


LISTED = ("2.0/index.html", "2.0/a.html", "2.0/b/index.html")


def addresses_in(sitemap: Path) -> list[str]:
    return sorted(loc.removeprefix(BASE) for loc in re.findall("<loc>(.*?)</loc>", sitemap.read_text()))


@pytest.mark.parametrize(
    ("links", "is_flat", "spelled"),
    [
        ("auto", False, ["2.0/", "2.0/a.html", "2.0/b/"]),
        ("auto", True, ["2.0/a.html", "2.0/b/index.html", "2.0/index.html"]),
        ("folders", True, ["2.0/", "2.0/a.html", "2.0/b/"]),
        ("clean", False, ["2.0/", "2.0/a", "2.0/b/"]),
        ("bare", False, ["2.0/", "2.0/a", "2.0/b"]),
    ],
)
def test_a_link_to_the_new_page_is_spelled_as_in_the_sitemap_of_its_version(
    tmp_path: Path, links: str, is_flat: bool, spelled: list[str]
) -> None:
    """Even a new page that the sitemap does not list gets an address in the same style."""
    listed = [name.partition("/")[2] for name in LISTED]
    names = [f"{version}/{name}" for version in ("1.0", "2.0") for name in (*listed, "c/index.html")]
    tree = write(tmp_path / "tree", {name: html_page(f"<title>{name}</title>") for name in names})
    if is_flat:
        docnames = {"docnames": ["index", "a", "b/index", "c/index"]}
        write(
            tree,
            {
                "2.0/searchindex.js": f"Search.setIndex({json.dumps(docnames)})",
                "2.0/search.html": html_page(NOINDEX),
            },
        )
    flags = ("--links", links, "--excludes", "c/*", "--base-url", f"{BASE}2.0/")
    passed("build", tree / "2.0", *flags)
    assert addresses_in(tree / "2.0/sitemap.xml") == spelled
    join(tree)
    assert sorted(head_of(tree / f"1.0/{name}") for name in listed) == spelled
    (in_folder,) = (path for path in spelled if path.startswith("2.0/b"))
    assert head_of(tree / "1.0/c/index.html") == in_folder.replace("b", "c")


def test_redirects_of_the_host(tree: Path) -> None:
    write(tree, {"_redirects": "/2.0/a.html /2.0/guide/a.html 301\n/2.0/b.html /2.0/old/b 301\n"})
    join(tree)
    assert head_of(tree / "1.0/a.html") == "2.0/guide/a.html"
    assert head_of(tree / "1.0/b.html") == "noindex", "the redirect leads to nothing"


@pytest.mark.parametrize(
    "target",
    [
        "https://elsewhere.org/a.html",
        "../1.0/b.html",
        "missing.html",
        "hidden.html",
        "loop.html",
        pytest.param("forced.html", id="the host answers with an error"),
        pytest.param("https://elsewhere.org/moved.html", id="a rule of this host for another host"),
    ],
)
def test_a_redirect_that_leads_to_no_page_for_search_engines(tree: Path, target: str) -> None:
    write(tree, {
        "_redirects": "/2.0/forced.html /404 404!\n/moved.html https://x.org/2.0/guide/a.html 301\n",
        "2.0/forced.html": html_page(),
        "2.0/a.html": html_page(REFRESH.format(target)),
        "2.0/hidden.html": html_page(NOINDEX),
        "2.0/loop.html": html_page(REFRESH.format("a.html")),
    })  # fmt: skip
    join(tree)
    assert head_of(tree / "1.0/a.html") == "noindex"


@pytest.mark.parametrize(
    ("redirects", "target"),
    [
        pytest.param(2, "2.0/guide/a.html", id="two"),
        pytest.param(10, "2.0/guide/a.html", id="as many as search engines follow"),
        pytest.param(11, "noindex", id="more than search engines follow"),
    ],
)
def test_a_chain_of_redirects(tree: Path, redirects: int, target: str) -> None:
    names = ["a.html", *(f"step{number}.html" for number in range(redirects - 1)), "guide/a.html"]
    for name, next_name in pairwise(names):
        write(tree, {f"2.0/{name}": html_page(REFRESH.format(next_name))})
    join(tree)
    assert head_of(tree / "1.0/a.html") == target


@pytest.mark.parametrize("name", ["a.html", "linked.html"])
def test_a_page_with_a_noindex_header_replaces_no_old_page(tree: Path, name: str) -> None:
    headers = f"/2.0/{name}\n  X-Robots-Tag: noindex\n"
    link = canonical(f"{BASE}2.0/linked.html")
    write(tree, {"_headers": headers, "2.0/a.html": html_page(link), "2.0/linked.html": html_page()})
    join(tree)
    assert head_of(tree / "1.0/a.html") == ("noindex" if name == "a.html" else "2.0/a.html")


@pytest.mark.parametrize(
    ("rule", "replacement"),
    [
        ("/2.0/a.html /2.0/guide/a.html 301!", "2.0/guide/a.html"),
        ("/2.0/a.html /2.0/missing.html 301!", "noindex"),
        ("/2.0/a.html /2.0/guide/a.html 301", "2.0/a.html"),
    ],
)
def test_a_forced_redirect_of_a_page_that_exists(tree: Path, rule: str, replacement: str) -> None:
    write(tree, {"_redirects": f"{rule}\n", "2.0/a.html": html_page()})
    join(tree)
    assert head_of(tree / "1.0/a.html") == replacement


def test_an_old_page_that_the_host_hides_or_redirects_is_not_edited(tree: Path) -> None:
    write(tree, {
        "_headers": "/1.0/hidden/\n  X-Robots-Tag: noindex\n",
        "_redirects": "/1.0/b.html /2.0/ 301!\n",
        "1.0/hidden/index.html": html_page(),
    })  # fmt: skip
    join(tree)
    assert head_of(tree / "1.0/hidden/index.html") == head_of(tree / "1.0/b.html") == ""
    assert head_of(tree / "1.0/a.html") == "noindex"


def test_a_rule_that_repeats_the_address_of_the_home_page_is_no_redirect_of_the_version(tree: Path) -> None:
    write(tree, {"_redirects": "/2.0/ /2.0 301!\n"})
    join(tree)
    assert head_of(tree / "1.0/index.html") == "2.0/"


def test_the_root_of_the_tree_replaces_pages_outside_of_the_folders_of_versions(tmp_path: Path) -> None:
    names = ["index.html", "a.html", "c.html", "1.0/index.html", "1.0/a.html", "1.0/b.html", "1.0/2.0/a.html"]
    names += ["2.0/index.html", "2.0/a.html", "de/index.html", "de/1.0/index.html", "fr/1.0/index.html"]
    tree = write(tmp_path, dict.fromkeys(names, "")) and write(
        tmp_path, {name: html_page(f"<!-- {name} -->") for name in names}
    )
    for version in ("/", ".", "./"):
        done = join(tree, "--json", version=version).data
    assert head_of(tree / "1.0/a.html") == head_of(tree / "2.0/a.html") == "a.html"
    assert head_of(tree / "1.0/index.html") == ""
    assert '<link rel="canonical" href="https://x.org/"' in (tree / "1.0/index.html").read_text()
    assert head_of(tree / "1.0/b.html") == "noindex"
    assert head_of(tree / "1.0/2.0/a.html") == "noindex", "2.0/a.html is a page of another old version"
    assert head_of(tree / "de/1.0/index.html") == "de/"
    assert "data-sitemap-docs" not in (tree / "a.html").read_text() + (tree / "de/index.html").read_text()
    assert [each["where"] for each in done["findings"] if each["rule"] == "old-version-alone"] == ["fr/1.0/"]


def test_the_sitemap_of_the_root_stays_if_nothing_else_is_joined(tmp_path: Path) -> None:
    names = ["index.html", "a.html", "1.0/index.html", "1.0/a.html", "latest/index.html"]
    write(tmp_path, {name: html_page(f"<!-- {name} -->") for name in names})
    write(tmp_path, {"latest/index.html": html_page(REFRESH.format("../"))})
    assert "pass `--canonical-version /`" in join(tmp_path, version="latest", code=2).err
    with pytest.raises(api.SitemapError, match="pass the option `canonical_version=/`"):
        api.join(tmp_path, base_url=BASE, canonical_version="latest", old_versions="canonical")
    build = ["build", tmp_path, "--base-url", BASE, "--lastmod", "none"]
    assert command(*build).code == 0
    assert "a page of the old version 1.0/" in join(tmp_path, version="/", code=2).err
    assert command(*build, "--excludes", "1.0/*").code == 0
    sitemap = (tmp_path / "sitemap.xml").read_bytes()
    done = join(tmp_path, "--json", version="/").data
    assert (done["joined"], done["edited"]) == ([f"{BASE}sitemap.xml"], {"1.0/": 2})
    assert (tmp_path / "sitemap.xml").read_bytes() == sitemap
    assert f"Sitemap: {BASE}sitemap.xml" in (tmp_path / "robots.txt").read_text()
    assert command("check", tmp_path, "--json").data["findings"] == []
    write(tmp_path, {"guide/sitemap.xml": (sitemap.replace(BASE.encode(), f"{BASE}guide/".encode()))})
    assert "--filename sitemap-index.xml" in join(tmp_path, version="/", code=2).err
    done = join(tmp_path, "--json", "--filename", "sitemap-index.xml", version="/").data
    assert done["joined"] == [f"{BASE}sitemap.xml", f"{BASE}guide/sitemap.xml"]


@pytest.mark.parametrize("made_by", [[], ["--gzip", "instead"], ["--filename", "sitemap_index.xml"]])
def test_the_line_that_builds_the_sitemap_of_the_root_without_old_versions(
    tmp_path: Path, made_by: list[str]
) -> None:
    tree = tmp_path / "all versions"
    names = ["a.html", "1.0/index.html", "1.0/b.html", "2.0/index.html", "2.0/b.html"]
    write(tree, {name: html_page(f"<!-- {name} -->") for name in ("index.html", *names)})
    passed("build", tree, "--base-url", BASE, "--lastmod", "none", *made_by)
    said = join(tree, version="/", code=2).err
    _, _, line = said.partition("Build the sitemap again without old versions: sitemap-docs ")
    passed(*shlex.split(line))
    result = join(tree, *made_by, "--json", version="/").data
    assert result["edited"] == {"1.0/": 2, "2.0/": 2}
    assert command("check", tree, "--base-url", BASE, "--json").data["findings"] == []


@pytest.mark.parametrize("treatment", ["canonical", "noindex"])
def test_the_sitemap_of_the_root_must_not_list_edited_pages(tmp_path: Path, treatment: str) -> None:
    names = ["index.html", "1.0/index.html", "1.0/b.html", "2.0/index.html", "2.0/b.html"]
    write(tmp_path, {name: html_page(f"<!-- {name} -->") for name in names})
    passed("build", tmp_path / "2.0", "--base-url", f"{BASE}2.0/", "--lastmod", "none")
    passed("build", tmp_path, "--base-url", BASE, "--lastmod", "none")
    before = {name: (tmp_path / name).read_bytes() for name in names}
    flags = ["join", tmp_path, "--base-url", BASE, "--canonical-version", "2.0"]
    flags += ["--filename", "sitemap-index.xml"]
    refused = command(*flags, "--old-versions", treatment)
    assert refused.code == 2
    assert f"sitemap.xml lists {BASE}1.0/, a page of the old version 1.0/. Build the sitemap " in refused.err
    assert not (tmp_path / "sitemap-index.xml").exists()
    assert {name: (tmp_path / name).read_bytes() for name in names} == before
    assert passed(*flags, "--json").data["edited"] == {}, "pages that no version edits may be listed"
    _, _, line = refused.err.partition("again without old versions: sitemap-docs ")
    passed(*shlex.split(line))
    assert passed(*flags, "--old-versions", treatment, "--json").data["edited"] == {"1.0/": 2}
    assert command("check", tmp_path, "--base-url", BASE, "--json").data["findings"] == []


def test_the_version_in_the_top_folder_is_one_of_the_versions(tmp_path: Path, monkeypatch) -> None:
    names = ("index.html", "guide/index.html", "1.0/index.html", "2.0/index.html")
    write(tmp_path, dict.fromkeys(names, html_page()))
    (tmp_path / "latest").symlink_to(".")
    listed = "There is no version {}. The versions are: /, 1.0, 2.0."
    assert listed.format("'latest'") in join(tmp_path, version="latest", code=2).err
    record = ["--version-record", f"3.0={tmp_path / 'record.jsonl'}"]
    assert listed.format("'3.0'") in join(tmp_path, *record, version="/", code=2).err
    monkeypatch.chdir(tmp_path)
    said = join(tmp_path, "--version-record", "/=record.jsonl", version="/", code=2).err
    assert "Pass the record that the build of / has written." in said

    def versions_of(home: str) -> str:
        write(tmp_path, {"index.html": html_page(REFRESH.format(home))})
        return join(tmp_path, version="latest", code=2).err.partition("The versions are: ")[2]

    assert versions_of("guide/") == "/, 1.0, 2.0.\n"
    assert versions_of("2.0/") == "1.0, 2.0.\n"
    (tmp_path / "index.html").unlink()
    write(tmp_path, {"en/1.0/index.html": html_page(), "en/index.html": html_page()})
    assert "The versions are: /, 1.0" in join(tmp_path, version="latest", code=2).err


def test_a_single_sitemap_of_the_root_is_no_index(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(["index.html", "a.html", "1.0/index.html"], html_page()))
    build = ["build", tmp_path, "--base-url", BASE, "--lastmod", "none", "--excludes", "1.0/*"]
    passed(*build)
    assert "--filename sitemap-index.xml" in join(tmp_path, "--index", "true", version="/", code=2).err
    flags = ["--index", "true", "--filename", "sitemap-index.xml", "--json"]
    assert "sitemap-index.xml" in join(tmp_path, *flags, version="/").data["files"]
    passed(*build, "--index", "true")
    index = (tmp_path / "sitemap.xml").read_bytes()
    join(tmp_path, "--index", "true", version="/")
    assert (tmp_path / "sitemap.xml").read_bytes() == index


def test_a_join_keeps_a_part_that_the_build_has_copied_from_the_sources(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, {"mkdocs.yml": "site_name: x\nsite_dir: tree\n"})
    monkeypatch.chdir(tmp_path)
    for version in ("1.0", "2.0"):
        write(tmp_path, dict.fromkeys([f"tree/{version}/index.html", f"tree/{version}/b.html"], html_page()))
        passed("build", f"tree/{version}", "--base-url", f"{BASE}{version}/")
    write(tmp_path, dict.fromkeys(["parts/index.html", "parts/b.html"], html_page()))
    passed("build", "parts", "--base-url", BASE, "--max-urls", "1")
    first, second = sorted((tmp_path / "parts").glob("sitemap-*.xml"))
    part, text = first.name, first.read_bytes()
    write(tmp_path, {f"tree/{part}": text, f"docs/{part}": text, f"tree/{second.name}": second.read_bytes()})
    done = passed("join", "tree", "--base-url", BASE, "--json").data
    assert done["removed"] == [second.name]
    assert (tmp_path / f"tree/{part}").exists()


def test_the_audit_accepts_links_from_several_old_versions_to_the_root(tmp_path: Path) -> None:
    names = ["index.html", *(f"{number}.0/index.html" for number in range(1, 6))]
    write(tmp_path, {name: html_page(f"<!-- {name} -->") for name in names})
    join(tmp_path, version="/")
    flags = ["--base-url", BASE, "--json", "--select", "canonical-to-root-for-many"]
    assert command("check", tmp_path, *flags).data["findings"] == []


def test_a_root_that_redirects_to_a_version_is_not_canonical(tmp_path: Path) -> None:
    write(tmp_path, {"index.html": html_page(REFRESH.format("2.0/"))})
    write(tmp_path, {"1.0/index.html": html_page(), "2.0/index.html": html_page()})
    assert f"is a redirect to {BASE}2.0/: pass that version" in join(tmp_path, version="/", code=2).err
    write(tmp_path, {"index.html": html_page("<!-- new -->"), "_redirects": "/ /2.0/ 301!\n"})
    assert f"{BASE} is a redirect to {BASE}2.0/: pass that version" in join(tmp_path, version="/", code=2).err


PAGES = {"index.md": "# Home", "a.md": f"# A\n\n{TEXT}", "gone.md": f"# Gone\n\n{TEXT[::-1]}"}


@pytest.fixture
def renamed(mkdocs_project: MkDocsProject) -> Path:
    """Versions that MkDocs built before and after a ``git mv``, in the folder ``tree`` of the project."""
    project = mkdocs_project(PAGES, site_url=f"{BASE}1.0/")
    write(project.root, {".gitignore": "/tree/\n/site/\n/cache/\n*.jsonl\n"})
    commit(project.root)
    project.site = project.root / "tree/1.0"
    project.build(site_dir=str(project.site))
    (project.docs / "guide").mkdir()
    git(project.root, "mv", "docs/a.md", "docs/guide/new.md")
    git(project.root, "rm", "-q", "docs/gone.md")
    record = str(project.root / "record.jsonl")
    project.configure(site_url=f"{BASE}2.0/", options={"record": record})
    commit(project.root)
    project.site = project.root / "tree/2.0"
    project.build(site_dir=str(project.site))
    return project.root


def test_a_source_that_was_renamed_in_git(renamed: Path) -> None:
    """Records in the cache do not count, because another machine does not have them."""
    tree = renamed / "tree"
    join(tree, "--record", renamed / "join.jsonl")
    assert head_of(tree / "1.0/a/index.html") == "noindex"
    said = join(tree, "--version-record", f"2.0={renamed / 'record.jsonl'}").out
    join(tree, "--version-record", f"2.0={renamed / 'record.jsonl'}")
    assert head_of(tree / "1.0/a/index.html") == "2.0/guide/new/"
    assert head_of(tree / "1.0/gone/index.html") == "noindex"
    assert "1 to a page that moved, and 1 noindex" in said


def test_a_link_to_a_renamed_page_stays_in_a_join_without_the_record(renamed: Path) -> None:
    """A version that was built again gets the link of the same page in another version."""
    tree = renamed / "tree"
    shutil.copytree(tree / "1.0", tree / "1.1")
    unedited = (tree / "1.1/a/index.html").read_bytes()
    join(tree, "--version-record", f"2.0={renamed / 'record.jsonl'}")
    write(tree, {"1.1/a/index.html": unedited})
    said = join(tree, "--json").data
    assert said["edited"] == {"1.1/": 1}
    assert said["replacements"] == {"same": 2, "moved": 2, "gone": 2}
    assert head_of(tree / "1.0/a/index.html") == head_of(tree / "1.1/a/index.html") == "2.0/guide/new/"
    passed("join", tree, "--base-url", BASE, "--old-versions", "keep")
    join(tree)
    assert head_of(tree / "1.0/a/index.html") == "noindex"


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({}, "2.0/guide/a.html"),
        ({"2.0/guide/a.html": html_page(REFRESH.format("../b.html"))}, "2.0/b.html"),
        ({"2.0/guide/a.html": None, "_redirects": "/2.0/guide/a.html /2.0/b.html 301\n"}, "2.0/b.html"),
        ({"2.0/a.html": html_page()}, "2.0/a.html"),
        ({"2.0/guide/a.html": html_page(NOINDEX)}, "noindex"),
        ({"2.0/guide/a.html": None}, "noindex"),
        ({"1.1/a.html": html_page()}, "2.0/guide/a.html"),
    ],
)
def test_a_link_of_an_earlier_join_stays_while_its_page_is_shown(
    tree: Path, changed: dict[str, str | None], shown: str
) -> None:
    write(tree, {"2.0/a.html": html_page(REFRESH.format("guide/a.html")), "2.0/b.html": html_page()})
    join(tree)
    (tree / "2.0/a.html").unlink()
    for name, text in changed.items():
        if text is None:
            (tree / name).unlink()
        else:
            write(tree, {name: text})
    join(tree)
    assert {head_of(file) for file in tree.glob("1.*/a.html")} == {shown}
    assert join(tree, "--json").data["edited"] == {}


def test_a_link_to_a_former_canonical_version_is_removed(tree: Path) -> None:
    write(tree, {"2.0/a.html": html_page(REFRESH.format("guide/a.html"))})
    join(tree)
    assert head_of(tree / "1.0/a.html") == "2.0/guide/a.html"
    write(tree, {"3.0/index.html": html_page()})
    join(tree, version="3.0")
    assert head_of(tree / "1.0/a.html") == "noindex"


def test_the_record_decides_against_a_link_of_an_earlier_join(renamed: Path) -> None:
    tree = renamed / "tree"
    write(tree, {"_redirects": "/2.0/gone/ /2.0/guide/new/ 301\n"})
    join(tree)
    (tree / "_redirects").unlink()
    join(tree)
    assert head_of(tree / "1.0/gone/index.html") == "2.0/guide/new/"
    join(tree, "--version-record", f"2.0={renamed / 'record.jsonl'}")
    assert head_of(tree / "1.0/gone/index.html") == "noindex"


@pytest.mark.parametrize(("file", "is_reported"), [("mkdocs.yml", False), ("pyproject.toml", True)])
def test_a_record_that_is_only_set_for_the_builds_of_the_plugin_is_kept_without_a_message(
    renamed: Path, file: str, is_reported: bool
) -> None:
    if file == "pyproject.toml":
        write(renamed, {file: '[tool.sitemap-docs]\nrecord = "record.jsonl"\n'})
    built = (renamed / "record.jsonl").read_bytes()
    said = join(renamed / "tree", "--generator-config", renamed / "mkdocs.yml").err
    assert ("did not replace" in said) is is_reported
    assert (renamed / "record.jsonl").read_bytes() == built


def test_a_join_does_not_replace_the_record_of_a_build(renamed: Path) -> None:
    """A later join needs that record. The record of a join is replaced by the next join."""
    tree, record = renamed / "tree", renamed / "record.jsonl"
    built = record.read_bytes()
    kept = f"did not replace {record}, because it is the record of a build"
    assert kept in join(tree, "--record", record).err
    assert record.read_bytes() == built
    said = join(tree, "--record", record, "--version-record", f"2.0={record}")
    assert ("did not replace" in said.err, record.read_bytes()) == (False, built)
    assert head_of(tree / "1.0/a/index.html") == "2.0/guide/new/"
    old = built.replace(b'{"sitemap-docs record":4', b'{"sitemap-docs record":3')
    record.write_bytes(old)
    assert kept in join(tree, "--record", record).err
    assert record.read_bytes() == old
    other = renamed / "join.jsonl"
    join(tree, "--record", other)
    first = other.read_bytes()
    assert "did not replace" not in join(tree, "--record", other, "--filename", "all.xml").err
    assert (b'"all.xml"' in other.read_bytes(), b'"all.xml"' in first) == (True, False)


def test_a_join_of_one_site_does_not_replace_its_record(here: Path) -> None:
    """The sitemap of the site stays, and so does the record of the build."""
    write(here, {"site/index.html": html_page()})
    passed("build", "site", "--base-url", BASE, "--record", "record.jsonl")
    built = (here / "record.jsonl").read_bytes()
    flags = ["--base-url", BASE, "--canonical-version", "/", "--record", "record.jsonl"]
    said = passed("join", "site", *flags)
    assert "did not replace" in said.err
    assert (here / "record.jsonl").read_bytes() == built


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("netlify", "/2.0/a/ /2.0/guide/new/ 301"),
        ("mkdocs-redirects", "'a.md': 'guide/new.md'"),
        ("table", "| From URL | To URL |\n|---|---|\n| /2.0/a/ | /2.0/guide/new/ |"),
    ],
)
def test_redirects_within_the_canonical_version(renamed: Path, form: str, line: str) -> None:
    tree = renamed / "tree"
    before = {file: file.read_bytes() for file in tree.rglob("*") if file.is_file()}
    flags = ["--base-url", BASE, "--canonical-version", "2.0", "--redirects", form]
    assert "pass --version-record 2.0=FILE" in command("join", tree, *flags).err
    with pytest.raises(api.SitemapError, match=r"pass version_record=[{]'2.0': 'FILE'[}]"):
        api.join(tree, base_url=BASE, canonical_version="2.0", redirects=form)
    record = renamed / "record.jsonl"
    result = command("join", tree, *flags, "--version-record", f"2.0={record}")
    assert (result.code, result.out) == (0, f"{line}\n")
    warning = "1 page of older versions cannot be redirected, because its new address is unknown"
    assert warning in result.err
    assert f"{BASE}2.0/gone/ does not exist" in result.err
    link = canonical(f"{BASE}2.0/guide/new/")  # which search engines follow, but readers do not
    gone = tree / "1.0/gone/index.html"
    gone.write_text(html_page(link))
    assert warning in command("join", tree, *flags, "--version-record", f"2.0={record}").err
    gone.write_bytes(before[gone])
    given = ("--version-record", f"2.0={record}", *flags)
    assert command("join", tree, *given, "--strict").code == 1
    assert command("join", tree, *given, "--strict", "--ignore", "redirect-unknown").code == 0
    assert f"--json and --redirects {form} cannot be combined" in command("join", tree, *given, "--json").err
    assert {file: file.read_bytes() for file in tree.rglob("*") if file.is_file()} == before
    joined = api.join(
        tree, base_url=BASE, canonical_version="2.0", version_record={"2.0": record}, redirects=form
    )
    assert joined.redirects == tuple(line.split("\n"))
    (finding,) = joined.published.findings
    assert (finding.rule, finding.where) == ("redirect-unknown", f"{BASE}2.0/gone/")
    assert warning in finding.message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"old_versions": "noidx"}, "`old_versions` must be one of noindex, canonical, keep, not 'noidx'"),
        ({"old_versions": ""}, "`old_versions` must be one of noindex, canonical, keep, not ''"),
        ({"redirects": "nelify"}, "`redirects` must be one of netlify, .*, not 'nelify'"),
        ({"redirects": ""}, "`redirects` must be one of netlify, .*, not ''"),
        ({"redirects": "table", "version_record": "2.0=a"}, "`version_record` must be a mapping from versi"),
        ({"redirects": "table", "version_record": {"2.0": 1}}, "`version_record` must be a mapping from"),
        ({"newest": -1}, "`newest` must be a whole number from 0"),
        ({"merge": "no"}, "`merge` must be one of true, false"),
        ({"canonical_version": None}, "The argument `canonical_version` is None"),
        ({"x_default": 1}, "`x_default` must be a text"),
        ({"versions": "3.*"}, "There is no version '3[.][*]'"),
    ],
)
def test_python_refuses_the_values_that_flags_refuse(
    tree: Path, arguments: dict[str, object], message: str
) -> None:
    before = {file: file.read_bytes() for file in tree.rglob("*") if file.is_file()}
    with pytest.raises(api.SitemapError, match=message):
        api.join(tree, **{"base_url": BASE, "canonical_version": "2.0", **arguments})
    assert {file: file.read_bytes() for file in tree.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("name", ["newest", "./2.0/"])
def test_the_version_of_a_record_has_the_names_of_the_canonical_version(renamed: Path, name: str) -> None:
    join(renamed / "tree", "--version-record", f"{name}={renamed / 'record.jsonl'}", version=name)
    assert head_of(renamed / "tree/1.0/a/index.html") == "2.0/guide/new/"


def test_an_old_page_that_is_a_redirect_needs_no_new_page(renamed: Path) -> None:
    tree, record = renamed / "tree", renamed / "record.jsonl"
    redirect = html_page(REFRESH.format("../"))
    write(tree, {"1.0/a/index.html": redirect, "1.0/gone/index.html": redirect})
    flags = ["--base-url", BASE, "--canonical-version", "2.0", "--version-record", f"2.0={record}"]
    result = command("join", tree, *flags, "--redirects", "netlify")
    assert (result.out, "cannot be redirected" in result.err) == ("", False)
    join(tree, "--version-record", f"2.0={record}")
    assert (tree / "1.0/a/index.html").read_text("utf-8") == redirect


@pytest.mark.parametrize(
    ("links", "line"),
    [
        ("files", "/2.0/a/ /2.0/guide/new/index.html 301"),
        ("bare", "/2.0/a/ /2.0/guide/new 301"),
    ],
)
def test_a_redirect_is_spelled_as_in_the_sitemaps_of_both_versions(
    renamed: Path, links: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers of ``1.0/a/`` arrive at ``2.0/a/``, although the new pages have another style."""
    tree, record = renamed / "tree", renamed / "record.jsonl"
    monkeypatch.chdir(renamed)
    flags = ["--base-url", f"{BASE}2.0/", "--source", renamed / "docs", "--record", record, "--links", links]
    passed("build", tree / "2.0", *flags)
    flags = ["--base-url", BASE, "--canonical-version", "2.0", "--version-record", f"2.0={record}"]
    result = command("join", tree, *flags, "--redirects", "netlify")
    assert result.out == f"{line}\n"
    assert "2.0/gone/ does not exist" in result.err


def test_an_old_page_with_noindex_has_readers_and_needs_a_redirect(renamed: Path) -> None:
    tree, record = renamed / "tree", renamed / "record.jsonl"
    write(tree, {"1.0/a/index.html": html_page(NOINDEX)})
    flags = ["--base-url", BASE, "--canonical-version", "2.0", "--version-record", f"2.0={record}"]
    assert command("join", tree, *flags, "--redirects", "netlify").out == "/2.0/a/ /2.0/guide/new/ 301\n"


def test_a_build_outside_of_the_repository_of_its_sources(
    renamed: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sources of the pages show the repository, for `join` as for `diff`."""
    outside = tmp_path_factory.mktemp("outside")
    monkeypatch.chdir(outside)
    site, record = renamed / "tree/2.0", outside / "record.jsonl"
    flags = ["--base-url", f"{BASE}2.0/", "--source", renamed / "docs", "--record", record]
    assert command("build", site, *flags).code == 0
    old = write(outside, {"old.xml": urlset(f"{BASE}2.0/a/")}) / "old.xml"
    assert "/2.0/a/ /2.0/guide/new/ 301" in command("diff", old, site, "--redirects", "netlify").out
    join(renamed / "tree", "--version-record", f"2.0={record}")
    assert head_of(renamed / "tree/1.0/a/index.html") == "2.0/guide/new/"


def test_wrong_records(renamed: Path) -> None:
    tree = renamed / "tree"
    record = renamed / "record.jsonl"
    for given, words in (
        ("2.0", "must be VERSION=FILE"),
        (f"3.0={record}", "There is no version '3.0'. The versions are: 1.0, 2.0."),
        (
            f"1.0={record}",
            f"belongs to another build at {BASE}2.0/, which wrote another sitemap.xml. Pass the ",
        ),
        (f"1.0={record}", "Pass the record that the build of 1.0/ has written."),
        ("2.0={}".format(renamed / "missing"), "there is no such file"),
    ):
        assert words in join(tree, "--version-record", given, code=2).err
    flags = ["--base-url", BASE, "--version-record", f"2.0={record}"]
    assert (
        "`--version-record` needs `--redirects`, or `--old-versions` set" in command("join", tree, *flags).err
    )


@pytest.mark.parametrize("name", ["latest", "2.0", "newest"])
@pytest.mark.parametrize("alias_type", ["symlink", "copy"])
@pytest.mark.parametrize("canonical_version", ["", "latest"])
def test_with_mike(here: Path, canonical_version: str, alias_type: str, name: str) -> None:
    """The record that mike's build wrote belongs to the folder on the branch, by each of its names."""
    pytest.importorskip("mike")
    plugin = f"mike: {{alias_type: {alias_type}, canonical_version: {canonical_version or 'null'}}}"
    settings = "site_name: x\nsite_url: {}\nplugins:\n- {}\n- sitemap-docs: {{record: {}}}\n"
    record = here / "record.jsonl"
    ignored = "/site/\n/first/\n/tree/\n*.jsonl\n"
    write(here, {"mkdocs.yml": settings.format(BASE, plugin, record.name), ".gitignore": ignored})
    write(here, {f"docs/{name}": text for name, text in PAGES.items()})
    commit(here)
    mike_deploy("1.0", "latest")
    git(here, "worktree", "add", "-q", "--detach", str(here / "first"), "gh-pages")
    assert "old versions" not in join(here / "first", version="latest").out
    (here / "docs/guide").mkdir()
    git(here, "mv", "docs/a.md", "docs/guide/new.md")
    commit(here)
    mike_deploy("-u", "2.0", "latest")
    git(here, "worktree", "add", "-q", "--detach", str(here / "tree"), "gh-pages")
    shown = canonical_version or "2.0"
    flags = ["--base-url", BASE, "--canonical-version", "latest", "--redirects", "mkdocs-redirects"]
    given = ["--version-record", f"{name}={record}"]
    built = record.read_bytes()
    assert "did not replace" not in join(here / "tree", version="latest").err
    assert record.read_bytes() == built
    redirects = command("join", here / "tree", *flags, *given).out
    assert "'a.md': 'guide/new.md'" in redirects
    # The record of a fixed old version does not belong to the canonical version, so the next join has none.
    for record_flags in (given, []):
        said = join(here / "tree", *record_flags, version="latest").out
        # The pages of the folder with the same pages are not old, whatever it is called.
        assert "have 2 canonical links to the same page, 1 to a page that moved, and 0 noindex" in said
        assert head_of(here / "tree/1.0/a/index.html") == f"{shown}/guide/new/"
    assert head_of(here / "tree/1.0/gone/index.html") == f"{shown}/gone/"


POLYVERSION = """
import subprocess
from pathlib import Path

from sphinx_polyversion.driver import DefaultDriver
from sphinx_polyversion.environment import Environment
from sphinx_polyversion.git import Git
from sphinx_polyversion.sphinx import SphinxBuilder


class Worktrees(Git):
    async def checkout(self, root, dest, revision):
        command = ["git", "worktree", "add", "--detach", str(dest), revision.obj]
        subprocess.run(command, cwd=root, check=True)


root = Path(__file__).parent
DefaultDriver(
    root,
    root / "out",
    vcs=Worktrees(branch_regex="", tag_regex="v.*"),
    builder=SphinxBuilder(Path("src")),
    env=Environment.factory(),
).run()
"""
CONF = """
import sphinx_polyversion.git
from sphinx_polyversion.api import load

name = load()["current"].name
extensions = ["sitemap_docs"]
html_theme = "basic"
html_baseurl = f"{}{{name}}/"
sitemap_record = f"{}/{{name}}.jsonl"
"""


def test_with_sphinx_polyversion(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx_polyversion")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    index = "Home\n====\n\n.. toctree::\n   :glob:\n\n   **\n"
    conf = CONF.format(BASE, here)
    write(here, {"src/conf.py": conf, "poly.py": POLYVERSION, ".gitignore": "/out/\n*.jsonl\n"})
    write(here, {"src/index.rst": index, "src/a.rst": f"A\n=\n\n{TEXT}"})
    commit(here)
    git(here, "tag", "v1")
    (here / "src/guide").mkdir()
    git(here, "mv", "src/a.rst", "src/guide/a.rst")
    commit(here)
    git(here, "tag", "v2")
    runpy.run_path(str(here / "poly.py"))
    join(here / "out", "--version-record", f"v2={here / 'v2.jsonl'}", version="newest")
    assert head_of(here / "out/v1/a.html") == "v2/guide/a.html"


def test_copies_by_their_contents(tmp_path: Path) -> None:
    """Whatever made them: only one of ``2/`` and ``latest/`` is listed, and neither gets noindex."""
    for version in ("2", "latest"):
        write(tmp_path, {f"{version}/{name}.html": html_page(f"<!-- {name} -->") for name in ("index", "a")})
        build = ["build", tmp_path / version, "--base-url", f"{BASE}{version}/", "--lastmod", "none"]
        assert command(*build).code == 0
    write(tmp_path, {"1/index.html": html_page()})
    flags = ["--base-url", BASE, "--json"]
    done = command("join", tmp_path, *flags).data
    assert done["joined"] == [f"{BASE}2/sitemap.xml"]
    assert done["left_out"] == {f"{BASE}latest/sitemap.xml": f"its pages are the same as those of {BASE}2/"}
    explained = command("explain", tmp_path, "latest/a.html", *flags).data
    assert (explained["reason"], explained["detail"]) == ("copy of another build", f"{BASE}2/")
    for version, other in (("latest", "2"), ("2", "latest")):
        chosen = ["--canonical-version", version]
        assert command("join", tmp_path, *flags, *chosen).data["joined"] == [f"{BASE}{version}/sitemap.xml"]
        join(tmp_path, version=version)
        assert head_of(tmp_path / other / "a.html") == f"{version}/a.html"
        assert "data-sitemap-docs" not in (tmp_path / version / "a.html").read_text()
        edited = command("join", tmp_path, *flags, *chosen, "--old-versions", "noindex").data["edited"]
        assert f"{version}/" not in edited
        assert "noindex" not in (tmp_path / other / "a.html").read_text()
    write(tmp_path, {"latest/a.html": html_page("<!-- newer -->")})
    assert len(command("join", tmp_path, *flags).data["joined"]) == 2


@pytest.mark.parametrize(
    ("linked", "name"),
    [*((linked, name) for linked in ("2/", "latest/") for name in ("2", "latest", "newest")), ("", "/")],
)
def test_the_pages_of_a_copy_with_canonical_links_are_not_old(tmp_path: Path, linked: str, name: str) -> None:
    """All names of the same version give the same result. The links may also lead to the root."""
    url = BASE + linked
    links = {page: html_page(canonical(url + page)) for page in ("", "a.html", "b.html")}
    for folder in {"2/", "latest/", linked}:
        write(tmp_path, {f"{folder}{page or 'index.html'}": text for page, text in links.items()})
        write(tmp_path, {f"{folder}sitemap.xml": urlset(*(url + page for page in links))})
    write(tmp_path, {"1/index.html": html_page("<!-- old -->"), "1/gone.html": html_page()})
    flags = ["--filename", "all.xml"]
    said = join(tmp_path, *flags, version=name).out
    assert (
        "old versions have 1 canonical link to the same page, 0 to a page that moved, and 1 noindex" in said
    )
    join(tmp_path, *flags, "--old-versions", "noindex", version=name)
    pages = [page.relative_to(tmp_path).as_posix() for page in tmp_path.rglob("*.html")]
    noindexed = {page for page in pages if head_of(tmp_path / page) == "noindex"}
    assert noindexed == {"1/index.html", "1/gone.html"}
    other = "2/" if linked == "latest/" else "latest/"
    write(tmp_path, {f"{other}b.html": html_page("<!-- newer -->")})
    said = join(tmp_path, *flags, version=linked or "/").out
    assert "old versions have 4 canonical links to the same page" in said


def test_a_version_that_is_a_copy_of_the_root(tmp_path: Path) -> None:
    names = ("index.html", "a.html", "2.0/index.html", "2.0/a.html", "1.0/index.html")
    write(tmp_path, dict.fromkeys(names, html_page()))
    write(tmp_path, {"1.0/index.html": html_page(canonical(f"{BASE}1.0/"))})
    done = command(
        "join",
        tmp_path,
        "--base-url",
        BASE,
        "--canonical-version",
        "/",
        "--old-versions",
        "noindex",
        "--json",
    )
    assert done.data["edited"] == {"1.0/": 1}
    write(tmp_path, {"sitemap.xml": urlset(BASE, f"{BASE}2.0/a.html")})
    said = join(tmp_path, version="/", code=2).err
    assert f"lists {BASE}2.0/a.html, a page of the copy 2.0/. Build the sitemap again without" in said
    write(tmp_path, {"sitemap.xml": urlset(BASE, f"{BASE}1.0/")})
    assert "a page of the old version 1.0/" in join(tmp_path, version="/", code=2).err


def test_newest_is_the_same_choice_as_the_name_of_the_newest_version(tmp_path: Path) -> None:
    """The sitemap of the version to which the canonical links lead is joined, also if the root is a copy."""
    pages = {f"{name}.html": html_page(f"<!-- {name} -->") for name in ("index", "a")}
    write(
        tmp_path, {f"{folder}{name}": page for folder in ("", "2.0/", "1.0/") for name, page in pages.items()}
    )
    write(tmp_path, {"1.0/index.html": html_page("<!-- old -->")})
    for folder in ("2.0/", "1.0/"):
        build = ["build", tmp_path / folder, "--base-url", f"{BASE}{folder}", "--lastmod", "none"]
        assert command(*build).code == 0
    write(tmp_path, {"sitemap.xml": urlset(BASE, f"{BASE}a.html")})
    joined = {}
    for version in ("2.0", "newest"):
        flags = ["--json", "--dry-run", "--filename", "all.xml"]
        done = join(tmp_path, *flags, version=version).data
        joined[version] = (done["joined"], done["left_out"], done["edited"])
    assert joined["newest"] == joined["2.0"]
    assert f"{BASE}2.0/sitemap.xml" in joined["newest"][0]


def test_join_in_python(tmp_path: Path) -> None:
    write(tmp_path, {f"{version}/index.html": html_page() for version in ("1.0", "2.0")})
    write(tmp_path, {"2.0/a.html": html_page()})
    joined = api.join(
        tmp_path, base_url=BASE, canonical_version="2.0", old_versions="canonical", dry_run=True
    )
    assert joined.edited == {"1.0/": 1}
    assert joined.replacements == {"same": 1}
    assert "data-sitemap-docs" not in (tmp_path / "1.0/index.html").read_text()
    with pytest.raises(api.SitemapError, match="needs the option `canonical_version`"):
        api.join(tmp_path, base_url=BASE, old_versions="noindex")
    with pytest.raises(api.SitemapError, match="also pass `output`"):
        api.join("https://x.org/sitemap.xml")
    with pytest.raises(api.SitemapError, match="`x_default` must be a language code"):
        api.join(tmp_path, base_url=BASE, x_default="?")


def test_a_page_that_moved_keeps_its_link_if_another_version_becomes_canonical(tmp_path: Path) -> None:
    pages = {f"{version}/index.html": html_page(f"<!-- {version} -->") for version in ("1.0", "2.0", "3.0")}
    tree = write(tmp_path / "tree", {**pages, "1.0/a.html": html_page(), "2.0/b.html": html_page()})
    write(tree, {"2.0/a.html": html_page(REFRESH.format("b.html"))})
    join(tree, version="2.0")
    assert head_of(tree / "1.0/a.html") == "2.0/b.html"
    write(tree, {"3.0/b.html": html_page("<!-- 3 -->")})
    join(tree, version="3.0")
    assert head_of(tree / "1.0/a.html") == head_of(tree / "2.0/b.html") == "3.0/b.html"


def test_a_page_may_have_its_ending_in_capitals(tmp_path: Path) -> None:
    pages = {
        f"{version}/{name}": html_page(f"<!-- {version} -->")
        for version in ("1.0", "2.0")
        for name in ("index.html", "A.HTML")
    }
    tree = write(tmp_path / "tree", pages)
    join(tree, version="2.0")
    assert head_of(tree / "1.0/A.HTML") == "2.0/A.HTML"
