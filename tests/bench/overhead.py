"""What a build costs plain, with sitemap-docs, and with the plugins that people use for dates.

    python tests/bench/overhead.py --host mkdocs --pages 2000 --commits 20000
    python tests/bench/overhead.py --host mkdocs --project DIR

Each build runs in a process of its own and without any cache. Printed are the seconds of the whole build, and
those spent in the extension's own handlers; the rest is the host's. Ratios hold for one run on one machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("alpha", "beta", "gamma", "delta", "sitemap", "commit", "page", "folder", "history", "crawler")


def page(number: int, version: int = 0) -> str:
    """A page of Markdown of about 4 KB, with headings, a list and code."""
    words = [WORDS[(number + step) % len(WORDS)] for step in range(40)]
    section = f"## Section\n\n{' '.join(words)}.\n\n- {words[0]}\n- {words[1]}\n\n```\nx = {number}\n```\n\n"
    return f"# Page {number}\n\nVersion {version}.\n\n{section * 10}"


def repository(folder: Path, pages: int, commits: int) -> None:
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
                name = "index" if number == 0 else f"page{number}"
                git.stdin.write(b"M 644 inline docs/%s.md\ndata %d\n%s\n" % (name.encode(), len(text), text))
        git.stdin.close()
    subprocess.run(["git", "reset", "-q", "--hard", "main"], cwd=folder, check=True)


MKDOCS = {
    "plain": ("", {}),
    "sitemap-docs": ("sitemap-docs", {"cache": False}),
    "sitemap-docs without dates": ("sitemap-docs", {"lastmod": "none"}),
    "git-revision-date-localized": ("git-revision-date-localized", {}),
}


def mkdocs(folder: Path, variant: str, site: Path) -> tuple[float, float]:
    """Seconds of one build in this process, and those in the handlers of the variant's plugin."""
    from mkdocs.commands.build import build  # noqa: PLC0415
    from mkdocs.config import load_config  # noqa: PLC0415
    from mkdocs.plugins import get_plugins  # noqa: PLC0415

    settings = folder / "mkdocs.yml"
    if not settings.exists():
        settings.write_text(
            "site_name: Bench\nsite_url: https://docs.example.org/\ntheme: mkdocs\nplugins: []\n"
        )
    config = load_config(str(settings), site_dir=str(site), strict=False)
    spent = [0.0]
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
    start = perf_counter()
    build(config)
    return perf_counter() - start, spent[0]


def clocked(handler: Callable[..., object], spent: list[float]) -> Callable[..., object]:
    def run(*arguments: object, **named: object) -> object:
        start = perf_counter()
        try:
            return handler(*arguments, **named)
        finally:
            spent[0] += perf_counter() - start

    return run


HOSTS = {"mkdocs": (mkdocs, MKDOCS)}


def apart(host: str, folder: Path, variant: str) -> tuple[float, float]:
    """The same in a process of its own, into a folder of its own."""
    with tempfile.TemporaryDirectory() as site:
        command = [
            sys.executable,
            __file__,
            "--host",
            host,
            "--project",
            folder,
            "--one",
            variant,
            "--site",
            site,
        ]
        done = subprocess.run(
            command, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    build, handlers = json.loads(done.stdout.splitlines()[-1])
    return build, handlers


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
    measure, variants = HOSTS[given.host]
    if given.one:
        print(json.dumps(measure(given.project, given.one, given.site)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.project.resolve() if given.project else Path(scratch, "project")
        if not given.project:
            repository(folder, given.pages, given.commits)
        runs: dict[str, list[tuple[float, float]]] = {variant: [] for variant in variants}
        for _ in range(given.repeat):
            for variant, measured in runs.items():
                measured.append(apart(given.host, folder, variant))
    report(runs)


def report(runs: dict[str, list[tuple[float, float]]]) -> None:
    """One line a variant: medians, and handlers as a share of the plain build and of ours."""
    middle = {variant: tuple(map(median, zip(*times, strict=True))) for variant, times in runs.items()}
    plain, ours = middle["plain"][0], middle["sitemap-docs"][1]
    print(f"{'':30}{'build s':>9}{'handlers s':>12}{'of plain':>10}{'of ours':>9}")
    for variant, (build, handlers) in middle.items():
        share = f"{handlers / plain:10.2%}{handlers / ours:9.2f}" if handlers else ""
        print(f"{variant:30}{build:9.2f}{handlers:12.3f}{share}")


if __name__ == "__main__":
    main()
