"""The output folder: files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError
from sitemap_docs.output.transaction import StagingFolder, translated_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

_AGAIN = "Each file there is complete, but some are new and some are old: run the build again."


class Output:
    """Changes to the files of one folder: all are complete and flushed before the first is moved into place.

    Leaving the context without :meth:`commit` leaves the folder as it was. ``changed`` and
    ``removed`` are names, in the order in which they were added; a ``dry_run`` only records them. Entering
    and all methods raise SitemapError when the disk refuses or another build is writing into the folder.
    """

    def __init__(self, folder: Path, *, dry_run: bool = False) -> None:
        self.folder = folder
        self.dry_run = dry_run
        self.changed: list[str] = []
        self.removed: list[str] = []
        self._first: list[str] = []
        self._staging = StagingFolder(folder)

    def __enter__(self) -> Output:  # noqa: PYI034 - typing.Self is Python 3.11
        if not self.dry_run:
            self._staging.begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.dry_run:
            self._staging.close()

    def add(self, name: str, data: bytes, *, first: bool = False) -> None:
        """Take ``data`` as the content of the file ``name``, which is not touched when it holds just that.

        With ``first``, it is moved into place before the others.
        Raises SitemapError also when ``name`` is that of a folder.
        """
        file = self.folder / name
        with translated_errors(file, "written", "Nothing was changed."):
            if file.is_dir() and not file.is_symlink():
                raise SitemapError(
                    f"{file} is a folder, and a file must be written there: rename the folder."
                )
            held = _holds(file, data)
        if held:
            return
        self.changed.append(name)
        if first:
            self._first.append(name)
        if not self.dry_run:
            self._staging.add(name, data)

    def remove(self, name: str) -> None:
        """Take the file ``name`` away, after the new ones are in place."""
        self.removed.append(name)

    def commit(self) -> None:
        """Move the new files into place, the first ones first, else in the order of adding; then remove."""
        if self.dry_run:
            return
        later = [name for name in self.changed if name not in self._first]
        for name in [*self._first, *later]:
            with translated_errors(self.folder / name, "put in place", _AGAIN):
                self._staging.move(name)
        _flush(self.folder)
        for name in self.removed:
            with translated_errors(self.folder / name, "removed", _AGAIN):
                (self.folder / name).unlink(missing_ok=True)

    def files(self, pattern: str) -> Iterator[Path]:
        """The files and links of the folder that match a glob, sorted by name."""
        for file in sorted(self.folder.glob(pattern)):
            if file.is_symlink() or file.is_file():
                yield file


def _holds(file: Path, data: bytes) -> bool:
    if file.is_symlink() or not file.is_file() or file.stat().st_size != len(data):
        return False
    return file.read_bytes() == data


def _flush(folder: Path) -> None:
    if os.name != "posix":  # Windows cannot open a folder
        return
    with suppress(OSError):  # some file systems flush none; the files themselves are flushed
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
