"""The IndexNow key, and the file that proves whose it is (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.model import SitemapError
from sitemap_docs.output.transaction import Output

VARIABLE = "INDEXNOW_KEY"
KEY_FILE = "{key}.txt"

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
