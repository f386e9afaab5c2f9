"""The modules of the commands that sphinx-click and sphinx-argparse describe, as they have imported them."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import isfile, join
from typing import Any

from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from sphinx.application import Sphinx

from sitemap_docs.sources.directives import described_object
from sitemap_docs.sources.modules import command_files

#: How deep sphinx-click shows subcommands, by its option ``nested``; -1: all of them.
_LEVELS = {"full": -1, "none": 0}


def note_modules(app: Sphinx) -> None:
    """Makes the directives of both extensions note, while Sphinx reads a document, what they describe.

    Sphinx keeps such dependencies, merges those of parallel readers, and reads the document again when one
    has changed.
    """
    for name, package in (("click", "sphinx_click"), ("argparse", "sphinxarg")):
        directive = directives._directives.get(name)  # noqa: SLF001  where Sphinx itself looks
        if directive and directive.__module__.partition(".")[0] == package:
            app.add_directive(name, _noting(directive), override=True)


def _noting(directive: Any) -> Any:  # noqa: ANN401  of extensions that may be missing
    def run(self: Any) -> Any:  # noqa: ANN401
        nodes = directive.run(self)
        env = self.state.document.settings.env
        described: Iterable[str]
        if "filename" in self.options:
            described = [join(env.srcdir, self.options["filename"])]
        else:
            levels = -1 if "show-nested" in self.options else _LEVELS.get(self.options.get("nested"), 1)
            described = command_files(described_object("".join(self.arguments), self.options), levels)
        for file in filter(isfile, described):
            env.note_dependency(file)
        return nodes

    return type(directive.__name__, (directive,), {"run": run})
