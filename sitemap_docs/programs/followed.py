"""The programs that we follow, a line each: by what they are met, and their module, which is loaded then.

A module answers questions by functions that have one name in all modules; the doors ask them.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from sitemap_docs.sources.includes import Includes
from sitemap_docs.sources.markup import MarkdownConfig, Reader

#: What pages include, by the name of a plugin or Markdown extension in the configuration of MkDocs.
INCLUDING = {
    "pymdownx.snippets": "pymdownx_snippets",
    "markdown_include_variants": "markdown_include_variants",
    "include-markdown": "include_markdown",
    "markdown_include.include": "markdown_include",
    "markdown_include": "markdown_include",
    "mdx_include.mdx_include": "markdown_include",
    "mdx_include": "markdown_include",
    "macros": "macros",
    "mdbook": "mdbook",
    "mkdocstrings": "mkdocstrings",
    "mkautodoc": "mkdocstrings",
    "mkdocs-click": "mkdocs_click",
}


def load_program(module: str) -> ModuleType:
    """The module of a program, loaded now."""
    return import_module(f"sitemap_docs.programs.{module}")


def includes_of(config: MarkdownConfig) -> Includes:
    """What finds the files that pages include, by the extensions and plugins of a configuration."""
    before: list[Reader] = []
    behind: list[Reader] = []
    marks = set()
    sees_pages = False
    for name, module in INCLUDING.items():
        options: Mapping[str, Any] | None = config.extensions.get(name, config.plugins.get(name))
        if options is None:
            continue
        including = load_program(module)
        # Without a mark, it is a plugin that changes the source.
        mark = getattr(including, "MARK", "")
        (behind if mark else before).append(including.reader(config, options))
        marks |= {mark} - {""}
        if hasattr(including, "sees_pages"):
            sees_pages = including.sees_pages(options)
    if not marks:
        return Includes(before)
    behind.append(load_program("markdown_exec").executed)
    return Includes(before, behind, [load_program("macros").unrendered(config, marks)], sees_pages=sees_pages)
