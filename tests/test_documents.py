"""What the documents say is held against the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_docs.options import OPTIONS

ROOT = Path(__file__).parent.parent
BEGIN, END = "<!-- options -->\n", "<!-- /options -->"


def table() -> str:
    rows = [f"| `{option.name}` | {option.help} | `{option.form}` |\n" for option in OPTIONS]
    return "| option | meaning | default |\n|---|---|---|\n" + "".join(rows)


@pytest.mark.parametrize("name", ["README.md", "example_docs/pages/options.md"])
def test_the_options_table_is_the_code(name: str, request: pytest.FixtureRequest) -> None:
    file = ROOT / name
    before, _, rest = file.read_text(encoding="utf-8").partition(BEGIN)
    written, _, after = rest.partition(END)
    if request.config.getoption("update"):
        file.write_text(before + BEGIN + table() + END + after, encoding="utf-8")
    assert written == table(), "run pytest --update tests/test_documents.py"
