"""What all readers of includes share: the configuration, and how they go through a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os.path import isfile, normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.text import one_line

#: Files that one include names; the same object for the same glob.
FileGroup = tuple[Path, ...]
#: What a text names; the folder of the text, which may be included itself, and that of the page.
Reader = Callable[[str, Path, Path], Iterator[FileGroup]]


@dataclass(frozen=True, kw_only=True)
class MarkdownConfig:
    """The options of each Markdown extension and plugin by its name.

    ``docs`` is the folder of the pages, ``root`` that of the configuration, ``start`` the one that relative
    paths of extensions start from. ``hooks`` are the Python files that change pages. ``objects`` are those
    that mkdocstrings has read in this build; None where only sources are known.
    """

    docs: Path
    root: Path
    start: Path
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    hooks: tuple[Path, ...] = ()
    objects: Mapping[str, Any] | None = None


class UnknownError(Exception):
    """Its text is why only the build knows what a text includes."""


class ComputedNameError(UnknownError):
    def __init__(self, include: str) -> None:
        super().__init__(f"the name of a file is computed, {one_line(include)[:100]}")


class Span(NamedTuple):
    """What stands in a text from an opening mark to a closing one, and what is ``inside``."""

    start: int
    inside: str
    closing: str
    end: int


def spans(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[Span]:
    """Yields what is marked in a text: the next opening, the next closing from there, and on behind it.

    It goes forward once: where an opening has no closing, none that follows has one.
    """
    place = 0
    while start := opening.search(text, place):
        end = closing.search(text, start.end())
        if not end:
            return
        yield Span(start.start(), text[start.end() : end.start()], end[0], end.end())
        place = end.end()


def outside(text: str, fence: re.Pattern[str]) -> Iterator[str]:
    """The lines of a text but for blocks, from a line that begins with a ``fence`` to one that repeats it.

    A fence that no line repeats is none.
    """
    lines = text.split("\n")
    last = {line.strip(): number for number, line in enumerate(lines)}
    opened = ""
    for number, line in enumerate(lines):
        if opened:
            if line.strip() == opened:
                opened = ""
        elif (match := fence.match(line)) and last.get(match[1], 0) > number:
            opened = match[1]
        else:
            yield line


class Jinja:
    """How Jinja marks a block: what stands between ``{%`` and ``%}``, or the marks of a project."""

    def __init__(self, start: str = "{%", end: str = "%}") -> None:
        self.start, self.end = re.escape(start), re.escape(end)
        self._raw = (
            re.compile(rf"{self.start}-?\s*raw\s*-?{self.end}"),
            re.compile(rf"{self.start}-?\s*endraw\s*-?{self.end}"),
        )

    def rendered(self, text: str) -> str:
        """Returns what Jinja renders of a text: all but raw blocks."""
        rendered, place = "", 0
        for span in spans(text, *self._raw):
            rendered += text[place : span.start]
            place = span.end
        return rendered + text[place:]


def first_file(name: str, folders: Iterable[Path]) -> FileGroup:
    """The file of a name in the first of the folders that has one."""
    for folder in folders:
        path = Path(normpath(folder / name))
        if isfile(path):
            return (path,)
    return ()


#: Of Markdown; text behind it on its line is code in the line.
FENCE = re.compile(r"[ \t]*(`{3,}(?![^`]*`)|~{3,})")
