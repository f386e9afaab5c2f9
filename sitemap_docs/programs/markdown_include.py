"""markdown-include and mdx_include: the files that pages include. Both programs have the same mark."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FileGroup, IncludeReader, MarkdownConfig, first_file, spans

_MARK = "{!"
_BRACES = re.compile(r"(?<!\\)\{![+-]?>?"), re.compile(r"!(?:lines=[0-9 -]+)?\}|\n")


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader`, which finds included files, such as ``a.md`` in ``{!a.md!}``."""
    base = config.start / str(options.get("base_path") or ".")

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        for span in spans(text, *_BRACES):
            if span.closing != "\n":
                name = span.inside.partition("|")[0].partition("[")[0]
                yield first_file(name.strip(), (base, folder))

    return IncludeReader(read, _MARK)
