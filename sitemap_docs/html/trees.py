"""The one parser of rendered pages: bytes as browsers decode them, and trees of the HTML standard."""

import codecs
import re
from collections.abc import Iterator
from functools import lru_cache

import webencodings
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

Tree = LexborHTMLParser
Attributes = dict[str, str | None]
"""Those of an element by their names in lower case; one without a value has None."""

BODY = re.compile(rb"<body(?=[\s/>])", re.IGNORECASE)
"""What may be the start of a body, where it stands in no script, comment or attribute."""

_HEAD = re.compile(rb"</?head(?=[\s/>])", re.IGNORECASE)

_UTF8 = codecs.lookup("utf-8")
_PRESCAN = 1024  # bytes in which a browser looks for a declaration
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
# Python reads these names more narrowly than https://encoding.spec.whatwg.org/ does.
_WIDER = {"gbk": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949"}

_MARK = "sitemap-docs-body"
_OUR_BODY = f"<body {_MARK}>".encode()
_CUT = "sitemap-docs-cut"

# glibc gives the memory of each parse back to the system, 50 µs a page, until a block of this size was freed.
bytes(1 << 20)

# Lexbor looks at every open element for each tag, at every attribute of a tag for each further one, and opens
# unclosed formatting again in each paragraph, as the standard asks. What it is given at once is bounded.
_FEW_TAGS = 512
FEW_BYTES = 4_096  # bytes whose tags need not be counted
_MANY_TAGS = 16_384
_WINDOW = 65_536
_MANY_REOPENED = 1 << 17  # elements
_FORMATTING = "html|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_OPENING = re.compile(rf"<(?:{_FORMATTING})[\s/][^>]*".encode())
_REOPENED = re.compile(rf"<(/?)(?:{_FORMATTING})(?=[\s/>])".encode(), re.IGNORECASE)
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)  # no copies of an <option> in <selectedcontent>
_TAG_END = b"<link '\">"  # ends any tag, wherever in it the parser is, and between two tags ends no head


def utf8(data: bytes) -> bytes:
    """A page, or its beginning, in UTF-8; where it is in UTF-8 already, errors in it stay.

    A byte order mark decides, then a declaration in the first 1,024 bytes. Without either it is UTF-8, or
    Windows-1252 where it cannot be UTF-8.
    """
    codec: codecs.CodecInfo | None
    if mark := _MARKED.match(data):
        codec = codecs.lookup(_BYTE_ORDER_MARKS[mark[0]])
        data = data[mark.end() :]
    else:
        start = data[:_PRESCAN]
        label, place = _declared(start)
        if label and start.find(b"<!--", 0, place) >= 0:
            label, _ = _declared(_COMMENT.sub(b"", start))
        codec = _codec(label) if label else None
    if codec is None:
        try:
            _UTF8.incrementaldecoder().decode(data)  # the last character may be cut, if this is a beginning
        except UnicodeDecodeError:
            codec = codecs.lookup("cp1252")
    if codec is None or codec.name == "utf-8":
        return data
    text, _ = codec.decode(data, "replace")
    return text.encode()


def _declared(start: bytes) -> tuple[bytes, int]:
    """The label of the encoding that the start of a page declares, and its place; ``b""`` without one."""
    for tag in _DECLARATION.finditer(start):
        label = tag[1] or _charset(tag[2])
        if label:
            return label, tag.start()
    return b"", 0


@lru_cache  # most pages of a site have the same tag
def _charset(attributes: bytes) -> bytes:
    """The encoding that the attributes of a ``<meta>`` declare; ``b""`` where they declare none."""
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
    """The codec that reads a declared encoding; None for one that browsers do not know.

    Python has codecs that no browser has, and some of them fail on what they cannot read.
    """
    encoding = webencodings.lookup(label.decode("ascii", "replace"))
    if encoding is None:
        return None
    if encoding.name.startswith("utf-16"):  # the declaration itself could not have been read: HTML 13.2.3.2
        return _UTF8
    if encoding.name in _WIDER:
        return codecs.lookup(_WIDER[encoding.name])
    codec: codecs.CodecInfo = encoding.codec_info
    return codec


