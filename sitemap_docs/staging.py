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
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Its name in the output folder. What a killed build leaves there, the next one removes.
STAGING = ".sitemap-docs-new"


class Staging:
    """The waiting files of one build, until :meth:`close` or the end of this process its alone.

    All methods raise SitemapError: for what is no folder, for a folder of a build that is running, and when
    the disk says no.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / STAGING
        self._descriptor: int | None = None
        self._held = False

    def tidy(self) -> None:
        """Remove what a killed build left."""
        if self._path.is_symlink() or self._path.is_file():
            raise SitemapError(
                f"{self._path} is no folder of ours: remove it, so that files can be made there."
            )
        if self._path.exists():
            self._hold()
            self.close()

    def add(self, name: str, data: bytes) -> None:
        """Write a file and flush it."""
        with said(self._path.parent / name, "written", "Nothing was changed."):
            self._hold()
            with (self._path / name).open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())

    def move(self, name: str) -> None:
        """Put a file in the place of the old one; raises OSError."""
        (self._path / name).replace(self._path.parent / name)

    def close(self) -> None:
        """Remove what still waits, and let another build begin."""
        try:
            if self._held:
                shutil.rmtree(self._path, ignore_errors=True)
        finally:
            self._release()

    def _hold(self) -> None:
        while not self._held:
            with said(self._path, "made", "Nothing was changed."):
                self._path.mkdir(parents=True, exist_ok=True)
                self._held = self._lock()
                for left in self._path.iterdir() if self._held else ():
                    left.unlink()

    def _lock(self) -> bool:
        """Whether the folder is ours; False when its holder removed it meanwhile."""
        if fcntl is None:
            return True
        try:
            self._descriptor = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._release()
            raise SitemapError(
                f"Another build is writing into {self._path.parent}: let it end, then run this one again. "
                "Nothing was changed."
            ) from None
        except OSError:  # a file system without locks
            return True
        if self._path.exists() and os.path.samestat(os.fstat(self._descriptor), self._path.stat()):
            return True
        self._release()
        return False

    def _release(self) -> None:
        self._held = False
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


@contextmanager
def said(file: Path, done: str, advice: str) -> Iterator[None]:
    """Turns an error of the system into a SitemapError: what cannot be done with which file, and why."""
    try:
        yield
    except OSError as error:
        raise SitemapError(f"{file} cannot be {done}: {error.strerror}. {advice}") from error
