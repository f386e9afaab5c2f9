"""Read and write the text files of a build: sitemap.txt and the key file of IndexNow.

These files have no mark. Only the record of a build shows whether a build or the user wrote them.
https://www.sitemaps.org/protocol.html#otherformats, https://www.indexnow.org/documentation
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.model import MAX_BYTES, MAX_URLS, Entry, Finding, SitemapError
from sitemap_docs.output.existing import listed_rows, may_be_missing, our_files
from sitemap_docs.output.transaction import Output
from sitemap_docs.rules import reported
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import Base, is_web
from sitemap_docs.webroot import Webroot

VARIABLE = "INDEXNOW_KEY"
KEY_FILE = "{key}.txt"
TEXT = "sitemap.txt"

_LONGEST = 256  # Bytes of a key file that are read. A key has at most 128.
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """A secret key for IndexNow, which reports changed pages to search engines. ``repr`` hides the key."""

    text: str

    @classmethod
    def of_environment(cls, environ: Mapping[str, str]) -> Key | None:
        """Return the IndexNow key in the environment variable ``INDEXNOW_KEY``.

        If the variable is missing or empty, return None.

        Raises:
            SitemapError: The key is not valid.
        """
        if not environ.get(VARIABLE):
            return None
        key = environ[VARIABLE].strip()
        if not _KEY.fullmatch(key):
            raise SitemapError(
                f"{VARIABLE} is not an IndexNow key: a key has 8 to 128 letters, digits and dashes. "
                "To make one: python -c 'import secrets; print(secrets.token_hex(16))'"
            )
        return cls(key)

    def __repr__(self) -> str:
        return "Key(…)"

    def within(self, text: str) -> str:
        """Replace ``{key}`` in a text by the IndexNow key."""
        return text.replace("{key}", self.text)

    def hidden_in(self, text: str) -> str:
        """Replace the secret key in a text by the text ``{key}``, also if the key is percent-encoded."""
        characters = [f"(?:{re.escape(each)}|%{ord(each):02x})" for each in self.text]
        return re.sub("".join(characters), "{key}", text, flags=re.IGNORECASE)

    @property
    def file(self) -> str:
        """The name of the IndexNow key file."""
        return self.within(KEY_FILE)

    def proven_by(self, data: bytes) -> bool:
        """Check whether ``data``, the content of an IndexNow key file, contains exactly this IndexNow key."""
        return data.strip() == self.text.encode()


@contextmanager
def hidden_keys(keys: Iterable[Key]) -> Iterator[None]:
    """Replace secret keys by the text ``{key}`` in the messages of errors from the ``with`` block."""
    try:
        yield
    except SitemapError as error:
        message = str(error)
        for key in keys:
            message = key.hidden_in(message)
        error.args = (message,)
        raise error from None  # its cause may contain the key as well


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenTexts:
    """The text sitemap and the IndexNow key files that are in the output folder after a build."""

    # The name of a key file contains the key, so repr shows no names.
    #: The files that sitemap-docs wrote.
    names: tuple[str, ...] = field(default=(), repr=False)
    #: Files that may be the user's own.
    unknown: tuple[str, ...] = field(default=(), repr=False)
    #: The names of all key files.
    keys: frozenset[str] = field(default=frozenset(), repr=False)

    def hide_keys(self, names: Iterable[str]) -> tuple[str, ...]:
        """Replace the names of IndexNow key files by ``{key}.txt``, to hide the secret keys."""
        return tuple(KEY_FILE if name in self.keys else name for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFiles:
    """The text sitemap and the IndexNow key files that are in the output folder before a build."""

    folder: Path
    base: Base
    sitemap_folder: Path
    #: Whether it is known what earlier builds wrote.
    has_record: bool
    keys: frozenset[str] = frozenset()
    #: The files that the last build wrote.
    ours: frozenset[str] = frozenset()
    #: Files that may be the user's own.
    unknown: frozenset[str] = frozenset()
    #: The lines of ``sitemap.txt``.
    lines: frozenset[str] = frozenset()

    def write(self, output: Output, data: bytes, key: Key | None) -> WrittenTexts:
        """Write ``sitemap.txt`` and the IndexNow key file, and remove outdated files of earlier builds.

        If ``data``, the content of ``sitemap.txt``, is empty, ``sitemap.txt`` is not written. If ``key`` is
        None, no key file is written.
        """
        wanted = {TEXT: data} if data else {}
        if key:
            wanted[key.file] = key.text.encode()
        for name in sorted(self.ours - wanted.keys()):
            output.hold(name)  # The record does not fit a half-written folder.
            output.remove(name)
        ours = set(self.ours)
        for name, content in wanted.items():
            if name not in self.keys:
                if name == TEXT:
                    output.hold(name)  # Next to an older or newer sitemap, the lines would fit no build.
                output.add(name, content)
                ours.add(name)
        keys = {*self.keys, key.file} if key else self.keys
        return WrittenTexts(
            names=tuple(sorted(ours & wanted.keys())),
            unknown=tuple(sorted(self.unknown - wanted.keys())),
            keys=frozenset(keys),
        )

    def known_keys(self, given: Key | None) -> list[Key]:
        """Return the IndexNow keys whose key files are in the output folder, and the key ``given``."""
        keys = [Key(name.removesuffix(".txt")) for name in sorted(self.keys)]
        if given:
            keys.append(given)
        return keys

    def text(self, options: Options, entries: Sequence[Entry], listed: int) -> tuple[bytes, list[Finding]]:
        """Return the content of ``sitemap.txt`` and a list of warnings.

        If the file would be too long, the content is empty, and there is a warning. ``entries`` are the first
        50,000 entries of the sitemap, and ``listed`` is the number of all entries.

        Raises:
            SitemapError: The user's own ``sitemap.txt`` lists a URL that the new one would not list.
        """
        if "text" not in options.formats or not entries:
            return b"", []
        data = _text(entry.loc for entry in entries)
        if listed > MAX_URLS or len(data) > MAX_BYTES:
            return b"", [text_too_long(listed).at(TEXT)]
        file = self.folder / TEXT
        if os.path.lexists(file) and TEXT not in self.ours and not options.replace:
            lost = self._lost(entries)
            if lost:
                raise SitemapError(
                    f"{file} exists and was not written by sitemap-docs. The new one would not list "
                    f"{lost}. Remove the file, remove `text` from the option `formats`, or set the option "
                    "`replace` to overwrite the file."
                )
        return data, []

    def _lost(self, entries: Iterable[Entry]) -> str:
        """Return an address in the old ``sitemap.txt`` that is not in the new one, or ``""``."""
        if not self.lines:
            return "its lines"
        webroot = Webroot.at(self.folder, self.base)
        missing = self.lines.difference(entry.loc for entry in entries)
        if missing and not self.has_record:
            missing -= self._earlier_addresses()  # an earlier build may have written them into the file
        for line in sorted(missing):
            if not may_be_missing(webroot, line):
                return one_line(line)[:200]
        return ""

    def _earlier_addresses(self) -> set[str]:
        """Return the addresses in the XML sitemaps that earlier builds of this site have written."""
        addresses: set[str] = set()
        for folder in dict.fromkeys((self.folder, self.sitemap_folder)):
            for name in our_files(folder):
                if name.endswith(".css"):
                    continue
                with suppress(SitemapError):  # A damaged sitemap lists nothing.
                    addresses.update(row.loc for row in listed_rows(folder / name))
        return addresses


def read_text_files(
    folder: Path, base: Base, recorded: Collection[str] | None, sitemap_folder: Path
) -> TextFiles:
    """Read the text sitemap and the IndexNow key files in an output folder.

    ``recorded`` has the names of files that the last build wrote, or is None if they are unknown. The XML
    sitemap is in ``sitemap_folder``.

    Raises:
        SitemapError: The folder cannot be read.
    """
    with files.translated_errors(folder, "read"):
        keys = frozenset(file.name for file in folder.glob("*.txt") if _is_key_file(file))
    ours = keys.intersection(recorded or ())
    unknown = keys - ours
    lines: frozenset[str] = frozenset()
    file = folder / TEXT
    if file.is_file() and not file.is_symlink():
        lines = _read_lines(file)
    if lines and TEXT in (recorded or ()):
        ours |= {TEXT}
    elif lines and all(map(is_web, lines)):
        unknown |= {TEXT}
    return TextFiles(
        folder=folder,
        base=base,
        sitemap_folder=sitemap_folder,
        has_record=recorded is not None,
        keys=keys,
        ours=ours,
        unknown=unknown,
        lines=lines,
    )


def _is_key_file(file: Path) -> bool:
    """Check whether a file is an IndexNow key file: its name and its content are the key."""
    if not _KEY.fullmatch(file.stem) or file.is_symlink() or not file.is_file():
        return False
    return Key(file.stem).proven_by(files.read_file(file, _LONGEST))


def _read_lines(file: Path) -> frozenset[str]:
    """Return the addresses in a text sitemap, or an empty set if the file is damaged."""
    from sitemap_docs.sitemap.reader import SitemapReader  # noqa: PLC0415  a first build reads none

    sitemap = SitemapReader(file)
    lines = frozenset(row.loc for row in sitemap.rows())
    if sitemap.format != "text" or sitemap.fault:
        return frozenset()
    return lines


def _text(locs: Iterable[str]) -> bytes:
    """Return the content of a text sitemap: each address on its own line."""
    return "".join(f"{loc}\n" for loc in locs).encode()


@reported()
def text_too_long(listed: int) -> str:
    """The text sitemap is not written, because it would have more than 50,000 addresses.

    Search engines refuse longer files.
    Remove `text` from the option `formats`: the XML sitemap lists all addresses, in several files.
    Wrong: `formats: [text]` in a site of 60,000 pages
    Right: `formats: []`
    Source: sitemaps.org: other sitemap formats,
    https://www.sitemaps.org/protocol.html#otherformats
    """
    return (
        f"{TEXT} was not written: it may list {MAX_URLS:,} URLs, and the site has {listed:,}. The XML "
        "sitemap lists all of them, so remove `text` from the option `formats`."
    )
