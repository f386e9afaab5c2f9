"""The git program, asked in a way that no configuration, environment or clone can bend or delay."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from pathlib import Path
from time import monotonic
from typing import IO, NamedTuple

from sitemap_docs.model import SitemapError

Tokens = Generator[bytes, None, None]

TIMEOUT = 600.0
"""Seconds after which a git that has not ended is killed. The log of a million commits takes one minute."""

_BLOCK = 1 << 16
LARGEST_ANSWER = 1 << 30  # bytes of an answer, or of one path in it
_NOTHING = b"\0" * 9  # two NUL may follow each other before the changes of a merge

# What git prints, and the rule of the finding.
_TROUBLES = (
    ("dubious ownership", "unsafe-repository"),
    ("unsafe repository", "unsafe-repository"),
    ("not a git repository", "no-repository"),
    ("ambiguous argument 'HEAD'", "no-commit"),
    ("promisor remote", "treeless-clone"),
    ("lazy fetching disabled", "treeless-clone"),
)

# What says how git is found, configured and traced; the rest of GIT_* would name another repository or
# another way to read paths (hooks set GIT_DIR, GIT_INDEX_FILE and GIT_WORK_TREE).
_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH", "GIT_TRACE", "GIT_DISCOVERY_ACROSS_FILESYSTEM")

_ENVIRON = {
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone fetches nothing, whatever version of git
    "GIT_FLUSH": "0",  # a write for each commit took a third of the time of a long history
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

_SETTINGS = (
    "core.fsmonitor=false",
    "diff.relative=false",
    "i18n.logOutputEncoding=UTF-8",
    "log.diffMerges=separate",  # what -m means since git 2.32
    "log.follow=false",
    "log.mailmap=false",
    "log.showRoot=true",
)


class GitTrouble(SitemapError):  # noqa: N818 - it stops no build
    """Why git gave no answer: the rule of the finding, and git's own words."""

    def __init__(self, rule: str, words: str = "") -> None:
        super().__init__(f"git gave no answer: {words}")
        self.rule = rule
        self.words = words


def program(environ: Mapping[str, str]) -> str:
    """Returns what to start for git: on Windows its whole path, elsewhere its name.

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


class Git(NamedTuple):
    """How to run git in one folder.

    It is killed after ``TIMEOUT``, and when :func:`time.monotonic` comes to the ``deadline``.
    """

    folder: str
    environ: Mapping[str, str]
    deadline: float = inf

    def output(self, *arguments: str | bytes) -> bytes:
        """Returns what git prints where it separates nothing by NUL."""
        return b"".join(self.tokens(*arguments))

    def tokens(self, *arguments: str | bytes) -> Tokens:
        """Returns what git prints, cut at each NUL."""
        with self._running(arguments) as output:
            rest: list[bytes] = []
            length = 0
            while block := output.read(_BLOCK):
                first, *whole = block.split(b"\0")
                rest.append(first)
                length += len(first)
                if length > LARGEST_ANSWER:
                    raise GitTrouble("git-failed", f"more than {LARGEST_ANSWER >> 30} GiB of output")
                if _NOTHING in block:
                    raise GitTrouble("git-failed", f"no change: {_NOTHING!r}")
                if whole:
                    yield b"".join(rest)
                    yield from whole[:-1]
                    rest = [whole[-1]]
                    length = len(whole[-1])
            if any(rest):
                yield b"".join(rest)

    @contextmanager
    def _running(self, arguments: Sequence[str | bytes]) -> Iterator[IO[bytes]]:
        """The output of git, which is killed, with what it started, when nobody reads on or time is over."""
        # git refuses the repository of another user, whose configuration names programs: we start none of
        # them. The one work tree that is read is exempt, and no other (heard since git 2.38).
        work_tree = self.folder.rstrip(os.sep).replace(os.sep, "/")
        settings = ["-c", f"safe.directory={work_tree}"]
        for setting in _SETTINGS:
            settings += ["-c", setting]
        environ = {
            name: value
            for name, value in self.environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT)
        }
        with ExitStack() as stack:
            stderr: IO[bytes] | None = None
            with suppress(OSError):  # no folder for temporary files, or no room: only git's words are lost
                stderr = stack.enter_context(tempfile.TemporaryFile())
            try:
                process = subprocess.Popen(
                    [program(self.environ), "--no-pager", *settings, *arguments],
                    bufsize=0,
                    cwd=self.folder,
                    env=environ | _ENVIRON,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=stderr or subprocess.DEVNULL,
                    start_new_session=True,
                )
            except FileNotFoundError as error:
                raise GitTrouble("git-missing", str(error)) from error
            except OSError as error:  # no memory, no descriptors; a path longer than an argument may be
                raise GitTrouble("git-failed", str(error)) from error
            start = monotonic()
            left = min(TIMEOUT, max(0.0, self.deadline - start))
            timer = threading.Timer(left, _kill, [process])
            timer.daemon = True
            with process:
                try:
                    with suppress(RuntimeError):  # no memory for a thread: git is waited for without a limit
                        timer.start()
                    yield process.stdout  # type: ignore[misc]  # it is a pipe
                    status = process.wait()
                finally:
                    timer.cancel()
                    _kill(process)
            if monotonic() - start >= left:
                raise GitTrouble("git-timeout", f"git {os.fsdecode(arguments[0])}")
            if status:
                words = ""
                if stderr:
                    stderr.seek(0)
                    words = stderr.read().decode(errors="replace")
                how = f"exit status {status}" if status > 0 else f"signal {-status}"
                raise _trouble(words or f"git {os.fsdecode(arguments[0])} ended with {how}")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends all processes of a session; not once its first was waited for, as the id may be another's then."""
    if process.returncode is not None:
        return
    with suppress(OSError):  # it ended by itself
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _trouble(words: str) -> GitTrouble:
    fatal = (line for line in words.splitlines() if line.startswith("fatal:"))
    rule = next((rule for part, rule in _TROUBLES if part in words), "git-failed")
    return GitTrouble(rule, next(fatal, words.strip()))
