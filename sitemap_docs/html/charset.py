"""The character encoding of a rendered page, as browsers decide it (HTML 13.2.3)."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

import webencodings

_PRESCAN = 1024  # bytes in which a browser looks for a declaration
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_MARKED = re.compile(b"|".join(_BYTE_ORDER_MARKS))
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_DECLARATION = re.compile(
    rb"<(?:\?xml\s[^>]*?\bencoding|meta\s[^>]*?\bcharset)\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE
)
# Python reads these names more narrowly than https://encoding.spec.whatwg.org/ does.
_WIDER = {"gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949"}


def utf8(data: bytes) -> bytes:
    """A page, or its beginning, in UTF-8; where it is in UTF-8 already, errors in it stay.

    A byte order mark decides, then a declaration in the first 1,024 bytes. Without either it is UTF-8, or
    Windows-1252 where it cannot be UTF-8.
    """
    if mark := _MARKED.match(data):
        codec = codecs.lookup(_BYTE_ORDER_MARKS[mark[0]])
        data = data[mark.end() :]
    else:
        codec = _declared(data[:_PRESCAN]) or _guessed(data)
    if codec.name == "utf-8":
        return data
    text, _ = codec.decode(data, "replace")
    return text.encode()


def _declared(start: bytes) -> codecs.CodecInfo | None:
    """The codec for the encoding that the beginning of a page declares; None without a declaration."""
    found = _DECLARATION.search(start)
    if found and b"<!--" in start[: found.start()]:
        found = _DECLARATION.search(_COMMENT.sub(b"", start))
    return _codec(found[1]) if found else None


@lru_cache
def _codec(label: bytes) -> codecs.CodecInfo | None:
    """The codec that reads a declared encoding; None for one that browsers do not know.

    Python has codecs that no browser has, and some of them fail on what they cannot read.
    """
    encoding = webencodings.lookup(label.decode("ascii", "replace"))
    if encoding is None:
        return None
    if encoding.name.startswith("utf-16"):  # the declaration itself could not have been read: HTML 13.2.3.2
        return codecs.lookup("utf-8")
    if encoding.name in _WIDER:
        return codecs.lookup(_WIDER[encoding.name])
    codec: codecs.CodecInfo = encoding.codec_info
    return codec


def _guessed(data: bytes) -> codecs.CodecInfo:
    codec = codecs.lookup("utf-8")
    try:
        codec.incrementaldecoder().decode(data)  # the last character may be cut, if this is a beginning
    except UnicodeDecodeError:
        return codecs.lookup("cp1252")
    return codec