def head_trees(data: bytes, *, complete: bool = True) -> list[Tree]:
    """Returns what precedes ``<body>`` in a page in UTF-8.

    It is empty where a page that is not complete does not tell.

    One tree, or one for each part with 512 tags. A page without ``<body>``, or without head tags before it,
    as redirect stubs are, is read to its end.
    """
    if len(data) > _MANY_TAGS:
        data = next(_pieces(data))
    body = BODY.search(data)
    if body and _HEAD.search(data, 0, body.start()):
        # Where the parser takes our own tag for that of the body, so it does the one that stood there.
        trees = _parts(data[: body.start()] + _OUR_BODY)
        element = trees[-1].body
        if element and _MARK in element.attrs:
            return trees
    if not complete:
        return []
    if body is None:
        return _parts(data)
    # Each <body is given its place as an attribute; the parser keeps that of the first that is a tag, in no
    # script, comment or attribute.
    marked = BODY.sub(lambda body: b"<body %b=%d " % (_MARK.encode(), body.start()), data)
    for tree in _parts(marked):
        place = tree.body and tree.body.attrs.get(_MARK)
        if place:
            has_head = _HEAD.search(data, 0, int(place))
            return _parts(data[: int(place)] if has_head else data)
    return _parts(data)


def after_head(page: bytes, trees: list[Tree]) -> bytes:
    """Returns what follows the head of the small page of these trees, and perhaps the end of that head."""
    return page[max(0, len(trees[0].raw_html or b"") - len(_OUR_BODY)) :]


def _parts(data: bytes) -> list[Tree]:
    """One tree for 4 KB; else trees of 512 tags each, or of more where the parser is not between two tags."""
    if len(data) <= FEW_BYTES or data.count(b"<") <= _FEW_TAGS:
        return [_parse(data, _FEW_TAGS)]
    trees = []
    starts = [0, *(tag.start() for tag in re.finditer(b"<", data)), len(data)]
    end = len(starts) - 1
    first, number = 0, _FEW_TAGS
    while first < end:
        last = min(first + number, end)
        tree = _parse(data[starts[first] : starts[last]] + f"<{_CUT}>".encode(), number)
        if last == end or tree.tags(_CUT):
            trees.append(tree)
            first, number = last, _FEW_TAGS
        else:
            number *= 2
    return trees


def trees(data: bytes) -> Iterator[Tree]:
    """A whole page in UTF-8: one tree, or one for each part of it with 16,384 tags."""
    for piece in _pieces(data):
        yield _parse(piece, piece.count(b"<"))


def _pieces(data: bytes) -> Iterator[bytes]:
    if data.count(b"<") <= _MANY_TAGS:
        yield data
        return
    before, *tags = data.split(b"<")
    for start in range(0, len(tags), _MANY_TAGS):
        yield before + b"<" + b"<".join(tags[start : start + _MANY_TAGS])
        before = b""


def _parse(data: bytes, tags: int) -> Tree:
    windows = []
    while len(data) > _WINDOW:
        cut = data.rfind(b"><", 0, _WINDOW) + 1 or _WINDOW
        windows.append(data[:cut])
        data = data[cut:]
    data = _TAG_END.join([*windows, data])
    if tags > _FEW_TAGS and tags * len(set(_OPENING.findall(data.lower()))) > _MANY_REOPENED:
        # Spans are not opened again. The first element stays as it is: it may be <html>.
        first = _REOPENED.search(data)
        start = first.end() if first else 0
        data = data[:start] + _REOPENED.sub(rb"<\1span", data[start:])
    return LexborHTMLParser(data, options=_OPTIONS)


def attributes(node: LexborNode) -> dict[str, str]:
    """The attributes of an element, their names in lower case; one without a value has ``""``."""
    return {name: value or "" for name, value in node.attributes.items()}
