"""The files that the text of a page includes or documents: Markdown with its extensions, mdBook, AsciiDoc."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from glob import glob
from os import PathLike, fspath
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.model import Finding
from sitemap_docs.sources.modules import command_files, defining_file, exported_files
from sitemap_docs.text import many, one_line

#: The files that a text names; the folder of the text, which may be included itself, and that of the page.
Reader = Callable[[str, Path, Path], Iterator[Path]]

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})
ASCIIDOC = frozenset({".adoc", ".asciidoc", ".asc"})
#: The plugins whose options are of interest.
PLUGINS = ("include-markdown", "macros", "mkdocstrings")


@dataclass(frozen=True, kw_only=True)
class MarkdownConfig:
    """The options of each Markdown extension and plugin by its name.

    ``docs`` is the folder of the pages, ``root`` that of the configuration, ``start`` the one that relative
    paths of extensions start from.
    """

    docs: Path
    root: Path
    start: Path
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class Included(NamedTuple):
    """The files behind the text of a page; ``computed`` is an include whose name only the build knows."""

    files: tuple[Path, ...]
    computed: str = ""


class _ComputedNameError(Exception):
    """Its text is the include as it is written."""


class Includes:
    """Finds what pages include, and reads each included file once."""

    def __init__(self, config: MarkdownConfig | None = None) -> None:
        self.docs = Path.cwd()
        self._markdown: list[Reader] = []
        self._text = cache(_text)
        if config:
            self.docs = config.docs
            for name, make in _READERS.items():
                options = config.extensions.get(name, config.plugins.get(name))
                if options is not None:
                    self._markdown.append(make(config, options))

    def of(self, text: str, folder: Path, ending: str = ".md") -> Included:
        """What a page in ``folder`` includes, and what that includes; its source has the ``ending``."""
        readers = self._readers(ending)
        found: dict[Path, None] = {}
        waiting = [(text, folder)]
        while waiting:
            text, place = waiting.pop()
            for read in readers:
                try:
                    named = list(read(text, place, folder))
                except _ComputedNameError as error:
                    return Included((), str(error))
                for path in named:
                    if path in found:
                        continue
                    found[path] = None
                    if path.suffix != ".py":  # what a page documents or quotes includes nothing itself
                        waiting.append((self._text(path), path.parent))
        return Included(tuple(found))

    def reads(self, ending: str) -> bool:
        """Whether a source with the ``ending`` may include anything, so that its text matters."""
        return bool(self._readers(ending))

    def _readers(self, ending: str) -> list[Reader]:
        if ending in ASCIIDOC:
            return [_asciidoc]
        if ending in MARKDOWN:
            return self._markdown
        return []


def _first_file(name: str, folders: Iterable[Path]) -> Iterator[Path]:
    """The file of a name in the first of the folders that has one."""
    for folder in folders:
        path = Path(normpath(folder / name))
        if path.is_file():
            yield path
            return


def page_template(meta: Mapping[str, object], templates: Path | None) -> Path | None:
    """The file in the theme's ``custom_dir`` that a page's front matter names as its ``template``.

    https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data
    """
    name = meta.get("template")
    if templates is None or not isinstance(name, str) or not files.find_inside(templates, name):
        return None
    return templates / name


def computed_includes(pages: list[tuple[str, str]]) -> list[Finding]:
    """One line about the pages, each with the include, that have no date as its name is computed."""
    if not pages:
        return []
    page, include = pages[0]
    message = (
        f"{many(len(pages), 'page')} without a date, as a file that is included has a computed name, such as "
        f"{one_line(include)[:100]} in {one_line(page)}. Write the name itself."
    )
    return [Finding(rule="computed-include", severity="info", message=message)]


def _text(path: Path) -> str:
    try:
        return files.read_file(path).decode("utf-8", "replace")
    except OSError:
        return ""


_SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_LINES = re.compile(r"(?i):(?:[-0-9:,]*|[a-z][-_0-9a-z]*)$")


def _snippets(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``--8<--`` of pymdownx.snippets 9 and later; what ``auto_append`` adds to every page dates none."""
    bases = options.get("base_path", ["."])
    if not isinstance(bases, (list, tuple)):
        bases = [bases]
    restricted = options.get("restrict_base_path", True)

    def read(text: str, _: Path, page: Path) -> Iterator[Path]:
        if "8<-" not in text:
            return
        folders: list[Path] = []
        for base in bases:
            # MkDocs resolves its tag `!relative` only while it renders the page.
            if isinstance(base, (str, PathLike)) and type(base).__name__ != "RelativeDirPlaceholder":
                folders.append(Path(normpath(config.start / fspath(base))))
            elif base is not None:
                folders.append(page)
            else:
                folders += [page, config.docs, config.root]
        for name in _snippet_names(text):
            for folder in folders:
                path = Path(normpath(folder / name))
                if folder.is_file():  # a base may be a file, which is found by its own name
                    found = path.name == folder.name
                    path = folder
                else:
                    found = path.is_file() and (not restricted or path.is_relative_to(folder))
                if found:
                    yield path
                    break

    return read


