"""``build`` of a folder in one process, without dates, against opening each file and reading it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from shared import BASE, Bench, Row, run_script

FLOOR = """
import os
for folder, _, names in os.walk("site"):
    for name in names:
        descriptor = os.open(os.path.join(folder, name), os.O_RDONLY)
        os.read(descriptor, 16384)
        os.close(descriptor)
"""
SITE = ("site", "--base-url", BASE, "--links", "files")
BUILD = ("build", *SITE, "--lastmod", "none", "--jobs", "1", "-q")


def measure(bench: Bench) -> Iterator[Row]:
    places = list(zip(bench.checkouts, bench.sites(), strict=True))
    floor, *builds = bench.best(
        [
            partial(bench.python, *places[-1], "-c", FLOOR),
            *(partial(bench.command, *place, *BUILD) for place in places),
        ]
    )
    costs = tuple((cost.seconds / bench.pages * 1e6, floor.seconds / bench.pages * 1e6) for cost in builds)
    yield Row("`build` of a folder, one process", "µs a page", "reading the files", costs)


if __name__ == "__main__":
    run_script(measure)
