"""The protocol, row by row, as a user of the command meets it (https://www.sitemaps.org/protocol.html).

Elsewhere: the XSD of a urlset (sitemap/test_render.py), session ids in sitemaps of others
(test_join.py), stable parts of a large site (output/test_writer.py), IndexNow (test_notify.py).
"""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from lxml import etree

from sitemap_docs.cli.main import group
from sitemap_docs.sitemap.urllist import read_urls
from tests.conftest import commit, runner, write

BASE = "https://example.org/"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
PAGE = "<!doctype html><html><head><title>x</title>{}</head><body></body></html>"


class Site:
    """A folder of HTML, and what ``sitemap-docs build`` makes of it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def add(self, *names: str, head: str = "") -> Site:
        write(self.root, dict.fromkeys(names, PAGE.format(head)))
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
    for day, name in enumerate(["index.html", "a/index.html", "b.html"], 1):
        commit(site.root, name, date=f"2026-01-0{day}T10:20:30+02:00")
    monkeypatch.chdir(site.root)
    return site


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
    robots = (history.root / "robots.txt").read_text()
    assert re.findall("Sitemap: (.*)", robots) == [BASE + name for name in ("sitemap.xml", *INNER)]


INNER = ["sitemap-index-first-e3b0c4.xml", "sitemap-index-news.xml"]


def test_cascaded_indexes_are_read_at_any_depth(site, tmp_path):
    site.build()
    for depth in range(6):
        row = f"<sitemap><loc>{BASE}{f'{depth - 1}.xml' if depth else 'sitemap.xml'}</loc></sitemap>"
        index = f'<sitemapindex xmlns="{NAMESPACE[1:-1]}">{row}</sitemapindex>'
        (site.root / f"{depth}.xml").write_text(index)
    assert [loc for loc, _ in read_urls(str(site.root / "5.xml"))] == site.texts()


def test_a_frameset_and_its_frames_are_pages(site):
    (site.root / "a/index.html").write_text(
        '<html><head><title>Frames</title></head><frameset cols="20%,80%"><frame src="../b.html">'
        '<frame src="../"></frameset></html>'
    )
    site.build()
    assert site.texts() == [BASE, f"{BASE}a/", f"{BASE}b.html"]
