"""Writing 1,000,000 URLs with dates, against a bare loop that writes the same lines.

Making the entries, with 20,000 different dates, is part of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from shared import Bench, Cost, Row, run_script

URLS = 1_000_000
ENTRIES = """
import sys
from datetime import datetime, timedelta, timezone
from sitemap_docs.model import Entry

BASE = "https://docs.example.org/en/latest/"

def entries(number):
    start = datetime(2020, 1, 1, tzinfo=timezone.utc)
    dates = [start + timedelta(seconds=each * 6_100) for each in range(20_000)]
    for each in range(number):
        if each % 1000 == 0:
            part = f"{BASE}part-{each // 1000:06}/page-"
        yield Entry(loc=f"{part}{each % 1000 + 1000}/", lastmod=dates[each * 7919 % 20_000])
"""
LOOP = """
with open("loop.xml", "w") as file:
    for entry in entries(int(sys.argv[1])):
        file.write(f"<url><loc>{entry.loc}</loc><lastmod>{entry.lastmod.isoformat()}</lastmod></url>\\n")
"""
OURS = """
from pathlib import Path
from sitemap_docs.config.options import Options
from sitemap_docs.output.writer import Layout, write_sitemap
try:
    from sitemap_docs.output.transaction import Output
except ImportError:  # an older checkout
    from sitemap_docs.output.folder import Output

with Output(Path("ours")) as output:
    write_sitemap(entries(int(sys.argv[1])), output, Layout(base=BASE, options=Options()))
    output.commit()
"""


def measure(bench: Bench, urls: int = URLS) -> Iterator[Row]:
    floor, *ours = bench.best(
        [
            partial(bench.python, bench.checkouts[-1], bench.scratch, "-c", ENTRIES + LOOP, str(urls)),
            *(partial(write, bench, checkout, urls) for checkout in bench.checkouts),
        ]
    )
    yield Row(
        f"Write {urls:,} URLs", "s", "a bare loop", tuple((cost.seconds, floor.seconds) for cost in ours)
    )


def write(bench: Bench, checkout: Path, urls: int = URLS) -> Cost:
    (bench.scratch / "ours").mkdir(exist_ok=True)
    return bench.python(checkout, bench.scratch, "-c", ENTRIES + OURS, str(urls))


if __name__ == "__main__":
    run_script(measure)
