"""Puts mistakes into the code, one by one, and says which tests notice each, in how much processor time.

``python tests/bench/seeded.py COMMIT`` tries all of them, ``--only 7 12`` two. They are written as behaviours
in ``seeded/faults.toml``, each with the texts that it replaces, and put into a work tree of the commit. The
tests of its module run for each. Then all tests run once without a fault, and note which of the statements
they reach that the other faults change; for each of those, the tests run in whose file one reaches the
statement. The result is a row of the table ``seeded/COMMIT.md``. ``--only 0`` changes nothing and runs all
tests, which must pass.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import resource
import runpy
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tomli

HERE = Path(__file__).parents[2]
SEEDED = Path(__file__).with_name("seeded")
HEAD = """# Which tests notice a fault

Written by `python tests/bench/seeded.py {commit}`. `faults.toml` has the faults.
The tests of a stage are those of the module, or those in files of which a test reaches the changed statement.
In older rows they are those of the module, of its room (`room`), that build whole sites (`builds`), or all.
Seconds are of the processor: those of the stage that noticed the fault, or of all stages.

| | room | fault | noticed by | stage | s |
|---|---|---|---|---|---:|
"""
#: They test what is made of the last commit, not the work tree.
APART = "--ignore=tests/packages"
MOST = 3  # failures after which a stage ends
NONE: dict[str, Any] = {"number": 0, "room": "", "behaviour": "None: the code as it is.", "edit": []}
REACHED = """
import os

seen = set()


