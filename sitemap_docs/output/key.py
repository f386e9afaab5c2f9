"""The IndexNow key, and the file that proves whose it is (https://www.indexnow.org/documentation)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

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

    def hidden(self, text: str) -> str:
        """``text`` with ``{key}`` where it says the key."""
        return text.replace(self.text, "{key}")

    def proven_by(self, data: bytes) -> bool:
        """Whether a key file with this content proves the key."""
        return data.strip() == self.text.encode()

    def write(self, output: Output) -> None:
        """Adds the key file to a built folder, unless one that proves the key is there."""
        file = output.folder / self.file
        if not (file.is_file() and self.proven_by(file.read_bytes())):
            output.add(self.file, self.text.encode())
