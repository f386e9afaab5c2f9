"""What sphinx-click and sphinx-argparse describe dates a page, whatever Sphinx reads in a build."""

import os
import shutil
import sys

import pytest

from tests.conftest import needs

pytest.importorskip("sphinx")

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # the other extensions' own
    pytest.mark.usefixtures("apart"),
]

OLD, NEW, LAST = (f"202{year}-01-01T00:00:00+00:00" for year in (0, 4, 5))
#: Only Python finds what these modules make: by a star, and by a name that is computed.
TOOL = {
    "lib/our_tool/__init__.py": "from our_tool.made import *\n",
    "lib/our_tool/made.py": """
from argparse import ArgumentParser
from importlib import import_module
import click

class Late(click.Group):
    def list_commands(self, context):
        return ["late"]
    def get_command(self, context, name):
        return getattr(import_module("our_tool." + name), name)

@click.command(cls=Late)
def tool():
    pass
""",
    "lib/our_tool/late.py": 'import click\n\n@click.command()\ndef late():\n    """{0}"""\n',
    "lib/our_tool/parsers.py": "from our_tool.parts import *\n",
    "lib/our_tool/parts.py": "from argparse import ArgumentParser\n\n"
    'def parser():\n    return ArgumentParser(description="{0}")\n',
    "lib/script.py": "from argparse import ArgumentParser\n\n"
    'def parser():\n    return ArgumentParser(description="{0}")\n',
}
#: A directive of each page, and the module that alone has what it shows.
COMMANDS = {
    "lazy": (".. click:: our_tool:tool\n   :prog: tool\n", "lib/our_tool/late.py"),
    "parser": (".. argparse::\n   :ref: our_tool.parsers.parser\n", "lib/our_tool/parts.py"),
    "file": (".. argparse::\n   :filename: ../lib/script.py\n   :func: parser\n", "lib/script.py"),
}


@needs("sphinx_click", "sphinxarg")
def test_each_build_gives_the_same_dates(sphinx_project, monkeypatch):
    others = [f"sub/{name}" for name in "abcdef"]  # enough of them for Sphinx to read in parallel
    project = sphinx_project(*others, extensions=["sitemap_docs", "sphinx_click", "sphinxarg.ext"])
    project.extend(f"import sys\nsys.path.insert(0, {str(project.root / 'lib')!r})\n")
    for name, (directive, _) in COMMANDS.items():
        project.write({f"src/sub/{name}.rst": project.page(name, directive)})
    project.commit(OLD, {name: text.format("One.") for name, text in TOOL.items()})
    monkeypatch.setattr(sys, "path", [*sys.path])

    def change(text: str, date: str) -> None:
        project.commit(date, {module: TOOL[module].format(text) for _, module in COMMANDS.values()})

    def dates(*, parallel: bool = False) -> dict[str, str | None]:
        """Of a build that finds no module of the project in its process."""
        for name in [each for each in sys.modules if each.partition(".")[0] == "our_tool"]:
            del sys.modules[name]
        if parallel:
            project.run("html", "-j", "2", warnings="ignore")
        else:
            project.passes()
        return project.lastmods()

    change("Another.", NEW)
    plain = {f"{name}.html": OLD for name in ("index", *others)}
    expected = plain | {f"sub/{name}.html": NEW for name in COMMANDS}
    assert dates() == expected
    os.utime(project.src / "sub/a.rst")
    assert dates() == expected, "another document is read"
    assert "our_tool" not in sys.modules
    shutil.rmtree(project.root / "trees")
    assert dates(parallel=True) == expected
    change("Last.", LAST)
    described = {f"sub/{name}.html": LAST for name in COMMANDS}
    assert dates() == plain | described
    for name in COMMANDS:
        assert "Last." in (project.out / f"sub/{name}.html").read_text("utf-8"), "it was read again"
    project.commit(LAST, {f"src/sub/{name}.rst": project.page(name) for name in COMMANDS})
    change("Later.", "2025-02-01T00:00:00+00:00")
    assert dates() == plain | described, "no longer described"


GROUP = """
import click
from our_{1} import {1}

@click.group(commands=[{1}])
def {0}(): ...
"""
NESTED = {
    "first": GROUP.format("first", "second"),
    "second": GROUP.format("second", "third"),
    "third": "import click\n\n@click.command()\ndef third(): ...\n",
}


@needs("sphinx_click")
def test_subcommands_date_the_pages_that_show_them(sphinx_project, monkeypatch):
    shown = {
        "default": ("", "second"),
        "deprecated": (":show-nested:", "third"),
        "full": (":nested: full", "third"),
        "none": (":nested: none", "first"),
        "short": (":nested: short", "second"),
    }
    project = sphinx_project(extensions=["sitemap_docs", "sphinx_click"])
    for name, (option, _) in shown.items():
        directive = f".. click:: our_first:first\n   :prog: {name}\n   {option}\n"
        project.write({f"src/{name}.rst": project.page(name, directive)})
    project.commit(OLD)
    dates = {}
    for year, (name, code) in enumerate(NESTED.items(), 2021):
        project.write({f"lib/our_{name}.py": code})
        dates[name] = f"{year}-01-01T00:00:00+00:00"
        project.commit(dates[name])
        monkeypatch.delitem(sys.modules, f"our_{name}", raising=False)
    monkeypatch.syspath_prepend(project.root / "lib")
    project.passes()
    expected = {f"{name}.html": dates[deepest] for name, (_, deepest) in shown.items()}
    assert project.lastmods() == {"index.html": OLD, **expected}
