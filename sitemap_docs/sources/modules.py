"""Find the files that define Python objects and commands."""

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


class GriffeMissingError(UnknownError):
    """Raised if finding a Python object needs the package griffe, which is not installed."""

    rule = "griffe-missing"

    def __init__(self, identifier: str) -> None:
        super().__init__(f"the module of `{identifier}` is not found, because griffe is not installed")


class PythonObjects:
    """Finds the files that define Python objects, without importing them.

    Args:
        folders: The folders with modules, as in ``sys.path``.
        known: Objects that mkdocstrings has already loaded, by name.
    """

    def __init__(self, folders: Sequence[Path], known: Mapping[str, Any] | None = None) -> None:
        self._folders = tuple(folders)
        self._known = known or {}
        self._objects = cache(self._load)

    def _find_module(self, parts: Sequence[str]) -> tuple[Path | None, bool]:
        """Return the file of the module that contains an object, and whether the object is the module.

        For ``("package", "module", "Object")``, return ``package/module.py`` and False. For
        ``("package", "module")``, return the same file and True.
        """
        folders = [folder for folder in self._folders if _has_top_level(folder, parts[0])]
        for depth in range(len(parts), 0, -1):
            for folder in folders:
                stem = folder.joinpath(*parts[:depth])
                for path in (stem / "__init__.py", stem.with_name(stem.name + ".py")):
                    if isfile(path):
                        return path, depth == len(parts)
        return None, False

    def defining_file(self, identifier: str) -> Path | None:
        """Return the file that defines a Python object, such as ``package.module.Object``, or None.

        Raises:
            GriffeMissingError: Griffe is needed, but not installed.
        """
        parts = identifier.split(".")
        path, is_module = self._find_module(parts)
        # Griffe takes about a second for each package, so a module is found by its name.
        if parts[0] not in self._known and (is_module or path is None):
            return path
        definition = self._definition(identifier)
        return None if definition is None else Path(definition.filepath)

    def exported_files(self, identifier: str, module: Path) -> tuple[Path, ...]:
        """Return the files of the objects that a module imports and lists in ``__all__``.

        Raises:
            GriffeMissingError: Griffe is needed, but not installed.
        """
        if not _may_export_others(module):
            return ()
        definition = self._definition(identifier)
        if definition is None or not definition.is_module:
            return ()
        files: dict[Path, None] = {}
        # The output of mkdocstrings shows such objects as part of the module.
        for name in definition.exports or ():
            member = self._definition(f"{identifier}.{name}")
            if member is not None and not member.is_module:
                files[member.filepath] = None
        return tuple(files)

    def _definition(self, identifier: str) -> Any:  # noqa: ANN401  of a library that may be missing
        """Return griffe's description of a Python object, such as ``package.module.Object``, or None.

        Raises:
            GriffeMissingError: Griffe is not installed.
        """
        griffe = _griffe()
        if griffe is None:
            raise GriffeMissingError(identifier)
        try:
            definition = self._objects(identifier.partition(".")[0])[identifier]
            if definition.is_alias:
                definition = definition.final_target
            filepath = definition.filepath
        except (KeyError, griffe.GriffeError):  # The object, or the module it is imported from, is missing.
            return None
        if isinstance(filepath, Path):
            return definition
        return None  # A namespace package has a list of paths.

    def _load(self, package: str) -> Any:  # noqa: ANN401
        """Read a Python package without importing it, and return its objects as a mapping by name."""
        if package in self._known:
            return self._known
        griffe = _griffe()
        loader = griffe.GriffeLoader(search_paths=self._folders, allow_inspection=False)
        unreadable = (ImportError, OSError, SyntaxError, ValueError, RecursionError, MemoryError)
        with suppress(*unreadable, griffe.GriffeError):
            loader.load(package, try_relative_path=False)
            loader.resolve_aliases()
        return loader.modules_collection


def _has_top_level(folder: Path, name: str) -> bool:
    """Check whether a folder contains a package or module with this name."""
    return isdir(folder / name) or isfile(folder / f"{name}.py")


@cache
def _griffe() -> Any:  # noqa: ANN401
    try:
        return import_module("griffe")
    except ImportError:
        return None


def _may_export_others(module: Path) -> bool:
    """Check quickly whether a module may list imported names in ``__all__``."""
    # If this is not the case, there is no need to load the module with griffe, which is slow.
    try:
        tree = parse_python(module.read_bytes())
    except OSError:
        return False
    imported: set[str] = set()
    texts = set()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            imported.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Constant):
            texts.add(node.value)
        elif isinstance(node, ast.Name):
            names.add(node.id)
    return "__all__" in names and not imported.isdisjoint(texts | {"*"})


class Described(NamedTuple):
    """The command-line program that a Sphinx directive, such as ``click`` or ``argparse``, documents."""

    #: The object, such as ``package.module.main``.
    name: str
    #: The Python file in the directive, or ``""``.
    file: str = ""
    #: How many levels of subcommands the page shows, or -1 for all.
    levels: int = -1


def command_files(name: str, levels: int = -1) -> Iterator[str]:
    """Yield the Python files that define a command and its subcommands.

    Args:
        name: The command, such as ``module.command``, which is imported.
        levels: Levels of subcommands to follow, or -1 for all.
    """
    module_name, _, attribute = name.rpartition(".")
    module = import_module(module_name)
    main_command = getattr(module, attribute)
    waiting: list[tuple[Any, Any, int]] = [(main_command, None, levels)]
    while waiting:
        command, parent, levels = waiting.pop()
        function = unwrap(getattr(command, "callback", None) or command)
        code = getattr(function, "__code__", None)
        yield code.co_filename if code else str(module.__file__)
        if levels and hasattr(command, "list_commands"):
            context = command.context_class(command, info_name=command.name, parent=parent)
            subcommands = [command.get_command(context, name) for name in command.list_commands(context)]
            waiting += [(subcommand, context, levels - 1) for subcommand in subcommands]


def parse_python(source: bytes) -> ast.Module:
    """Return the syntax tree of Python source code. If the code is invalid, the tree is empty."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # The warnings are about the project's own code.
            return ast.parse(source)
    # ValueError: NUL bytes, before Python 3.12. RecursionError, MemoryError: the code nests too deeply.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
