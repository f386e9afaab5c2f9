"""Our part of a build by Sphinx and by MkDocs, a page, and its share of what the host needs.

    python tests/bench/hosts.py [--project DIR] [--old DIR]

The pages and the themes are as small as they can be, so that the host is fast and our share is at its worst.
``--project`` builds a real project instead, with its configuration at the top. Our part are all handlers of
events, without the time of git, which ``dates.py`` measures, and of full garbage collections. Loading our
modules costs the same for any number of pages, and has a row of its own.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from shared import Bench, Row, run_script, write_history

CONF = """\
from sphinx.builders.html import StandaloneHTMLBuilder

StandaloneHTMLBuilder.search = False
html_copy_source = False
html_theme = "basic"
html_use_index = False
root_doc = "docs/page0"
templates_path = ["theme"]
"""
MKDOCS_YML = "site_name: Bench\nplugins: []\ntheme: {name: null, custom_dir: theme}\n"
#: Themes without navigation: with it, each of MkDocs' pages names all others.
THEME = """<!doctype html>
<html><head><title>{{ title }}</title><link rel="canonical" href="{{ %s }}"></head>
<body>{{ %s }}</body></html>
"""
FILES = {
    "Sphinx": {"conf.py": CONF, "theme/page.html": THEME % ("pageurl", "body")},
    "MkDocs": {"mkdocs.yml": MKDOCS_YML, "theme/main.html": THEME % ("page.canonical_url", "page.content")},
}
#: In no toctree: for one of n pages, Sphinx 9.0's ``clear_doc`` takes n² steps.
PAGES = {"Sphinx": ":orphan:\n\nPage\n====\n\nText.\n", "MkDocs": "# Page\n\nText.\n"}


def write_project(folder: Path, host: str, pages: int) -> None:
    suffix = "rst" if host == "Sphinx" else "md"
    names = [f"docs/part{page // 50}/page{page}.{suffix}" for page in range(1, pages)]
    write_history(folder, [f"docs/page0.{suffix}", *names], commits=pages)
    for file in folder.glob(f"docs/**/*.{suffix}"):
        file.write_text(PAGES[host])
    for name, text in FILES[host].items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def measure(bench: Bench) -> Iterator[Row]:
    projects: dict[str, Path] = {}
    if bench.given.project:
        projects[bench.given.project.name] = bench.given.project.resolve()
    else:
        for host in FILES:
            make = partial(write_project, host=host, pages=max(bench.pages // 10, 100))
            projects[host] = bench.made(host, make)
    for name, folder in projects.items():
        rounds = [
            [_build(bench, checkout, folder) for checkout in bench.checkouts] for _ in range(bench.rounds)
        ]
        best = [tuple(map(min, zip(*each, strict=True))) for each in zip(*rounds, strict=True)]
        floor = "the build without us"
        pages = tuple((ours * 1e6 / number, host * 1e6 / number) for host, ours, _, _, number in best)
        yield Row(f"{name}, our part", "µs a page", floor, pages)
        loading = tuple((loading * 1e3, host * 1e3) for host, _, _, loading, _ in best)
        yield Row(f"{name}, loading ours", "ms", floor, loading)


def _build(bench: Bench, checkout: Path, folder: Path) -> list[float]:
    """Seconds of the build without us, of our handlers, of git and of loading ours; and the pages."""
    with tempfile.TemporaryDirectory() as output:
        printed = bench.printed(checkout, folder, "-m", "host_build", output)
    return json.loads(printed.splitlines()[-1])


if __name__ == "__main__":
    run_script(measure)
