"""What the Markdown extension markdown-include-variants includes."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FileGroup, MarkdownConfig, Reader

MARK = "{*"
_VARIANT = re.compile(r"(.*?)(?:_an|_py3[0-9]{1,3}){1,9}")


@linear
def reader(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """``{* file.py *}`` of markdown-include-variants: the file, and those for other versions of Python.

    https://github.com/tiangolo/markdown-include-variants
    """

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        for line in text.splitlines():
            words = line[2:-2].split(maxsplit=1)
            if not (words and line.startswith("{*") and line.endswith("*}")):
                continue
            path = Path(normpath(config.start / words[0]))
            if isfile(path):
                yield (path,)
                yield alike(path.parent).get((plain(path), path.suffix), ())

    @cache
    def alike(folder: Path) -> dict[tuple[str, str], FileGroup]:
        """The files of a folder by their names without the versions, and by their endings."""
        by_name = defaultdict(list)
        for path in sorted(folder.iterdir()):
            if isfile(path):
                by_name[plain(path), path.suffix].append(path)
        return {key: tuple(paths) for key, paths in by_name.items()}

    def plain(path: Path) -> str:
        match = _VARIANT.fullmatch(path.stem)
        return match[1] if match else path.stem

    return read
