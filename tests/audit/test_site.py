"""Sitemaps as the rules see them: whole where they are, as far as they go where they are not, and bounded."""

from __future__ import annotations

import gzip
from io import BytesIO

import pytest

from sitemap_docs.audit.site import MAX_ENTRIES, Sitemap, sitemap_facts
from sitemap_docs.sitemap.reader import Fault
from sitemap_docs.sitemap.render import SITEMAP

pytestmark = pytest.mark.once

NS = f'xmlns="{SITEMAP}"'
ROOT = f"<urlset {NS}>"


def read(data: str | bytes, name: str = "sitemap.xml") -> Sitemap:
    return sitemap_facts(BytesIO(data.encode() if isinstance(data, str) else data), name)


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
        pytest.param(b"", {"fault": Fault("xml", "no element found", 1)}, id="nothing"),
    ],
)
def test_what_a_file_is(data: bytes, expected: dict[str, object]) -> None:
    found = read(data)
    assert {name: getattr(found, name) for name in expected} == expected


def test_rows_before_a_fault_are_read() -> None:
    found = read(f"{ROOT}<url><loc>a</loc></url>\n<url><loc>b</url></urlset>")
    assert [url.loc for url in found.urls] == ["a"]
    assert found.fault == Fault("xml", "mismatched tag", 2)


def test_entries_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """4 MB of them are 4 KB as gzip."""
    assert MAX_ENTRIES > 50_000, "too many must not look like all that are allowed"
    monkeypatch.setattr("sitemap_docs.audit.site.MAX_ENTRIES", 1_000)
    found = read(gzip.compress(f"{ROOT}{'<a/>' * 1_001}</urlset>".encode()))
    assert len(found.urls) == 1_000


@pytest.mark.parametrize(
    "content",
    ["<url>" + "<a/>" * 30_000 + "</url>", "<a>" * 100],
    ids=["in a row", "in one another"],
)
def test_elements_are_bounded(content: str) -> None:
    found = read(gzip.compress(f"{ROOT}{content}".encode()))
    assert found.fault
    assert found.fault.kind == "elements"


@pytest.mark.parametrize(("rows", "kind"), [(10, None), (11, "elements")])
def test_elements_of_all_rows_are_bounded(
    rows: int, kind: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap_docs.sitemap.reader.MOST_ELEMENTS", 1_001)  # the root is one
    found = read(ROOT + ("<url>" + "<a/>" * 99 + "</url>") * rows + "</urlset>")
    assert (found.fault and found.fault.kind) == kind


@pytest.mark.parametrize("text", ["<!--{}-->", "<urlset a='{}'/>", "<?a {}?>"])
def test_long_tokens_reach_the_parser_in_few_pieces(text: str) -> None:
    """An expat before 2.6 reads a token from its beginning whenever it is given more of it."""
    data = text.format("x" * 4_000_000) + ("" if "urlset" in text else "<urlset/>")
    found = read(data)
    assert (found.fault, found.root, found.size) == (None, "urlset", len(data))


def test_many_attributes() -> None:
    attributes = " ".join(f'a{number}="x"' for number in range(80_000))
    assert read(f"{ROOT}<url {attributes}><loc>a</loc></url></urlset>").urls[0].loc == "a"


def test_members_of_nothing_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_docs.audit.site.MAX_UNPACKED", 100_000)
    found = read(gzip.compress(b"<urlset/>") + gzip.compress(b"") * 20_000)
    assert found.fault == Fault("size", "100,000")
