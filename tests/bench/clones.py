"""What the history costs in CI: time, size and dated pages of several ways to get it.

    python tests/bench/clones.py --repository GIT_DIR [--folder doc] [--ending .rst] [--write]

``--repository`` is a git directory, for example a bare clone of a real project. Each way begins with a clone
from it on the same machine. A row has:

- the processor time of git, on both ends, for the clone and the fetch. A network adds the time for the size,
- the size of the packs that were downloaded, without the cache, which has a few hundred bytes a page,
- the processor time to read the dates,
- the number of files in the folder that have a date.

The cache has the dates of a whole clone that is 30 commits behind, as after a few days without a build.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

from shared import HERE

sys.path.insert(0, str(HERE))

from tests.conftest import read_dates

BEHIND = 30
PAGE = HERE / "tests/bench/speed.md"
UNSHALLOW = ("fetch", "-q", "--unshallow")
BLOBLESS = "--filter=blob:none"


class Way(NamedTuple):
    """A way to get the history.

    Attributes:
        name: The name in the table.
        depth: The number of commits to clone.
        fetch: The arguments of the git command that fetches more, if there is one.
        is_cached: Whether the cache has the dates of an earlier build.
    """

    name: str
    depth: int
    fetch: tuple[str, ...] = ()
    is_cached: bool = False


WAYS = (
    Way("1 commit, the default of `actions/checkout`", 1),
    Way("50 commits", 50),
    Way("1 commit, then `git fetch --deepen=500`", 1, ("fetch", "-q", "--deepen=500")),
    Way("1 commit, then `git fetch --unshallow`", 1, UNSHALLOW),
    Way("1 commit, then `git fetch --unshallow --filter=blob:none`", 1, (*UNSHALLOW, BLOBLESS)),
    Way("50 commits and the cache", 50, is_cached=True),
)


class Clones:
    """Clones of a repository, one after the other at the same path."""

    def __init__(self, scratch: Path, repository: Path, folder: str, ending: str) -> None:
        self._url = repository.resolve().as_uri()
        self._clone = scratch / "clone"
        self._folder, self._ending = folder, ending
        config = scratch / "config"
        config.write_text("[uploadpack]\n allowFilter = true\n[safe]\n directory = *\n")
        self._environ = {**os.environ, "GIT_CONFIG_GLOBAL": str(config)}

    def _git(self, *arguments: str) -> str:
        command = ["git", *arguments]
        return subprocess.check_output(command, cwd=self._clone, env=self._environ, text=True)

    def get(self, depth: int = 0, fetch: tuple[str, ...] = ()) -> None:
        """Clone the repository, and fetch more if asked to. 0 is the whole history."""
        shutil.rmtree(self._clone, ignore_errors=True)
        self._clone.mkdir()
        how = ["--depth", str(depth)] if depth else []
        self._git("clone", "-q", "--single-branch", "--no-tags", *how, self._url, ".")
        if fetch:
            self._git(*fetch)

    def go_back(self, commits: int) -> None:
        """Check out an older commit."""
        self._git("reset", "-q", "--hard", f"HEAD~{commits}")

    def size(self) -> int:
        """The bytes of all packs."""
        return sum(file.stat().st_size for file in (self._clone / ".git/objects/pack").glob("*.pack"))

    def dated(self, cache: Path | None) -> tuple[int, int]:
        """Return the number of files with a date, and the number of all files."""
        files = sorted((self._clone / self._folder).rglob(f"*{self._ending}"))
        now = datetime.now(timezone.utc)
        dates = read_dates(files, now=now, cache=cache)
        stamps = [dates.find_stamp([file]) for file in files]
        return len(files) - stamps.count(None), len(files)


def processor_time(work: Callable[[], object]) -> float:
    """Return the seconds that this process and its child processes need."""
    start = sum(os.times()[:4])
    work()
    return sum(os.times()[:4]) - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repository", type=Path, required=True, metavar="GIT_DIR")
    parser.add_argument("--folder", default="doc", help="the folder of the sources")
    parser.add_argument("--ending", default=".rst", help="the ending of the sources")
    parser.add_argument("--write", action="store_true", help="write the table into speed.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        clones = Clones(scratch, given.repository, given.folder, given.ending)
        clones.get()
        clones.go_back(BEHIND)
        clones.dated(scratch / "cache")
        lines = ["| clone | git | download | dates | dated pages |", "|---|--:|--:|--:|--:|"]
        print(*lines, sep="\n")
        for way in WAYS:
            seconds = processor_time(lambda way=way: clones.get(way.depth, way.fetch))
            cache = scratch / "cache" if way.is_cached else None
            numbers: list[int] = []
            reading = processor_time(lambda cache=cache, numbers=numbers: numbers.extend(clones.dated(cache)))
            dated, files = numbers
            size = clones.size() / 1e6
            costs = f"{seconds:.1f} s | {size:.1f} MB | {reading:.2f} s"
            lines.append(f"| {way.name} | {costs} | {dated} of {files} |")
            print(lines[-1], flush=True)
    if given.write:
        before, start, rest = PAGE.read_text().partition("<!-- clones -->\n")
        _, end, after = rest.partition("<!-- /clones -->")
        PAGE.write_text("\n".join([before + start + lines[0], *lines[1:], end + after]))


if __name__ == "__main__":
    main()
