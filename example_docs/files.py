"""Put files of the repository into pages of the manual, for Sphinx and, as a hook, for MkDocs.

The changelog and the guide for contributors are pages. If a build knows the address of the repository, the
address is written into the lines that readers copy.
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
    """Replace a comment such as ``<!-- CHANGELOG.md -->`` in a page with the text of the file.

    Links to other files of the repository become plain text.
    """
    page = _MARK.sub(lambda found: _body(ROOT / found[1]), text)
    return page.replace(_PLACEHOLDER, REPOSITORY or _PLACEHOLDER)


def _body(file: Path) -> str:
    _, _, body = file.read_text(encoding="utf-8").partition("\n")
    return _LINK.sub(r"\1", body)


def on_page_markdown(markdown: str, **_: object) -> str:
    return with_files(markdown)
