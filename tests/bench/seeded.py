"""Puts mistakes into the code, one by one, and says which tests notice each, in how much processor time.

``python tests/bench/seeded.py COMMIT`` tries all of them, ``--only 7 12`` two. They are written as behaviours
in ``seeded/faults.toml``, each with the texts that it replaces, and put into a work tree of the commit. The
tests run in stages, the cheapest first, up to the stage in which one fails. The result is a row of the table
``seeded/COMMIT.md``. ``--only 0`` changes nothing: run it first, as all tests must pass.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomli

HERE = Path(__file__).parents[2]
SEEDED = Path(__file__).with_name("seeded")
HEAD = """# Which tests notice a fault

Written by `python tests/bench/seeded.py {commit}`. `faults.toml` has the faults.
The tests of a stage are those of the module, of its room, those that build whole sites, or all others.
Seconds are of the processor: those of the stage that noticed the fault, or of all stages.

| | room | fault | noticed by | stage | s |
|---|---|---|---|---|---:|
"""
BUILDS = ["tests/matrix", "tests/sphinx", "tests/mkdocs", "tests/folder", "tests/cli", "tests/join"]
#: They test what is made of the last commit, not the work tree.
APART = ["tests/packages"]
MOST = 3  # failures after which a stage ends, where it is cheap
NONE: dict[str, Any] = {"number": 0, "room": "", "behaviour": "None: the code as it is.", "edit": []}


def stages(tree: Path, fault: dict[str, Any]) -> dict[str, list[str]]:
    """Returns the arguments of pytest for each stage, which leave out what an earlier stage ran."""
    tested_in: dict[str, str] = runpy.run_path(str(tree / "tests/test_names.py"))["TESTED_IN"]
    module, room = [], []
    for edit in fault["edit"]:
        file = Path(edit["file"]).relative_to("sitemap_docs")
        module += [f"tests/{file.with_name(f'test_{file.name}')}", f"tests/test_{file.name}"]
        module += [f"tests/{tests}" for start, tests in tested_in.items() if str(file).startswith(start)]
        if file.parent.name:
            room.append(f"tests/{file.parts[0]}")
        else:
            room += sorted(str(each.relative_to(tree)) for each in tree.glob("tests/test_*.py"))
    module = [tests for tests in module if (tree / tests).is_file()]
    room = [tests for tests in room if (tree / tests).exists()]
    arguments = {}
    before = list(APART)
    for name, wanted in {"module": module, "room": room, "builds": BUILDS, "all": ["tests"]}.items():
        tests = [each for each in dict.fromkeys(wanted) if each not in before]
        if tests:
            arguments[name] = tests + [f"--ignore={each}" for each in before]
        before += tests
    return arguments


@contextmanager
def work_tree(commit: str) -> Iterator[Path]:
    """A work tree of a commit, which is removed at the end."""
    git = ["git", "-C", str(HERE), "worktree"]
    with TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def put(tree: Path, fault: dict[str, Any]) -> None:
    """Changes the code of a work tree. Ends the script where the code has moved."""
    for edit in fault["edit"]:
        file = tree / edit["file"]
        text, before = file.read_text("utf-8"), edit["before"].strip("\n")
        if text.count(before) != 1:
            sys.exit(f"Fault {fault['number']}: {edit['file']} must have this text once:\n{before}")
        file.write_text(text.replace(before, edit["after"].strip("\n")), "utf-8")


def run_tests(tree: Path, arguments: list[str]) -> tuple[list[str], float]:
    """Returns the tests that fail, and the seconds of the processor that all have taken."""
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environ = os.environ | {"PYTHONPATH": str(tree)}
    done = subprocess.run(command, cwd=tree, env=environ, stdout=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    failed = re.findall(r"^(?:FAILED|ERROR) (?:tests/)?(.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 5) and not failed:  # 5: there are no tests
        sys.exit(f"pytest ends with {done.returncode}:\n{done.stdout}")
    return failed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def try_fault(commit: str, fault: dict[str, Any]) -> str:
    """Returns the row of a fault."""
    noticed, stage, seconds = "**nothing**", "", 0.0
    with work_tree(commit) as tree:
        put(tree, fault)
        for name, arguments in stages(tree, fault).items():
            how = ["-x", "-n2", "--dist=worksteal"]
            if name in ("module", "room"):
                how = [f"--maxfail={MOST}"]
            failed, taken = run_tests(tree, [*how, *arguments])
            seconds += taken
            if failed:
                noticed = ", ".join(f"`{test}`" for test in failed[:MOST]).replace("|", "\\|")
                stage, seconds = name, taken
                break
    cells = (fault["number"], fault["room"], fault["behaviour"], noticed, stage, f"{seconds:.0f}")
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="the numbers of some faults")
    given = parser.parse_args()
    faults = [NONE, *tomli.loads((SEEDED / "faults.toml").read_text("utf-8"))["fault"]]
    table = SEEDED / f"{given.commit}.md"
    rows: dict[int, str] = {}
    if table.exists():
        for row in re.finditer(r"^\| (\d+) \|.*$", table.read_text("utf-8"), re.MULTILINE):
            rows[int(row[1])] = row[0]
    for number in given.only or range(1, len(faults)):
        rows[number] = try_fault(given.commit, faults[number])
        print(rows[number], flush=True)
        lines = [rows[each] for each in sorted(rows)]
        table.write_text(HEAD.format(commit=given.commit) + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
