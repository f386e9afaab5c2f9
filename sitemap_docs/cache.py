"""Keep files between builds in the user's cache folder, one for each repository or site.

A build can always make a cache file again. Therefore, it is not an error if a file cannot be written, or if
somebody else has written it.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from time import time

from sitemap_docs.files import replace_file

#: A file is removed if no build has used it for this number of days.
_DAYS = 90
#: The largest number of files that stay in a folder.
MAX_KEPT = 200


def kept_file(folder: Path, place: Path | str, ending: str = ".jsonl") -> Path:
    """Return the path of the cache file for a repository or a site.

    Args:
        folder: The cache folder.
        place: The folder of the repository or the site. A hash of its path becomes the name of the cache
            file.
        ending: The suffix of the cache file.
    """
    name = blake2b(os.fsencode(place), digest_size=16).hexdigest()
    return folder / f"{name}{ending}"


def write_kept(file: Path, lines: Iterable[str]) -> None:
    """Write or replace a cache file. If that fails, the old file stays, and no error is raised."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, (line.encode("ascii") for line in lines), flush=False)


def newest_first(folder: Path) -> Iterator[tuple[float, Path]]:
    """Yield the files of a cache folder with the times of their last use, newest first."""
    files = []
    for file in folder.glob("*.jsonl*"):
        with suppress(OSError):  # another build may have removed it just now
            files.append((file.lstat().st_mtime, file))
    yield from sorted(files, reverse=True)


def drop_unused(folder: Path) -> None:
    """Remove old files from a cache folder, so that it does not grow forever.

    A file is old if no build has used it for 90 days, or if there are 200 newer files.
    """
    oldest = time() - _DAYS * 86_400
    for number, (last_use, file) in enumerate(newest_first(folder)):
        if number >= MAX_KEPT or last_use < oldest:
            with suppress(OSError):
                file.unlink()