def note(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("::")[0]
    if (number, test) not in seen:
        seen.add((number, test))
        with open(__file__ + ".txt", "a") as file:
            file.write(f"{number} {test}\\n")
"""


def statement(text: str, offset: int) -> tuple[int, int]:
    """Returns the line and column of the statement at an offset, before which another may stand."""
    line = text.count("\n", 0, offset) + 1
    start = (0, 0)
    for node in ast.walk(ast.parse(text)):  # what is inside comes later
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            if not text.splitlines()[first - 1].lstrip().startswith("elif "):
                start = (first, node.col_offset)
    return start


def reached(commit: str, faults: Iterable[dict[str, Any]]) -> dict[int, set[str]]:
    """Returns the files of the tests that reach a statement which a fault changes, by its number."""
    found: dict[int, set[str]] = defaultdict(set)
    with work_tree(commit) as tree:
        probes = defaultdict(set)
        for fault in faults:
            for edit in fault["edit"]:
                text, before, after = texts(tree, fault, edit)
                same = len(os.path.commonprefix([before, after]))  # noqa: RUF071  of two texts
                line, column = statement(text, text.index(before) + same)
                if line:
                    probes[edit["file"]].add((line, column, fault["number"]))
        for file, places in probes.items():
            lines = (tree / file).read_text("utf-8").splitlines(keepends=True)
            for line, column, number in sorted(places, reverse=True):
                note = f"__import__('sitemap_docs._reached')._reached.note({number})"
                lines.insert(line - 1, f"{' ' * column}{note}\n")
            (tree / file).write_text("".join(lines), "utf-8")
        if not probes:
            return found
        module = tree / "sitemap_docs" / "_reached.py"
        module.write_text(REACHED, "utf-8")
        run_tests(tree, ["-n2", "--dist=worksteal", APART, "tests"])
        for note in Path(f"{module}.txt").read_text("utf-8").splitlines():
            number, _, test = note.partition(" ")
            found[int(number)].add(test)
    return found


def module_tests(tree: Path, fault: dict[str, Any]) -> list[str]:
    """Returns the files of the tests of the modules that a fault changes."""
    tested_in: dict[str, str] = runpy.run_path(str(tree / "tests/test_names.py"))["TESTED_IN"]
    tests = []
    for edit in fault["edit"]:
        file = Path(edit["file"]).relative_to("sitemap_docs")
        tests += [f"tests/{file.with_name(f'test_{file.name}')}", f"tests/test_{file.name}"]
        tests += [f"tests/{tests}" for start, tests in tested_in.items() if str(file).startswith(start)]
    return [each for each in dict.fromkeys(tests) if (tree / each).is_file()]


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


def texts(tree: Path, fault: dict[str, Any], edit: dict[str, str]) -> tuple[str, str, str]:
    """Returns the text of a file, and what to replace by what. Ends the script where the code has moved."""
    text, before = (tree / edit["file"]).read_text("utf-8"), edit["before"].strip("\n")
    if text.count(before) != 1:
        sys.exit(f"Fault {fault['number']}: {edit['file']} must have this text once:\n{before}")
    return text, before, edit["after"].strip("\n")


def run_tests(tree: Path, arguments: list[str]) -> tuple[list[str], float]:
    """Returns the tests that fail, and the seconds of the processor that all have taken."""
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environ = os.environ | {"PYTHONPATH": str(tree), "PYTEST_DEBUG_TEMPROOT": str(tree.parent)}
    done = subprocess.run(command, cwd=tree, env=environ, stdout=subprocess.PIPE, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    failed = re.findall(r"^(?:FAILED|ERROR) (?:tests/)?(.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 5) and not failed:  # 5: there are no tests
        sys.exit(f"pytest ends with {done.returncode}:\n{done.stdout}")
    return failed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextmanager
def faulty_tree(commit: str, fault: dict[str, Any]) -> Iterator[Path]:
    """A work tree of a commit with a fault."""
    with work_tree(commit) as tree:
        for edit in fault["edit"]:
            text, before, after = texts(tree, fault, edit)
            (tree / edit["file"]).write_text(text.replace(before, after), "utf-8")
        yield tree


class Table:
    """The rows of a commit, in its file, which keeps those of faults that are not tried again."""

    def __init__(self, commit: str) -> None:
        self._commit = commit
        self._file = SEEDED / f"{commit}.md"
        text = self._file.read_text("utf-8") if self._file.exists() else ""
        self._rows = {int(row[1]): row[0] for row in re.finditer(r"^\| (\d+) \|.*$", text, re.MULTILINE)}

    def add(self, fault: dict[str, Any], failed: list[str], stage: str, seconds: float) -> None:
        """Writes the row of a fault, with the first tests that fail."""
        noticed = ", ".join(f"`{test}`" for test in failed[:MOST]).replace("|", "\\|") or "**nothing**"
        cells = (fault["number"], fault["room"], fault["behaviour"], noticed, stage, f"{seconds:.0f}")
        row = f"| {' | '.join(map(str, cells))} |"
        print(row, flush=True)
        self._rows[fault["number"]] = row
        lines = [self._rows[each] for each in sorted(self._rows)]
        self._file.write_text(HEAD.format(commit=self._commit) + "\n".join(lines) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="the numbers of some faults")
    given = parser.parse_args()
    faults = [NONE, *tomli.loads((SEEDED / "faults.toml").read_text("utf-8"))["fault"]]
    table = Table(given.commit)
    left = []
    for number in given.only or range(1, len(faults)):
        failed, seconds = [], 0.0
        with faulty_tree(given.commit, faults[number]) as tree:
            tests = module_tests(tree, faults[number])
            if tests:
                failed, seconds = run_tests(tree, [f"--maxfail={MOST}", *tests])
        if failed:
            table.add(faults[number], failed, "module", seconds)
        else:
            left.append((faults[number], tests, seconds))
    reach = reached(given.commit, [fault for fault, _, _ in left])
    for fault, before, taken in left:
        tests = sorted(reach[fault["number"]].difference(before, [""]))
        if not reach[fault["number"]] - {""}:  # no test is known, as for a value of the module
            tests = ["tests"]
        with faulty_tree(given.commit, fault) as tree:
            failed, seconds = [], 0.0
            if tests:
                failed, seconds = run_tests(
                    tree, [f"--maxfail={MOST}", "-n2", "--dist=worksteal", APART, *tests]
                )
        if failed:
            table.add(fault, failed, "reach", seconds)
        else:
            table.add(fault, failed, "", taken + seconds)


if __name__ == "__main__":
    main()
