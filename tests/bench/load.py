"""How the cost of sitemap-docs grows with the site, beside that of the host.

    python tests/bench/load.py --host sphinx mkdocs --pages 2000 20000

The pages and the themes are as small as they can be, so that the host is fast and our share is at its worst.
Each size is built twice, each time in a process of its own and without any
cache: plain, and with sitemap-docs. Times are processor seconds, and memory is the peak of the process. Git's
times are among ours, and shown: it compares folders that grow, once for each of the commits that grow, too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import NamedTuple

from overhead import HOSTS, apart, repository


class Share(NamedTuple):
    """Processor seconds of the host, of our handlers and of the git they ask; peak MB without and with us."""

    host: float
    ours: float
    git: float
    memory: float
    with_ours: float


CONF = """\
from sphinx.builders.html import StandaloneHTMLBuilder

StandaloneHTMLBuilder.search = False
html_copy_source = False
html_theme = "basic"
html_use_index = False
root_doc = "docs/index"
templates_path = ["theme"]
"""
MKDOCS_YML = """\
site_name: Bench
site_url: https://docs.example.org/
plugins: []
theme: {name: null, custom_dir: theme}
"""
#: Themes without navigation: with it, each of MkDocs' pages names all others.
THEME = """<!doctype html>
<html><head><title>{{ title }}</title><link rel="canonical" href="{{ %s }}"></head>
<body>{{ %s }}</body></html>
"""
FILES = {
    "sphinx": {"conf.py": CONF, "theme/page.html": THEME % ("pageurl", "body")},
    "mkdocs": {"mkdocs.yml": MKDOCS_YML, "theme/main.html": THEME % ("page.canonical_url", "page.content")},
}


def page(number: int, version: int = 0) -> str:
    """A short page, in reStructuredText and Markdown alike."""
    return f"Page {number}\n{'=' * 20}\n\nVersion {version}.\n"


def orphan(number: int, version: int = 0) -> str:
    """The same, in no toctree: for one of n pages, Sphinx 9.0's ``clear_doc`` takes n² steps."""
    return f":orphan:\n\n{page(number, version)}"


def project(folder: Path, host: str, pages: int, commits: int) -> None:
    repository(folder, pages, commits, HOSTS[host][2], orphan if host == "sphinx" else page)
    for name, text in FILES[host].items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def measured(host: str, pages: int, commits: int) -> Share:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "project")
        project(folder, host, pages, commits)
        plain, ours = (apart(host, folder, variant) for variant in ("plain", "sitemap-docs"))
    times = (plain.build_processor, ours.handlers_processor, ours.git_processor)
    return Share(*times, plain.memory, ours.memory)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--host", choices=list(HOSTS), nargs="+", default=list(HOSTS))
    parser.add_argument("--pages", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--commits", type=int, help="of each size; as many as pages, if not given")
    given = parser.parse_args()
    print(
        f"{'':8}{'pages':>8}{'host s':>9}{'ours s':>9}{'git s':>9}{'of host':>9}{'host MB':>9}{'ours MB':>9}"
    )
    for host in given.host:
        costs = []
        for pages in sorted(given.pages):
            costs.append((pages, measured(host, pages, given.commits or pages)))
            print(line(host, *costs[-1]), flush=True)
        if len(costs) > 1:
            print(growth(costs[0], costs[-1]))


def line(host: str, pages: int, cost: Share) -> str:
    extra = cost.with_ours - cost.memory
    return (
        f"{host:8}{pages:8}{cost.host:9.2f}{cost.ours:9.3f}{cost.git:9.3f}{cost.ours / cost.host:9.2%}"
        f"{cost.memory:9.0f}{extra:+9.1f}"
    )


def growth(few: tuple[int, Share], many: tuple[int, Share]) -> str:
    """How many times as much; linear is as many times as the pages."""
    (pages, first), (more, last) = few, many
    times = (last.host / first.host, last.ours / first.ours, last.git / first.git)
    columns = "".join(f"{time:9.1f}" for time in times)
    return f"{'times':8}{more / pages:8.1f}{columns}{'':9}{last.memory / first.memory:9.1f}"


if __name__ == "__main__":
    main()
