"""``build --check``, ``check``, ``explain`` and ``report`` of a folder, against its ``build``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from build import BUILD, SITE
from shared import Bench, Row, run_script

COMMANDS = {
    "`build --check`": (*BUILD, "--check", "true"),
    "`check`": ("check", *SITE),
    "`check --select all`": ("check", *SITE, "--select", "all"),
    "`explain` of one page": ("explain", "site", "000/00/01.html", *SITE[1:]),
    "`report`": ("report", *SITE, "--output", "report.html"),
}


def measure(bench: Bench) -> Iterator[Row]:
    places = list(zip(bench.checkouts, bench.sites(), strict=True))
    commands = [BUILD, *COMMANDS.values()]
    costs = bench.best([partial(bench.command, *place, *each) for each in commands for place in places])
    builds, *others = [
        [cost.seconds for cost in costs[start : start + len(places)]]
        for start in range(0, len(costs), len(places))
    ]
    for work, seconds in zip(COMMANDS, others, strict=True):
        yield Row(work, "s", "`build`", tuple(zip(seconds, builds, strict=True)))


if __name__ == "__main__":
    run_script(measure)
