"""mkdocs-macros-plugin: the files that pages include with Jinja, and includes that macros may write."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs.config.parsing import as_text
from sitemap_docs.files import names_in
from sitemap_docs.linear import linear
from sitemap_docs.programs.pymdownx_snippets import snippet_names
from sitemap_docs.sources import includes

_RENDERS = re.compile(
    r"(?s)---\r?\n(?:(?!---).)*?^render_macros:[ \t]*(?P<answer>true|false)\b", re.MULTILINE | re.IGNORECASE
)
_LITERAL = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:$|import\b|as\b|ignore\b|with\b|without\b)""")


class _Jinja(includes.Jinja):
    """The delimiters of Jinja in pages, such as ``{%``, which options of mkdocs-macros can change."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(
            as_text(options.get("j2_block_start_string")) or "{%",
            as_text(options.get("j2_block_end_string")) or "%}",
            (
                as_text(options.get("j2_comment_start_string")) or "{#",
                as_text(options.get("j2_comment_end_string")) or "#}",
            ),
        )
        value = re.escape(as_text(options.get("j2_variable_start_string")) or "{{")
        self.value = value, re.escape(as_text(options.get("j2_variable_end_string")) or "}}")
        self._by_default = options.get("render_by_default") is not False

    def rendered(self, text: str) -> str:
        """Return the part of a page that Jinja renders: all text outside ``{% raw %}`` blocks and comments.

        If an option or the front matter turns Jinja off for the page, the result is ``""``.
        """
        is_rendered = self._by_default
        if own := _RENDERS.match(text):
            is_rendered = own["answer"].lower() == "true"
        return super().rendered(text) if is_rendered else ""


@linear
def reader(config: includes.MarkdownConfig, options: Mapping[str, Any]) -> includes.IncludeReader:
    """Return an :class:`IncludeReader`, which finds the files in Jinja tags: ``{% include "a.md" %}``."""
    start = config.start / str(options.get("include_dir") or config.docs)
    jinja = _Jinja(options)
    block = (
        re.compile(rf"{jinja.start}[-+]?\s*(?:include|import|from|extends)\s"),
        re.compile(rf"[-+]?{jinja.end}"),
    )

    def read(text: str, folder: Path, page: Path) -> Iterator[includes.FileGroup]:
        rendered = jinja.rendered(text)
        for span in includes.spans(rendered, *block):
            literal = _LITERAL.match(span.inside.rstrip())
            if not literal:
                raise includes.ComputedNameError(rendered[span.start : span.end])
            path = Path(normpath(start / (literal[1] or literal[2] or "")))
            if isfile(path) and path.is_relative_to(normpath(start)):
                yield (path,)

    return includes.IncludeReader(read)


_WORD = re.compile(r"\w+")
_USED = re.compile(r"(?P<filter>\|\s*)?(?P<name>\w+)(?P<call>\s*\()?")


@linear
def unrendered(config: includes.MarkdownConfig, marks: Collection[str]) -> includes.Reader:
    """Return a reader that raises UnknownError if a hook or macro may include files in a page.

    A reader is a function that finds included files. This reader gets the source of a page, and finds none.
    ``marks`` are the texts with which includes start, such as ``8<-``.
    """
    hooks = [hook for hook in config.hooks if "on_page_markdown" in _words_in_modules([hook], marks)]
    options = config.plugins.get("macros", {})
    jinja = _Jinja(options)
    marked = re.compile(f"{jinja.start}|{jinja.value[0]}"), re.compile(f"{jinja.end}|{jinja.value[1]}")
    module = config.root / (as_text(options.get("module_name")) or "main")
    parts = [module / name for name in names_in(module) if name.endswith(".py")]
    words = _words_in_modules([Path(f"{module}.py"), *parts], marks)

    def read(text: str, folder: Path, page: Path) -> Iterator[includes.FileGroup]:
        if hooks:
            raise includes.UnknownError(f"the hook {hooks[0].name} may include files that are not known")
        if "macros" not in config.plugins:
            return
        rendered = jinja.rendered(text)
        for span in includes.spans(rendered, *marked):
            for used in _USED.finditer(span.inside):
                if (used["filter"] or used["call"]) and used["name"] in words:
                    raise includes.UnknownError(
                        f"the macro `{used['name']}` of {module.name} may include files that are not known"
                    )
        lines = [line for line in rendered.split("\n") if any(mark in line for mark in marks)]
        for name in (*lines, *snippet_names(rendered)):
            if marked[0].search(name):
                raise includes.ComputedNameError(name)
        yield from ()

    return read


def _words_in_modules(modules: Iterable[Path], marks: Collection[str]) -> frozenset[str]:
    """Return all words in Python files, if the files contain the mark of an include, such as ``8<-``.

    Without a mark in ``marks``, the code includes no files, and an empty set is returned.
    """
    text = "\n".join(module.read_text("utf-8", "replace") for module in modules if isfile(module))
    if not any(mark in text for mark in marks):
        return frozenset()
    return frozenset(_WORD.findall(text))
