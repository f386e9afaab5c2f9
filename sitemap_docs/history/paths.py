"""Where files lie: in which repository, under which path, through which symbolic links."""

from __future__ import annotations

import os
import posixpath
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
        known = self._folders.get(path)
        if known:
            return known
        head, name = os.path.split(path)
        if head == path:
            folder = _Folder(path, path if _is_root(path) else None, ())
        else:
            above = self._folder(head)
            real = os.path.join(above.real, name)
            target = _target(real) if S_ISLNK(_mode(real)) else None
            if name == "..":
                folder = self._folder(os.path.dirname(above.real))._replace(links=above.links)
            elif target:
                folder = self._folder(target)
                folder = folder._replace(links=(*above.links, *_place(above.root, real), *folder.links))
            else:
                folder = _Folder(real, real if _is_root(real) else above.root, above.links)
        self._folders[path] = folder
        return folder


def folders(paths: Iterable[bytes]) -> tuple[bytes, ...]:
    """The few folders or files that hold all paths; nothing stands for the whole repository."""
    groups: dict[bytes, list[bytes]] = {}
    for path in paths:
        groups.setdefault(path.partition(b"/")[0], []).append(path)
    if len(groups) > _MAX_FOLDERS or b"" in groups:
        return ()
    found = []
    for top, group in groups.items():
        common = group[0].rstrip(b"/")
        if len(group) > 1:
            # What the first and the last in order have in common, all have.
            common = posixpath.commonpath([posixpath.dirname(min(group)), posixpath.dirname(max(group))])
        found.append(common or top)
    if max(map(len, found), default=0) > _LONGEST:
        return ()
    return tuple(sorted(found))


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
