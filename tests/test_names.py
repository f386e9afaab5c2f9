"""A public name means one thing: no two modules define it, and no two modules are called alike."""

from __future__ import annotations

import ast
from pathlib import Path

import sitemap_docs

PACKAGE = Path(sitemap_docs.__file__).parent
#: What hosts look for in each module of a kind: click's commands, the entry of Sphinx, the log of a module.
SHARED = {"command", "logger", "setup"}
#: A command, a group of rules and the pages of a front door are named after what they are about.
NAMED_AFTER = ("cli/", "audit/rules/")
ROLES = {"collect.py"}


def public_names(source: str) -> set[str]:
    """The public classes, functions, constants and aliases of types that a module defines."""
    names = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                names.add(node.name)
            case ast.Assign(targets=targets):
                for target in targets:
                    names |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
            case ast.AnnAssign(target=ast.Name(name)):
                names.add(name)
    return {name for name in names if name[0] != "_"}


def is_of_plugins(files: list[str]) -> bool:
    """Whether it is one role in both plugins, in modules of the same name."""
    modules = {Path(file).name for file in files}
    return len(modules) == 1 and sorted(Path(file).parent.name for file in files) == ["mkdocs", "sphinx"]


def test_each_public_name_is_defined_once():
    modules: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        for name in public_names(file.read_text(encoding="utf-8")):
            modules.setdefault(name, []).append(file.relative_to(PACKAGE).as_posix())
    twice = {}
    for name, files in modules.items():
        # The registry of rules has a test of its own; they are called by their ids.
        of_rules = all(file.startswith("audit/rules/") for file in files)
        if len(files) > 1 and name not in SHARED and not of_rules and not is_of_plugins(files):
            twice[name] = files
    assert twice == {}


def test_a_name_that_is_defined_twice_is_found():
    source = "class A: ...\ndef b(): ...\ndef _c(): ...\nimport d\nE, (F, _g) = 1, (2, 3)\nH: int = 4\n_i = 5"
    assert public_names(source) == {"A", "b", "E", "F", "H"}


def test_each_module_has_a_name_of_its_own():
    modules: dict[str, list[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        if not path.startswith(NAMED_AFTER) and file.name != "__init__.py" and file.name not in ROLES:
            modules.setdefault(file.name, []).append(path)
    assert {name: files for name, files in modules.items() if len(files) > 1} == {}
