"""The text files of a build: sitemap.txt, which engines take, too, and the key file of IndexNow.

They have no mark: only the record of a build tells ours from the user's.
https://www.sitemaps.org/protocol.html#otherformats, https://www.indexnow.org/documentation
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.model import MAX_BYTES, MAX_URLS, Entry, Finding, SitemapError, reported
from sitemap_docs.output.existing import is_page, listed_rows, our_files
from sitemap_docs.output.transaction import Output
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot

VARIABLE = "INDEXNOW_KEY"
KEY_FILE = "{key}.txt"
TEXT = "sitemap.txt"

_LONGEST = 256  # bytes of a key file that are read: a key has 128 at most
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """A key that is never shown, not by mistake either; ``text`` is the key itself."""

    text: str

    @classmethod
    def of_environment(cls, environ: Mapping[str, str]) -> Key | None:
        """The key that a build or a submission was given; raises SitemapError, without it, if it is none."""
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
        """``text`` with the key where it says ``{key}``."""
        return text.replace("{key}", self.text)

    def hidden_in(self, text: str) -> str:
        """Return ``text`` with ``{key}`` in place of the key.

        The key is found in small and capital letters and percent-encoded, as others may write it in a URL.
        """
        characters = [f"(?:{re.escape(each)}|%{ord(each):02x})" for each in self.text]
        return re.sub("".join(characters), "{key}", text, flags=re.IGNORECASE)

    @property
    def file(self) -> str:
        """The name of its file."""
        return self.within(KEY_FILE)

    def proven_by(self, data: bytes) -> bool:
        """Whether a key file with this content proves the key."""
        return data.strip() == self.text.encode()


@contextmanager
def hidden_keys(keys: Iterable[Key]) -> Iterator[None]:
    """Hide keys in the message of a SitemapError that is raised inside, for example in the name of a file."""
    try:
        yield
    except SitemapError as error:
        message = str(error)
        for key in keys:
            message = key.hidden_in(message)
        error.args = (message,)
        raise error from None  # its cause may contain the key as well


class TextFiles:
    """The text files in the output folder of a build.

    Args:
        folder: The output folder.
        base: The base URL of the folder.
        recorded: The files that the last build wrote, by name, or None if it has no record.
        sitemap_folder: The folder of the sitemap in XML, which may be above the output folder.

    Attributes:
        unknown: Files that an earlier build may have written, or the user. Only the record could tell.
    """

    def __init__(
        self, folder: Path, base: Base, recorded: Collection[str] | None, sitemap_folder: Path
    ) -> None:
        self._folder = folder
        self._base = base
        self._has_record = recorded is not None
        self._sitemap_folder = sitemap_folder
        self._keys = {file.name for file in folder.glob("*.txt") if _is_key_file(file)}
        self._ours = self._keys.intersection(recorded or ())
        self._lines: set[str] = set()
        text = folder / TEXT
        if text.is_file() and not text.is_symlink():
            content = files.read_file(text).decode("utf-8-sig", "replace")
            self._lines = set(map(str.strip, content.splitlines())) - {""}
        self.unknown = self._keys - self._ours
        if self._lines and TEXT in (recorded or ()):
            self._ours.add(TEXT)
        elif self._lines and all(line.startswith(("https://", "http://")) for line in self._lines):
            self.unknown.add(TEXT)

    def _addresses_before(self) -> set[str]:
        """Return the addresses in our sitemaps of earlier builds, with any base URL."""
        addresses: set[str] = set()
        for folder in dict.fromkeys((self._folder, self._sitemap_folder)):
            for name in our_files(folder):
                if name.endswith(".css"):
                    continue
                with suppress(SitemapError):  # a damaged sitemap lists nothing
                    addresses.update(row.loc for row in listed_rows(folder / name))
        return addresses

    def write(self, output: Output, data: bytes, key: Key | None) -> list[str]:
        """Adds a text sitemap, unless it is empty, and the file of a key, unless one that proves it is there.

        Removes ours that are no longer written, and returns the names of those that are.
        """
        wanted = {TEXT: data} if data else {}
        if key:
            wanted[key.file] = key.text.encode()
        for name in sorted(self._ours - wanted.keys()):
            output.hold(name)  # the record does not fit a half-written folder
            output.remove(name)
        for name, content in wanted.items():
            if name not in self._keys:
                if name == TEXT:
                    output.hold(name)  # next to a newer or older sitemap, its lines are those of no build
                output.add(name, content)
                self._ours.add(name)
        if key:
            self._keys.add(key.file)
        self.unknown -= wanted.keys()
        return sorted(self._ours & wanted.keys())

    def keys(self, given: Key | None) -> list[Key]:
        """Return the keys that have a file in the folder, and the key that was ``given``."""
        keys = [Key(name.removesuffix(".txt")) for name in sorted(self._keys)]
        if given:
            keys.append(given)
        return keys

    def hidden(self, names: Iterable[str]) -> list[str]:
        """The names, without those that say a key."""
        return [KEY_FILE if name in self._keys else name for name in names]

    def text(self, options: Options, entries: Sequence[Entry], listed: int) -> tuple[bytes, list[Finding]]:
        """Return the text sitemap, and a finding if it would be too long.

        The text is empty if the option ``formats`` does not ask for it. A file is replaced if the new text
        lists each of its addresses that has no page. If there is no record, the addresses of our earlier
        sitemaps may go, too.

        Args:
            options: The options of the build.
            entries: The first entries of the sitemap, as many as a text sitemap may list.
            listed: The number of all entries.

        Raises:
            SitemapError: A file of the user is in the way.
        """
        if "text" not in options.formats or not entries:
            return b"", []
        data = _text(entry.loc for entry in entries)
        if listed > MAX_URLS or len(data) > MAX_BYTES:
            return b"", [text_too_long(listed).at(TEXT)]
        file = self._folder / TEXT
        if os.path.lexists(file) and TEXT not in self._ours and not options.replace:
            webroot = Webroot(self._folder, self._base)
            lost = "" if self._lines else "what it is"
            missing = self._lines.difference(entry.loc for entry in entries)
            if missing and not self._has_record:
                missing -= self._addresses_before()
            for line in sorted(missing):
                if not lost and not is_page(webroot, line):
                    lost = one_line(line)[:200]
            if lost:
                raise SitemapError(
                    f"{file} exists and was not written by sitemap-docs. The new one would not list "
                    f"{lost}. Remove it, take `text` out of `formats`, or set `replace` to overwrite it."
                )
        return data, []


def _is_key_file(file: Path) -> bool:
    """Whether a file proves the key that it is named after."""
    if not _KEY.fullmatch(file.stem) or file.is_symlink() or not file.is_file():
        return False
    return Key(file.stem).proven_by(files.read_file(file, _LONGEST))


def _text(locs: Iterable[str]) -> bytes:
    return "".join(f"{loc}\n" for loc in locs).encode()


@reported()
def text_too_long(listed: int) -> str:
    """A text sitemap would have more than 50,000 addresses, so that none is written.

    Engines refuse a longer one.
    Take `text` out of `formats`: the sitemap in XML has all addresses, in several files.
    Wrong: `formats: [text]` in a site of 60,000 pages
    Right: `formats: []`
    Source: sitemaps.org: other sitemap formats,
    https://www.sitemaps.org/protocol.html#otherformats
    """
    return (
        f"{TEXT} is not written: it may hold {MAX_URLS:,} URLs, and {listed:,} are listed. sitemap.xml has "
        "them all; take `text` out of `formats`."
    )
