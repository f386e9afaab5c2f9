"""Sitemaps of the audit are read whole or as far as they go, and bounded."""

import gzip
from io import BytesIO

import pytest

from sitemap_docs.audit.sitemap_file import MAX_ENTRIES, Sitemap, sitemap_facts
from sitemap_docs.sitemap.render import SITEMAP
from sitemap_docs.sitemap.rows import Fault

pytestmark = pytest.mark.once

ROOT = f'<urlset xmlns="{SITEMAP}">'


def read(data: str | bytes) -> Sitemap:
    return sitemap_facts(BytesIO(data.encode() if isinstance(data, str) else data), "sitemap.xml")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param("<urlset/>".encode("utf-16"), {"encoding": "utf-16"}, id="UTF-16"),
        (b'<?xml version="1.0" encoding="Shift_JIS"?><urlset/>', {"encoding": "shift_jis", "root": ""}),
        pytest.param(
            gzip.compress(b"<urlset>") + gzip.compress(b"</urlset>") + bytes(200_000),
            {"fault": None, "size": 17},
            id="gzip of two members and much padding",
        ),
        pytest.param(b"", {"fault": Fault("empty", "")}, id="nothing"),
    ],
)
def test_what_a_file_is(data: bytes, expected: dict[str, object]) -> None:
    found = read(data)
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("rows", "listed", "kind"),
    [
        pytest.param("<url><loc>a</loc></url>\n<url><loc>b</url>", ["a"], "xml", id="what is before a fault"),
        pytest.param("<a/>" * 1_001, [""] * 1_000, None, id="entries: 4 MB of them are 4 KB as gzip"),
        pytest.param("<url>" + "<a/>" * 30_000 + "</url>", [], "elements", id="elements in a row"),
        pytest.param("<a>" * 100, [], "elements", id="elements in one another"),
        pytest.param(("<url>" + "<a/>" * 499 + "</url>") * 10, [""] * 10, None, id="elements of all rows"),
        pytest.param(("<url>" + "<a/>" * 499 + "</url>") * 11, [""] * 10, "elements", id="and one row more"),
    ],
)
def test_rows_are_bounded(
    rows: str, listed: list[str], kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_ENTRIES > 50_000, "too many must not look like all that are allowed"
    monkeypatch.setattr("sitemap_docs.audit.sitemap_file.MAX_ENTRIES", 1_000)
    monkeypatch.setattr("sitemap_docs.sitemap.parsers.MOST_ELEMENTS", 5_001)  # the root is one
    found = read(gzip.compress(f"{ROOT}{rows}</urlset>".encode()))
    assert [url.loc for url in found.urls] == listed
    assert (found.fault and found.fault.kind) == kind


@pytest.mark.parametrize("text", ["<!--{}-->", "<urlset a='{}'/>", "<?a {}?>"])
def test_long_tokens_reach_the_parser_in_few_pieces(text: str) -> None:
    """An expat before 2.6 reads a token from its beginning whenever it is given more of it."""
    data = text.format("x" * 4_000_000) + ("" if "urlset" in text else "<urlset/>")
    found = read(data)
    assert (found.fault, found.root, found.size) == (None, "urlset", len(data))


def test_a_row_with_80_000_attributes_is_read() -> None:
    attributes = " ".join(f'a{number}="x"' for number in range(80_000))
    assert read(f"{ROOT}<url {attributes}><loc>a</loc></url></urlset>").urls[0].loc == "a"


def test_a_gzip_file_with_too_many_empty_members_is_reported_as_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sitemap_docs.audit.sitemap_file.MAX_UNPACKED", 100_000)
    found = read(gzip.compress(b"<urlset/>") + gzip.compress(b"") * 20_000)
    assert found.fault == Fault("size", "100,000")
