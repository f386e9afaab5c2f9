"""Change the files of a folder all together or not at all.

New files are first written to a hidden subfolder. When all of them are complete, they are moved into place.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType

from sitemap_docs.files import keep_owner_and_mode, translated_errors
from sitemap_docs.model import SitemapError

_LOCKS = os.name == "posix"  # Windows itself prevents moving a file that another process is writing.
if _LOCKS:
    import fcntl

#: The name of the hidden subfolder. If a build is killed, the next one removes the rest.
STAGING = ".sitemap-docs-new"
#: Seconds to wait for other builds with the same folder. At this point, all of them have read their pages.
PATIENCE = 120
_RETRY_AFTER = 0.05
_AGAIN = "Some files in the folder are new and others are old. Run the build again."


class Output:
    """Changes several files of a folder together: all of them, or none.

    Use the object in a ``with`` block. Without :meth:`commit`, nothing changes. If another build is writing
    to the folder and ``shared`` is true, wait for that build. If ``shared`` is false, raise SitemapError at
    once.
    """

    def __init__(self, folder: Path, *, dry_run: bool = False, shared: bool = False) -> None:
        self.folder = folder
        self.dry_run = dry_run
        self._patience = PATIENCE if shared else 0
        self.changed: list[str] = []
        self.removed: list[str] = []
        self._staged_files: dict[str, Path] = {}
        self._held_names: list[str] = []
        self._staging = folder / STAGING
        self._descriptor: int | None = None  # of the folder, while it is locked

    def __enter__(self) -> Output:  # noqa: PYI034 - typing.Self is Python 3.11
        if self.dry_run:
            return self
        staging = self._staging
        if os.path.lexists(staging) and (staging.is_symlink() or not staging.is_dir()):
            raise SitemapError(
                f"{staging} is not a folder. Remove it, because the build needs a folder with this name."
            )
        if self.folder.is_dir():
            self._lock()
            shutil.rmtree(staging, ignore_errors=True)  # A killed build may have left it.
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.dry_run or (_LOCKS and self._descriptor is None):  # The folder belongs to another build.
            return
        shutil.rmtree(self._staging, ignore_errors=True)
        self._unlock()

    def add(self, name: str, data: bytes) -> None:
        """Prepare to write a file, unless it already has this content. The file is written in :meth:`commit`.

        Raises:
            SitemapError: The file cannot be written.
        """
        file = self.folder / name
        with translated_errors(file, "written"):
            if file.is_dir() and not file.is_symlink():
                raise SitemapError(
                    f"{file} is a folder, but the build must write a file with this name. Rename the folder."
                )
            is_file = file.is_file() and not file.is_symlink()
            if is_file and file.stat().st_size == len(data) and file.read_bytes() == data:
                return
        self.changed.append(name)
        if self.dry_run:
            return
        with translated_errors(file, "written"):
            self._staging.mkdir(parents=True, exist_ok=True)
            self._lock()
            staged_file = self._staging / str(len(self._staged_files))
            with staged_file.open("xb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            if is_file:
                keep_owner_and_mode(file, staged_file)
            self._staged_files[name] = staged_file

    def remove(self, name: str) -> None:
        """Prepare the removal of a file."""
        self.removed.append(name)

    def hold(self, name: str) -> None:
        """Mark a file to be removed first and written last when the changes are committed.

        If the build is killed in between, no outdated file stays in the folder.
        """
        self._held_names.append(name)

    def commit(self, *others: Output) -> None:
        """Move the new files into place, and delete the files to remove.

        ``*others`` are outputs in other folders. Their files are moved and deleted at the same time.
        """
        if self.dry_run:
            return
        outputs = dict.fromkeys((self, *others))
        if any(output.changed or output.removed for output in outputs):
            for output in outputs:
                output.set_aside()
        for output in outputs:
            output.move()
        for output in outputs:
            for name in output.removed:
                with translated_errors(output.folder / name, "removed", _AGAIN):
                    (output.folder / name).unlink(missing_ok=True)

    def set_aside(self) -> None:
        """Move away the old files that :meth:`hold` has marked, as the first step of :meth:`commit`."""
        for number, name in enumerate(self._held_names):
            file = self.folder / name
            if not os.path.lexists(file):
                continue
            aside = self._staging / f"old-{number}"
            with translated_errors(file, "moved", _AGAIN):
                self._staging.mkdir(exist_ok=True)
                file.replace(aside)
            if name not in self.removed:
                self._staged_files.setdefault(name, aside)  # A new file takes the place of the old one.

    def move(self) -> None:
        """Move the new files to their final names. :meth:`commit` calls this after :meth:`set_aside`."""
        for name in sorted(self._staged_files, key=self._held_names.__contains__):
            with translated_errors(self.folder / name, "put in place", _AGAIN):
                self._staged_files[name].replace(self.folder / name)
        if os.name == "posix":  # Windows cannot open a folder.
            with suppress(OSError):  # Some file systems cannot flush a folder. The files are already flushed.
                descriptor = os.open(self.folder, os.O_RDONLY)
                try:
                    os.fsync(descriptor)
                finally:
                    os.close(descriptor)

    def _lock(self) -> None:
        """Lock the folder, so that no other build writes to it."""
        if not _LOCKS or self._descriptor is not None:
            return
        with translated_errors(self.folder, "opened"):
            self._descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        end = monotonic() + self._patience
        while True:
            try:
                # The lock ends with the process, even if the process is killed.
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() < end:
                    sleep(_RETRY_AFTER)
                    continue
                self._unlock()
                raise SitemapError(
                    f"Another build is writing to {self.folder}. Nothing was changed. Wait until that build "
                    "has finished, and try again."
                ) from None
            except OSError:  # The file system has no locks.
                return
            else:
                return

    def _unlock(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