def _snippet_names(text: str) -> Iterator[str]:
    block = False
    for line in text.split("\n"):
        match = _SNIPPET.match(line)
        if match and match["block"] is not None:
            block = not block
        elif match and not block:
            yield _LINES.sub("", match["inline"])
        elif block and line.strip():
            yield _LINES.sub("", line.strip())


_VARIANTS = re.compile(r"^\{\*\s*(?P<name>\S+)[^\n]*\*\}\r?$", re.MULTILINE)
_VARIANT = re.compile(r"(?:_an|_py3\d+)*$")


def _variants(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """``{* file.py *}`` of markdown-include-variants: the file, and those for other versions of Python.

    https://github.com/tiangolo/markdown-include-variants
    """

    def read(text: str, _: Path, __: Path) -> Iterator[Path]:
        for match in _VARIANTS.finditer(text):
            path = Path(normpath(config.start / match["name"]))
            if not path.is_file():
                continue
            yield path
            stem = _VARIANT.sub("", path.stem)
            for other in sorted(path.parent.glob(f"*{path.suffix}")):
                if other != path and _VARIANT.sub("", other.stem) == stem and other.is_file():
                    yield other

    return read


_EXCLUDE = re.compile(r"""\bexclude=(?:"([^"]+)"|'([^']+)')""")


def _included(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """The directives of mkdocs-include-markdown-plugin 6 and later."""
    opening = re.escape(options.get("opening_tag", "{%"))
    closing = re.escape(options.get("closing_tag", "%}"))
    defaults = {"include": "include", "include-markdown": "include-markdown"}
    directives = defaults | (options.get("directives") or {})
    words = "|".join(map(re.escape, filter(None, directives.values())))
    quoted = r"""(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)')"""
    directive = re.compile(rf"{opening}\s*(?:{words})\s+{quoted}(.*?){closing}", re.DOTALL)

    def read(text: str, place: Path, _: Path) -> Iterator[Path]:
        for double, single, arguments in directive.findall(text):
            excluded: set[Path] = set()
            for pair in _EXCLUDE.findall(arguments):
                excluded.update(matching("".join(pair), place))
            for path in matching(double or single, place):
                if path not in excluded:
                    yield path

    def matching(name: str, place: Path) -> list[Path]:
        folder = config.docs
        if name.startswith(("./", "../")):
            folder = place
        exact = Path(normpath(folder / name))
        if exact.is_file():
            return [exact]
        found = sorted(glob(str(folder / name), recursive=True))  # noqa: PTH207  allows more
        return [Path(normpath(path)) for path in found if Path(path).is_file()]

    return read


_BRACED = re.compile(r"(?<!\\)\{![+-]?>?(?P<name>[^!|\[\n]+)[^!\n]*![^}\n]*\}")


def _braced(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{!file!}`` of markdown-include and mdx_include."""
    base = config.start / str(options.get("base_path") or ".")

    def read(text: str, place: Path, _: Path) -> Iterator[Path]:
        for match in _BRACED.finditer(text):
            yield from _first_file(match["name"].strip(), (base, place))

    return read


_RAW = r"{start}-?\s*raw\s*-?{end}.*?{start}-?\s*endraw\s*-?{end}"
_TEMPLATE = r"{start}[-+]?\s*(?:include|import|from|extends)\s+(?P<name>.*?)\s*[-+]?{end}"
_RENDERED = re.compile(
    r"(?s)---\r?\n(?:(?!---).)*?^render_macros:[ \t]*(?P<answer>true|false)\b", re.MULTILINE | re.IGNORECASE
)
_LITERAL = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:$|import\b|as\b|ignore\b|with\b|without\b)""")


def _macros(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{% include "file" %}`` and ``import`` of mkdocs-macros, which renders pages with Jinja."""
    by_default = options.get("render_by_default") is not False
    folder = config.start / str(options.get("include_dir") or config.docs)
    start = re.escape(options.get("j2_block_start_string") or "{%")
    end = re.escape(options.get("j2_block_end_string") or "%}")
    raw = re.compile(_RAW.format(start=start, end=end), re.DOTALL)
    template = re.compile(_TEMPLATE.format(start=start, end=end), re.DOTALL)

    def read(text: str, _: Path, __: Path) -> Iterator[Path]:
        is_rendered = by_default
        if own := _RENDERED.match(text):
            is_rendered = own["answer"].lower() == "true"
        if not is_rendered:
            return
        for match in template.finditer(raw.sub("", text)):
            literal = _LITERAL.match(match["name"])
            if not literal:
                raise _ComputedNameError(match[0])
            path = Path(normpath(folder / (literal[1] or literal[2] or "")))
            if path.is_file() and path.is_relative_to(normpath(folder)):
                yield path

    return read


_LINK = re.compile(
    r"(?<!\\)\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s+(?P<name>[^\s}:]+)[^}]*\}\}"
)


def _mdbook(_config: MarkdownConfig, _options: Mapping[str, Any]) -> Reader:
    """``{{#include file:anchor}}`` and its like, https://rust-lang.github.io/mdBook/format/mdbook.html ."""

    def read(text: str, place: Path, _: Path) -> Iterator[Path]:
        for match in _LINK.finditer(text):
            yield from _first_file(match["name"], [place])

    return read


_ADOC_INCLUDE = re.compile(r"^include::(?P<name>[^\[\]\n]+)\[[^\]\n]*\][ \t]*\r?$", re.MULTILINE)
_ADOC_COMMENT = re.compile(r"^(/{4,})[ \t]*$.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_ADOC_ATTRIBUTE = re.compile(r"^:(?P<name>[\w-]+):[ \t]+(?P<value>[^\r\n]*)", re.MULTILINE)
_FAMILIES = {"partial": "partials", "example": "examples", "page": "pages", "attachment": "attachments"}


def _asciidoc(text: str, place: Path, page: Path) -> Iterator[Path]:
    """``include::file[]`` of AsciiDoc, and Antora's names such as ``include::module:partial$file[]``."""
    if "include::" not in text:
        return
    attributes = {match["name"]: match["value"].strip() for match in _ADOC_ATTRIBUTE.finditer(text)}
    attributes.setdefault("docdir", str(page))
    for match in _ADOC_INCLUDE.finditer(_ADOC_COMMENT.sub("", text)):
        name = match["name"]
        for attribute, value in attributes.items():
            name = name.replace(f"{{{attribute}}}", value)
        if "{" in name:
            raise _ComputedNameError(match[0])
        if "$" not in name:
            yield from _first_file(name, [place])
            continue
        # A resource of Antora, which may be of another component:
        # https://docs.antora.org/antora/latest/page/resource-id-coordinates/
        start, _, path = name.partition("$")
        module, _, family = start.rpartition(":")
        for modules in page.parents:
            if modules.name == "modules" and family in _FAMILIES and ":" not in module:
                own = page.relative_to(modules).parts[0]
                yield from _first_file(path, [modules / (module or own) / _FAMILIES[family]])
                break


_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1", re.MULTILINE | re.DOTALL)
_DOCUMENTED = re.compile(
    r"^(?P<indent>[ \t]*)(?:#{1,6} *)?::: ?(?P<name>[\w.:]+) *\r?$"
    r"(?P<options>(?:\n(?P=indent)[ \t]+\S[^\n]*)*)",
    re.MULTILINE,
)
_ALONE = re.compile(r"^\s*members: *(?:false|no|\[ *\])\s*$", re.MULTILINE | re.IGNORECASE)
_CLICK = re.compile(r"^[ \t]*::: mkdocs-click[ \t]*\r?\n(?P<options>(?:[ \t]+:.*(?:\n|\Z))*)", re.MULTILINE)
_CLICK_OPTION = re.compile(r"^\s*:(module|command):\s*(\S+)", re.MULTILINE)
#: What an indented block may belong to: admonitions, tabs, blocks, lists, definitions, footnotes.
_CONTAINER = re.compile(r"[ \t]*(?:!!!|\?\?\?|===|///|[-*+][ \t]|\d+[.)][ \t]|:[ \t]|\[\^)")


def _objects(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocstrings and mkautodoc: ``::: package.module``."""
    folders = _python_folders(config)

    def read(text: str, _: Path, __: Path) -> Iterator[Path]:
        if ":::" not in text:
            return
        text = _FENCED.sub("", text)
        for match in _DOCUMENTED.finditer(text):
            if match["indent"] and not _in_container(text[: match.start()], len(match["indent"])):
                continue
            name = match["name"].replace(":", ".").strip(".")
            if module := defining_file(name, folders):
                yield module
                if not _ALONE.search(match["options"]):
                    yield from exported_files(name, folders)

    return read


def _commands(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocs-click."""
    folders = _python_folders(config)

    def read(text: str, _: Path, __: Path) -> Iterator[Path]:
        if ":::" not in text:
            return
        for match in _CLICK.finditer(_FENCED.sub("", text)):
            options = dict(_CLICK_OPTION.findall(match["options"]))
            if "module" in options:
                yield from command_files(options["module"], options.get("command", ""), folders)

    return read


def _python_folders(config: MarkdownConfig) -> list[Path]:
    handlers = config.plugins.get("mkdocstrings", {}).get("handlers") or {}
    paths = (handlers.get("python") or {}).get("paths") or ["."]
    return [*map(config.root.joinpath, paths), *map(Path, sys.path)]


def _in_container(above: str, indent: int) -> bool:
    """Whether what stands above holds an indented block; otherwise the block is code."""
    for line in reversed(above.splitlines()):
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth < indent:
            return bool(_CONTAINER.match(line))
    return False


_READERS = {
    "pymdownx.snippets": _snippets,
    "markdown_include_variants": _variants,
    "include-markdown": _included,
    "markdown_include.include": _braced,
    "markdown_include": _braced,
    "mdx_include.mdx_include": _braced,
    "mdx_include": _braced,
    "macros": _macros,
    "mdbook": _mdbook,
    "mkdocstrings": _objects,
    "mkautodoc": _objects,
    "mkdocs-click": _commands,
}
