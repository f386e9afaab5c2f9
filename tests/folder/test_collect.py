"""The pages of any built folder: which, in what order, and what odd files do to it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from sitemap_docs.config.options import Options
from sitemap_docs.decide import Host
from sitemap_docs.folder.collect import FolderSite, collect_pages
from sitemap_docs.listing.addresses import SiteStyle
from sitemap_docs.listing.selection import default_reason
from sitemap_docs.model import PageOptions, SitemapError
from sitemap_docs.output.existing import read_replaced
from sitemap_docs.sources.source_files import SourceFolders, SourceLayout, SourceMap
from sitemap_docs.urls.base import Base
from tests.conftest import site_build, urlset

BASE = Base.of("https://e.org/d/")
NAMES = [
    *("index.html", "a/index.html", "a/b.html", "a-b/index.html", "a.html", "a.htm", "ab/x.xhtml"),
    "é/index.html",
]


def directory(root: Path, links="folders", sources: Path | None = None) -> FolderSite:
    host = Host(style=SiteStyle(links), replaced=read_replaced(root, "sitemap.xml"))
    site = replace(site_build(root, BASE.url), host=host)
    return FolderSite(site=site, sources=SourceFolders([sources] if sources else []))


def write(root: Path, *names: str, text: str = "<html><head></head></html>") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def canonical(path: str) -> str:
    return f'<html><head><link rel="canonical" href="{BASE.loc(path)}"></head></html>'


def found(root: Path, **more) -> dict[str, str | None]:
    """Path → why it is left out by default."""
    pages, findings = collect_pages(directory(root, **more))
    assert not findings
    reasons = {page.path: default_reason(page, Options()) for page in pages}
    return {path: reason and reason.value for path, reason in reasons.items()}


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        pytest.param(
            "folders", ["", "a/", "a/b.html", "a-b/", "a.html", "a.htm", "ab/x.xhtml", "é/"], id="folders"
        ),
        pytest.param("files", NAMES, id="files"),
        pytest.param("clean", ["", "a", "a/", "a/b", "a-b/", "a.htm", "ab/x.xhtml", "é/"], id="clean"),
        pytest.param("bare", ["", "a", "a/b", "a-b", "a", "a.htm", "ab/x.xhtml", "é"], id="bare"),
    ],
)
def test_addresses(tmp_path, links, expected):
    write(tmp_path, *NAMES, "style.css", "sitemap.xml", "a/data.json")
    paths = [page.path for page in collect_pages(directory(tmp_path, links)).pages]
    assert sorted(paths) == sorted(expected)


@pytest.mark.parametrize(
    "expected",
    [
        {"404.html": "404 page", "fr/404.html": "404 page"},
        {"404/": "404 page", "a/404/": "404 page"},
        {"genindex.html": None, "search.html": None},  # these are known by what is in them
        {"google0123456789abcdef.html": "generated"},  # a proof of ownership
    ],
    ids=str,
)
def test_defaults(tmp_path, expected):
    """Hidden files and folders are no pages."""
    write(tmp_path, ".git/a.html", ".hidden.html")
    write(tmp_path, *(f"{path}index.html" if path.endswith("/") else path for path in expected))
    assert found(tmp_path) == expected


def test_a_page_named_404_that_is_linked_or_listed(tmp_path):
    write(tmp_path, "errors/404.html", "linked/404/index.html", "listed/404.html", "v2/de/404.html")
    write(tmp_path, "deep/404/index.html", "encoded/404.html")
    write(tmp_path, "deep/404/more.html", text='<a href="./">404</a>')
    write(tmp_path, "encoded/index.html", text='<a href="%34%30%34.html">404</a>')
    write(tmp_path, "linked/index.html", text='<a href="404/">404</a>')
    write(tmp_path, "errors/404.html", text='<a href="404.html">This page</a>')
    write(tmp_path, "sitemap.xml", text=urlset(f"{BASE.url}listed/404.html"))
    assert found(tmp_path) == {
        "encoded/": None,
        "encoded/404.html": None,
        "errors/404.html": "404 page",
        "deep/404/": None,
        "deep/404/more.html": None,
        "linked/": None,
        "linked/404/": None,
        "listed/404.html": None,
        "v2/de/404.html": "404 page",
    }


def test_links(tmp_path):
    site = tmp_path / "site"
    write(site, "1.0/index.html", text=canonical("1.0/"))
    write(site, "2.0/index.html", text=canonical("latest/"))
    write(tmp_path, "outside/index.html", text=canonical("out/"))
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


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_folder(tmp_path):
    write(tmp_path, "a/x.html", "b.html")
    (tmp_path / "a").chmod(0)
    try:
        assert found(tmp_path) == {"a/": "unreadable", "b.html": None}
    finally:
        (tmp_path / "a").chmod(0o700)


def test_no_folder(tmp_path):
    with pytest.raises(SitemapError, match="cannot be read"):
        collect_pages(directory(tmp_path / "nowhere"))


def test_deep_tree(tmp_path):
    folder = tmp_path
    for _ in range(1200):  # more than Python would recurse
        folder /= "d"
        folder.mkdir()
    write(folder, "x.html")
    try:
        assert list(found(tmp_path)) == ["d/" * 1200 + "x.html"]
    finally:  # pytest's own cleaning recurses
        subprocess.run(["rm", "-r", tmp_path / "d"], check=True)


SOURCES = [
    pytest.param("a.html", ["a.md"], "a.md", id="same path"),
    pytest.param("a/index.html", ["a.md"], "a.md", id="directory URL"),
    pytest.param("a/index.html", ["a.md", "a/index.md"], "a/index.md", id="index first"),
    pytest.param("a/index.html", ["a/README.md"], "a/README.md", id="README"),
    pytest.param("a/index.html", ["a/_index.md"], "a/_index.md", id="Hugo"),
    pytest.param("index.html", ["README.md"], "README.md", id="home"),
    pytest.param("index.html", ["index.mdx", "README.md"], "index.mdx", id="home, index"),
    pytest.param("v1.0.html", ["v1.0.md"], "v1.0.md", id="a dot in the name"),
    pytest.param("a.html", ["a.html", "a.md"], "a.md", id="Markdown before HTML"),
    pytest.param("a.html", ["a.html"], "a.html", id="static"),
    pytest.param("a.html", ["b.md", "a.png"], None, id="none"),
    pytest.param("a/b/index.html", ["A/B.md"], "A/B.md", id="lower-cased by Hugo"),
    pytest.param("a/index.html", ["A.md", "a.md"], "a.md", id="the exact name first"),
    pytest.param("ab/index.html", ["Ab.md", "aB.md"], None, id="two that differ in case"),
    pytest.param("\u00e9/o\u0308.html", ["e\u0301/\u00f6.md"], "e\u0301/\u00f6.md", id="decomposed by macOS"),
]


@pytest.mark.parametrize(("page", "files", "expected"), SOURCES)
def test_sources(tmp_path, page, files, expected):
    write(tmp_path, *files)
    assert SourceFolders([tmp_path]).of(page) == (expected and str(tmp_path / expected))


@pytest.mark.parametrize(
    ("page", "layout", "source"),
    [
        pytest.param("de/a/index.html", "de/**/index.html=c/**.de.html", "c/A.de.md", id="a language"),
        pytest.param("b/2024/02/03/x/index.html", "b/*/*/*/**=b/*-*-*-**", "b/2024-02-03-x.md", id="a blog"),
        ("b/2024/02/03/x/index.html", "b/*/*/*/**=b/*-*-*-**", "b/2024-02-03-x/index.md"),
    ],
)
def test_sources_where_the_generator_wants_them(tmp_path, page, layout, source):
    write(tmp_path, source, "other.md")
    origins = SourceFolders(layout=SourceLayout(tmp_path, [layout]))
    assert origins.of(page) == str(tmp_path / source)
    assert origins.of("other.html") is None, "only what the layout names"


def test_first_folder_that_has_it(tmp_path):
    write(tmp_path, "docs/a.md", "pages/b.md", "pages/a.md")
    origins = SourceFolders([tmp_path / "docs", tmp_path / "pages"])
    assert [origins.of(page) for page in ("a.html", "b.html", "c.html")] == [
        str(tmp_path / "docs/a.md"),
        str(tmp_path / "pages/b.md"),
        None,
    ]


def test_a_folder_of_each_language(tmp_path):
    """Hugo's ``contentdir``: the address of the default language has no code in front."""
    write(tmp_path, "content/en/a.md", "content/en/_index.md", "content/de/a.md", "content/de/_index.md")
    found = SourceFolders([tmp_path / "content/en", tmp_path / "content"])
    pages = ["index.html", "a/index.html", "de/index.html", "de/a/index.html"]
    names = ["en/_index.md", "en/a.md", "de/_index.md", "de/a.md"]
    assert [found.of(page) for page in pages] == [str(tmp_path / "content" / name) for name in names]


