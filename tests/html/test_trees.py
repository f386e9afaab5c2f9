"""The encoding of a page, as browsers decide it."""

from __future__ import annotations

import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from sitemap_docs.html.trees import utf8

LATE = " " * 1024 + "<meta charset=gbk>"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(b"\x80\x81", "\u20ac\ufffd", id="Windows' Latin-1, if it is not UTF-8"),
        pytest.param(b"<meta charset=latin1>\x80", "<meta charset=latin1>\u20ac", id="is called Latin-1"),
        pytest.param(b"<meta charset=utf-8>\xff", "<meta charset=utf-8>\ufffd", id="not what it says"),
        pytest.param(b"\xff\xfea\0\0\xd8", "a\ufffd", id="half a character"),
        pytest.param(f"{LATE}é".encode(), f"{LATE}é", id="too late"),
        pytest.param(
            b"<?xml version='1.0' encoding='koi8-r'?>\xc1",
            "<?xml version='1.0' encoding='koi8-r'?>а",  # noqa: RUF001
            id="XML's declaration",
        ),
        pytest.param(b"<!-- <meta charset=koi8-r> -->\xc3\xa9", "<!-- <meta charset=koi8-r> -->é", id="none"),
        pytest.param(
            b'<meta content="charset=gbk"><meta content="x; charset=koi8-r" http-equiv=Content-Type>\xc1',
            '<meta content="charset=gbk"><meta content="x; charset=koi8-r" http-equiv=Content-Type>а',  # noqa: RUF001
            id="in place of a header, behind such words",
        ),
        pytest.param(b"<meta charset=utf-16>\xc3\xa9", "<meta charset=utf-16>é", id="cannot be true"),
        pytest.param(b"<meta charset=idna>\xc3\xa9", "<meta charset=idna>é", id="a codec of Python alone"),
        pytest.param(b"<meta charset=\xff>\x80", "<meta charset=ÿ>\u20ac", id="not in ASCII itself"),
        pytest.param(b"<meta charset=shift_jis>\x87\x40", "<meta charset=shift_jis>①", id="Shift_JIS"),
        pytest.param("é".encode()[:1], "\ufffd", id="cut in a character"),
    ],
)
def test_decoding(data: bytes, text: str) -> None:
    assert utf8(data).decode(errors="replace") == text


@given(st.sampled_from(sorted({*LABELS, *encodings.aliases.aliases.values()})), st.binary(max_size=80))
def test_no_declaration_makes_a_page_unreadable(label: str, data: bytes) -> None:
    utf8(f"<meta charset={label}>".encode() + data).decode(errors="replace")
