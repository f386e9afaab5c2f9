"""Peak memory of the commands, and how it grows with the site, here and at another commit.

    git worktree add ../old COMMIT
    python tests/bench/memory.py [--old ../old] [--pages 3000 30000] [--size 300]

It prints megabytes and processor seconds of each command. Each checkout has a site and a cache of its own,
and for the dated build a repository with a source for each page.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from directory import BASE, write_site

HERE = Path(__file__).parents[2]
# VmHWM is of this process alone; ru_maxrss would begin with that of the parent.
CODE = """
import atexit, os, sys
sys.path.insert(0, os.environ["CHECKOUT"])
@atexit.register
def report():
    print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0], file=sys.stderr)
import sitemap_docs.__main__
"""
SITE = ("site", "--base-url", BASE, "--links", "files")
COMMANDS = {
    "build": ("build", *SITE, "--jobs", "1", "-q"),
    "build, dated": ("build", *SITE, "--source", "src", "--jobs", "1", "-q"),
    "check": ("check", *SITE),
    "check, all": ("check", *SITE, "--select", "all"),
    "explain": ("explain", "site", "000/00/01.html", *SITE[1:]),
    "join": ("join", "tree", "--base-url", BASE, "--merge", "-q"),
}


def measure(checkout: Path, folder: Path, command: tuple[str, ...]) -> tuple[float, float]:
    """Megabytes, and processor seconds."""
    environ = os.environ | {
        "CHECKOUT": str(checkout),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONSAFEPATH": "1",
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{command}: {done.stderr}{done.stdout}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(done.stderr.split()[-1]) / 1024, seconds


def write_sources(folder: Path) -> None:
    """A repository with a source for each page of the site, committed at once."""
    site, sources = folder / "site", folder / "src"
    for page in site.rglob("*.html"):
        source = sources / page.relative_to(site).with_suffix(".md")
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("# Page\n")
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "All")):
        subprocess.run(["git", *command], cwd=sources, check=True)


def write_tree(folder: Path) -> None:
    """A site of two builds, each with the sitemap of the site."""
    text = (folder / "site/sitemap.xml").read_text()
    for name in ("one", "two"):
        build = folder / "tree" / name
        build.mkdir(parents=True)
        (build / "sitemap.xml").write_text(text.replace(BASE, f"{BASE}{name}/"))


PREPARED = {"build, dated": write_sources, "join": write_tree}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--old", type=Path, help="a worktree of another commit")
    parser.add_argument("--pages", type=int, nargs="+", default=[3_000, 30_000])
    parser.add_argument("--size", type=int, default=300, help="bytes a page")
    parser.add_argument("--commands", nargs="+", choices=list(COMMANDS), default=list(COMMANDS))
    given = parser.parse_args()
    checkouts = [given.old.resolve(), HERE] if given.old else [HERE]
    for pages in given.pages:
        with tempfile.TemporaryDirectory() as scratch:
            folders = [Path(scratch, str(number)) for number in range(len(checkouts))]
            for folder in folders:
                write_site(folder / "site", pages, given.size)
            print(f"{pages:,} pages")
            for name in given.commands:
                for folder in folders if name in PREPARED else ():
                    PREPARED[name](folder)
                costs = [measure(*each, COMMANDS[name]) for each in zip(checkouts, folders, strict=True)]
                memory = " → ".join(f"{megabytes:7.1f}" for megabytes, _ in costs)
                seconds = " → ".join(f"{each:7.2f}" for _, each in costs)
                print(f"{name:>12}: {memory} MB, {seconds} s", flush=True)


if __name__ == "__main__":
    main()