@pytest.mark.parametrize(
    ("rule", "page", "expected"),
    [
        pytest.param("fr/**=**.fr.md", "fr/a/b/index.html", None, id="the file is matched"),
        pytest.param("fr/**/index.html=**/index.fr.md", "fr/index.html", "index.fr.md", id="no folder"),
        ("*/*/*/*.html=_posts/*-*-*-*.md", "2026/01/31/a-b.html", "_posts/2026-01-31-a-b.md"),
        ("more/**/index.html=docs/**.md", "more/a/b/index.html", "docs/a/b.md"),
        pytest.param("api/**=src/gen.py", "api/a/b.html", "src/gen.py", id="all from one"),
        pytest.param("blog/*/=posts/*.md", "blog/a/index.html", "posts/a.md", id="by address"),
        pytest.param("a+(b).html=x.md", "a+(b).html", "x.md", id="no expression"),
        pytest.param("a/*.html=*.md", "a/b/c.html", None, id="a star stays in its folder"),
    ],
)
def test_rules(tmp_path, rule, page, expected):
    if expected:
        write(tmp_path, expected)
    assert SourceFolders([tmp_path], [SourceMap.of(rule)]).of(page) == (expected and str(tmp_path / expected))


@pytest.mark.parametrize("text", ["a", "=a", "a=", "a=*", "*=**/*"])
def test_rules_that_are_none(text):
    with pytest.raises(SitemapError, match=r"has no '='|site glob=source glob"):
        SourceMap.of(text)


