"""The pages of any built folder: which, in what order, and what odd files do to it."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.decide import Collected
from sitemap_docs.folder.collect import collect_pages
from sitemap_docs.folder.folder_site import FolderSite
from sitemap_docs.listing.address_style import AddressStyle
from sitemap_docs.listing.selection import default_reason
from sitemap_docs.model import Finding, PageOptions, SitemapError
from sitemap_docs.output.existing import read_replaced
from sitemap_docs.sources.source_files import SourceFolders, SourceLayout, SourceMap
from sitemap_docs.urls.base import Base
from tests.conftest import canonical, site_project, urlset, write

BASE = Base.of("https://e.org/d/")
NAMES = [
    *("index.html", "a/index.html", "a/b.html", "a-b/index.html", "a.html", "a.htm", "ab/x.xhtml"),
    "é/index.html",
]


def directory(root: Path, links="folders", sources: Path | None = None) -> FolderSite:
    known = Collected(style=AddressStyle(links), replaced=read_replaced(root, "sitemap.xml"))
    folders = SourceFolders([sources] if sources else [])
    return FolderSite(project=site_project(root, BASE.url), sources=folders, known=known)


def findings_of(collected: Collected) -> list[Finding]:
    """The findings about single pages. Most folders here have no home page."""
    return [finding for finding in collected.findings if finding.rule != "home-missing"]


def found(root: Path, **more) -> dict[str, str | None]:
    """Path → why it is left out by default."""
    collected = collect_pages(directory(root, **more))
    assert not findings_of(collected)
    reasons = {page.path: default_reason(page, Options()) for page in collected.pages}
    return {path: reason and reason.value for path, reason in reasons.items()}


ADDRESSES = {
    "folders": ["", "a/", "a/b.html", "a-b/", "a.html", "a.htm", "ab/x.xhtml", "é/"],
    "files": NAMES,
    "clean": ["", "a", "a/", "a/b", "a-b/", "a.htm", "ab/x.xhtml", "é/"],
    "bare": ["", "a", "a/b", "a-b", "a", "a.htm", "ab/x.xhtml", "é"],
}


@pytest.mark.parametrize(("links", "expected"), ADDRESSES.items())
def test_addresses(tmp_path, links, expected):
    write(tmp_path, dict.fromkeys((*NAMES, "style.css", "sitemap.xml", "a/data.json"), ""))
    paths = [page.path for page in collect_pages(directory(tmp_path, links)).pages]
    assert sorted(paths) == sorted(expected)


def test_defaults(tmp_path):
    """Hidden files and folders are no pages; those of Sphinx are known by what is in them."""
    expected = {
        "404.html": "404 page",
        "a/404/": "404 page",
        "fr/404.html": "404 page",
        "genindex.html": None,
        "google0123456789abcdef.html": "generated",  # a proof of ownership
        "search.html": None,
    }
    names = [f"{path}index.html" if path.endswith("/") else path for path in expected]
    write(tmp_path, dict.fromkeys((".git/a.html", ".hidden.html", *names), ""))
    assert found(tmp_path) == expected


def test_a_page_named_404_that_is_linked_or_listed(tmp_path):
    names = ("linked/404/index.html", "listed/404.html", "v2/de/404.html", "deep/404/index.html")
    write(tmp_path, dict.fromkeys((*names, "encoded/404.html"), ""))
    write(tmp_path, {
        "deep/404/more.html": '<a href="./">404</a>',
        "encoded/index.html": '<a href="%34%30%34.html">404</a>',
        "linked/index.html": '<a href="404/">404</a>',
        "errors/404.html": '<a href="404.html">This page</a>',
        "sitemap.xml": urlset(f"{BASE.url}listed/404.html"),
    })  # fmt: skip
    reasons = found(tmp_path)
    assert len(reasons) == 9
    left_out = {path: reason for path, reason in reasons.items() if reason}
    assert left_out == dict.fromkeys(("errors/404.html", "v2/de/404.html"), "404 page")


def test_links(tmp_path):
    site = tmp_path / "site"
    for name, path in (("site/1.0", "1.0/"), ("site/2.0", "latest/"), ("outside", "out/")):
        write(tmp_path, {f"{name}/index.html": canonical(BASE.loc(path))})
    for name, target in {
        "latest": "2.0",  # says that it is the place
        "old": "1.0",  # a copy
        "out": "../outside",
        "up": ".",
        "dangling.html": "gone.html",
        "gone": "nowhere",
        "1.0/round": "../1.0",
        "page.html": "1.0/index.html",
        "secret.html": "../outside/index.html",
    }.items():
        (site / name).symlink_to(target)
    os.mkfifo(site / "pipe.html")
    assert found(site) == {
        "1.0/": None,
        "1.0/round/": "duplicate address",
        "2.0/": None,
        "dangling.html": "unreadable",
        "latest/": None,
        "old/": "duplicate address",
        "out/": "unreadable",
        "page.html": None,
        "pipe.html": "unreadable",
        "secret.html": "unreadable",
        "up/": "duplicate address",
    }
    with pytest.raises(SitemapError, match="cannot be read"):
        found(tmp_path / "nowhere")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_folder(tmp_path):
    write(tmp_path, {"a/x.html": "", "b.html": ""})
    (tmp_path / "a").chmod(0)
    try:
        assert found(tmp_path) == {"a/": "unreadable", "b.html": None}
    finally:
        (tmp_path / "a").chmod(0o700)


def test_deep_tree(tmp_path):
    folder = tmp_path
    for _ in range(1200):  # more than Python would recurse
        folder /= "d"
        folder.mkdir()
    (folder / "x.html").touch()
    try:
        assert list(found(tmp_path)) == ["d/" * 1200 + "x.html"]
    finally:  # pytest's own cleaning recurses
        subprocess.run(["rm", "-r", tmp_path / "d"], check=True)


NFD = "e\u0301/\u00f6.md"
SOURCES = {  # a map, a page, files below the folder of the sources, that of the page
    "same path": ("", "a.html", ["a.md"], "a.md"),
    "directory URL": ("", "a/index.html", ["a.md"], "a.md"),
    "index first": ("", "a/index.html", ["a.md", "a/index.md"], "a/index.md"),
    "README": ("", "a/index.html", ["a/README.md"], "a/README.md"),
    "Hugo": ("", "a/index.html", ["a/_index.md"], "a/_index.md"),
    "home": ("", "index.html", ["README.md"], "README.md"),
    "home, index": ("", "index.html", ["index.mdx", "README.md"], "index.mdx"),
    "a dot in the name": ("", "v1.0.html", ["v1.0.md"], "v1.0.md"),
    "Markdown before HTML": ("", "a.html", ["a.html", "a.md"], "a.md"),
    "static": ("", "a.html", ["a.html"], "a.html"),
    "none": ("", "a.html", ["b.md", "a.png"], None),
    "lower-cased by Hugo": ("", "a/b/index.html", ["A/B.md"], "A/B.md"),
    "the exact name first": ("", "a/index.html", ["A.md", "a.md"], "a.md"),
    "two that differ in case": ("", "ab/index.html", ["Ab.md", "aB.md"], None),
    "decomposed by macOS": ("", "\u00e9/o\u0308.html", [NFD], NFD),
    "the file is matched": ("fr/**=**.fr.md", "fr/a/b/index.html", [], None),
    "no folder": ("fr/**/index.html=**/index.fr.md", "fr/index.html", ["index.fr.md"], "index.fr.md"),
    "dates": ("*/*/*.html=p/*-*-*.md", "2026/01/a-b.html", ["p/2026-01-a-b.md"], "p/2026-01-a-b.md"),
    "folders": ("more/**/index.html=docs/**.md", "more/a/b/index.html", ["docs/a/b.md"], "docs/a/b.md"),
    "all from one": ("api/**=src/gen.py", "api/a/b.html", ["src/gen.py"], "src/gen.py"),
    "by address": ("blog/*/=posts/*.md", "blog/a/index.html", ["posts/a.md"], "posts/a.md"),
    "no expression": ("a+(b).html=x.md", "a+(b).html", ["x.md"], "x.md"),
    "a star stays in its folder": ("a/*.html=*.md", "a/b/c.html", ["b/c.md"], None),
    "a missing file gives way": ("*.html=posts/*.md", "a.html", ["a.md"], "a.md"),
    "a map comes first": ("*.html=posts/*.md", "a.html", ["a.md", "posts/a.md"], "posts/a.md"),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "page", "names", "expected"), SOURCES.values(), ids=SOURCES)
def test_sources(tmp_path, rule, page, names, expected):
    write(tmp_path, dict.fromkeys(names, ""))
    found = SourceFolders([tmp_path], [SourceMap.of(rule)] if rule else []).find(page)
    assert found == (expected and str(tmp_path / expected))


@pytest.mark.parametrize(
    ("page", "layout", "source"),
    [
        pytest.param("de/a/index.html", "de/**/index.html=c/**.de.html", "c/A.de.md", id="a language"),
        pytest.param("b/2024/02/03/x/index.html", "b/*/*/*/**=b/*-*-*-**", "b/2024-02-03-x.md", id="a blog"),
        ("b/2024/02/03/x/index.html", "b/*/*/*/**=b/*-*-*-**", "b/2024-02-03-x/index.md"),
    ],
)
def test_sources_where_the_generator_wants_them(tmp_path, page, layout, source):
    write(tmp_path, {source: "", "other.md": ""})
    origins = SourceFolders([], layout=SourceLayout(tmp_path, [layout]))
    assert origins.find(page) == str(tmp_path / source)
    assert origins.find("other.html") is None, "only what the layout names"


def test_a_folder_of_each_language(tmp_path):
    """Hugo's ``contentdir``: the address of the default language has no code in front.

    The first folder comes first.
    """
    names = ["en/_index.md", "en/a.md", "de/_index.md", "de/a.md"]
    write(tmp_path / "content", dict.fromkeys([*names, "a.md"], ""))
    found = SourceFolders([tmp_path / "content/en", tmp_path / "content"])
    pages = ["index.html", "a/index.html", "de/index.html", "de/a/index.html"]
    assert [found.find(page) for page in pages] == [str(tmp_path / "content" / name) for name in names]


@pytest.mark.parametrize("text", ["a", "=a", "a=", "a=*", "*=**/*"])
def test_rules_that_are_none(text):
    with pytest.raises(SitemapError, match=r"has no '='|needs a glob|more wildcards"):
        SourceMap.of(text)


UNLISTED, NONE = {"listed": False}, {}
OPTIONS = {  # Sphinx reads the same field lists
    "sitemap: false": ("a.md", "---\nsitemap: false\n---\n", UNLISTED),
    "a BOM, CRLF": ("a.md", "\ufeff---\r\nrobots: noindex\r\n---\r\n", {"noindex": True}),
    "a tag": ("a.md", "---\nicon: !ENV [X, sitemap]\nsitemap: false\n---\n", UNLISTED),
    "TOML": ("a.md", "+++\nsitemap = false\n+++\n# A\n", UNLISTED),
    "long": ("a.md", f"---\nx: {'x' * 60_000}\nsitemap: false\n---\n", UNLISTED),
    "no mapping": ("a.md", "---\n- sitemap\n---\n", NONE),
    "not at the front": ("a.md", "# A\n---\nsitemap: false\n---\n", NONE),
    "at the top": ("a.rst", ":sitemap: false\n\nA\n=\n", UNLISTED),
    "Windows": ("a.rst", "\ufeff:sitemap: false\r\n:orphan:\r\n\r\nA\r\n=\r\n", UNLISTED),
    "behind comments": (
        "a.rst", ".. A comment\n   of two lines.\n.. _label:\n\n:sitemap-priority: 0.5\n", {"priority": 0.5}
    ),
    "below meta": ("a.rst", ".. meta::\n   :x: y\n\n:sitemap: false\n", UNLISTED),
    "below the title": ("a.rst", "A\n=\n\n:sitemap: false\n", NONE),
    "a second list": ("a.rst", ":x: y\n\n.. A comment\n\n:sitemap: false\n", NONE),
    "a role": ("a.rst", ":ref:`sitemap`\n:sitemap: false\n", NONE),
    "brackets, and cut in a character": ("a.rst", f":x: y\n\n{'[' * 300}{'ä' * 5_000}\n", NONE),
    "YAML, as in Hugo": ("a.rst", "---\nsitemap: false\n---\n\nA\n=\n", UNLISTED),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "options"), OPTIONS.values(), ids=OPTIONS)
def test_options_of_a_source(tmp_path, name, text, options):
    write(tmp_path, {"site/a.html": "", name: text})
    collected = collect_pages(directory(tmp_path / "site", sources=tmp_path))
    (page,) = collected.pages
    assert page.options == PageOptions(**options)
    is_unread = options == NONE and ":sitemap: false" in text
    assert [each.rule for each in findings_of(collected)] == ["front-matter"] * is_unread


@pytest.mark.parametrize(
    "front",
    [
        pytest.param("---\nsitemap: [\n---\n", id="no YAML"),
        pytest.param("+++\nsitemap = [\n+++\n", id="no TOML"),
        pytest.param("---\nsitemap: !!int ''\n---\n", id="no number"),
        pytest.param(f"---\nx: {'x' * 70_000}\nsitemap: false\n---\n", id="too long"),
        pytest.param("---\nsitemap: false\n\n# A\n", id="not closed"),
        pytest.param("+++\nsitemap = false\n\n# A\n", id="TOML, not closed"),
        pytest.param(" ---\nsitemap: false\n---\n", id="not in the first column"),
        pytest.param("---\nrobots: no-index\n---\n", id="misspelled"),
    ],
)
def test_front_matter_that_cannot_be_read_is_reported_with_its_page(tmp_path, front):
    write(tmp_path, {"site/a.html": "", "site/b.html": "", "b.md": "", "a.md": front})
    collected = collect_pages(directory(tmp_path / "site", sources=tmp_path))
    findings = findings_of(collected)
    assert [page.options for page in collected.pages] == [PageOptions(), PageOptions()]
    assert [(each.rule, each.where) for each in findings] == [("front-matter", str(tmp_path / "a.md"))]


def test_fields_in_the_wrong_place_are_reported_with_their_page(tmp_path):
    """A file that is not in Markdown has no front matter; a horizontal line begins none."""
    sources = {
        "a.rst": "A\n=\n\n:sitemap: false\n",
        "b.rst": ".. meta::\n   :sitemap: false\n",
        "c.yml": "---\nsitemap: false\n",
        "d.md": "---\n\n# A\n",
    }
    write(tmp_path, sources | {f"site/{name}.html": "" for name in "abcd"})
    folder = directory(tmp_path / "site")
    folders = SourceFolders([tmp_path], [SourceMap.of("c.html=c.yml")])
    collected = collect_pages(replace(folder, sources=folders))
    assert [page.options for page in collected.pages] == [PageOptions()] * 4
    assert [(each.rule, Path(each.where).name) for each in findings_of(collected)] == [
        ("front-matter", "a.rst"),
        ("front-matter", "b.rst"),
    ]


def test_front_matter_names_sources_and_errors(tmp_path):
    front = "---\nsitemap: {sources: [x.py, y.py], priority: 3}\n---\n"
    write(tmp_path, {"site/a.html": "", "x.py": "", "a.md": front})
    collected = collect_pages(directory(tmp_path / "site", sources=tmp_path))
    (page,), reported = collected.pages, findings_of(collected)
    assert page.sources == (str(tmp_path / "a.md"), tmp_path / "x.py")
    assert [finding.rule for finding in reported] == ["page-option", "page-sources"]
    assert all(finding.strict for finding in reported)


@pytest.mark.parametrize(
    ("names", "advice"),
    [
        pytest.param(["index.html", "public/index.html"], None, id="a home page"),
        pytest.param(["index.htm"], None, id="with a short ending"),
        pytest.param(["style.css"], None, id="no HTML"),
        pytest.param(["public/index.html", "public/a/index.html"], "Did you mean public?", id="one site"),
        pytest.param(["_build/html/index.html", "_build/html/a.html"], "mean _build/html?", id="deeper"),
        pytest.param(["1/index.html", "2/index.html"], "such as 1; to combine several", id="several"),
        pytest.param(["a.html", "b/c.html"], "Pass the folder into which the site is built.", id="none"),
    ],
)
def test_a_folder_without_a_home_page_may_be_one_level_too_high(tmp_path, monkeypatch, names, advice):
    monkeypatch.chdir(write(tmp_path, dict.fromkeys(names, "")))
    messages = [each.message for each in collect_pages(directory(tmp_path)).findings]
    assert len(messages) == (advice is not None)
    assert all(advice in message for message in messages)
