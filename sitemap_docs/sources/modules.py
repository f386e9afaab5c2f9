"""The files in which Python objects are defined, and those of commands that a host has imported."""

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import unwrap
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.sources.includes import UnknownError
from sitemap_docs.text import NEEDS_GRIFFE


class PythonObjects:
    """Finds where the objects of Python modules in ``folders`` are defined, without importing anything.

    What is no module itself may be imported from another one: griffe decides, which mkdocstrings installs, as
    its Python handler does. It reads each package once, which takes a second; ``known`` are the objects that
    it has read for the host.
    """

    def __init__(self, folders: Sequence[Path], known: Mapping[str, Any] | None = None) -> None:
        self._folders = tuple(folders)
        self._known = known or {}
        self._objects = cache(self._load)

    def _module(self, parts: Sequence[str]) -> tuple[Path | None, bool]:
        """The module whose name an identifier begins with, the longest, and whether it has that very name."""
        top = parts[0]
        holding = [each for each in self._folders if isdir(each / top) or isfile(each / f"{top}.py")]
        for depth in range(len(parts), 0, -1):
            for folder in holding:
                stem = folder.joinpath(*parts[:depth])
                for path in (stem / "__init__.py", stem.with_name(stem.name + ".py")):
                    if isfile(path):
                        return path, depth == len(parts)
        return None, False

    def defining_file(self, identifier: str) -> Path | None:
        """The module that defines ``package.module.Object``; None if it is not there.

        Raises UnknownError where griffe is missing that would find it.
        """
        parts = identifier.split(".")
        path, is_module = self._module(parts)
        if parts[0] not in self._known and (is_module or path is None):
            return path
        definition = self._definition(identifier)
        return None if definition is None else Path(definition.filepath)

    def exported_files(self, identifier: str, module: Path) -> tuple[Path, ...]:
        """The files of what a module exports by ``__all__`` and imports from other modules.

        mkdocstrings shows these objects with the module. Raises UnknownError where griffe is missing.
        """
        if not _may_export_others(module):
            return ()
        definition = self._definition(identifier)
        if definition is None or not definition.is_module:
            return ()
        files: dict[Path, None] = {}
        for name in definition.exports or ():
            member = self._definition(f"{identifier}.{name}")
            if member is not None and not member.is_module:
                files[member.filepath] = None
        return tuple(files)

    def _definition(self, identifier: str) -> Any:  # noqa: ANN401  of a library that may be missing
        """Returns what griffe has read of an object, where that is defined; None if it is not there."""
        griffe = _griffe()
        if griffe is None:
            raise UnknownError(f"{NEEDS_GRIFFE} `{identifier}`")
        try:
            definition = self._objects(identifier.partition(".")[0])[identifier]
            if definition.is_alias:
                definition = definition.final_target
            filepath = definition.filepath
        except (KeyError, griffe.GriffeError):  # it is not there, or imported from what is not
            return None
        return definition if isinstance(filepath, Path) else None  # a list: of a namespace package

    def _load(self, package: str) -> Any:  # noqa: ANN401
        """The objects of a package that griffe reads without running it; none of one that is not there."""
        if package in self._known:
            return self._known
        griffe = _griffe()
        loader = griffe.GriffeLoader(search_paths=self._folders, allow_inspection=False)
        unreadable = (ImportError, OSError, SyntaxError, ValueError, RecursionError, MemoryError)
        with suppress(*unreadable, griffe.GriffeError):
            loader.load(package, try_relative_path=False)
            loader.resolve_aliases()
        return loader.modules_collection


@cache
def _griffe() -> Any:  # noqa: ANN401
    try:
        return import_module("griffe")
    except ImportError:
        return None


def _may_export_others(module: Path) -> bool:
    """Whether ``__all__`` of a module may name what it imports: by a star, or as a text that is a name."""
    try:
        tree = parsed(module.read_bytes())
    except OSError:
        return False
    imported: set[str] = set()
    texts, names = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            imported.update(each.asname or each.name for each in node.names)
        elif isinstance(node, ast.Constant):
            texts.add(node.value)
        elif isinstance(node, ast.Name):
            names.add(node.id)
    return "__all__" in names and not imported.isdisjoint(texts | {"*"})


class Described(NamedTuple):
    """What the directive of a program describes: an object by its whole name, or a file of the sources.

    ``levels`` is how deep the subcommands of a command are shown, -1: all of them.
    """

    name: str
    file: str = ""
    levels: int = -1


def command_files(name: str, levels: int = -1) -> Iterator[str]:
    """The files of a command of click and of its subcommands, or of the function that makes a parser.

    It is asked for ``module.command``, which the host has imported; where that has no function, the module is
    its file. ``levels`` is how deep subcommands are shown, all of them by default.
    """
    module, _, attribute = name.rpartition(".")
    imported = import_module(module)
    waiting: list[tuple[Any, Any, int]] = [(getattr(imported, attribute), None, levels)]
    while waiting:
        command, parent, levels = waiting.pop()
        code = getattr(unwrap(getattr(command, "callback", None) or command), "__code__", None)
        yield code.co_filename if code else str(imported.__file__)
        if levels and hasattr(command, "list_commands"):
            context = command.context_class(command, info_name=command.name, parent=parent)
            names = command.list_commands(context)
            waiting += [(command.get_command(context, each), context, levels - 1) for each in names]


def parsed(source: bytes) -> ast.Module:
    """The statements of Python source; none of what is no Python, or nests deeper than Python reads."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the project's own code
            return ast.parse(source)
    # ValueError: NUL bytes, before Python 3.12. RecursionError, MemoryError: it nests too deep.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
