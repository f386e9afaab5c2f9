"""What a build costs plain, with sitemap-docs, and with the plugins that people use for dates.

    python tests/bench/overhead.py --host mkdocs --pages 2000 --commits 20000
    python tests/bench/overhead.py --host sphinx --project DIR

Each build runs in a process of its own and without any cache. Printed are the seconds of the whole build, and
those spent in the extension's own handlers; the rest is the host's; and the peak memory of the process.
Ratios hold for one run on one machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("alpha", "beta", "gamma", "delta", "sitemap", "commit", "page", "folder", "history", "crawler")


def markdown(number: int, version: int = 0) -> str:
    """A page of about 4 KB, with headings, a list and code."""
    words = [WORDS[(number + step) % len(WORDS)] for step in range(40)]
    section = f"## Section\n\n{' '.join(words)}.\n\n- {words[0]}\n- {words[1]}\n\n```\nx = {number}\n```\n\n"
    return f"# Page {number}\n\nVersion {version}.\n\n{section * 10}"


def restructured_text(number: int, version: int = 0) -> str:
    """The same page; the first names all others."""
    text = markdown(number, version).replace("## Section\n", "Section\n-------\n")
    text = text.replace("```\nx", "::\n\n    x").replace("```\n", "").replace("# Page", "Page")
    title, rest = text.split("\n", 1)
    toctree = "" if number else ".. toctree::\n   :glob:\n   :maxdepth: 1\n\n   part*/page*\n\n"
    return f"{title}\n{'=' * 20}\n{rest}{toctree}"


PAGES = {"md": markdown, "rst": restructured_text}


def repository(folder: Path, pages: int, commits: int, suffix: str, page: Callable[..., str]) -> None:
    """A git repository whose folder ``docs`` has so many pages and whose history so many commits."""
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=folder, stdin=subprocess.PIPE) as git:
        for commit in range(commits):
            numbers = range(pages) if commit == 0 else [commit * 7919 % pages]
            seconds = 1_500_000_000 + commit * 600
            header = f"commit refs/heads/main\ncommitter A <a@example.org> {seconds} +0000\ndata 1\nx\n"
            git.stdin.write(header.encode())
            for number in numbers:
                text = page(number, commit).encode()
                name = f"part{number // 50}/page{number}" if number else "index"
                file = f"docs/{name}.{suffix}".encode()
                git.stdin.write(b"M 644 inline %s\ndata %d\n%s\n" % (file, len(text), text))
        git.stdin.close()
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=folder, check=True)


MKDOCS = {
    "plain": ("", {}),
    "sitemap-docs": ("sitemap-docs", {"cache": False}),
    "sitemap-docs without dates": ("sitemap-docs", {"lastmod": "none"}),
    "git-revision-date-localized": ("git-revision-date-localized", {}),
}


class Stopwatch:
    """Adds up the seconds of what runs inside: of the wall clock, of the processors, and of these, git's."""

    def __init__(self) -> None:
        self.seconds = (0.0, 0.0, 0.0)

    def __enter__(self) -> None:
        self._begun = _clocks()

    def __exit__(self, *_: object) -> None:
        times = zip(self.seconds, _clocks(), self._begun, strict=True)
        self.seconds = tuple(spent + now - begun for spent, now, begun in times)


def _clocks() -> tuple[float, float, float]:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    programs = children.ru_utime + children.ru_stime
    return perf_counter(), process_time() + programs, programs


class Cost(NamedTuple):
    """Seconds of a build and of its handlers; processor seconds of both and of their git; peak MB."""

    build: float
    handlers: float
    build_processor: float
    handlers_processor: float
    git_processor: float
    memory: float

    @classmethod
    def of(cls, build: Stopwatch, handlers: Stopwatch) -> Cost:
        (whole, processor, _), (spent, own, git) = build.seconds, handlers.seconds
        return cls(
            whole, spent, processor, own, git, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        )


def mkdocs(folder: Path, variant: str, site: Path) -> Cost:
    """The cost of one build in this process, and of the handlers of the variant's plugin."""
    from mkdocs.commands.build import build  # noqa: PLC0415
    from mkdocs.config import load_config  # noqa: PLC0415
    from mkdocs.plugins import get_plugins  # noqa: PLC0415

    settings = folder / "mkdocs.yml"
    if not settings.exists():
        settings.write_text(
            "site_name: Bench\nsite_url: https://docs.example.org/\ntheme: mkdocs\nplugins: []\n"
        )
    config = load_config(str(settings), site_dir=str(site), strict=False)
    whole, spent = Stopwatch(), Stopwatch()
    name, options = MKDOCS[variant]
    if name:
        plugin = get_plugins()[name].load()()
        errors, _ = plugin.load_config(options, str(settings))
        assert not errors, errors
        config.plugins[name] = plugin
        for event, handlers in config.plugins.events.items():
            config.plugins.events[event] = [
                clocked(handler, spent) if getattr(handler, "__self__", None) is plugin else handler
                for handler in handlers
            ]
    with whole:
        build(config)
    return Cost.of(whole, spent)


