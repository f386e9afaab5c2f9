"""The protocol, row by row, as a user of the command meets it (https://www.sitemaps.org/protocol.html).

Elsewhere: the XSD of a urlset (sitemap/test_render.py), session ids in sitemaps of others
(join/test_joining.py), stable parts of a large site (output/test_writer.py), IndexNow (test_notify.py).
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import get_args

import pytest
from lxml import etree

from sitemap_docs.api import build
from sitemap_docs.cli.main import group
from sitemap_docs.model import Changefreq
from sitemap_docs.sitemap.urllist import read_urls
from tests.conftest import git, runner

BASE = "https://example.org/"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PAGE = "<!doctype html><html><head><title>x</title>{}</head><body></body></html>"


class Site:
    """A folder of HTML, and what ``sitemap-docs build`` makes of it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def add(self, *names: str, head: str = "") -> Site:
        for name in names:
            file = self.root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(PAGE.format(head), encoding="utf-8")
        return self

    def build(self, *flags: str, base: str = BASE, code: int = 0) -> str:
        """What was said."""
        command = ["build", str(self.root), "--base-url", base, "--no-stylesheet", *flags]
        done = runner().invoke(group, command, catch_exceptions=False)
        assert done.exit_code == code, done.stderr
        return done.stderr

    def read(self, name: str = "sitemap.xml") -> etree._Element:
        data = (self.root / name).read_bytes()
        return etree.fromstring(gzip.decompress(data) if name.endswith(".gz") else data)

    def texts(self, field: str = "loc", name: str = "sitemap.xml") -> list[str]:
        return [each.text for each in self.read(name).iter(NAMESPACE + field)]


@pytest.fixture
def site(tmp_path) -> Site:
    return Site(tmp_path / "site").add("index.html", "a/index.html", "b.html")


@pytest.fixture
def history(site, monkeypatch) -> Site:
    """The site, whose pages are themselves in git: each was committed on a day of its own."""
    git(site.root, "init", "-q")
    for day, name in enumerate(["index.html", "a/index.html", "b.html"], 1):
        git(site.root, "add", name)
        git(site.root, "commit", "-qm", name, date=f"2026-01-0{day}T10:20:30+02:00")
    monkeypatch.chdir(site.root)
    return site


def test_a_urlset_in_the_namespace_in_utf8_with_a_declaration(site):
    site.build()
    assert (site.root / "sitemap.xml").read_bytes().startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    assert site.read().tag == NAMESPACE + "urlset"


def test_a_loc_has_its_protocol_and_the_slash_that_the_server_needs(site):
    site.build()
    assert site.texts() == [BASE, f"{BASE}a/", f"{BASE}b.html"]


def test_a_loc_is_shorter_than_2048_characters(site):
    site.add("/".join(["x" * 200] * 11) + "/index.html")
    assert "more than 2,047 characters" in site.build()
    assert max(map(len, site.texts())) < 2_048


def test_a_loc_is_percent_encoded_and_then_its_entities_are_escaped(site):
    site.add("ü & it's <x>.html").build("--extra-urls", "a?x=1&y='2'")
    text = (site.root / "sitemap.xml").read_text(encoding="ascii")
    assert "<loc>https://example.org/%C3%BC%20%26%20it%27s%20%3Cx%3E.html</loc>" in text
    assert "<loc>https://example.org/a?x=1&amp;y=&apos;2&apos;</loc>" in text


def test_lastmod_is_the_date_of_the_commit_that_changed_the_file(history):
    history.build("--source", ".")
    assert history.texts("lastmod") == [f"2026-01-0{day}T08:20:30+00:00" for day in (1, 2, 3)]


def test_lastmod_may_be_a_date_alone(site, tmp_path):
    (tmp_path / "b.md").write_text("---\nsitemap: {lastmod: 2026-01-31}\n---\n")
    git(tmp_path, "init", "-q")
    site.build("--source", str(tmp_path))
    assert site.texts("lastmod") == ["2026-01-31"]


@pytest.mark.parametrize("word", get_args(Changefreq))
def test_changefreq(site, word):
    site.build("--changefreq", f"a/={word}")
    assert site.texts("changefreq") == [word]


@pytest.mark.parametrize("number", ["0.0", "0.55", "1.0"])
def test_priority(site, number):
    site.build("--priority", f"a/={number}")
    assert site.texts("priority") == [number]


@pytest.mark.parametrize("flag", ["--changefreq=a/=often", "--priority=a/=1.1", "--priority=a/=-0.1"])
def test_what_changefreq_and_priority_cannot_be(site, flag):
    assert "must be" in site.build(flag, code=2)


def test_neither_is_written_unless_it_is_asked_for(site):
    site.build()
    assert {each.tag for each in site.read()[0]} == {NAMESPACE + "loc"}


