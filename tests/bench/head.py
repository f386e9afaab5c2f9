"""What reading the heads of a built site costs, here and at another commit, side by side in one run.

    git worktree add ../old COMMIT
    python tests/bench/head.py [--old ../old] [--pages 150] [--theme furo] [--site DIR] [--languages 10]

Without ``--site`` it builds a Sphinx project. It is read as it is, then with ``--languages`` hreflang links
on each page. It prints microseconds of the processor per page, the best of the rounds; each round runs
both readers, each in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = (
    "Page {0}\n========\n\n.. meta::\n   :description: What page {0} says & more\n\n"
    + "A paragraph.\n\n" * 40
)
BASE = "https://example.org/docs/"
HERE = Path(__file__).parents[2]
# Run in a checkout's own folder; until the package html/, the reader had to be given the page's address.
READER = """
import os, sys
from pathlib import Path
from time import process_time
sys.path.insert(0, os.getcwd())
try:
    from sitemap_docs.html.head import read_head
    read = lambda file, loc: read_head(file)
except ImportError:
    from sitemap_docs.head import read_head as read
site, base = sys.argv[1:]
files = [(str(file), base + file.relative_to(site).as_posix()) for file in sorted(Path(site).rglob("*.html"))]
times = []
for _ in range(5):
    start = process_time()
    for file, loc in files:
        read(file, loc)
    times.append(process_time() - start)
print(min(times) / len(files) * 1e6)
"""


def build(folder: Path, pages: int, theme: str) -> Path:
    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(f"html_baseurl = {BASE!r}\nhtml_theme = {theme!r}\n")
    names = [f"page{number}" for number in range(pages)]
    for name in names:
        (source / f"{name}.rst").write_text(PAGE.format(name))
    (source / "index.rst").write_text(
        "Index\n=====\n\n.. toctree::\n\n" + "".join(f"   {n}\n" for n in names[:50])
    )
    command = [sys.executable, "-m", "sphinx", "-Q", "-j", "auto", "-b", "html", source, folder / "html"]
    subprocess.run(command, check=True)
    return folder / "html"


def with_languages(site: Path, folder: Path, number: int) -> Path:
    """A copy of the pages, with hreflang links."""
    links = "".join(
        f'<link rel="alternate" hreflang="l{each}" href="https://example.org/{each}/">'
        for each in range(number)
    )
    for file in site.rglob("*.html"):
        copy = folder / "languages" / file.relative_to(site)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes().replace(b"</head>", f"{links}</head>".encode(), 1))
    return folder / "languages"


def measure(checkout: Path, site: Path) -> float:
    environ = os.environ | {"PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-c", READER, site, BASE]
    done = subprocess.run(command, cwd=checkout, env=environ, capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--old", type=Path, help="a worktree of another commit")
    arguments.add_argument("--pages", type=int, default=150)
    arguments.add_argument("--theme", default="alabaster")
    arguments.add_argument("--site", type=Path)
    arguments.add_argument("--languages", type=int, default=10)
    arguments.add_argument("--rounds", type=int, default=3)
    given = arguments.parse_args()
    checkouts = [given.old, HERE] if given.old else [HERE]
    with tempfile.TemporaryDirectory() as folder:
        plain = (given.site or build(Path(folder), given.pages, given.theme)).resolve()
        for site in (plain, with_languages(plain, Path(folder), given.languages)):
            rounds = [[measure(checkout, site) for checkout in checkouts] for _ in range(given.rounds)]
            best = [min(times) for times in zip(*rounds, strict=True)]
            ratio = f", {best[0] / best[-1]:.1f} times as fast as before" if given.old else ""
            print(f"{site.name:12}{' → '.join(f'{each:.1f}' for each in best)} µs a page{ratio}")


if __name__ == "__main__":
    main()
