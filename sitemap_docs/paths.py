"""Paths as people read them, on every system, and the folder of our caches."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from platformdirs import user_cache_path

if TYPE_CHECKING:
    from types import ModuleType


_ODD = re.compile(r"[/\\](?:[./\\]|$)")  # what relpath writes in another way


def seen_from(start: PurePath | str, file: PurePath | str, system: ModuleType = os.path) -> str:
    """The path from a folder to a file, with slashes; the whole path to another drive of Windows."""
    folder, name = f"{start}{system.sep}", str(file)
    below = name[len(folder) :]
    if name.startswith(folder) and below[:1] not in ("", ".", system.sep) and not _ODD.search(below):
        return below.replace(system.sep, "/")  # relpath asks the system each time
    try:
        relative = str(system.relpath(file, start))
    except ValueError:
        relative = str(file)
    return relative.replace(system.sep, "/")


def is_inside(file: str, folder: str, system: type[PurePath] = PurePath) -> bool:
    """Whether a whole path lies in a folder or is the folder itself, however its letters are spelled."""
    return system(file).is_relative_to(system(folder))


def user_cache() -> Path:
    """The folder in the user's cache for what is kept between builds."""
    return user_cache_path("sitemap-docs", appauthor=False)
