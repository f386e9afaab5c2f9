"""The cache of dates in random histories: is a date wrong or lost, and how many are added to shallow clones?

    python tests/bench/date_cache.py [--histories 300] [--first SEED]

Clones of each history follow each other at one path and share one cache: whole, shallow, deeper, shallower,
without the contents of files, older and rebased ones. Each date is compared with git's in the whole history.
It takes about three minutes, and ends with status 1 if a date is wrong or lost.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from shared import HERE

sys.path.insert(0, str(HERE))

from tests.history.histories import run_trials


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--histories", type=int, default=300)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = run_trials(Path(folder), range(given.first, given.first + given.histories))
    print(f"{given.histories} histories, {counts.builds:,} builds, {counts.files:,} files")
    print(f"{counts.missing:,} dates were missing, {counts.found:,} of them were in the cache")
    print(f"{len(counts.problems)} dates were wrong or lost")
    for problem in counts.problems:
        print(f"  {problem}")
    return 1 if counts.problems else 0


if __name__ == "__main__":
    sys.exit(main())
