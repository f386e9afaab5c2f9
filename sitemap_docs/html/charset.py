"""The character encoding of a rendered page, as browsers decide it (HTML 13.2.3)."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

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
_WESTERN = "cp1252"
# What https://encoding.spec.whatwg.org/#names-and-labels reads under a name that Python reads literally.
_SUPERSETS = {
    "ascii": _WESTERN,
    "iso8859-1": _WESTERN,
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_ASCII = bytes(range(128)).decode() + r"\u0041"  # Python has codecs that would read an A there


def utf8(data: bytes) -> bytes:
    """A page, or its beginning, in UTF-8; where it is in UTF-8 already, errors in it stay.

    A byte order mark decides, then a declaration in the first 1,024 bytes. Without either it is UTF-8, or
    Windows-1252 where it cannot be UTF-8.
    """
    if mark := _MARKED.match(data):
        encoding, rest = _BYTE_ORDER_MARKS[mark[0]], data[mark.end() :]
        return rest if encoding == "utf-8" else rest.decode(encoding, "replace").encode()
    start = data[:_PRESCAN]
    declared = _DECLARATION.search(start)
    if declared and b"<!--" in start[: declared.start()]:
        declared = _DECLARATION.search(_COMMENT.sub(b"", start))
    encoding = _codec(declared[1]) if declared else ""
    if not encoding:
        encoding = "utf-8" if data.isascii() or _is_utf8(data) else _WESTERN
    return data if encoding == "utf-8" else data.decode(encoding, "replace").encode()


def _is_utf8(data: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    return True


@lru_cache
def _codec(label: bytes) -> str:
    """The codec that reads a declared encoding; ``""`` for one that browsers do not know."""
    try:
        name = codecs.lookup(label.decode("ascii")).name
        if name.startswith("utf-16"):  # the declaration itself could not have been read: HTML 13.2.3.2
            return "utf-8"
        return _SUPERSETS.get(name, name) if _ASCII.encode().decode(name) == _ASCII else ""
    except (LookupError, ValueError):
        return ""
