"""markdown-exec: code in pages that a build runs."""

import re
from collections.abc import Iterator
from pathlib import Path

from sitemap_docs.linear import linear
from sitemap_docs.sources.code_blocks import opening_fences
from sitemap_docs.sources.includes import FileGroup, MarkdownConfig, UnknownError

_EXECUTED = re.compile(r"""\sexec=["']?(?!(?i:no|off|false|0)\b)\w""")


def is_on(config: MarkdownConfig) -> bool:
    """Check whether a project uses markdown-exec, which runs code in pages."""
    # A custom fence with a validator counts, because the formatter of markdown-exec needs a validator.
    fences = config.extensions.get("pymdownx.superfences", {}).get("custom_fences") or ()
    return "markdown-exec" in config.plugins or any("validator" in fence for fence in fences)


@linear
def executed(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
    """Raise UnknownError if markdown-exec would run code in a page, because the code may read any file.

    The function is a reader for :class:`Includes`. It yields no files.
    """
    for line in opening_fences(text) if "exec=" in text else ():
        if _EXECUTED.search(line):
            raise UnknownError("the page runs code with markdown-exec, which may read any file")
    yield from ()
