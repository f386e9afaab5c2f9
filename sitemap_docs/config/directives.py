"""Parse the directives of robots tags, ``X-Robots-Tag`` headers and front matter, such as ``noindex``."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitemap_docs.config.similar_names import nearest

DIRECTIVES = frozenset({
    "all", "index", "follow", "none", "noindex", "nofollow", "noarchive",
    "nocache", "nosnippet", "noimageindex", "notranslate", "noodp", "noydir",
    "indexifembedded", "nopagereadaloud", "nositelinkssearchbox",
})  # fmt: skip
"""The directives without a value that a search engine supports."""

VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
"""The directives that have a value. In headers, any other word before a colon is the name of a crawler."""

_NOINDEX = "noindex"
# The date of unavailable_after may contain spaces, colons and, after the day of the week (RFC 850), a comma.
_TOKEN = re.compile(
    r"(unavailable_after)\s*:((?:\s*[a-z]+,)?[^,;]*)|([^\s,;:]+)(?:\s*:\s*([^\s,;]*))?", re.IGNORECASE
)


class Directive(NamedTuple):
    """An instruction to search engines, such as ``noindex``, in lower case."""

    name: str
    value: str = ""


def read_directives(text: str) -> Iterator[Directive]:
    """Yield the instructions to search engines in a text such as ``noindex, max-snippet:20``.

    >>> [(name, value) for name, value in read_directives("NOINDEX, max-snippet:20")]
    [('noindex', ''), ('max-snippet', '20')]
    """
    for match in _TOKEN.finditer(text.lower()):
        unavailable_after, date, name, value = match.groups()
        yield Directive(unavailable_after or name, (date or value or "").strip())


def find_misspellings(text: str) -> Iterator[str]:
    """Yield each word in a text that is a misspelling of ``noindex``.

    >>> list(find_misspellings("no-index, follow")), list(find_misspellings("noindex, index"))
    (['no-index'], [])
    """
    for part in text.split(","):
        word = part.strip().lower()
        is_known = word in DIRECTIVES or ":" in word or forbid_listing(read_directives(word))
        if not is_known and nearest(word, (_NOINDEX,)):
            yield part.strip()


def mentions_options(source: bytes) -> bool:
    """Check whether a source file may set our options, because it contains ``sitemap`` or ``robots``."""
    return b"sitemap" in source or b"robots" in source


def forbid_listing(directives: Iterable[Directive]) -> bool:
    """Check whether directives forbid search engines to list a page.

    >>> forbid_listing(read_directives("none")), forbid_listing(read_directives("max-image-preview: none"))
    (True, False)
    """
    return any(directive.name in (_NOINDEX, "none") for directive in directives)
