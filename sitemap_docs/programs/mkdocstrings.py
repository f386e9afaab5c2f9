"""mkdocstrings and mkautodoc: the Python code that pages document with ``::: package.module``."""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.linear import linear
from sitemap_docs.programs.protocols import PluginPages
from sitemap_docs.sources.includes import (
    FENCE,
    FileGroup,
    IncludeReader,
    MarkdownConfig,
    UnknownError,
    outside,
)
from sitemap_docs.sources.modules import PythonObjects

MARK = ":::"
_DOCUMENTED = re.compile(r"[ \t]*(?:#{1,6} *)?::: ?([\w.:-]+) *\r?$")
_NONE = {"false", "no", "[]", "[ ]"}
_OPTION = re.compile(r"[ \t]*:?(\w+):(.*)")
#: Begins a block to which indented lines belong: admonition, tab, block, list, definition or footnote.
_CONTAINER = re.compile(r"[ \t]*(?:!!!|\?\?\?|===|///|[-*+][ \t]|\d+[.)][ \t]|:[ \t]|\[\^)")


class Documented(NamedTuple):
    """A Markdown line such as ``::: package.module`` that inserts documentation, and the options below it."""

    name: str
    options: dict[str, str]


def documented_names(text: str) -> Iterator[Documented]:
    """Yield each name that a page documents, such as ``package.module`` in ``::: package.module``."""
    if MARK not in text:
        return
    documented = None
    deep = 0
    above: list[tuple[int, str]] = []  # the lines around the next line, the deepest last
    for line in outside(text, FENCE):
        depth = len(line) - len(line.lstrip())
        if line.strip():
            while above and above[-1][0] >= depth:
                above.pop()
        if documented and line.strip() and depth > deep:
            if option := _OPTION.match(line):
                documented.options[option[1]] = option[2].strip()
        elif documented:
            yield documented
            documented = None
        is_code = depth > 0 and not (above and _CONTAINER.match(above[-1][1]))
        if not (documented or is_code) and (match := _DOCUMENTED.match(line)):
            documented, deep = Documented(match[1], {}), depth
        if line.strip():
            above.append((depth, line))
    if documented:
        yield documented


@linear
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> IncludeReader:
    """Return an :class:`IncludeReader`, which finds the Python files that ``::: package.module`` documents.

    mkdocstrings replaces such a line in a page with the documentation of the module.
    """
    handlers = as_mapping(config.plugins.get("mkdocstrings", {}).get("handlers"))
    python = as_mapping(handlers.get("python"))
    paths = [*filter(None, map(as_text, as_list(python.get("paths"))))] or ["."]
    if config.objects is None:  # Without a build, the project may not be installed.
        paths += [".", "src"]
    folders = [*map(config.root.joinpath, paths), *map(Path, sys.path)]
    objects = PythonObjects(folders, config.objects)
    with_submodules = as_mapping(python.get("options")).get("show_submodules") is True
    default_handler = as_text(options.get("default_handler")) or "python"

    def read(text: str, folder: Path, page: Path) -> Iterator[FileGroup]:
        for documented in documented_names(text):
            name = documented.name.replace(":", ".").strip(".")
            handler = documented.options.get("handler", default_handler)
            if not handler.startswith("python") or not all(map(str.isidentifier, name.split("."))):
                continue
            module = objects.defining_file(name)
            if module:
                yield (module,)
                if documented.options.get("members", "").lower() not in _NONE:
                    yield objects.exported_files(name, module)
                shown = documented.options.get("show_submodules", str(with_submodules))
                if shown.lower() == "true" and module.name == "__init__.py":
                    yield below(module.parent)
            elif config.objects is None:  # else the build has no such object
                raise UnknownError(f"`{name}` is not found; add its folder to `paths` of mkdocstrings")

    @cache
    def below(package: Path) -> FileGroup:
        return tuple(sorted(package.rglob("*.py")))

    return IncludeReader(read, MARK)


class ObjectPages(PluginPages):
    """Gives access to the Python objects that mkdocstrings has loaded for its pages."""

    def python_objects(self) -> Mapping[str, Any] | None:
        """Return the Python modules that mkdocstrings has loaded, by name. If there are none, return None."""
        if self.plugin.config.enabled:
            for handler in self.plugin.handlers.seen_handlers:
                objects: Mapping[str, Any] | None = getattr(handler, "_modules_collection", None)
                if objects:
                    return objects
        return None