def test_a_sitemap_has_at_most_50000_urls(site):
    urls = [f"{number:05}/" for number in range(49_998)]
    (most,) = build(site.root, base_url=BASE, extra_urls=urls[1:], stylesheet=False).files
    assert len(site.texts(name=most)) == 50_000
    *parts, _ = build(site.root, base_url=BASE, extra_urls=urls, stylesheet=False).files
    assert sum(len(site.texts(name=name)) for name in parts) == 50_001
    assert site.read().tag == NAMESPACE + "sitemapindex"


def test_no_option_leads_beyond_the_limits(site):
    assert "must be a whole number from" in site.build("--max-urls=50001", code=2)


def test_more_urls_become_several_sitemaps_and_an_index(site):
    site.build("--max-urls", "2")
    assert site.read().tag == NAMESPACE + "sitemapindex"
    names = [loc.removeprefix(BASE) for loc in site.texts()]
    assert sorted(loc for name in names for loc in site.texts(name=name)) == [
        BASE,
        f"{BASE}a/",
        f"{BASE}b.html",
    ]
    assert all(len(site.read(name)) <= 2 for name in names)


def test_gzip_of_each_sitemap_and_of_the_index(site):
    site.build("--gzip", "instead", "--max-urls", "2")
    names = [loc.removeprefix(BASE) for loc in site.texts(name="sitemap.xml.gz")]
    assert len(names) == 2
    for name in names:
        assert b"<urlset" in gzip.decompress((site.root / name).read_bytes())


def test_an_index_for_a_small_site_with_the_newest_date_inside(history):
    history.build("--source", ".", "--index", "true")
    assert history.read().tag == NAMESPACE + "sitemapindex"
    assert history.texts("lastmod") == ["2026-01-03T08:20:30+00:00"]


def test_pages_that_change_often_have_a_sitemap_that_the_index_dates(history):
    history.build("--source", ".", "--groups", "news=a/")
    dates = dict(zip(history.texts(), history.texts("lastmod"), strict=True))
    assert dates.pop(f"{BASE}sitemap-news.xml") == "2026-01-02T08:20:30+00:00"
    assert list(dates.values()) == ["2026-01-03T08:20:30+00:00"]


#: What https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd allows, but for extensions.
INDEX_XSD = """<schema xmlns="http://www.w3.org/2001/XMLSchema" xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"
  targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">
  <element name="sitemapindex"><complexType><sequence>
    <element name="sitemap" maxOccurs="unbounded"><complexType><sequence>
      <element name="loc" type="s:loc"/><element name="lastmod" minOccurs="0" type="s:lastmod"/>
    </sequence></complexType></element>
  </sequence></complexType></element>
  <simpleType name="loc"><restriction base="anyURI">
    <minLength value="12"/><maxLength value="2048"/></restriction></simpleType>
  <simpleType name="lastmod"><union memberTypes="date dateTime"/></simpleType>
</schema>"""


@pytest.mark.parametrize("form", ["exact", "day"])
def test_indexes_are_valid_by_the_xsd(history, form):
    flags = ("--index", "cascaded", "--groups", "news=a/", "--indent", "2", "--lastmod-format", form)
    history.build("--source", ".", *flags)
    xsd = etree.XMLSchema(etree.fromstring(INDEX_XSD))
    for name in ("sitemap.xml", *INNER):
        xsd.assertValid(history.read(name))


INNER = ["sitemap-index-first-e3b0c4.xml", "sitemap-index-news.xml"]


def test_cascaded_indexes_are_written_on_request_and_named_in_robots_txt(history):
    history.build("--source", ".", "--groups", "news=a/")
    assert all(history.read(loc.removeprefix(BASE)).tag == NAMESPACE + "urlset" for loc in history.texts())
    said = history.build("--source", ".", "--groups", "news=a/", "--index", "cascaded")
    assert "sitemap.xml lists 2 indexes, and Google and Bing read one level of indexes only." in said
    assert history.read().tag == NAMESPACE + "sitemapindex"
    assert history.texts() == [BASE + name for name in INNER]
    assert history.texts("lastmod") == ["2026-01-03T08:20:30+00:00", "2026-01-02T08:20:30+00:00"]
    assert [history.read(name).tag for name in INNER] == [NAMESPACE + "sitemapindex"] * 2
    assert [history.texts(name=name) for name in INNER] == [
        [f"{BASE}sitemap-first-e3b0c4.xml"],
        [f"{BASE}sitemap-news.xml"],
    ]
    robots = (history.root / "robots.txt").read_text()
    assert re.findall("Sitemap: (.*)", robots) == [BASE + name for name in ("sitemap.xml", *INNER)]


