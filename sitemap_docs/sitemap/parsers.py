"""Recognise the format of a sitemap by its first bytes, and parse it. The file is not trusted.

https://www.sitemaps.org/protocol.html#otherformats
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from sys import intern
from typing import Literal, NamedTuple
from urllib.parse import quote
from xml.parsers import expat

from sitemap_docs.config.dates import rss_to_w3c
from sitemap_docs.linear import linear
from sitemap_docs.model import Alternate
from sitemap_docs.sitemap.render import SITEMAP
from sitemap_docs.sitemap.rows import (
    FEEDS,
    PREFIXES,
    PROTOCOL,
    Fault,
    SitemapFormat,
    SitemapRow,
    Unreadable,
)
from sitemap_docs.urls.base import is_web

_OLDER = {"": "", "http://www.google.com/schemas/sitemap/0.84": ""}  # namespaces of sitemaps before 2006
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns# RDF"  # the root element of RSS 1.0
_ATOM = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
# An element takes much more time and memory than its bytes suggest. Google reads 1,000 images of a page.
_DEEPEST = 50
_MOST_IN_A_ROW = 20_000
_LONGEST_TOKEN = 4 << 20  # bytes in a tag, a comment or a line, or characters in a text
MOST_ELEMENTS = 2_000_000
_HEAD = 4_096  # bytes in which a text sitemap must have its first address
# No XML may contain these characters (XML 1.0, 2.2), so that no other format has addresses with them.
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class ParserSettings(NamedTuple):
    """The settings of a sitemap parser, for example whether invalid sitemaps are refused."""

    #: The name of the file, which each entry gets.
    name: str
    #: The class for entries.
    row: Callable[..., SitemapRow]
    #: Whether to refuse an invalid sitemap.
    strict: bool
    #: Whether to accept RSS and Atom.
    feeds: bool


def choose_parser(head: bytes, settings: ParserSettings) -> XmlParser | TextParser:
    """Return a parser for a sitemap file, chosen by ``head``, the first bytes of the file.

    Raises:
        Unreadable: The file is neither text nor XML.
    """
    beginning = head[:_HEAD]
    encoding = "utf-8"
    if beginning.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
        beginning = beginning.decode(encoding, "replace").encode("utf-8", "replace")
    # A text sitemap has a line that begins with an address, and no "<" before this line.
    text, has_markup, _ = beginning.removeprefix(codecs.BOM_UTF8).partition(b"<")
    for line in text.splitlines():
        if _is_address(line.lstrip()):
            return TextParser(settings, encoding)
    if not has_markup:
        if text.strip():
            raise Unreadable(Fault("format", ""))
        if len(head) <= _HEAD:
            raise Unreadable(Fault("empty", ""))
    return XmlParser(settings, encoding)


def _is_address(text: bytes) -> bool:
    return is_web(text[:8].decode("latin-1"))


@linear
class TextParser:
    """A parser of text sitemaps, which have one address on each line."""

    def __init__(self, settings: ParserSettings, encoding: str) -> None:
        self.encoding = encoding
        self.format: SitemapFormat = "text"
        self.root = self.namespace = ""
        self.rows: deque[SitemapRow] = deque()
        self._settings = settings
        self._line_number = 0
        self._unfinished = b""
        self._decoder = None
        if encoding != "utf-8":
            self._decoder = codecs.getincrementaldecoder(encoding)()

    def parse(self, chunk: bytes, *, is_last: bool) -> None:
        """Parse the next bytes of a text sitemap, a file with one URL on each line.

        Raises:
            Unreadable: A line is not valid, or is too long.
        """
        if self._decoder:
            try:
                chunk = self._decoder.decode(chunk, is_last).encode()
            except ValueError as error:
                raise Unreadable(Fault("encoding", str(error))) from None
        if not self._line_number:
            chunk = chunk.removeprefix(codecs.BOM_UTF8)
        lines = (self._unfinished + chunk).splitlines(keepends=True)
        self._unfinished = b""
        # The line feed that belongs to a final carriage return may be in the next chunk.
        if lines and not is_last and not lines[-1].endswith(b"\n"):
            self._unfinished = lines.pop()
        for line in lines:
            self._line_number += 1
            if len(line) <= _LONGEST_TOKEN:
                self._add_row(line.rstrip(b"\r\n"))
        if max(map(len, (self._unfinished, *lines))) > _LONGEST_TOKEN:
            longest = f"{_LONGEST_TOKEN >> 20} MiB"
            raise Unreadable(Fault("elements", f"a line of more than {longest}", self._line_number))

    def _add_row(self, line: bytes) -> None:
        stripped = line.strip()
        if not stripped or (self._settings.strict and not _is_address(stripped)):
            return
        try:
            text = line.decode()
        except ValueError:
            fault = Fault("encoding", f"line {self._line_number} is not UTF-8", self._line_number)
            raise Unreadable(fault) from None
        if self._settings.strict:
            text = _NOT_IN_XML.sub(lambda character: quote(character[0]), text)
        self.rows.append(self._settings.row(self._settings.name, self._line_number, raw=text))


class _Layout(NamedTuple):
    """The XML elements that a format such as RSS uses for entries, addresses and dates."""

    format: SitemapFormat
    #: The element of an entry, such as ``url``.
    row: str
    #: The number of elements around an entry, such as 2 for ``<rss><channel><item>``.
    depth: int
    #: The child element with the address.
    loc: str = "loc"
    #: The child elements with the date.
    lastmod: tuple[str, ...] = ("lastmod",)


_LAYOUTS = {
    "urlset": _Layout("urlset", "url", 1),
    "sitemapindex": _Layout("index", "sitemap", 1),
    "rss": _Layout("rss", "item", 2, "link", ("pubDate",)),
    "feed": _Layout("atom", "entry", 1, "link", ("updated", "modified")),
}
_NO_SITEMAP = _Layout("", "", 1)


@linear
class XmlParser:
    """A parser of XML sitemaps, sitemap indexes and feeds.

    ``root`` is the name of the root element, such as ``urlset``. ``rows`` are the entries that were parsed so
    far. The caller removes entries from this list.
    """

    def __init__(self, settings: ParserSettings, encoding: str) -> None:
        self.encoding = encoding
        self.format: SitemapFormat = ""
        self.root = self.namespace = ""
        self.rows: deque[SitemapRow] = deque()
        self._name = settings.name
        self._row = settings.row
        self._strict = settings.strict
        self._accepts_feeds = settings.feeds
        self._is_feed = False
        self._layout = _NO_SITEMAP
        self._row_depth = 1
        self._path: list[str] = []
        self._text: list[str] = []
        self._elements = 0
        self._unfinished_bytes = 0  # that expat holds of a token without its end
        self._names = _Names()
        self._expat = expat.ParserCreate(namespace_separator=" ")
        self._expat.buffer_text = True
        self._expat.XmlDeclHandler = self._declared
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._text.append
        self._begin_row()

    def parse(self, chunk: bytes, *, is_last: bool) -> None:
        """Parse the next bytes of an XML sitemap.

        Raises:
            Unreadable: The file is not valid.
        """
        before = self._expat.CurrentByteIndex
        try:
            self._expat.Parse(chunk, is_last)
        except expat.ExpatError as error:
            raise Unreadable(Fault("xml", expat.ErrorString(error.code), error.lineno)) from None
        except (LookupError, ValueError) as error:  # the file declares a wrong encoding
            raise Unreadable(Fault("encoding", str(error))) from None
        self._unfinished_bytes += len(chunk)
        if self._expat.CurrentByteIndex != before:
            self._unfinished_bytes = 0
        if (
            len(self._path) <= self._row_depth
        ):  # nobody needs text between rows, and a file may have much of it
            self._text.clear()
        text_length = sum(map(len, self._text))
        if max(self._unfinished_bytes, text_length) > _LONGEST_TOKEN:
            longest = f"{_LONGEST_TOKEN >> 20} MiB"
            raise self._fail("elements", f"a tag, a text or a comment of more than {longest}")

    def _fail(
        self, kind: Literal["doctype", "root", "rdf", "feed", "elements"], problem: str = ""
    ) -> Unreadable:
        return Unreadable(Fault(kind, problem, self._expat.CurrentLineNumber))

    def _declared(self, _: str, encoding: str | None, __: int) -> None:
        self.encoding = (encoding or self.encoding).lower()

    def _doctype(self, _: str, __: str | None, ___: str | None, declares: int) -> None:
        if self._strict or declares:  # declared entities and default attributes can make a small file huge
            raise self._fail("doctype")

    def _begin_root(self, tag: str) -> None:
        """Recognise the format of the file, such as RSS, by its root element."""
        self.namespace, _, self.root = tag.rpartition(" ")
        if tag == _RDF:
            raise self._fail("rdf")
        layout = _LAYOUTS.get(self.root, _NO_SITEMAP)
        name = self._names[tag]
        is_feed = layout.format in FEEDS
        if is_feed and self.namespace not in (_ATOM if layout.format == "atom" else ("",)):
            layout, is_feed = _NO_SITEMAP, False
        # A feed lists only the newest pages of a site.
        if self._strict and is_feed and not self._accepts_feeds:
            raise self._fail("feed", FEEDS[layout.format])
        # A root element of this name may be in the namespace of another format.
        if self._strict and not is_feed and (layout.format not in PROTOCOL or name != self.root):
            raise self._fail("root", name)
        self._names.root_namespace = self.namespace
        self._is_feed = is_feed
        self._layout = layout
        self._row_depth = layout.depth
        self.format = layout.format

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        depth = len(self._path)
        if depth == 0:
            self._begin_root(tag)
        elif depth == self._row_depth:
            self._begin_row()
        name = self._names[tag]
        self._path.append(name)
        self._text.clear()
        self._elements += 1
        self._row_elements += 1
        if depth >= _DEEPEST or self._row_elements > _MOST_IN_A_ROW or self._elements > MOST_ELEMENTS:
            raise self._fail("elements", "too many elements, or elements that are nested too deeply")
        if name == "xhtml:link" and "hreflang" in attributes:
            is_alternate = attributes.get("rel", "alternate") == "alternate"
            if is_alternate:
                link = Alternate(attributes["hreflang"].strip(), attributes.get("href", "").strip())
                self._alternates.append(link)
        elif self._is_feed and self.format == "atom" and name == "link" and depth == self._row_depth + 1:
            is_page = attributes.get("rel", "alternate") == "alternate"
            if is_page:
                self._texts.setdefault("link", attributes.get("href", ""))

    def _begin_row(self) -> None:
        self._line = self._expat.CurrentLineNumber
        self._row_elements = 0
        self._tags: list[str] = []
        self._texts: dict[str, str] = {}
        self._alternates: list[Alternate] = []
        self._images: list[str] = []

    def _end(self, _: str) -> None:
        name = self._path.pop()
        depth = len(self._path)
        if depth < self._row_depth:
            return
        if depth == self._row_depth:
            if self._is_feed:
                self._end_item(name)
            elif name == self._layout.row or self._may_be_row():
                self._end_row()
            return
        if depth == self._row_depth + 1:
            self._tags.append(name)
            is_link_of_atom = self._is_feed and self.format == "atom" and name == "link"
            if not is_link_of_atom:  # whose address is an attribute
                self._texts.setdefault(name, "".join(self._text))
        elif name == "image:loc":
            self._images.append("".join(self._text).strip())
        self._text.clear()

    def _may_be_row(self) -> bool:
        """Check whether to read an XML element with a wrong name, such as ``<item>``, as a sitemap entry.

        In a file that is not a sitemap, the element must contain ``<loc>``. If the parser is strict, return
        False.
        """
        return not self._strict and (self._layout is not _NO_SITEMAP or "loc" in self._texts)

    def _end_row(self) -> None:
        texts = self._texts
        lastmod = texts.get("lastmod", "").strip()
        changefreq = texts.get("changefreq", "").strip()
        priority = texts.get("priority", "").strip()
        row = self._row(
            self._name,
            self._line,
            raw=texts.get("loc", ""),
            lastmod=intern(lastmod),  # many pages have the same date
            changefreq=changefreq,
            priority=priority,
            tags=_shared(tuple(self._tags)),
            alternates=tuple(self._alternates),
            images=tuple(self._images),
        )
        self.rows.append(row)

    def _end_item(self, name: str) -> None:
        """Add an entry to ``rows`` when an item of a feed, such as ``<item>`` in RSS, ends."""
        link = self._texts.get(self._layout.loc, "").strip()
        if name != self._layout.row or not link:
            return
        dates = [self._texts[date] for date in self._layout.lastmod if date in self._texts]
        lastmod = next(iter(dates), "").strip()
        if self.format == "rss":
            lastmod = rss_to_w3c(lastmod)
        self.rows.append(self._row(self._name, self._line, raw=link, lastmod=intern(lastmod)))


@lru_cache(maxsize=256)
def _shared(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same tuple object for equal tuples of tags, to save memory."""
    return tags


class _Names(dict[str, str]):
    """Maps names of XML elements, with their namespace URL, to short names such as ``image:loc``."""

    #: The namespace of the root element. Its names have no prefix.
    root_namespace = SITEMAP

    def __missing__(self, tag: str) -> str:
        namespace, _, local = tag.rpartition(" ")
        prefixes = {**PREFIXES, **_OLDER, self.root_namespace: ""}
        name = prefixes.get(namespace, "?:") + local
        self[tag] = name
        return name
