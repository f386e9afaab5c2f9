"""The files that the text of a page includes or documents: Markdown with its extensions, mdBook, AsciiDoc."""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from os import PathLike, fspath
from os.path import isfile, normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.sources.modules import PythonObjects, command_files
from sitemap_docs.sources.writers import writers
from sitemap_docs.text import linear, one_line

#: Files that one include names; the same object for the same glob.
Group = tuple[Path, ...]
#: What a text names; the folder of the text, which may be included itself, and that of the page.
Reader = Callable[[str, Path, Path], Iterator[Group]]

MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mkdn", ".mkd"})
ASCIIDOC = frozenset({".adoc", ".asciidoc", ".asc"})
#: The plugins whose options are of interest.
PLUGINS = ("include-markdown", "macros", "mkdocstrings")
#: Which readers read a text: the plugins that change the source, or those of the text that they leave.
_BEFORE, _BEHIND = "before", "behind"


@dataclass(frozen=True, kw_only=True)
class MarkdownConfig:
    """The options of each Markdown extension and plugin by its name.

    ``docs`` is the folder of the pages, ``root`` that of the configuration, ``start`` the one that relative
    paths of extensions start from. ``hooks`` are the Python files that change pages.
    """

    docs: Path
    root: Path
    start: Path
    extensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    plugins: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    hooks: tuple[Path, ...] = ()


class Included(NamedTuple):
    """The files behind the text of a page; ``unknown`` is why only its build knows others."""

    files: tuple[Path, ...]
    unknown: str = ""


class _Named(NamedTuple):
    """What one text names itself; ``unknown`` is why it may name more."""

    groups: tuple[Group, ...]
    unknown: str = ""


class _UnknownError(Exception):
    """Its text is why only the build knows what a text includes."""


class _ComputedNameError(_UnknownError):
    def __init__(self, include: str) -> None:
        super().__init__(f"the name of a file is computed, {one_line(include)[:100]}")


class Includes:
    """Finds what pages include; what a file includes is read once."""

    def __init__(self, config: MarkdownConfig | None = None) -> None:
        readers: list[Reader] = []
        before: list[Reader] = []
        behind: list[Reader] = []
        self._readers: dict[str, list[Reader]] = dict.fromkeys(MARKDOWN, readers)
        self._readers |= {ending: [_asciidoc] for ending in ASCIIDOC} | {_BEFORE: before, _BEHIND: behind}
        self._named_by = cache(self._read_file)
        self._sees_pages = False
        if config:
            self._sees_pages = any(map(_is_relative, _bases(config.extensions.get("pymdownx.snippets", {}))))
            marks = set()
            for name, make in _READERS.items():
                options = config.extensions.get(name, config.plugins.get(name))
                if options is None:
                    continue
                if name in _MARKS:
                    behind.append(make(config, options))
                    marks.add(_MARKS[name])
                else:
                    before.append(make(config, options))
            if marks:
                behind.append(_executed(marks))
                readers.append(_unrendered(config, marks))
            readers += before + behind

    def of(self, text: str, folder: Path, ending: str = ".md", rendered: str | None = None) -> Included:
        """What a page in ``folder`` includes, and what that includes; its source has the ``ending``.

        ``rendered`` is the text of the page as plugins have left it for Markdown, where that is known.
        """
        page = Path()  # where no reader looks at the page's folder, all pages share what a file names
        if self._sees_pages or ending in ASCIIDOC:
            page = folder
        found: dict[Path, None] = {}
        unknown = ""
        seen: dict[int, Group] = {}
        texts = [(text, ending)]
        if rendered is not None:
            texts = [(text, _BEFORE), (rendered, _BEHIND)]
        waiting = [(self._read(each, folder, page, stage), stage) for each, stage in texts]
        while waiting:
            named, stage = waiting.pop()
            unknown = unknown or named.unknown
            for group in named.groups:
                if id(group) in seen:
                    continue
                seen[id(group)] = group
                for path in group:
                    if path in found:
                        continue
                    found[path] = None
                    if path.suffix != ".py":  # what a page documents or quotes includes nothing itself
                        waiting.append((self._named_by(path, page, stage), stage))
        return Included(tuple(found), unknown)

    def reads(self, ending: str) -> bool:
        """Whether a source with the ``ending`` may include anything, so that its text matters."""
        return bool(self._readers.get(ending))

    def _read_file(self, path: Path, page: Path, stage: str) -> _Named:
        try:
            text = files.read_file(path).decode("utf-8", "replace")
        except OSError:
            return _Named(())
        return self._read(text, path.parent, page, stage)

    def _read(self, text: str, place: Path, page: Path, stage: str) -> _Named:
        groups: list[Group] = []
        unknown = ""
        for read in self._readers.get(stage, ()):
            try:
                groups += read(text, place, page)
            except _UnknownError as error:
                unknown = unknown or str(error)
        return _Named(tuple(groups), unknown)


