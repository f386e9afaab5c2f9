"""What pages include that mkdocs-macros renders with Jinja."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs.config.parsing import as_text
from sitemap_docs.sources.markup import ComputedNameError, FileGroup, MarkdownConfig, Reader, spans
from sitemap_docs.text import linear

_RENDERED = re.compile(
    r"(?s)---\r?\n(?:(?!---).)*?^render_macros:[ \t]*(?P<answer>true|false)\b", re.MULTILINE | re.IGNORECASE
)
_LITERAL = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:$|import\b|as\b|ignore\b|with\b|without\b)""")


class Jinja:
    """How mkdocs-macros, with its options, marks what Jinja renders in a page."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.start = re.escape(as_text(options.get("j2_block_start_string")) or "{%")
        self.end = re.escape(as_text(options.get("j2_block_end_string")) or "%}")
        value = re.escape(as_text(options.get("j2_variable_start_string")) or "{{")
        self.value = value, re.escape(as_text(options.get("j2_variable_end_string")) or "}}")
        self._raw = (
            re.compile(rf"{self.start}-?\s*raw\s*-?{self.end}"),
            re.compile(rf"{self.start}-?\s*endraw\s*-?{self.end}"),
        )
        self._by_default = options.get("render_by_default") is not False

    def rendered(self, text: str) -> str:
        """What Jinja renders of a page: all but raw blocks, or nothing."""
        is_rendered = self._by_default
        if own := _RENDERED.match(text):
            is_rendered = own["answer"].lower() == "true"
        if not is_rendered:
            return ""
        rendered, place = "", 0
        for span in spans(text, *self._raw):
            rendered += text[place : span.start]
            place = span.end
        return rendered + text[place:]


@linear
def macros(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{% include "file" %}`` and ``import`` of mkdocs-macros, which renders pages with Jinja."""
    folder = config.start / str(options.get("include_dir") or config.docs)
    jinja = Jinja(options)
    block = (
        re.compile(rf"{jinja.start}[-+]?\s*(?:include|import|from|extends)\s"),
        re.compile(rf"[-+]?{jinja.end}"),
    )

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        rendered = jinja.rendered(text)
        for span in spans(rendered, *block):
            literal = _LITERAL.match(span.inside.rstrip())
            if not literal:
                raise ComputedNameError(rendered[span.start : span.end])
            path = Path(normpath(folder / (literal[1] or literal[2] or "")))
            if isfile(path) and path.is_relative_to(normpath(folder)):
                yield (path,)

    return read
