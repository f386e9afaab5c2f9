"""What a JavaScript or TypeScript module of settings exports, as far as it is written out; nothing is run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: The key of an object that takes others in (``...rest``, ``[name]: 1``): what it does not name is unknown.
OPEN = "..."

_MAX_BYTES = 64 * 1024
_DEEPEST = 20  # objects in objects, names of names

# A comment or text without end is a token, too: to look for its end again from each other one is quadratic.
_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|\$\{[^{}]*\}|[^`\\])*`?)
    |(?P<name>[\w$]+)
    |(?P<mark>\.\.\.|=>|.)""",
    re.DOTALL | re.VERBOSE,
)
_EXPRESSION = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\[\n]){1,200}/\w*")
_OPERATORS = frozenset("(,=:[!&|?{};+-*%<>~^") | {"=>", "...", "return", "typeof", ""}
_CLOSING = {"{": "}", "[": "]", "(": ")"}


def load_javascript(file: Path) -> dict[str, Any]:
    """The object that a module exports: its texts, booleans, and objects of these.

    What is computed is None, and an object that may have other keys has the key :data:`OPEN`. Of a module
    that computes all of it, ``{OPEN: None}``. Raises SitemapError for a file that cannot be read.

    The object stands behind ``export default`` or ``module.exports``, may be a constant of the module, and
    the one argument of a function such as ``defineConfig``.
    """
    try:
        text = files.read_file(file, _MAX_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise SitemapError(f"{file} cannot be read: {error}. Correct it.") from None
    found = _exported(tuple(_tokens(text)))
    return {OPEN: None} if found is None else found


def _tokens(text: str) -> Iterator[str]:
    """The tokens without space and comments; a regular expression is one token."""
    at, before = 0, ""
    while match := (before in _OPERATORS and _EXPRESSION.match(text, at)) or _TOKEN.match(text, at):
        at = match.end()
        if match.lastgroup != "space":
            before = match[0]
            yield before


def _exported(tokens: tuple[str, ...]) -> dict[str, Any] | None:
    for start in (("export", "default"), ("module", ".", "exports", "=")):
        if at := _after(tokens, start):
            return _resolved(tokens, at, 0)
    return None


def _after(tokens: tuple[str, ...], wanted: tuple[str, ...]) -> int:
    """The index behind some tokens; 0 where they are not there."""
    size = len(wanted)
    starts = (at for at, token in enumerate(tokens) if token == wanted[0])
    return next((at + size for at in starts if tokens[at : at + size] == wanted), 0)


def _resolved(tokens: tuple[str, ...], at: int, depth: int) -> dict[str, Any] | None:
    """The object at an index, or what a name or a call there stands for."""
    first, second = (*tokens[at : at + 2], "", "")[:2]
    if first == "{":
        found: dict[str, Any] = _object(tokens, at, 0).value
        return found
    if depth == _DEEPEST:
        return None
    if not _is_name(first):
        return None
    if second == "(":
        return _resolved(tokens, at + 2, depth + 1) if _is_alone(tokens, at + 2) else None
    return _constant(tokens, first, depth + 1)


def _is_alone(tokens: tuple[str, ...], at: int) -> bool:
    """Whether the argument at an index is the only one of its call; false for parameters of a function."""
    end = _skip(tokens, at)
    end += tokens[end : end + 1] == (",",)
    return tokens[end : end + 1] == (")",) and tokens[end + 1 : end + 2] not in (("=>",), ("{",))


def _constant(tokens: tuple[str, ...], name: str, depth: int) -> dict[str, Any] | None:
    """What a constant of the module is; None for one that may be changed, since its keys are used later."""
    if _after(tokens, (name, ".")):
        return None
    for keyword in ("const", "let", "var"):
        if at := _after(tokens, (keyword, name)):
            assigned = next((each for each in range(at, len(tokens)) if tokens[each] in "=;"), len(tokens))
            return _resolved(tokens, assigned + 1, depth)
    return None


class _Parsed(NamedTuple):
    value: Any
    end: int  # the index behind it


def _object(tokens: tuple[str, ...], at: int, depth: int) -> _Parsed:
    """The object whose brace is at an index."""
    found: dict[str, Any] = {}
    at += 1
    while at < len(tokens) and tokens[at] != "}":
        key = tokens[at]
        if key in (OPEN, "["):
            found = {**dict.fromkeys(found), OPEN: None}
        elif key != "," and tokens[at + 1 : at + 2] == (":",):
            found[key.strip("\"'")], at = _value(tokens, at + 2, depth)
            continue
        elif _is_name(key):
            found[key] = None  # a shorthand, a method, a getter
        at = max(_skip(tokens, at), at + 1)
    return _Parsed(found if at < len(tokens) else {**found, OPEN: None}, at + 1)


def _value(tokens: tuple[str, ...], at: int, depth: int) -> _Parsed:
    """The value at an index, None where it is more than a literal or an object."""
    first, end = (*tokens[at : at + 1], "")[0], _skip(tokens, at)
    if first == "{" and depth < _DEEPEST:
        inner = _object(tokens, at, depth + 1)
        return _Parsed(inner.value if inner.end == end else None, end)
    return _Parsed(_literal(first) if end == at + 1 else None, end)


def _literal(written: str) -> str | bool | None:
    if written in ("true", "false"):
        return written == "true"
    is_text = written[:1] in ("'", '"', "`") and written[1:].endswith(written[0])
    return None if not is_text or "\\" in written or "${" in written else written[1:-1]


def _is_name(token: str) -> bool:
    return token.replace("$", "_").isidentifier()


def _skip(tokens: tuple[str, ...], at: int) -> int:
    """The index of the comma or bracket behind the expression at an index."""
    closing: list[str] = []
    for index in range(at, len(tokens)):
        token = tokens[index]
        if closing and token == closing[-1]:
            closing.pop()
        elif not closing and token in (",", "}", "]", ")"):
            return index
        elif token in _CLOSING:
            closing.append(_CLOSING[token])
    return len(tokens)
