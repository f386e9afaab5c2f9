"""What the Markdown extension pymdownx.snippets includes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike, fspath
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs.config.parsing import as_items
from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FileGroup, MarkdownConfig, Reader

#: How an include begins in the text that plugins and hooks leave.
MARK = "8<-"
SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_SECTION = re.compile(r"[a-z][-_0-9a-z]*", re.IGNORECASE)
_RANGES = "-0123456789:,"


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``--8<--`` of pymdownx.snippets 9 and later; what ``auto_append`` adds to every page dates none."""
    bases = _bases(options)
    restricted = bool(options.get("restrict_base_path", True))

    def read(text: str, _: Path, page: Path) -> Iterator[FileGroup]:
        if MARK not in text:
            return
        folders: list[Path] = []
        for base in bases:
            if not _is_relative(base):
                folders.append(Path(normpath(config.start / fspath(base))))
            elif base is not None:
                folders.append(page)
            else:
                folders += [page, config.docs, config.root]
        for name in snippet_names(text):
            for folder in folders:
                path = _snippet(folder, name, restricted=restricted)
                if path:
                    yield (path,)
                    break

    return read


def _snippet(base: Path, name: str, *, restricted: bool) -> Path | None:
    """The file that a base has under a name: a base may be a file, which is found by its own name."""
    path = Path(normpath(base / name))
    if isfile(base):
        return base if path.name == base.name else None
    if isfile(path) and (not restricted or path.is_relative_to(base)):
        return path
    return None


def _bases(options: Mapping[str, Any]) -> Sequence[Any]:
    return as_items(options.get("base_path", ["."]))


def sees_pages(options: Mapping[str, Any]) -> bool:
    """Whether pymdownx.snippets looks into the folder of the page that names a file."""
    return any(map(_is_relative, _bases(options)))


def _is_relative(base: object) -> bool:
    """Whether a base is the folder of the page: MkDocs resolves its tag `!relative` while it renders one."""
    return not isinstance(base, (str, PathLike)) or type(base).__name__ == "RelativeDirPlaceholder"


def snippet_names(text: str) -> Iterator[str]:
    block = False
    for line in text.split("\n"):
        match = SNIPPET.match(line)
        if match and match["block"] is not None:
            block = not block
        elif match and not block:
            yield _without_lines(match["inline"])
        elif block and line.strip():
            yield _without_lines(line.strip())


def _without_lines(name: str) -> str:
    """The name of a snippet without the ranges of lines, or the section, that may follow it."""
    path = name.rstrip(_RANGES)
    ranges = name[len(path) :]
    if ":" in ranges:
        return path + ranges[: ranges.index(":")]
    path, colon, section = name.rpartition(":")
    return path if colon and _SECTION.fullmatch(section) else name
