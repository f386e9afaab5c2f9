"""The protocol, row by row, as a user of the command meets it (https://www.sitemaps.org/protocol.html).

Elsewhere: the XSD of a urlset (sitemap/test_render.py), session ids in sitemaps of others
(test_join.py), stable parts of a large site (output/test_writer.py), IndexNow (test_notify.py).
"""

import re
from pathlib import Path

import pytest
from lxml import etree

from sitemap_docs.sitemap.urllist import read_urls
from tests.conftest import SITEMAP, command, commit, urlset, write

BASE = "https://example.org/"
PAGE = "<!doctype html><html><head><title>x</title></head><body></body></html>"
NAMES = ["index.html", "a/index.html", "b.html"]


@pytest.fixture
def site(tmp_path) -> Path:
    return write(tmp_path / "site", dict.fromkeys(NAMES, PAGE))


def build(site: Path, *flags: str) -> list[str]:
    """The addresses that are listed."""
    done = command("build", site, "--base-url", BASE, "--no-stylesheet", *flags)
    assert done.code == 0, done.err
    return [loc.text for loc in etree.parse(site / "sitemap.xml").iter(f"{SITEMAP}loc")]


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


INNER = ["sitemap-index-first-e3b0c4.xml", "sitemap-index-news.xml"]


@pytest.mark.parametrize("form", ["exact", "day"])
def test_indexes_are_valid_by_the_xsd(site, monkeypatch, form):
    """Of pages that are themselves in git: each was committed on a day of its own."""
    for day, name in enumerate(NAMES, 1):
        commit(site, name, date=f"2026-01-0{day}T10:20:30+02:00")
    monkeypatch.chdir(site)
    flags = ("--index", "cascaded", "--groups", "news=a/", "--indent", "2", "--lastmod-format", form)
    build(site, "--source", ".", *flags)
    xsd = etree.XMLSchema(etree.fromstring(INDEX_XSD))
    for name in ("sitemap.xml", *INNER):
        xsd.assertValid(etree.parse(site / name))
    robots = (site / "robots.txt").read_text()
    assert re.findall("Sitemap: (.*)", robots) == [BASE + name for name in ("sitemap.xml", *INNER)]


def test_cascaded_indexes_are_read_at_any_depth(site):
    listed = build(site)
    name = "sitemap.xml"
    for depth in range(6):
        index = urlset(BASE + name).replace("url", "sitemap").replace("sitemapset", "sitemapindex")
        name = f"{depth}.xml"
        write(site, {name: index})
    assert [loc for loc, _ in read_urls(str(site / name))] == listed


def test_a_frameset_and_its_frames_are_pages(site):
    frames = '<frameset cols="20%,80%"><frame src="../b.html"><frame src="../"></frameset>'
    write(site, {"a/index.html": f"<html><head><title>Frames</title></head>{frames}</html>"})
    assert build(site) == [BASE, f"{BASE}a/", f"{BASE}b.html"]
