"""Pages a second of ``sitemap-docs build``, against the floor: ``find``, and reading 16 KB of each file.

    git worktree add ../old COMMIT
    python tests/bench/directory.py [--old ../old] --pages 100000 --size 300 --jobs 1 2 --dask

Each round measures all, one after the other; the ratio is that of the best rounds. Times are of the wall
clock, and of the processors (all processes); on a busy machine only the second means something.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parents[2]
BASE = "https://docs.example.org/"
HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Page {number}</title><link rel="canonical" href="{loc}"><link rel="stylesheet" href="/s.css"></head>
<body><main><h1>Page {number}</h1>"""
FLOOR = """
import os, subprocess, sys
find = ["find", sys.argv[1], "-name", "*.html", "-print0"]
names = subprocess.run(find, capture_output=True, check=True).stdout
for name in names.split(b"\\0")[:-1]:
    descriptor = os.open(name, os.O_RDONLY)
    os.read(descriptor, 16384)
    os.close(descriptor)
"""
BUILD = """
import os, sys
sys.path.insert(0, os.environ["CHECKOUT"])
import sitemap_docs.__main__
"""
DASK = """
import sys
from dask.distributed import Client, LocalCluster
from sitemap_docs.api import Spread, build
if __name__ == "__main__":
    site, base, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            scan = Spread(executor=client.get_executor(), ahead=jobs * 3, chunk=2048)
            build(site, base_url=base, lastmod="none", scan=scan)
"""


def write_site(root: Path, pages: int, size: int) -> None:
    filler = "<p>Lorem ipsum dolor sit amet.</p>\n"
    for number in range(pages):
        name = f"{number // 10_000:03}/{number // 100 % 100:02}/{number % 100:02}.html"
        file = root / name
        if number % 100 == 0:
            file.parent.mkdir(parents=True)
        head = HEAD.format(number=number, loc=BASE + name)
        file.write_text(head + filler * max(0, (size - len(head)) // len(filler)) + "</main></body></html>\n")


def measure(command: list[str], checkout: Path = HERE) -> tuple[float, float]:
    """Seconds of the wall clock and of the processors."""
    environ = os.environ | {"CHECKOUT": str(checkout), "PYTHONSAFEPATH": "1"}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environ)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands(folder: Path, arguments: argparse.Namespace) -> dict[str, tuple[list[str], Path]]:
    """What is measured, and the checkout that it runs; each checkout builds a copy of its own."""
    site, python, cores = folder / "new", sys.executable, str(os.cpu_count())
    found = {"floor": ([python, "-c", FLOOR, str(site)], HERE)}
    for name, checkout in (("old", arguments.old), ("new", HERE)):
        build = [python, "-c", BUILD, "build", str(folder / name), "--base-url", BASE, "--lastmod", "none"]
        for jobs in arguments.jobs if checkout else ():
            found[f"{name}, --jobs {jobs}"] = (
                [*build, "--links", "files", "-q", "--jobs", str(jobs)],
                checkout,
            )
    if arguments.dask:
        found[f"Dask, {cores}"] = ([python, str(folder / "on_dask.py"), str(site), BASE, cores], HERE)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", type=Path, help="a worktree of another commit")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=300, help="bytes a page")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dask", action="store_true", help="also on a LocalCluster, one worker a core")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in ("old", "new") if arguments.old else ("new",):
            write_site(folder / name, arguments.pages, arguments.size)
        (folder / "on_dask.py").write_text(DASK)
        ways = commands(folder, arguments)
        rounds = [{name: measure(*way) for name, way in ways.items()} for _ in range(arguments.rounds)]
    best = {name: [min(each[name][clock] for each in rounds) for clock in (0, 1)] for name in ways}
    print(f"{arguments.pages:,} pages of about {arguments.size} bytes, best of {arguments.rounds}")
    for name, (wall, processors) in best.items():
        share = [best["floor"][clock] / best[name][clock] for clock in (0, 1)]
        print(
            f"{name:>13}: {arguments.pages / wall:9,.0f} pages/s ({share[0]:4.0%} of the floor), "
            f"{processors / arguments.pages * 1e6:6.1f} µs of processor a page ({share[1]:4.0%})"
        )
    print(f"largest process: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
