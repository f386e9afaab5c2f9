"""Code of a project that writes includes into its pages: what they name, only the build of a page knows."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.text import linear

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@linear
def writers(file: Path, marks: Collection[str]) -> frozenset[str]:
    """The names in a module of functions and values that write a mark of an include, or use what does.

    Of ``env.macro(function, "name")`` and ``env.macros["name"] = function``, that is the text, too. None for
    what is no Python.
    """
    try:
        tree = ast.parse(files.read_file(file))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    users: dict[str, list[frozenset[str]]] = defaultdict(list)
    waiting: list[frozenset[str]] = []
    for statement, is_closed in _statements(tree):
        defined = frozenset(_defined(statement, is_closed=is_closed))
        if not defined:
            continue
        documentation = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Expr):
                documentation.add(node.value)
            elif isinstance(node, ast.Name):
                users[node.id].append(defined)
            elif isinstance(node, ast.Attribute):
                users[node.attr].append(defined)
            elif isinstance(node, ast.Constant) and node not in documentation:
                text = node.value
                if isinstance(text, str) and any(mark in text for mark in marks):
                    waiting.append(defined)
    found: set[str] = set()
    while waiting:
        for name in waiting.pop() - found:
            found.add(name)
            waiting += users[name]
    return frozenset(found)


def _statements(tree: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """What may define a name, and whether it stands in a function whose own names no other function sees."""
    waiting = [(tree, False)]
    while waiting:
        parent, is_closed = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            yield node, is_closed
            inner = is_closed
            if isinstance(node, _FUNCTIONS):
                inner = not any(isinstance(each, _FUNCTIONS) for each in ast.walk(node) if each is not node)
            waiting.append((node, inner))


def _defined(statement: ast.AST, *, is_closed: bool) -> Iterator[str]:
    targets: list[ast.expr] = []
    match statement:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Call(ast.Attribute(_, "macro" | "filter"), [_, ast.Constant(str() as name)]):
            yield name
        case ast.Assign(targets):
            pass
        case ast.AnnAssign(single):
            targets = [single]
    for target in targets:
        match target:
            case ast.Subscript(_, ast.Constant(str() as name)) | ast.Attribute(_, name):
                yield name
            case ast.Name(name) if not is_closed:
                yield name
