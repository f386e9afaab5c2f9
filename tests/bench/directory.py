"""Pages a second of ``sitemap-docs build``, against the floor: ``find``, and reading 16 KB of each file.

    python tests/bench/directory.py --pages 100000 --size 300 --jobs 1 2 --dask

Each round measures all, one after the other; the ratio is that of the best rounds. Times are of the wall
clock, and of the processors (all processes); on a busy machine only the second means something.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
DASK = """
import sys
from pathlib import Path
from dask.distributed import Client, LocalCluster
from sitemap_docs.folder.site import open_folder
from sitemap_docs.pipeline import publish
from sitemap_docs.scan import Spread
if __name__ == "__main__":
    site, base, jobs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            opened = open_folder({"folder": site, "base_url": base, "links": "files", "lastmod": "none"})
            scan = Spread(executor=client.get_executor(), ahead=jobs * 3, chunk=2048)
            publish(opened.site, opened.pages(print), (), scan=scan)
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


def measure(command: list[str]) -> tuple[float, float]:
    """Seconds of the wall clock and of the processors."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands(site: Path, arguments: argparse.Namespace) -> dict[str, list[str]]:
    build = ["build", str(site), "--base-url", BASE, "--lastmod", "none", "--links", "files", "-q"]
    return {
        "floor": [sys.executable, "-c", FLOOR, str(site)],
        **{
            f"{jobs} job{'s' * (jobs > 1)}": [
                sys.executable,
                "-m",
                "sitemap_docs",
                *build,
                "--jobs",
                str(jobs),
            ]
            for jobs in arguments.jobs
        },
        **(
            {
                f"Dask, {os.cpu_count()}": [
                    sys.executable,
                    str(site.parent / "on_dask.py"),
                    str(site),
                    BASE,
                    str(os.cpu_count()),
                ]
            }
            if arguments.dask
            else {}
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=300, help="bytes a page")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dask", action="store_true", help="also on a LocalCluster, one worker a core")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder, "site")
        write_site(site, arguments.pages, arguments.size)
        Path(folder, "on_dask.py").write_text(DASK)
        ways = commands(site, arguments)
        rounds = [{name: measure(command) for name, command in ways.items()} for _ in range(arguments.rounds)]
        best = {name: tuple(min(each[name][clock] for each in rounds) for clock in (0, 1)) for name in ways}
        print(f"{arguments.pages} pages of about {arguments.size} bytes, best of {arguments.rounds}")
        for name, (wall, processors) in best.items():
            share = [best["floor"][clock] / best[name][clock] for clock in (0, 1)]
            print(
                f"{name:>10}: {arguments.pages / wall:9,.0f} pages/s ({share[0]:4.0%} of the floor), "
                f"{processors / arguments.pages * 1e6:6.1f} µs of processor a page ({share[1]:4.0%})"
            )
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(f"largest process: {peak} MB")
        shutil.rmtree(site)


if __name__ == "__main__":
    main()
