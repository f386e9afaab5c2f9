"""The reader of sitemaps. It reads row by row, and does not trust the file."""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from gzip import BadGzipFile, GzipFile
from io import BytesIO
from pathlib import Path
from sys import intern
from typing import BinaryIO, Literal, NamedTuple, cast, get_args
from xml.parsers import expat

from sitemap_docs import files
from sitemap_docs.config.dates import parse_datetime
from sitemap_docs.model import MAX_BYTES, Alternate, Changefreq, Entry, SitemapError
from sitemap_docs.sitemap.render import IMAGE, SITEMAP, XHTML, RootTag
from sitemap_docs.text import linear

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

_OLDER = {"": "", "http://www.google.com/schemas/sitemap/0.84": ""}  # namespaces of sitemaps before 2006
_ROWS: Mapping[str, RootTag] = {"url": "urlset", "sitemap": "sitemapindex"}
# An element takes much more time and memory than its bytes suggest. Google reads 1,000 images of a page.
_DEEPEST = 50
_MOST_IN_A_ROW = 20_000
_LONGEST_TOKEN = 4 << 20  # bytes in a tag or a comment, or characters in a text
MOST_ELEMENTS = 2_000_000
CHANGEFREQS: tuple[str, ...] = get_args(Changefreq)
_IN_ENTRIES = frozenset({"loc", "lastmod", "changefreq", "priority", "xhtml:link", "image:image"})
VALID_PRIORITY = re.compile(r"\+?0*(?:0\.?|0?\.\d+|1(?:\.0*)?)", re.ASCII)  # a decimal of the XSD

# Before version 2.6, expat reads an unfinished token again from its start with each chunk (CVE-2023-52425).
# Chunks of this size make that at most 16 times for the longest token.
_CHUNK = 1 << 18

#: The largest number of sitemaps that are read of one site, as many as ten full indexes list.
MAX_SITEMAPS = 500_000


class Fault(NamedTuple):
    """An error that ended the reading of a file.

    Attributes:
        kind: The kind of error.
        problem: Details, such as the name of a wrong element.
        line: The line in the file, or 0 if it is not known.
    """

    kind: Literal["gzip", "size", "encoding", "xml", "doctype", "root", "elements"]
    problem: str
    line: int = 0

    def __str__(self) -> str:
        """Return the message, without the name of the file in front."""
        return _MESSAGES[self.kind].format(problem=self.problem, line=self.line)


_MESSAGES = {
    "gzip": "is damaged gzip: {problem}.",
    "size": "has more than {problem} bytes unpacked; a sitemap may not.",
    "encoding": "cannot be read: {problem}. Sitemaps are UTF-8.",
    "xml": "is not well-formed XML: line {line}, {problem}.",
    "doctype": "has a document type (<!DOCTYPE, line {line}): a sitemap has none, and it is not read.",
    "root": "is not a sitemap: it is a <{problem}>, not a <urlset> or <sitemapindex>.",
    "elements": "is not a sitemap: {problem}, line {line}.",
}


