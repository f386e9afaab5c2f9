"""The Python code that pages document by ``:::`` of mkdocstrings and mkautodoc."""

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.linear import linear
from sitemap_docs.sources.includes import FENCE, FileGroup, MarkdownConfig, Reader, UnknownError, outside
from sitemap_docs.sources.modules import PythonObjects

MARK = ":::"
_DOCUMENTED = re.compile(r"[ \t]*(?:#{1,6} *)?::: ?([\w.:-]+) *\r?$")
_NONE = {"false", "no", "[]", "[ ]"}
_OPTION = re.compile(r"[ \t]*:?(\w+):(.*)")
#: What an indented block may belong to: admonitions, tabs, blocks, lists, definitions, footnotes.
_CONTAINER = re.compile(r"[ \t]*(?:!!!|\?\?\?|===|///|[-*+][ \t]|\d+[.)][ \t]|:[ \t]|\[\^)")


class Documented(NamedTuple):
    """A name behind ``:::`` that stands in no code, and its options."""

    name: str
    options: dict[str, str]


def documented_names(text: str) -> Iterator[Documented]:
    if MARK not in text:
        return
    documented = None
    deep = 0
    above: list[tuple[int, str]] = []  # the lines that hold what follows, each deeper than the one before
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
def reader(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocstrings and mkautodoc: ``::: package.module``, perhaps with all below."""
    handlers = as_mapping(config.plugins.get("mkdocstrings", {}).get("handlers"))
    python = as_mapping(handlers.get("python"))
    paths = [*filter(None, map(as_text, as_list(python.get("paths"))))] or ["."]
    if config.objects is None:  # without a build, also where those of a project are that it installs
        paths += [".", "src"]
    folders = [*map(config.root.joinpath, paths), *map(Path, sys.path)]
    objects = PythonObjects(folders, config.objects)
    with_submodules = as_mapping(python.get("options")).get("show_submodules") is True
    default_handler = as_text(options.get("default_handler")) or "python"

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        for each in documented_names(text):
            name = each.name.replace(":", ".").strip(".")
            handler = each.options.get("handler", default_handler)
            if not handler.startswith("python") or not all(map(str.isidentifier, name.split("."))):
                continue
            module = objects.defining_file(name)
            if module:
                yield (module,)
                if each.options.get("members", "").lower() not in _NONE:
                    yield objects.exported_files(name, module)
                shown = each.options.get("show_submodules", str(with_submodules))
                if shown.lower() == "true" and module.name == "__init__.py":
                    yield below(module.parent)
            elif config.objects is None:  # else the build has no such object
                raise UnknownError(f"`{name}` is not found; name its folder in `paths` of mkdocstrings")

    @cache
    def below(package: Path) -> FileGroup:
        return tuple(sorted(package.rglob("*.py")))

    return read