@pytest.mark.parametrize("robots", ["true", "false"])
def test_cascaded_indexes_are_read_by_each_command(site, robots, tmp_path):
    site.build("--robots", robots)
    flat = tmp_path / "flat.xml"
    flat.write_bytes((site.root / "sitemap.xml").read_bytes())
    site.build("--groups", "news=a/", "--index", "cascaded", "--robots", robots)

    def run(*arguments: object) -> str:
        done = runner().invoke(group, [*map(str, arguments)], catch_exceptions=False)
        assert done.exit_code == 0, done.stdout
        return done.stdout

    assert "0 added, 0 removed, 0 changed" in run("diff", flat, site.root)
    assert "nothing changed of 3 URLs" in run("notify", flat, site.root)
    checked = run("check", site.root, "--select", "sitemap")
    assert "3 addresses listed in 5 sitemaps" in checked
    assert "No errors" in checked
    assert f"{'sitemap:':<11}sitemap-news.xml, line 3" in run("explain", site.root, "a/")
    assert "3 listed pages" in run("report", site.root, "-o", tmp_path / "report.html")


def test_cascaded_indexes_are_read_at_any_depth(site, tmp_path):
    site.build()
    for depth in range(6):
        row = f"<sitemap><loc>{BASE}{f'{depth - 1}.xml' if depth else 'sitemap.xml'}</loc></sitemap>"
        index = f'<sitemapindex xmlns="{NAMESPACE[1:-1]}">{row}</sitemapindex>'
        (site.root / f"{depth}.xml").write_text(index)
    assert [loc for loc, _ in read_urls(str(site.root / "5.xml"))] == site.texts()


def test_cascaded_indexes_go_when_they_are_switched_off(site):
    flags = ("--groups", "news=a/", "--index", "cascaded", "--gzip", "beside")
    site.build(*flags)
    files = {file.name: file.read_bytes() for file in site.root.glob("*.xml*")}
    assert {f"{name}.gz" for name in INNER} < set(files)
    site.build(*flags)
    assert {file.name: file.read_bytes() for file in site.root.glob("*.xml*")} == files
    said = site.build("--gzip", "off", "--dry-run", "-v")
    assert all(f"would remove {name}" in said for name in files if name != "sitemap.xml")
    site.build("--gzip", "off")
    assert [file.name for file in site.root.glob("sitemap*")] == ["sitemap.xml"]
    assert "index" not in (site.root / "robots.txt").read_text()


def test_an_index_lists_only_sitemaps_of_its_own_site(site, tmp_path):
    site.build()
    command = [
        "join",
        str(site.root / "sitemap.xml"),
        "--base-url",
        f"{BASE}docs/",
        "-o",
        str(tmp_path / "out"),
    ]
    done = runner().invoke(group, command, catch_exceptions=False)
    assert done.exit_code == 2
    assert "name it in the robots.txt at the root of a host" in done.stderr


def test_a_sitemap_below_a_path_speaks_for_that_path(site, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")  # a local build does not ask for lines in robots.txt
    said = site.build("--extra-urls", f"{BASE}other", base=f"{BASE}docs/")
    assert "Sitemap: https://example.org/docs/sitemap.xml" in said
    assert "are not below https://example.org/docs/, such as https://example.org/other" in said


@pytest.mark.parametrize("url", ["https://example.com/", "http://example.org/"])
def test_every_url_is_on_the_sitemaps_own_host_and_scheme(site, url):
    assert "not on the sitemap's own host" in site.build("--extra-urls", url, code=2)


def test_of_http_and_https_the_canonical_one_is_listed(site):
    site.add("a/index.html", head=f'<link rel="canonical" href="http://{BASE.removeprefix("https://")}a/">')
    assert "by another address than the sitemap" in site.build()
    assert f"{BASE}a/" in site.texts()


def test_session_ids_are_never_listed(site):
    site.add("c;jsessionid=1A.html").build("--extra-urls", "a/?PHPSESSID=1", "--extra-urls", "d?sid=1&v=2")
    assert site.texts() == [BASE, f"{BASE}a/", f"{BASE}b.html", f"{BASE}d?v=2"]


def test_a_frameset_and_its_frames_are_pages(site):
    (site.root / "a/index.html").write_text(
        '<html><head><title>Frames</title></head><frameset cols="20%,80%"><frame src="../b.html">'
        '<frame src="../"></frameset></html>'
    )
    site.build()
    assert site.texts() == [BASE, f"{BASE}a/", f"{BASE}b.html"]


def test_the_order_of_entries_has_no_meaning_and_is_that_of_their_addresses(site):
    site.add("Z.html", "ä.html", "a.html").build("--extra-urls", "a?b=1")
    assert site.texts() == sorted(site.texts())
    assert len(site.texts()) == 7


def test_robots_txt_tells_the_engines_where_the_sitemap_is(site):
    (site.root / "robots.txt").write_text("User-agent: *\nDisallow: /private/\n")
    site.build()
    text = (site.root / "robots.txt").read_text()
    assert text.startswith("User-agent: *\nDisallow: /private/\n")
    assert f"\nSitemap: {BASE}sitemap.xml\n" in text
