"""What robots.txt names besides the sitemap, and when our lines in it go."""

import re

import pytest

from sitemap_docs.api import build, check
from sitemap_docs.model import SitemapError
from sitemap_docs.output.robots_file import extra_sitemaps
from sitemap_docs.urls.base import Base
from tests.conftest import read_the_docs, write

BASE = Base.of("https://example.org/docs/")


def test_extra_sitemaps_are_absolute():
    urls = ["more.xml", "/more.xml", "https://other.example/a b.xml?x=1"]
    more = "https://example.org/docs/more.xml"
    assert list(extra_sitemaps(urls, BASE)) == [more, more, "https://other.example/a%20b.xml?x=1"]


@pytest.mark.parametrize("url", ["ftp://example.org/a.xml", "http://[a/"])
def test_extra_sitemaps_that_are_none(url):
    with pytest.raises(SitemapError, match="The option `extra_sitemaps` has"):
        list(extra_sitemaps([url], BASE))


@pytest.fixture
def site(tmp_path):
    return write(tmp_path, {"index.html": "<title>Home</title>"})


MINE = "User-agent: *\nDisallow: /private/\n"


@pytest.mark.parametrize("mine", ["", MINE], ids=["ours", "the user's"])
@pytest.mark.parametrize(
    ("base", "options"),
    [
        pytest.param("https://example.org/", {"robots": False}, id="switched off"),
        pytest.param("https://example.org/docs/", {}, id="no longer at the root of its host"),
        pytest.param("https://example.org/docs/", {"filename": "docs.xml"}, id="with another filename"),
        pytest.param("https://example.org/", {"excludes": ["*"]}, id="nothing is listed"),
    ],
)
def test_our_lines_go_when_they_are_no_longer_written(site, mine, base, options):
    robots = site / "robots.txt"
    if mine:
        robots.write_text(mine)
    build(site, base_url="https://example.org/")
    before = robots.read_text()
    assert "Sitemap: https://example.org/sitemap.xml" in before
    assert "robots.txt" in build(site, base_url=base, dry_run=True, **options).removed or mine
    assert robots.read_text() == before
    build(site, base_url=base, **options)
    assert (robots.read_text() if robots.exists() else "") == mine


def test_our_lines_name_the_sitemap_by_its_new_filename_alone(site):
    for name in ("sitemap.xml", "docs.xml"):
        build(site, base_url="https://example.org/", filename=name)
        text = (site / "robots.txt").read_text()
        assert re.findall("Sitemap: .*", text) == [f"Sitemap: https://example.org/{name}"]


@pytest.mark.parametrize("options", [{}, {"robots": False}, {"robots": {"*": {"disallow": "/a/"}}}], ids=str)
def test_a_robots_txt_in_utf16_fails_no_build(site, options):
    data = MINE.encode("utf-16")
    (site / "robots.txt").write_bytes(data)
    done = build(site, base_url="https://example.org/", **options)
    assert "sitemap.xml" in done.changed
    assert (site / "robots.txt").read_bytes() == data
    found = [each for each in done.findings if each.rule == "robots-not-utf8"]
    assert [each.severity for each in found] == ["warning"] * (options != {"robots": False})
    assert all(each.message.endswith("Sitemap: https://example.org/sitemap.xml") for each in found)


def test_files_of_ours_with_other_line_ends_are_ours(site):
    """As git writes them into a checkout with core.autocrlf."""
    options = {"formats": "text", "index": True}
    written = build(site, base_url="https://example.org/", **options)
    before = {name: (site / name).read_bytes() for name in written.changed}
    for name, data in before.items():
        (site / name).write_bytes(data.replace(b"\n", b"\r\n"))
    again = build(site, base_url="https://example.org/", **options)
    assert sorted(again.changed) == sorted(before)
    assert {name: (site / name).read_bytes() for name in before} == before


READ_THE_DOCS = "https://project.readthedocs.io/en/latest/"


@pytest.mark.parametrize("base", [READ_THE_DOCS, "https://project.readthedocs.io/"])
def test_the_projects_own_file_on_read_the_docs_names_the_sitemap(site, monkeypatch, base):
    """It replaces that of the platform, which would name it. Without it, none is written."""
    read_the_docs(monkeypatch, base)
    assert "robots.txt" not in build(site).changed
    assert "robots.txt" in build(site, robots=True, dry_run=True).changed, "unless the project insists"
    (site / "robots.txt").write_text(MINE)
    for _ in range(2):
        build(site)
        written = (site / "robots.txt").read_text()
        assert written.startswith(MINE)
        assert written.count(f"Sitemap: {base}sitemap.xml") == 1
    assert check(site) == ()


@pytest.mark.parametrize(
    ("base", "files", "reported"),
    [
        pytest.param(READ_THE_DOCS, (), False, id="its host"),
        pytest.param("https://docs.example.org/en/latest/", (".readthedocs.yaml",), False, id="its domain"),
        pytest.param("https://docs.example.org/en/latest/", (), True, id="another platform"),
        pytest.param("https://name.github.io/project/", (".readthedocs.yaml",), True, id="another address"),
    ],
)
def test_read_the_docs_serves_the_file_at_the_root_of_the_host(site, monkeypatch, base, files, reported):
    """Wherever the site is checked."""
    monkeypatch.chdir(write(site / "project", {"x": "", **dict.fromkeys(files, "")}))
    built = build(site, base_url=base)
    assert any(finding.rule == "robots-below-root" for finding in built.findings) == reported
    (site / "robots.txt").write_text(MINE)
    assert any(each.rule == "robots-not-at-host-root" for each in check(site)) == reported
