"""The file in which a Python object is defined, found without importing anything."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, NamedTuple


class PythonObjects:
    """Finds where the objects of Python modules in ``folders`` are defined; reads each package once.

    Where imports leave a doubt, griffe decides, which mkdocstrings installs, as its Python handler does;
    reading a package with it takes a second.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._loader = cache(self._load)

    def defining_file(self, identifier: str) -> Path | None:
        """The module that defines ``package.module.Object``; None if it is not there.

        A name that a module only imports is followed to the module that defines it, as far as
        ``from … import`` names it.
        """
        located = _locate(identifier, self._folders)
        if located and located.is_sure:
            return located.path
        loader = self._loader(identifier.partition(".")[0])
        if loader is not None:
            # No such object, or imported from what is not there.
            with suppress(KeyError, _griffe().GriffeError):
                definition = loader.modules_collection[identifier]
                if definition.is_alias:
                    definition = definition.final_target
                if isinstance(definition.filepath, Path):  # a list: the folders of a namespace package
                    return definition.filepath
        if located is None:
            return None
        return located.path

    def exported_files(self, identifier: str) -> tuple[Path, ...]:
        """The files of what a module exports by ``__all__`` and imports from other modules of its package.

        mkdocstrings shows these objects with the module. Empty for what is no module, and without griffe.
        """
        path, depth = _deepest(identifier, self._folders)
        if path and (depth <= identifier.count(".") or "__all__" not in _bindings(module_tree(path))):
            return ()
        loader = self._loader(identifier.partition(".")[0])
        if loader is None:
            return ()
        files: dict[Path, None] = {}
        with suppress(AttributeError, KeyError, _griffe().GriffeError):
            module = loader.modules_collection[identifier]
            for name in module.exports or ():
                member = module.members.get(str(name))
                if member is None or not member.is_alias:
                    continue
                with suppress(_griffe().GriffeError):  # imported from another package
                    target = member.final_target
                    if not target.is_module and isinstance(target.filepath, Path):
                        files[target.filepath] = None
        return tuple(files)

    def _load(self, package: str) -> Any:  # noqa: ANN401  of a library that may be missing
        """A griffe loader that has read a package without running it; None without griffe, or the package."""
        griffe = _griffe()
        if griffe is None or not package:
            return None
        if sys.version_info < (3, 11) and _has_too_deep(package, self._folders):
            return None
        loader = griffe.GriffeLoader(search_paths=self._folders, allow_inspection=False)
        try:
            loader.load(package, try_relative_path=False)
            loader.resolve_aliases(implicit=True, external=False)
        except (
            ImportError,
            OSError,
            SyntaxError,
            ValueError,
            RecursionError,
            MemoryError,
            griffe.GriffeError,
        ):
            return None
        return loader


@cache
def _griffe() -> Any:  # noqa: ANN401
    try:
        return import_module("griffe")
    except ImportError:
        return None


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class _Located(NamedTuple):
    """A module, the package that its relative imports start from, and whether it is beyond doubt."""

    path: Path
    package: tuple[str, ...]
    is_sure: bool


def object_files(identifier: str, folders: Sequence[Path]) -> list[Path]:
    """The module that a name begins with, and those that the object is imported from."""
    return [located.path for located in _trail(identifier, folders)]


def _locate(identifier: str, folders: Sequence[Path]) -> _Located | None:
    """The module that defines an object, as far as imports name it."""
    trail = _trail(identifier, folders)
    return trail[-1] if trail else None


def _trail(identifier: str, folders: Sequence[Path]) -> list[_Located]:
    """The modules that an object is looked for in: each but the last imports it from the next one."""
    trail: list[_Located] = []
    is_sure = True
    seen: set[str] = set()
    while identifier and identifier not in seen:
        seen.add(identifier)
        path, depth = _deepest(identifier, folders)
        if path is None:
            break
        parts = identifier.split(".")
        package = parts[:depth]
        if path.name != "__init__.py":
            package.pop()
        name, *rest = [*parts[depth:], ""]
        origin = _imports(module_tree(path)).get(name)
        if name:
            binding = _bindings(module_tree(path)).get(name)
            is_sure = is_sure and binding is not None and (origin is None or binding is origin[0])
        trail.append(_Located(path, tuple(package), is_sure))
        if origin is None:
            break
        identifier = ".".join([_absolute(*origin, package), *filter(None, rest)])
    return trail


def _deepest(identifier: str, folders: Sequence[Path]) -> tuple[Path | None, int]:
    """The module whose name an identifier begins with, the longest, and the number of parts of that name."""
    parts = identifier.split(".")
    top = parts[0]
    holding = [each for each in folders if isdir(each / top) or isfile(each / f"{top}.py")]
    for depth in range(len(parts), 0, -1):
        for folder in holding:
            stem = folder.joinpath(*parts[:depth])
            for path in (stem / "__init__.py", stem.with_name(stem.name + ".py")):
                if isfile(path):
                    return path, depth
    return None, 0


