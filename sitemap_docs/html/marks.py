"""Elements in the heads of pages that are deployed already: a noindex, or a canonical link.

A page is changed by nothing but bytes that are inserted, and that can be told from those around them. So
without them it is again what it was, and a page that is marked once more stays the same.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from html import escape
from pathlib import Path
from urllib.parse import quote

from sitemap_docs import files
from sitemap_docs.html.head import Head, parse_head
from sitemap_docs.html.trees import head_trees, utf8

_NOINDEX = b'<meta name="robots" content="noindex" data-sitemap-docs=""/>'
_CANONICAL = b'<link rel="canonical" href="%b" data-sitemap-docs=""/>'
# Each stands before the value of an attribute, whatever quotes that has, and makes it that of another one.
_REWRITTEN = b'"%b" data-sitemap-docs-href='
_UNLINKED = b'"" data-sitemap-docs-rel='
_MARKS = re.compile(b"|".join([_NOINDEX, _CANONICAL % rb'[^"<>]*', _REWRITTEN % rb'[^"<>]*', _UNLINKED]))
_NAME = b"data-sitemap-docs"
_NUMBERED = re.compile(r"data-sitemap-docs-(\d+)(?:-href|-rel)?")

_UNSURE_LINKS = "its canonical links cannot be told apart from the rest"
_ASCII = "".join(map(chr, range(ord("!"), 0x7F)))
_HEAD_END = re.compile(rb"</head(?=[\s/>])[^<>]*>", re.IGNORECASE)
_LINK = re.compile(rb"<link(?=[\s/])", re.IGNORECASE)
_ATTRIBUTE = re.compile(  # HTML 13.2.5.32 to 37
    rb"""[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?"""
)


class UnsureHead(Exception):  # noqa: N818  whoever catches it reports the page
    """Why it is not beyond doubt where the head of a page ends, or which links in it are canonical."""


def without_marks(page: bytes) -> bytes:
    """The page as it was before it was marked; what a title or a comment says stays."""
    end = _HEAD_END.search(page)
    if end is None or not _MARKS.search(page, 0, end.start()):
        return page
    head, rest = page[: end.start()], page[end.start() :]
    trees = head_trees(utf8(_MARKS.sub(_numbered, head) + rest))
    if len(trees) > 1:  # such a page is never marked
        return page
    seen: set[int] = set()  # the places of what a parser sees as marks
    element = trees[0].head
    for each in element.iter() if element else ():
        for name in each.attributes:
            numbered = _NUMBERED.fullmatch(name)
            if numbered:
                seen.add(int(numbered[1]))

    def original(mark: re.Match[bytes]) -> bytes:
        is_ours = mark[0].endswith(b"=") or mark.end() == len(head)  # elements are put before </head>
        return b"" if is_ours and mark.start() in seen else mark[0]

    return _MARKS.sub(original, head) + rest


def _numbered(mark: re.Match[bytes]) -> bytes:
    """The mark with its place in its name."""
    before, _, after = mark[0].rpartition(_NAME)
    return b"%b%b-%d%b" % (before, _NAME, mark.start(), after)


def read_unmarked(tree: Path, name: str) -> Head:
    """The head of a file of a folder as it was before the page was marked; an empty one without the file."""
    try:
        return parse_head(without_marks(files.read_inside(tree, name)))
    except OSError:
        return Head()


def with_noindex(page: bytes, *, unlinked: bool = False) -> bytes:
    """A page without marks, with a robots element at the end of its head. Raises :class:`UnsureHead`.

    ``unlinked``: its canonical links count no more, as an engine may follow them in place of the noindex.
    """
    end = _end_of_head(page)
    marks = [(end, _NOINDEX)]
    if unlinked:
        marks = [*_at_links(page, end, b"rel", _UNLINKED), *marks]
    marked = _inserted(page, marks)
    if unlinked and parse_head(marked).canonicals:
        raise UnsureHead(_UNSURE_LINKS)
    return marked


def with_canonical(page: bytes, url: str) -> bytes:
    """A page without marks whose canonical links lead to ``url``, or to which one is added.

    Raises :class:`UnsureHead`.
    """
    end = _end_of_head(page)
    url = quote(url, safe=_ASCII)  # whatever the encoding of the page
    target = escape(url).encode()
    if not parse_head(page).canonicals:
        return _inserted(page, [(end, _CANONICAL % target)])
    marked = _inserted(page, list(_at_links(page, end, b"href", _REWRITTEN % target)))
    if set(parse_head(marked).canonicals) != {url}:
        raise UnsureHead(_UNSURE_LINKS)
    return marked


def _at_links(page: bytes, end: int, attribute: bytes, mark: bytes) -> Iterator[tuple[int, bytes]]:
    """The mark at the value of an attribute of each canonical link that it changes, up to ``end``."""
    before = parse_head(page).canonicals
    for link in _LINK.finditer(page, 0, end):
        values = _values(page, link.end())
        if b"canonical" not in values.get(b"rel", (0, b""))[1].lower() or b"href" not in values:
            continue
        place = values[attribute][0]
        with suppress(UnsureHead):  # where it stands in a comment or a script
            if parse_head(_inserted(page, [(place, mark)])).canonicals != before:
                yield place, mark


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
    marked = page
    for place, mark in reversed(marks):
        marked = marked[:place] + mark + marked[place:]
    end = _HEAD_END.search(marked)
    start = marked[: end.end() if end else None]
    if len(head_trees(utf8(start))) > 1:
        raise UnsureHead("its head has more than 512 tags")
    if without_marks(marked) != page:  # not all are seen there
        raise UnsureHead(
            "its </head> is in a comment or a script, or follows what no head may hold or an attribute of "
            "more than 64 KB"
        )
    return marked
