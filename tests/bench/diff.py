"""``sitemap-docs diff`` of two sites, against the floor: ``sort`` and ``comm`` on the loc lines.

    python tests/bench/diff.py [URLS] [--foreign]

Both sites are written by sitemap-docs as an index of shards; one URL in a hundred is removed, one in a
hundred added, and two in a hundred have another date. ``--foreign``: by somebody else, in no order, indented.
Seconds are of the processor (user and system, all processes), since a busy machine stretches the others. The
floor gets the locs only: ``grep`` takes them out of the XML first, and that is reported apart.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from sitemap_docs.config.options import Options
from sitemap_docs.model import Entry
from sitemap_docs.output.folder import Output
from sitemap_docs.output.writer import Layout, write_sitemap

BASE = "https://docs.example.org/"
JANUARY, MAY = (datetime(2026, month, 31, 10, 20, 30, tzinfo=timezone.utc) for month in (1, 5))
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def entries(number: int, *, new: bool) -> list[Entry]:
    kept = (each for each in range(number) if each % 100 != (1 if new else 0))
    dates = (MAY, JANUARY)
    return [
        Entry(
            loc=f"{BASE}en/latest/section-{each // 100:06}/page-{each:07}/",
            lastmod=dates[0] if new and each % 100 in (2, 3) else dates[1],
        )
        for each in kept
    ]


def ours(folder: Path, listed: list[Entry]) -> None:
    with Output(folder) as output:
        write_sitemap(listed, output, Layout(base=BASE, options=Options()))
        output.commit()


def foreign(folder: Path, listed: list[Entry]) -> None:
    """Sitemaps of 50,000 in no order, as a pretty-printer writes them."""
    random.Random(1).shuffle(listed)
    names = []
    for start in range(0, len(listed), 50_000):
        rows = (f"  <url>\n    {_fields(entry)}\n  </url>\n" for entry in listed[start : start + 50_000])
        names.append(f"part-{start}.xml")
        (folder / names[-1]).write_text(f"<urlset {NS}>\n{''.join(rows)}</urlset>\n")
    locs = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>" for name in names)
    (folder / "sitemap.xml").write_text(f"<sitemapindex {NS}>{locs}</sitemapindex>")


def _fields(entry: Entry) -> str:
    return f"<loc>{entry.loc}</loc>\n    <lastmod>{entry.lastmod:%Y-%m-%dT%H:%M:%SZ}</lastmod>"


class Cost:
    """Processor seconds of the commands since the last look."""

    def __init__(self) -> None:
        self._before = self._now()

    @staticmethod
    def _now() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def seconds(self) -> float:
        before, self._before = self._before, self._now()
        return self._before - before


def shell(script: str, folder: Path) -> str:
    environ = os.environ | {"LC_ALL": "C"}
    done = subprocess.run(
        ["bash", "-ec", script], cwd=folder, env=environ, capture_output=True, text=True, check=True
    )
    return done.stdout


# The command ends with an exit status; atexit tells the memory after that. ru_maxrss would tell our own, too.
CODE = """
import atexit, sys
@atexit.register
def tell():
    status = open("/proc/self/status").read()
    print(status.partition("VmHWM:")[2].split()[0], file=sys.stderr)
from sitemap_docs.__main__ import main
main()
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("urls", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--foreign", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for name in ("old", "new"):
            (root / name).mkdir()
            (foreign if asked.foreign else ours)(root / name, entries(asked.urls, new=name == "new"))
        measure(root, asked.urls)


def measure(root: Path, number: int) -> None:
    cost = Cost()
    shell("for s in old new; do grep -oh '<loc>[^<]*en/[^<]*' $s/*.xml >$s.locs; done", root)
    grep = cost.seconds()
    removed = shell(
        "for s in old new; do sort $s.locs >$s.sorted; done; comm -23 old.sorted new.sorted | wc -l", root
    )
    floor = cost.seconds()
    command = [sys.executable, "-c", CODE, "diff", "old/sitemap.xml", "new/sitemap.xml"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    diff = cost.seconds()
    said = done.stdout.partition("\n")[0]
    if f"{int(removed):,} removed" not in said:
        sys.exit(f"the floor says {removed} removed, we say {said}")
    print(said)
    print(f"floor: sort and comm {floor:.2f} s; with grep {floor + grep:.2f} s")
    print(
        f"sitemap-docs diff: {diff:.2f} s, {diff / floor:.1f} and {diff / (floor + grep):.1f} times the floor"
    )
    print(f"{2 * number / diff:,.0f} URLs a second; peak memory {int(done.stderr.split()[-1]) // 1024} MiB")


if __name__ == "__main__":
    main()
