"""What mdBook includes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.sources.markup import FileGroup, MarkdownConfig, Reader, first_file, spans
from sitemap_docs.text import linear

_LINK = (
    re.compile(r"(?<!\\)\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s"),
    re.compile(r"\}\}?"),
)


@linear
def reader(_config: MarkdownConfig, _options: Mapping[str, Any]) -> Reader:
    """``{{#include file:anchor}}`` and its like, https://rust-lang.github.io/mdBook/format/mdbook.html ."""

    def read(text: str, place: Path, _: Path) -> Iterator[FileGroup]:
        for span in spans(text, *_LINK):
            words = span.inside.split(maxsplit=1)
            if words and span.closing == "}}":
                yield first_file(words[0].partition(":")[0], [place])

    return read
