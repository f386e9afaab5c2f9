"""The one parser of rendered pages: its head, or all of it, as a tree of the HTML standard."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

Tree = LexborHTMLParser
Attributes = dict[str, str | None]
"""Those of an element by their names in lower case; one without a value has None."""

BODY = re.compile(rb"<body(?=[\s/>])", re.IGNORECASE)
"""What may be the start of a body, where it stands in no script, comment or attribute."""

_HEAD = re.compile(rb"</?head(?=[\s/>])", re.IGNORECASE)
_MARK = "sitemap-docs-body"
_OUR_BODY = f"<body {_MARK}>".encode()
_CUT = "sitemap-docs-cut"

# glibc gives the memory of each parse back to the system, 50 µs a page, until a block of this size was freed.
bytes(1 << 20)

# Lexbor looks at every open element for each tag, at every attribute of a tag for each further one, and opens
# unclosed formatting again in each paragraph, as the standard asks. What it is given at once is bounded.
_FEW_TAGS = 512
_MANY_TAGS = 16_384
_WINDOW = 65_536
_MANY_REOPENED = 1 << 17  # elements
_FORMATTING = "html|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_OPENING = re.compile(rf"<(?:{_FORMATTING})[\s/][^>]*".encode())
_REOPENED = re.compile(rf"<(/?)(?:{_FORMATTING})(?=[\s/>])".encode(), re.IGNORECASE)
_OPTIONS = int(LexborDocumentOptions.WO_EVENTS)  # no copies of an <option> in <selectedcontent>
_TAG_END = b"'\">"  # ends any tag, wherever in it the parser is


def head_trees(data: bytes, *, complete: bool = True) -> list[Tree]:
    """What precedes ``<body>`` in a page in UTF-8; nothing where a page that is not complete does not tell.

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
    return _parts(data[: _end_of_head(data)])


def _end_of_head(data: bytes) -> int | None:
    """Where the first ``<body`` stands that is a tag, in no script, comment or attribute.

    Each is given its place as an attribute; the parser keeps the first that it meets on the element.
    """
    marked = BODY.sub(lambda body: b"<body %b=%d " % (_MARK.encode(), body.start()), data)
    for tree in _parts(marked):
        place = tree.body and tree.body.attrs.get(_MARK)
        if place:
            return int(place) if _HEAD.search(data, 0, int(place)) else None
    return None


def _parts(data: bytes) -> list[Tree]:
    """Trees of 512 tags each, or of more where the parser is not between two tags after these."""
    number = data.count(b"<")
    if number <= _FEW_TAGS:
        return [_parse(data, number)]
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
        yield before + b"".join(b"<" + tag for tag in tags[start : start + _MANY_TAGS])
        before = b""


def _parse(data: bytes, tags: int) -> Tree:
    if len(data) > _WINDOW:
        data = _TAG_END.join(_windows(data))
    if tags > _FEW_TAGS and tags * len(set(_OPENING.findall(data.lower()))) > _MANY_REOPENED:
        # Spans are not opened again. The first element stays as it is: it may be <html>.
        first = _REOPENED.search(data)
        start = first.end() if first else 0
        data = data[:start] + _REOPENED.sub(rb"<\1span", data[start:])
    return LexborHTMLParser(data, options=_OPTIONS)


def _windows(data: bytes) -> Iterator[bytes]:
    while len(data) > _WINDOW:
        cut = data.rfind(b"><", 0, _WINDOW) + 1 or _WINDOW
        yield data[:cut]
        data = data[cut:]
    yield data


def attributes(node: LexborNode) -> dict[str, str]:
    """The attributes of an element, their names in lower case; one without a value has ``""``."""
    return {name: value or "" for name, value in node.attributes.items()}
