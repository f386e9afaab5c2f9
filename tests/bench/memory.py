"""Memory of ``build`` with dates and of ``check``: what a page adds to the peak of the process.

A page adds the difference between a site of a tenth of the pages and one of all. What runs before those that
count compiles the modules: that takes more memory than a small build, and most for the first checkout, for
which those of Python are compiled as well.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from build import SITE
from shared import Bench, Row, run_script

COMMANDS = {
    "Memory, `build` with dates": ("build", *SITE, "--source", "src", "--jobs", "1", "-q"),
    "Memory, `check`": ("check", *SITE),
}


def write_sources(folder: Path) -> None:
    """A repository with a source for each page of the site, committed at once."""
    site, sources = folder / "site", folder / "src"
    for page in site.rglob("*.html"):
        source = sources / page.relative_to(site).with_suffix(".md")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("# Page\n")
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "All")):
        subprocess.run(["git", *command], cwd=sources, check=True)


def measure(bench: Bench) -> Iterator[Row]:
    pages = (max(bench.pages // 10, 100), bench.pages)
    peaks: dict[str, list[list[float]]] = {name: [[] for _ in bench.checkouts] for name in COMMANDS}
    for number in pages:
        places = list(zip(bench.checkouts, bench.sites(number), strict=True))
        for _, folder in places:
            if not (folder / "src").exists():
                write_sources(folder)
        for name, command in COMMANDS.items():
            ways = [partial(bench.command, *place, *command) for place in places]
            for way in ways:
                way()
            for place, cost in enumerate(bench.best(ways)):
                peaks[name][place].append(cost.peak)
    for name in COMMANDS:
        costs = tuple(((many - few) * 1024 / (pages[1] - pages[0]), 0.0) for few, many in peaks[name])
        yield Row(name, "KB a page", "", costs)


if __name__ == "__main__":
    run_script(measure)
