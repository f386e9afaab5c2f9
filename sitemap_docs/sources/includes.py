"""The files that the text of a Markdown page includes or documents."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from functools import cache
from glob import glob
from os import PathLike, fspath
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_docs import files
from sitemap_docs.sources.modules import defining_file, exported_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Reader = Callable[[str, Path, Path], Iterable[Path]]

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\1", re.MULTILINE | re.DOTALL)


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


class Includes:
    """Finds what pages include, and reads each included file once."""

    def __init__(self, config: MarkdownConfig) -> None:
        self.docs = config.docs
        self._readers = tuple(reader for make in _READERS if (reader := make(config)))
        self._text = cache(_text)

    def __bool__(self) -> bool:
        return bool(self._readers)

    def of(self, text: str, folder: Path) -> Iterator[Path]:
        """The files behind the text of a page in ``folder``, and behind what it includes."""
        queue, seen = [(text, folder)], set()
        while queue:
            text, place = queue.pop()
            for path in (found for read in self._readers for found in read(text, place, folder)):
                if path not in seen:
                    seen.add(path)
                    yield path
                    if path.suffix != ".py":
                        queue.append((self._text(path), path.parent))


def _text(path: Path) -> str:
    try:
        return files.read_file(path).decode("utf-8", "replace")
    except OSError:
        return ""


_SNIPPET = re.compile(r"""^[ \t]*-+8<-+(?:[ \t]+(["'])(?P<inline>.+?)\1|(?P<block>))\r?$""")
_LINES = re.compile(r"(?i):(?:[-0-9:,]*|[a-z][-_0-9a-z]*)$")


def _snippets(config: MarkdownConfig) -> Reader | None:
    """``--8<--`` of pymdownx.snippets 9 and later; what ``auto_append`` adds to every page dates none."""
    options = config.extensions.get("pymdownx.snippets")
    if options is None:
        return None
    bases = options.get("base_path", ["."])
    bases = bases if isinstance(bases, (list, tuple)) else [bases]
    restricted = options.get("restrict_base_path", True)

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for name in _snippet_names(text) if "8<-" in text else ():
            folders = (folder for base in bases for folder in _folders(base, page, config))
            found = (_under(folder, name, restricted=restricted) for folder in folders)
            if path := next(filter(None, found), None):
                yield path

    return read


def _snippet_names(text: str) -> Iterator[str]:
    block = False
    for line in text.split("\n"):
        match = _SNIPPET.match(line)
        if match and match["block"] is not None:
            block = not block
        elif match and not block:
            yield _LINES.sub("", match["inline"])
        elif block and (name := line.strip()):
            yield _LINES.sub("", name)


def _folders(base: object, page: Path, config: MarkdownConfig) -> Iterator[Path]:
    if isinstance(base, (str, PathLike)) and type(base).__name__ != "RelativeDirPlaceholder":
        yield Path(normpath(config.start / fspath(base)))
    else:  # MkDocs resolves its tag `!relative` only while it renders the page
        yield page
        yield from (config.docs, config.root) if base is None else ()


def _under(base: Path, name: str, *, restricted: bool) -> Path | None:
    path = Path(normpath(base / name))
    if base.is_file():
        return base if path.name == base.name else None
    return path if path.is_file() and (not restricted or path.is_relative_to(base)) else None


_VARIANTS = re.compile(r"^\{\*\s*(?P<name>\S+)[^\n]*\*\}\r?$", re.MULTILINE)
_VARIANT = re.compile(r"(?:_an|_py3\d+)*$")


def _variants(config: MarkdownConfig) -> Reader | None:
    """``{* file.py *}`` of markdown-include-variants: the file, and those for other versions of Python.

    https://github.com/tiangolo/markdown-include-variants
    """
    if "markdown_include_variants" not in config.extensions:
        return None

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for match in _VARIANTS.finditer(text) if "{*" in text else ():
            path = Path(normpath(config.start / match["name"]))
            if path.is_file():
                yield path
                yield from (other for other in siblings(path) if other != path)

    def siblings(path: Path) -> list[Path]:
        stem = _VARIANT.sub("", path.stem)
        found = (each for each in path.parent.iterdir() if each.suffix == path.suffix)
        return sorted(each for each in found if _VARIANT.sub("", each.stem) == stem and each.is_file())

    return read


_EXCLUDE = re.compile(r"""\bexclude=(?:"([^"]+)"|'([^']+)')""")


def _included(config: MarkdownConfig) -> Reader | None:
    """The directives of mkdocs-include-markdown-plugin 6 and later."""
    options = config.plugins.get("include-markdown")
    if options is None:
        return None
    opening = re.escape(options.get("opening_tag", "{%"))
    closing = re.escape(options.get("closing_tag", "%}"))
    directives = {name: name for name in ("include", "include-markdown")} | (options.get("directives") or {})
    words = "|".join(re.escape(word) for word in directives.values() if word)
    quoted = r"""(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)')"""
    directive = re.compile(rf"{opening}\s*(?:{words})\s+{quoted}(.*?){closing}", re.DOTALL)

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for double, single, arguments in directive.findall(text):
            names = ("".join(pair) for pair in _EXCLUDE.findall(arguments))
            excluded = {path for name in names for path in matching(name, place)}
            yield from (path for path in matching(double or single, place) if path not in excluded)

    def matching(name: str, place: Path) -> list[Path]:
        folder = place if name.startswith(("./", "../")) else config.docs
        exact = Path(normpath(folder / name))
        names = [str(exact)] if exact.is_file() else sorted(glob(str(folder / name), recursive=True))  # noqa: PTH207  allows more
        return [path for path in map(Path, map(normpath, names)) if path.is_file()]

    return read


_BRACED = re.compile(r"(?<!\\)\{![+-]?>?(?P<name>[^!|\[\n]+)[^!\n]*![^}\n]*\}")
_BRACED_EXTENSIONS = (
    *("markdown_include.include", "markdown_include"),
    *("mdx_include.mdx_include", "mdx_include"),
)


def _braced(config: MarkdownConfig) -> Reader | None:
    """``{!file!}`` of markdown-include and mdx_include."""
    named = [config.extensions[name] for name in _BRACED_EXTENSIONS if name in config.extensions]
    if not named:
        return None
    bases = [config.start / str(options.get("base_path") or ".") for options in named]

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        for match in _BRACED.finditer(text) if "{!" in text else ():
            paths = (Path(normpath(base / match["name"].strip())) for base in (*bases, place))
            yield from [path for path in paths if path.is_file()][:1]

    return read


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


def _documented(config: MarkdownConfig) -> Reader | None:
    """The Python modules of mkdocstrings, mkautodoc and mkdocs-click: ``::: package.module``."""
    plugin = config.plugins.get("mkdocstrings")
    click = "mkdocs-click" in config.extensions
    if plugin is None and "mkautodoc" not in config.extensions and not click:
        return None
    handler = ((plugin or {}).get("handlers") or {}).get("python") or {}
    folders = (*(config.root / path for path in handler.get("paths") or ["."]), *map(Path, sys.path))
    objects = plugin is not None or "mkautodoc" in config.extensions

    def read(text: str, place: Path, page: Path) -> Iterator[Path]:  # noqa: ARG001
        if ":::" not in text:
            return
        text = _FENCED.sub("", text)
        for name, members in (*(_objects(text) if objects else ()), *(_commands(text) if click else ())):
            if module := defining_file(name, folders):
                yield module
                yield from exported_files(name, folders) if members else ()

    return read


def _objects(text: str) -> Iterator[tuple[str, bool]]:
    """The objects that a page documents, each with whether its members are, too."""
    for match in _DOCUMENTED.finditer(text):
        if not match["indent"] or _in_container(text[: match.start()], len(match["indent"])):
            yield match["name"].replace(":", ".").strip("."), not _ALONE.search(match["options"])


def _in_container(above: str, indent: int) -> bool:
    """Whether what stands above holds an indented block; otherwise the block is code."""
    for line in reversed(above.splitlines()):
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth < indent:
            return bool(_CONTAINER.match(line))
    return False


def _commands(text: str) -> Iterator[tuple[str, bool]]:
    for match in _CLICK.finditer(text):
        options = dict(_CLICK_OPTION.findall(match["options"]))
        if "module" in options:
            yield ".".join(filter(None, (options["module"], options.get("command", "")))), False


#: The plugins whose options are of interest.
PLUGINS = ("include-markdown", "mkdocstrings")
_READERS = (_snippets, _variants, _included, _braced, _documented)
