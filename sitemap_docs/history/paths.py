"""Where files lie: in which repository, under which path, through which symbolic links."""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISLNK
from typing import NamedTuple

_EXTENDED = "\\\\?\\"  # begins absolute targets of links on Windows


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
        places = (*above.links, *_place(above.root, path))
        if S_ISLNK(mode) and (target := _target(path)):
            places += self.places(target)
        return places

    def _folder(self, path: str) -> _Folder:
        known = self._folders.get(path)
        if known:
            return known
        head, name = os.path.split(path)
        above = _Folder(head, None, ())
        if head != path:
            above = self._folder(head)
        real = os.path.join(above.real, name)
        if name == "..":
            folder = self._folder(os.path.dirname(above.real))._replace(links=above.links)
        elif S_ISLNK(_mode(real)) and (target := _target(real)):
            folder = self._folder(target)
            folder = folder._replace(links=(*above.links, *_place(above.root, real), *folder.links))
        elif os.path.lexists(os.path.join(real, ".git")):
            folder = _Folder(real, real, above.links)
        else:
            folder = _Folder(real, above.root, above.links)
        self._folders[path] = folder
        return folder


def _place(root: str | None, path: str, end: str = "") -> tuple[TrackedPath, ...]:
    if root is None:
        return ()
    if path == root:
        return (TrackedPath(root, b""),)
    inside = path[len(root) :].removeprefix(os.sep)
    return (TrackedPath(root, os.fsencode(inside.replace(os.sep, "/") + end)),)


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
    if target.startswith(os.sep):
        return os.path.join(os.sep, *parts)
    return os.path.join(os.path.dirname(path), *parts)
