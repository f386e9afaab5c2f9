"""Where files lie: in which repository, under which path, through which symbolic links."""

from __future__ import annotations

import os
from itertools import takewhile
from stat import S_ISDIR, S_ISLNK
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

#: More folders than this cost ``git log`` more than the whole history does (on git's, Hugo's and Sphinx's).
_MAX_FOLDERS = 3


#: A tree of git may hold longer paths, which no system takes as an argument.
_LONGEST = 4_096


class TrackedPath(NamedTuple):
    """A path in a repository, as git spells it; a folder ends in a slash, the whole work tree is empty."""

    root: str
    path: bytes


class _Folder(NamedTuple):
    real: str
    root: str | None
    links: tuple[TrackedPath, ...]


class Map:
    """The places of files, with each folder looked at once."""

    def __init__(self) -> None:
        self._folders: dict[str, _Folder] = {}

    def places(self, file: str) -> tuple[TrackedPath, ...]:
        """Each link on the way to a file, and the file itself; nothing outside repositories."""
        above = self._folder(os.path.dirname(file))
        path = os.path.join(above.real, os.path.basename(file))
        mode = _mode(path)
        if S_ISDIR(mode) or os.path.basename(file) == "..":
            folder = self._folder(file)
            return (*folder.links, *_place(folder.root, folder.real, "/"))
        here = (*above.links, *_place(above.root, path))
        target = _target(path) if S_ISLNK(mode) else None
        return here + self.places(target) if target else here

    def _folder(self, path: str) -> _Folder:
        if path not in self._folders:
            self._folders[path] = self._look(path)
        return self._folders[path]

    def _look(self, path: str) -> _Folder:
        head, name = os.path.split(path)
        if head == path:
            return _Folder(path, path if _is_root(path) else None, ())
        above = self._folder(head)
        if name == "..":
            return self._folder(os.path.dirname(above.real))._replace(links=above.links)
        real = os.path.join(above.real, name)
        if target := _target(real) if S_ISLNK(_mode(real)) else None:
            folder = self._folder(target)
            return folder._replace(links=(*above.links, *_place(above.root, real), *folder.links))
        return _Folder(real, real if _is_root(real) else above.root, above.links)


def folders(paths: Iterable[bytes]) -> tuple[bytes, ...]:
    """The few folders or files that hold all paths; nothing stands for the whole repository."""
    groups: dict[bytes, list[bytes]] = {}
    for path in paths:
        groups.setdefault(path.partition(b"/")[0], []).append(path)
    if len(groups) > _MAX_FOLDERS or b"" in groups:
        return ()
    found = sorted(_common(group) or top for top, group in groups.items())
    return () if any(len(folder) > _LONGEST for folder in found) else tuple(found)


def within(path: bytes, folders: tuple[bytes, ...]) -> bool:
    """Whether a path lies in the folders, as :func:`folders` gives them."""
    path = path.rstrip(b"/")
    return not folders or any(path == folder or path.startswith(folder + b"/") for folder in folders)


def _common(paths: list[bytes]) -> bytes:
    if len(paths) == 1:
        return paths[0].rstrip(b"/")
    least, most = min(paths), max(paths)
    equal = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(least, most, strict=False))))
    return least[:equal].rpartition(b"/")[0]


def _place(root: str | None, path: str, end: str = "") -> tuple[TrackedPath, ...]:
    if root is None:
        return ()
    if path == root:
        return (TrackedPath(root, b""),)
    inside = os.path.relpath(path, root) if root.endswith(os.sep) else path[len(root) + 1 :]
    return (TrackedPath(root, os.fsencode(inside.replace(os.sep, "/") + end)),)


def _is_root(path: str) -> bool:
    return os.path.lexists(os.path.join(path, ".git"))


def _mode(path: str) -> int:
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0


def _target(path: str) -> str | None:
    """Where one symbolic link leads, perhaps to another link; None where the chain does not end at a file."""
    try:
        os.stat(path)
        target = os.readlink(path).removeprefix(_EXTENDED)
    except OSError:
        return None
    parts = [part for part in target.split(os.sep) if part not in ("", ".")]
    top = os.sep if target.startswith(os.sep) else os.path.dirname(path)
    return os.path.join(top, *parts)


_EXTENDED = "\\\\?\\"  # begins absolute targets on Windows
