"""Put faults into copies of modules, one at a time, and count the faults that the tests notice.

``nox -s mutation -- base --max-children=1`` runs ``python scripts/mutation.py FOLDER base --max-children=1``,
with mutmut installed. The modules are names in ``MUTATED``, by default all. Options go to ``mutmut run``.
FOLDER is for the copies. Faults that no test notices are shown as differences.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# Other modules of history decide what these tests check. Each test starts git often, and a fault may run all.
ELSEWHERE = "do_not_change_the_dates or git_agrees or blobless or cost or sha256 or merges_in_a_shallow"
#: The modules, each with the tests that notice its faults. The run is short if the tests are few and fast.
MUTATED = {
    "urls.base": ["tests/urls/test_base.py"],
    "html.head": ["tests/html/test_head.py"],
    "publish": [
        "tests/test_publish.py",
        "tests/output/test_text_files.py",
        "tests/folder/test_record.py",
        "tests/mkdocs/test_noindex.py",
    ],
    "decide": ["tests/test_publish.py"],
    "listing.selection": ["tests/listing/test_selection.py"],
    "output.writer": ["tests/output/test_writer.py", "tests/test_publish.py"],
    "sphinx.events": ["tests/sphinx/test_extension.py"],
    "robots": ["tests/test_robots.py"],
    "sitemap.render": ["tests/sitemap/test_render.py", "tests/sitemap/test_shards.py"],
    "history.page_dates": ["tests/history/test_page_dates.py", "-k", f"not ({ELSEWHERE})"],
}
#: The percentage of faults that the tests must notice. Faults that survive in urls, html, listing and robots
#: change nothing: the case of codec names and robots fields, shortcuts that only save time, and first values
#: that nothing reads. mutmut changes no patterns and other constants of a module.
SCORE = 90


def mutmut(copy: Path, *arguments: str) -> str:
    """Run mutmut in a copy of the project, and return its output. End the script if mutmut fails."""
    environ = {**os.environ, "HYPOTHESIS_PROFILE": "few"}
    command = [sys.executable, "-m", "mutmut", *arguments]
    done = subprocess.run(command, cwd=copy, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\nmutmut failed with status {done.returncode}.")
    return done.stdout


def find_module(name: str) -> str:
    """Return the module with this name, or with this last part of its name. End the script without one."""
    for module in MUTATED:
        if module == name or module.endswith(f".{name}"):
            return module
    sys.exit(f"There is no module {name!r} among {', '.join(MUTATED)}.")


def mutate(module: str, folder: Path, options: Sequence[str]) -> tuple[int, int]:
    """Return how many faults of a module the tests notice, and how many faults there are."""
    copy = folder / module
    shutil.rmtree(copy, ignore_errors=True)
    for name in ("sitemap_docs", "tests"):
        shutil.copytree(name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    file = f"sitemap_docs/{module.replace('.', '/')}.py"
    (copy / file).write_text(without_decorators(Path(file).read_text("utf-8")), encoding="utf-8")
    settings = {
        "source_paths": ["sitemap_docs"],
        "only_mutate": [file],
        "process_isolation": "forkserver",  # A run must not find what another run has cached.
        "debug": True,  # Without it, mutmut 3.8 does not say which test fails without a fault.
        "pytest_add_cli_args": ["-p", "no:cacheprovider"],
        "pytest_add_cli_args_test_selection": MUTATED[module],
    }
    table = "\n".join(f"{key} = {json.dumps(value)}" for key, value in settings.items())
    project = Path("pyproject.toml").read_text("utf-8")
    (copy / "pyproject.toml").write_text(f"{project}\n[tool.mutmut]\n{table}\n", encoding="utf-8")
    mutmut(copy, "run", *options)
    for line in mutmut(copy, "results").splitlines():
        print(mutmut(copy, "show", line.strip().partition(":")[0]))
    mutmut(copy, "export-cicd-stats")
    stats = json.loads((copy / "mutants" / "mutmut-cicd-stats.json").read_text("utf-8"))
    return stats["killed"] + stats["timeout"], stats["total"]


def without_decorators(source: str) -> str:
    """Return the same module without the syntax of decorators, because mutmut skips decorated functions.

    ``@cache`` before ``def one()`` becomes the line ``one = cache(one)`` after the function.
    """
    lines = source.splitlines()
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for function in sorted(functions, key=lambda function: function.lineno, reverse=True):
        value = function.name
        for decorator in reversed(function.decorator_list):
            value = f"{ast.unparse(decorator)}({value})"
        if function.decorator_list:
            assignment = f"{' ' * function.col_offset}{function.name} = {value}"
            lines.insert(function.end_lineno or 0, assignment)
            del lines[function.decorator_list[0].lineno - 1 : function.lineno - 1]
    return "\n".join([*lines, ""])


def main(folder: Path, arguments: Sequence[str]) -> None:
    """Print the share of noticed faults for each module. End with an error if it is too small."""
    options = [argument for argument in arguments if argument.startswith("-")]
    names = [argument for argument in arguments if argument not in options]
    modules = [find_module(name) for name in names] or list(MUTATED)
    scores = {module: mutate(module, folder, options) for module in modules}
    for module, (noticed, total) in scores.items():
        print(f"{module}: the tests notice {noticed} of {total} faults, {noticed / total:.1%}")
    if any(noticed * 100 < total * SCORE for noticed, total in scores.values()):
        sys.exit(f"The tests of a module notice less than {SCORE} % of its faults.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
