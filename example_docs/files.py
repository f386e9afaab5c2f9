"""What both builds of the manual take from the repository; a hook of MkDocs.

The changelog and the guide for contributors are pages, and a version that is not released has a bar.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
_MARK = re.compile(r"<!-- ([A-Z]+\.md) -->")
_LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)")


def with_files(text: str) -> str:
    """A page with the file of the repository that a comment names; links to other files become text."""
    return _MARK.sub(lambda found: _body(ROOT / found[1]), text)


def _body(file: Path) -> str:
    _, _, body = file.read_text(encoding="utf-8").partition("\n")
    return _LINK.sub(r"\1", body)


def announcement(repository: str | None) -> str:
    """The bar on top of a manual whose version is not released: the way to install it that works now."""
    newest = re.search(r"^## .*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not newest or "Unreleased" not in newest[0]:
        return ""
    clone, address = "Clone the repository", "<code>git+</code> and the address of the repository"
    if repository:
        clone = f"Run <code>git clone {escape(repository)}</code>"
        address = f"<code>git+{escape(repository)}</code>"
    return (
        f"This version is not released: its name and tags are not registered yet. {clone}, then "
        f"<code>pip install ./sitemap-docs</code>. In CI, write {address} in place of the name."
    )


def on_config(config: MutableMapping[str, Any]) -> None:
    config["extra"]["announcement"] = announcement(config["repo_url"])


def on_page_markdown(markdown: str, **_: object) -> str:
    return with_files(markdown)
