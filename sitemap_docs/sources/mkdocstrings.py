"""The Python code that pages document by ``:::``: mkdocstrings, mkautodoc and mkdocs-click."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.sources.markup import FENCE, FileGroup, MarkdownConfig, Reader, outside
from sitemap_docs.sources.modules import PythonObjects, command_files
from sitemap_docs.text import linear

_DOCUMENTED = re.compile(r"[ \t]*(?:#{1,6} *)?::: ?([\w.:-]+) *\r?$")
_ALONE = re.compile(r"\s*members: *(?:false|no|\[ *\])\s*$", re.IGNORECASE)
_SUBMODULES = re.compile(r"\s*show_submodules: *(true|false)\s*$", re.IGNORECASE)
_CLICK_OPTION = re.compile(r"\s*:(module|command):\s*(\S+)")
#: What an indented block may belong to: admonitions, tabs, blocks, lists, definitions, footnotes.
_CONTAINER = re.compile(r"[ \t]*(?:!!!|\?\?\?|===|///|[-*+][ \t]|\d+[.)][ \t]|:[ \t]|\[\^)")


class _Documented(NamedTuple):
    """A name behind ``:::``, the lines of its options, and whether it stands in an indented block of code."""

    name: str
    options: list[str]
    is_code: bool


def _documented(text: str) -> Iterator[_Documented]:
    if ":::" not in text:
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
            documented.options.append(line)
        elif documented:
            yield documented
            documented = None
        if not documented and (match := _DOCUMENTED.match(line)):
            is_code = depth > 0 and not (above and _CONTAINER.match(above[-1][1]))
            documented, deep = _Documented(match[1], [], is_code), depth
        if line.strip():
            above.append((depth, line))
    if documented:
        yield documented


@linear
def objects(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocstrings and mkautodoc: ``::: package.module``, perhaps with all below."""
    objects = PythonObjects(_python_folders(config))
    by_default = as_mapping(_python_handler(config).get("options")).get("show_submodules") is True

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        for each in _documented(text):
            name = each.name.replace(":", ".").strip(".")
            module = None if each.is_code else objects.defining_file(name)
            if module:
                yield (module,)
                if not any(map(_ALONE.match, each.options)):
                    yield objects.exported_files(name)
                with_submodules = by_default
                for option in filter(None, map(_SUBMODULES.match, each.options)):
                    with_submodules = option[1].lower() == "true"
                if with_submodules and module.name == "__init__.py":
                    yield below(module.parent)

    @cache
    def below(package: Path) -> FileGroup:
        return tuple(sorted(package.rglob("*.py")))

    return read


@linear
def commands(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocs-click."""
    folders = _python_folders(config)

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        for each in _documented(text):
            options: dict[str, str] = {}
            for line in each.options:
                if option := _CLICK_OPTION.match(line):
                    options[option[1]] = option[2]
            if each.name == "mkdocs-click" and "module" in options:
                yield tuple(command_files(options["module"], options.get("command", ""), folders))

    return read


def _python_handler(config: MarkdownConfig) -> Mapping[str, Any]:
    handlers = as_mapping(config.plugins.get("mkdocstrings", {}).get("handlers"))
    return as_mapping(handlers.get("python"))


def _python_folders(config: MarkdownConfig) -> list[Path]:
    paths = filter(None, map(as_text, as_list(_python_handler(config).get("paths"))))
    return [*map(config.root.joinpath, [*paths] or ["."]), *map(Path, sys.path)]
