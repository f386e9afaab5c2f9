"""The text files of a build: sitemap.txt, which engines take, too, and the key file of IndexNow.

They have no mark: only the record of a build tells ours from the user's.
https://www.sitemaps.org/protocol.html#otherformats, https://www.indexnow.org/documentation
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
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

    @property
    def file(self) -> str:
        """The name of its file."""
        return self.within(KEY_FILE)

    def proven_by(self, data: bytes) -> bool:
        """Whether a key file with this content proves the key."""
        return data.strip() == self.text.encode()


class KeyFiles:
    """The key files of a built folder: only the record of a build tells ours from the user's.

    ``recorded`` are the names of the files that the last build wrote, if they are unchanged. ``unknown`` are
    the key files of others, once one is written.
    """

    def __init__(self, folder: Path, recorded: Collection[str]) -> None:
        self._names = {file.name for file in folder.glob("*.txt") if _is_key_file(file)}
        self._ours = self._names.intersection(recorded)
        self.unknown = self._names - self._ours

    def write(self, output: Output, key: Key | None) -> list[str]:
        """Adds the file of the key, unless one that proves it is there; returns the names that are ours.

        Those of ours for other keys are removed.
        """
        wanted = key.file if key else ""
        for name in sorted(self._ours - {wanted}):
            output.remove(name)
        if key and wanted not in self._names:
            output.add(wanted, key.text.encode())
            self._names.add(wanted)
            self._ours.add(wanted)
        self.unknown.discard(wanted)
        return sorted(self._ours & {wanted})

    def hidden(self, names: Iterable[str]) -> list[str]:
        """The names, without those that say a key."""
        return [KEY_FILE if name in self._names else name for name in names]


def _is_key_file(file: Path) -> bool:
    """Whether a file proves the key that it is named after."""
    if not _KEY.fullmatch(file.stem) or file.is_symlink() or not file.is_file():
        return False
    return Key(file.stem).proven_by(files.read_file(file, _LONGEST))


def write_text(
    options: Options, entries: Sequence[Entry], listed: int, output: Output, base: Base, *, is_own: bool
) -> tuple[list[str], list[Finding]]:
    """Adds a text sitemap where the option ``formats`` asks for one, unless it would be too long.

    Returns its name and what is wrong. ``entries`` are the first of the ``listed`` ones, as many as it may
    list; ``is_own`` is whether an earlier build wrote the one that exists. Raises SitemapError when a file
    of the user's own is in the way and is not to be replaced.
    """
    if "text" not in options.formats or not entries:
        return [], []
    data = _text(entry.loc for entry in entries)
    if listed > MAX_URLS or len(data) > MAX_BYTES:
        return [], [text_too_long(listed).at(TEXT)]
    file = output.folder / TEXT
    if os.path.lexists(file) and not is_own and not options.replace:
        lost = _lost(file, entries, base)
        if lost:
            raise SitemapError(
                f"{file} exists and was not written by sitemap-docs. The new one would not list "
                f"{lost}. Remove it, take `text` out of `formats`, or set `replace` to overwrite it."
            )
    # It has no mark: if the build is killed before the sitemap follows, the next one writes the same.
    output.add(TEXT, data, first=True)
    return [TEXT], []


def is_our_text(folder: Path, base: Base, recorded: Collection[str] | None) -> bool:
    """Whether an earlier build wrote the text sitemap of a folder, which has no mark.

    ``recorded`` are the files of the last build; None where no record tells. Then it is ours if it is what we
    would write for our sitemaps there.
    """
    file = folder / TEXT
    if file.is_symlink() or not file.is_file():
        return False
    if recorded is not None:
        return TEXT in recorded
    listed: set[str] = set()
    for name in our_files(folder):
        if not name.endswith(".css"):
            listed.update(row.loc for row in listed_rows(folder / name) if row.loc.startswith(base.url))
    return bool(listed) and files.read_file(file) == _text(sorted(listed))


def _text(locs: Iterable[str]) -> bytes:
    return "".join(f"{loc}\n" for loc in locs).encode()


def text_lines(folder: Path) -> set[str]:
    """The lines of the text sitemap in a folder; none where there is no such file, or a link."""
    file = folder / TEXT
    if file.is_symlink() or not file.is_file():
        return set()
    text = files.read_file(file).decode("utf-8-sig", "replace")
    return set(map(str.strip, text.splitlines())) - {""}


def _lost(file: Path, entries: Sequence[Entry], base: Base) -> str:
    """Returns what a text file lists and the new one would not, for no reason; ``""`` for nothing."""
    if file.is_symlink() or not file.is_file():
        return "what it is"
    missing = text_lines(file.parent)
    missing.difference_update(entry.loc for entry in entries)
    webroot = Webroot(file.parent, base)
    for line in sorted(missing):
        if not is_page(webroot, line):
            return one_line(line)[:200]
    return ""


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
