"""What a command prints: results on stdout, messages and progress on stderr."""

import errno
import os
import re
import sys
from codecs import lookup
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, TypeVar

import click

from sitemap_docs.files import replace_file, translated_errors
from sitemap_docs.json_output import result_json
from sitemap_docs.model import Finding, Watch, unwatched
from sitemap_docs.text import one_line, printable, without_users

_T = TypeVar("_T")

STDOUT = Path("-")
"""What a flag for a file takes for the standard output."""
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")  # links to files that others write, too
_SEVERITY = re.compile("^(error|warning|info)(?=:)", re.MULTILINE)
_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


class Console:
    """What :data:`sitemap_docs.cli.flags.verbosity`'s flags ask for.

    ``json``: the result is JSON. ``verbose``: every detail. ``quiet``: warnings and errors only.
    """

    def __init__(self, flags: Mapping[str, Any]) -> None:
        self.json: bool = flags["as_json"]
        self.verbose: bool = flags["verbose"]
        self.quiet: bool = flags["quiet"]

    def result(self, text: str, data: Mapping[str, object]) -> None:
        """The one result of a command, as text of printable lines or as JSON."""
        if self.json:
            print_data(result_json(data, sort_keys=True))
        elif not self.quiet:
            print_text(text)

    def info(self, text: str) -> None:
        if not self.quiet:
            print_line(text, err=True)

    def debug(self, text: str) -> None:
        if self.verbose:
            print_line(text, err=True)

    def findings(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.severity != "info" or not self.quiet:
                print_text(f"{finding.severity}: {finding}", err=True)

    def changes(self, written: Iterable[str], removed: Iterable[str], *, dry_run: bool) -> None:
        """The files that a command wrote and removed; or would have, which is worth a line without ``-v``."""
        for verb, names in (("write", written), ("remove", removed)):
            for name in names:
                if dry_run:
                    self.info(f"would {verb} {name}")
                else:
                    self.debug(f"{verb} {name}")

    @contextmanager
    def progress(self, doing: str) -> Iterator[Watch]:
        """From the first second to the end, a bar on a terminal, and one for each thing that is watched."""
        if self.quiet or not sys.stderr.isatty():
            yield unwatched
            return
        # rich takes a tenth of a second
        from rich.console import Console as Terminal  # noqa: PLC0415
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TimeElapsedColumn  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        class Number(MofNCompleteColumn):
            def render(self, task: Task) -> Text:
                if task.total is not None:
                    return super().render(task)
                return Text(f"{task.completed:,.0f}" if task.completed else "")  # none for the command itself

        columns = ("{task.description}", BarColumn(), Number(" of "), TimeElapsedColumn())
        with Progress(*columns, console=Terminal(stderr=True), transient=True) as progress:
            progress.add_task(doing, total=None)

            def watch(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:
                return progress.track(items, total=total, description=doing)

            yield watch


def print_line(text: str, *, err: bool = False) -> None:
    """Prints one line, whatever others wrote into ``text``."""
    print_text(one_line(text), err=err)


def print_text(text: str, *, err: bool = False) -> None:
    """Prints lines that are ours to break, each made with :func:`sitemap_docs.text.one_line`."""
    _print(f"{text}\n", (sys.stderr if err else sys.stdout).encoding or "utf-8", err=err)


def print_data(text: str) -> None:
    """Prints JSON for programs: in UTF-8; in ASCII where stdout has another encoding."""
    encoding = "utf-8" if lookup(sys.stdout.encoding or "utf-8").name == "utf-8" else "ascii"
    _print(f"{text}\n", encoding)


def write_file(file: Path, text: str) -> None:
    """Write the file that the user named in a flag, or standard output.

    Devices, pipes and the streams of a process, such as ``/dev/stdout``, are written directly. Any other file
    is complete, old or new, even if the disk is full. If the path is a link, the file behind it is replaced.

    Raises:
        SitemapError: The file cannot be written. Nothing was changed.
    """
    data = without_users(text).encode("utf-8", "backslashreplace")
    if file == STDOUT:
        click.echo(data, nl=False)
        return
    with translated_errors(file, "written"):
        is_stream = file.absolute().as_posix().startswith(_STREAMS)
        if is_stream or (file.exists() and not file.is_file()):
            file.write_bytes(data)
            return
        target = Path(os.path.realpath(file))
        if target.exists():
            _require_permission(target)
        replace_file(target, [data])


def _require_permission(file: Path) -> None:
    """Raise OSError if a file or its folder is not writable.

    A read-only file could be replaced by renaming, but it was made read-only to protect it.
    """
    denied = os.strerror(errno.EACCES)
    if not os.access(file, os.W_OK):
        raise OSError(errno.EACCES, denied)
    if not os.access(file.parent, os.W_OK):
        raise OSError(errno.EACCES, f"{denied}, as its folder must be writable, too")


def _print(text: str, encoding: str, *, err: bool = False) -> None:
    text = "\n".join(printable(line, encoding) for line in text.split("\n"))
    if not os.environ.get("NO_COLOR"):  # https://no-color.org; click itself drops colours in a pipe
        text = _SEVERITY.sub(
            lambda severity: click.style(severity[0], fg=_COLOURS[severity[0]], bold=True), text
        )
    try:
        click.echo(text, err=err, nl=False)
    except OSError:
        if not err:
            raise
        discard_output(sys.stderr)  # a message that nobody can read must not end a build


def open_closed_streams() -> None:
    """Opens the null device for each closed standard stream: else the next file would have its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def discard_output(stream: IO[str]) -> None:
    """Sends to the null device what a stream could not write and what follows."""
    with suppress(OSError), Path(os.devnull).open("wb") as null:
        os.dup2(null.fileno(), stream.fileno())
