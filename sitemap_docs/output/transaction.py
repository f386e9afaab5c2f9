"""Where new files wait until all are complete: a hidden folder, on the file system of the old ones."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sitemap_docs.model import SitemapError

try:
    import fcntl
except ImportError:  # Windows, where nobody can move a file that another process writes
    _LOCKS = False
else:
    _LOCKS = True

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Its name in the output folder. What a killed build leaves there, the next one removes.
STAGING = ".sitemap-docs-new"


class StagingFolder:
    """The waiting files of one build, which has the output folder alone from :meth:`begin` to :meth:`close`.

    Methods raise SitemapError: for what is no folder, for a folder into which another build is writing, and
    when the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / STAGING
        self._descriptor: int | None = None
        self._held = False

    def begin(self) -> None:
        """Take the folder, if it is there yet, and remove what a killed build left."""
        if os.path.lexists(self._path) and (self._path.is_symlink() or not self._path.is_dir()):
            raise SitemapError(f"{self._path} is not a folder: remove it, so that files can be staged there.")
        if self._folder.is_dir():
            self._lock()
            shutil.rmtree(self._path, ignore_errors=True)

    def add(self, name: str, data: bytes) -> None:
        """Write a file and flush it."""
        with translated_errors(self._folder / name, "written", "Nothing was changed."):
            self._path.mkdir(parents=True, exist_ok=True)
            self._lock()
            with (self._path / name).open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())

    def move(self, name: str, target: Path | None = None) -> None:
        """Put a file in the place of the old one, or of another file; raises OSError."""
        (self._path / name).replace(target or self._folder / name)

    def close(self) -> None:
        """Remove what still waits, and let another build begin."""
        if self._held:
            shutil.rmtree(self._path, ignore_errors=True)
        self._release()

    def _lock(self) -> None:
        """Locks the folder; the system frees it when the process ends, however it ends."""
        if _LOCKS and not self._held:
            with translated_errors(self._folder, "opened", "Nothing was changed."):
                self._descriptor = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
            self._have(self._descriptor)
        self._held = True

    def _have(self, descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._release()
            raise SitemapError(
                f"Another build is writing into {self._folder}: wait for it to finish, then retry. "
                "Nothing was changed."
            ) from None
        except OSError:  # a file system without locks
            return

    def _release(self) -> None:
        self._held = False
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextmanager
def translated_errors(file: Path, done: str, advice: str) -> Iterator[None]:
    """Turns an error of the system into a SitemapError: what cannot be done with which file, and why."""
    try:
        yield
    except OSError as error:
        raise SitemapError(f"{file} cannot be {done}: {error.strerror}. {advice}") from error
