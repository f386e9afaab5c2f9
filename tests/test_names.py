"""A public name means one thing: no two modules define a class or function of one name."""

from __future__ import annotations

import ast
from pathlib import Path

import sitemap_docs

PACKAGE = Path(sitemap_docs.__file__).parent
#: What hosts look for in each module of a kind: click's commands, and the entry of Sphinx.
SHARED = {"command", "setup"}


def public_names(source: str) -> set[str]:
    """The public classes and functions that a module defines."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(source).body if isinstance(node, kinds) and node.name[0] != "_"}


def is_of_plugins(files: list[str]) -> bool:
    """Whether it is one role in both plugins, in modules of the same name: Sphinx's log and MkDocs'."""
    modules = {Path(file).name for file in files}
    return len(modules) == 1 and sorted(Path(file).parent.name for file in files) == ["mkdocs", "sphinx"]


def test_each_public_name_is_defined_once():
    modules: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        for name in public_names(file.read_text(encoding="utf-8")):
            modules.setdefault(name, []).append(file.relative_to(PACKAGE).as_posix())
    shared = {name: found for name, found in modules.items() if len(found) > 1}
    rules = "audit/rules/"  # the registry of rules has a test of its own; they are called by their ids
    twice = {
        name: found
        for name, found in shared.items()
        if name not in SHARED
        and not all(file.startswith(rules) for file in found)
        and not is_of_plugins(found)
    }
    assert twice == {}


def test_a_name_that_is_defined_twice_is_found():
    assert public_names("class A: ...\ndef b(): ...\ndef _c(): ...\nimport d") == {"A", "b"}
