"""How time and memory grow: with the pages, the processes, the languages, the findings and the commits.

    python tests/bench/growth.py --sizes 10000 100000 1000000

Each line has the seconds of the processor and those that passed, and the peak of the largest process.
``times`` is how much more the work is than for the size before: of ten times the pages, 10 is linear.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter

import dates
from build import SITE
from shared import BASE, CODES, HERE, Bench, Cost, argument_parser, write_history, write_site

BUILD = ("build", *SITE, "--lastmod", "none", "-q")
CHECK = ("check", *SITE, "--select", "all", "--severity", "info", "--format", "json")
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
MAX_URLS = 50_000
DASK = f"""
from dask.distributed import Client, LocalCluster
from sitemap_docs.api import Spread, build
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            scan = Spread(executor=client.get_executor(), ahead=6, chunk=2048)
            build("site", base_url="{SITE[2]}", links="files", lastmod="none", scan=scan)
"""


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


def main() -> None:
    parser = argument_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
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
    (folder / "on_dask.py").write_text(DASK)
    grow("build, one process, pages", sizes, site, partial(command, *BUILD, "--jobs", "1"))
    grow("build, two processes, pages", sizes, site, partial(command, *BUILD, "--jobs", "2"))
    grow("build, Dask, pages", sizes, site, partial(bench.python, HERE, folder, folder / "on_dask.py"))
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
