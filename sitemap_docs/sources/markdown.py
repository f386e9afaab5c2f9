"""What Markdown includes: snippets, braces, include-markdown, what macros render, links of mdBook."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from os import PathLike, fspath
from os.path import isfile, normpath
from pathlib import Path
from typing import Any

from sitemap_docs import files
from sitemap_docs.config.parsing import as_items, as_mapping, as_text
from sitemap_docs.sources.markup import (
    FENCE,
    ComputedNameError,
    FileGroup,
    MarkdownConfig,
    Reader,
    UnknownError,
    first_file,
    spans,
)
from sitemap_docs.text import linear

SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_SECTION = re.compile(r"[a-z][-_0-9a-z]*", re.IGNORECASE)
_RANGES = "-0123456789:,"


@linear
def snippets(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``--8<--`` of pymdownx.snippets 9 and later; what ``auto_append`` adds to every page dates none."""
    bases = _bases(options)
    restricted = bool(options.get("restrict_base_path", True))

    def read(text: str, _: Path, page: Path) -> Iterator[FileGroup]:
        if "8<-" not in text:
            return
        folders: list[Path] = []
        for base in bases:
            if not _is_relative(base):
                folders.append(Path(normpath(config.start / fspath(base))))
            elif base is not None:
                folders.append(page)
            else:
                folders += [page, config.docs, config.root]
        for name in snippet_names(text):
            for folder in folders:
                path = _snippet(folder, name, restricted=restricted)
                if path:
                    yield (path,)
                    break

    return read


def _snippet(base: Path, name: str, *, restricted: bool) -> Path | None:
    """The file that a base has under a name: a base may be a file, which is found by its own name."""
    path = Path(normpath(base / name))
    if isfile(base):
        return base if path.name == base.name else None
    if isfile(path) and (not restricted or path.is_relative_to(base)):
        return path
    return None


def _bases(options: Mapping[str, Any]) -> Sequence[Any]:
    return as_items(options.get("base_path", ["."]))


def sees_pages(options: Mapping[str, Any]) -> bool:
    """Whether pymdownx.snippets looks into the folder of the page that names a file."""
    return any(map(_is_relative, _bases(options)))


def _is_relative(base: object) -> bool:
    """Whether a base is the folder of the page: MkDocs resolves its tag `!relative` while it renders one."""
    return not isinstance(base, (str, PathLike)) or type(base).__name__ == "RelativeDirPlaceholder"


def snippet_names(text: str) -> Iterator[str]:
    block = False
    for line in text.split("\n"):
        match = SNIPPET.match(line)
        if match and match["block"] is not None:
            block = not block
        elif match and not block:
            yield _without_lines(match["inline"])
        elif block and line.strip():
            yield _without_lines(line.strip())


def _without_lines(name: str) -> str:
    """The name of a snippet without the ranges of lines, or the section, that may follow it."""
    path = name.rstrip(_RANGES)
    ranges = name[len(path) :]
    if ":" in ranges:
        return path + ranges[: ranges.index(":")]
    path, colon, section = name.rpartition(":")
    return path if colon and _SECTION.fullmatch(section) else name


_VARIANT = re.compile(r"(.*?)(?:_an|_py3[0-9]{1,3}){1,9}")


@linear
def variants(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """``{* file.py *}`` of markdown-include-variants: the file, and those for other versions of Python.

    https://github.com/tiangolo/markdown-include-variants
    """

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        for line in text.splitlines():
            words = line[2:-2].split(maxsplit=1)
            if not (words and line.startswith("{*") and line.endswith("*}")):
                continue
            path = Path(normpath(config.start / words[0]))
            if isfile(path):
                yield (path,)
                yield alike(path.parent).get((plain(path), path.suffix), ())

    @cache
    def alike(folder: Path) -> dict[tuple[str, str], FileGroup]:
        """The files of a folder by their names without the versions, and by their endings."""
        by_name = defaultdict(list)
        for path in sorted(folder.iterdir()):
            if isfile(path):
                by_name[plain(path), path.suffix].append(path)
        return {key: tuple(paths) for key, paths in by_name.items()}

    def plain(path: Path) -> str:
        match = _VARIANT.fullmatch(path.stem)
        return match[1] if match else path.stem

    return read


_QUOTED = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)')""")
_EXCLUDE = re.compile(r"""\bexclude=(?:"([^"]+)"|'([^']+)')""")


