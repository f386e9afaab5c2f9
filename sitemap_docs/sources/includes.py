"""Find the files that Markdown pages include.

``programs/`` has a reader for each plugin and extension that includes files. This module has the helpers that
these readers share, and :class:`Includes`, which follows the includes of a page from file to file.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from os.path import isfile, normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.model import Cause, Remedy
from sitemap_docs.text import one_line

#: The files that one include refers to. For the same glob, a reader yields the same object again.
FileGroup = tuple[Path, ...]
#: Yields the files that a text includes. The arguments are the text, the folder of the file with the text,
#: and the folder of the page. The folders differ if the text is in a file that the page includes.
Reader = Callable[[str, Path, Path], Iterator[FileGroup]]


class IncludeReader(NamedTuple):
    """A function that finds included files in Markdown, for one plugin or extension."""

    #: Yields the files that a text includes.
    read: Reader
    #: The start of an include, such as ``{!``, or ``""``.
    mark: str = ""
    #: Whether a file name in an included file may be relative to the page.
    sees_pages: bool = False


@dataclass(frozen=True, kw_only=True)
class MarkdownConfig:
    """The settings that decide which files a Markdown page includes."""

    #: The folder of the pages.
    docs: Path
    #: The folder of the configuration file.
    root: Path
    #: The folder for relative paths of Markdown extensions.
    start: Path
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    hooks: tuple[Path, ...] = ()
    #: Python objects that mkdocstrings has loaded, or None.
    objects: Mapping[str, Any] | None = None


class UnknownError(Exception):
    """Raised if the files that a page includes cannot be found without building the page."""

    rule = "computed-include"
    remedy: Remedy = ""

    @property
    def cause(self) -> Cause:
        """The reason why a page has no date. Its text is the message of this exception."""
        return Cause(self.rule, str(self), remedy=self.remedy)


class ComputedNameError(UnknownError):
    """Raised if the name of an included file is computed, as in ``{% include name ~ ".md" %}``."""

    remedy = "literal-name"

    def __init__(self, include: str) -> None:
        super().__init__(f"the name of an included file is computed, {one_line(include)[:100]}")


class Span(NamedTuple):
    """A part of a text between an opening and a closing mark."""

    #: The position of the opening mark.
    start: int
    #: The text between the two marks.
    inside: str
    closing: str
    #: The position after the closing mark.
    end: int


def spans(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[Span]:
    """Yield the parts of a text between two marks, such as ``{!`` and ``!}``."""
    position = 0
    while start := opening.search(text, position):
        end = closing.search(text, start.end())
        if not end:  # Without a closing mark after this opening, later openings have none either.
            return
        inside = text[start.end() : end.start()]
        yield Span(start.start(), inside, end[0], end.end())
        position = end.end()


def outside(text: str, fence: re.Pattern[str]) -> Iterator[str]:
    """Yield the lines of a Markdown text that are not in fenced code blocks.

    ``fence`` is a pattern for the first line of such a block. Its first group is the fence, such as three
    backticks.
    """
    lines = text.split("\n")
    last_numbers = {line.strip(): number for number, line in enumerate(lines)}
    open_fence = ""
    for number, line in enumerate(lines):
        if open_fence:
            if line.strip() == open_fence:
                open_fence = ""
        elif (match := fence.match(line)) and last_numbers.get(match[1], 0) > number:
            open_fence = match[1]
        else:
            yield line


def without(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Remove the parts of a text from an opening to a closing mark, such as ``<!--`` to ``-->``."""
    kept = ""
    position = 0
    for span in spans(text, opening, closing):
        kept += text[position : span.start]
        position = span.end
    return kept + text[position:]


class Jinja:
    """Removes the parts of a text that Jinja does not interpret: comments and ``{% raw %}`` blocks.

    Args:
        start: The mark at the start of a Jinja tag, such as ``{%``.
        end: The mark at the end of a Jinja tag, such as ``%}``.
        comments: The marks at the start and the end of a comment. If None, comments stay.
    """

    def __init__(
        self, start: str = "{%", end: str = "%}", comments: tuple[str, str] | None = ("{#", "#}")
    ) -> None:
        self.start, self.end = re.escape(start), re.escape(end)
        raw = rf"{self.start}-?\s*raw\s*-?{self.end}"
        comment_start, comment_end = map(re.escape, comments or ("", ""))
        self._unrendered = re.compile(rf"{raw}|(?P<comment>{comment_start})" if comments else raw)
        self._raw_end = re.compile(rf"{self.start}-?\s*endraw\s*-?{self.end}")
        self._comment_end = re.compile(comment_end)

    def rendered(self, text: str) -> str:
        """Remove Jinja comments and ``{% raw %}`` blocks from a text, together with their content."""
        rendered = ""
        position = 0
        while start := self._unrendered.search(text, position):
            closing = self._comment_end if start.lastgroup == "comment" else self._raw_end
            end = closing.search(text, start.end())
            if not end:
                break
            rendered += text[position : start.start()]
            position = end.end()
        return rendered + text[position:]