class Unreadable(Exception):  # noqa: N818  whoever catches it decides whether it is an error
    """Raised if the rest of a file cannot be read."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def read_chunks(source: Path | BinaryIO, max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """Read a file in chunks. Gzip data is recognised by its first bytes and unpacked.

    Raises:
        Unreadable: The gzip data is damaged, or the file is larger than ``max_bytes`` after unpacking.
    """
    if isinstance(source, Path):
        source = BytesIO(files.read_file(source, max_bytes + 1))
    data = source.read(max_bytes + 1)
    too_large = Fault("size", f"{max_bytes:,}")
    stream: GzipFile | BytesIO = BytesIO(data)
    if data.startswith(b"\x1f\x8b"):
        stream = GzipFile(fileobj=stream)
    size = 0
    try:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > max_bytes:
                raise Unreadable(too_large)
            yield chunk
    except (BadGzipFile, EOFError, zlib.error) as error:
        is_cut = len(data) > max_bytes  # then the data ends too early because of the limit
        damaged = Fault("gzip", str(error))
        raise Unreadable(too_large if is_cut else damaged) from None


class SitemapRow(NamedTuple):
    """A ``<url>`` or ``<sitemap>`` element as written in a file.

    Attributes:
        sitemap: The name of the file.
        line: The line of the start tag.
        raw: The text of ``<loc>``, with white space around it.
        tags: The names of the child elements in order. Names of known namespaces have a prefix of
            :data:`PREFIXES`, and names of other namespaces begin with ``?:``.
        alternates: The links that have a ``hreflang``.
        images: The addresses of the images.
    """

    sitemap: str
    line: int
    raw: str = ""
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""
    tags: tuple[str, ...] = ()
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()

    @property
    def loc(self) -> str:
        """The address, without white space around it."""
        return self.raw.strip()

    @property
    def not_in_entry(self) -> list[str]:
        """The child elements that :meth:`entry` drops, such as ``<news:news>``, each once."""
        tags = [tag for tag in dict.fromkeys(self.tags) if tag not in _IN_ENTRIES]
        return [f"<{tag.removeprefix('?:')}>" for tag in tags]

    def entry(self) -> Entry | None:
        """Return the row as an entry without invalid values, or None if it has no ``loc``."""
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


class SitemapReader:
    """A sitemap that is read row by row.

    The start of the file is read at once, the rest when :meth:`rows` or :meth:`entries` needs it.

    Args:
        source: The file.
        name: The name of the file in rows and messages.
        max_bytes: The largest size of the file after unpacking.
        strict: Whether to raise a SitemapError if the file is not a valid sitemap. Otherwise, ``fault`` is
            set if the file cannot be read. A root element of any name is then accepted, and each of its
            children is a row.
        row: The class of the rows.

    Attributes:
        fault: The error that ended the reading, or None so far.
        encoding: The encoding that the file declares.
        root: The name of the root element, such as ``urlset``.
        namespace: The namespace of the root element.
        size: The number of bytes that were read so far, after unpacking.
    """

    def __init__(
        self,
        source: Path | BinaryIO,
        name: str = "",
        *,
        max_bytes: int = MAX_BYTES,
        strict: bool = False,
        row: Callable[..., SitemapRow] = SitemapRow,
    ) -> None:
        self.fault: Fault | None = None
        self.encoding = "utf-8"
        self.root = ""
        self.namespace = ""
        self.size = 0
        self._name = name
        self._strict = strict
        self._row = row
        self._chunks = read_chunks(source, max_bytes)
        self._ended = False
        self._rows: deque[SitemapRow] = deque()
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
        while not (self._ended or self.root):
            self._parse_more()
        self._check()

    def rows(self) -> Iterator[SitemapRow]:
        """Yield the rows that were not yielded before, up to the end of the file or an error.

        Raises:
            SitemapError: The file is not a valid sitemap, and the reader is strict.
        """
        while self._rows or not self._ended:
            while self._rows:
                yield self._rows.popleft()
            if not self._ended:
                self._parse_more()
        self._check()

    def entries(self) -> Iterator[Entry]:
        """Yield the entries of all rows with a ``loc``."""
        for row in self.rows():
            entry = row.entry()
            if entry:
                yield entry

    def _parse_more(self) -> None:
        """Parse the next chunk of the file. At the end of the file, or after an error, set ``_ended``."""
        before = self._expat.CurrentByteIndex
        try:
            chunk = next(self._chunks, b"")
            if not self.size and chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
                self.encoding = "utf-16"
            self.size += len(chunk)
            self._ended = not chunk
            self._expat.Parse(chunk, self._ended)
            self._unfinished_bytes += len(chunk)
            if self._expat.CurrentByteIndex != before:
                self._unfinished_bytes = 0
            if len(self._path) == 1:  # nobody needs text between rows, and a file may have much of it
                self._text.clear()
            text_length = sum(map(len, self._text))
            if max(self._unfinished_bytes, text_length) > _LONGEST_TOKEN:
                longest = f"{_LONGEST_TOKEN >> 20} MiB"
                raise self._fail("elements", f"a tag, a text or a comment of more than {longest}")
        except expat.ExpatError as error:
            self.fault = Fault("xml", expat.ErrorString(error.code), error.lineno)
        except (LookupError, ValueError) as error:  # the file declares a wrong encoding
            self.fault = Fault("encoding", str(error))
        except Unreadable as error:
            self.fault = error.fault
        if self.fault:
            self._ended = True

    def _check(self) -> None:
        if self._strict and self.fault:
            raise SitemapError(f"{self._name} {self.fault}")

    def _fail(self, kind: Literal["doctype", "root", "elements"], problem: str = "") -> Unreadable:
        return Unreadable(Fault(kind, problem, self._expat.CurrentLineNumber))

    def _declared(self, _: str, encoding: str | None, __: int) -> None:
        self.encoding = (encoding or self.encoding).lower()

    def _doctype(self, _: str, __: str | None, ___: str | None, declares: int) -> None:
        if self._strict or declares:  # declared entities and default attributes can make a small file huge
            raise self._fail("doctype")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        depth = len(self._path)
        if depth == 0:
            self.namespace, _, self.root = tag.rpartition(" ")
            if self._strict and self._names[tag] not in _ROWS.values():
                raise self._fail("root", self._names[tag])
            self._names.root_namespace = self.namespace
        elif depth == 1:
            self._begin_row()
        name = self._names[tag]
        self._path.append(name)
        self._text.clear()
        self._elements += 1
        self._row_elements += 1
        if depth >= _DEEPEST or self._row_elements > _MOST_IN_A_ROW or self._elements > MOST_ELEMENTS:
            raise self._fail("elements", "too many elements in one another, in a row or in all")
        if name == "xhtml:link" and "hreflang" in attributes:
            is_alternate = attributes.get("rel", "alternate") == "alternate"
            if is_alternate:
                link = Alternate(attributes["hreflang"].strip(), attributes.get("href", "").strip())
                self._alternates.append(link)

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
        if depth == 0:
            return
        if depth == 1:
            if not self._strict or _ROWS.get(name) == self.root:
                self._end_row()
            return
        if depth == 2:  # noqa: PLR2004  a child of a row
            self._tags.append(name)
            self._texts.setdefault(name, "".join(self._text))
        elif name == "image:loc":
            self._images.append("".join(self._text).strip())
        self._text.clear()

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
        self._rows.append(row)


@lru_cache(maxsize=256)
def _shared(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the same tuple for all rows with the same elements, to save memory."""
    return tags


