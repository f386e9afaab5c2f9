"""What both builds of the manual take from the repository; a hook of MkDocs.

The changelog and the guide for contributors are pages, and a build that knows the address of the repository
writes it into the lines that readers copy.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
REPOSITORY = os.environ.get("MANUAL_REPOSITORY") or os.environ.get("READTHEDOCS_GIT_CLONE_URL") or ""
_PLACEHOLDER = "https://git.example.org/sitemap-docs"
_MARK = re.compile(r"<!-- ([A-Z]+\.md) -->")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)")


def with_files(text: str) -> str:
    """A page with the file of the repository that a comment names; links to other files become text."""
    page = _MARK.sub(lambda found: _body(ROOT / found[1]), text)
    return page.replace(_PLACEHOLDER, REPOSITORY or _PLACEHOLDER)


def _body(file: Path) -> str:
    _, _, body = file.read_text(encoding="utf-8").partition("\n")
    return _LINK.sub(r"\1", body)


def on_page_markdown(markdown: str, **_: object) -> str:
    return with_files(markdown)
