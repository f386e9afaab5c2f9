"""Read files safely, and find files in folders.

Only regular files are read. Files of a site are read only if they are inside its folder after links are
followed. Files are replaced whole or not at all.
"""

import errno
import os
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, nullcontext, suppress
from fnmatch import translate
from functools import cache
from pathlib import Path, PurePath
from stat import S_IMODE, S_ISREG
from typing import BinaryIO, NamedTuple
from unicodedata import normalize

from sitemap_docs.model import SitemapError

#: The endings of HTML files.
HTML_SUFFIXES = (".html", ".htm", ".xhtml")

#: The largest number of names that are compared with one glob.
MAX_GLOBBED = 100_000

#: O_NONBLOCK, because opening a pipe would wait until somebody writes to it.
_READING = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOCTTY", 0)
)
_BLOCK = 65_536  # bytes
_LONGEST_FOLDER = 4_096  # characters; paths of all systems and base URLs are shorter
_KEPT_OF_NAME = 40  # characters: a name of a file has 255 bytes at most
_WILD = re.compile(r"[*?[]")
_FORBIDDEN = {"\0"}
if os.name == "nt":
    _FORBIDDEN |= {"\\", ":"}


def is_html(name: str) -> bool:
    """Check whether the name of a file is that of an HTML page, such as ``guide/a.html`` or ``A.HTM``."""
    return name.lower().endswith(HTML_SUFFIXES)


def read_file(file: Path | str, size: int | None = None) -> bytes:
    """Return the content of a regular file, or its first ``size`` bytes."""
    descriptor, length = _open(file)
    try:
        if size is not None:
            return os.read(descriptor, size)
        # A stream of Python needs twice the time for a page of 3 KB, and builds read all pages whole.
        parts = [os.read(descriptor, length)]
        while rest := os.read(descriptor, _BLOCK):
            parts.append(rest)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def open_file(file: Path | str) -> BinaryIO:
    """Open a file to read its bytes. A device, pipe or folder is refused."""
    descriptor, _ = _open(file)
    return os.fdopen(descriptor, "rb")


def _open(file: Path | str) -> tuple[int, int]:
    """Open a regular file, and return its file descriptor and size."""
    descriptor = os.open(file, _READING)
    status = os.fstat(descriptor)
    if not S_ISREG(status.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "Not a file, but a folder, a pipe or a device")
    return descriptor, status.st_size


#: The advice for a file of the project that cannot be read.
CHECK_FILE = "Check the path and the permissions of the file."


@contextmanager
def translated_errors(file: Path | str, done: str, advice: str = "Nothing was changed.") -> Iterator[None]:
    """Turn an OSError inside the ``with`` block into an error message for the user.

    For example, ``translated_errors(file, "written")`` gives "robots.txt cannot be written: Permission
    denied. Nothing was changed." ``advice`` replaces the last sentence.
    """
    try:
        yield
    except OSError as error:
        if error.errno == errno.EBUSY:
            advice = "If only this file is mounted (-v in Docker), mount its folder instead."
        raise SitemapError(f"{file} cannot be {done}: {error.strerror}. {advice}") from error


def replace_file(file: Path, chunks: Iterable[bytes], *, flush: bool = True) -> None:
    """Write a file. If that fails, the old file stays as it was.

    Args:
        file: The path of the file.
        chunks: The content.
        flush: Whether to wait until the content is on the disk.

    Raises:
        OSError: The file cannot be written.
    """
    new = file.with_name(f".{file.name[-_KEPT_OF_NAME:]}.{os.urandom(4).hex()}")
    stream = new.open("xb")
    try:
        with stream:
            stream.writelines(chunks)
            stream.flush()
            if flush:
                os.fsync(stream.fileno())
        if file.is_file() and not file.is_symlink():
            keep_owner_and_mode(file, new)
        new.replace(file)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def keep_owner_and_mode(old: Path, new: Path) -> None:
    """Give a new file the permissions and the owner of the old file."""
    before = old.stat()
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(new, before.st_uid, before.st_gid)
    new.chmod(S_IMODE(before.st_mode))


def is_repository(folder: str) -> bool:
    """Check whether a folder is the top folder of a git repository."""
    git = os.path.join(folder, ".git")
    return os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD"))


def repository_of(folder: Path | str) -> Path | None:
    """Return the top folder of the git repository around a folder, or None."""
    real = Path(os.path.realpath(folder))
    for top in (real, *real.parents):
        if is_repository(os.fspath(top)):
            return top
    return None


def folded_name(name: str) -> str:
    """Return a file name in lower case, to compare names on Windows and macOS.

    >>> folded_name("Guide.MD")
    'guide.md'
    """
    return normalize("NFC", name).casefold()


