"""The file in which a Python object is defined, found without importing anything."""

from __future__ import annotations

import ast
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def defining_file(identifier: str, folders: Sequence[Path]) -> Path | None:
    """The module that defines ``package.module.Object``, looked up in ``folders``; None if it is not there.

    A name that a module only imports is followed to the module that defines it: by griffe, which mkdocstrings
    installs, as its Python handler does; without griffe as far as ``from … import`` names it.
    """
    return _asked_griffe(identifier, tuple(folders)) or _looked_up(identifier, folders)


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
    return target.filepath if not target.is_module and isinstance(target.filepath, Path) else None


def _asked_griffe(identifier: str, folders: tuple[Path, ...]) -> Path | None:
    loader = _loader(identifier.partition(".")[0], folders)
    if loader is None:
        return None
    try:
        found = loader.modules_collection[identifier]
        file = (found.final_target if found.is_alias else found).filepath
    except (KeyError, _griffe().GriffeError):  # no such object, or imported from what is not there
        return None
    return Path(file) if isinstance(file, Path) else None  # a list: the folders of a namespace package


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


def _looked_up(identifier: str, folders: Sequence[Path]) -> Path | None:
    last = None
    for found in _followed(identifier, folders):
        last = found
    return last


def _followed(identifier: str, folders: Sequence[Path]) -> Iterator[Path]:
    seen: set[str] = set()
    while identifier and identifier not in seen:
        seen.add(identifier)
        path, depth = _deepest(identifier, folders)
        if path is None:
            return
        yield path
        parts = identifier.split(".")
        package = parts[:depth] if path.name == "__init__.py" else parts[: depth - 1]
        identifier = _origin(path, package, parts[depth:]) if parts[depth:] else ""


def _deepest(identifier: str, folders: Sequence[Path]) -> tuple[Path | None, int]:
    parts = identifier.split(".")
    for depth in range(len(parts), 0, -1):
        for folder in folders:
            stem = folder.joinpath(*parts[:depth])
            for path in (stem / "__init__.py", stem.with_name(stem.name + ".py")):
                if path.is_file():
                    return path, depth
    return None, 0


def _origin(path: Path, package: Sequence[str], rest: Sequence[str]) -> str:
    """The identifier that the module at ``path`` imports as ``rest[0]``; ``""`` if it does not."""
    imported = _imports(path, path.stat().st_mtime_ns).get(rest[0])
    if imported is None:
        return ""
    node, name = imported
    above = package[: len(package) - node.level + 1] if node.level else ()
    return ".".join([*above, *filter(None, [node.module]), name, *rest[1:]])


@lru_cache(maxsize=256)
def _imports(path: Path, changed: int) -> dict[str, tuple[ast.ImportFrom, str]]:  # noqa: ARG001  part of the key
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):  # ValueError: NUL bytes, before Python 3.12
        return {}
    found: dict[str, tuple[ast.ImportFrom, str]] = {}
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)):
        for alias in node.names:
            found.setdefault(alias.asname or alias.name, (node, alias.name))
    return found
