"""Sitemaps that mean harm: the reader tells what is there or says what is wrong, in bounded memory."""

from __future__ import annotations

import gzip
import io
import tracemalloc
import zlib
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_docs.model import Entry, SitemapError
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sitemap.render import SITEMAP

pytestmark = pytest.mark.once

NS = f'xmlns="{SITEMAP}"'
WHOLE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<urlset {NS} xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc> https://e.org/a?b&amp;c </loc><lastmod>2026-01-31</lastmod><priority>0.5</priority>
<xhtml:link rel="alternate" hreflang="de" href="https://e.org/de"/><i:image><i:loc>https://e.org/i</i:loc></i:image></url>
<url><loc><![CDATA[https://e.org/<b>]]></loc><x:y xmlns:x="z">1</x:y></url>
</urlset>""".encode()


def read(data: bytes) -> list[Entry] | None:
    """The entries; None for what is refused, in words, by a SitemapError and no other error."""
    try:
        return list(parse(io.BytesIO(data), name="x.xml").entries())
    except SitemapError as error:
        said = str(error)
    assert said.startswith("x.xml ")
    assert "\n" not in said
    return None


@given(st.integers(0, len(WHOLE) - 1), st.booleans())
@settings(deadline=None, max_examples=60)
def test_cut_anywhere(length: int, packed: bool) -> None:
    data = gzip.compress(WHOLE, mtime=0) if packed else WHOLE
    assert read(data[: min(length, len(data) - 1)]) is None


ENCODINGS = "utf-16 utf-16-le utf-8-sig iso-8859-1 cp037 utf-7 utf-32 no-such rot13 idna"


@pytest.mark.parametrize("encoding", ENCODINGS.split())
def test_other_encodings_are_read_right_or_not_at_all(encoding: str) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{declared}"?><urlset {NS}><url><loc>https://e.org/é</loc></url></urlset>'
    found = read(text.encode(encoding if encoding.startswith(("utf", "iso", "cp")) else "utf-8"))
    assert found is None or [entry.loc for entry in found] == ["https://e.org/é"]


NUMBER = 60_000
SHAPES = {
    "elements in one another": f"<urlset {NS}>" + "<a>" * NUMBER,
    "elements in a row": f"<urlset {NS}><url>" + "<a/>" * NUMBER + "</url></urlset>",
    "elements in a loc": f"<urlset {NS}><url><loc>" + "<b/>x" * NUMBER + "</loc></url></urlset>",
    "rows of nothing": f"<urlset {NS}>" + "<url/>" * (NUMBER // 4) + "</urlset>",
    "references": f"<urlset {NS}><url><loc>" + "&amp;" * NUMBER + "</loc></url></urlset>",
    "a long loc": f"<urlset {NS}><url><loc>" + "x" * 5 * NUMBER + "</loc></url></urlset>",
    "text between rows": f"<urlset {NS}>" + "x&lt;" * NUMBER + "</urlset>",
    "a comment without end": "<!--" + "x" * 5 * NUMBER,
    "an attribute without end": '<urlset xmlns="' + "x" * 5 * NUMBER,
    "blanks before the root": " " * 5 * NUMBER + f"<urlset {NS}/>",
    "instructions": f"<urlset {NS}>" + "<?a b?>" * NUMBER + "</urlset>",
    "namespaces": f"<urlset {NS}>" + "".join(f"<x xmlns='{each}'/>" for each in range(NUMBER // 8)),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_memory_is_not_many_times_the_input(shape: str) -> None:
    data = SHAPES[shape].encode()
    packed = io.BytesIO(gzip.compress(data, 1))
    tracemalloc.start()
    with suppress(SitemapError):
        for _ in parse(packed, name="x.xml").rows():
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000 + 6 * len(data)


@pytest.mark.parametrize("start", ["<!--", "<url><loc>", "<url a='", "<", "<url><loc><![CDATA["])
def test_a_token_that_no_sitemap_has_ends_the_reading(start: str) -> None:
    stream = io.BytesIO(f"<urlset {NS}>{start}".encode() + b"x" * 5_000_000)
    with pytest.raises(SitemapError, match=r"a tag, a text or a comment of more than 4 MiB, line 1"):
        list(parse(stream).entries())


def test_a_bomb_stops_at_the_limit() -> None:
    inside = f"<urlset {NS}>".encode() + b" " * 100_000_000
    packer = zlib.compressobj(1, wbits=31)  # level 9 takes four times as long
    bomb = packer.compress(inside) + packer.flush()
    assert len(bomb) < 500_000
    tracemalloc.start()
    with pytest.raises(SitemapError, match="has more than 52,428,800 bytes unpacked"):
        list(parse(io.BytesIO(bomb)).entries())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize(
    ("tail", "fits"),
    [
        pytest.param(b"\0" * 5_000, True, id="padded with zeros, as tapes were"),
        pytest.param(gzip.compress(b"") * 3_000, True, id="members of nothing"),
        pytest.param(gzip.compress(b"<x/>"), False, id="a second root"),
        pytest.param(b"garbage", False, id="something else"),
    ],
)
def test_after_the_end_of_gzip(tail: bytes, fits: bool) -> None:
    assert (read(gzip.compress(WHOLE) + tail) is not None) is fits
