"""Paths as people read them, on every system."""

from __future__ import annotations

import os
from pathlib import PurePath


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


def is_inside(file: str, folder: str) -> bool:
    """Whether a whole path lies in a folder or is the folder itself, however its letters are spelled."""
    return PurePath(file).is_relative_to(folder)
