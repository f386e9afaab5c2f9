"""What dates cost, and how many are wrong: git alone, we, and the peers, side by side in one run.

    python tests/bench/lastmod.py REPO PATH... [--rounds 5] [--sample 200]
    python tests/bench/lastmod.py --synthetic 10000 50000

Dates every tracked file below the paths. ``floor`` is our ``git log`` without us, ``warm`` a second
reading with a cache. ``elapsed`` are seconds that passed, which other work on the machine lengthens;
``processor`` are those that git and Python worked. Per-file readings are of a sample, and extrapolated; they
and the peers run once, the rest takes the best of the rounds. ``wrong`` counts the files of the sample that
have another date than ``git log -1`` has (the author's for peers, which use it). Peers are
sphinx-last-updated-by-git and mkdocs-git-revision-date-localized-plugin, if installed.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timezone
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from sitemap_docs.history.lastmod import read_dates
from sitemap_docs.history.paths import folders
from sitemap_docs.history.repository import MERGED, open_repository

NOW = datetime(2100, 1, 1, tzinfo=timezone.utc)
QUICK = ("", "c")
Row = tuple[str, Callable[[], dict[Path, int]] | None, str, float]


def git(root: Path, *arguments: str | bytes) -> bytes:
    return subprocess.check_output(["git", *arguments], cwd=root)


def per_file(root: Path, files: list[Path], form: str) -> dict[Path, int]:
    return {
        file: int(git(root, "log", "-1", f"--format=%{form}t", "--", os.fsencode(file.relative_to(root))))
        for file in files
    }


def ours(files: list[Path], cache: Path | None) -> dict[Path, int]:
    none = Path(os.devnull)
    dates = read_dates(files, meaning="commit", now=NOW, cache=cache, ignore_revs=none, environ=os.environ)
    stamps = {file: dates.of([file]) for file in files}
    return {file: int(stamp.when.timestamp()) for file, stamp in stamps.items() if stamp}


def floor(root: Path, files: list[Path]) -> dict[Path, int]:
    repository = open_repository(str(root), os.environ)
    wanted = folders(os.fsencode(file.relative_to(root)) for file in files)
    with tempfile.TemporaryFile() as sink:
        command = ["git", "log", *MERGED, "--format=%H %ct %at", repository.head, "--", *wanted]
        subprocess.run(command, cwd=root, stdout=sink, check=True)
    return {}


def last_updated_by_git(files: list[Path]) -> dict[Path, int]:
    peer = import_module("sphinx_last_updated_by_git")
    below = defaultdict(dict)
    for file in files:
        below[file.parent][file.name] = None
    for folder, dates in below.items():
        peer.update_file_dates(folder, set(), dates)
    return {
        folder / name: int(date[0])
        for folder, dates in below.items()
        for name, date in dates.items()
        if date is not None
    }


def revision_date_localized(root: Path, files: list[Path]) -> dict[Path, int]:
    peer = import_module("mkdocs_git_revision_date_localized_plugin.util")
    util = peer.Util({"fallback_to_build_date": False, "enable_git_follow": True}, str(root))
    return {file: int(util.get_git_commit_timestamp(str(file))[1]) for file in files}


def synthetic(folder: Path, files: int, commits: int) -> Path:
    """A history of so many files and commits, a tenth of them merges."""
    root = folder / "synthetic"
    subprocess.run(["git", "init", "-q", "-b", "main", root], check=True)
    chance = random.Random(1)
    names = [f"docs/part{number % 97}/page{number}.md" for number in range(files)]
    importing = subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE)
    with importing.stdin as stream:
        for number in range(1, commits + 1):
            who = f"W <w@example.org> {1_000_000_000 + number * 600} +0000"
            lines = [
                "commit refs/heads/main",
                f"mark :{number}",
                f"author {who}",
                f"committer {who}",
                "data 0",
            ]
            if number > 1:
                merges = number > 20 and not number % 10
                lines.append(f"from :{number - 1 - (number % 10 == 9)}")
                lines += [f"merge :{number - 2}"] if merges else []
            changed = (
                names if number == 1 else chance.sample(names, chance.randint(1, 4)) if number % 10 else []
            )
            for name in changed:
                text = f"{name} {number}"
                lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
            stream.write("\n".join([*lines, ""]).encode())
    importing.wait()
    git(root, "reset", "-q", "--hard")
    return root


def processor() -> float:
    """Seconds of processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def measure(rows: list[Row], rounds: int, expected: dict[str, dict[Path, int]]) -> None:
    times: dict[str, list[tuple[float, float]]] = defaultdict(list)
    results = {}
    for number in range(rounds):
        for name, call, form, scale in rows:
            if call is not None and (number == 0 or form in QUICK):
                start, used = perf_counter(), processor()
                results[name] = call()
                times[name].append(((perf_counter() - start) * scale, (processor() - used) * scale))
    floor_wall, floor_used = map(min, zip(*times["floor"], strict=True))
    print(f"{'':28}{'elapsed':>10}{'floors':>8}{'processor':>12}{'floors':>8}")
    for name, call, form, _ in rows:
        if call is None:
            print(f"{name:28} not installed")
            continue
        wrong = sum(results[name].get(file) != date for file, date in expected.get(form, {}).items())
        reported = f"{wrong:6} wrong of {len(expected[form])}" if form in expected else ""
        wall, used = map(min, zip(*times[name], strict=True))
        print(f"{name:28}{wall:10.3f}{wall / floor_wall:8.2f}{used:12.3f}{used / floor_used:8.2f}{reported}")