def is_valid_path(text: str) -> bool:
    """Check whether a text from a file that may be damaged can be a path.

    >>> is_valid_path("docs/a.md"), is_valid_path("docs/" + chr(0)), is_valid_path("docs/" + chr(0xD800))
    (True, False, False)
    """
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def is_below(name: str) -> bool:
    """Check whether a path is relative and stays inside its folder, without ``..`` or ``//``.

    >>> is_below("a/b.html"), is_below("../a"), is_below("/etc/hostname"), is_below("a//b")
    (True, False, False, False)
    """
    return _FORBIDDEN.isdisjoint(name) and {"", ".", ".."}.isdisjoint(name.split("/"))


def find_inside(folder: Path | str, name: str) -> str | None:
    """Return the real path of a file in a folder, with symbolic links resolved.

    If the file is missing, or if a link leads out of the folder, return None.
    """
    if not is_below(name):
        return None
    root = os.path.realpath(folder)
    real = os.path.realpath(os.path.join(root, name))
    # A stranger may have made the links, for example in a pull request.
    if is_inside(real, root) and os.path.isfile(real):
        return real
    return None


def read_inside(folder: Path | str, name: str, size: int | None = None) -> bytes:
    """Return the content of a file in a folder, or its first ``size`` bytes.

    Raises:
        OSError: The file cannot be read, or is a link to a file outside.
    """
    real = find_inside(folder, name)
    if real is None:
        raise FileNotFoundError(errno.ENOENT, "The folder contains no such file", str(name))
    return read_file(real, size)


def is_file_inside(entry: os.DirEntry[str], root: str) -> bool:
    """Check whether a directory entry is a file, or a link to a file below ``root``."""
    if not entry.is_symlink():
        return entry.is_file(follow_symlinks=False)
    real = os.path.realpath(entry.path)
    return is_inside(real, root) and os.path.isfile(real)


def names_inside(root: str, folder: str) -> Iterator[str]:
    """Yield the names of the files directly in the folder ``root/folder``.

    Symbolic links to files outside of ``root`` are left out.
    """
    if folder and not is_below(folder):
        return
    path = os.path.join(root, folder)
    if not os.path.isdir(path):  # first, because it takes one system call, and realpath one for each folder
        return
    real = os.path.realpath(path)
    if not is_inside(real, root):
        return
    with suppress(OSError), os.scandir(real) as entries:
        yield from [entry.name for entry in entries if is_file_inside(entry, root)]


def names_below(root: Path) -> Iterator[str]:
    """Yield the paths of all files below a folder, such as ``guide/index.html``.

    Symbolic links to files outside and folders named ``.git`` are skipped.
    """
    for folder, subfolders, names in walk_folders(os.path.realpath(root), hidden=True):
        if ".git" in subfolders:
            subfolders.remove(".git")
        for name in sorted(names):
            yield folder + name


def walk_folders(
    root: str, *, whole: bool = False, links: bool = False, hidden: bool = False
) -> Iterator[tuple[str, list[str], AbstractSet[str]]]:
    """Walk through the folders below ``root`` from the top, like ``os.walk``.

    Args:
        root: The first folder.
        whole: Whether to raise an OSError if a folder cannot be read.
        links: Whether to enter symbolic links to other folders below ``root``.
        hidden: Whether to enter folders such as ``.github``.

    Yields:
        The path of a folder, such as ``guide/``; the names of its subfolders; the names of its files.
    """
    # A stack instead of recursion, because folders can be deeper than Python's recursion limit.
    waiting = [("", False)]
    linked_folders: dict[str, _FolderNames] = {}  # many links may lead to the same folder
    while waiting:
        folder, is_linked = waiting.pop()
        path = f"{root}/{folder}"
        if is_linked:
            path = os.path.realpath(path)
        names = linked_folders.get(path)
        if names is None:
            names = _read_folder(path, root, whole=whole, links=links and not is_linked)
        if is_linked:
            linked_folders[path] = names
        subfolders = sorted(
            name for name in names.folders | names.links if hidden or not name.startswith(".")
        )
        yield folder, subfolders, names.files
        waiting += [(f"{folder}{name}/", is_linked or name in names.links) for name in reversed(subfolders)]


class _FolderNames(NamedTuple):
    """The names of the entries in one folder: its subfolders, links and files."""

    folders: set[str]
    links: set[str]
    files: set[str]


