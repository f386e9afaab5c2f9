"""Add a noindex or a canonical link to pages that are already deployed, and remove it again.

The inserted bytes are called marks, such as ``<meta name="robots" content="noindex" data-sitemap-docs=""/>``.
The rest of the page does not change, and a mark can always be told from the bytes around it. Therefore, the
original page can be restored, and marking a page twice has the same result as marking it once.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from html import escape
from pathlib import Path
from urllib.parse import quote

from selectolax.lexbor import LexborNode

from sitemap_docs import files
from sitemap_docs.html.head import Head, parse_head
from sitemap_docs.html.trees import head_trees, utf8

_NOINDEX = b'<meta name="robots" content="noindex" data-sitemap-docs=""/>'
_CANONICAL = b'<link rel="canonical" href="%b" data-sitemap-docs=""/>'
# Each is inserted before the value of an attribute. It ends that attribute, and the old value becomes the
# value of a new attribute, with the quotes that it has.
_REWRITTEN = b'"%b" data-sitemap-docs-href='
_UNLINKED = b'"" data-sitemap-docs-rel='
_MARKS = re.compile(b"|".join([_NOINDEX, _CANONICAL % rb'[^"<>]*', _REWRITTEN % rb'[^"<>]*', _UNLINKED]))
_NAME = b"data-sitemap-docs"
_NUMBERED = re.compile(r"data-sitemap-docs-(\d+)(?:-href|-rel)?")

_ASCII = "".join(map(chr, range(ord("!"), 0x7F)))
_HEAD_END = re.compile(rb"</head(?=[\s/>])[^<>]*>", re.IGNORECASE)
_LINK = re.compile(rb"<link(?=[\s/])", re.IGNORECASE)
_ATTRIBUTE = re.compile(  # HTML 13.2.5.32 to 37
    rb"""[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'][^\s>]*))?"""
)


class HeadProblem(Enum):
    """A reason not to insert ``noindex`` or a canonical link into the ``<head>`` of a page."""

    NO_END = "it has no </head>, or is in UTF-16"
    HIDDEN_END = (
        "its </head> cannot be used: it is inside a comment or a script, or it comes after an element that "
        "does not belong into <head>, or after an attribute longer than 64 KB"
    )
    TOO_MANY_TAGS = "its head has more than 512 tags"
    UNCLEAR_LINKS = "other text looks like its canonical link, so the link cannot be changed safely"


