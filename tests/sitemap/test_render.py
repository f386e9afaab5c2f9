"""The bytes of a sitemap: golden files that read like the protocol, the official XSD, and the way back."""

from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sitemap_docs.model import Alternate, Entry, SitemapError
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sitemap.render import XmlStyle, compress, overhead, row, stamp
from tests.conftest import assert_golden, npm_file, rendered

GOLDEN = Path(__file__).parents[1] / "golden" / "sitemaps"
UTC = timezone.utc
DATE = datetime(2026, 1, 31, 10, 20, 30, tzinfo=UTC)
HOUR_TWICE = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
BASE = "https://example.org/docs/"

DEFAULT = Alternate("x-default", BASE)
PLAIN = [Entry(loc=BASE, lastmod=DATE), Entry(loc=f"{BASE}a%20b/")]
RICH = [
    Entry(
        loc=f"{BASE}?a=1&b='<\">",
        lastmod=DATE,
        alternates=(Alternate("en", BASE), Alternate("pt-BR", f"{BASE}pt-br/?a&b"), DEFAULT),
        images=(f"{BASE}one.png", f"{BASE}two.png?x&y"),
        changefreq="weekly",
        priority=0.8,
    ),
    Entry(loc=f"{BASE}only/", images=(f"{BASE}one.png",)),
]
SHEET = XmlStyle(stylesheet="sitemap.css")
INDEX = [Entry(loc=f"{BASE}sitemap-1.xml", lastmod=DATE), Entry(loc=f"{BASE}sitemap-2.xml")]


GOLDEN_FILES = [
    pytest.param("plain.xml", "urlset", PLAIN, XmlStyle(), 0, id="plain"),
    pytest.param("indented.xml", "urlset", RICH, XmlStyle(), 2, id="indented"),
    pytest.param("rich.xml", "urlset", RICH, SHEET, 0, id="with everything"),
    pytest.param("index.xml", "sitemapindex", INDEX, SHEET, 0, id="index"),
    pytest.param("part.xml", "urlset", PLAIN, XmlStyle(part_of="sitemap.xml"), 0, id="part"),
    pytest.param("index-indented.xml", "sitemapindex", INDEX, XmlStyle(), 4, id="indented index"),
]


@pytest.mark.parametrize(("name", "kind", "entries", "style", "indent"), GOLDEN_FILES)
def test_golden(request, name, kind, entries, style, indent):
    found = rendered(entries, kind, style, indent)
    assert_golden(request, GOLDEN / name, found)
    etree.fromstring(found)


STAMPS = [
    (DATE.astimezone(timezone(timedelta(hours=-8))), "2026-01-31T10:20:30+00:00"),  # zone
    (HOUR_TWICE, "2026-10-25T00:30:00+00:00"),  # the first 02:30 of that night
    (HOUR_TWICE.replace(fold=1), "2026-10-25T01:30:00+00:00"),  # the second
    (DATE.replace(microsecond=999_999), "2026-01-31T10:20:30+00:00"),  # whole seconds
]


@pytest.mark.parametrize(("moment", "text"), STAMPS)
def test_one_spelling_of_a_date(moment, text):
    assert stamp(moment) == text


def test_a_date_without_a_zone_is_refused():
    with pytest.raises(SitemapError, match="no time zone"):
        stamp(DATE.replace(tzinfo=None))


TEXT = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Z")), min_size=1
)  # what a URL may hold, and more
MOMENTS = st.builds(
    lambda seconds, zone: datetime.fromtimestamp(seconds, UTC).astimezone(timezone(timedelta(minutes=zone))),
    st.integers(-30_000_000_000, 250_000_000_000),  # years 1019 to 9892
    st.integers(-1439, 1439),
)
ENTRIES = st.builds(
    Entry,
    loc=TEXT,
    lastmod=st.none() | MOMENTS,
    alternates=st.lists(st.builds(Alternate, TEXT, TEXT), max_size=3).map(tuple),
    images=st.lists(TEXT, max_size=3).map(tuple),
    changefreq=st.sampled_from([None, "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]),
    priority=st.none() | st.floats(0, 1),
    group=st.just(""),  # which no sitemap holds, as the title
)


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(ENTRIES, max_size=5), st.sampled_from([0, 2, 3]), st.sampled_from(["urlset", "sitemapindex"]))
def test_what_is_written_is_read_again(entries, indent, kind):
    written = rendered(entries, kind, indent=indent)
    for form in (written, compress(written)):
        found = parse(BytesIO(form))
        assert found.root == kind
        assert list(found.entries()) == entries
    sizes = [len(row(entry, "sitemap", indent, "exact")) for entry in entries]
    assert len(written) <= overhead(kind, XmlStyle()) + sum(sizes)


def test_gzip_has_no_time_no_name_and_no_system():
    assert compress(b"x" * 100)[:10] == b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


def test_golden_files_are_valid(tmp_path):
    """By the official schema, as the npm package "sitemap" carries it; what extends it is not looked up."""
    schema = npm_file(tmp_path, "sitemap@9", "schema/sitemap.xsd")
    xsd = etree.XMLSchema(etree.fromstring(schema.replace(b'"strict"', b'"lax"')))
    for name in ("plain.xml", "indented.xml", "rich.xml", "part.xml"):
        xsd.assertValid(etree.parse(GOLDEN / name))
