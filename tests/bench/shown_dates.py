"""Whole builds: without dates, with our sitemap, with ``page_dates`` too, and with the extensions for dates.

    python tests/bench/shown_dates.py [--project DIR]

The builds are of one repository of 2,000 pages and 20,000 commits with Sphinx and with MkDocs, in themes that
show the date and have no navigation, which would cost the hosts more than all else.
``--project`` builds a clone with Sphinx as well: a folder of sources with a conf.py, at any depth. The two
extensions are installed into a temporary folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hosts import FILES
from shared import BASE, Bench, Cost, run_script, write_history

PAGES, COMMITS = 2_000, 20_000
SPHINX, MKDOCS = "sphinx-last-updated-by-git==0.3.8", "mkdocs-git-revision-date-localized-plugin==1.6.3"
FORMAT = "html_last_updated_fmt = '%Y-%m-%d'\n"
OURS = f"extensions = [*extensions, 'sitemap_docs']\nhtml_baseurl = {BASE!r}\nsitemap_cache = False\n"
#: Lines of conf.py for each way to build.
WAYS = {
    "none": "",
    "sitemap": OURS,
    "both": OURS + FORMAT + "sitemap_page_dates = True\n",
    "theirs": FORMAT + "extensions = [*extensions, 'sphinx_last_updated_by_git']\n",
}
#: Plugins of mkdocs.yml for each way to build.
PLUGINS = {
    "none": "plugins: []",
    "sitemap": "plugins: [{sitemap-docs: {cache: false}}]",
    "both": "plugins: [{sitemap-docs: {cache: false, page_dates: true}}]",
    "theirs": "plugins: [{git-revision-date-localized: {type: iso_date}}]",
}


class Builds(NamedTuple):
    """Seconds of whole builds of a project."""

    project: str
    none: float
    sitemap: float
    both: float
    extension: str
    theirs: float

    def __str__(self) -> str:
        return (
            f"{self.project}: without dates {self.none:.1f} s, sitemap {self.sitemap:.1f} s, "
            f"sitemap and page_dates {self.both:.1f} s, {self.extension} {self.theirs:.1f} s"
        )

    def row(self) -> str:
        """A row of the table of speed.md."""
        times = [f"{seconds:.1f} s" for seconds in (self.none, self.sitemap, self.both, self.theirs)]
        return f"| {self.project} | {' | '.join(times[:3])} | {self.extension} | {times[3]} |"


def measure(bench: Bench) -> Iterator[Builds]:
    packages = bench.made("shown", _install)
    for name in ("sphinx", "mkdocs"):
        folder = bench.made(f"shown-{name}", partial(_write, name))
        yield _built(bench, packages, name, folder, f"{PAGES:,} pages, {COMMITS:,} commits")
    if bench.given.project:
        clone = bench.scratch / "shown-project"
        shutil.copytree(bench.given.project, clone, symlinks=True)
        conf = min(clone.rglob("conf.py"), key=lambda file: len(file.parts))
        with conf.open("a") as lines:
            lines.write("\nintersphinx_mapping = {}\nimport os\nexec(os.environ['LINES'])\n")
        yield _built(bench, packages, "sphinx", conf.parent, bench.given.project.resolve().name)


def _built(bench: Bench, packages: Path, host: str, folder: Path, name: str) -> Builds:
    build = _sphinx if host == "sphinx" else _mkdocs
    ways = [partial(build, bench, packages, folder, way) for way in WAYS]
    none, sitemap, both, theirs = (cost.seconds for cost in bench.best(ways))
    extension = (SPHINX if host == "sphinx" else MKDOCS).replace("==", " ")
    host = host.replace("sphinx", "Sphinx").replace("mkdocs", "MkDocs")
    return Builds(f"{host}, {name}", none, sitemap, both, extension, theirs)


def _sphinx(bench: Bench, packages: Path, folder: Path, way: str) -> Cost:
    output = bench.scratch / "shown-output"
    shutil.rmtree(output, ignore_errors=True)
    arguments = ("-m", "sphinx", "-Q", "-E", "-b", "html", ".", output)
    lines = f"import sys\nsys.path.append({str(packages)!r})\n{WAYS[way]}"
    return bench.python(bench.checkouts[-1], folder, *arguments, environ={"LINES": lines})


def _mkdocs(bench: Bench, packages: Path, folder: Path, way: str) -> Cost:
    file = folder / f"mkdocs-{way}.yml"
    file.write_text(
        f"site_name: Bench\ntheme: {{name: null, custom_dir: theme}}\nsite_url: {BASE}\n{PLUGINS[way]}\n"
    )
    arguments = ("-m", "mkdocs", "-q", "build", "-f", file, "-d", bench.scratch / "shown-output")
    # The extension's entry point is found where its metadata is imported from.
    paths = os.pathsep.join(map(str, (bench.checkouts[-1], packages)))
    return bench.python(bench.checkouts[-1], folder, *arguments, environ={"PYTHONPATH": paths})


def _write(host: str, folder: Path) -> None:
    """A repository of pages, and the theme of hosts.py with the date that each way shows."""
    suffix = "rst" if host == "sphinx" else "md"
    names = [f"docs/part{number % 97}/page{number}.{suffix}" for number in range(1, PAGES)]
    write_history(folder, [f"docs/page0.{suffix}", *names], COMMITS, text_of=_page)
    shown = "{{ last_updated }}"
    if host == "mkdocs":
        shown = "{{ page.meta.revision_date }}{{ page.meta.git_revision_date_localized }}"
    for name, text in FILES[host.replace("sphinx", "Sphinx").replace("mkdocs", "MkDocs")].items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text.replace("</body>", f"{shown}</body>"))
    if host == "sphinx":
        with (folder / "conf.py").open("a") as lines:
            lines.write("extensions = []\nimport os\nexec(os.environ['LINES'])\n")


def _page(name: str, number: int) -> str:
    head = ":orphan:\n\n" if name.endswith(".rst") else ""
    paragraph = f"What this page says after change {number}. " * 12
    return f"{head}{name}\n{'=' * len(name)}\n\n" + "\n\n".join([paragraph] * 5) + "\n"


def _install(folder: Path) -> None:
    install = ["uv", "pip", "install", "--quiet", "--python", sys.executable, "--target", folder]
    subprocess.run([*install, SPHINX, "--no-deps"], check=True)
    subprocess.run([*install, MKDOCS, "--no-deps"], check=True)
    subprocess.run([*install, "GitPython", "pytz", "babel"], check=True)


if __name__ == "__main__":
    run_script(measure)