def _read_folder(path: str, root: str, *, whole: bool, links: bool) -> _FolderNames:
    """Return the names of the subfolders, links and files in the folder ``path``.

    Args:
        path: The folder to read.
        root: The folder outside of which no link may lead.
        whole: Whether to raise an OSError if the folder cannot be read.
        links: Whether to return symbolic links to other folders below ``root``.
    """
    names = _FolderNames(set(), set(), set())
    with nullcontext() if whole else suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                names.folders.add(entry.name)
            elif is_file_inside(entry, root):
                names.files.add(entry.name)
            elif links and entry.is_symlink() and os.path.isdir(entry.path):
                target = os.path.realpath(entry.path)
                is_above = is_inside(entry.path, target)
                if is_inside(target, root) and not is_above:
                    names.links.add(entry.name)
    return names


class Folders:
    """Finds files by globs such as ``docs/*.md``, and reads each folder only once."""

    def __init__(self) -> None:
        self.matching = cache(self._matching)
        self._names = cache(names_in)

    def _matching(self, start: str, glob: tuple[str, ...], root: str) -> frozenset[str] | None:
        """Return the files that a glob matches, or None if the search takes too long.

        Args:
            start: The folder in which the search starts.
            glob: The parts of the glob, such as ``("**", "*.md")``.
            root: The folder that the search must not leave through links.
        """
        files: set[str] = set()
        waiting = [(start, glob)]
        visited: set[tuple[int, int, tuple[str, ...]]] = set()
        names_compared = 0
        while waiting:
            folder, parts = waiting.pop()
            try:
                status = os.stat(folder)  # not realpath, which calls the system for each folder above
            except (OSError, ValueError):  # ValueError: the name contains a NUL
                continue
            visit = (status.st_dev, status.st_ino, parts)  # the same for all links to this folder
            if visit in visited or not parts:
                continue
            visited.add(visit)
            part, rest = parts[0], parts[1:]
            if part == "**":
                waiting.append((folder, rest or ("*",)))
            paths = [os.path.join(folder, part)]
            if _WILD.search(part):
                paths = self._matching_paths(folder, part)
            names_compared += len(paths) + 1
            if names_compared > MAX_GLOBBED:
                return None
            for path in paths:
                if part == "**":
                    if os.path.isdir(path) and not os.path.islink(path):
                        waiting.append((path, parts))
                elif not rest:
                    if os.path.isfile(path):
                        files.add(path)
                elif os.path.isdir(path) and is_inside(os.path.realpath(path), root):
                    waiting.append((path, rest))
        return frozenset(files)

    def _matching_paths(self, folder: str, part: str) -> list[str]:
        """Return the paths in a folder that match one part of a glob, such as ``*.md``."""
        names = self._names(folder)
        literal = _WILD.split(part, maxsplit=1)[0]
        first = bisect_left(names, literal)
        last = bisect_left(names, f"{literal}􏿿")
        matches = re.compile(translate(part)).match
        paths = []
        for name in names[first:last]:
            is_hidden = not literal and name.startswith(".")
            if matches(name) and not is_hidden:
                paths.append(os.path.join(folder, name))
        return paths


def names_in(folder: Path | str) -> list[str]:
    """Return the sorted names in a folder, or nothing if it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def seen_from(start: PurePath | str, file: PurePath | str) -> str:
    """Return the relative path from a folder to a file.

    >>> seen_from("site/docs", "site/tool/a.py")
    '../tool/a.py'
    """
    folder, name = os.fspath(start), os.fspath(file)
    below = name.removeprefix(f"{folder}{os.sep}")
    # Most files are below the folder. A path that may contain `..` or `.` needs relpath.
    is_shorter = 0 < len(below) < len(name)
    if is_shorter and f"{os.sep}." not in f"{os.sep}{below}" and f"{os.sep}{os.sep}" not in name:
        return below.replace(os.sep, "/").rstrip("/")
    try:
        relative = os.path.relpath(file, start)
    except ValueError:
        relative = str(file)
    return relative.replace(os.sep, "/")


def is_below_any(path: str, folders: AbstractSet[str]) -> bool:
    """Check whether a path is in one of several folders.

    >>> is_below_any("docs/1.0/a/b.html", {"docs/1.0/", "docs/1.1/"})
    True
    """
    if not folders:
        return False
    # The limit keeps the work small for a very long address of slashes: each of them is looked up.
    end = path.rfind("/", 0, _LONGEST_FOLDER) + 1
    while end and path[:end] not in folders:
        end = path.rfind("/", 0, end - 1) + 1
    return end > 0


def is_inside(file: str, folder: str) -> bool:
    """Check whether an absolute path is inside a folder, or is the folder."""
    return PurePath(file).is_relative_to(folder)
