"""Messages, help texts and docstrings are plain technical English: no metaphors, no personification."""

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

#: Modules and packages that are still to be revised. Remove lines, add none.
NOT_REVISED = frozenset(
    {
        "history/verdicts.py",
        "join/joining.py",
        "join/sitemaps.py",
        "join/versions.py",
        "scan.py",
        "webroot/redirects.py",
    }
)


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


@pytest.mark.parametrize("name", [name for name in names() if name not in NOT_REVISED])
def test_a_module_has_only_technical_terms(name: str) -> None:
    assert refused(PACKAGE / name) == []


@pytest.mark.parametrize("name", sorted(NOT_REVISED))
def test_a_module_that_is_revised_is_off_the_list(name: str) -> None:
    assert refused(PACKAGE / name)


def test_metaphors_are_found_in_strings_and_docstrings(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text('"""Nobody knows."""\nmessage = f"{1} is yet to come."  # told\nstockholm = 1\n')
    found = [match[0] for _, text in texts(file) for match in REFUSED.finditer(text)]
    assert found == ["Nobody", "yet to come"]