def first_file(name: str, folders: Iterable[Path]) -> FileGroup:
    """Look for a file in several folders, and return a tuple with the first match, or an empty tuple."""
    for folder in folders:
        path = Path(normpath(folder / name))
        if isfile(path):
            return (path,)
    return ()


#: The fence of a code block in Markdown. With more backticks on its line, it is inline code.
FENCE = re.compile(r"[ \t]*(`{3,}(?![^`]*`)|~{3,})")

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})


class Included(NamedTuple):
    """The files that a page includes, directly or through other files."""

    files: tuple[Path, ...]
    #: The reason why some files may be missing, or None.
    unknown: Cause | None = None


class Includes:
    """Finds the files that pages include.

    A reader is a function that yields the files that a text includes.

    Args:
        before: Readers for the source of a page, before plugins change it.
        after: Readers for the Markdown text that plugins have made of the source.
        unrendered: Additional readers for the source, used if this Markdown text is unknown.
        sees_pages: Whether file names in an included file may be relative to the folder of the page.
    """

    def __init__(
        self,
        before: Sequence[Reader],
        behind: Sequence[Reader] = (),
        unrendered: Sequence[Reader] = (),
        *,
        sees_pages: bool = False,
    ) -> None:
        self._read_file_once = cache(self._read_file)
        self._sees_pages = sees_pages
        # Plugins resolve their includes in the source of a page. Markdown extensions resolve theirs in the
        # text that Markdown gets, which plugins and hooks may have changed.
        all_readers = [*unrendered, *before, *behind]
        self._readers = {"all": all_readers, "before": before, "behind": behind}
        self.reads = bool(all_readers)

    def find(self, text: str, folder: Path, rendered: str | None = None) -> Included:
        """Return the files that a page includes, directly or through other files.

        Args:
            text: The source of the page.
            folder: The folder of the page.
            rendered: The source after MkDocs plugins have changed it, or None if this text is unknown.
        """
        # If no reader searches the folder of the page, all pages share the cached includes of a file.
        page = folder if self._sees_pages else Path()
        if rendered is None:
            waiting = [(self._read(text, folder, page, "all"), "all")]
        else:
            waiting = [
                (self._read(text, folder, page, "before"), "before"),
                (self._read(rendered, folder, page, "behind"), "behind"),
            ]
        included_files: dict[Path, None] = {}
        unknown: Cause | None = None
        # Comparing ids is fast. The values keep the groups alive, so no other group can get the same id.
        seen_groups: dict[int, FileGroup] = {}
        while waiting:
            (groups, problem), stage = waiting.pop()
            unknown = unknown or problem
            for group in groups:
                if id(group) in seen_groups:
                    continue
                seen_groups[id(group)] = group
                for path in group:
                    if path in included_files:
                        continue
                    included_files[path] = None
                    if path.suffix != ".py":  # A module that a page documents or quotes includes nothing.
                        waiting.append((self._read_file_once(path, page, stage), stage))
        return Included(tuple(included_files), unknown)

    def _read_file(self, path: Path, page: Path, stage: str) -> tuple[list[FileGroup], Cause | None]:
        try:
            text = files.read_file(path).decode("utf-8", "replace")
        except OSError:
            return [], None
        return self._read(text, path.parent, page, stage)

    def _read(self, text: str, folder: Path, page: Path, stage: str) -> tuple[list[FileGroup], Cause | None]:
        """Return the included files of a text, and the reason why some may be missing (None if none is).

        ``stage`` selects the functions that look for includes: ``before`` for the source of a page, ``after``
        for the text that plugins have made of it, or ``all``.
        """
        groups: list[FileGroup] = []
        unknown: Cause | None = None
        for read in self._readers[stage]:
            try:
                groups += read(text, folder, page)
            except UnknownError as error:
                unknown = unknown or error.cause
        return groups, unknown


def page_template(meta: Mapping[str, object], templates: Path | None) -> Path | None:
    """Return the template file of a page, such as ``home.html`` for ``template: home.html``, or None.

    ``meta`` is the front matter of the page. ``templates`` is the folder of the templates.
    """
    # https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data
    name = meta.get("template")
    if templates is None or not isinstance(name, str) or not files.find_inside(templates, name):
        return None
    return templates / name
