"""The IndexNow key, and the file that proves whose it is (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sitemap_docs.model import SitemapError
from sitemap_docs.output.transaction import Output

VARIABLE = "INDEXNOW_KEY"
KEY_FILE = "{key}.txt"

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
    """The key files of a built folder that are ours: only the record of a build tells them from the user's.

    ``recorded`` are the names of the files that the last build wrote, if they are unchanged.
    """

    def __init__(self, folder: Path, recorded: Iterable[str]) -> None:
        self._names = {name for name in recorded if _is_key_file(folder, name)}

    def write(self, output: Output, key: Key | None) -> list[str]:
        """Adds the file of the key, unless one that proves it is there; returns the names that stay ours.

        Without a key, those are all.
        """
        if key is None:
            return sorted(self._names)
        ours = key.file in self._names
        if not _is_key_file(output.folder, key.file):
            output.add(key.file, key.text.encode())
            ours = True
        self._names.add(key.file)
        return [key.file] if ours else []

    def hidden(self, names: Iterable[str]) -> list[str]:
        """The names, without those that say a key."""
        return [KEY_FILE if name in self._names else name for name in names]


def _is_key_file(folder: Path, name: str) -> bool:
    """Whether a file of a folder proves the key that it is named after."""
    key, file = Key(name.removesuffix(KEY_FILE.format(key=""))), folder / name
    return key.file == name and file.is_file() and key.proven_by(file.read_bytes())
