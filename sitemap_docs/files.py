"""The one guard of what is read: regular files only, and below a site only what lies in it after links.

And paths as people read them.
"""

import errno
import os
import re
from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, nullcontext, suppress
from fnmatch import translate
from functools import cache
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import BinaryIO

from sitemap_docs.model import SitemapError

#: The endings of files that are pages.
HTML_SUFFIXES = (".html", ".htm", ".xhtml")

#: The names in folders that one glob may look at.
MAX_GLOBBED = 100_000

#: Opening a pipe that nobody writes to would wait for the writer.
_READING = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
)
_LONGEST_FOLDER = 4_096  # characters: no path of a system and no base URL is longer
_WILD = re.compile(r"[*?[]")
_FORBIDDEN = {"\0"}
if os.name == "nt":
    _FORBIDDEN |= {"\\", ":"}


def read_file(file: Path | str, size: int | None = None) -> bytes:
    """The content of a file, or its first bytes; OSError also for what is, after links, no file."""
    descriptor = _open(file)
    if size is None:
        with os.fdopen(descriptor, "rb", 0) as stream:
            return stream.read()
    try:
        return os.read(descriptor, size)
    finally:
        os.close(descriptor)


def open_file(file: Path | str) -> BinaryIO:
    """A file as a stream; OSError also for what is, after links, no file."""
    return os.fdopen(_open(file), "rb")


def _open(file: Path | str) -> int:
    descriptor = os.open(file, _READING)
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "Not a regular file")
    return descriptor