@linear
def include_markdown(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """The directives of mkdocs-include-markdown-plugin 6 and later."""
    defaults = {"include": "include", "include-markdown": "include-markdown"}
    directives = {**defaults, **as_mapping(options.get("directives"))}
    words = "|".join(map(re.escape, filter(None, map(as_text, directives.values()))))
    opening = re.compile(rf"{re.escape(as_text(options.get('opening_tag')) or '{%')}\s*(?:{words})\s")
    closing = re.compile(re.escape(as_text(options.get("closing_tag")) or "%}"))
    folders = files.Folders()

    def read(text: str, place: Path, _: Path) -> Iterator[FileGroup]:
        for span in spans(text, opening, closing):
            name = _QUOTED.match(span.inside)
            if not name:
                continue
            excluded = [path_of("".join(pair), place) for pair in _EXCLUDE.findall(span.inside, name.end())]
            group = matching(path_of(name[1] or name[2], place), tuple(excluded))
            if group is None:
                raise ComputedNameError(text[span.start : span.end])
            yield group

    def path_of(name: str, place: Path) -> Path:
        folder = place if name.startswith(("./", "../")) else config.docs
        return Path(normpath(folder / name))

    @cache
    def matching(glob: Path, excluded: tuple[Path, ...]) -> FileGroup | None:
        """The files of a glob but for those of others; None where there are too many to look at."""
        paths: Iterable[str] | None = [str(glob)]
        if not isfile(glob):
            paths = folders.matching(glob.anchor, glob.parts[1:], glob.anchor)
        if paths is None:
            return None
        left_out: set[Path] = set()
        for each in excluded:
            left_out.update(matching(each, ()) or ())
        return tuple(path for path in map(Path, sorted(paths)) if path not in left_out)

    return read


_BRACES = re.compile(r"(?<!\\)\{![+-]?>?"), re.compile(r"!(?:lines=[0-9 -]+)?\}|\n")


@linear
def braces(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{!file!}`` of markdown-include and mdx_include."""
    base = config.start / str(options.get("base_path") or ".")

    def read(text: str, place: Path, _: Path) -> Iterator[FileGroup]:
        for span in spans(text, *_BRACES):
            if span.closing != "\n":
                name = span.inside.partition("|")[0].partition("[")[0]
                yield first_file(name.strip(), (base, place))

    return read


_LINK = (
    re.compile(r"(?<!\\)\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s"),
    re.compile(r"\}\}?"),
)


@linear
def mdbook(_config: MarkdownConfig, _options: Mapping[str, Any]) -> Reader:
    """``{{#include file:anchor}}`` and its like, https://rust-lang.github.io/mdBook/format/mdbook.html ."""

    def read(text: str, place: Path, _: Path) -> Iterator[FileGroup]:
        for span in spans(text, *_LINK):
            words = span.inside.split(maxsplit=1)
            if words and span.closing == "}}":
                yield first_file(words[0].partition(":")[0], [place])

    return read


_RENDERS = re.compile(
    r"(?s)---\r?\n(?:(?!---).)*?^render_macros:[ \t]*(?P<answer>true|false)\b", re.MULTILINE | re.IGNORECASE
)
_LITERAL = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:$|import\b|as\b|ignore\b|with\b|without\b)""")


class Jinja:
    """How mkdocs-macros, with its options, marks what Jinja renders in a page."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.start = re.escape(as_text(options.get("j2_block_start_string")) or "{%")
        self.end = re.escape(as_text(options.get("j2_block_end_string")) or "%}")
        value = re.escape(as_text(options.get("j2_variable_start_string")) or "{{")
        self.value = value, re.escape(as_text(options.get("j2_variable_end_string")) or "}}")
        self._raw = (
            re.compile(rf"{self.start}-?\s*raw\s*-?{self.end}"),
            re.compile(rf"{self.start}-?\s*endraw\s*-?{self.end}"),
        )
        self._by_default = options.get("render_by_default") is not False

    def rendered(self, text: str) -> str:
        """What Jinja renders of a page: all but raw blocks, or nothing."""
        is_rendered = self._by_default
        if own := _RENDERS.match(text):
            is_rendered = own["answer"].lower() == "true"
        if not is_rendered:
            return ""
        rendered, place = "", 0
        for span in spans(text, *self._raw):
            rendered += text[place : span.start]
            place = span.end
        return rendered + text[place:]


@linear
def macros(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{% include "file" %}`` and ``import`` of mkdocs-macros, which renders pages with Jinja."""
    folder = config.start / str(options.get("include_dir") or config.docs)
    jinja = Jinja(options)
    block = (
        re.compile(rf"{jinja.start}[-+]?\s*(?:include|import|from|extends)\s"),
        re.compile(rf"[-+]?{jinja.end}"),
    )

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        rendered = jinja.rendered(text)
        for span in spans(rendered, *block):
            literal = _LITERAL.match(span.inside.rstrip())
            if not literal:
                raise ComputedNameError(rendered[span.start : span.end])
            path = Path(normpath(folder / (literal[1] or literal[2] or "")))
            if isfile(path) and path.is_relative_to(normpath(folder)):
                yield (path,)

    return read


_EXECUTED = re.compile(r"""\sexec=["']?(?!(?i:no|off|false|0)\b)\w""")


@linear
def executed(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
    """No file: it fails for a block that markdown-exec runs, whatever is in it."""
    for line in text.split("\n"):
        if _EXECUTED.search(line) and FENCE.match(line):
            raise UnknownError("code that markdown-exec runs may read files")
    yield from ()


_WORD = re.compile(r"\w+")
_USED = re.compile(r"(?P<filter>\|\s*)?(?P<name>\w+)(?P<call>\s*\()?")


@linear
def unrendered(config: MarkdownConfig, marks: Collection[str]) -> Reader:
    """No file: it fails where code of the project may write includes, or Jinja the name of a file.

    That is a hook that changes pages, and a macro or filter of the project's own module for mkdocs-macros.
    """
    hooks = [hook for hook in config.hooks if "on_page_markdown" in _words([hook], marks)]
    options = config.plugins.get("macros", {})
    jinja = Jinja(options)
    marked = re.compile(f"{jinja.start}|{jinja.value[0]}"), re.compile(f"{jinja.end}|{jinja.value[1]}")
    module = config.root / (as_text(options.get("module_name")) or "main")
    parts = [each for each in module.iterdir() if each.suffix == ".py"] if module.is_dir() else []
    words = _words([Path(f"{module}.py"), *parts], marks)

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        if hooks:
            raise UnknownError(f"the hook {hooks[0].name} may write includes")
        if "macros" not in config.plugins:
            return
        rendered = jinja.rendered(text)
        for span in spans(rendered, *marked):
            for used in _USED.finditer(span.inside):
                if (used["filter"] or used["call"]) and used["name"] in words:
                    raise UnknownError(f"the macro `{used['name']}` of {module.name} may write includes")
        lines = [line for line in rendered.split("\n") if any(mark in line for mark in marks)]
        for name in (*lines, *snippet_names(rendered)):
            if marked[0].search(name):
                raise ComputedNameError(name)
        yield from ()

    return read


def _words(modules: Iterable[Path], marks: Collection[str]) -> frozenset[str]:
    """The words of Python code; none where no mark of an include stands in it, so that it writes none."""
    text = "\n".join(module.read_text("utf-8", "replace") for module in modules if isfile(module))
    if not any(mark in text for mark in marks):
        return frozenset()
    return frozenset(_WORD.findall(text))
