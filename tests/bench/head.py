"""Reading the head of a page, 2.8 KB, against the parser's part: lexbor's parse of the same bytes.

    python tests/bench/head.py [--site DIR] [--old DIR]

``--site`` reads the pages of a built site.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from shared import Bench, Row, run_script

READER = """
import sys
from pathlib import Path
from time import process_time
from selectolax.lexbor import LexborHTMLParser
from sitemap_docs.html.head import read_head

files = [str(file) for file in sorted(Path(sys.argv[1]).rglob("*.html"))[:2000]]
heads = [Path(file).read_bytes().partition(b"<body")[0] for file in files]
times = []
for _ in range(5):
    start = process_time()
    for file in files:
        read_head(file)
    middle = process_time()
    for head in heads:
        LexborHTMLParser(head)
    times.append((middle - start, process_time() - middle))
print(*(min(each) / len(files) * 1e6 for each in zip(*times)))
"""


def measure(bench: Bench) -> Iterator[Row]:
    site = bench.given.site or bench.sites()[-1] / "site"
    rounds = [[_read(bench, checkout, site) for checkout in bench.checkouts] for _ in range(bench.rounds)]
    best = [tuple(map(min, zip(*each, strict=True))) for each in zip(*rounds, strict=True)]
    yield Row("A page's head, 2.8 KB", "µs a page", "lexbor's parse", tuple(best))


def _read(bench: Bench, checkout: Path, site: Path) -> tuple[float, ...]:
    return tuple(map(float, bench.printed(checkout, bench.scratch, "-c", READER, site.resolve()).split()))


if __name__ == "__main__":
    run_script(measure)