class _Names(dict[str, str]):
    """A mapping from the names that expat gives to elements to ours, such as ``image:loc``.

    Attributes:
        root_namespace: The namespace of the root element. Names in this namespace have no prefix.
    """

    root_namespace = SITEMAP

    def __missing__(self, tag: str) -> str:
        namespace, _, local = tag.rpartition(" ")
        prefixes = {**PREFIXES, **_OLDER, self.root_namespace: ""}
        name = prefixes.get(namespace, "?:") + local
        self[tag] = name
        return name


@linear
def parse(source: Path | BinaryIO, *, name: str = "") -> SitemapReader:
    """Open a sitemap or a sitemap index, plain or compressed with gzip.

    Nothing is fetched, and a file with a document type is refused, because entities can be abused. Elements
    in the namespace of 2005 or without a namespace are accepted.

    Args:
        source: The file.
        name: The name of the file in messages. By default it is the path.

    Returns:
        The reader of the rows. Reading them may raise a SitemapError, too.

    Raises:
        SitemapError: The file is not well-formed XML, not a sitemap, or larger than a sitemap may be.
    """
    if not name:
        name = "The sitemap"
        if isinstance(source, Path):
            name = str(source)
    return SitemapReader(source, name, strict=True)


class Walk:
    """A queue of sitemaps to read, each only once, even if two indexes list each other.

    The caller reads each sitemap and adds the sitemaps that it lists. Therefore the queue works for files and
    for URLs, with and without ``async``.

    >>> walk = Walk(["sitemap.xml"])
    >>> for place in walk:
    ...     if place == "sitemap.xml":
    ...         walk.add(["a.xml", "sitemap.xml", "a.xml"])
    ...     print(place)
    sitemap.xml
    a.xml
    """

    def __init__(self, places: Iterable[str]) -> None:
        self._added: dict[str, None] = {}
        self._waiting: deque[str] = deque()
        self.add(places)

    def add(self, places: Iterable[str]) -> None:
        """Add files or URLs to the end of the queue, unless they were added before.

        Raises:
            SitemapError: There are too many sitemaps.
        """
        for place in places:
            if place in self._added:
                continue
            if len(self._added) > MAX_SITEMAPS:
                first = next(iter(self._added))
                raise SitemapError(f"{first} leads to more than {MAX_SITEMAPS:,} sitemaps. Correct it.")
            self._added[place] = None
            self._waiting.append(place)

    def __iter__(self) -> Iterator[str]:
        while self._waiting:
            yield self._waiting.popleft()
