"""The encoding of a page, as browsers decide it."""

import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from sitemap_docs.html.trees import utf8

LATE = " " * 1024 + "<meta charset=gbk>"


CONTENT_TYPE = b'<meta content="x; charset=koi8-r" http-equiv=Content-Type>'
DECODED = {
    b"\x80\x81": "cp1252",  # Windows' Latin-1, if it is not UTF-8
    b"<meta charset=latin1>\x80": "cp1252",
    b"<meta charset=utf-8>\xff": "utf-8",  # not what it says
    b"\xff\xfea\0\0\xd8": "utf-16",  # half a character
    f"{LATE}é".encode(): "utf-8",
    b"<?xml version='1.0' encoding='koi8-r'?>\xc1": "koi8-r",
    b"<!-- <meta charset=koi8-r> -->\xc3\xa9": "utf-8",
    b'<meta content="charset=gbk">' + CONTENT_TYPE + b"\xc1": "koi8-r",  # behind such words
    b"<meta charset=utf-16>\xc3\xa9": "utf-8",  # cannot be true
    b"<meta charset=idna>\xc3\xa9": "utf-8",  # a codec of Python alone
    b"<meta charset=\xff>\x80": "cp1252",  # not in ASCII itself
    b"<meta charset=shift_jis>\x87\x40": "cp932",
    "é".encode()[:1]: "utf-8",  # cut in a character
}


@pytest.mark.parametrize(("data", "codec"), DECODED.items())
def test_decoding(data: bytes, codec: str) -> None:
    assert utf8(data).decode(errors="replace") == data.decode(codec, "replace")


@given(st.sampled_from(sorted({*LABELS, *encodings.aliases.aliases.values()})), st.binary(max_size=80))
def test_no_declaration_makes_a_page_unreadable(label: str, data: bytes) -> None:
    utf8(f"<meta charset={label}>".encode() + data).decode(errors="replace")
