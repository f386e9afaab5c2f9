"""Link styles: whether the addresses of a site end in ``.html``, in a slash, or in neither."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, get_args

LinkStyle = Literal["folders", "files", "clean", "bare"]
"""A way to write the addresses of pages. :func:`address` shows an example of each."""

STYLES: tuple[LinkStyle, ...] = get_args(LinkStyle)


def address(file: str, links: LinkStyle) -> str:
    """Return the path at which a web server serves an HTML file.

    ========= ========== ================
    ``links`` ``a.html`` ``b/index.html``
    ========= ========== ================
    folders   ``a.html`` ``b/``
    files     ``a.html`` ``b/index.html``
    clean     ``a``      ``b/``
    bare      ``a``      ``b``
    ========= ========== ================

    The styles ``clean`` and ``bare`` differ only in the last slash.

    >>> [address(file, "clean") for file in ("a.html", "b/index.html", "c.htm", "d.HTML", "e/index.htm")]
    ['a', 'b/', 'c.htm', 'd.HTML', 'e/index.htm']
    """
    folder, slash, name = file.rpartition("/")
    if links == "files":
        return file
    if name == "index.html":
        return folder if links == "bare" else folder + slash
    if links == "folders":
        return file
    return file.removesuffix(".html")


def drop_style(loc: str) -> str:
    """Remove the end of a URL, such as ``.html``, so that all addresses of a page become equal.

    >>> [drop_style(f"https://e.org/{path}") for path in ("b.html", "b/index.html", "b/", "b")]
    ['https://e.org/b', 'https://e.org/b', 'https://e.org/b', 'https://e.org/b']
    """
    return address(loc, "bare").rstrip("/")


def spellings(file: str) -> set[str]:
    """Return all paths at which a web server may serve a file.

    >>> sorted(spellings("b/index.html"))
    ['b', 'b/', 'b/index.html']
    """
    return {address(file, style) for style in STYLES}


def count_styles(addresses: Iterable[tuple[str, str]]) -> Counter[LinkStyle]:
    """Count how many pages have each address style, such as ``clean`` for ``a`` instead of ``a.html``.

    Args:
        addresses: Pairs of an HTML file and the path in its URL, such as ``("a.html", "a")``.
    """
    votes: Counter[LinkStyle] = Counter(dict.fromkeys(STYLES, 0))
    for file, path in addresses:
        for style in STYLES:
            if address(file, style) == path:
                votes[style] += 1
    return votes
