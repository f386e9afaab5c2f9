"""Elements in the heads of pages that are deployed already: a noindex, or a canonical link.

A page is changed by nothing but bytes that are inserted, and that can be told from those around them. So
without them it is again what it was, and a page that is marked once more stays the same.
"""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.html.head import Head, parse_head
from sitemap_docs.html.reader import head_trees, utf8

_NOINDEX = b'<meta name="robots" content="noindex" data-sitemap-docs=""/>'
_CANONICAL = b'<link rel="canonical" href="%b" data-sitemap-docs=""/>'
# Stands before the value of a href, whatever quotes that has, and makes it the value of another attribute.
_REWRITTEN = b'"%b" data-sitemap-docs-href='
_MARKS = re.compile(
    b"|".join([_NOINDEX, _CANONICAL % rb'[^"<>]*', _REWRITTEN % rb'[^"<>]*']),
)
_MARKED = "[data-sitemap-docs], [data-sitemap-docs-href]"

_HEAD_END = re.compile(rb"</head(?=[\s/>])[^<>]*>", re.IGNORECASE)
_LINK = re.compile(rb"<link(?=[\s/])", re.IGNORECASE)
_ATTRIBUTE = re.compile(  # HTML 13.2.5.32 to 37
    rb"""[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?"""
)


class UnsureHead(Exception):  # noqa: N818  whoever catches it reports the page
    """Why it is not beyond doubt where the head of a page ends, or which links in it are canonical."""


def without_marks(page: bytes) -> bytes:
    """The page as it was before it was marked."""
    end = _HEAD_END.search(page)
    if end is None:
        return page
    return _MARKS.sub(b"", page[: end.start()]) + page[end.start() :]


def read_unmarked(tree: Path, name: str) -> Head:
    """The head of a file of a folder as it was before the page was marked; an empty one without the file."""
    try:
        return parse_head(without_marks(files.read_inside(tree, name)))
    except OSError:
        return Head()


def with_noindex(page: bytes) -> bytes:
    """A page without marks, with a robots element at the end of its head. Raises :class:`UnsureHead`."""
    return _inserted(page, [(_end_of_head(page), _NOINDEX)])


def with_canonical(page: bytes, url: str) -> bytes:
    """A page without marks whose canonical links lead to ``url``, or to which one is added.

    Raises :class:`UnsureHead`.
    """
    end = _end_of_head(page)
    target = escape(url).encode()
    before = parse_head(page).canonicals
    if set(before) == {url}:
        return page
    if not before:
        return _inserted(page, [(end, _CANONICAL % target)])
    marks = []
    for link in _LINK.finditer(page, 0, end):
        values = _values(page, link.end())
        if b"canonical" not in values.get(b"rel", (0, b""))[1].lower() or b"href" not in values:
            continue
        mark = (values[b"href"][0], _REWRITTEN % target)
        with suppress(UnsureHead):  # where it stands in a comment or a script
            if parse_head(_inserted(page, [mark])).canonicals != before:
                marks.append(mark)
    marked = _inserted(page, marks)
    if set(parse_head(marked).canonicals) != {url}:
        raise UnsureHead("its canonical links cannot be told apart from the rest")
    return marked


def _end_of_head(page: bytes) -> int:
    end = _HEAD_END.search(page)
    if end is None:
        raise UnsureHead("it has no </head>, or is in UTF-16")
    return end.start()


def _values(page: bytes, start: int) -> dict[bytes, tuple[int, bytes]]:
    """The attributes of the tag whose name ends at ``start``: where the value begins, and the value."""
    values: dict[bytes, tuple[int, bytes]] = {}
    while attribute := _ATTRIBUTE.match(page, start):
        start = attribute.end()
        if attribute[2] is not None:
            # The first of two attributes of one name counts.
            values.setdefault(attribute[1].lower(), (attribute.start(2), attribute[2]))
    return values


def _inserted(page: bytes, marks: list[tuple[int, bytes]]) -> bytes:
    """The page with marks in it, each at its place; a parser has to see all of them in the head."""
    parts = []
    last = 0
    for place, mark in marks:
        parts += [page[last:place], mark]
        last = place
    marked = b"".join([*parts, page[last:]])
    end = _HEAD_END.search(marked)
    trees = head_trees(utf8(marked[: end.end() if end else None]))
    if len(trees) > 1:
        raise UnsureHead("its head has more than 512 tags")
    seen = 0
    for element in trees[0].css(_MARKED):
        seen += element.parent is not None and element.parent.tag == "head"
    if seen != len(marks) or without_marks(marked) != page:
        raise UnsureHead("its </head> is in a comment or a script, or follows what no head may hold")
    return marked
