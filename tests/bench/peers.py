"""The same work by sitemap-docs and by other generators, each in a way that its manual shows.

    python tests/bench/peers.py [--generate-sitemap DIR]

npm's packages are installed into a temporary folder, and so is sphinx-last-updated-by-git. generate-sitemap
is a GitHub Action: ``--generate-sitemap`` names a clone of its repository. What cannot be installed is left
out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import dates
from build import BUILD
from shared import BASE, Bench, Cost, run, run_script, write_history, write_site
from write import URLS, write

NPM = {"sitemap": "9.0.1", "static-sitemap-cli": "2.2.8"}
UPDATED_BY_GIT = "sphinx-last-updated-by-git==0.3.8"
TRACKED, COMMITS = 2_000, 200
BUILD_TRACKED = ("build", ".", "--source", ".", "--base-url", BASE, "--links", "files", "--no-cache", "-q")
STREAM = """
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SitemapAndIndexStream, SitemapStream } from 'sitemap'

const [base, folder, urls] = process.argv.slice(2)
const stamp = (n) => new Date(Date.UTC(2020, 0, 1) + n * 6100000).toISOString()
const stamps = Array.from({ length: 20000 }, (_, n) => stamp(n))

function* entries() {
  let part
  for (let n = 0; n < Number(urls); n++) {
    if (n % 1000 == 0) part = `${base}part-${String(n / 1000).padStart(6, '0')}/page-`
    yield { url: `${part}${n % 1000 + 1000}/`, lastmod: stamps[n * 7919 % 20000] }
  }
}

const index = new SitemapAndIndexStream({
  limit: 50000,
  getSitemapStream: (i) => {
    const stream = new SitemapStream({ hostname: base, xmlns: {} })
    const file = createWriteStream(`${folder}/sitemap-${i}.xml`)
    return [new URL(`sitemap-${i}.xml`, base).toString(), stream, stream.pipe(file)]
  },
})
await pipeline(Readable.from(entries()), index, createWriteStream(`${folder}/sitemap.xml`))
"""
UPDATED = """
import json, os, subprocess
from collections import defaultdict
from pathlib import Path
from sphinx_last_updated_by_git import update_file_dates

below = defaultdict(dict)
for name in subprocess.check_output(["git", "ls-files", "-z"]).split(b"\\0")[:-1]:
    file = Path(os.fsdecode(name))
    below[Path.cwd() / file.parent][file.name] = None
for folder, dates in below.items():
    update_file_dates(folder, set(), dates)
"""


class Peer(NamedTuple):
    """A generator, by name and version; seconds of it and of sitemap-docs; None where it is not there."""

    work: str
    name: str
    command: str
    peer: float | None = None
    ours: float = 0

    def __str__(self) -> str:
        if self.peer is None:
            return f"{self.name} is left out: it is not installed"
        return f"{self.work}: {self.name} {self.peer:.2f} s, sitemap-docs {self.ours:.2f} s"


def measure(bench: Bench) -> Iterator[Peer]:
    compared = partial(_compared, bench)
    packages = bench.made("packages", _install)
    site = bench.sites()[-1]
    scripts = packages / "node_modules/.bin"
    here = bench.checkouts[-1]

    (packages / "stream.mjs").write_text(STREAM)
    yield compared(
        Peer(f"Write {URLS:,} URLs", f"sitemap {NPM['sitemap']} (npm)", "`SitemapAndIndexStream`"),
        packages / "node_modules/sitemap",
        partial(run, ["node", "stream.mjs", BASE, packages, str(URLS)], packages),
        partial(write, bench, here),
    )
    yield compared(
        Peer(
            f"{bench.pages:,} pages of 3 KB, without dates",
            f"static-sitemap-cli {NPM['static-sitemap-cli']} (npm)",
            "`sscli --base URL --root site`",
        ),
        scripts / "sscli",
        partial(run, [scripts / "sscli", "--base", BASE, "--root", site / "site", "--no-clean"], packages),
        partial(bench.command, here, site, *BUILD),
    )
    tracked = bench.made("tracked", _write_tracked)
    yield compared(
        Peer(
            f"{TRACKED:,} tracked pages, {COMMITS} commits",
            f"generate-sitemap {_version(bench.given.generate_sitemap)} (GitHub Action)",
            "`generatesitemap.py . URL true false xml`",
        ),
        bench.given.generate_sitemap,
        partial(_generate_sitemap, bench, tracked),
        partial(bench.command, here, tracked, *BUILD_TRACKED),
    )
    yield compared(
        Peer(
            f"Dates of {TRACKED:,} files, {COMMITS} commits",
            f"{UPDATED_BY_GIT.replace('==', ' ')} (Sphinx)",
            "`update_file_dates` for each folder",
        ),
        packages / "sphinx_last_updated_by_git.py",
        partial(run, [sys.executable, "-c", UPDATED], tracked, {"PYTHONPATH": str(packages)}),
        partial(bench.python, here, tracked, "-c", dates.READ),
    )


def _compared(
    bench: Bench, peer: Peer, installed: Path | None, theirs: Callable[[], Cost], ours: Callable[[], Cost]
) -> Peer:
    if installed is None or not installed.exists():
        return peer
    costs = bench.best([theirs, ours], rounds=1)
    return peer._replace(peer=costs[0].seconds, ours=costs[1].seconds)


def _install(folder: Path) -> None:
    npm, uv = shutil.which("npm"), shutil.which("uv")
    wanted = [f"{name}@{version}" for name, version in NPM.items()]
    if npm:
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", *wanted]
        subprocess.run(install, cwd=folder, check=False)
    if uv:
        install = [uv, "pip", "install", "--quiet", "--python", sys.executable, "--no-deps"]
        subprocess.run([*install, "--target", folder, UPDATED_BY_GIT], check=False)


def _write_tracked(folder: Path) -> None:
    write_site(folder, TRACKED)
    pages = [file.relative_to(folder).as_posix() for file in folder.rglob("*.html")]
    texts = {name: (folder / name).read_text() for name in pages}
    write_history(folder, sorted(pages), COMMITS)
    for name, text in texts.items():
        (folder / name).write_text(text)


def _generate_sitemap(bench: Bench, folder: Path) -> Cost:
    """It takes nine arguments, and changes git's configuration for all repositories."""
    script = (bench.given.generate_sitemap / "generatesitemap.py").resolve()
    arguments = [".", BASE, "true", "false", "xml", "", "false", "false", ""]
    return run([sys.executable, script, *arguments], folder, {"HOME": str(bench.scratch)})


def _version(clone: Path | None) -> str:
    if clone is None:
        return ""
    told = ["git", "describe", "--tags", "--always"]
    return subprocess.run(told, cwd=clone, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    run_script(measure)
