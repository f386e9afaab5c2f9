"""The modules of the commands that directives describe, as their extensions have imported them."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import isfile, join
from typing import Any

from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from sphinx.application import Sphinx

from sitemap_docs.programs.followed import DESCRIBING, load_program


def note_modules(app: Sphinx) -> None:
    """Makes directives of other extensions note, while Sphinx reads a document, what they describe.

    Sphinx keeps such dependencies, merges those of parallel readers, and reads the document again when one
    has changed.
    """
    for name, module in DESCRIBING.items():
        if directive := directives._directives.get(name):  # noqa: SLF001  where Sphinx itself looks
            program = load_program(module)
            if directive.__module__.partition(".")[0] == program.PACKAGE:
                app.add_directive(name, _noting(directive, program), override=True)


def _noting(directive: Any, program: Any) -> Any:  # noqa: ANN401  of extensions that may be missing
    def run(self: Any) -> Any:  # noqa: ANN401
        from sitemap_docs.sources.modules import command_files  # noqa: PLC0415  for these directives only

        nodes = directive.run(self)
        env = self.state.document.settings.env
        described = program.described("".join(self.arguments), self.options)
        found: Iterable[str] = [join(env.srcdir, described.file)]
        if not described.file:
            found = command_files(described.name, described.levels)
        for file in filter(isfile, found):
            env.note_dependency(file)
        return nodes

    return type(directive.__name__, (directive,), {"run": run})
