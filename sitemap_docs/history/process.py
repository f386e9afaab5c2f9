"""The git program and a running git: its output as it comes, and its end when none comes."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TIMEOUT = 600.0
"""Seconds without output after which a git is killed. The log of a million commits begins within a minute."""

_LOOKS = 10  # at a program during that time
_BLOCK = 1 << 16


def program(environ: Mapping[str, str]) -> str:
    """What to start for git: on Windows its whole path, as elsewhere the ``PATH`` is all that is searched.

    Windows looks into the current folder first, and there lie the files of strangers
    (https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw).
    A path that names nothing where there is no git.
    """
    if os.name != "nt":
        return "git"
    for folder in environ.get("PATH", "").split(os.pathsep):
        file = Path(folder.strip('"'), "git.exe")
        if file.is_absolute() and file.is_file():
            return str(file)
    return r"C:\no git on the PATH\git.exe"


@final
class Process:
    """A program in a session of its own, which is killed, with all that it started, when it prints nothing.

    ``timed_out`` says whether it was. Leaving the context early kills it, too. Raises OSError where the
    program cannot be started.
    """

    def __init__(
        self, command: Sequence[str | bytes], folder: str, environ: Mapping[str, str], stderr: IO[bytes]
    ) -> None:
        self._process = subprocess.Popen(
            command,
            bufsize=0,
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
        self.timed_out = False
        self._since: float | None = None  # when the wait for output began
        self._over = threading.Event()

    def __enter__(self) -> Process:
        with suppress(RuntimeError):  # no memory for a thread: it is waited for without a limit
            threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.returncode is None:
            self._kill()
        self._over.set()
        with self._process:
            pass

    def read(self) -> bytes:
        """What the program printed since, once there is something; nothing at the end."""
        self._since = monotonic()
        try:
            return self._process.stdout.read(_BLOCK)  # type: ignore[union-attr]  # it is a pipe
        finally:
            self._since = None

    def finish(self) -> int:
        """The exit status, when the program has ended."""
        self._since = monotonic()
        return self._process.wait()

    def _watch(self) -> None:
        while not self._over.wait(TIMEOUT / _LOOKS):
            since = self._since
            if since is not None and monotonic() - since >= TIMEOUT:
                self.timed_out = True
                self._kill()

    def _kill(self) -> None:
        with suppress(OSError):  # it ended by itself
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
