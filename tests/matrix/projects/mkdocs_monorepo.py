"""MkDocs below a monorepo: ``docs_dir: ../docs``, ``INHERIT`` with snippets, macros that write snippets."""

from __future__ import annotations

from pathlib import Path

from tests.matrix.projects.shape import (
    GITIGNORE,
    HAND_WRITTEN,
    STUB,
    UNDATED,
    History,
    Project,
    dated_by,
    left_out,
)

DOCUMENTS = {
    "docs/index.html": HAND_WRITTEN,
    "docs/alone.md": "# Alone\n",
    "docs/snippet.md": '# A snippet\n\n--8<-- "part.py"\n',
    "docs/macro.md": '# A macro that writes a snippet\n\n{{ code("part.py") }}\n',
    "docs/included.md": '# An include\n\n{% include "part.txt" %}\n',
    "docs/computed.md": "# A computed include\n\n{% set name = 'part.txt' %}{% include name %}\n",
    "docs/javadoc/index.html": HAND_WRITTEN,
    "docs/javadoc/Thing.html": HAND_WRITTEN,
    "docs/old.html": STUB,
}
OTHERS = {
    "snippets/part.py": "PART = 1\n",
    "includes/part.txt": "Part\n",
    "base.yml": "markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [../snippets]\n",
    "build/matrix_macros.py": (
        "def define_env(env):\n    @env.macro\n    def code(name):\n        return f'--8<-- \"{name}\"'\n"
    ),
    "build/mkdocs.yml": "",
}


def make(root: Path) -> None:
    history = History(root)
    history.commit({".gitignore": GITIGNORE, **DOCUMENTS, **OTHERS})
    history.commit({"docs/alone.md": "# Alone\n\nText\n"})
    history.commit({"includes/part.txt": "Another part\n"})
    history.commit({"snippets/part.py": "PART = 2\n"})


PROJECT = Project(
    name="mkdocs-monorepo",
    host="mkdocs",
    make=make,
    configuration="build",
    settings={"INHERIT": "../base.yml", "site_name": "Matrix", "docs_dir": "../docs"},
    plugins=({"macros": {"module_name": "matrix_macros", "include_dir": "../includes"}},),
    themes=("mkdocs", "readthedocs", "material"),
    truth={
        "index.html": dated_by("docs/index.html"),
        "alone.html": dated_by("docs/alone.md"),
        "snippet.html": dated_by("docs/snippet.md", "snippets/part.py"),
        "macro.html": dated_by("docs/macro.md", "snippets/part.py"),
        "included.html": dated_by("docs/included.md", "includes/part.txt"),
        "computed.html": UNDATED,
        "javadoc/index.html": left_out("static file"),
        "javadoc/Thing.html": left_out("static file"),
        "old.html": left_out("static file"),
        "404.html": left_out("404 page"),
    },
    copied=frozenset({"404.html", "javadoc/index.html", "javadoc/Thing.html", "old.html"}),
    only_in_plugin=frozenset({"macro.html"}),
)
