"""Changes to the files of a folder, made together or not at all.

New files wait until all are complete in a hidden folder, on the file system of the old ones.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE
from time import monotonic, sleep
from types import TracebackType

from sitemap_docs.files import translated_errors
from sitemap_docs.model import SitemapError

_LOCKS = os.name == "posix"  # on Windows, nobody can move a file that another process writes
if _LOCKS:
    import fcntl

#: Its name in the output folder. What a killed build leaves there, the next one removes.
STAGING = ".sitemap-docs-new"
#: Seconds to wait for other builds that share a folder, each of which has its pages read by then.
PATIENCE = 120
_AGAIN_AFTER = 0.05
_AGAIN = "Each file there is complete, but some are new and some are old: run it again."


class Output:
    """Changes to the files of one folder: all are complete and flushed before the first is moved into place.

    Leaving the context without :meth:`commit` leaves the folder as it was. ``changed`` and
    ``removed`` are names, in the order in which they were added; a ``dry_run`` only records them. Entering
    and all methods raise SitemapError when the disk refuses or another build is writing into the folder. Of
    a folder that builds have ``shared``, each waits until the others are done.
    """

    def __init__(self, folder: Path, *, dry_run: bool = False, shared: bool = False) -> None:
        self.folder = folder
        self.dry_run = dry_run
        self._patience = PATIENCE if shared else 0
        self.changed: list[str] = []
        self.removed: list[str] = []
        self._staged: dict[str, Path] = {}
        self._first: set[str] = set()
        self._staging = folder / STAGING
        self._descriptor: int | None = None  # of the folder, which is locked

    def __enter__(self) -> Output:  # noqa: PYI034 - typing.Self is Python 3.11
        if self.dry_run:
            return self
        staging = self._staging
        if os.path.lexists(staging) and (staging.is_symlink() or not staging.is_dir()):
            raise SitemapError(f"{staging} is not a folder: remove it, so that files can be staged there.")
        if self.folder.is_dir():
            self._lock()
            shutil.rmtree(staging, ignore_errors=True)  # what a killed build left
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.dry_run or (_LOCKS and self._descriptor is None):  # another build has the folder
            return
        shutil.rmtree(self._staging, ignore_errors=True)
        self._unlock()

    def add(self, name: str, data: bytes, *, first: bool = False) -> None:
        """Take ``data`` as the content of a file, by its name or its path below the folder.

        A file that holds just that is not touched; one that is ``first`` is put in place before the others.
        Raises SitemapError also when ``name`` is that of a folder.
        """
        file = self.folder / name
        with translated_errors(file, "written"):
            if file.is_dir() and not file.is_symlink():
                raise SitemapError(
                    f"{file} is a folder, and a file must be written there: rename the folder."
                )
            is_file = file.is_file() and not file.is_symlink()
            if is_file and file.stat().st_size == len(data) and file.read_bytes() == data:
                return
        self.changed.append(name)
        if first:
            self._first.add(name)
        if self.dry_run:
            return
        with translated_errors(file, "written"):
            self._staging.mkdir(parents=True, exist_ok=True)
            self._lock()
            staged = self._staging / str(len(self._staged))
            with staged.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            if is_file:  # the new one has its mode and, where the system permits, its owner
                before = file.stat()
                if hasattr(os, "chown"):
                    with suppress(OSError):
                        os.chown(staged, before.st_uid, before.st_gid)
                staged.chmod(S_IMODE(before.st_mode))
            self._staged[name] = staged

    def remove(self, name: str) -> None:
        """Take the file ``name`` away, after the new ones are in place."""
        self.removed.append(name)

    def commit(self, *others: Output) -> None:
        """Move the new files into place, the first ones, then in the order of adding; then remove.

        The new files of ``others`` follow, before anything is removed anywhere.
        """
        if self.dry_run:
            return
        every = dict.fromkeys((self, *others))
        for output in every:
            output.move()
        for output in every:
            for name in output.removed:
                with translated_errors(output.folder / name, "removed", _AGAIN):
                    (output.folder / name).unlink(missing_ok=True)

    def move(self) -> None:
        """Moves the new files into place, and removes none."""
        for name in sorted(dict.fromkeys(self.changed), key=lambda name: name not in self._first):
            with translated_errors(self.folder / name, "put in place", _AGAIN):
                self._staged[name].replace(self.folder / name)
        if os.name == "posix":  # Windows cannot open a folder
            with suppress(OSError):  # some file systems flush none; the files themselves are flushed
                descriptor = os.open(self.folder, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    def _lock(self) -> None:
        """Locks the folder, if it is not; the system frees it when the process ends, however it ends."""
        if not _LOCKS or self._descriptor is not None:
            return
        with translated_errors(self.folder, "opened"):
            self._descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        end = monotonic() + self._patience
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() < end:
                    sleep(_AGAIN_AFTER)
                    continue
                self._unlock()
                raise SitemapError(
                    f"Another build is writing into {self.folder}: wait for it to finish, then retry. "
                    "Nothing was changed."
                ) from None
            except OSError:  # a file system without locks
                return
            else:
                return

    def _unlock(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
