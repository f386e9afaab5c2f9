"""The one reader of sitemaps: row by row, whoever wrote them, without trusting them."""

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
"""The namespaces that search engines read, and the prefix that names in them are given."""

_OLDER = {"": "", "http://www.google.com/schemas/sitemap/0.84": ""}  # what sitemaps had before 2006
_ROWS: Mapping[str, RootTag] = {"url": "urlset", "sitemap": "sitemapindex"}
# Elements cost time and memory, many times their bytes. Google reads 1,000 images of a page.
_DEEPEST = 50
_MOST_IN_A_ROW = 20_000
_LONGEST_TOKEN = 4 << 20  # bytes of one tag or comment, or characters of one text
MOST_ELEMENTS = 2_000_000
CHANGEFREQS: tuple[str, ...] = get_args(Changefreq)
_IN_ENTRIES = frozenset({"loc", "lastmod", "changefreq", "priority", "xhtml:link", "image:image"})
VALID_PRIORITY = re.compile(r"\+?0*(?:0\.?|0?\.\d+|1(?:\.0*)?)", re.ASCII)  # as the XSD writes a decimal

# With each chunk, expat before 2.6 reads a token that has no end yet from its start (CVE-2023-52425): the
# longest token at most 16 times.
_CHUNK = 1 << 18

#: Sitemaps that are read at most of one site: those of ten full indexes.
MAX_SITEMAPS = 500_000


class Fault(NamedTuple):
    """What ended the reading of a file, and in which ``line`` (0: not known)."""

    kind: Literal["gzip", "size", "encoding", "xml", "doctype", "root", "elements"]
    problem: str
    line: int = 0

    def __str__(self) -> str:
        """Returns what is wrong, behind the name of the file."""
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
    """Ends the reading of a file."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


def content(source: Path | BinaryIO, max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """The bytes of a file in chunks, unpacked where the first ones are those of gzip.

    Raises :class:`Unreadable` for damaged gzip and for more than ``max_bytes``; no more of the file is read.
    """
    if isinstance(source, Path):
        source = BytesIO(files.read_file(source, max_bytes + 1))
    data = source.read(max_bytes + 1)
    too_large = Fault("size", f"{max_bytes:,}")
    stream = GzipFile(fileobj=BytesIO(data)) if data.startswith(b"\x1f\x8b") else BytesIO(data)
    size = 0
    try:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > max_bytes:
                raise Unreadable(too_large)
            yield chunk
    except (BadGzipFile, EOFError, zlib.error) as error:
        raise Unreadable(too_large if len(data) > max_bytes else Fault("gzip", str(error))) from None


class SitemapRow(NamedTuple):
    """One ``<url>`` or ``<sitemap>`` as it stands in the file ``sitemap``, from ``line`` on.

    ``raw`` is its address with the white space around it. ``tags`` are the names of its children in order,
    as :data:`PREFIXES` begins them, ``?:`` in front of those of other namespaces. ``alternates`` are the
    links that have a ``hreflang``; ``images`` the addresses of its images.
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
        return self.raw.strip()

    @property
    def not_in_entry(self) -> list[str]:
        """The elements that its entry does not have, such as ``<news:news>``, each once."""
        return [f"<{tag.removeprefix('?:')}>" for tag in dict.fromkeys(self.tags) if tag not in _IN_ENTRIES]

    def entry(self) -> Entry | None:
        """The row's entry, without what the protocol does not allow; None when it has no ``loc``."""
        if not self.loc:
            return None
        changefreq = priority = None
        if self.changefreq in CHANGEFREQS:
            changefreq = cast("Changefreq", self.changefreq)
        if VALID_PRIORITY.fullmatch(self.priority):
            priority = float(self.priority)
        return Entry(
            loc=self.loc,
            lastmod=parse_datetime(self.lastmod),
            alternates=tuple(each for each in self.alternates if each.hreflang and each.href),
            images=self.images,
            changefreq=changefreq,
            priority=priority,
        )


