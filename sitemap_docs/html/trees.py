"""The HTML parser for rendered pages. It decodes bytes as browsers do, and follows the HTML standard."""

import codecs
import re
from collections.abc import Iterator
from functools import lru_cache

import webencodings
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

Tree = LexborHTMLParser
Attributes = dict[str, str | None]
"""The attributes of an element, by name in lower case. An attribute without a value is None."""

BODY = re.compile(rb"<body(?=[\s/>])", re.IGNORECASE)
"""The start of a body, unless it is part of a script, a comment or an attribute."""

_HEAD = re.compile(rb"</?head(?=[\s/>])", re.IGNORECASE)

_UTF8 = codecs.lookup("utf-8")
_PRESCAN = 1024  # browsers look for a declaration in these first bytes
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_MARKED = re.compile(b"|".join(_BYTE_ORDER_MARKS))
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_DECLARATION = re.compile(
    rb"<(?:\?xml\s[^>]*?\bencoding\s*=\s*[\"']?([^\s\"'>]+)|meta(?=[\s/])([^>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^>\"']*)*))",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(rb"([^\s=/\"']+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']+)))?")
_CHARSET = re.compile(rb"\bcharset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)
# Python's codecs of these names know fewer characters than those of https://encoding.spec.whatwg.org/.
_WIDER = {"gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949"}

_MARK = "sitemap-docs-body"
_OUR_BODY = f"<body {_MARK}>".encode()
_CUT = "sitemap-docs-cut"

# Without this line, glibc returns memory to the system after each parse, which takes 50 µs a page. It stops
# after a block of this size has been freed.
bytes(1 << 20)

# For each tag, Lexbor goes through all open elements; for each attribute, through all other attributes of the
# tag; and in each paragraph, it reopens unclosed formatting, as the standard asks. All three take quadratic
# time, so these limits apply to each parse.
_FEW_TAGS = 512
FEW_BYTES = 4_096  # no need to count the tags of a shorter page
_MANY_TAGS = 16_384
_WINDOW = 65_536
_MANY_REOPENED = 1 << 17  # elements
_FORMATTING = "html|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_OPENING = re.compile(rf"<(?:{_FORMATTING})[\s/][^>]*".encode())
_REOPENED = re.compile(rf"<(/?)(?:{_FORMATTING})(?=[\s/>])".encode(), re.IGNORECASE)
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)  # no copies of an <option> in <selectedcontent>
_TAG_END = b"<link '\">"  # ends any tag, even in a quoted value; between two tags, it does not end the head


def utf8(data: bytes) -> bytes:
    """Convert an HTML page from its declared encoding to UTF-8."""
    codec: codecs.CodecInfo | None
    if mark := _MARKED.match(data):
        codec = codecs.lookup(_BYTE_ORDER_MARKS[mark[0]])
        data = data[mark.end() :]
    else:
        start = data[:_PRESCAN]
        label, position = _find_declaration(start)
        if label and start.find(b"<!--", 0, position) >= 0:
            label, _ = _find_declaration(_COMMENT.sub(b"", start))
        codec = _codec(label) if label else None
    if codec is None:
        try:
            _UTF8.incrementaldecoder().decode(data)  # incremental, because the last character may be cut off
        except UnicodeDecodeError:
            codec = codecs.lookup("cp1252")
    if codec is None or codec.name == "utf-8":
        return data
    text, _ = codec.decode(data, "replace")
    return text.encode()


def _find_declaration(start: bytes) -> tuple[bytes, int]:
    """Return the encoding that a page declares, and the position of the declaration.

    ``start`` is the beginning of the file. Without a declaration, return ``b""`` and 0.
    """
    for tag in _DECLARATION.finditer(start):
        label = tag[1] or _charset(tag[2])
        if label:
            return label, tag.start()
    return b"", 0


@lru_cache  # most pages of a site have the same tag
def _charset(attributes: bytes) -> bytes:
    """Return the encoding in the attributes of a ``<meta>`` element, or ``b""``."""
    values = {name.lower(): b"".join(value) for name, *value in _ATTRIBUTE.findall(attributes)}
    if b"charset" in values:
        return values[b"charset"].strip()
    if values.get(b"http-equiv", b"").lower() == b"content-type":
        charset = _CHARSET.search(values.get(b"content", b""))
        if charset:
            return charset[1]
    return b""


@lru_cache
def _codec(label: bytes) -> codecs.CodecInfo | None:
    """Return the codec for the name of an encoding, or None."""
    # Not codecs.lookup: Python has codecs that no browser has, and some of them fail on invalid bytes.
    encoding = webencodings.lookup(label.decode("ascii", "replace"))
    if encoding is None:
        return None
    if encoding.name.startswith("utf-16"):  # a page in UTF-16 would not have shown this tag: HTML 13.2.3.2
        return _UTF8
    if encoding.name in _WIDER:
        return codecs.lookup(_WIDER[encoding.name])
    codec: codecs.CodecInfo = encoding.codec_info
    return codec


def head_trees(data: bytes, *, complete: bool = True) -> list[Tree]:
    """Parse an HTML page up to ``<body>``, and return a list with one tree.

    A page with very many tags is parsed in parts, and has a tree for each part. If ``complete`` is false,
    ``data`` is only the start of a page. If this start does not contain ``<body>``, return an empty list.
    """
    if len(data) > _MANY_TAGS:
        data = next(_pieces(data))
    # As in browsers, elements between </head> and <body> belong to the head (HTML 13.2.6.4.6).
    body = BODY.search(data)
    if body and _HEAD.search(data, 0, body.start()):
        # If the parser accepts our own tag as the start of the body, the original tag is the start, too.
        trees = _parse_in_parts(data[: body.start()] + _OUR_BODY)
        element = trees[-1].body
        if element and _MARK in element.attrs:
            return trees
    if not complete:
        return []
    if body is None:
        return _parse_in_parts(data)
    # Give each <body its position as an attribute. The parser keeps the attribute of the first real tag, and
    # ignores any <body in a script, a comment or an attribute.
    marked = BODY.sub(lambda body: b"<body %b=%d " % (_MARK.encode(), body.start()), data)
    for tree in _parse_in_parts(marked):
        mark = tree.body and tree.body.attrs.get(_MARK)
        if mark:
            position = int(mark)
            has_head = _HEAD.search(data, 0, position)
            return _parse_in_parts(data[:position] if has_head else data)
    return _parse_in_parts(data)


def _parse_in_parts(data: bytes) -> list[Tree]:
    """Parse HTML in parts of about 512 tags, because the parser is slow with many tags.

    Each part becomes a tree of its own.
    """
    if len(data) <= FEW_BYTES or data.count(b"<") <= _FEW_TAGS:
        return [_parse(data, _FEW_TAGS)]
    trees = []
    starts = [0, *(tag.start() for tag in re.finditer(b"<", data)), len(data)]
    end = len(starts) - 1
    first, number = 0, _FEW_TAGS
    while first < end:
        last = min(first + number, end)
        part = data[starts[first] : starts[last]]
        tree = _parse(part + f"<{_CUT}>".encode(), number)
        if last == end or tree.tags(_CUT):  # the parser sees our tag: the part does not end in a script
            trees.append(tree)
            first, number = last, _FEW_TAGS
        else:
            number *= 2
    return trees


def trees(data: bytes) -> Iterator[Tree]:
    """Parse a page in UTF-8. A very long page becomes several trees."""
    for piece in _pieces(data):
        yield _parse(piece, piece.count(b"<"))


def whole_trees(data: bytes) -> Iterator[Tree]:
    """Split a page into pieces, parse each piece, and yield its tree.

    Stop after a piece that ends inside a comment or script: the next piece would begin with text that is not
    HTML.
    """
    for piece in _pieces(data):
        tree = _parse(piece + f"<{_CUT}>".encode(), piece.count(b"<"))
        yield tree
        if not tree.tags(_CUT):
            return


def _pieces(data: bytes) -> Iterator[bytes]:
    """Yield the text of a long HTML page in pieces of at most 16,384 tags."""
    if data.count(b"<") <= _MANY_TAGS:
        yield data
        return
    before, *tags = data.split(b"<")
    for start in range(0, len(tags), _MANY_TAGS):
        yield before + b"<" + b"<".join(tags[start : start + _MANY_TAGS])
        before = b""


def _parse(data: bytes, tags: int) -> Tree:
    """Parse any HTML in linear time. ``tags`` is an upper bound for the number of its tags."""
    windows = []
    while len(data) > _WINDOW:
        cut = data.rfind(b"><", 0, _WINDOW) + 1 or _WINDOW
        windows.append(data[:cut])
        data = data[cut:]
    data = _TAG_END.join([*windows, data])
    if tags > _FEW_TAGS:
        formats = set(_OPENING.findall(data.lower()))
        if tags * len(formats) > _MANY_REOPENED:
            # The parser does not reopen spans. The first element stays as it is, because it may be <html>.
            first = _REOPENED.search(data)
            start = first.end() if first else 0
            data = data[:start] + _REOPENED.sub(rb"<\1span", data[start:])
    return LexborHTMLParser(data, options=_OPTIONS)


def attributes(node: LexborNode) -> dict[str, str]:
    """Return the attributes of an element. An attribute without a value has the value ``""``."""
    return {name: value or "" for name, value in node.attributes.items()}
