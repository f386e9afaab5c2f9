"""The file in which a Python object is defined, found without importing anything."""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


def defining_file(identifier: str, folders: Sequence[Path]) -> Path | None:
    """The module that defines ``package.module.Object``, looked up in ``folders``; None if it is not there.

    A name that a module only imports is followed to the module that defines it: by griffe, which mkdocstrings
    installs, as its Python handler does; without griffe as far as ``from … import`` names it.
    """
    loader = _loader(identifier.partition(".")[0], tuple(folders))
    if loader is not None:
        try:
            found = loader.modules_collection[identifier]
            file = (found.final_target if found.is_alias else found).filepath
        except (KeyError, _griffe().GriffeError):  # no such object, or imported from what is not there
            file = None
        if isinstance(file, Path):  # a list: the folders of a namespace package
            return file
    located = _locate(identifier, folders)
    return located.path if located else None


def exported_files(identifier: str, folders: Sequence[Path]) -> tuple[Path, ...]:
    """The files of what a module exports by ``__all__`` and imports from other modules of its package.

    mkdocstrings shows these objects with the module. Empty for what is no module, and without griffe.
    """
    loader = _loader(identifier.partition(".")[0], tuple(folders))
    if loader is None:
        return ()
    try:
        found = loader.modules_collection[identifier]
        members = [found.members[str(name)] for name in found.exports or () if str(name) in found.members]
    except (AttributeError, KeyError, _griffe().GriffeError):
        return ()
    return tuple(dict.fromkeys(file for each in members if each.is_alias and (file := _file_of(each))))


def _file_of(alias: Any) -> Path | None:  # noqa: ANN401
    try:
        target = alias.final_target
    except _griffe().GriffeError:  # imported from another package
        return None
    if target.is_module or not isinstance(target.filepath, Path):
        return None
    return target.filepath


@lru_cache(maxsize=16)
def _loader(package: str, folders: tuple[Path, ...]) -> Any:  # noqa: ANN401  of a library that may be missing
    """A griffe loader that has read a package without running it; None without griffe, or such a package."""
    griffe = _griffe()
    if griffe is None or not package:
        return None
    loader = griffe.GriffeLoader(search_paths=folders, allow_inspection=False)
    try:
        loader.load(package, try_relative_path=False)
        loader.resolve_aliases(implicit=True, external=False)
    except (ImportError, OSError, SyntaxError, ValueError, RecursionError, griffe.GriffeError):
        return None
    return loader


@cache
def _griffe() -> Any:  # noqa: ANN401
    try:
        return import_module("griffe")
    except ImportError:
        return None


class _Located(NamedTuple):
    """A module, and the names of the package that its relative imports start from."""

    path: Path
    package: tuple[str, ...]


def _locate(identifier: str, folders: Sequence[Path]) -> _Located | None:
    """The module that defines an object, as far as imports name it."""
    located = None
    seen: set[str] = set()
    while identifier and identifier not in seen:
        seen.add(identifier)
        path, depth = _deepest(identifier, folders)
        if path is None:
            break
        parts = identifier.split(".")
        of_package = depth if path.name == "__init__.py" else depth - 1
        located = _Located(path, tuple(parts[:of_package]))
        name, *rest = [*parts[depth:], ""]
        origin = _imports(path, path.stat().st_mtime_ns).get(name)
        if origin is None:
            break
        identifier = ".".join([_absolute(*origin, located.package), *filter(None, rest)])
    return located


def _deepest(identifier: str, folders: Sequence[Path]) -> tuple[Path | None, int]:
    """The module whose name an identifier begins with, the longest, and the number of parts of that name."""
    parts = identifier.split(".")
    for depth in range(len(parts), 0, -1):
        for folder in folders:
            stem = folder.joinpath(*parts[:depth])
            for path in (stem / "__init__.py", stem.with_name(stem.name + ".py")):
                if path.is_file():
                    return path, depth
    return None, 0


def _absolute(node: ast.ImportFrom, name: str, package: Sequence[str]) -> str:
    """The whole name of what ``from … import`` names in a module of a package."""
    above = package[: len(package) - node.level + 1] if node.level else ()
    return ".".join([*above, *filter(None, [node.module]), name])


def command_files(module: str, command: str, folders: Sequence[Path]) -> list[Path]:
    """The module of a click command, and those of its subcommands as far as modules of its package name them.

    A subcommand is what is handed to ``add_command`` or to ``commands=``, and what a module that is imported
    registers by ``@group.command()``.
    """
    found: dict[Path, None] = {}
    waiting = [".".join(filter(None, [module, command]))]
    while waiting:
        located = _locate(waiting.pop(0), folders)
        if located is None or located.path in found:
            continue
        found[located.path] = None
        added = _added_commands(_tree(located.path, located.path.stat().st_mtime_ns))
        for name, (node, original) in _imports(located.path, located.path.stat().st_mtime_ns).items():
            imported = _absolute(node, original, located.package)
            if name in added or _registers_with(_locate(imported, folders), located.path, folders):
                waiting.append(imported)
    return list(found)


def _added_commands(tree: ast.Module) -> set[str]:
    """The names in a module that are handed to ``add_command``, or to a group as its commands."""
    values: list[ast.AST] = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_command":
            values += call.args[:1]
        values += [keyword.value for keyword in call.keywords if keyword.arg == "commands"]
    return {node.id for value in values for node in ast.walk(value) if isinstance(node, ast.Name)}


def _registers_with(module: _Located | None, group: Path, folders: Sequence[Path]) -> bool:
    """Whether a module decorates functions as commands of a group that it imports from the file ``group``."""
    if module is None or module.path == group:
        return False
    changed = module.path.stat().st_mtime_ns
    groups: set[str] = set()
    for function in ast.walk(_tree(module.path, changed)):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in function.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(called, ast.Attribute) and called.attr in ("command", "group"):
                    groups.update(node.id for node in ast.walk(called.value) if isinstance(node, ast.Name))
    for name, (node, original) in _imports(module.path, changed).items():
        if name in groups:
            located = _locate(_absolute(node, original, module.package), folders)
            if located and located.path == group:
                return True
    return False


@lru_cache(maxsize=256)
def _tree(path: Path, changed: int) -> ast.Module:  # noqa: ARG001  part of the key
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):  # ValueError: NUL bytes, before Python 3.12
        return ast.Module([], [])


def _imports(path: Path, changed: int) -> dict[str, tuple[ast.ImportFrom, str]]:
    found: dict[str, tuple[ast.ImportFrom, str]] = {}
    for node in ast.walk(_tree(path, changed)):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found.setdefault(alias.asname or alias.name, (node, alias.name))
    return found
