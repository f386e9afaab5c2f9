"""Code lines of ours that a plain build loads: without blank lines, comments and docstrings."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

from shared import BASE, Bench, run_script

LOADED = """
import sys
print(*(module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "sitemap_docs"))
"""
SPHINX = """
from sphinx.cmd.build import main
assert main(["-q", "sphinx", "sphinx/out"]) == 0
"""
MKDOCS = """
from mkdocs.__main__ import cli
cli(["build", "-q", "-f", "mkdocs/mkdocs.yml"], standalone_mode=False)
"""
BUILDS = {"sphinx-build": SPHINX, "mkdocs build": MKDOCS}
FILES = {
    "sphinx/conf.py": f'extensions = ["sitemap_docs"]\nhtml_baseurl = "{BASE}"\n',
    "sphinx/index.rst": "Home\n====\n",
    "mkdocs/mkdocs.yml": f"site_name: Site\nsite_url: {BASE}\nplugins: [sitemap-docs]\n",
    "mkdocs/docs/index.md": "# Home\n",
}


def write_projects(root: Path) -> None:
    """A project of one page for each host, in a repository."""
    for name, text in FILES.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    identity = ("-c", "user.name=bench", "-c", "user.email=bench@example.org")
    for command in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "All")):
        subprocess.run(["git", *command], cwd=root, check=True)


def code_lines(file: str) -> int:
    """The number of lines of a module that are code."""
    text = Path(file).read_text("utf-8")
    lines = set()
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.strip().startswith("#"):
            lines.add(number)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def measure(bench: Bench) -> Iterator[str]:
    for work, build in BUILDS.items():
        numbers = []
        for place, checkout in enumerate(bench.checkouts):
            root = bench.made(f"{work}-{place}", write_projects)
            printed = bench.printed(checkout, root, "-c", build + LOADED)
            numbers.append(sum(map(code_lines, printed.splitlines()[-1].split())))
        yield f"{work} loads {' → '.join(f'{number:,}' for number in numbers)} code lines"


if __name__ == "__main__":
    run_script(measure)
