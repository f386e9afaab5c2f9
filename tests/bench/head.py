"""What reading the heads of a built site costs: open and read alone, read_head, and BeautifulSoup.

    python tests/bench/head.py [--pages 2000] [--theme furo] [--site DIR --base-url URL]

Without ``--site`` it builds a Sphinx project. Prints microseconds per page (best of five rounds) and how many
pages are ordinary. ``whole`` is BeautifulSoup over whole pages, on a sample of 50.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bs4 import BeautifulSoup

from sitemap_docs.html.head import FIRST_READ, ORDINARY, parse_head, read_head
from sitemap_docs.urls import Base

PAGE = (
    "Page {0}\n========\n\n.. meta::\n   :description: What page {0} says & more\n\n"
    + "A paragraph.\n\n" * 40
)


def build(folder: Path, pages: int, theme: str) -> Path:
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(f"html_baseurl = 'https://example.org/docs/'\nhtml_theme = {theme!r}\n")
    names = [f"page{number}" for number in range(pages)]
    for name in names:
        (source / f"{name}.rst").write_text(PAGE.format(name))
    (source / "index.rst").write_text(
        "Index\n=====\n\n.. toctree::\n\n" + "".join(f"   {n}\n" for n in names[:50])
    )
    command = [sys.executable, "-m", "sphinx", "-Q", "-j", "auto", "-b", "html", source, folder / "html"]
    subprocess.run(command, check=True)
    return folder / "html"


def just_read(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    os.read(descriptor, FIRST_READ)
    os.close(descriptor)


def measure(name: str, call, pages, rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = perf_counter()
        for page in pages:
            call(*page)
        times.append(perf_counter() - start)
    best = min(times) / len(pages) * 1e6
    print(f"{name:28}{best:10.1f} µs a page")
    return best


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--pages", type=int, default=2000)
    arguments.add_argument("--theme", default="alabaster")
    arguments.add_argument("--site", type=Path)
    arguments.add_argument("--base-url", default="https://example.org/docs/")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = given.site or build(Path(folder), given.pages, given.theme)
        base = Base.of(given.base_url)
        files = sorted(site.rglob("*.html"))
        pages = [(file, base.loc(file.relative_to(site).as_posix())) for file in files]
        ordinary = sum(read_head(*page) is ORDINARY for page in pages)
        print(
            f"{len(pages)} pages, {ordinary} of them ordinary, {sum(f.stat().st_size for f in files)} bytes"
        )
        plain = measure("open and read", lambda file, _: just_read(file), pages)
        cheap = measure("read_head", read_head, pages)
        head = measure(
            "parse_head of every page", lambda file, _: parse_head(file.read_bytes()), pages[:200], 1
        )
        whole = measure("whole", lambda file, _: BeautifulSoup(file.read_bytes(), "lxml"), pages[:50], 1)
        ratios = f"parse_head {head / cheap:.0f}, whole {whole / cheap:.0f} times read_head"
        print(f"the look costs {cheap - plain:.1f} µs; {ratios}")


if __name__ == "__main__":
    main()
