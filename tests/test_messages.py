"""Every sentence that the package prints is in one file: other tests assert the rule and the place.

``pytest --update tests/test_messages.py`` writes the file anew, and its difference shows what readers get.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

GOLDEN = Path(__file__).parent / "golden" / "messages.txt"
PACKAGE = Path(__file__).parents[1] / "sitemap_docs"
WORDS = 4  # from which on a text is a sentence for a reader; its longest word has more letters than a code
SQL = ("SELECT", "INSERT", "CREATE", "DELETE")


def messages(module: ast.AST) -> Iterator[str]:
    """The texts of a module but for docstrings and patterns, with ``{}`` for what is computed."""
    skipped: set[int] = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(part) for part in node.values)
        if id(node) in skipped:
            continue
        text = ""
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        words = text.split()
        is_code = text.lstrip().startswith(SQL) or "(?" in text
        if len(words) >= WORDS and max(map(len, words)) > WORDS and not is_code:
            yield " ".join(words)


def test_the_messages(request):
    found = set()
    for file in PACKAGE.rglob("*.py"):
        found.update(messages(ast.parse(file.read_text("utf-8"))))
    text = "".join(f"{line}\n" for line in sorted(found))
    if request.config.getoption("--update"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
