"""Print results to standard output, and messages and progress bars to standard error."""

import errno
import os
import re
import sys
from codecs import lookup
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import repeat
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic
from typing import IO, Any, TypeVar

import click

from sitemap_docs.files import replace_file, translated_errors
from sitemap_docs.json_output import result_json
from sitemap_docs.model import Finding, Watch, unwatched
from sitemap_docs.text import one_line, printable, without_users

_T = TypeVar("_T")

STDOUT = Path("-")
"""The path that means standard output in a flag such as ``--output``."""
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")  # links to files that others write, too
_DUMB = ("dumb", "unknown")  # values of TERM for terminals that cannot move the cursor
_BAR_WIDTH = 40
_REFRESH = 0.1  # seconds
_SEVERITY = re.compile("^(error|warning|info)(?=:)", re.MULTILINE)
_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


class Console:
    """Prints the output of a command according to the flags ``--json``, ``-v`` and ``-q``."""

    def __init__(self, flags: Mapping[str, Any]) -> None:
        self.json: bool = flags["as_json"]
        self.verbose: bool = flags["verbose"]
        self.quiet: bool = flags["quiet"]

    def result(self, text: str, data: Mapping[str, object]) -> None:
        """Print the result of a command: ``data`` with ``--json``, otherwise ``text``."""
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

    def changes(
        self,
        written: Iterable[str],
        removed: Iterable[str],
        *,
        dry_run: bool,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        """Print the names of written and removed files. ``notes`` are remarks about files, by name."""
        notes = notes or {}
        for verb, names in (("write", written), ("remove", removed)):
            for name in names:
                note = f" ({notes[name]})" if name in notes else ""
                if dry_run:
                    self.info(f"would {verb} {name}{note}")
                else:
                    self.debug(f"{verb} {name}{note}")

    @contextmanager
    def progress(self, doing: str) -> Iterator[Watch]:
        """Show progress bars below the heading ``doing`` until the end of the ``with`` block.

        Yields:
            The function ``watch``, which adds a bar for a loop: ``for page in watch(pages, "pages read")``.
        """
        if self.quiet or not sys.stderr.isatty() or os.environ.get("TERM") in _DUMB:
            yield unwatched
            return
        bars = _ProgressBars(doing)
        try:
            yield bars.watch
        finally:
            bars.remove()


class _ProgressBars:
    """The progress bars of a command, one below the other."""

    def __init__(self, heading: str) -> None:
        self._height = 1
        self._open_bars = ExitStack()
        with suppress(OSError):  # a bar that nobody can see must not end a build
            click.echo(heading, err=True)

    def watch(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterator[_T]:
        """Yield the items, and count them in a new progress bar with the label ``doing``."""
        count = 0

        def number(_: object) -> str:
            return f"{count:,}" if total is None else f"{count:,} of {total:,}"

        shown_bar = "%(bar)s"
        if not _is_plain():
            shown_bar = click.style(shown_bar, fg="green")
        room = len(doing) + 2 * len(f"{total or 0:,}") + len("  []   of ")
        bar = click.progressbar(
            None if total is not None else repeat(None),
            length=total,
            label=doing,
            bar_template=f"%(label)s  [{shown_bar}]  %(info)s",
            empty_char="-",
            show_eta=False,
            show_percent=False,
            item_show_func=number,
            file=sys.stderr,
            width=max(1, min(_BAR_WIDTH, get_terminal_size().columns - room)),
        )
        with suppress(OSError):
            self._open_bars.enter_context(bar)
        self._height += 1
        drawn, drawn_at = 0, monotonic()
        for item in items:
            yield item
            count += 1
            if monotonic() - drawn_at >= _REFRESH:
                with suppress(OSError):
                    bar.update(count - drawn)
                drawn, drawn_at = count, monotonic()
        with suppress(OSError):
            bar.update(count - drawn)
            bar.finish()
            bar.render_progress()
            self._open_bars.close()

    def remove(self) -> None:
        """Erase all progress bars, including a bar that an exception has stopped."""
        with suppress(OSError):
            self._open_bars.close()
            click.echo(f"\x1b[{self._height}A\x1b[J", nl=False, err=True)


def print_line(text: str, *, err: bool = False) -> None:
    """Print a text as one line, with control characters escaped. If ``err`` is true, print to stderr."""
    print_text(one_line(text), err=err)


def print_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines to stdout, or to stderr if ``err`` is true.

    The caller must escape text from files or the web.
    """
    # Untrusted parts must have passed through sitemap_docs.text.one_line.
    _print(f"{text}\n", (sys.stderr if err else sys.stdout).encoding or "utf-8", err=err)


def print_data(text: str) -> None:
    """Print JSON in UTF-8. If the output has another encoding, print JSON in ASCII."""
    encoding = "utf-8" if lookup(sys.stdout.encoding or "utf-8").name == "utf-8" else "ascii"
    _print(f"{text}\n", encoding)


def write_file(file: Path, text: str) -> None:
    """Write a text to a file, or to standard output for ``-``.

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
        # If the path is a link, replace its target.
        target = Path(os.path.realpath(file))
        if target.exists():
            _require_permission(target)
        replace_file(target, [data])


def _require_permission(file: Path) -> None:
    """Raise OSError if a file or its folder is not writable."""
    denied = os.strerror(errno.EACCES)
    # Renaming could replace a read-only file, which the user wants to protect.
    if not os.access(file, os.W_OK):
        raise OSError(errno.EACCES, denied)
    if not os.access(file.parent, os.W_OK):
        raise OSError(errno.EACCES, f"{denied} (its folder must also be writable)")


def _print(text: str, encoding: str, *, err: bool = False) -> None:
    text = "\n".join(printable(line, encoding) for line in text.split("\n"))
    if not _is_plain():
        text = _SEVERITY.sub(
            lambda severity: click.style(severity[0], fg=_COLOURS[severity[0]], bold=True), text
        )
    try:
        click.echo(text, err=err, nl=False)
    except OSError:
        if not err:
            raise
        discard_output(sys.stderr)  # a message that nobody can read must not end a build


def _is_plain() -> bool:
    """Check whether the user has switched colours off (https://no-color.org)."""
    return bool(os.environ.get("NO_COLOR"))


def open_closed_streams() -> None:
    """Replace each closed standard stream with the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Otherwise, the next file that is opened could become standard output.
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def discard_output(stream: IO[str]) -> None:
    """Discard everything that is still to be written to an output stream."""
    with suppress(OSError), Path(os.devnull).open("wb") as null:
        os.dup2(null.fileno(), stream.fileno())
