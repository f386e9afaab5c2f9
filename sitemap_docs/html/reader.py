"""The one parser of rendered pages: its head, or all of it, as a tree of the HTML standard."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

Tree = LexborHTMLParser

BODY = re.compile(rb"<body(?=[\s/>])", re.IGNORECASE)
"""What may be the start of a body, where it stands in no script, comment or attribute."""

_HEAD = re.compile(rb"</?head(?=[\s/>])", re.IGNORECASE)
_MARK = "sitemap-docs-body"

# glibc gives the memory of each parse back to the system, 50 µs a page, until a block of this size was freed.
bytes(1 << 20)

# Lexbor looks at every open element for each tag, at every attribute of a tag for each further one, and opens
# unclosed formatting again in each paragraph, as the standard asks. What it is given at once is bounded.
_FEW_TAGS = 512
_MANY_TAGS = 16_384
_WINDOW = 65_536
_REOPENED = re.compile(
    rb"<(/?)(?:html|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE
)
_TAG_END = b"'\">"  # ends any tag, wherever in it the parser is


def head_tree(data: bytes, *, complete: bool = True) -> Tree | None:
    """What precedes ``<body>`` in a page in UTF-8; None where a page that is not complete does not tell.

    A page without ``<body>``, or without head tags before it, as redirect stubs are, is read to its end.
    """
    data = next(_parts(data))
    first = BODY.search(data)
    if first and _HEAD.search(data, 0, first.start()):
        tree = _parse_head(data[: first.start()] + f"<body {_MARK}>".encode())
        if _MARK in body_attributes(tree):
            return tree
    if not complete:
        return None
    end = _end_of_head(data) if first else None
    return _parse_head(data[:end])


def _end_of_head(data: bytes) -> int | None:
    """Where the first ``<body`` stands that is a tag, in no script, comment or attribute.

    Each is given its place as an attribute; the parser keeps the first that it meets on the element.
    """
    marked = BODY.sub(lambda body: b"<body %b=%d " % (_MARK.encode(), body.start()), data)
    place = body_attributes(_parse_head(marked)).get(_MARK)
    return int(place) if place and _HEAD.search(data, 0, int(place)) else None


def _parse_head(data: bytes) -> Tree:
    """A tree of all metas and links. No search for open elements passes an ``<object>`` (HTML 13.2.4.2)."""
    if data.count(b"<") <= _FEW_TAGS:
        return _parse(data)
    tags = data.split(b"<")
    some = (b"<".join(tags[start : start + _FEW_TAGS]) for start in range(0, len(tags), _FEW_TAGS))
    return _parse(b"<object><".join(some))


def trees(data: bytes) -> Iterator[Tree]:
    """A whole page in UTF-8: one tree, or one for each part of it with 16,384 tags."""
    return map(_parse, _parts(data))


def _parts(data: bytes) -> Iterator[bytes]:
    if len(data) <= _MANY_TAGS or data.count(b"<") <= _MANY_TAGS:
        yield data
        return
    before, *tags = data.split(b"<")
    for start in range(0, len(tags), _MANY_TAGS):
        yield before + b"".join(b"<" + tag for tag in tags[start : start + _MANY_TAGS])
        before = b""


def _parse(data: bytes) -> Tree:
    if len(data) > _WINDOW or data.count(b"<") > _FEW_TAGS:
        data = _bounded(data)
    return LexborHTMLParser(data)


def _bounded(data: bytes) -> bytes:
    """A page that says the same of head, links, images and text, and is parsed in linear time."""
    first = _REOPENED.search(data)
    start = first.end() if first else 0
    data = data[:start] + _REOPENED.sub(rb"<\1span", data[start:])
    parts = []
    while len(data) > _WINDOW:
        cut = data.rfind(b"><", 0, _WINDOW) + 1 or _WINDOW
        parts.append(data[:cut])
        data = data[cut:]
    return _TAG_END.join([*parts, data])


def attributes(node: LexborNode) -> dict[str, str]:
    """The attributes of an element, their names in lower case; one without a value has ``""``."""
    return {name: value or "" for name, value in node.attributes.items()}


def body_attributes(tree: Tree) -> dict[str, str]:
    return attributes(tree.body) if tree.body else {}
