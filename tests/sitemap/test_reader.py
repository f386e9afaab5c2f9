"""Foreign sitemaps: every shape that is out there, and what is refused."""

import gzip
import tracemalloc
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_docs.model import Alternate, Entry, SitemapError
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sitemap.render import SITEMAP
from sitemap_docs.sitemap.rows import SitemapRow

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


ENTRIES = {
    url("<loc>\n  /a?b&amp;c\n</loc>"): [Entry(loc="/a?b&c")],  # spaces around loc
    url("<loc>a</loc>").replace(SITEMAP, OLDER): [A],  # the namespace of 2005
    "<urlset><url><loc>a</loc></url></urlset>": [A],  # no namespace
    PREFIXED: [A],  # a prefix
    url("<loc><![CDATA[a&b]]></loc>"): [Entry(loc="a&b")],  # CDATA
    url("<loc>a<!-- b -->c</loc>"): [Entry(loc="ac")],  # a comment inside
    url("<lastmod>2026-01-01</lastmod>"): [],  # no loc
    f"{ROOT}</urlset>": [],  # nothing listed
    url(f"<loc>a</loc>{UNLIKELY}"): [A],  # what the protocol does not allow
    url('<n xmlns="n"><loc>no</loc></n><loc>a</loc>'): [A],  # loc of another namespace
    url(LINKS): LINKED,  # no rel but alternate, and a language
    DECLARED.format("ISO-8859-1").encode("latin-1"): [Entry(loc="é")],  # Latin-1
    DECLARED.format("UTF-16").encode("utf-16"): [Entry(loc="é")],  # UTF-16
    b"\xef\xbb\xbf" + url("<loc>a</loc>").encode(): [A],  # byte order mark
}


@pytest.mark.parametrize(("text", "expected"), ENTRIES.items())
def test_entries(text, expected):
    assert entries(text) == expected


def test_a_comment_longer_than_what_is_parsed_at_once():
    assert entries(f"<urlset><!--{'x' * 1_000_000}--><url><loc>a</loc></url></urlset>") == [A]


def test_rows_keep_what_stands_there():
    text = f'{ROOT}\n<url a="b"><loc> a </loc>\n<x xmlns="urn:x" y="z">t</x></url></urlset>'
    (row,) = parse(BytesIO(text.encode()), name="a.xml").rows()
    assert row == SitemapRow("a.xml", 2, raw=" a ", tags=("loc", "?:x"))
    assert row.loc == "a"


@pytest.mark.parametrize("file", sorted((GOLDEN / "makers").iterdir()), ids=lambda file: file.name)
def test_files_of_generators_are_read(file):
    assert all(entry.loc.startswith("https://") for entry in parse(file).entries())
    assert list(parse(file).rows())


REFUSED = {
    "": "is empty. Build it again",
    f"{ROOT}<url>\n<loc>a</url>": "line 2, mismatched tag",  # mismatched tag
    f"{ROOT}<url><loc>a</loc></url>": "no element found",  # cut off
    f"{ROOT}<url><loc>a&b</loc></url></urlset>": "not well-formed",  # bare ampersand
    "<html><body/></html>": "is a <html>, not a <urlset> or <sitemapindex>",  # a page
    "<rss/>": r"is a feed \(RSS\)",  # a feed
    f"<!DOCTYPE u [{LAUGHS}]><urlset>&l9;</urlset>": "document type",  # billion laughs
    f"<!DOCTYPE u [{SECRET}]><urlset>&x;</urlset>": "document type",  # external entity
    '<!DOCTYPE u SYSTEM "http://127.0.0.1:1/x.dtd"><urlset/>': "document type",  # DTD
    b"\x1f\x8bnothing": "damaged gzip",  # damaged gzip
    gzip.compress(b"<urlset></urlset>", mtime=0)[:-9]: "damaged gzip",  # gzip cut off
}


@pytest.mark.parametrize(("text", "says"), REFUSED.items())
def test_refused(text, says):
    with pytest.raises(SitemapError, match=says) as caught:
        entries(text, name="old.xml")
    assert str(caught.value).startswith("old.xml ")


# --- that mean harm: what is there is read, or what is wrong is said, in bounded memory ---

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
        return list(parse(BytesIO(data), name="x.xml").entries())
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
    "nested too deeply": f"<urlset {NS}>" + "<a>" * NUMBER,
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
    packed = BytesIO(gzip.compress(data, 1))
    tracemalloc.start()
    with suppress(SitemapError):
        for _ in parse(packed, name="x.xml").rows():
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000 + 6 * len(data)


@pytest.mark.parametrize("start", ["<!--", "<url><loc>", "<url a='", "<", "<url><loc><![CDATA["])
def test_a_token_that_no_sitemap_has_ends_the_reading(start: str) -> None:
    stream = BytesIO(f"<urlset {NS}>{start}".encode() + b"x" * 5_000_000)
    # expat 2.6 and newer keep an unfinished token for the end.
    with pytest.raises(SitemapError, match=r"of more than 4 MiB, line 1|line 1, unclosed token"):
        list(parse(stream).entries())


def test_a_bomb_stops_at_the_limit() -> None:
    inside = f"<urlset {NS}>".encode() + b" " * 60_000_000
    packer = zlib.compressobj(1, wbits=31)  # level 9 takes four times as long
    bomb = packer.compress(inside) + packer.flush()
    assert len(bomb) < 500_000
    tracemalloc.start()
    with pytest.raises(SitemapError, match="has more than 52,428,800 bytes after unpacking"):
        list(parse(BytesIO(bomb)).entries())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


TAILS = {
    b"\0" * 5_000: True,  # padded with zeros, as tapes were
    gzip.compress(b"", mtime=0) * 3_000: True,  # members of nothing
    gzip.compress(b"<x/>", mtime=0): False,  # a second root
    b"garbage": False,  # something else
}


@pytest.mark.parametrize(("tail", "fits"), TAILS.items())
def test_after_the_end_of_gzip(tail: bytes, fits: bool) -> None:
    assert (read(gzip.compress(WHOLE) + tail) is not None) is fits
