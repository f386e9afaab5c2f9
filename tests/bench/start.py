"""Starting: the import that ``conf.py`` causes, ``--version`` and ``--help``, against Python's own start."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from shared import Bench, Row, run_script

STARTS = {
    "`import sitemap_docs`": ("-c", "import sitemap_docs"),
    "`sitemap-docs --version`": ("-m", "sitemap_docs", "--version"),
    "`sitemap-docs --help`": ("-m", "sitemap_docs", "--help"),
}


def measure(bench: Bench) -> Iterator[Row]:
    ways = [partial(bench.python, bench.checkouts[-1], bench.scratch, "-c", "")]
    for arguments in STARTS.values():
        ways += [partial(bench.python, checkout, bench.scratch, *arguments) for checkout in bench.checkouts]
    floor, *costs = [cost.seconds * 1e3 for cost in bench.best(ways, rounds=5 * bench.rounds)]
    for work in STARTS:
        of_work = [costs.pop(0) for _ in bench.checkouts]
        yield Row(work, "ms", "Python's start", tuple((cost, floor) for cost in of_work))


if __name__ == "__main__":
    run_script(measure)
