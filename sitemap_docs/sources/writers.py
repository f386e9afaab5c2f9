"""Code of a project that writes includes into its pages: what they name, only the build of a page knows."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import chain
from os.path import isfile
from pathlib import Path
from textwrap import dedent

from sitemap_docs.sources.markdown import BRACES, SNIPPET, Jinja, snippet_names
from sitemap_docs.sources.markup import (
    FENCE,
    ComputedNameError,
    FileGroup,
    MarkdownConfig,
    Reader,
    UnknownError,
    spans,
)
from sitemap_docs.sources.modules import module_tree, parsed
from sitemap_docs.text import linear

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@linear
def writers(file: Path, marks: Collection[str]) -> frozenset[str]:
    """The names in a module of functions and values that write a mark of an include, or use what does.

    Of ``env.macro(function, "name")`` and ``env.macros["name"] = function``, that is the text, too. None for
    what is no Python.
    """
    if not isfile(file):
        return frozenset()
    users: dict[str, list[frozenset[str]]] = defaultdict(list)
    waiting: list[frozenset[str]] = []
    for statement, is_closed in _statements(module_tree(file)):
        defined = frozenset(_defined(statement, is_closed=is_closed))
        if not defined:
            continue
        documentation = set()
        for node in ast.walk(statement):
            if isinstance(node, ast.Expr):
                documentation.add(node.value)
            elif isinstance(node, ast.Name):
                users[node.id].append(defined)
            elif isinstance(node, ast.Attribute):
                users[node.attr].append(defined)
            elif isinstance(node, ast.Constant) and node not in documentation:
                text = node.value
                if isinstance(text, str) and any(mark in text for mark in marks):
                    waiting.append(defined)
    written: set[str] = set()
    while waiting:
        for name in waiting.pop() - written:
            written.add(name)
            waiting += users[name]
    return frozenset(written)


def _statements(tree: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """What may define a name, and whether it stands in a function whose own names no other function sees."""
    waiting = [(tree, False)]
    while waiting:
        parent, is_closed = waiting.pop()
        for node in ast.iter_child_nodes(parent):
            yield node, is_closed
            inner = is_closed
            if isinstance(node, _FUNCTIONS):
                inner = not any(isinstance(each, _FUNCTIONS) for each in ast.walk(node) if each is not node)
            waiting.append((node, inner))


def _defined(statement: ast.AST, *, is_closed: bool) -> Iterator[str]:
    targets: list[ast.expr] = []
    match statement:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Call(ast.Attribute(_, "macro" | "filter"), [_, ast.Constant(str() as name)]):
            yield name
        case ast.Assign(targets):
            pass
        case ast.AnnAssign(single):
            targets = [single]
    for target in targets:
        match target:
            case ast.Subscript(_, ast.Constant(str() as name)) | ast.Attribute(_, name):
                yield name
            case ast.Name(name) if not is_closed:
                yield name


_WORD = re.compile(r"[^\W\d]\w*")


@linear
def unrendered(config: MarkdownConfig, marks: Collection[str]) -> Reader:
    """No file: where only the source of a page is known, it fails if code of the project writes includes."""
    hooks = [hook for hook in config.hooks if "on_page_markdown" in writers(hook, marks)]
    macros: dict[str, Path] = {}
    options = config.plugins.get("macros")
    jinja = Jinja(options or {})
    marked = re.compile(f"{jinja.start}|{jinja.value[0]}"), re.compile(f"{jinja.end}|{jinja.value[1]}")
    if options is not None:
        module = str(options.get("module_name") or "main")
        for file in (config.root / f"{module}.py", config.root / module / "__init__.py"):
            macros |= dict.fromkeys(writers(file, marks), file)

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        if hooks:
            raise UnknownError(f"the hook {hooks[0].name} writes includes")
        if options is None:
            return
        rendered = jinja.rendered(text)
        for span in spans(rendered, *marked):
            for word in _WORD.findall(span.inside):
                if word in macros:
                    raise UnknownError(f"the macro `{word}` of {macros[word].name} writes includes")
        names = [*snippet_names(rendered), *(span.inside for span in spans(rendered, *BRACES))]
        names += [line for line in rendered.split("\n") if line.lstrip().startswith(":::")]
        for name in names:
            if marked[0].search(name):
                raise ComputedNameError(name)
        yield from ()

    return read


#: Languages of blocks that markdown-exec does not run: it renders them.
_RENDERED = frozenset({"md", "markdown", "tree"})
_PYTHON = frozenset({"py", "python"})
_EXEC = re.compile(r"""\sexec=["']?(\w*)""")
_OFF = frozenset({"", "no", "off", "false", "0"})
#: Modules that read no file for whom they are handed texts and numbers.
_PURE = frozenset(
    (
        *("__future__", "base64", "calendar", "collections", "dataclasses", "datetime", "decimal"),
        *("enum", "fractions", "functools", "hashlib", "html", "itertools", "json", "math", "numbers"),
        *("random", "re", "statistics", "string", "textwrap", "time", "typing", "unicodedata"),
    )
)
_READING = frozenset(
    (
        *("__builtins__", "__import__", "__loader__", "__spec__", "breakpoint", "compile", "eval", "exec"),
        *("getattr", "globals", "input", "locals", "open", "vars"),
    )
)


@linear
def executed(marks: Collection[str]) -> Reader:
    """No file: it fails for a block whose code, run by markdown-exec, writes includes or may read files."""

    def read(text: str, _: Path, __: Path) -> Iterator[FileGroup]:
        fence, language = "", ""
        code: list[str] = []
        for line in text.split("\n"):
            if not fence and (asked := _EXEC.search(line)) and (opening := FENCE.match(line)):
                if asked[1].lower() not in _OFF:
                    fence, code = opening[1], []
                    language = line[opening.end() :].split()[0].lower()
            elif fence and line.strip() == fence:
                is_known = language in _PYTHON and _reads_nothing("\n".join(code))
                if not is_known and language not in _RENDERED:
                    raise UnknownError("code that markdown-exec runs may read files")
                fence = ""
            elif fence:
                code.append(line)
                if not SNIPPET.match(line) and any(mark in line for mark in marks):
                    raise UnknownError("code that markdown-exec runs writes includes")
        if fence:
            raise UnknownError("code that markdown-exec runs may read files")
        yield from ()

    return read


def _reads_nothing(code: str) -> bool:
    """Whether Python code of a block can read no file: it imports little, and uses nothing that might."""
    if any(map(SNIPPET.match, code.split("\n"))):  # which stands for the code of a file, and is Python itself
        return False
    body = parsed(dedent(code).encode("utf-8", "replace")).body
    for node in chain.from_iterable(map(ast.walk, body)):
        match node:
            case ast.Import(names):
                if not all(each.name.partition(".")[0] in _PURE for each in names):
                    return False
            case ast.ImportFrom(module, _, level):
                if level or (module or "").partition(".")[0] not in _PURE:
                    return False
            case ast.Name(name) if name in _READING:
                return False
            case ast.Attribute(_, name) if name.startswith("__"):
                return False
    return bool(body) or not code.strip()
