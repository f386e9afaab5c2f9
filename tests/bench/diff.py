"""``diff`` of two sitemaps of 200,000 URLs each, against ``sort`` and ``comm`` of their locs.

One URL in a hundred is removed, one in a hundred added, and two in a hundred have another date.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from shared import BASE, Bench, Row, run, run_script

URLS, PART = 200_000, 50_000
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
SORT = """
for side in old new; do
    grep -oh '<loc>[^<]*page[^<]*' $side/*.xml | sort >$side.locs
done
comm -3 old.locs new.locs | wc -l
"""


def write_sitemaps(folder: Path) -> None:
    for side, left_out in (("old", 0), ("new", 1)):
        (folder / side).mkdir()
        index = ""
        for start in range(0, URLS, PART):
            rows = ""
            for number in range(start, start + PART):
                if number % 100 == left_out:
                    continue
                day = 2 if side == "new" and number % 100 in (2, 3) else 1
                loc = f"{BASE}section-{number // 100:06}/page-{number:07}/"
                rows += f"<url><loc>{loc}</loc><lastmod>2026-01-0{day}T10:20:30Z</lastmod></url>\n"
            name = f"part-{start}.xml"
            (folder / side / name).write_text(f"<urlset {NS}>\n{rows}</urlset>\n")
            index += f"<sitemap><loc>{BASE}{name}</loc></sitemap>\n"
        (folder / side / "sitemap.xml").write_text(f"<sitemapindex {NS}>\n{index}</sitemapindex>\n")


def measure(bench: Bench) -> Iterator[Row]:
    folder = bench.made("diff", write_sitemaps)
    command = ("diff", "old/sitemap.xml", "new/sitemap.xml", "-q")
    floor, *ours = bench.best(
        [
            partial(run, ["sh", "-ec", SORT], folder, {"LC_ALL": "C"}),
            *(partial(bench.command, checkout, folder, *command) for checkout in bench.checkouts),
        ]
    )
    costs = tuple((cost.seconds, floor.seconds) for cost in ours)
    yield Row(f"`diff` of two sitemaps with {URLS:,} URLs", "s", "`sort` and `comm`", costs)


if __name__ == "__main__":
    run_script(measure)
