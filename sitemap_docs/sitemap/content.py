"""The bytes of a sitemap file, plain or gzip, with a limit on what is unpacked."""

from __future__ import annotations

import zlib
from contextlib import nullcontext
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.sitemap.render import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

CHUNK = 65_536


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


class Unreadable(Exception):  # noqa: N818  whoever catches it decides whether it is an error
    """Ends the reading of a file."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class Content:
    """The bytes of a file in chunks, unpacked; ``packed`` tells whether they were gzip, by the first bytes.

    Iterating raises :class:`Unreadable` for damaged gzip and for more than ``max_bytes``. ``size`` counts
    the bytes that were read so far.
    """

    def __init__(self, source: Path | BinaryIO, max_bytes: int) -> None:
        self.size = 0
        self._max_bytes = max_bytes
        chunks = _chunks(source)
        first = next(chunks, b"")
        if len(first) == 1:  # a network may deliver a single byte, and the mark of gzip has two
            first += next(chunks, b"")
        self.packed = first.startswith(b"\x1f\x8b")
        self._chunks = chain([first], chunks)

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._unpacked() if self.packed else self._chunks:
            self.size += len(chunk)
            if self.size > self._max_bytes:
                raise self._too_large()
            if chunk:
                yield chunk

    def _unpacked(self) -> Iterator[bytes]:
        """The bytes of all members of a gzip file."""
        inflate = zlib.decompressobj(wbits=31)
        size = 0
        try:
            for chunk in self._chunks:
                size += len(chunk)
                if size > self._max_bytes:  # thousands of empty members unpack to nothing
                    raise self._too_large()
                rest = (
                    chunk.lstrip(b"\0") if inflate.eof else chunk
                )  # zeros after the last member are padding
                while rest:
                    if inflate.eof:
                        inflate = zlib.decompressobj(wbits=31)
                    yield inflate.decompress(rest, CHUNK)
                    rest = inflate.unconsumed_tail or inflate.unused_data.lstrip(b"\0")
            yield inflate.flush()
        except zlib.error as error:
            raise Unreadable(Fault("gzip", str(error))) from error
        if not inflate.eof:
            raise Unreadable(Fault("gzip", "it ends too early"))

    def _too_large(self) -> Unreadable:
        return Unreadable(Fault("size", f"{self._max_bytes:,}"))


def digest(file: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """SHA-256 of what a file holds, unpacked; empty for damaged gzip and for more than ``max_bytes``."""
    found = sha256()
    try:
        for chunk in Content(file, max_bytes):
            found.update(chunk)
    except Unreadable:
        return b""
    return found.digest()


def _chunks(source: Path | BinaryIO) -> Iterator[bytes]:
    opened = files.open_file(source) if isinstance(source, Path) else nullcontext(source)
    with opened as stream:
        while chunk := stream.read(CHUNK):
            yield chunk
