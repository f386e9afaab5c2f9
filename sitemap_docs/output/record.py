"""The build record: what the last build of a folder decided about each page, for the commands that read it.

It is in the user's cache, never in the folder that is deployed, and is valid only while the sitemap is the
one that this build wrote.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from sys import intern
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from sitemap_docs import files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType

FORMAT = 3
"""Another number invalidates all existing records."""
KEPT = 200
"""Records of that many output folders are kept, the newest ones."""
_ENCODE = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode


class PageRecord(NamedTuple):
    """What a build decided about one page.

    ``file`` is its path below the output folder, with ``/``. ``reason`` is the value of the ``Reason`` that
    leaves it out (``""``: it is listed), ``detail`` what exactly did. ``lastmod`` is as the sitemap has it;
    ``commit`` dates the page by a change of the file ``changed``. ``sources`` are absolute paths, as are
    ``undated``: files that the page depends on and that do not date it.
    """

    file: str
    loc: str
    reason: str = ""
    detail: str = ""
    lastmod: str = ""
    commit: str = ""
    changed: str = ""
    sources: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a build decided: the base URL, and a line for each page by its file below the output folder.

    ``listed`` is the number of addresses in the sitemap, also of those that are no pages of the build, and
    ``dated`` how many have a lastmod.
    """

    base: str
    listed: int = 0
    dated: int = 0
    lines: Mapping[str, str] = field(default_factory=dict)

    def page(self, file: str) -> PageRecord | None:
        """What the build decided about a file; None for one that was no page of the build."""
        line = self.lines.get(file)
        return _parse(line) if line else None

    def pages(self) -> Iterator[PageRecord]:
        """All pages, in the order of their addresses."""
        return map(_parse, self.lines.values())


class Recording:
    """A record on its way to the disk, a line a page; nothing is kept without :meth:`commit`.

    A cache that cannot be written keeps no record, and fails no build.
    """

    def __init__(self, output: Path, folder: Path | None) -> None:
        self._output = output
        self._prefix = f"{output}{os.sep}"
        self._folder = folder
        self._lines: IO[str] | None = None

    def __enter__(self) -> Recording:  # noqa: PYI034 - typing.Self is Python 3.11
        if self._folder:
            with suppress(OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
                self._lines = tempfile.NamedTemporaryFile(
                    "w", encoding="ascii", dir=self._folder, suffix=".new", delete=False
                )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._lines:
            with suppress(OSError):
                self._lines.close()
            with suppress(OSError):
                Path(self._lines.name).unlink(missing_ok=True)

    def add(self, page: PageRecord) -> None:
        """Takes a page; its ``file`` may be an absolute path below the output folder."""
        if self._lines:
            own = page.file.removeprefix(self._prefix).replace(os.sep, "/")
            with suppress(OSError):
                self._lines.write(_line([own, *page[1:]]))

    def commit(self, base: str, sitemaps: Iterable[str], *, listed: int = 0, dated: int = 0) -> None:
        """Makes it the record of the output folder, which holds ``sitemaps`` now: files, by name."""
        if not self._lines or not self._folder:
            return
        names = tuple(sitemaps)
        with suppress(OSError):
            digest = _digest(self._output, names)
            counts = {"listed": listed, "dated": dated}
            end = {"format": FORMAT, "base": base, **counts, "files": names, "digest": digest}
            self._lines.write(_ENCODE(end) + "\n")
            self._lines.close()
            Path(self._lines.name).replace(_file(self._output, self._folder))
            _prune(self._folder)


def read_record(output: Path, folder: Path) -> Record | None:
    """The record of the last build of an output folder; None without one, or where the sitemap is another."""
    try:
        end, lines = _read(output, folder)
        own = {intern(_parse(line).file): line for line in lines}
        return Record(base=str(end["base"]), listed=int(end["listed"]), dated=int(end["dated"]), lines=own)
    except _ODD:
        return None


def read_written(output: Path, folder: Path) -> tuple[str, ...]:
    """The files that the last build wrote into an output folder, as far as its record counts."""
    try:
        end, _ = _read(output, folder)
        return tuple(str(name) for name in end["files"])
    except _ODD:
        return ()


_ODD = (OSError, ValueError, LookupError, TypeError, RecursionError)
"""What a cache may lead to, which may hold anything."""


def _read(output: Path, folder: Path) -> tuple[dict[str, Any], list[str]]:
    lines = files.read_file(_file(output, folder)).decode("ascii").splitlines()
    end = json.loads(lines.pop())
    if end["format"] != FORMAT or end["digest"] != _digest(output, end["files"]):
        raise LookupError("another sitemap")
    return end, lines


def _line(values: list[str | tuple[str, ...]]) -> str:
    """A JSON array without the empty values at its end; strings are encoded faster than a list of them."""
    while not values[-1]:
        values.pop()
    return f"[{','.join(map(_ENCODE, values))}]\n"


def _parse(line: str) -> PageRecord:
    values = json.loads(line)
    values[_TUPLES:] = map(tuple, values[_TUPLES:])
    return PageRecord(*values)


_TUPLES = PageRecord._fields.index("sources")  # from here on, each value is a tuple


def _file(output: Path, folder: Path) -> Path:
    key = blake2b(os.fsencode(os.path.realpath(output)), digest_size=16).hexdigest()
    return folder / f"{key}.jsonl"


def _digest(output: Path, names: Iterable[str]) -> str:
    """Of the sitemap files; OSError where one is gone."""
    digest = blake2b(digest_size=16)
    for part in chain.from_iterable((os.fsencode(name), files.read_file(output / name)) for name in names):
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()


def _prune(folder: Path) -> None:
    newest = sorted(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in newest[KEPT:]:
        file.unlink(missing_ok=True)
