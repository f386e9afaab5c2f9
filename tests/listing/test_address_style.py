"""Where pages are: as the canonical link of each spells it, else as the other pages'."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from sitemap_docs import api
from sitemap_docs.model import Alternate, Page
from tests import conftest
from tests.conftest import NOINDEX, REFRESH, html_page, urlset
from tests.test_publish import BASE, entries, listed, run, site


def canonical(path: str) -> str:
    return conftest.canonical(BASE.loc(path))


def write(folder: Path, heads: Mapping[str, str]) -> None:
    """Files below a folder, each with what its head has."""
    conftest.write(folder, {name: html_page(head) for name, head in heads.items()})


def sitemap(folder: Path, paths: Iterable[str]) -> None:
    (folder / "sitemap.xml").write_text(urlset(*map(BASE.loc, paths)))


def build(folder: Path, **options: object) -> api.Published:
    return api.build(folder, base_url=BASE.url, lastmod="none", **options)


@pytest.mark.parametrize(
    ("files", "style", "others"),
    [
        pytest.param({"a.html": "a.html", "b/index.html": "b/"}, "folders", {"x.html", "y/"}, id="folders"),
        pytest.param({"b/index.html": "b/index.html"}, "files", {"x.html", "y/index.html"}, id="Sphinx"),
        pytest.param({"a.html": "a", "b/index.html": "b/"}, "clean", {"x", "y/"}, id="VitePress"),
        pytest.param({"index.html": "", "a/index.html": "a"}, "bare", {"x", "y"}, id="Docusaurus"),
        pytest.param({"404.html": "404.html", "a.html": "a"}, "clean", {"x", "y/"}, id="an error page"),
        pytest.param({"a.html": "z", "b/index.html": "b"}, "bare", {"x", "y"}, id="one points elsewhere"),
        pytest.param({}, "folders", {"x.html", "y/"}, id="none tells"),
    ],
)
def test_pages_without_a_link_have_the_style_of_the_site(tmp_path, files, style, others):
    write(tmp_path, {name: canonical(path) for name, path in files.items()})
    write(tmp_path, dict.fromkeys(("x.html", "y/index.html"), ""))
    published = build(tmp_path)
    named = {path for name, path in files.items() if name != "404.html" and path != "z"}
    assert listed(tmp_path) == sorted(named | others)
    assert published.style == (style, "from the canonical links" if files else "")


def test_homes_with_a_slash_where_no_other_page_has_one(tmp_path):
    """Docusaurus without trailing slashes, whose own sitemap is right, and which is replaced by ours."""
    paths = ["", "1.0/", "1.0/a", "a", "b", "de/", "de/a"]
    languages = {"": "", "a": "a", "de/": "", "de/a": "a"}
    heads = {}
    for path in paths:
        name = f"{path.rstrip('/')}/index.html".lstrip("/")
        heads[name] = canonical(path)
        if path in languages:
            for code, folder in (("en", ""), ("de", "de/")):
                href = BASE.loc(folder + languages[path])
                heads[name] += f'<link rel="alternate" hreflang="{code}" href="{href}">'
    write(tmp_path, {**heads, "moved/index.html": REFRESH.format("/a")})
    sitemap(tmp_path, paths)
    published = build(tmp_path)
    assert listed(tmp_path) == paths
    found = {entry.loc: dict(entry.alternates) for entry in entries(tmp_path) if entry.alternates}
    home = {"de": BASE.loc("de/"), "en": BASE.url}
    page = {"de": BASE.loc("de/a"), "en": BASE.loc("a")}
    assert found == {BASE.url: home, BASE.loc("de/"): home, BASE.loc("a"): page, BASE.loc("de/a"): page}
    assert not published.findings


def test_nineteen_of_twenty_links_in_a_folder_and_from_a_host(tmp_path):
    heads = {f"p{number}.html": canonical(f"p{number}") for number in range(19)}
    heads |= {"odd.html": canonical("odd.html"), "x.html": ""}
    expected = sorted([*(f"p{number}" for number in range(19)), "odd.html", "x"])
    write(tmp_path / "folder", heads)
    assert build(tmp_path / "folder").style.links == "clean"
    assert listed(tmp_path / "folder") == expected
    write(tmp_path / "host", heads)
    pages = [Page(name, tmp_path / "host" / name, names=(name,)) for name in heads]
    published = run(site(tmp_path / "host"), pages)
    assert published.style.links == "clean"
    assert listed(tmp_path / "host") == expected


@pytest.mark.parametrize("before", [0, 166])
def test_the_existing_sitemap_tells_where_no_link_does(tmp_path, before):
    """Antora has canonical links for the last version alone, and ``index.html`` in all addresses."""
    names = [f"v/p{number}.html" for number in range(before)]
    write(tmp_path, dict.fromkeys([*names, "z/index.html"], ""))
    sitemap(tmp_path, [*names, "z/index.html"])
    for _ in range(2):  # what we wrote tells it, too
        published = build(tmp_path, replace=True)
        assert "z/index.html" in listed(tmp_path)
        assert published.style.by == "from the existing sitemap"


def test_a_link_to_a_page_of_its_own_does_not_spell_another(tmp_path):
    write(tmp_path, {"a.html": canonical("a"), "a/index.html": canonical("a/")})
    build(tmp_path)
    assert listed(tmp_path) == ["a", "a/"]
    write(tmp_path, {"b.html": canonical("b/"), "b/index.html": canonical("b/")})
    published = build(tmp_path)
    assert listed(tmp_path) == ["a", "a/", "b/"]
    assert "canonical elsewhere" in str(published.left_out)


def test_globs_match_both_spellings_and_rules_of_hosts_the_final_one(tmp_path):
    names = "abcdef"
    write(tmp_path, {f"{name}.html": canonical(name) for name in names} | {"x.html": "", "y.html": ""})
    (tmp_path / "_headers").write_text("/c\n  X-Robots-Tag: noindex\n/d.html\n  X-Robots-Tag: noindex\n")
    (tmp_path / "_redirects").write_text("/e /f 301!\n")
    excludes = ["a", "b.html", "f.*", "!f", "y"]
    published = build(tmp_path, excludes=excludes, priority={"d": 0.5, "d.html": 0.3})
    assert listed(tmp_path) == ["d", "f", "x"]
    assert [entry.priority for entry in entries(tmp_path)] == [0.3, None, None]
    found = {reason.value: number for reason, number in published.left_out.items()}
    assert found == {"excluded": 3, "noindex": 1, "redirect": 1}
    assert [finding.rule for finding in published.findings] == ["home-missing"]


def test_what_a_host_knows_of_translations_is_spelled_as_the_pages_are(tmp_path):
    write(tmp_path, {"a.html": canonical("a"), "de/a.html": canonical("de/a"), "b.html": "", "de/b.html": ""})
    pages = []
    for name in ("a", "b"):
        known = (Alternate("en", BASE.loc(f"{name}.html")), Alternate("de", BASE.loc(f"de/{name}.html")))
        for folder in ("", "de/"):
            path = f"{folder}{name}.html"
            pages.append(Page(path, tmp_path / path, names=(path,), alternates=known))
    run(site(tmp_path), pages)
    for entry in entries(tmp_path):
        ends = {href.rpartition("/")[2] for _, href in entry.alternates}
        assert ends == {entry.loc.rpartition("/")[2]}


def test_the_links_of_left_out_pages_do_not_decide_the_address_style(tmp_path):
    write(tmp_path, {"a.html": canonical("a") + NOINDEX, "b.html": canonical("b") + NOINDEX, "x.html": ""})
    build(tmp_path)
    assert listed(tmp_path) == ["x.html"]


def test_a_page_that_is_left_out_takes_no_address(tmp_path):
    write(tmp_path, {"guide.html": "", "guide/index.html": ""})
    build(tmp_path, links="bare", excludes=["guide.html"])
    assert listed(tmp_path) == ["guide"]
