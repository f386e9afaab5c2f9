"""Foreign sitemaps: every shape that is out there, and what is refused."""

import gzip
from io import BytesIO
from pathlib import Path

import pytest

from sitemap_docs.model import Alternate, Entry, SitemapError
from sitemap_docs.sitemap.reader import SitemapRow, parse
from sitemap_docs.sitemap.render import SITEMAP

GOLDEN = Path(__file__).parents[1] / "golden"
ROOT = f'<urlset xmlns="{SITEMAP}">'
SECRET = '<!ENTITY x SYSTEM "file:///etc/passwd">'
LAUGHS = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))


def entries(text, **options):
    source = BytesIO(text if isinstance(text, bytes) else text.encode())
    return list(parse(source, **options).entries())


def url(elements: str) -> str:
    return f"{ROOT}<url>{elements}</url></urlset>"


A = Entry(loc="a")
OLDER = "http://www.google.com/schemas/sitemap/0.84"
PREFIXED = f'<s:urlset xmlns:s="{SITEMAP}"><s:url><s:loc>a</s:loc></s:url></s:urlset>'
DECLARED = '<?xml version="1.0" encoding="{0}"?><urlset><url><loc>é</loc></url></urlset>'
UNLIKELY = "<lastmod>soon</lastmod><changefreq>often</changefreq><priority>high</priority>"
LINKS = """<loc>a</loc>
    <l:link xmlns:l="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="de" href=" b "/>
    <l:link xmlns:l="http://www.w3.org/1999/xhtml" rel="amphtml" hreflang="en" href="c"/>
    <l:link xmlns:l="http://www.w3.org/1999/xhtml" rel="alternate" media="handheld" href="d"/>
    <l:link xmlns:l="http://www.w3.org/1999/xhtml" hreflang="fr" href="e"/>"""
LINKED = [Entry(loc="a", alternates=(Alternate("de", "b"), Alternate("fr", "e")))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(url("<loc>\n  /a?b&amp;c\n</loc>"), [Entry(loc="/a?b&c")], id="spaces around loc"),
        pytest.param(url("<loc>a</loc>").replace(SITEMAP, OLDER), [A], id="the namespace of 2005"),
        pytest.param("<urlset><url><loc>a</loc></url></urlset>", [A], id="no namespace"),
        pytest.param(PREFIXED, [A], id="a prefix"),
        pytest.param(url("<loc><![CDATA[a&b]]></loc>"), [Entry(loc="a&b")], id="CDATA"),
        pytest.param(url("<loc>a<!-- b -->c</loc>"), [Entry(loc="ac")], id="a comment inside"),
        pytest.param(url("<lastmod>2026-01-01</lastmod>"), [], id="no loc"),
        pytest.param(f"{ROOT}</urlset>", [], id="nothing listed"),
        pytest.param(url(f"<loc>a</loc>{UNLIKELY}"), [A], id="what the protocol does not allow"),
        pytest.param(url('<n xmlns="n"><loc>no</loc></n><loc>a</loc>'), [A], id="loc of another namespace"),
        pytest.param(url(LINKS), LINKED, id="no rel but alternate, and a language"),
        pytest.param(DECLARED.format("ISO-8859-1").encode("latin-1"), [Entry(loc="é")], id="Latin-1"),
        pytest.param(DECLARED.format("UTF-16").encode("utf-16"), [Entry(loc="é")], id="UTF-16"),
        pytest.param(b"\xef\xbb\xbf" + url("<loc>a</loc>").encode(), [A], id="byte order mark"),
    ],
)
def test_entries(text, expected):
    assert entries(text) == expected


def test_rows_keep_what_stands_there():
    text = f'{ROOT}\n<url a="b"><loc> a </loc>\n<x xmlns="urn:x" y="z">t</x></url></urlset>'
    (row,) = parse(BytesIO(text.encode()), name="a.xml").rows()
    assert row == SitemapRow("a.xml", 2, raw=" a ", tags=("loc", "?:x"))
    assert row.loc == "a"


@pytest.mark.parametrize("file", sorted((GOLDEN / "makers").iterdir()), ids=lambda file: file.name)
def test_files_of_generators_are_read(file):
    assert all(entry.loc.startswith("https://") for entry in parse(file).entries())
    assert list(parse(file).rows())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "not well-formed XML: line 1, no element found", id="empty"),
        pytest.param(f"{ROOT}<url>\n<loc>a</url>", "line 2, mismatched tag", id="mismatched tag"),
        pytest.param(f"{ROOT}<url><loc>a</loc></url>", "no element found", id="cut off"),
        pytest.param(f"{ROOT}<url><loc>a&b</loc></url></urlset>", "not well-formed", id="bare ampersand"),
        pytest.param("<html><body/></html>", "is a <html>, not a <urlset> or <sitemapindex>", id="a page"),
        pytest.param("<rss/>", "is not a sitemap", id="a feed"),
        pytest.param("https://e.org/\n", "not well-formed", id="a text sitemap"),
        pytest.param(f"<!DOCTYPE u [{LAUGHS}]><urlset>&l9;</urlset>", "document type", id="billion laughs"),
        pytest.param(f"<!DOCTYPE u [{SECRET}]><urlset>&x;</urlset>", "document type", id="external entity"),
        pytest.param('<!DOCTYPE u SYSTEM "http://127.0.0.1:1/x.dtd"><urlset/>', "document type", id="DTD"),
        pytest.param(b"\x1f\x8bnothing", "damaged gzip", id="damaged gzip"),
        pytest.param(gzip.compress(b"<urlset></urlset>")[:-9], "damaged gzip", id="gzip cut off"),
    ],
)
def test_refused(text, says):
    with pytest.raises(SitemapError, match=says) as caught:
        entries(text, name="old.xml")
    assert str(caught.value).startswith("old.xml ")