class _Span(NamedTuple):
    """What stands in a text from an opening mark to a closing one, and what is ``inside``."""

    start: int
    inside: str
    closing: str
    end: int


def _spans(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[_Span]:
    """What is marked in a text: the next opening, the next closing from there, and on behind it.

    It goes forward once: where an opening has no closing, none that follows has one.
    """
    place = 0
    while start := opening.search(text, place):
        end = closing.search(text, start.end())
        if not end:
            return
        yield _Span(start.start(), text[start.end() : end.start()], end[0], end.end())
        place = end.end()


def _outside(text: str, fence: re.Pattern[str]) -> Iterator[str]:
    """The lines of a text but for blocks, from a line that begins with a ``fence`` to one that repeats it.

    A fence that no line repeats is none.
    """
    lines = text.split("\n")
    last = {line.strip(): number for number, line in enumerate(lines)}
    opened = ""
    for number, line in enumerate(lines):
        if opened:
            if line.strip() == opened:
                opened = ""
        elif (match := fence.match(line)) and last.get(match[1], 0) > number:
            opened = match[1]
        else:
            yield line


def _first_file(name: str, folders: Iterable[Path]) -> Group:
    """The file of a name in the first of the folders that has one."""
    for folder in folders:
        path = Path(normpath(folder / name))
        if isfile(path):
            return (path,)
    return ()


def page_template(meta: Mapping[str, object], templates: Path | None) -> Path | None:
    """The file in the theme's ``custom_dir`` that a page's front matter names as its ``template``.

    https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data
    """
    name = meta.get("template")
    if templates is None or not isinstance(name, str) or not files.find_inside(templates, name):
        return None
    return templates / name


_SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_SECTION = re.compile(r"[a-z][-_0-9a-z]*", re.IGNORECASE)
_RANGES = "-0123456789:,"


@linear
def _snippets(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``--8<--`` of pymdownx.snippets 9 and later; what ``auto_append`` adds to every page dates none."""
    bases = _bases(options)
    restricted = options.get("restrict_base_path", True)

    def read(text: str, _: Path, page: Path) -> Iterator[Group]:
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
        for name in _snippet_names(text):
            for folder in folders:
                path = Path(normpath(folder / name))
                if isfile(folder):  # a base may be a file, which is found by its own name
                    found = path.name == folder.name
                    path = folder
                else:
                    found = isfile(path) and (not restricted or path.is_relative_to(folder))
                if found:
                    yield (path,)
                    break

    return read


def _bases(options: Mapping[str, Any]) -> Sequence[Any]:
    bases = options.get("base_path", ["."])
    return bases if isinstance(bases, (list, tuple)) else [bases]


def _is_relative(base: object) -> bool:
    """Whether a base is the folder of the page: MkDocs resolves its tag `!relative` while it renders one."""
    return not isinstance(base, (str, PathLike)) or type(base).__name__ == "RelativeDirPlaceholder"


def _snippet_names(text: str) -> Iterator[str]:
    block = False
    for line in text.split("\n"):
        match = _SNIPPET.match(line)
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
def _variants(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """``{* file.py *}`` of markdown-include-variants: the file, and those for other versions of Python.

    https://github.com/tiangolo/markdown-include-variants
    """

    def read(text: str, _: Path, __: Path) -> Iterator[Group]:
        for line in text.splitlines():
            words = line[2:-2].split(maxsplit=1)
            if not (words and line.startswith("{*") and line.endswith("*}")):
                continue
            path = Path(normpath(config.start / words[0]))
            if isfile(path):
                yield (path,)
                yield alike(path.parent).get((plain(path), path.suffix), ())

    @cache
    def alike(folder: Path) -> dict[tuple[str, str], Group]:
        """The files of a folder by their names without the versions, and by their endings."""
        found = defaultdict(list)
        for path in sorted(folder.iterdir()):
            if isfile(path):
                found[plain(path), path.suffix].append(path)
        return {key: tuple(paths) for key, paths in found.items()}

    def plain(path: Path) -> str:
        match = _VARIANT.fullmatch(path.stem)
        return match[1] if match else path.stem

    return read


_QUOTED = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)')""")
_EXCLUDE = re.compile(r"""\bexclude=(?:"([^"]+)"|'([^']+)')""")


@linear
def _included(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """The directives of mkdocs-include-markdown-plugin 6 and later."""
    defaults = {"include": "include", "include-markdown": "include-markdown"}
    directives = {**defaults, **as_mapping(options.get("directives"))}
    words = "|".join(map(re.escape, filter(None, map(as_text, directives.values()))))
    opening = re.compile(rf"{re.escape(as_text(options.get('opening_tag')) or '{%')}\s*(?:{words})\s")
    closing = re.compile(re.escape(as_text(options.get("closing_tag")) or "%}"))
    folders = files.Folders()

    def read(text: str, place: Path, _: Path) -> Iterator[Group]:
        for span in _spans(text, opening, closing):
            name = _QUOTED.match(span.inside)
            if not name:
                continue
            excluded = [path_of("".join(pair), place) for pair in _EXCLUDE.findall(span.inside, name.end())]
            group = matching(path_of(name[1] or name[2], place), tuple(excluded))
            if group is None:
                raise _ComputedNameError(text[span.start : span.end])
            yield group

    def path_of(name: str, place: Path) -> Path:
        folder = config.docs
        if name.startswith(("./", "../")):
            folder = place
        return Path(normpath(folder / name))

    @cache
    def matching(glob: Path, excluded: tuple[Path, ...]) -> Group | None:
        """The files of a glob but for those of others; None where there are too many to look at."""
        found: Iterable[str] | None = [str(glob)]
        if not isfile(glob):
            found = folders.matching(glob.anchor, glob.parts[1:], glob.anchor)
        if found is None:
            return None
        left_out: set[Path] = set()
        for each in excluded:
            left_out.update(matching(each, ()) or ())
        return tuple(path for path in map(Path, sorted(found)) if path not in left_out)

    return read


_BRACES = re.compile(r"(?<!\\)\{![+-]?>?"), re.compile(r"!(?:lines=[0-9 -]+)?\}|\n")


@linear
def _braced(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{!file!}`` of markdown-include and mdx_include."""
    base = config.start / str(options.get("base_path") or ".")

    def read(text: str, place: Path, _: Path) -> Iterator[Group]:
        for span in _spans(text, *_BRACES):
            if span.closing != "\n":
                name = span.inside.partition("|")[0].partition("[")[0]
                yield _first_file(name.strip(), (base, place))

    return read


_RENDERED = re.compile(
    r"(?s)---\r?\n(?:(?!---).)*?^render_macros:[ \t]*(?P<answer>true|false)\b", re.MULTILINE | re.IGNORECASE
)
_LITERAL = re.compile(r"""\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*(?:$|import\b|as\b|ignore\b|with\b|without\b)""")


class _Jinja:
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
        if own := _RENDERED.match(text):
            is_rendered = own["answer"].lower() == "true"
        if not is_rendered:
            return ""
        rendered, place = "", 0
        for span in _spans(text, *self._raw):
            rendered += text[place : span.start]
            place = span.end
        return rendered + text[place:]


@linear
def _macros(config: MarkdownConfig, options: Mapping[str, Any]) -> Reader:
    """``{% include "file" %}`` and ``import`` of mkdocs-macros, which renders pages with Jinja."""
    folder = config.start / str(options.get("include_dir") or config.docs)
    jinja = _Jinja(options)
    block = (
        re.compile(rf"{jinja.start}[-+]?\s*(?:include|import|from|extends)\s"),
        re.compile(rf"[-+]?{jinja.end}"),
    )

    def read(text: str, _: Path, __: Path) -> Iterator[Group]:
        rendered = jinja.rendered(text)
        for span in _spans(rendered, *block):
            literal = _LITERAL.match(span.inside.rstrip())
            if not literal:
                raise _ComputedNameError(rendered[span.start : span.end])
            path = Path(normpath(folder / (literal[1] or literal[2] or "")))
            if isfile(path) and path.is_relative_to(normpath(folder)):
                yield (path,)

    return read


_LINK = (
    re.compile(r"(?<!\\)\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s"),
    re.compile(r"\}\}?"),
)


@linear
def _mdbook(_config: MarkdownConfig, _options: Mapping[str, Any]) -> Reader:
    """``{{#include file:anchor}}`` and its like, https://rust-lang.github.io/mdBook/format/mdbook.html ."""

    def read(text: str, place: Path, _: Path) -> Iterator[Group]:
        for span in _spans(text, *_LINK):
            words = span.inside.split(maxsplit=1)
            if words and span.closing == "}}":
                yield _first_file(words[0].partition(":")[0], [place])

    return read


_ADOC_INCLUDE = re.compile(r"include::([^\[\]]+)\[[^\]]*\]\s*$")
_ADOC_COMMENT = re.compile(r"(/{4,})\s*$")
_ADOC_ATTRIBUTE = re.compile(r":([\w-]+):[ \t]+(\S.*)")
_ADOC_REFERENCE = re.compile(r"\{([\w-]+)\}")
_LONGEST_VALUE = 4_096  # characters, where Asciidoctor bounds bytes
_FAMILIES = {"page": "pages", "partial": "partials", "example": "examples", "attachment": "attachments"}


@linear
def _asciidoc(text: str, place: Path, page: Path) -> Iterator[Group]:
    """``include::file[]`` of AsciiDoc, and Antora's names such as ``include::module:partial$file[]``.

    What an attribute refers to is resolved where the attribute is defined.
    """
    if "include::" not in text:
        return
    attributes = {"docdir": str(page)}

    def resolved(written: str) -> str:
        text, place = "", 0
        for name in _ADOC_REFERENCE.finditer(written):
            text += written[place : name.start()] + attributes.get(name[1], name[0])
            place = name.end()
            if len(text) > _LONGEST_VALUE:
                break
        return (text + written[place:])[:_LONGEST_VALUE]

    for line in _outside(text, _ADOC_COMMENT):
        if attribute := _ADOC_ATTRIBUTE.match(line):
            attributes[attribute[1]] = resolved(attribute[2].strip())
        elif include := _ADOC_INCLUDE.match(line):
            name = resolved(include[1])
            if "{" in name:
                raise _ComputedNameError(include[0].strip())
            yield _first_file(name, [place]) or _antora_file(name, place, page)


def _antora_file(name: str, place: Path, page: Path) -> Group:
    """The file that a resource of Antora names in a file in ``place``; none of another component or version.

    https://docs.antora.org/antora/latest/page/resource-id-coordinates/
    """
    start, dollar, path = name.rpartition("$")
    if not dollar:
        start, _, path = name.rpartition(":")
        start += ":"
    module, _, family = start.rpartition(":")
    if ":" in module or "@" in module:
        return ()
    for folder in (place, page):
        for modules in folder.parents:
            if modules.name == "modules":
                own, kind = (*folder.relative_to(modules).parts, "pages")[:2]
                kinds = [kind, "pages"]  # the family of the file itself
                if family:
                    kinds = list(filter(None, [_FAMILIES.get(family)]))
                return _first_file(path, [modules / (module or own) / kind for kind in kinds])
    return ()


#: Of Markdown; text behind it on its line is code in the line.
_FENCE = re.compile(r"[ \t]*(`{3,}(?![^`]*`)|~{3,})")
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
    found = None
    deep = 0
    above: list[tuple[int, str]] = []  # the lines that hold what follows, each deeper than the one before
    for line in _outside(text, _FENCE):
        depth = len(line) - len(line.lstrip())
        if line.strip():
            while above and above[-1][0] >= depth:
                above.pop()
        if found and line.strip() and depth > deep:
            found.options.append(line)
        elif found:
            yield found
            found = None
        if not found and (match := _DOCUMENTED.match(line)):
            is_code = depth > 0 and not (above and _CONTAINER.match(above[-1][1]))
            found, deep = _Documented(match[1], [], is_code), depth
        if line.strip():
            above.append((depth, line))
    if found:
        yield found


@linear
def _objects(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocstrings and mkautodoc: ``::: package.module``, perhaps with all below."""
    objects = PythonObjects(_python_folders(config))
    by_default = as_mapping(_python_handler(config).get("options")).get("show_submodules") is True

    def read(text: str, _: Path, __: Path) -> Iterator[Group]:
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
    def below(package: Path) -> Group:
        return tuple(sorted(package.rglob("*.py")))

    return read


@linear
def _commands(config: MarkdownConfig, _: Mapping[str, Any]) -> Reader:
    """The Python modules of mkdocs-click."""
    folders = _python_folders(config)

    def read(text: str, _: Path, __: Path) -> Iterator[Group]:
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


_WORD = re.compile(r"[^\W\d]\w*")


@linear
def _unrendered(config: MarkdownConfig, marks: Collection[str]) -> Reader:
    """No file: where only the source of a page is known, it fails if code of the project writes includes."""
    hooks = [hook for hook in config.hooks if "on_page_markdown" in writers(hook, marks)]
    macros: dict[str, Path] = {}
    options = config.plugins.get("macros")
    jinja = _Jinja(options or {})
    marked = re.compile(f"{jinja.start}|{jinja.value[0]}"), re.compile(f"{jinja.end}|{jinja.value[1]}")
    if options is not None:
        module = str(options.get("module_name") or "main")
        for file in (config.root / f"{module}.py", config.root / module / "__init__.py"):
            macros |= dict.fromkeys(writers(file, marks), file)

    def read(text: str, _: Path, __: Path) -> Iterator[Group]:
        if hooks:
            raise _UnknownError(f"the hook {hooks[0].name} writes includes")
        if options is None:
            return
        rendered = jinja.rendered(text)
        for span in _spans(rendered, *marked):
            for word in _WORD.findall(span.inside):
                if word in macros:
                    raise _UnknownError(f"the macro `{word}` of {macros[word].name} writes includes")
        names = [*_snippet_names(rendered), *(span.inside for span in _spans(rendered, *_BRACES))]
        names += [line for line in rendered.split("\n") if line.lstrip().startswith(":::")]
        for name in names:
            if marked[0].search(name):
                raise _ComputedNameError(name)
        yield from ()

    return read


@linear
def _executed(marks: Collection[str]) -> Reader:
    """No file: it fails for a block whose code writes includes when markdown-exec runs it."""

    def read(text: str, _: Path, __: Path) -> Iterator[Group]:
        fence = ""
        for line in text.split("\n"):
            if not fence and " exec=" in line and (opening := _FENCE.match(line)):
                fence = opening[1]
            elif line.strip() == fence:
                fence = ""
            elif fence and not _SNIPPET.match(line) and any(mark in line for mark in marks):
                raise _UnknownError("code that markdown-exec runs writes includes")
        yield from ()

    return read


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
#: What names an include in the text that plugins and hooks leave; what is not here reads the source itself.
_MARKS = {
    "pymdownx.snippets": "8<-",
    "markdown_include_variants": "{*",
    **dict.fromkeys(("markdown_include.include", "markdown_include", "mdx_include.mdx_include"), "{!"),
    "mdx_include": "{!",
    **dict.fromkeys(("mkdocstrings", "mkautodoc", "mkdocs-click"), ":::"),
}