class SitemapReader:
    """A file while it is read: what is known of it so far, its rows, and what ended it, if something did.

    ``name`` is what the rows call the file. ``root`` and ``namespace`` are of its first element; ``size`` is
    in bytes, unpacked. ``strict`` ends at whatever makes it no sitemap, with a SitemapError; else any root
    and a document type without declarations are read, and every child of the root is a row.
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
        self._chunks = content(source, max_bytes)
        self._ended = False
        self._rows: deque[SitemapRow] = deque()
        self._path: list[str] = []
        self._text: list[str] = []
        self._elements = 0
        self._unfinished = 0  # bytes that expat holds of a token without its end
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
        """Each ``<url>`` or ``<sitemap>``, once; they end where the file does, or at ``fault``."""
        while self._rows or not self._ended:
            while self._rows:
                yield self._rows.popleft()
            if not self._ended:
                self._parse_more()
        self._check()

    def entries(self) -> Iterator[Entry]:
        """The entries of the rows that have a ``loc``."""
        for row in self.rows():
            entry = row.entry()
            if entry:
                yield entry

    def _parse_more(self) -> None:
        """Parses the next bytes; there are none at the end, and where ``fault`` is found."""
        before = self._expat.CurrentByteIndex
        try:
            chunk = next(self._chunks, b"")
            if not self.size and chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
                self.encoding = "utf-16"
            self.size += len(chunk)
            self._ended = not chunk
            self._expat.Parse(chunk, self._ended)
            self._unfinished += len(chunk)
            if self._expat.CurrentByteIndex != before:
                self._unfinished = 0
            if len(self._path) == 1:  # text between the rows is of no use, and may be all that a file has
                self._text.clear()
            if max(self._unfinished, sum(map(len, self._text))) > _LONGEST_TOKEN:
                longest = f"{_LONGEST_TOKEN >> 20} MiB"
                raise self._fail("elements", f"a tag, a text or a comment of more than {longest}")
        except expat.ExpatError as error:
            self.fault = Fault("xml", expat.ErrorString(error.code), error.lineno)
        except (LookupError, ValueError) as error:  # of the encoding that the file declares
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
        if self._strict or declares:  # entities and defaults of attributes multiply what stands there
            raise self._fail("doctype")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        depth = len(self._path)
        if depth == 0:
            self.namespace, _, self.root = tag.rpartition(" ")
            if self._strict and self._names[tag] not in _ROWS.values():
                raise self._fail("root", self._names[tag])
            self._names.own = self.namespace
        elif depth == 1:
            self._begin_row()
        name = self._names[tag]
        self._path.append(name)
        self._text.clear()
        self._elements += 1
        self._in_row += 1
        if depth >= _DEEPEST or self._in_row > _MOST_IN_A_ROW or self._elements > MOST_ELEMENTS:
            raise self._fail("elements", "too many elements in one another, in a row or in all")
        if (
            name == "xhtml:link"
            and "hreflang" in attributes
            and attributes.get("rel", "alternate") == "alternate"
        ):
            link = Alternate(attributes["hreflang"].strip(), attributes.get("href", "").strip())
            self._alternates.append(link)

    def _begin_row(self) -> None:
        self._line = self._expat.CurrentLineNumber
        self._in_row = 0
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
                row = self._row(
                    self._name,
                    self._line,
                    raw=self._texts.get("loc", ""),
                    lastmod=intern(self._texts.get("lastmod", "").strip()),  # pages share commits
                    changefreq=self._texts.get("changefreq", "").strip(),
                    priority=self._texts.get("priority", "").strip(),
                    tags=_shared(tuple(self._tags)),
                    alternates=tuple(self._alternates),
                    images=tuple(self._images),
                )
                self._rows.append(row)
            return
        if depth == 2:  # noqa: PLR2004  a child of a row
            self._tags.append(name)
            self._texts.setdefault(name, "".join(self._text))
        elif name == "image:loc":
            self._images.append("".join(self._text).strip())
        self._text.clear()


@lru_cache(maxsize=256)
def _shared(tags: tuple[str, ...]) -> tuple[str, ...]:
    """The same tuple for all rows with the same elements, to save memory."""
    return tags


class _Names(dict[str, str]):
    """The names that we give to elements, by those that expat gives; ``own`` is the root's namespace."""

    own = SITEMAP

    def __missing__(self, tag: str) -> str:
        namespace, _, local = tag.rpartition(" ")
        known = {**PREFIXES, **_OLDER, self.own: ""}
        name = known.get(namespace, "?:") + local
        self[tag] = name
        return name


@linear
def parse(source: Path | BinaryIO, *, name: str = "") -> SitemapReader:
    """The sitemap or index in ``source``, plain or gzip (detected by its first bytes).

    Document types, and with them entities, are refused; nothing is fetched. Names in the namespace of 2005
    or in none are read, too. Raises SitemapError, also while the rows are read, for what is not
    well-formed, not a sitemap or larger than the protocol allows; it calls ``source`` by ``name``.
    """
    if not name:
        name = str(source) if isinstance(source, Path) else "The sitemap"
    return SitemapReader(source, name, strict=True)


class Walk:
    """The sitemaps that are to be read, each once, so that indexes in a circle end.

    Whoever iterates opens each place, a file or an address, and adds what an index lists; that is why the
    same walk serves files and a network, with and without ``async``.

    >>> walk = Walk(["sitemap.xml"])
    >>> for place in walk:
    ...     if place == "sitemap.xml":
    ...         walk.add(["a.xml", "sitemap.xml", "a.xml"])
    ...     print(place)
    sitemap.xml
    a.xml
    """

    def __init__(self, places: Iterable[str]) -> None:
        self._known: dict[str, None] = {}
        self._waiting: deque[str] = deque()
        self.add(places)

    def add(self, places: Iterable[str]) -> None:
        """Places to read after those that wait already; raises SitemapError for too many in all."""
        for place in places:
            if place in self._known:
                continue
            if len(self._known) > MAX_SITEMAPS:
                first = next(iter(self._known))
                raise SitemapError(f"{first} leads to more than {MAX_SITEMAPS:,} sitemaps. Correct it.")
            self._known[place] = None
            self._waiting.append(place)

    def __iter__(self) -> Iterator[str]:
        while self._waiting:
            yield self._waiting.popleft()
