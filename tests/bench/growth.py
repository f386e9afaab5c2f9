"""How time and memory grow: with the pages, the processes, the languages, the findings and the commits.

    python tests/bench/growth.py --sizes 10000 100000 1000000
    python tests/bench/growth.py --readers [NAMES...]

With ``--readers`` it measures the rows of ``readers.py``, all or those with one of the names: the work at a
size, at twice and at four times that, and prints the exponent. 1 is linear, and one above 1.1 is named. The
work is in instructions, which valgrind counts: no other program on the machine changes them.

Else each line has the seconds of the processor and those that passed, and the peak of the largest process.
``times`` is how much more the work is than for the size before: of ten times the pages, 10 is linear.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from math import log
from pathlib import Path
from time import perf_counter

import dates
from build import SITE
from readers import PRODUCTS, ROWS, Work
from shared import BASE, CODES, HERE, Bench, Cost, argument_parser, write_history, write_site

BUILD = ("build", *SITE, "--lastmod", "none", "-q")
CHECK = ("check", *SITE, "--select", "all", "--severity", "info", "--format", "json")
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
MAX_URLS = 50_000
FIRST, LARGEST = 32, 131_072
LEAST = 20_000_000  # instructions, for what does not grow to be small beside what does
MOST = 1.1


def grow(name: str, sizes: Sequence[int], prepare: Callable[[int], object], run: Callable[[], Cost]) -> None:
    """Prints what a piece of work costs for each size, and how many times as much as for the one before."""
    before = 0.0
    for size in sizes:
        prepare(size)
        start = perf_counter()
        cost = run()
        passed = perf_counter() - start
        times = f", times {cost.seconds / before:.1f}" if before else ""
        print(
            f"{name:28}{size:10,}: {cost.seconds:8.1f} s of processor, {passed:8.1f} s passed, "
            f"{cost.peak:7.0f} MB{times}",
            flush=True,
        )
        before = cost.seconds


def measure_readers(folder: Path, names: Sequence[str]) -> None:
    """Prints for each row how its work grows: the exponent, 1 where it is linear. Valgrind runs it."""
    for row in row_names():
        if names and not any(name in row for name in names):
            continue
        first = prepared(folder, row, 2)  # imports what it needs
        first.run()
        first.without()
        size = FIRST
        while True:
            works, sizes = [], []
            for number in (size, 2 * size, 4 * size):
                work = prepared(folder, row, number)
                works.append(counted(folder, work.run) - counted(folder, work.without))
                sizes.append(work.size)
            if works[0] > LEAST or size >= LARGEST:
                break
            size *= 8
        exponent = log(works[2] / works[0]) / log(sizes[2] / sizes[0])
        named = ", which is faster than its input" if exponent > MOST else ""
        print(f"{row:70}{size:10,}: {exponent:5.2f}{named}", flush=True)


def row_names() -> list[str]:
    """The rows of readers, each with the number of its text, and the products."""
    texts = [f"{name} {number}" for name, row in ROWS.items() for number in range(len(row.texts))]
    return [*texts, *PRODUCTS]


def prepared(folder: Path, row: str, size: int) -> Work:
    """What a row does at a size."""
    shutil.rmtree(folder / "row", ignore_errors=True)
    (folder / "row").mkdir()
    if row in PRODUCTS:
        return PRODUCTS[row](folder / "row", size)
    name, _, number = row.partition(" ")
    file = folder / "row" / ROWS[name].name
    file.write_text(ROWS[name].texts[int(number)].of(size))
    return Work(partial(ROWS[name].read, file), size)


def counted(folder: Path, run: Callable[[], object]) -> int:
    """The instructions of this process until now and of ``run``, in a copy of the process."""
    process = os.fork()
    if not process:
        run()
        os._exit(0)
    _, status = os.waitpid(process, 0)
    log_file = folder / str(process)
    found = re.search(r"I +refs: +([\d,]+)", log_file.read_text())
    assert status == 0, log_file.read_text()
    assert found, log_file.read_text()
    log_file.unlink()
    return int(found[1].replace(",", ""))


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--readers", action="store_true", help="measure the rows of readers.py")
    parser.add_argument("--logs", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if given.logs:
            measure_readers(given.logs, given.names)
            return
        if given.readers:
            valgrind = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
            command = (sys.executable, __file__, "--logs", scratch, *given.names)
            subprocess.run([*valgrind, f"--log-file={scratch}/%p", *command], check=True)
            return
        measure(Bench(Path(scratch), given), Path(scratch), given.sizes)


def measure(bench: Bench, folder: Path, sizes: Sequence[int]) -> None:
    def site(pages: int, languages: int = 0) -> None:
        shutil.rmtree(folder / "site", ignore_errors=True)
        write_site(folder / "site", pages, languages)

    def findings(number: int) -> None:
        """A small site whose sitemaps list so many pages that are not there."""
        site(100)
        names = []
        for first in range(0, number, MAX_URLS):
            urls = range(first, min(first + MAX_URLS, number))
            rows = "".join(f"<url><loc>{BASE}gone/{url}.html</loc></url>" for url in urls)
            names.append(f"sitemap-{len(names)}.xml")
            (folder / "site" / names[-1]).write_text(f'<urlset xmlns="{NAMESPACE}">{rows}</urlset>')
        children = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>" for name in names)
        index = f'<sitemapindex xmlns="{NAMESPACE}">{children}</sitemapindex>'
        (folder / "site/sitemap.xml").write_text(index)

    command = partial(bench.command, HERE, folder)
    grow("build, one process, pages", sizes, site, partial(command, *BUILD, "--jobs", "1"))
    grow("build, two processes, pages", sizes, site, partial(command, *BUILD, "--jobs", "2"))
    grow("build and check, pages", sizes, site, partial(command, *BUILD, "--check", "true"))
    languages = [1, 4, len(CODES)]
    grow("build, languages", languages, partial(site, sizes[0]), partial(command, *BUILD, "--jobs", "1"))
    grow("check, findings", sizes, findings, partial(command, *CHECK))

    def history(commits: int) -> None:
        root = folder / "history"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        write_history(root, [f"docs/part{each % 97}/page{each}.md" for each in range(sizes[0])], commits)

    grow("dates, commits", sizes, history, partial(bench.python, HERE, folder / "history", "-c", dates.READ))


if __name__ == "__main__":
    main()