def test_a_rule_whose_file_is_missing_gives_way(tmp_path):
    write(tmp_path, "a.md")
    assert SourceFolders([tmp_path], [SourceMap.of("*.html=posts/*.md")]).of("a.html") == str(
        tmp_path / "a.md"
    )


@pytest.mark.parametrize(
    ("front", "options"),
    [
        pytest.param("---\nsitemap: false\n---\n", {"listed": False}, id="sitemap: false"),
        pytest.param("\ufeff---\r\nrobots: noindex\r\n---\r\n", {"noindex": True}, id="a BOM, CRLF"),
        pytest.param("---\nsitemap:\n  disable: true\n---\n", {"listed": False}, id="Hugo's name"),
        pytest.param("---\nicon: !ENV [X, sitemap]\nsitemap: false\n---\n", {"listed": False}, id="a tag"),
        pytest.param("+++\nsitemap = false\n+++\n# A\n", {"listed": False}, id="TOML"),
        pytest.param(f"---\nx: {'x' * 60_000}\nsitemap: false\n---\n", {"listed": False}, id="long"),
        pytest.param("---\n- sitemap\n---\n", {}, id="no mapping"),
        pytest.param("# A\n---\nsitemap: false\n---\n", {}, id="not at the front"),
    ],
)
def test_front_matter(tmp_path, front, options):
    write(tmp_path, "site/a.html")
    (tmp_path / "a.md").write_bytes(front.encode())
    (page,) = collect_pages(directory(tmp_path / "site", sources=tmp_path)).pages
    assert {name: getattr(page.options, name) for name in options} == options
    assert page.options.listed is options.get("listed")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        pytest.param(":sitemap: false\n\nA\n=\n", {"listed": False}, id="at the top"),
        pytest.param("\ufeff:sitemap: false\r\n:orphan:\r\n\r\nA\r\n=\r\n", {"listed": False}, id="Windows"),
        (".. A comment\n   of two lines.\n.. _label:\n\n:sitemap-priority: 0.5\n", {"priority": 0.5}),
        pytest.param(".. meta::\n   :x: y\n\n:sitemap: false\n", {"listed": False}, id="below meta"),
        pytest.param("A\n=\n\n:sitemap: false\n", {}, id="below the title"),
        pytest.param(":x: y\n\n.. A comment\n\n:sitemap: false\n", {}, id="a second list"),
        pytest.param(":ref:`sitemap`\n:sitemap: false\n", {}, id="a role"),
        pytest.param(f":x: y\n\n{'[' * 300}{'ä' * 5_000}\n", {}, id="brackets, and cut in a character"),
        pytest.param("---\nsitemap: false\n---\n\nA\n=\n", {"listed": False}, id="YAML, as in Hugo"),
    ],
)
def test_field_lists(tmp_path, text, options):
    """Sphinx reads the same fields."""
    write(tmp_path, "site/a.html")
    (tmp_path / "a.rst").write_bytes(text.encode())
    (page,), findings = collect_pages(directory(tmp_path / "site", sources=tmp_path))
    assert page.options == PageOptions(**options)
    assert findings == []


@pytest.mark.parametrize(
    "front",
    [
        pytest.param("---\nsitemap: [\n---\n", id="no YAML"),
        pytest.param("+++\nsitemap = [\n+++\n", id="no TOML"),
        pytest.param("---\nsitemap: !!int ''\n---\n", id="no number"),
        pytest.param(f"---\nx: {'x' * 70_000}\nsitemap: false\n---\n", id="too long"),
    ],
)
def test_front_matter_that_cannot_be_read_is_reported_with_its_page(tmp_path, front):
    write(tmp_path, "site/a.html", "site/b.html", "b.md")
    (tmp_path / "a.md").write_text(front)
    pages, findings = collect_pages(directory(tmp_path / "site", sources=tmp_path))
    assert [page.options for page in pages] == [PageOptions(), PageOptions()]
    assert [(each.rule, each.where) for each in findings] == [("front-matter", str(tmp_path / "a.md"))]


def test_front_matter_names_sources_and_errors(tmp_path):
    write(tmp_path, "site/a.html", "x.py")
    (tmp_path / "a.md").write_text("---\nsitemap: {sources: [x.py, y.py], priority: 3}\n---\n")
    (page,), reported = collect_pages(directory(tmp_path / "site", sources=tmp_path))
    assert page.sources == (str(tmp_path / "a.md"), tmp_path / "x.py")
    assert [finding.rule for finding in reported] == ["page-option", "page-sources"]
    assert all(finding.strict for finding in reported)
