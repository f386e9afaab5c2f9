"""Read which texts the catalogues of other languages translate, such as ``de/LC_MESSAGES/guide.po``.

A project may have a thousand documents in twenty languages. So a catalogue is read with little work, and its
texts are kept as hashes for the next build, in a file next to the doctrees of Sphinx.
"""

from __future__ import annotations

import json
import os
import re
import struct
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemap_docs.config.parsing import as_mapping
from sitemap_docs.files import replace_file
from sitemap_docs.linear import linear

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.config import Config

_KEPT = "sitemap-docs-catalogues.json"
#: The version of the format of this file.
_VERSION = 1

_HASH = 8  # bytes
_STRING = r'"[^"\\\n]*(?:\\[\\trn"][^"\\\n]*)*"\n'
_STRINGS = rf"{_STRING}(?:{{0}}{_STRING})*"
_ENTRY = rf"{{0}}msgid (?P<{{1}}>{_STRINGS}){{0}}msgstr (?P<{{2}}>{_STRINGS})"
#: The comments before an entry, then the entry. The lines of an obsolete entry begin with ``#~``.
_USUAL = re.compile(
    rf"(?P<comments>(?:\n|#(?![~-])[^\n]*\n)*)"
    rf"(?:{_ENTRY.format('', 'text', 'translation')}|{_ENTRY.format('#~ ', 'old', 'old_translation')}|\Z)"
)
_EMPTY = '""\n'
_ESCAPE = re.compile(r'\\([\\trn"])')
_MEANINGS = {"\\": "\\", "t": "\t", "r": "\r", "n": "\n", '"': '"'}

#: Lines of a header that differ between files and are certainly valid.
_VALID_DATES = re.compile(
    r'^"(?:PO-Revision-Date|POT-Creation-Date): '
    r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) "
    r'(?:[01]\d|2[0-3]):[0-5]\d[+-](?:0\d|1[01])[0-5]\d\\n"\n(?!"[ \t])',
    re.MULTILINE | re.ASCII,
)


class _KeptTexts(NamedTuple):
    """Hashes of the translated texts in a catalogue, which one build saves for the next."""

    #: The time of the catalogue, in nanoseconds.
    time: int
    #: The size of the catalogue, in bytes.
    size: int
    #: The hashes of the texts, one after the other. Numbers would take several times as much memory.
    hashes: bytes


def hash_text(text: str) -> int:
    """Return a hash of a translatable text as an integer, which takes less memory than the text."""
    return int.from_bytes(_hash_bytes(text), "big")


def _hash_bytes(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH).digest()


class Catalogues:
    """Reads the files with translations (catalogues), and keeps hashes of the translated texts.

    A catalogue that has not changed since the last build is not read again.

    Args:
        folder: The folder of Sphinx's cache (doctrees), in which the hashes are kept, too.
        config: The values of conf.py.
    """

    def __init__(self, folder: Path, config: Config) -> None:
        self._file = folder / _KEPT
        self._config = config
        self._allows_fuzzy = bool(config.gettext_allow_fuzzy_translations)
        # With other values, the same file translates other texts. JSON may lack the values in conf.py.
        self._settings = [_VERSION, self._allows_fuzzy, str(config.source_encoding)]
        self._earlier = _read_kept(self._file, self._settings)
        self._used: dict[str, _KeptTexts] = {}

    def translated_texts(self, folder: Path, domain: str) -> frozenset[int]:
        """Return the texts that a catalogue such as ``guide.po`` translates, as a hash of each original text.

        If the catalogue is missing or cannot be read, return an empty set.

        Args:
            folder: The folder, such as ``locale/de/LC_MESSAGES``.
            domain: The name of the catalogue without its ending, such as ``guide``.
        """
        found = self._find_file(folder, domain)
        if found is None:
            return frozenset()
        path, status = found
        texts = self._earlier.get(path)
        if texts is None or (texts.time, texts.size) != (status.st_mtime_ns, status.st_size):
            hashes = b"".join(map(_hash_bytes, self._read(path)))
            texts = _KeptTexts(status.st_mtime_ns, status.st_size, hashes)
        self._used[path] = texts
        number = len(texts.hashes) // _HASH
        return frozenset(struct.unpack(f">{number}Q", texts.hashes))

    def keep(self) -> None:
        """Save the hashes of all translated texts for the next build, if a translation file has changed."""
        if self._used == self._earlier:
            return
        catalogues = {
            path: [texts.time, texts.size, texts.hashes.hex()] for path, texts in self._used.items()
        }
        data = json.dumps({"settings": self._settings, "catalogues": catalogues}).encode()
        with suppress(OSError):  # The next build reads the catalogues again.
            replace_file(self._file, [data], flush=False)

    def _find_file(self, folder: Path, domain: str) -> tuple[str, os.stat_result] | None:
        """Return the path and ``os.stat_result`` of the file with the translations for a domain, or None.

        For the domain ``a``, it is ``a.mo``. If ``a.mo`` is out of date and Sphinx would compile it again, it
        is ``a.po``.
        """
        from sphinx.util.i18n import CatalogInfo  # noqa: PLC0415  the parser needs no Sphinx

        stem = f"{folder}{os.sep}{domain}"
        po_file, mo_file = f"{stem}.po", f"{stem}.mo"
        mo_status = _status_of(mo_file)
        if self._config.gettext_auto_build:
            po_status = _status_of(po_file)
            if po_status and (
                mo_status is None
                or CatalogInfo(str(folder), domain, self._config.source_encoding).is_outdated()
            ):
                return po_file, po_status
        return (mo_file, mo_status) if mo_status else None

    def _read(self, path: str) -> Iterable[str]:
        """Return the original texts that a catalogue translates, or an empty list if it cannot be read."""
        allows_fuzzy = self._allows_fuzzy
        try:
            if path.endswith(".po"):
                with open(path, encoding=self._config.source_encoding) as file:  # noqa: PTH123  many files
                    text = file.read()
                texts = parse_usual(text, allows_fuzzy=allows_fuzzy)
                return parse_with_babel(text, allows_fuzzy=allows_fuzzy) if texts is None else texts
            return _read_compiled(path)
        except Exception:  # noqa: BLE001  babel raises many types, and Sphinx catches all of them, too
            return []


