"""What reading the heads of a built site costs: open and read alone, read_head, read_page.

    python tests/bench/head.py [--pages 2000] [--theme furo] [--site DIR] [--languages 10]

Without ``--site`` it builds a Sphinx project. ``--languages`` adds as many hreflang links to each page. It
prints microseconds of the processor per page, the best of five rounds.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import process_time

from sitemap_docs.html.head import FIRST_READ, read_head
from sitemap_docs.html.page import read_page

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


def add_languages(files: list[Path], number: int) -> None:
    links = "".join(
        f'<link rel="alternate" hreflang="l{each}" href="https://example.org/{each}/">'
        for each in range(number)
    )
    for file in files:
        file.write_bytes(file.read_bytes().replace(b"</head>", f"{links}</head>".encode(), 1))


def measure(name: str, call, files: list[Path], rounds: int = 5) -> None:
    times = []
    for _ in range(rounds):
        start = process_time()
        for file in files:
            call(file)
        times.append(process_time() - start)
    print(f"{name:28}{min(times) / len(files) * 1e6:10.1f} µs a page")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--pages", type=int, default=2000)
    arguments.add_argument("--theme", default="alabaster")
    arguments.add_argument("--site", type=Path)
    arguments.add_argument("--languages", type=int, default=0)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = given.site or build(Path(folder), given.pages, given.theme)
        files = sorted(site.rglob("*.html"))
        if given.languages:
            add_languages(files, given.languages)
        print(f"{len(files)} pages, {sum(file.stat().st_size for file in files)} bytes")
        measure("open and read", just_read, files)
        measure("read_head", read_head, files)
        measure("read_page", read_page, files[:200], 2)


if __name__ == "__main__":
    main()
