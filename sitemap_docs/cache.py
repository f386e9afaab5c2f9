"""What is kept between builds in the folders of a cache: a file for each repository or site.

All of it can be made again. A file that cannot be written, or is none of ours, is no error.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from time import time

#: What no build has used for so long is removed, and so are all but the newest files of a folder.
_DAYS = 90
MAX_KEPT = 200


def kept_file(folder: Path, place: Path | str, ending: str = ".jsonl") -> Path:
    """The file in a folder for what is kept of a place."""
    name = blake2b(os.fsencode(place), digest_size=16).hexdigest()
    return folder / f"{name}{ending}"


def write_kept(file: Path, lines: Iterable[str]) -> None:
    """Writes a file whole, in the place of what is there, if that can be."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        new = file.with_name(f"{file.name}.{os.getpid()}")
        with new.open("w", encoding="ascii", newline="") as stream:
            stream.writelines(lines)
        new.replace(file)


def newest_first(folder: Path) -> Iterator[tuple[float, Path]]:
    """The files of a folder, each with the time at which a build used it last."""
    files = []
    for file in folder.glob("*.jsonl*"):
        with suppress(OSError):  # another build removes it just now
            files.append((file.lstat().st_mtime, file))
    yield from sorted(files, reverse=True)


def drop_unused(folder: Path) -> None:
    """Removes what no build has used for long, so that the folder does not grow without end."""
    for number, (used, file) in enumerate(newest_first(folder)):
        if number >= MAX_KEPT or used < time() - _DAYS * 86_400:
            with suppress(OSError):
                file.unlink()
