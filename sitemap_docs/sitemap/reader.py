"""The one reader of sitemaps: row by row, whoever wrote them, without trusting them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, cast, get_args
from xml.parsers import expat

from sitemap_docs import files
from sitemap_docs.model import Alternate, Changefreq, Entry, SitemapError
from sitemap_docs.sitemap.dates import parse_datetime
from sitemap_docs.sitemap.render import IMAGE, MAX_BYTES, SITEMAP, XHTML, Kind

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
_ROWS: Mapping[str, Kind] = {"url": "urlset", "sitemap": "sitemapindex"}
_CHUNK = 65_536
# Elements cost time and memory, many times their bytes. Google reads 1,000 images of a page.
_DEEPEST = 50
_MOST_FIELDS = 20_000
_MOST_ELEMENTS = 2_000_000
_MOST_SHEETS = 100
_CHANGEFREQS = frozenset(get_args(Changefreq))
_PRIORITY = re.compile(r"0(\.\d+)?|1(\.0+)?|\.\d+", re.ASCII)
_SHEET = re.compile(r"(type|href)\s*=\s*[\"']([^\"']*)")

# What we write ourselves, a row a line: read by these at a sixth of the parser's time (tests/bench/diff.py).
_PLAIN_HEAD = re.compile(
    rb'(?:<\?xml version="1\.0"(?: encoding="UTF-8")?\?>\n)?'
    rb'(?:<\?xml-stylesheet href="[ !#-;=?-~]*"\?>\n)?'
    rb'<urlset xmlns="http://www\.sitemaps\.org/schemas/sitemap/0\.9">\n'
)
_PLAIN_ROW = re.compile(
    r"^<url><loc>([!-%'-;=?-~]+)</loc>"
    r"(?:<lastmod>(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)</lastmod>)?</url>$",
    re.ASCII | re.MULTILINE,
)


class Field(NamedTuple):
    """One element of a row, such as ``loc``, ``xhtml:link``, ``image:loc``, ``{a foreign namespace}name``.

    ``raw`` is its text as it stands there; ``depth`` is 1 for a child of the row, 2 for a child of that.
    """

    name: str
    raw: str
    attributes: Mapping[str, str]
    depth: int = 1

    @property
    def text(self) -> str:
        return self.raw.strip()


class Row(NamedTuple):
    """One ``<url>`` or ``<sitemap>`` as it stands in the file, from ``line`` on; a field follows its own."""

    line: int
    fields: tuple[Field, ...]

    def texts(self, name: str) -> list[str]:
        return [field.text for field in self.fields if field.name == name]

    def listed(self) -> tuple[str, str]:
        """Its loc and lastmod as they are written, ``""`` for none."""
        loc = lastmod = ""
        for name, raw, _, _ in self.fields:
            if name == "loc":
                loc = loc or raw.strip()
            elif name == "lastmod":
                lastmod = lastmod or raw.strip()
        return loc, lastmod

    def entry(self) -> Entry | None:
        """The row's entry, without what the protocol does not allow; None when it has no ``loc``."""
        first = {field.name: field.text for field in reversed(self.fields)}
        if not first.get("loc"):
            return None
        changefreq, priority = first.get("changefreq"), first.get("priority", "")
        return Entry(
            loc=first["loc"],
            lastmod=parse_datetime(first.get("lastmod", "")),
            alternates=tuple(_alternates(self.fields)) if "xhtml:link" in first else (),
            images=tuple(self.texts("image:loc")) if "image:loc" in first else (),
            changefreq=cast("Changefreq", changefreq) if changefreq in _CHANGEFREQS else None,
            priority=float(priority) if _PRIORITY.fullmatch(priority) else None,
        )


class Sheet(NamedTuple):
    """One ``<?xml-stylesheet?>``."""

    type: str
    href: str


class Fault(NamedTuple):
    """What ended the reading of a file, and in which ``line`` (0: not known)."""

    kind: Literal["gzip", "size", "encoding", "xml", "doctype", "root", "elements"]
    problem: str
    line: int = 0

    def __str__(self) -> str:
        """What is wrong, behind the name of the file."""
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


