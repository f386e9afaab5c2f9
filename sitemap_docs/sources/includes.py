"""The files that a page in Markdown includes or documents, by the readers of its generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.sources.markup import FileGroup, Reader, UnknownError

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})
#: Which readers read a text: all of them, the plugins that change the source, or those of what they leave.
_ALL, _BEFORE, _BEHIND = "all", "before", "behind"


class Included(NamedTuple):
    """The files behind the text of a page; ``unknown`` is why only its build knows others."""

    files: tuple[Path, ...]
    unknown: str = ""


class _Named(NamedTuple):
    """What one text names itself; ``unknown`` is why it may name more."""

    groups: tuple[FileGroup, ...]
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
        self._readers = {_ALL: [*unrendered, *before, *behind], _BEFORE: before, _BEHIND: behind}
        self.reads = bool(self._readers[_ALL])

    def of(self, text: str, folder: Path, rendered: str | None = None) -> Included:
        """Returns what a page in ``folder`` includes, and what that includes.

        ``rendered`` is the text of the page as plugins have left it for Markdown, where that is known.
        """
        # Where no reader looks at the page's folder, all pages share what a file names.
        page = folder if self._sees_pages else Path()
        files_named: dict[Path, None] = {}
        unknown = ""
        seen: dict[int, FileGroup] = {}
        texts = [(text, _BEFORE), (rendered, _BEHIND)] if rendered is not None else [(text, _ALL)]
        waiting = [(self._read(each, folder, page, stage), stage) for each, stage in texts]
        while waiting:
            named, stage = waiting.pop()
            unknown = unknown or named.unknown
            for group in named.groups:
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

    def _read_file(self, path: Path, page: Path, stage: str) -> _Named:
        try:
            text = files.read_file(path).decode("utf-8", "replace")
        except OSError:
            return _Named(())
        return self._read(text, path.parent, page, stage)

    def _read(self, text: str, place: Path, page: Path, stage: str) -> _Named:
        groups: list[FileGroup] = []
        unknown = ""
        for read in self._readers[stage]:
            try:
                groups += read(text, place, page)
            except UnknownError as error:
                unknown = unknown or str(error)
        return _Named(tuple(groups), unknown)


def page_template(meta: Mapping[str, object], templates: Path | None) -> Path | None:
    """The file in the theme's ``custom_dir`` that a page's front matter names as its ``template``.

    https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data
    """
    name = meta.get("template")
    if templates is None or not isinstance(name, str) or not files.find_inside(templates, name):
        return None
    return templates / name
