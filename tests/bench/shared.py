"""What the scripts here share: the checkouts that are compared, sites and histories to measure on, and costs.

All seconds are of the processor (user and system, of a process and of all that it started), as a busy machine
stretches the others. Each round measures every way once, one after the other; the best of the rounds counts.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parents[2]
BASE = "https://docs.example.org/"

#: Folders that some scripts measure instead of what they make, by the name of the argument.
PLACES = {
    "site": "a built site whose heads are read (head.py)",
    "repository": "a clone whose files are dated (dates.py)",
    "project": "a project of Sphinx or MkDocs that is built (hosts.py, shown_dates.py)",
    "generate-sitemap": "a clone of cicirello/generate-sitemap (peers.py)",
}

#: The head of an average page of the themes in use, 2.8 KB before ``<body>``.
HEAD = """<!doctype html>
<html class="no-js" lang="en" data-content_root="../"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="What page {number} of the manual says of its subject, in one sentence.">
<meta name="generator" content="Docutils 0.22.3: https://docutils.sourceforge.io/">
<meta property="og:title" content="Page {number}"><meta property="og:type" content="website">
<meta property="og:url" content="{loc}"><meta property="og:image" content="../_static/card.png">
<meta name="twitter:card" content="summary_large_image">
<title>Page {number} - Project 4.2 documentation</title>
<link rel="canonical" href="{loc}">{alternates}
<link rel="index" title="Index" href="../genindex.html">
<link rel="search" title="Search" href="../search.html">
<link rel="icon" href="../_static/favicon.svg" type="image/svg+xml">
{files}<style>
body {{ --color-code-background: #f2f2f2; --color-code-foreground: #1e1e1e; --admonition-title: #00b0ff; }}
@media not print {{ body[data-theme="dark"] {{ --color-code-background: #202020; --icon: #ffffffcc; }} }}
</style></head>
"""
#: Codes of languages, for hreflang.
CODES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "da", "nb", "fi", "ja", "ko", "zh"]
_FILES = "".join(
    f'<link rel="stylesheet" type="text/css" href="../_static/{name}.css?v=9f4c1d{number:02}">\n'
    f'<script src="../_static/scripts/{name}.js?v=5929fcd{number:02}"></script>\n'
    for number, name in enumerate(
        ["pygments", "theme", "extensions", "design-tabs", "copybutton", "tippy", "graphviz", "plot"]
    )
)
_BODY = (
    '<body><main><h1>Page {number}</h1><p>See <a href="{next}">the next page</a>.</p></main></body></html>\n'
)


#: Stands between this process and what it measures: Linux counts the parent's memory to the child's peak.
LAUNCHER = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=sys.stderr)
_, status, used = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, used.ru_utime, used.ru_stime, used.ru_maxrss)
"""


class Cost(NamedTuple):
    """Seconds of the processor, and the peak of memory in MB."""

    seconds: float
    peak: float


class Row(NamedTuple):
    """What a piece of work costs, and what it is compared with, at each checkout, the old one first."""

    work: str
    unit: str
    floor: str
    costs: tuple[tuple[float, float], ...]

    def __str__(self) -> str:
        costs = " → ".join(f"{ours:.3g}" for ours, _ in self.costs)
        if not self.floor:
            return f"{self.work}: {costs} {self.unit}"
        ratios = " → ".join(f"{ours / floor:.2f}" for ours, floor in self.costs)
        return f"{self.work}: {ratios} times {self.floor} ({costs} {self.unit}, {self.costs[-1][1]:.3g})"


class Bench:
    """One run: the checkouts to measure, the sizes, and what was made to measure on."""

    def __init__(self, scratch: Path, given: argparse.Namespace) -> None:
        self.scratch = scratch
        self.pages: int = given.pages
        self.rounds: int = given.rounds
        self.given = given
        self.checkouts = [*([_checkout(given.old, scratch)] if given.old else []), HERE]
        self._made: dict[str, Path] = {}

    def made(self, name: str, make: Callable[[Path], object]) -> Path:
        """A folder of the scratch folder that is made once."""
        if name not in self._made:
            self._made[name] = folder = self.scratch / name
            folder.mkdir()
            make(folder)
        return self._made[name]

    def sites(self, pages: int | None = None) -> list[Path]:
        """A folder for each checkout, with a ``site`` and a cache of its own."""
        number = pages or self.pages
        return [
            self.made(f"{place}-{number}", lambda folder: write_site(folder / "site", number))
            for place in range(len(self.checkouts))
        ]

    def python(
        self, checkout: Path, folder: Path, *arguments: str | Path, environ: dict[str, str] | None = None
    ) -> Cost:
        """What Python costs in a folder, with the package of a checkout."""
        command, own = self._python(checkout, arguments)
        return run(command, folder, own | (environ or {}))

    def printed(self, checkout: Path, folder: Path, *arguments: str | Path) -> str:
        """What Python prints in a folder, with the package of a checkout."""
        command, environ = self._python(checkout, arguments)
        return subprocess.run(
            command, cwd=folder, env=os.environ | environ, stdout=subprocess.PIPE, text=True, check=True
        ).stdout

    def command(self, checkout: Path, folder: Path, *arguments: str | Path) -> Cost:
        """What ``sitemap-docs`` costs in a folder."""
        return self.python(checkout, folder, "-m", "sitemap_docs", *arguments)

    def _python(
        self, checkout: Path, arguments: Iterable[str | Path]
    ) -> tuple[list[str | Path], dict[str, str]]:
        paths = os.pathsep.join(map(str, (checkout, Path(__file__).parent)))
        cache = self.scratch / f"cache-{self.checkouts.index(checkout)}"
        environ = {
            "PYTHONPATH": paths,
            "PYTHONSAFEPATH": "1",
            "XDG_CACHE_HOME": str(cache),
            # As installed packages are: compiled, but for the first round.
            "PYTHONDONTWRITEBYTECODE": "",
            "PYTHONPYCACHEPREFIX": str(self.scratch / "bytecode"),
        }
        return [sys.executable, *arguments], environ

    def best(self, ways: Sequence[Callable[[], Cost]], rounds: int | None = None) -> list[Cost]:
        """The cost of each way, the best of the rounds."""
        costs = [[way() for way in ways] for _ in range(rounds or self.rounds)]
        return [Cost(*map(min, zip(*each, strict=True))) for each in zip(*costs, strict=True)]


def run(command: Sequence[str | Path], folder: Path, environ: dict[str, str] | None = None) -> Cost:
    """What a program costs that ends well, or with findings."""
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            [sys.executable, "-SEc", LAUNCHER, *command],
            cwd=folder,
            env=os.environ | (environ or {}),
            stdout=subprocess.PIPE,
            stderr=output,
            check=True,
        )
        output.seek(0)
        printed = output.read().decode(errors="replace")
    status, user, system, peak = done.stdout.split()
    if int(status) not in (0, 1) or "Traceback" in printed or "No module" in printed:
        sys.exit(f"{command}:\n{printed}")
    return Cost(float(user) + float(system), int(peak) / 1024)


def run_script(measure: Callable[[Bench], Iterator[object]]) -> None:
    """Measures the rows of one script, and prints them."""
    parser = argument_parser(sys.modules[measure.__module__].__doc__ or "")
    with tempfile.TemporaryDirectory() as scratch:
        for row in measure(Bench(Path(scratch), parser.parse_args())):
            print(row, flush=True)


def argument_parser(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", help="another checkout, or a commit, that is measured beside this one")
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    for name, what in PLACES.items():
        parser.add_argument(f"--{name}", type=Path, metavar="DIR", help=what)
    return parser


def _checkout(old: str, scratch: Path) -> Path:
    if Path(old).is_dir():
        return Path(old).resolve()
    archive = subprocess.run(["git", "archive", old], cwd=HERE, stdout=subprocess.PIPE, check=True).stdout
    (scratch / "old").mkdir()
    subprocess.run(["tar", "-x"], cwd=scratch / "old", input=archive, check=True)
    return scratch / "old"


def write_site(root: Path, pages: int, languages: int = 0) -> None:
    """A built site: pages of 3 KB, a hundred in a folder, each with so many hreflang links."""
    names = [f"{page // 10_000:03}/{page // 100 % 100:02}/{page % 100:02}.html" for page in range(pages)]
    for page, name in enumerate(names):
        file = root / name
        if page % 100 == 0:
            file.parent.mkdir(parents=True)
        alternates = "".join(
            f'\n<link rel="alternate" hreflang="{CODES[each]}" href="{BASE}{CODES[each]}/{name}">'
            for each in range(languages)
        )
        head = HEAD.format(number=page, loc=BASE + name, files=_FILES, alternates=alternates)
        file.write_text(head + _BODY.format(number=page, next=BASE + names[(page + 1) % pages]))


def write_history(
    root: Path,
    names: list[str],
    commits: int,
    merges: int = 10,
    text_of: Callable[[str, int], str] = "{} {}".format,
) -> None:
    """A repository of files with so many commits, one in ``merges`` of them a merge."""
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    chance = random.Random(1)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE) as importing:
        for number in range(1, commits + 1):
            who = f"W <w@example.org> {1_000_000_000 + number * 600} +0000"
            lines = ["commit refs/heads/main", f"mark :{number}", f"committer {who}", "data 0"]
            merged = number > 2 * merges and not number % merges
            if number > 1:  # a merge joins the two commits before it, which have one parent
                lines.append(f"from :{number - 1 - (number > merges and number % merges == merges - 1)}")
            if merged:
                lines.append(f"merge :{number - 2}")
            changed = names if number == 1 else [] if merged else chance.sample(names, chance.randint(1, 4))
            for name in changed:
                text = text_of(name, number)
                lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
            importing.stdin.write("\n".join([*lines, ""]).encode())
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)
