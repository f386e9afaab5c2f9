"""The parts that every format of a sitemap is read into: rows, and the fault that ended the reading."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, cast, get_args

from sitemap_docs.config.dates import parse_datetime
from sitemap_docs.model import Alternate, Changefreq, Entry
from sitemap_docs.sitemap.render import IMAGE, SITEMAP, XHTML
from sitemap_docs.urls.base import is_web

#: The formats that the protocol allows (https://www.sitemaps.org/protocol.html#otherformats), or ``""``.
#: RSS stands for version 2.0, Atom for 0.3 and 1.0.
SitemapFormat = Literal["", "urlset", "index", "text", "rss", "atom"]

PROTOCOL: frozenset[SitemapFormat] = frozenset({"urlset", "index"})
"""The formats in XML that sitemaps.org defines."""
FEEDS: dict[SitemapFormat, str] = {"rss": "RSS", "atom": "Atom"}
"""The names of the formats that list only the newest pages."""

PREFIXES = {
    SITEMAP: "",
    IMAGE: "image:",
    XHTML: "xhtml:",
    "http://www.google.com/schemas/sitemap-video/1.1": "video:",
    "http://www.google.com/schemas/sitemap-news/0.9": "news:",
    "http://www.google.com/schemas/sitemap-mobile/1.0": "mobile:",
    "http://www.google.com/schemas/sitemap-pagemap/1.0": "pagemap:",
}
"""The namespaces that search engines know, and the prefixes that we use for them."""


CHANGEFREQS: tuple[str, ...] = get_args(Changefreq)
VALID_PRIORITY = re.compile(r"\+?0*(?:0\.?|0?\.\d+|1(?:\.0*)?)", re.ASCII)  # a decimal of the XSD
_IN_ENTRIES = frozenset({"loc", "lastmod", "changefreq", "priority", "xhtml:link", "image:image"})


class Fault(NamedTuple):
    """An error in a sitemap file that makes the rest of the file unreadable.

    Attributes:
        kind: The kind of error.
        problem: Details, such as the name of an element.
        line: The number of the line, or 0 if unknown.
    """

    kind: Literal[
        "gzip", "size", "encoding", "empty", "format", "xml", "doctype", "root", "rdf", "feed", "elements"
    ]
    problem: str
    line: int = 0

    def __str__(self) -> str:
        """Return the message without the file name, such as ``is damaged gzip: …``."""
        return _MESSAGES[self.kind].format(problem=self.problem, line=self.line)


_MESSAGES = {
    "gzip": "is damaged gzip: {problem}.",
    "size": "has more than {problem} bytes after unpacking, which is the limit for a sitemap.",
    "encoding": "cannot be read: {problem}. Convert it to UTF-8.",
    "empty": "is empty. Build it again, or remove it.",
    "format": "is not a sitemap: it is neither XML nor a text with a full address (https://…) on each line.",
    "xml": "is not well-formed XML: line {line}, {problem}.",
    "doctype": "has a document type (<!DOCTYPE) on line {line}, which a sitemap must not have. Remove it.",
    "root": "is not a sitemap: it is a <{problem}>, not a <urlset> or <sitemapindex>.",
    "rdf": "is not a sitemap: it is RDF, the format of RSS 1.0. Write a sitemap, RSS 2.0 or Atom.",
    "feed": "is a feed ({problem}), which lists only the newest pages. A sitemap of all pages is needed.",
    "elements": "is not a sitemap: {problem}, line {line}.",
}


class Unreadable(Exception):  # noqa: N818  whoever catches it decides whether it is an error
    """Raised if an error in a sitemap file makes the rest of the file unreadable."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class SitemapRow(NamedTuple):
    """An entry of a sitemap, as written in the file."""

    sitemap: str
    line: int
    #: The address, perhaps with white space around it.
    raw: str = ""
    #: The date as written.
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""
    #: The child elements, such as ``loc`` or ``image:image``.
    tags: tuple[str, ...] = ()
    #: The links with ``hreflang``.
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()

    @property
    def loc(self) -> str:
        """The address, without white space around it."""
        return self.raw.strip()

    @property
    def is_address(self) -> bool:
        """Whether the address begins with ``https://`` or ``http://``."""
        return is_web(self.loc[:8])  # The rest may be long, and is_web keeps its arguments.

    @property
    def not_in_entry(self) -> list[str]:
        """The child elements of this ``<url>`` without a field in :class:`Entry`, such as ``<news:news>``."""
        tags = [tag for tag in dict.fromkeys(self.tags) if tag not in _IN_ENTRIES]
        return [f"<{tag.removeprefix('?:')}>" for tag in tags]

    def entry(self) -> Entry | None:
        """Convert this row, which has the strings of a sitemap entry, to an :class:`Entry`.

        If the row has no address, return None.
        """
        if not self.loc:
            return None
        changefreq = priority = None
        if self.changefreq in CHANGEFREQS:
            changefreq = cast("Changefreq", self.changefreq)
        if VALID_PRIORITY.fullmatch(self.priority):
            priority = float(self.priority)
        alternates = [link for link in self.alternates if link.hreflang and link.href]
        return Entry(
            loc=self.loc,
            lastmod=parse_datetime(self.lastmod),
            alternates=tuple(alternates),
            images=self.images,
            changefreq=changefreq,
            priority=priority,
        )