@lru_cache(maxsize=256)
def _bindings(tree: ast.Module) -> dict[str, ast.stmt | None]:
    """The statement that binds each name at the top of a module; None where another one may bind it, too."""
    bindings: dict[str, ast.stmt | None] = {}
    for statement in tree.body:
        nodes: list[ast.AST] = [statement]
        if not isinstance(statement, _DEFINITIONS):
            nodes = [*ast.walk(statement)]
        is_plain = isinstance(statement, (*_DEFINITIONS, ast.ImportFrom, ast.Assign, ast.AnnAssign))
        for node in nodes:
            if isinstance(node, _DEFINITIONS):
                name = node.name
            elif isinstance(node, ast.alias):
                name = node.asname or node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            else:
                continue
            bindings[name] = statement if is_plain and name not in bindings else None
    if "*" in bindings:
        return dict.fromkeys(bindings)
    return bindings


def _absolute(node: ast.ImportFrom, name: str, package: Sequence[str]) -> str:
    """The whole name of what ``from … import`` names in a module of a package."""
    parts = [name]
    if node.module:
        parts.insert(0, node.module)
    if node.level:
        parts = [*package[: len(package) - node.level + 1], *parts]
    return ".".join(parts)


def command_files(module: str, command: str, folders: Sequence[Path]) -> list[Path]:
    """The module of a click command, and those of its subcommands as far as modules of its package name them.

    A subcommand is what is handed to ``add_command`` or to ``commands=``, and what a module that is imported
    registers by ``@group.command()``.
    """
    paths: dict[Path, None] = {}
    waiting = [".".join(filter(None, [module, command]))]
    while waiting:
        located = _locate(waiting.pop(0), folders)
        if located is None or located.path in paths:
            continue
        paths[located.path] = None
        tree = module_tree(located.path)
        added: set[str] = set()  # what is handed to `add_command`, or to a group as its commands
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call):
                continue
            if isinstance(call.func, ast.Attribute) and call.func.attr == "add_command" and call.args:
                added |= _names(call.args[0])
            for keyword in call.keywords:
                if keyword.arg == "commands":
                    added |= _names(keyword.value)
        for name, (node, original) in _imports(tree).items():
            imported = _absolute(node, original, located.package)
            if name in added or _registers_with(_locate(imported, folders), located.path, folders):
                waiting.append(imported)
    return list(paths)


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _registers_with(module: _Located | None, group: Path, folders: Sequence[Path]) -> bool:
    """Whether a module decorates functions as commands of a group that it imports from the file ``group``."""
    if module is None or module.path == group:
        return False
    groups: set[str] = set()
    for function in ast.walk(module_tree(module.path)):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for decorator in function.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(called, ast.Attribute) and called.attr in ("command", "group"):
                groups |= _names(called.value)
    for name, (node, original) in _imports(module_tree(module.path)).items():
        if name in groups:
            located = _locate(_absolute(node, original, module.package), folders)
            if located and located.path == group:
                return True
    return False


def module_tree(path: Path) -> ast.Module:
    """The statements of the module in a file; none of what is no Python."""
    return _parsed(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _parsed(path: Path, changed: int) -> ast.Module:  # noqa: ARG001  part of the key
    try:
        return parsed(path.read_bytes())
    except OSError:
        return ast.Module([], [])


def parsed(source: bytes) -> ast.Module:
    """The statements of Python source; none of what is no Python, or nests deeper than Python reads."""
    none = ast.Module([], [])
    if sys.version_info < (3, 11) and is_too_deep(source):
        return none
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the project's own code
            return ast.parse(source)
    # ValueError: NUL bytes, before Python 3.12. RecursionError, MemoryError: it nests too deep.
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return none


def _has_too_deep(package: str, folders: Sequence[Path]) -> bool:
    module, _ = _deepest(package, folders)
    if module is None:
        return False
    sources = [*module.parent.rglob("*.py")] if module.name == "__init__.py" else [module]
    for source in sources:
        with suppress(OSError):  # griffe passes over what it cannot read
            if is_too_deep(source.read_bytes()):
                return True
    return False


#: Parts of one expression; Python 3.11 gives up at about as many.
_MOST_PARTS = 3_000
_PARTS = frozenset(b"+-*/%@&|^<>.([")


def is_too_deep(source: bytes) -> bool:
    """Whether a statement has an expression of so many parts that Python 3.10 itself would end.

    Each part may nest below the next one; those of the elements of a list do not add up.
    """
    if sum(map(source.count, (bytes([each]) for each in _PARTS))) <= _MOST_PARTS:
        return False
    parts, total = [0], 0  # so far, of the expression in each open bracket, and of all of them
    try:
        for token in tokenize.tokenize(io.BytesIO(source).readline):
            if token.type == tokenize.NEWLINE:
                parts, total = [0], 0
            elif token.type != tokenize.OP:
                continue
            elif token.string in ")]}":
                total -= parts.pop()
                parts = parts or [0]
            elif token.string == ",":
                total -= parts[-1]
                parts[-1] = 0
            else:
                parts[-1] += 1
                total += 1
                if token.string in "([{":
                    parts.append(0)
            if total > _MOST_PARTS:
                return True
    except (SyntaxError, tokenize.TokenError):
        return True
    return False


@lru_cache(maxsize=256)
def _imports(tree: ast.Module) -> dict[str, tuple[ast.ImportFrom, str]]:
    imports: dict[str, tuple[ast.ImportFrom, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                imports.setdefault(alias.asname or alias.name, (node, alias.name))
    return imports
