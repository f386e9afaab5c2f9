"""markdown-include-variants: the files that pages include."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs.files import names_in
from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FileGroup, IncludeReader, MarkdownConfig

_MARK = "{*"
_VARIANT = re.compile(r"(.*?)(?:_an|_py3[0-9]{1,3}){1,9}")


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader`, which finds the files that ``{* app.py *}`` includes in Markdown.

    These are ``app.py`` and its variants for newer versions of Python, such as ``app_py310.py``.
    https://github.com/tiangolo/markdown-include-variants
    """

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        for line in text.splitlines():
            words = line[2:-2].split(maxsplit=1)
            if not (words and line.startswith(_MARK) and line.endswith("*}")):
                continue
            path = Path(normpath(config.start / words[0]))
            if isfile(path):
                yield (path,)
                yield variants_in(path.parent).get((name_without_version(path), path.suffix), ())

    @cache
    def variants_in(folder: Path) -> dict[tuple[str, str], FileGroup]:
        """Group the files in a folder so that variants such as ``app.py`` and ``app_py310.py`` are together.

        The key of this group is ``("app", ".py")``.
        """
        by_name = defaultdict(list)
        for path in map(folder.joinpath, names_in(folder)):
            if isfile(path):
                by_name[name_without_version(path), path.suffix].append(path)
        return {key: tuple(paths) for key, paths in by_name.items()}

    def name_without_version(path: Path) -> str:
        match = _VARIANT.fullmatch(path.stem)
        return match[1] if match else path.stem

    return IncludeReader(read, _MARK)