@contextmanager
def translated_errors(file: Path, done: str, advice: str = "Nothing was changed.") -> Iterator[None]:
    """Turns an error of the system into a SitemapError: what cannot be done with which file, and why."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EBUSY:
            advice = "If it is mounted (-v in Docker), mount its folder in place of the file."
        raise SitemapError(f"{file} cannot be {done}: {error.strerror}. {advice}") from error


def is_repository(folder: str) -> bool:
    """Whether git manages a folder: its ``.git`` is a file, as in a linked work tree, or has a ``HEAD``."""
    git = os.path.join(folder, ".git")
    return os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD"))


def repository_of(folder: Path | str) -> Path | None:
    """The nearest folder that git manages, ``folder`` itself or one above, links resolved; None for none."""
    real = Path(os.path.realpath(folder))
    for top in (real, *real.parents):
        if is_repository(os.fspath(top)):
            return top
    return None


def is_below(name: str) -> bool:
    """Whether a name with slashes can only be that of a file below the folder it is joined to.

    >>> [is_below(name) for name in ("a/b.html", "/etc/hostname", "a//b", "../a", "a/", "")]
    [True, False, False, False, False, False]
    """
    return _FORBIDDEN.isdisjoint(name) and {"", ".", ".."}.isdisjoint(name.split("/"))


def find_inside(folder: Path | str, name: str) -> str | None:
    """The real path of a regular file of a folder; None for no such file and for one outside, after links."""
    if not is_below(name):
        return None
    root = os.path.realpath(folder)
    real = os.path.realpath(os.path.join(root, name))
    if is_inside(real, root) and os.path.isfile(real):
        return real
    return None


def read_inside(folder: Path | str, name: str, size: int | None = None) -> bytes:
    """The content of a regular file of a folder, or its first bytes; OSError also for one outside."""
    real = find_inside(folder, name)
    if real is None:
        raise FileNotFoundError(errno.ENOENT, "There is no such regular file inside the folder", str(name))
    return read_file(real, size)


def is_file_inside(entry: os.DirEntry[str], root: str) -> bool:
    """Whether an entry is a regular file, or a link to one below ``root``, which is a real path."""
    if not entry.is_symlink():
        return entry.is_file(follow_symlinks=False)
    real = os.path.realpath(entry.path)
    return is_inside(real, root) and os.path.isfile(real)


def names_inside(root: str, folder: str) -> Iterator[str]:
    """The names of the regular files of a folder below ``root``, a real path; none for a folder outside."""
    if folder and not is_below(folder):
        return
    below = os.path.join(root, folder)
    if not os.path.isdir(below):  # one call of the system, where realpath takes one a folder
        return
    place = os.path.realpath(below)
    if not is_inside(place, root):
        return
    with suppress(OSError), os.scandir(place) as entries:
        yield from [entry.name for entry in entries if is_file_inside(entry, root)]


def names_below(root: Path) -> Iterator[str]:
    """The names of all regular files below a folder, with slashes; links that lead out are none of them.

    Folders of git and those that cannot be read are passed over.
    """
    for below, folders, names in walk_folders(os.path.realpath(root), hidden=True):
        if ".git" in folders:
            folders.remove(".git")
        for name in sorted(names):
            yield below + name


def walk_folders(
    root: str, *, whole: bool = False, links: bool = False, hidden: bool = False
) -> Iterator[tuple[str, list[str], AbstractSet[str]]]:
    """Each folder below a real path, with a slash behind its name, its folders, sorted, and regular files.

    As of ``os.walk``, whoever asks may take folders out. That one recurses, before Python 3.12. A folder that
    cannot be read is empty, or with ``whole`` an OSError. With ``links``, those to other folders below the
    path are among the folders, but for links in a folder that was reached by one. With ``hidden``, so are
    folders whose names begin with a dot.
    """
    waiting = [("", False)]
    targets: dict[str, tuple[set[str], set[str], set[str]]] = {}  # of links: several may lead to one folder
    while waiting:
        below, is_linked = waiting.pop()
        place = f"{root}/{below}"
        if is_linked:
            place = os.path.realpath(place)
        known = targets.get(place)
        folders, followed, names = known or (set(), set(), set())
        if known is None:
            with nullcontext() if whole else suppress(OSError), os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.add(entry.name)
                    elif is_file_inside(entry, root):
                        names.add(entry.name)
                    elif links and not is_linked and entry.is_symlink() and os.path.isdir(entry.path):
                        target = os.path.realpath(entry.path)
                        if is_inside(target, root) and not is_inside(entry.path, target):
                            followed.add(entry.name)
        if is_linked:
            targets[place] = folders, followed, names
        entered = sorted(name for name in folders | followed if hidden or not name.startswith("."))
        yield below, entered, names
        waiting += [(f"{below}{name}/", is_linked or name in followed) for name in reversed(entered)]


class Folders:
    """What globs find, each folder read once and each glob answered once."""

    def __init__(self) -> None:
        self.matching = cache(self._matching)
        self._names = cache(_names)

    def _matching(self, start: str, glob: tuple[str, ...], root: str) -> frozenset[str] | None:
        """The files below ``start`` that the parts of a glob match; None where there is too much to look at.

        Links that lead out of ``root`` are not followed. Each folder is looked at once for each part of the
        glob, whatever links lead to it.
        """
        matching: set[str] = set()
        waiting = [(start, glob)]
        seen: set[tuple[int, int, tuple[str, ...]]] = set()
        looked = 0
        while waiting:
            folder, parts = waiting.pop()
            try:
                status = os.stat(folder)  # realpath would look at each folder above, again and again
            except (OSError, ValueError):  # ValueError: a NUL in the name
                continue
            place = (status.st_dev, status.st_ino, parts)
            if place in seen or not parts:
                continue
            seen.add(place)
            part, below = parts[0], parts[1:]
            if part == "**":
                waiting.append((folder, below or ("*",)))
            paths = [os.path.join(folder, part)]
            if _WILD.search(part):
                paths = self._named(folder, part)
            looked += len(paths) + 1
            if looked > MAX_GLOBBED:
                return None
            for path in paths:
                if part == "**":
                    if os.path.isdir(path) and not os.path.islink(path):
                        waiting.append((path, parts))
                elif not below:
                    if os.path.isfile(path):
                        matching.add(path)
                elif os.path.isdir(path) and is_inside(os.path.realpath(path), root):
                    waiting.append((path, below))
        return frozenset(matching)

    def _named(self, folder: str, part: str) -> list[str]:
        """The paths in a folder that match a part of a glob; hidden ones only where it names the dot."""
        names = self._names(folder)
        literal = _WILD.split(part, maxsplit=1)[0]
        first = bisect_left(names, literal)
        last = bisect_left(names, f"{literal}􏿿")
        matches = re.compile(translate(part)).match
        return [
            os.path.join(folder, name)
            for name in names[first:last]
            if matches(name) and (literal or not name.startswith("."))
        ]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def seen_from(start: PurePath | str, file: PurePath | str) -> str:
    """The path from a folder to a file, with slashes; the whole path to another drive of Windows."""
    folder, name = os.fspath(start), os.fspath(file)
    below = name.removeprefix(f"{folder}{os.sep}")
    # Most files are named below the folder already; what may hold `..` or `.` is left to relpath.
    if (
        0 < len(below) < len(name)
        and f"{os.sep}." not in f"{os.sep}{below}"
        and f"{os.sep}{os.sep}" not in name
    ):
        return below.replace(os.sep, "/").rstrip("/")
    try:
        relative = os.path.relpath(file, start)
    except ValueError:
        relative = str(file)
    return relative.replace(os.sep, "/")


def is_below_any(path: str, folders: AbstractSet[str]) -> bool:
    """Whether a path or an address is or begins with one of ``folders``, which end with a slash.

    >>> is_below_any("docs/1.0/a/b.html", {"docs/1.0/", "docs/1.1/"})
    True
    """
    # An address may be nothing but slashes, of any length: each is the end of a text to look up.
    end = path.rfind("/", 0, _LONGEST_FOLDER) + 1 if folders else 0
    while end and path[:end] not in folders:
        end = path.rfind("/", 0, end - 1) + 1
    return end > 0


def is_inside(file: str, folder: str) -> bool:
    """Whether a whole path lies in a folder or is the folder itself, however its letters are spelled."""
    return PurePath(file).is_relative_to(folder)
