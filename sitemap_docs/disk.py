"""The output folder: files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

#: Where new files wait, on the file system of the old ones. What a killed build leaves, the next one removes.
STAGING = ".sitemap-docs-new"


class Output:
    """Changes to the files of one folder: all are complete and flushed before the first is moved into place.

    Leaving the context without :meth:`commit` leaves the folder as it was. ``changed``, ``unchanged`` and
    ``removed`` are names, in the order in which they were told; a ``dry_run`` only tells.
    """

    def __init__(self, folder: Path, *, dry_run: bool = False) -> None:
        self.folder = folder
        self.dry_run = dry_run
        self.changed: list[str] = []
        self.unchanged: list[str] = []
        self.removed: list[str] = []

    def __enter__(self) -> Output:  # noqa: PYI034 - typing.Self is Python 3.11
        self._clear()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def add(self, name: str, data: bytes) -> None:
        """Take ``data`` as the content of the file ``name``, which is not touched when it holds just that.

        Raises SitemapError when ``name`` is no plain name, or the disk says no.
        """
        file = self._file(name)
        try:
            if _holds(file, data):
                self.unchanged.append(name)
                return
            self.changed.append(name)
            if not self.dry_run:
                self._stage(name, data)
        except OSError as error:
            raise SitemapError(f"{file} cannot be written: {error.strerror}. Nothing was changed.") from error

    def remove(self, name: str) -> None:
        """Take the file ``name`` away, after the new ones are in place."""
        self._file(name)
        self.removed.append(name)

    def commit(self) -> None:
        """Move the new files into place, in the order in which they were added; then remove."""
        if self.dry_run:
            return
        for name in self.changed:
            (self.folder / STAGING / name).replace(self.folder / name)
        _flush(self.folder)
        for name in self.removed:
            (self.folder / name).unlink(missing_ok=True)

    def files(self, pattern: str) -> Iterator[Path]:
        """The files and links of the folder that match a glob, sorted by name."""
        return (each for each in sorted(self.folder.glob(pattern)) if each.is_symlink() or each.is_file())

    def _file(self, name: str) -> Path:
        if name in {"", ".", ".."} or set(name) & set("/\\:\0") or name == STAGING:
            raise SitemapError(
                f"The file name {name!r} would leave the output folder {self.folder}: use a plain name."
            )
        return self.folder / name

    def _stage(self, name: str, data: bytes) -> None:
        (self.folder / STAGING).mkdir(parents=True, exist_ok=True)
        with (self.folder / STAGING / name).open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def _clear(self) -> None:
        staging = self.folder / STAGING
        if staging.is_symlink() or staging.is_file():
            raise SitemapError(f"{staging} is no folder of ours: remove it, so that files can be made there.")
        if not self.dry_run and staging.exists():
            shutil.rmtree(staging)


def _holds(file: Path, data: bytes) -> bool:
    if file.is_symlink() or not file.is_file() or file.stat().st_size != len(data):
        return False
    return file.read_bytes() == data


def _flush(folder: Path) -> None:
    if os.name != "posix":  # Windows cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
