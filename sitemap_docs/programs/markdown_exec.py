"""Code in pages that markdown-exec runs."""

import re
from collections.abc import Iterator
from pathlib import Path

from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FENCE, FileGroup, MarkdownConfig, UnknownError

_EXECUTED = re.compile(r"""\sexec=["']?(?!(?i:no|off|false|0)\b)\w""")


def is_on(config: MarkdownConfig) -> bool:
    """Whether a configuration has its plugin, or a fence with a validator, which its formatter needs."""
    fences = config.extensions.get("pymdownx.superfences", {}).get("custom_fences") or ()
    return "markdown-exec" in config.plugins or any("validator" in fence for fence in fences)


@linear
def executed(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
    """No file: it fails for a block that markdown-exec runs, whatever is in it."""
    for line in text.split("\n"):
        if _EXECUTED.search(line) and FENCE.match(line):
            raise UnknownError("code that markdown-exec runs may read files")
    yield from ()
