"""Which program git is."""

from __future__ import annotations

import os
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def program(
    environ: Mapping[str, str],
    system: str = os.name,
    is_file: Callable[[str], bool] = os.path.isfile,
) -> str:
    """What to start for git: on Windows its whole path, as elsewhere the ``PATH`` is all that is searched.

    Windows looks into the current folder first, and there lie the files of strangers
    (https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createprocessw).
    A path that names nothing where there is no git.
    """
    if system != "nt":
        return "git"
    folders = (PureWindowsPath(folder.strip('"')) for folder in environ.get("PATH", "").split(";"))
    found = (str(folder / "git.exe") for folder in folders if folder.is_absolute())
    return next(filter(is_file, found), r"C:\no git on the PATH\git.exe")
