"""Parse the directives of robots tags, ``X-Robots-Tag`` headers and front matter, such as ``noindex``."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
"""The directives that have a value. In headers, any other word before a colon is the name of a crawler."""

# The date of unavailable_after may contain spaces, colons and, after the day of the week (RFC 850), a comma.
_TOKEN = re.compile(
    r"(unavailable_after)\s*:((?:\s*[a-z]+,)?[^,;]*)|([^\s,;:]+)(?:\s*:\s*([^\s,;]*))?", re.IGNORECASE
)


class Directive(NamedTuple):
    """A directive in lower case, such as ``noindex``, or ``max-snippet`` with the value ``20``."""

    name: str
    value: str = ""


def read_directives(text: str) -> Iterator[Directive]:
    """Yield the directives of a text. Commas, semicolons and spaces separate directives.

    >>> [(name, value) for name, value in read_directives("NOINDEX, max-snippet:20")]
    [('noindex', ''), ('max-snippet', '20')]
    """
    for match in _TOKEN.finditer(text.lower()):
        unavailable_after, date, name, value = match.groups()
        yield Directive(unavailable_after or name, (date or value or "").strip())


def forbid_listing(directives: Iterable[Directive]) -> bool:
    """Check whether directives forbid search engines to list a page.

    >>> forbid_listing(read_directives("none")), forbid_listing(read_directives("max-image-preview: none"))
    (True, False)
    """
    return any(directive.name in ("noindex", "none") for directive in directives)
