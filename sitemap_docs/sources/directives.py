"""The files that a source of Sphinx includes, shows and documents, as far as its text names them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from glob import escape, glob
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.sources.includes import MARKDOWN, Included
from sitemap_docs.sources.markup import ComputedNameError, UnknownError
from sitemap_docs.sources.modules import PythonObjects
from sitemap_docs.text import linear

#: Directives whose argument is a file.
_SHOWS = frozenset({"include", "literalinclude", "image", "figure", "graphviz", "uml"})
_MODULES = frozenset({"module", "py:module", "currentmodule", "py:currentmodule"})
_AUTODOC = frozenset(
    f"auto{kind}"
    for kind in (
        *("module", "class", "exception", "data", "function", "decorator", "method", "attribute"),
        "property",
    )
)
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\. (?:\|[^|\n]+\|[ \t])?(?P<name>[\w:-]+?)::|(?:`{3,}|:{3,})\{(?P<myst>[\w:-]+)\})"
    r"(?P<argument>[^\n]*)(?:\n|\Z)"
    r"(?P<options>[ \t]*---[ \t]*\n(?:[ \t]*\w+:[^\n]*\n)*|(?:[ \t]*:[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
_FIELD = re.compile(r"^[ \t]*:?(\w+):[ \t]*(\S[^\n]*)", re.MULTILINE)
_DOWNLOAD = re.compile(r"(?::download:|\{download\})`([^`\n]+)`")
#: What an image or a link of Markdown leads to, or a definition of one.
_LINK = re.compile(r"(?:\]\([ \t]*|^ {0,3}\[[^\[\]\n]+\]:[ \t]+)<?([^()<>\s]+)", re.MULTILINE)
_DOCUMENTS = (*MARKDOWN, ".rst", ".ipynb")
_OBJECT = re.compile(r"[\w.]+")


class NamedDirective(NamedTuple):
    """A directive with its argument, or "", and its options."""

    name: str
    argument: str
    options: Mapping[str, str]


def directives(text: str) -> Iterator[NamedDirective]:
    """The directives of a text; also those in what it quotes, as it may be parsed."""
    for each in _DIRECTIVE.finditer(text):
        options = {name: value.strip() for name, value in _FIELD.findall(each["options"])}
        yield NamedDirective(each["name"] or each["myst"], each["argument"].strip(), options)


class Described(NamedTuple):
    """What the directive of a program describes: an object by its whole name, or a file of the sources.

    ``levels`` is how deep the subcommands of a command are shown, -1: all of them.
    """

    name: str
    file: str = ""
    levels: int = -1


Describe = Callable[[str, Mapping[str, str]], Described]
"""Returns what a directive with an argument and options describes."""


def python_path(folders: Iterable[str]) -> list[Path]:
    """Returns where modules may lie of a project whose documents are in ``folders``, up to its repository."""
    path: dict[Path, None] = {}
    for folder in map(Path, folders):
        for parent in (folder, *folder.parents):
            path |= dict.fromkeys((parent, parent / "src"))
            if files.is_repository(os.fspath(parent)):
                break
    return list(path)


class _Text(NamedTuple):
    """What a text names."""

    directives: tuple[NamedDirective, ...]
    downloads: tuple[str, ...]
    links: tuple[str, ...]


class _Named(NamedTuple):
    """The files that a text names, those of them that it includes, and a name of them that is computed."""

    files: frozenset[str]
    included: tuple[str, ...]
    unknown: str


@linear
class NamedFiles:
    """Finds what sources in ``folders`` name; each text is read once, and its names once for each folder.

    ``describing`` has the directives of programs by their names.
    """

    def __init__(self, folders: Sequence[str], describing: Mapping[str, Describe]) -> None:
        self._folders = tuple(folders)
        self._describing = describing
        self._text = cache(_read)
        self._named_by = cache(self._names_of)
        self._objects = PythonObjects(python_path(folders))
        self._modules = cache(self._modules_of)

    def of(self, source: str) -> Included:
        """The files that a source and what it includes name, as far as there are such files.

        Only Sphinx knows which of them are shared by all pages, so that no date is theirs.
        """
        files_named: set[str] = set()
        unknown = ""
        waiting = {source: None}
        seen = set()
        while waiting:
            file, _ = waiting.popitem()
            seen.add(file)
            named = self._named_by(file, os.path.dirname(source))
            files_named |= named.files
            unknown = unknown or named.unknown
            waiting |= dict.fromkeys(each for each in named.included if each not in seen)
        return Included(tuple(map(Path, sorted(files_named - {source}))), unknown)

    def _names_of(self, file: str, home: str) -> _Named:
        """Returns what a text names where it is part of a document in the folder ``home``."""
        text = self._text(file)
        # A name starts at the folder of the document, or at that of the file that holds it.
        places = dict.fromkeys((home, os.path.dirname(file)))
        named: set[str] = set()
        included: list[str] = []
        unknown = module = ""
        for each in text.directives:
            names = []
            documented = each.argument if each.name in _AUTODOC else ""
            if each.name in _SHOWS:
                names.append(each.argument)
            if each.name in _MODULES:
                module = each.argument
            elif describe := self._describing.get(each.name):
                documented, file, _ = describe(each.argument, each.options)
                names.append(f"/{file}")
            elif "file" in each.options:
                names.append(each.options["file"])
            try:
                for identifier in _objects(documented, "" if each.name == "automodule" else module):
                    named.update(self._modules(identifier))
            except UnknownError as error:
                unknown = unknown or str(error)
            for name in names:
                if "{{" in name or "{%" in name:
                    unknown = unknown or str(ComputedNameError(name))
                paths = self._files(name, places)
                named |= paths
                if each.name == "include" and "literal" not in each.options:
                    included += sorted(paths)
        for name in text.downloads:
            named |= self._files(name, places)
        for name in text.links:
            if not name.endswith(_DOCUMENTS):
                named |= self._files(name, places)
        return _Named(frozenset(named), tuple(included), unknown)

    def _modules_of(self, identifier: str) -> tuple[str, ...]:
        """The module that the name of an object begins with, and the one that defines it."""
        module, _ = self._objects.module(identifier)
        if module is None:
            return ()
        return str(module), str(self._objects.defining_file(identifier) or module)

    def _files(self, name: str, places: Iterable[str]) -> set[str]:
        """The files of a name; one that begins with a slash starts at the folder of the sources."""
        paths = set()
        for base in self._folders if name.startswith("/") else places:
            path = os.path.normpath(f"{base}/{name}")
            if path.endswith(".*"):  # an image in any format
                paths.update(glob(escape(path[:-1]) + "*"))
            elif os.path.isfile(path):
                paths.add(path)
        return paths


def _objects(name: str, module: str) -> Iterator[str]:
    """The names that an object may have which a directive describes, ``module`` being the current one."""
    match = _OBJECT.match(name.replace("::", "."))
    if match:
        yield match[0]
        if module:
            yield f"{module}.{match[0]}"


def _read(file: str) -> _Text:
    try:
        text = files.read_file(file).decode("utf-8", "replace")
    except OSError:
        return _Text((), (), ())
    downloads = []
    for role in _DOWNLOAD.findall(text):
        _, _, name = role.rpartition("<")
        downloads.append(name.removesuffix(">").strip())
    links: list[str] = []
    if file.endswith(tuple(MARKDOWN)):
        links = _LINK.findall(text)
    return _Text(tuple(directives(text)), tuple(downloads), tuple(links))