def _status_of(path: str) -> os.stat_result | None:
    """Return the result of ``os.stat`` for a regular file. For anything else, return None."""
    try:
        status = os.stat(path)  # noqa: PTH116  many files
    except (OSError, ValueError):
        return None
    return status if S_ISREG(status.st_mode) else None


def _read_kept(file: Path, settings: list[object]) -> dict[str, _KeptTexts]:
    """Return the hashes of translated texts that the last build saved for each file, such as ``de/a.po``.

    If nothing was saved or the saved data is damaged, or if settings such as ``source_encoding`` have
    changed, return an empty mapping.
    """
    kept = {}
    with suppress(OSError, RecursionError, TypeError, ValueError):
        data = as_mapping(json.loads(file.read_bytes()))
        if data.get("settings") != settings:
            return {}
        for path, (time, size, hashes) in as_mapping(data.get("catalogues")).items():
            texts = _KeptTexts(time, size, bytes.fromhex(hashes))
            if len(texts.hashes) % _HASH == 0:
                kept[path] = texts
        return kept
    return {}


@linear
def parse_usual(content: str, *, allows_fuzzy: bool) -> list[str] | None:
    """Return the original texts that have a translation in a catalogue, or None for an unusual catalogue.

    Unusual catalogues have rare lines, for example plural forms. babel reads them, too, but is much slower.

    Args:
        content: The content of a catalogue, a file such as ``guide.po``.
        allows_fuzzy: Whether translations with the mark ``fuzzy`` count.
    """
    content = f"{content}\n"
    is_translated = {}
    end = 0
    while end < len(content):
        match = _USUAL.match(content, end)
        if match is None:
            return None
        end = match.end()
        if match["text"] is None:  # An obsolete entry, or the end.
            continue
        text, translation, comments = match.group("text", "translation", "comments")
        text = _unquote(text)
        if text in is_translated:
            return None
        is_translated[text] = False
        if not text:
            if not _is_valid_header(_VALID_DATES.sub("", translation)):
                return None
        elif translation != _EMPTY and (allows_fuzzy or not _is_fuzzy(comments)):
            is_translated[text] = bool(_unquote(translation).strip())
    return [text for text, has_translation in is_translated.items() if has_translation]


def _unquote(lines: str) -> str:
    """Join the quoted lines of a translation file: ``"a "`` and ``"line"`` become ``a line``."""
    text = lines[1:-2].replace('"\n"', "")
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: _MEANINGS[match[1]], text)


def _is_fuzzy(comments: str) -> bool:
    """Check whether the comments of an entry in a translation catalogue have the flag ``#, fuzzy``."""
    if "#," not in comments:
        return False
    for line in comments.split("\n"):
        if line.startswith("#,") and "fuzzy" in [flag.strip() for flag in line[2:].split(",")]:
            return True
    return False


@lru_cache(maxsize=1_024)
def _is_valid_header(lines: str) -> bool:
    """Check whether babel accepts the header of a translation file such as ``guide.po``.

    ``lines`` are the lines of the header, in quotes. If babel rejects them, only babel's own parser can read
    the file.
    """
    from babel.messages.catalog import Catalog  # noqa: PLC0415  only few builds have translations

    try:
        Catalog().add("", _unquote(lines))
    except Exception:  # noqa: BLE001  babel raises many types
        return False
    return True


def parse_with_babel(content: str, *, allows_fuzzy: bool) -> list[str]:
    """Return the original texts for which Sphinx would use the translations in a catalogue.

    Args:
        content: The content of a catalogue, a file such as ``guide.po``.
        allows_fuzzy: Whether translations with the mark ``fuzzy`` count.
    """
    from babel.messages.pofile import read_po  # noqa: PLC0415  only few builds have translations

    return _texts_of(read_po(content.split("\n")), allows_fuzzy=allows_fuzzy)


def _read_compiled(path: str) -> list[str]:
    """Return the original texts that have a translation in a file such as ``guide.mo``."""
    from babel.messages.mofile import read_mo  # noqa: PLC0415  only few builds have translations

    with open(path, "rb") as file:  # noqa: PTH123  many files
        return _texts_of(read_mo(file), allows_fuzzy=True)


def _texts_of(messages: Iterable[Any], *, allows_fuzzy: bool) -> list[str]:
    """Return the original texts that a catalogue translates. Fuzzy translations count if ``allows_fuzzy``."""
    texts = []
    for message in messages:
        is_text = isinstance(message.id, str) and isinstance(message.string, str) and message.context is None
        is_used = allows_fuzzy or not message.fuzzy
        if is_text and is_used and message.string.strip() and message.id:
            texts.append(message.id)
    return texts