def clocked(handler: Callable[..., object], spent: Stopwatch) -> Callable[..., object]:
    def run(*arguments: object, **named: object) -> object:
        with spent:
            return handler(*arguments, **named)

    return run


PEERS = ("sphinx_sitemap", "sphinx_last_updated_by_git")
SPHINX = {
    "plain": ([], {}),
    "sitemap-docs": (["sitemap_docs"], {"sitemap_cache": False}),
    "sitemap-docs without dates": (["sitemap_docs"], {"sitemap_lastmod": "none"}),
    "sphinx-sitemap with dates": (PEERS, {"sitemap_show_lastmod": True, "sitemap_url_scheme": "{link}"}),
    "sphinx-sitemap": (PEERS[:1], {"sitemap_url_scheme": "{link}"}),
}


def sphinx(folder: Path, variant: str, site: Path) -> Cost:
    """The cost of one cold build with one worker, and of the handlers of the variant's extensions."""
    from sphinx.application import Sphinx  # noqa: PLC0415
    from sphinx.config import Config  # noqa: PLC0415
    from sphinx.events import EventManager  # noqa: PLC0415
    from sphinx.util.docutils import docutils_namespace, patch_docutils  # noqa: PLC0415
    from sphinx.util.tags import Tags  # noqa: PLC0415

    if not (folder / "conf.py").exists():
        (folder / "docs/conf.py").write_text("html_sidebars = {'**': []}\n")  # a toctree on each page is slow
        folder /= "docs"
    names, options = SPHINX[variant]
    whole, spent = Stopwatch(), Stopwatch()
    connect = EventManager.connect

    def timed(events: EventManager, name: str, handler: Callable[..., object], priority: int) -> int:
        package = (getattr(handler, "__module__", None) or "").partition(".")[0]
        return connect(events, name, clocked(handler, spent) if package in names else handler, priority)

    EventManager.connect = timed
    config = Config.read(folder, overrides={}, tags=Tags())
    more = {"extensions": [*config.extensions, *names], "html_baseurl": "https://docs.example.org/"}
    arguments = (folder, folder, site / "out", site / "trees", "html", more | options)
    with patch_docutils(folder), docutils_namespace(), whole:
        Sphinx(*arguments, status=None, warning=None).build()
    return Cost.of(whole, spent)


HOSTS = {"mkdocs": (mkdocs, MKDOCS, "md"), "sphinx": (sphinx, SPHINX, "rst")}


def apart(host: str, folder: Path, variant: str) -> Cost:
    """The same in a process of its own, into a folder of its own."""
    with tempfile.TemporaryDirectory() as site:
        arguments = ("--host", host, "--project", folder, "--one", variant, "--site", site)
        command = [sys.executable, Path(__file__).resolve(), *arguments]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return Cost(*json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--host", choices=list(HOSTS), required=True)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--commits", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--project", type=Path, help="a real project instead, with its configuration at the top"
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--site", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    measure, variants, suffix = HOSTS[given.host]
    if given.one:
        print(json.dumps(measure(given.project, given.one, given.site)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.project.resolve() if given.project else Path(scratch, "project")
        if not given.project:
            repository(folder, given.pages, given.commits, suffix, PAGES[suffix])
        runs: dict[str, list[Cost]] = {variant: [] for variant in variants}
        for _ in range(given.repeat):
            for variant, measured in runs.items():
                measured.append(apart(given.host, folder, variant))
    report(runs)


def report(runs: dict[str, list[Cost]]) -> None:
    """One line a variant: medians, and handlers as a share of the plain build and of ours."""
    middle = {variant: Cost(*map(median, zip(*costs, strict=True))) for variant, costs in runs.items()}
    plain, ours = middle["plain"].build, middle["sitemap-docs"].handlers
    print(f"{'':30}{'build s':>9}{'handlers s':>12}{'of plain':>10}{'of ours':>9}{'peak MB':>9}")
    for variant, cost in middle.items():
        shares = f"{cost.handlers / plain:10.2%}{cost.handlers / ours:9.2f}" if cost.handlers else f"{'':19}"
        print(f"{variant:30}{cost.build:9.2f}{cost.handlers:12.3f}{shares}{cost.memory:9.0f}")


if __name__ == "__main__":
    main()
