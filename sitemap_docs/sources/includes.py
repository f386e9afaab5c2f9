"""What pages in Markdown are made of: how readers of includes go through a text, and how all are walked."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from os.path import isfile, normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
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

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})


class Included(NamedTuple):
    """The files behind the text of a page; ``unknown`` is why only its build knows others."""

    files: tuple[Path, ...]
    unknown: str = ""


class Includes:
    """Finds what pages include, if anything ``reads`` them; what a file includes is read once.

    Readers that stand ``before`` read the source, those ``behind`` the text that plugins and hooks leave;
    where only the source is known, those of ``unrendered`` text read it, too. ``sees_pages`` is whether one
    of them looks into the folder of the page that names a file.
    """

    def __init__(
        self,
        before: Sequence[Reader],
        behind: Sequence[Reader] = (),
        unrendered: Sequence[Reader] = (),
        *,
        sees_pages: bool = False,
    ) -> None:
        self._named_by = cache(self._read_file)
        self._sees_pages = sees_pages
        self._readers = {"all": [*unrendered, *before, *behind], "before": before, "behind": behind}
        self.reads = bool(self._readers["all"])

    def of(self, text: str, folder: Path, rendered: str | None = None) -> Included:
        """Returns what a page in ``folder`` includes, and what that includes.

        ``rendered`` is the text of the page as plugins have left it for Markdown, where that is known.
        """
        # Where no reader looks at the page's folder, all pages share what a file names.
        page = folder if self._sees_pages else Path()
        files_named: dict[Path, None] = {}
        unknown = ""
        seen: dict[int, FileGroup] = {}
        texts = [(text, "before"), (rendered, "behind")] if rendered is not None else [(text, "all")]
        waiting = [(self._read(each, folder, page, stage), stage) for each, stage in texts]
        while waiting:
            (groups, why), stage = waiting.pop()
            unknown = unknown or why
            for group in groups:
                if id(group) in seen:
                    continue
                seen[id(group)] = group
                for path in group:
                    if path in files_named:
                        continue
                    files_named[path] = None
                    if path.suffix != ".py":  # what a page documents or quotes includes nothing itself
                        waiting.append((self._named_by(path, page, stage), stage))
        return Included(tuple(files_named), unknown)

    def _read_file(self, path: Path, page: Path, stage: str) -> tuple[list[FileGroup], str]:
        try:
            text = files.read_file(path).decode("utf-8", "replace")
        except OSError:
            return [], ""
        return self._read(text, path.parent, page, stage)

    def _read(self, text: str, place: Path, page: Path, stage: str) -> tuple[list[FileGroup], str]:
        """Returns what one text names itself, and why it may name more."""
        groups: list[FileGroup] = []
        unknown = ""
        for read in self._readers[stage]:
            try:
                groups += read(text, place, page)
            except UnknownError as error:
                unknown = unknown or str(error)
        return groups, unknown


def page_template(meta: Mapping[str, object], templates: Path | None) -> Path | None:
    """The file in the theme's ``custom_dir`` that a page's front matter names as its ``template``.

    https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data
    """
    name = meta.get("template")
    if templates is None or not isinstance(name, str) or not files.find_inside(templates, name):
        return None
    return templates / name
