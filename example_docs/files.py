"""The changelog and the guide for contributors, as pages of the manual; a hook of MkDocs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
_MARK = re.compile(r"<!-- ([A-Z]+\.md) -->")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)")


def with_files(text: str) -> str:
    """A page with the file of the repository that a comment names; links to other files become text."""
    return _MARK.sub(lambda found: _body(ROOT / found[1]), text)


def _body(file: Path) -> str:
    _, _, body = file.read_text(encoding="utf-8").partition("\n")
    return _LINK.sub(r"\1", body)


def on_page_markdown(markdown: str, **_: object) -> str:
    return with_files(markdown)