class _Stop(Exception):  # noqa: N818  it is no error of its own
    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class Reading:
    """A file while it is read: what is known of it so far, its rows, and what ended it, if something did.

    ``root`` and ``namespace`` are of its first element; ``size`` is in bytes, unpacked. ``strict`` ends at
    whatever makes it no sitemap; else any root and a document type without declarations are read, and every
    child of the root is a row.
    """

    def __init__(self, source: Path | BinaryIO, *, max_bytes: int = MAX_BYTES, strict: bool = False) -> None:
        self.packed, chunks = _opened(source)
        self.size = 0
        self.bom = False
        self.encoding = "utf-8"
        self.doctype = False
        self.root = ""
        self.namespace = ""
        self.sheets: list[Sheet] = []
        self.fault: Fault | None = None
        self._strict = strict
        self._plain = False
        self._ended = False
        self._chunks = self._measured(_inflated(chunks, max_bytes) if self.packed else chunks, max_bytes)
        self._held: list[bytes] = []
        self._wanted = 0
        self._lines = 0
        self._names = _Names()
        self._elements = 0
        self._path: list[str] = []
        self._text: list[str] = []
        self._line = 0
        self._attributes: list[Mapping[str, str]] = []
        self._fields: list[Field] = []
        self._ready: list[Row] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.XmlDeclHandler = self._declared
        self._parser.StartDoctypeDeclHandler = self._doctype
        self._parser.ProcessingInstructionHandler = self._instruction
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append
        self._begin()

    def rows(self) -> Iterator[Row]:
        """The rows, once; they end where the file does, or at ``fault``."""
        while not self._ended:
            yield from self._taken()
            self._parse_more()
            if len(self._path) == 1:  # nothing between the rows is ever asked for
                self._text.clear()
        yield from self._taken()

    def listed(self) -> Iterator[list[tuple[str, str]]]:
        """The loc and lastmod (``""``: none) of each row, many at once, as :meth:`rows` would read them."""
        rest = b""
        while self._plain and (chunk := self._next()):
            whole, newline, rest = (rest + chunk).rpartition(b"\n")
            found, end = _plain_rows(whole + newline)
            self._lines += len(found)
            yield found
            if end or len(rest) > _CHUNK:
                self._plain = False
                rest = end + rest
        if rest:
            self._chunks = chain([rest], self._chunks)
        for row in self.rows():
            yield [row.listed()]

    def _begin(self) -> None:
        """Reads until the root is known, and of what we wrote ourselves no more than that."""
        first = self._next()
        self.bom = first.startswith(b"\xef\xbb\xbf")
        if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self.encoding = "utf-16"
        head = _PLAIN_HEAD.match(first)
        if head:
            self._plain = True
            self._chunks = chain([first[head.end() :]], self._chunks)
            first = head[0]
        self._feed(first)
        while not (self._ended or self.root):
            self._parse_more()

    def _next(self) -> bytes:
        """The next bytes; none at the end, and where ``fault`` is found."""
        try:
            return next(self._chunks, b"")
        except _Stop as stop:
            self.fault = stop.fault
            self._ended = True
            return b""

    def _parse_more(self) -> None:
        chunk = self._next()
        if not self._ended:
            self._feed(chunk, final=not chunk)

    def _measured(self, chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
        for chunk in chunks:
            self.size += len(chunk)
            if self.size > max_bytes:
                raise _Stop(Fault("size", f"{max_bytes:,}"))
            if chunk:
                yield chunk

    def _taken(self) -> list[Row]:
        ready, self._ready = self._ready, []
        return ready

    def _feed(self, chunk: bytes, *, final: bool = False) -> None:
        """Gives a chunk to the parser, which before expat 2.6 begins an unfinished token anew each time.

        A long token is therefore fed in pieces that double (CVE-2023-52425).
        """
        self._held.append(chunk)
        if not final and sum(map(len, self._held)) < self._wanted:
            return
        data, self._held = b"".join(self._held), []
        before = self._parser.CurrentByteIndex
        try:
            self._parser.Parse(data, final)
        except _Stop as stop:
            self.fault = stop.fault
        except expat.ExpatError as error:
            self.fault = Fault("xml", expat.ErrorString(error.code), error.lineno + self._lines)
        except (LookupError, ValueError) as error:  # of the encoding that the file declares
            self.fault = Fault("encoding", str(error))
        self._ended = final or self.fault is not None
        self._wanted = 2 * (self._wanted or len(data)) if self._parser.CurrentByteIndex == before else 0

    def _stop(self, kind: Literal["doctype", "root", "elements"], problem: str = "") -> _Stop:
        return _Stop(Fault(kind, problem, self._parser.CurrentLineNumber + self._lines))

    def _declared(self, _: str, encoding: str | None, __: int) -> None:
        self.encoding = (encoding or self.encoding).lower()

    def _doctype(self, _: str, __: str | None, ___: str | None, declares: int) -> None:
        self.doctype = True
        if self._strict or declares:  # entities and defaults of attributes multiply what stands there
            raise self._stop("doctype")

    def _instruction(self, target: str, text: str) -> None:
        if target == "xml-stylesheet" and len(self.sheets) < _MOST_SHEETS:
            attributes = dict(_SHEET.findall(text))
            self.sheets.append(Sheet(attributes.get("type", ""), attributes.get("href", "")))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        path = self._path
        if not path:
            self._open_root(tag)
        elif len(path) == 1:
            self._line = self._parser.CurrentLineNumber + self._lines
            self._fields = []
        path.append(self._names[tag])
        self._elements += 1
        if len(path) > _DEEPEST or len(self._fields) > _MOST_FIELDS or self._elements > _MOST_ELEMENTS:
            raise self._stop("elements", "too many elements in one another, in a row or in all")
        self._text.clear()
        self._attributes.append(attributes)

    def _end(self, _: str) -> None:
        name = self._path.pop()
        attributes = self._attributes.pop()
        depth = len(self._path) - 1
        if depth > 0:
            self._fields.append(Field(name, "".join(self._text), attributes, depth))
            self._text.clear()
        elif depth == 0 and (not self._strict or _ROWS.get(name) == self.root):
            self._ready.append(Row(self._line, tuple(self._fields)))

    def _open_root(self, tag: str) -> None:
        self._parser.ProcessingInstructionHandler = None
        self.namespace, _, self.root = tag.rpartition(" ")
        if self._strict and self._names[tag] not in _ROWS.values():
            raise self._stop("root", self._names[tag])
        self._names.own = self.namespace


class _Names(dict[str, str]):
    """The names that we give to elements, by those that expat gives; ``own`` is the root's namespace."""

    own = SITEMAP

    def __missing__(self, tag: str) -> str:
        namespace, _, local = tag.rpartition(" ")
        known = {**PREFIXES, **_OLDER, self.own: ""}
        name = known[namespace] + local if namespace in known else f"{{{namespace}}}{local}"
        self[tag] = name
        return name


class Parsed:
    """A sitemap or an index, read lazily and once; its methods raise SitemapError."""

    def __init__(self, reading: Reading, name: str) -> None:
        self._reading = reading
        self._name = name
        self._check()
        self.kind = cast("Kind", reading.root)

    @property
    def rows(self) -> Iterator[Row]:
        """Each ``<url>`` or ``<sitemap>``."""
        yield from self._reading.rows()
        self._check()

    def entries(self) -> Iterator[Entry]:
        """The entries of the rows that have a ``loc``."""
        return (entry for row in self.rows if (entry := row.entry()))

    def listed(self) -> Iterator[list[tuple[str, str]]]:
        """The loc and lastmod of each row as they are written, ``""`` for none: many at once, and fast."""
        yield from self._reading.listed()
        self._check()

    def _check(self) -> None:
        if self._reading.fault:
            raise SitemapError(f"{self._name} {self._reading.fault}")


def parse(source: Path | BinaryIO, *, name: str = "", max_bytes: int = MAX_BYTES) -> Parsed:
    """The sitemap or index in ``source``, plain or gzip (detected by its first bytes).

    Document types, and with them entities, are refused; nothing is fetched. Names in the namespace of 2005
    or in none are read, too. Raises SitemapError, also while the rows are read, for what is not
    well-formed, not a sitemap or larger than ``max_bytes`` unpacked; it calls ``source`` by ``name``.
    """
    name = name or (str(source) if isinstance(source, Path) else "The sitemap")
    return Parsed(Reading(source, max_bytes=max_bytes, strict=True), name)


def digest(file: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """SHA-256 of what a file holds, unpacked; empty for damaged gzip and for more than ``max_bytes``."""
    packed, chunks = _opened(file)
    found = sha256()
    try:
        for chunk in _inflated(chunks, max_bytes) if packed else chunks:
            found.update(chunk)
    except _Stop:
        return b""
    return found.digest()


def _opened(source: Path | BinaryIO) -> tuple[bool, Iterator[bytes]]:
    """Whether a file is packed, and its bytes."""
    chunks = _chunks(source)
    first = next(chunks, b"")
    if len(first) == 1:  # a network gives what it has
        first += next(chunks, b"")
    return first.startswith(b"\x1f\x8b"), chain([first], chunks)


def _chunks(source: Path | BinaryIO) -> Iterator[bytes]:
    with files.open_file(source) if isinstance(source, Path) else nullcontext(source) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _inflated(chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    """The bytes of all members of a gzip file; padding with zeros is no member."""
    inflate = zlib.decompressobj(wbits=31)
    size = 0
    try:
        for chunk in chunks:
            size += len(chunk)
            if size > max_bytes:  # members of nothing
                raise _Stop(Fault("size", f"{max_bytes:,}"))
            rest = chunk.lstrip(b"\0") if inflate.eof else chunk  # zeros that follow the last member pad it
            while rest:
                if inflate.eof:
                    inflate = zlib.decompressobj(wbits=31)
                yield inflate.decompress(rest, _CHUNK)
                rest = inflate.unconsumed_tail or inflate.unused_data.lstrip(b"\0")
        yield inflate.flush()
    except zlib.error as error:
        raise _Stop(Fault("gzip", str(error))) from error
    if not inflate.eof:
        raise _Stop(Fault("gzip", "it ends too early"))


def _plain_rows(data: bytes) -> tuple[list[tuple[str, str]], bytes]:
    """The rows of whole lines, and the bytes from which on the parser has to read."""
    match = _PLAIN_END.search(data)
    end = match[0] if match else b""
    found = _PLAIN_ROW.findall(data.decode("ascii")) if data.isascii() else []
    if len(found) == data.count(b"\n") - end.count(b"\n"):
        return found, end
    return [], data


_PLAIN_END = re.compile(rb"</urlset>\n(?:<!-- sitemap-docs(?:: (?:[ -,.-~]|-(?!-))*)? -->\n)?\Z")


def _alternates(fields: tuple[Field, ...]) -> Iterator[Alternate]:
    for field in fields:
        if field.name == "xhtml:link" and field.attributes.get("rel") == "alternate":
            hreflang, href = (field.attributes.get(each, "").strip() for each in ("hreflang", "href"))
            if hreflang and href:
                yield Alternate(hreflang, href)