def tracked(root: Path, paths: list[str]) -> list[Path]:
    listed = git(root, "ls-tree", "-r", "-z", "HEAD", "--", *paths).split(b"\0")[:-1]
    entries = (entry.split(b"\t", 1) for entry in listed)
    return [root / os.fsdecode(path) for meta, path in entries if meta[:6] in {b"100644", b"100755"}]


def compare(root: Path, paths: list[str], rounds: int, sample: int) -> None:
    files = tracked(root, paths)
    some = random.Random(1).sample(files, min(sample, len(files)))
    expected = {form: per_file(root, some, form) for form in "ca"}
    times = len(files) / len(some)
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        ours(files, cache)
        rows: list[Row] = [
            ("floor", lambda: floor(root, files), "", 1),
            ("sitemap-docs, cold", lambda: ours(files, None), "c", 1),
            ("sitemap-docs, warm", lambda: ours(files, cache), "c", 1),
            ("git log -1 for each file", lambda: per_file(root, some, "a"), "a", times),
        ]
        peers = (
            (
                "sphinx-last-updated-by-git",
                "sphinx_last_updated_by_git",
                lambda: last_updated_by_git(files),
                1,
            ),
            (
                "git-revision-date-localized",
                "mkdocs_git_revision_date_localized_plugin",
                lambda: revision_date_localized(root, some),
                times,
            ),
        )
        rows += [
            (name, call if find_spec(module) else None, "a", scale) for name, module, call, scale in peers
        ]
        print(f"{len(files)} files, {git(root, 'rev-list', '--count', 'HEAD').decode().strip()} commits")
        measure(rows, rounds, expected)


def memory(root: Path, paths: list[str]) -> None:
    """The peak of a process that reads dates, over that of one that imports the same and reads none."""
    peaks = []
    for some in ([], paths):
        command = [sys.executable, __file__, str(root), *some, "--peak"]
        peaks.append(int(subprocess.check_output(command)) / 1024)
    print(f"memory: {peaks[1] - peaks[0]:.1f} MB over the {peaks[0]:.1f} MB of a process that reads nothing")


def peak(root: Path, paths: list[str]) -> int:
    """Kilobytes, from Linux; what resource tells includes the process that started this one."""
    files = tracked(root, paths) if paths else []
    ours(files, None)
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repo", nargs="?", type=Path)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--synthetic", nargs=2, type=int, metavar=("FILES", "COMMITS"))
    parser.add_argument("--peak", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.peak:
        print(peak(chosen.repo, chosen.paths))
        return
    with tempfile.TemporaryDirectory() as folder:
        root = synthetic(Path(folder), *chosen.synthetic) if chosen.synthetic else chosen.repo.resolve()
        compare(root, chosen.paths or ["."], chosen.rounds, chosen.sample)
        memory(root, chosen.paths or ["."])


if __name__ == "__main__":
    main()
