"""Every sentence that the package prints is in one file: other tests assert the rule and the place.

``pytest --update tests/test_messages.py`` writes the file anew, and its difference shows what readers get.
"""

import ast
from pathlib import Path

import pytest

from tests.conftest import assert_golden
from tests.prose import texts

pytestmark = pytest.mark.once

GOLDEN = Path(__file__).parent / "golden" / "messages.txt"
PACKAGE = Path(__file__).parents[1] / "sitemap_docs"


def messages(module: ast.Module) -> set[str]:
    """The texts of a module but for docstrings and patterns, with ``{}`` for what is computed."""
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    found = {text for node, text in texts(module, "{}") if id(node) not in docstrings and "(?" not in text}
    return {" ".join(text.split()) for text in found}


def test_the_messages(request):
    found = set().union(*(messages(ast.parse(file.read_text("utf-8"))) for file in PACKAGE.rglob("*.py")))
    text = "".join(f"{line}\n" for line in sorted(found))
    assert_golden(request, GOLDEN, text)
