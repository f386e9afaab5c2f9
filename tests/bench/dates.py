"""Dates of 10,000 files from 50,000 commits, without a cache, against the ``git log`` that they come from.

    python tests/bench/dates.py [--repository DIR] [--old DIR]

``--repository`` dates the tracked files of a clone instead, and counts the files of a sample whose date is
not that of ``git log -1``.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from shared import Bench, Cost, Row, run, run_script, write_history

FILES, COMMITS, SAMPLE = 10_000, 50_000, 200
READ = """
import json, os, subprocess, sys
from inspect import signature
from datetime import datetime, timezone
from pathlib import Path
from sitemap_docs.config.options import Options
from sitemap_docs.history.page_dates import read_dates

try:
    from sitemap_docs.surroundings import Surroundings
    from sitemap_docs.urls.hosts import Platform
except ImportError:  # an older commit
    Surroundings = None

listed = subprocess.check_output(["git", "ls-files", "-z", "--", *sys.argv[1:]])
files = [Path(os.fsdecode(name)) for name in listed.split(b"\\0")[:-1]]
start = sum(os.times()[:4])
now = datetime(2100, 1, 1, tzinfo=timezone.utc)
none = Path(os.devnull)
if Surroundings:
    options = Options.of({"lastmod_ignore_revs": os.devnull})
    around = Surroundings(now=now, environ=os.environ, platform=Platform())
    older = {"root": Path.cwd()} if "root" in signature(read_dates).parameters else {}
    dates = read_dates(options, files, around=around, **older)
else:
    dates = read_dates(files, meaning="commit", now=now, ignore_revs=none, environ=os.environ)
find_stamp = getattr(dates, "find_stamp", None) or dates.of  # the name in an older commit
stamps = {str(file): find_stamp([file]) for file in files}
seconds = sum(os.times()[:4]) - start
print(json.dumps([seconds, {name: int(stamp.when.timestamp()) for name, stamp in stamps.items() if stamp}]))
"""
#: What the package asks git for, in the oldest version that has these switches.
LOG = ("log", "--full-history", "-c", "--raw", "--no-abbrev", "--no-renames", "-z", "--format=%H %ct %at")


def history(bench: Bench) -> Path:
    names = [f"docs/part{number % 97}/page{number}.md" for number in range(FILES)]
    return bench.made("history", partial(write_history, names=names, commits=COMMITS))


def measure(bench: Bench) -> Iterator[Row]:
    root = bench.given.repository or history(bench)
    work = "Dates of 10,000 files, 50,000 commits"
    below = ["docs"]
    if bench.given.repository:
        work, below = f"Dates of {root.resolve().name}", []
    floor, *ours = bench.best(
        [
            partial(run, ["git", *LOG, "HEAD", "--", *below], root),
            *(partial(_read, bench, checkout, root, below) for checkout in bench.checkouts),
        ]
    )
    costs = tuple((cost.seconds, floor.seconds) for cost in ours)
    yield Row(work, "s", "`git log`", costs)
    if bench.given.repository:
        check(bench, root)


def _read(bench: Bench, checkout: Path, root: Path, below: list[str]) -> Cost:
    seconds, _ = json.loads(bench.printed(checkout, root, "-c", READ, *below))
    return Cost(seconds, 0)


def check(bench: Bench, root: Path) -> None:
    """Prints how many files of a sample have another date than git gives them."""
    _, dates = json.loads(bench.printed(bench.checkouts[-1], root, "-c", READ))
    sample = random.Random(1).sample(sorted(dates), min(SAMPLE, len(dates)))
    wrong = 0
    for name in sample:
        command = ["git", "log", "-1", "--format=%ct", "--", name]
        wrong += int(subprocess.check_output(command, cwd=root)) != dates[name]
    print(f"{wrong} wrong of {len(sample)}, {len(dates)} dated")


if __name__ == "__main__":
    run_script(measure)
