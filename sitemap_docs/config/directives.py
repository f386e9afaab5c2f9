"""The words of robots tags, ``X-Robots-Tag`` headers and front matter, and which of them mean noindex."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
"""The directives that have a value; in headers, another word before a colon is the name of a bot."""

# The date of unavailable_after has spaces, colons and, after the day of the week (RFC 850), a comma.
_TOKEN = re.compile(
    r"(unavailable_after)\s*:((?:\s*[a-z]+,)?[^,;]*)|([^\s,;:]+)(?:\s*:\s*([^\s,;]*))?", re.IGNORECASE
)


class Directive(NamedTuple):
    """One directive, in lower case, such as ``noindex``, or ``max-snippet`` with its ``value``."""

    name: str
    value: str = ""


def read_directives(text: str) -> Iterator[Directive]:
    """Each directive of a text, whatever stands between them.

    >>> [(name, value) for name, value in read_directives("NOINDEX, max-snippet:20")]
    [('noindex', ''), ('max-snippet', '20')]
    """
    for match in _TOKEN.finditer(text.lower()):
        dated, date, name, value = match.groups()
        yield Directive(dated or name, (date or value or "").strip())


def forbid_listing(said: Iterable[Directive]) -> bool:
    """Whether directives keep a search engine from listing a page.

    >>> forbid_listing(read_directives("none")), forbid_listing(read_directives("max-image-preview: none"))
    (True, False)
    """
    return any(each.name in ("noindex", "none") for each in said)
