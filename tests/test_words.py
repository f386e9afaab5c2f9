"""Messages, help texts, docstrings and the manual are plain technical English: no metaphors."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sitemap_docs

PACKAGE = Path(sitemap_docs.__file__).parent

_WORDS = (
    *("becomes of", "cannot be had", "couriers?", "dear", "everybody", "fates?", "heaps?", "heard", "heirs?"),
    *("mildest", "nobody", "proves? a date", "said so", "silent", "speaks? for", "spools?", "stocks?"),
    *("that we know", "told", "twins?", "verdicts?", "yet to come"),
)
REFUSED = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """Every string of a module with its line, docstrings included; no comments."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def refused(file: Path) -> list[str]:
    return [
        f"{file.relative_to(PACKAGE).as_posix()}:{line}: {match[0]}"
        for line, text in texts(file)
        for match in REFUSED.finditer(text)
    ]


def names() -> list[str]:
    return sorted(file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.py"))


def pages() -> list[Path]:
    """The manual, and the Markdown files at the top."""
    top = ("README.md", "CONTRIBUTING.md", "SECURITY.md")  # the changelog quotes old names
    return [*map(PACKAGE.parent.joinpath, top), *sorted(PACKAGE.parent.glob("example_docs/pages/*.md"))]


@pytest.mark.parametrize("name", names())
def test_a_module_has_only_technical_terms(name: str) -> None:
    assert refused(PACKAGE / name) == []


@pytest.mark.parametrize("file", pages(), ids=lambda file: file.name)
def test_a_page_has_only_technical_terms(file: Path) -> None:
    assert REFUSED.findall(file.read_text("utf-8")) == []


def test_metaphors_are_found_in_strings_and_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text('"""Nobody knows."""\nmessage = f"{1} is yet to come."  # told\nstockholm = 1\n')
    found = [match[0] for _, text in texts(file) for match in REFUSED.finditer(text)]
    assert found == ["Nobody", "yet to come"]
