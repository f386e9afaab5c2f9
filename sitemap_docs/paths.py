"""Paths as people read them, on every system."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def seen_from(start: PurePath | str, file: PurePath | str, system: ModuleType = os.path) -> str:
    """The path from a folder to a file, with slashes; the whole path to another drive of Windows."""
    try:
        relative = str(system.relpath(file, start))
    except ValueError:
        relative = str(file)
    return relative.replace(system.sep, "/")


def is_inside(file: str, folder: str, system: type[PurePath] = PurePath) -> bool:
    """Whether a whole path lies in a folder or is the folder itself, however its letters are spelled."""
    return system(file).is_relative_to(system(folder))
