"""Sitemaps that others wrote, read without trusting them."""

from __future__ import annotations

import re
import zlib
from contextlib import nullcontext
from datetime import datetime, timedelta, timezone
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast, get_args
from xml.parsers import expat

from sitemap_docs.model import Alternate, Changefreq, Entry, SitemapError
from sitemap_docs.sitemap.render import IMAGE, MAX_BYTES, SITEMAP, XHTML, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

#: The namespaces that we read, and the prefix that names are given; the second is what sitemaps had before
#: 2006.
_PREFIXES = {
    "": "",
    SITEMAP: "",
    "http://www.google.com/schemas/sitemap/0.84": "",
    XHTML: "xhtml:",
    IMAGE: "image:",
}
_ROWS: Mapping[str, Kind] = {"url": "urlset", "sitemap": "sitemapindex"}
_CHUNK = 65_536
# Elements cost memory, many times their bytes. Google reads 1,000 images of a page.
_DEEPEST = 50
_MOST_FIELDS = 20_000
_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?(?:Z|([+-])(\d\d):(\d\d)))?)?)?",
    re.ASCII,
)


class Field(NamedTuple):
    """One element of a row, such as ``loc``, ``xhtml:link``, ``image:loc``, ``{a foreign namespace}name``."""

    name: str
    text: str
    attributes: Mapping[str, str]


class Row(NamedTuple):
    """One ``<url>`` or ``<sitemap>`` as it stands in the file, from ``line`` on."""

    line: int
    fields: tuple[Field, ...]

    def texts(self, name: str) -> list[str]:
        return [field.text for field in self.fields if field.name == name]

    def entry(self) -> Entry | None:
        """What the row says, without what the protocol does not allow; None when it has no ``loc``."""
        loc, lastmod, changefreq, priority = (
            next(iter(self.texts(name)), "") for name in ("loc", "lastmod", "changefreq", "priority")
        )
        if not loc:
            return None
        return Entry(
            loc=loc,
            lastmod=parse_datetime(lastmod),
            alternates=tuple(_alternates(self.fields)),
            images=tuple(self.texts("image:loc")),
            changefreq=cast("Changefreq", changefreq) if changefreq in get_args(Changefreq) else None,
            priority=_priority(priority),
        )


class Parsed(NamedTuple):
    """A sitemap whose rows are read as they are asked for, once."""

    kind: Kind
    rows: Iterator[Row]

    def entries(self) -> Iterator[Entry]:
        return (entry for row in self.rows if (entry := row.entry()))


def parse(source: Path | BinaryIO, *, name: str = "", max_bytes: int = MAX_BYTES) -> Parsed:
    """The sitemap or index in ``source``, plain or gzip (told by its first bytes).

    Document types, and with them entities, are refused; nothing is fetched. Names in the namespace of 2005
    or in none are read, too. Raises SitemapError, also while the rows are read, for what is not
    well-formed, not a sitemap or larger than ``max_bytes`` unpacked; it calls ``source`` by ``name``.
    """
    reader = _Reader(name or (str(source) if isinstance(source, Path) else "The sitemap"))
    chunks = reader.limited(reader.unpacked(_chunks(source)), max_bytes)
    kind = reader.begin(chunks)
    return Parsed(kind, reader.rows(chunks))


def parse_datetime(text: str) -> datetime | None:
    """The time that a W3C Datetime (https://www.w3.org/TR/NOTE-datetime) names; None for what is none.

    A year, month or day stands for its first moment in UTC. A time without a zone is no W3C Datetime, and
    one beyond the years 1 to 9999 of UTC no date.
    """
    if not (match := _W3C.fullmatch(text)):
        return None
    year, month, day, hour, minute, second, fraction, sign, hours, minutes = match.groups()
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        when = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "0").ljust(6, "0")),
            timezone(-offset if sign == "-" else offset),
        )
        when.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        return None
    return when


def _priority(text: str) -> float | None:
    return float(text) if re.fullmatch(r"0(\.\d+)?|1(\.0+)?|\.\d+", text, re.ASCII) else None


def _alternates(fields: Iterable[Field]) -> Iterator[Alternate]:
    for field in fields:
        if field.name == "xhtml:link" and field.attributes.get("rel") == "alternate":
            hreflang, href = (field.attributes.get(each, "").strip() for each in ("hreflang", "href"))
            if hreflang and href:
                yield Alternate(hreflang, href)