class UnsureHead(Exception):  # noqa: N818  whoever catches it reports the page
    """Raised if ``noindex`` or a canonical link cannot be inserted safely into the ``<head>`` of a page."""

    def __init__(self, problem: HeadProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def without_marks(page: bytes) -> bytes:
    """Return the original page, without anything that sitemap-docs has inserted."""
    end = _HEAD_END.search(page)
    if end is None or not _MARKS.search(page, 0, end.start()):
        return page
    head, rest = page[: end.start()], page[end.start() :]
    numbered = _MARKS.sub(_add_position, head) + rest
    trees = head_trees(utf8(numbered))
    if len(trees) > 1:  # such a page is never marked
        return page
    mark_positions = _mark_positions(trees[0].head)

    def unmark(mark: re.Match[bytes]) -> bytes:
        is_before_value = mark[0].endswith(b"=")
        is_before_end = mark.end() == len(head)
        is_ours = is_before_value or is_before_end
        if is_ours and mark.start() in mark_positions:
            return b""
        return mark[0]

    return _MARKS.sub(unmark, head) + rest


def _mark_positions(head: LexborNode | None) -> set[int]:
    """Return the positions in the ``<head>`` of a page at which sitemap-docs has inserted text."""
    positions: set[int] = set()
    if head is None:
        return positions
    for element in head.iter():
        for name in element.attributes:
            mark = _NUMBERED.fullmatch(name)
            if mark:
                positions.add(int(mark[1]))
    return positions


def _add_position(mark: re.Match[bytes]) -> bytes:
    """Add the position in the page to an inserted attribute.

    For example, ``data-sitemap-docs`` becomes ``data-sitemap-docs-512``.
    """
    before, _, after = mark[0].rpartition(_NAME)
    return b"%b%b-%d%b" % (before, _NAME, mark.start(), after)


def read_unmarked(tree: Path, name: str) -> Head:
    """Read the ``<head>`` of a page, without the tags that sitemap-docs has inserted.

    ``name`` is the path of the page in the folder ``tree``.
    """
    try:
        page = files.read_inside(tree, name)
    except OSError:
        return Head()
    return parse_head(without_marks(page))


def read_inserted_link(tree: Path, name: str) -> str:
    """Return the canonical link that sitemap-docs has inserted into a page, or ``""``.

    ``name`` is the path of the page in the folder ``tree``.
    """
    try:
        page = files.read_inside(tree, name)
    except OSError:
        return ""
    links = set(parse_head(page).canonicals)
    own_links = set(parse_head(without_marks(page)).canonicals)
    return links.pop() if len(links) == 1 and links != own_links else ""


def with_noindex(page: bytes, *, unlinked: bool = False) -> bytes:
    """Insert ``<meta name="robots" content="noindex">`` into a page.

    If ``unlinked`` is true, also disable the canonical links, because search engines may follow them and
    ignore ``noindex``: ``rel="canonical"`` becomes ``rel="" data-sitemap-docs-rel="canonical"``.

    Raises:
        UnsureHead: The page cannot be changed safely.
    """
    end = _end_of_head(page)
    marks = [(end, _NOINDEX)]
    if unlinked:
        # Otherwise, search engines may follow a canonical link and ignore the noindex.
        marks = [*_link_marks(page, end, b"rel", _UNLINKED), *marks]
    marked = _insert(page, marks)
    if unlinked and parse_head(marked).canonicals:
        raise UnsureHead(HeadProblem.UNCLEAR_LINKS)
    return marked


def with_canonical(page: bytes, url: str) -> bytes:
    """Set the canonical link of a page to a URL.

    Raises:
        UnsureHead: The page cannot be changed safely.
    """
    end = _end_of_head(page)
    url = quote(url, safe=_ASCII)  # ASCII is right in any encoding of the page
    target = escape(url).encode()
    if not parse_head(page).canonicals:
        return _insert(page, [(end, _CANONICAL % target)])
    marks = list(_link_marks(page, end, b"href", _REWRITTEN % target))
    marked = _insert(page, marks)
    if set(parse_head(marked).canonicals) != {url}:
        raise UnsureHead(HeadProblem.UNCLEAR_LINKS)
    return marked


def _link_marks(page: bytes, end: int, attribute: bytes, mark: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield ``(position, mark)`` for each place where to insert ``mark`` into a canonical link of a page.

    The position is the start of the value of ``attribute``, which is ``href`` or ``rel``. Only links before
    ``end``, the position of ``</head>``, are changed.
    """
    before = parse_head(page).canonicals
    for link in _LINK.finditer(page, 0, end):
        values = _tag_attributes(page, link.end())
        _, rel = values.get(b"rel", (0, b""))
        if b"canonical" not in rel.lower() or b"href" not in values:
            continue
        position, _ = values[attribute]
        with suppress(UnsureHead):  # a link in a comment or a script
            marked = _insert(page, [(position, mark)])
            if parse_head(marked).canonicals != before:
                yield position, mark


def _end_of_head(page: bytes) -> int:
    """Return the position of ``</head>``."""
    end = _HEAD_END.search(page)
    if end is None:
        raise UnsureHead(HeadProblem.NO_END)
    return end.start()


def _tag_attributes(page: bytes, start: int) -> dict[bytes, tuple[int, bytes]]:
    """Return the position and text of each attribute value in an HTML tag.

    ``start`` is the position after the name of the tag.
    """
    values: dict[bytes, tuple[int, bytes]] = {}
    while attribute := _ATTRIBUTE.match(page, start):
        start = attribute.end()
        name, value = attribute.groups()
        if value is not None:
            # If a tag has two attributes of the same name, parsers use the first.
            values.setdefault(name.lower(), (attribute.start(2), value))
    return values


def _insert(page: bytes, marks: list[tuple[int, bytes]]) -> bytes:
    """Insert bytes into the ``<head>`` of a page.

    Each pair in ``marks`` has a position in the page, and the bytes to insert there.

    Raises:
        UnsureHead: A parser would not read the bytes as part of the head.
    """
    marked = page
    for position, mark in reversed(marks):
        marked = marked[:position] + mark + marked[position:]
    end = _HEAD_END.search(marked)
    head = marked[: end.end()] if end else marked
    if len(head_trees(utf8(head))) > 1:
        raise UnsureHead(HeadProblem.TOO_MANY_TAGS)
    if without_marks(marked) != page:  # a parser does not see all marks
        raise UnsureHead(HeadProblem.HIDDEN_END)
    return marked
