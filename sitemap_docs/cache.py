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
    """Return the path of the cache file for a repository or site, such as ``cache/1f3a….jsonl``.

    ``place`` is the repository or site. Its hash is the name of the file.
    """
    name = blake2b(os.fsencode(place), digest_size=16).hexdigest()
    return folder / f"{name}{ending}"


def write_kept(file: Path, lines: Iterable[str]) -> None:
    """Write lines into a cache file. If the file cannot be written, ignore the error."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, (line.encode("ascii") for line in lines), flush=False)


def newest_first(folder: Path) -> Iterator[tuple[float, Path]]:
    """Yield the files in a cache folder with the times of their last use, the newest first."""
    files = []
    for file in folder.glob("*.jsonl*"):
        with suppress(OSError):  # another build may have removed it just now
            files.append((file.lstat().st_mtime, file))
    yield from sorted(files, reverse=True)


def drop_unused(folder: Path) -> None:
    """Delete cache files that no build has used for 90 days, and keep at most 200 files."""
    oldest = time() - _DAYS * 86_400
    for number, (last_use, file) in enumerate(newest_first(folder)):
        if number >= MAX_KEPT or last_use < oldest:
            with suppress(OSError):
                file.unlink()
