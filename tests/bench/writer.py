"""Our writer beside npm's ``sitemap`` and a bare loop: ``python tests/bench/writer.py 1000000``.

Each way runs in a process of its own and writes the same URLs, each with one of 20,000 dates, as the pages of
a large repository have those of its commits. Making the entries is measured, too ("source"), and is part of
every number. npm's package is installed into a temporary folder; without npm, its row is left out. Ratios are
those of seconds; where other programs run, those of processor seconds say more.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sitemap_docs.config.options import Options
from sitemap_docs.model import Entry
from sitemap_docs.output.folder import Output
from sitemap_docs.output.writer import Layout, write_sitemap
from sitemap_docs.sitemap.reader import parse

BASE = "https://docs.example.org/en/latest/"
DATES = 20_000
PAGES = 1_000

NPM = """
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SitemapAndIndexStream, SitemapStream } from 'sitemap'

const [base, folder, ...numbers] = process.argv.slice(2)
const [number, dates, pages] = numbers.map(Number)
const begun = performance.now()
const stamp = (n) => new Date(Date.UTC(2020, 0, 1) + n * 6100000).toISOString()
const stamps = Array.from({ length: dates }, (_, n) => stamp(n))

function* entries() {
  let part
  for (let n = 0; n < number; n++) {
    if (n % pages == 0) part = `${base}part-${String(n / pages).padStart(6, '0')}/page-`
    yield { url: `${part}${n % pages + 1000}/`, lastmod: stamps[n * 7919 % dates] }
  }
}

if (folder == '-') {
  for (const _ of entries());
} else {
  const index = new SitemapAndIndexStream({
    limit: 50000,
    getSitemapStream: (i) => {
      const stream = new SitemapStream({ hostname: base, xmlns: {} })
      const file = createWriteStream(`${folder}/sitemap-${i}.xml`)
      return [new URL(`sitemap-${i}.xml`, base).toString(), stream, stream.pipe(file)]
    },
  })
  await pipeline(Readable.from(entries()), index, createWriteStream(`${folder}/sitemap.xml`))
}
const { user, system } = process.cpuUsage()
console.log((performance.now() - begun) / 1e3, (user + system) / 1e6, process.resourceUsage().maxRSS / 1024)
"""


class Cost(NamedTuple):
    """Seconds, processor seconds, peak memory in MiB."""

    seconds: float
    cpu: float
    memory: float

    def without(self, source: "Cost") -> "Cost":
        return Cost(self.seconds - source.seconds, self.cpu - source.cpu, self.memory)


def entries(number: int) -> Iterator[Entry]:
    start = datetime(2020, 1, 1, tzinfo=timezone.utc)
    dates = [start + timedelta(seconds=n * 6_100) for n in range(DATES)]
    for n in range(number):
        if n % PAGES == 0:
            part = f"{BASE}part-{n // PAGES:06}/page-"
        yield Entry(loc=f"{part}{n % PAGES + 1000}/", lastmod=dates[n * 7919 % DATES])


def source(number: int, _: Path) -> None:
    for _entry in entries(number):
        pass


def loop(number: int, folder: Path) -> None:
    with (folder / "sitemap.xml").open("w") as file:
        for entry in entries(number):
            file.write(f"<url><loc>{entry.loc}</loc><lastmod>{entry.lastmod.isoformat()}</lastmod></url>\n")


def ours(number: int, folder: Path) -> None:
    with Output(folder) as output:
        write_sitemap(entries(number), output, Layout(base=BASE, options=Options()))
        output.commit()


WAYS = {way.__name__: way for way in (source, loop, ours)}


def measured(way: str, number: int, packages: Path) -> Cost:
    with TemporaryDirectory() as folder:
        command = [sys.executable, __file__, str(number), "--way", way, "--folder", folder]
        if way.startswith("npm"):
            target = "-" if way == "npm source" else folder
            command = ["node", "bench.mjs", BASE, target, *map(str, (number, DATES, PAGES))]
        done = subprocess.run(command, cwd=packages, check=True, capture_output=True, text=True)
        if way in {"ours", "npm"}:
            files = [file for file in Path(folder).glob("*.xml") if parse(file).kind == "urlset"]
            listed = sum(file.read_bytes().count(b"<loc>") for file in files)
            assert listed == number, f"{way} wrote {listed} URLs, not {number}"
        return Cost(*map(float, done.stdout.split()))


def installed(packages: Path) -> bool:
    if not shutil.which("npm"):
        return False
    (packages / "bench.mjs").write_text(NPM)
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "sitemap@9"]
    subprocess.run(install, cwd=packages, check=True, capture_output=True)
    return True


def compare(number: int, repeat: int, *, npm: bool) -> None:
    with TemporaryDirectory() as folder:
        packages = Path(folder)
        ways = [*WAYS, *(["npm source", "npm"] if npm and installed(packages) else [])]
        # Each way in turn, so that what else the machine does falls on all.
        rounds = [{way: measured(way, number, packages) for way in ways} for _ in range(repeat)]
    best = {way: Cost(*map(min, zip(*(each[way] for each in rounds), strict=True))) for way in ways}
    print(f"{number:,} URLs, best of {repeat}:  seconds, processor seconds, URLs a second, peak memory")
    for way, cost in best.items():
        rate = number / cost.seconds
        print(f"  {way:11}{cost.seconds:8.2f}{cost.cpu:8.2f}{rate:12,.0f}{cost.memory:8.1f} MiB")
    print_ratio("ours / loop", best["ours"], best["loop"])
    writing = best["ours"].without(best["source"])
    print_ratio("ours / loop, without source", writing, best["loop"].without(best["source"]))
    if "npm" in best:
        print_ratio("npm / ours", best["npm"], best["ours"])
        print_ratio("npm / ours, without source", best["npm"].without(best["npm source"]), writing)


def print_ratio(name: str, one: Cost, two: Cost) -> None:
    print(f"  {name}: {one.seconds / two.seconds:.2f} (processor seconds: {one.cpu / two.cpu:.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--no-npm", action="store_true")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.way:
        compare(given.number, given.repeat, npm=not given.no_npm)
        return
    begun = time.perf_counter()
    WAYS[given.way](given.number, given.folder)
    seconds, usage = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    print(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