def _chunks(source: Path | BinaryIO) -> Iterator[bytes]:
    with source.open("rb") if isinstance(source, Path) else nullcontext(source) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


class _Reader:
    """The events of one document, gathered into rows."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kind: Kind | None = None
        self._path: list[str] = []
        self._text: list[str] = []
        self._line = 0
        self._attributes: Mapping[str, str] = {}
        self._fields: list[Field] = []
        self._ready: list[Row] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text.append

    def unpacked(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        first = next(chunks, b"")
        if len(first) == 1:  # a network gives what it has
            first += next(chunks, b"")
        if not first.startswith(b"\x1f\x8b"):
            yield from chain([first], chunks)
            return
        inflate = zlib.decompressobj(wbits=31)
        try:
            for chunk in chain([first], chunks):
                rest = chunk
                while rest:
                    if inflate.eof:
                        inflate = zlib.decompressobj(wbits=31)
                    yield inflate.decompress(rest, _CHUNK)
                    rest = inflate.unconsumed_tail or inflate.unused_data.lstrip(b"\0")
            yield inflate.flush()
        except zlib.error as error:
            raise SitemapError(f"{self._name} is damaged gzip: {error}.") from error
        if not inflate.eof:
            raise SitemapError(f"{self._name} is damaged gzip: it ends too early.")

    def limited(self, chunks: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > max_bytes:
                raise SitemapError(
                    f"{self._name} has more than {max_bytes:,} bytes unpacked; a sitemap may not."
                )
            yield chunk

    def begin(self, chunks: Iterator[bytes]) -> Kind:
        while self._kind is None:
            chunk = next(chunks, None)
            self._feed(chunk or b"", final=chunk is None)
        return self._kind

    def rows(self, chunks: Iterator[bytes]) -> Iterator[Row]:
        for chunk in chunks:
            yield from self._taken()
            self._feed(chunk)
            if len(self._path) == 1:  # nothing between the rows is ever asked for
                self._text.clear()
        self._feed(b"", final=True)
        yield from self._taken()

    def _taken(self) -> list[Row]:
        ready, self._ready = self._ready, []
        return ready

    def _feed(self, chunk: bytes, *, final: bool = False) -> None:
        try:
            self._parser.Parse(chunk, final)
        except expat.ExpatError as error:
            problem = expat.ErrorString(error.code)
            raise SitemapError(
                f"{self._name} is not well-formed XML: line {error.lineno}, {problem}."
            ) from error
        except (LookupError, ValueError) as error:  # of the encoding that the file declares
            raise SitemapError(f"{self._name} cannot be read: {error}. Sitemaps are UTF-8.") from error

    def _refuse(self, *_: object) -> None:
        raise SitemapError(
            f"{self._name} has a document type (<!DOCTYPE, line {self._parser.CurrentLineNumber}): "
            "a sitemap has none, and it is not read."
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, local = tag.rpartition(" ")
        name = _PREFIXES[namespace] + local if namespace in _PREFIXES else f"{{{namespace}}}{local}"
        if not self._path:
            self._kind = self._root(name)
        elif len(self._path) == 1:
            self._line = self._parser.CurrentLineNumber
            self._fields = []
        self._path.append(name)
        if len(self._path) > _DEEPEST or len(self._fields) > _MOST_FIELDS:
            line = self._parser.CurrentLineNumber
            raise SitemapError(f"{self._name} is no sitemap: too many elements in one another, line {line}.")
        self._text.clear()
        self._attributes = attributes

    def _end(self, _: str) -> None:
        name = self._path.pop()
        if len(self._path) > 1:
            self._fields.append(Field(name, "".join(self._text).strip(), self._attributes))
            self._text.clear()
            self._attributes = {}
        elif self._path and _ROWS.get(name) == self._kind:
            self._ready.append(Row(self._line, tuple(self._fields)))

    def _root(self, name: str) -> Kind:
        for kind in _ROWS.values():
            if name == kind:
                return kind
        raise SitemapError(f"{self._name} is no sitemap: it is a <{name}>, not a <urlset> or <sitemapindex>.")
