"""pymdownx.snippets: the files that pages include."""

import re
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike, fspath
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs.config.parsing import as_items
from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FileGroup, IncludeReader, MarkdownConfig

_MARK = "8<-"
_SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_SECTION = re.compile(r"[a-z][-_0-9a-z]*", re.IGNORECASE)
_RANGES = "-0123456789:,"


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader`, which finds included files, such as ``a.md`` in ``--8<-- "a.md"``.

    Files in the option ``auto_append`` are left out. The configuration adds them to all pages, so they date
    no page.
    """
    # The rules are those of version 9 and later.
    bases: Sequence[Any] = as_items(options.get("base_path", ["."]))
    restricted = bool(options.get("restrict_base_path", True))

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        if _MARK not in text:
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
            for base_folder in folders:
                path = _find_snippet(base_folder, name, restricted=restricted)
                if path:
                    yield (path,)
                    break

    return IncludeReader(read, _MARK, sees_pages=any(map(_is_relative, bases)))


def _find_snippet(base: Path, name: str, *, restricted: bool) -> Path | None:
    """Return the path of a snippet such as ``part.md``. If there is no such file, return None.

    ``base`` is the folder to search, or a single file. If ``restricted`` is true, files outside the folder
    ``base`` are ignored.
    """
    path = Path(normpath(base / name))
    if isfile(base):
        return base if path.name == base.name else None
    if isfile(path) and (not restricted or path.is_relative_to(base)):
        return path
    return None


def _is_relative(base: object) -> bool:
    """Check whether an entry of ``base_path`` stands for the folder of the page, as ``!relative`` does.

    ``base_path`` is the option of the Markdown extension Snippets for the folders of included files.
    """
    return not isinstance(base, (str, PathLike)) or type(base).__name__ == "RelativeDirPlaceholder"


def snippet_names(text: str) -> Iterator[str]:
    """Yield the name of each file that a text includes with ``--8<--``."""
    block = False
    for line in text.split("\n"):
        match = _SNIPPET.match(line)
        if match and match["block"] is not None:
            block = not block
        elif match and not block:
            yield _without_lines(match["inline"])
        elif block and line.strip():
            yield _without_lines(line.strip())


def _without_lines(name: str) -> str:
    """Remove the line numbers or the section from a name such as ``part.md:2:5`` or ``part.md:intro``."""
    path = name.rstrip(_RANGES)
    ranges = name[len(path) :]
    if ":" in ranges:
        return path + ranges[: ranges.index(":")]
    path, colon, section = name.rpartition(":")
    return path if colon and _SECTION.fullmatch(section) else name
