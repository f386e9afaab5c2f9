"""Text for terminals, logs and comments: what others wrote is escaped before it is printed."""

import re
from collections.abc import Iterable, Iterator
from json import dumps
from typing import TypeVar

R = TypeVar("R")

READERS: list[str] = []
"""The functions and classes marked as readers, by module and name."""


def linear(marked: R) -> R:
    """Marks what reads what others wrote: its work grows with its input and no faster, as a test counts."""
    READERS.append(f"{marked.__module__}.{getattr(marked, '__name__', '')}")
    return marked


"""How the cause begins for which a page has no date that it would have with griffe."""

_LENGTH_LIMIT = 200
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LONG_WORD = re.compile(rf"\S{{{_LENGTH_LIMIT + 1},}}")
_USER = re.compile(r"://[^\s/?#]*@")
_BACKTICKS = re.compile("`+")
_HASHES = re.compile(r'(?<=")#|#(?=#)')  # in JSON, a hash is always in a text
# A line that GitHub (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands),
# Azure Pipelines or TeamCity takes for a command: `::` at its start, `##[` or `##vso[` anywhere.
_COMMAND = re.compile(r"\A(\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))")


def without_users(text: str) -> str:
    """``text`` with three stars for what stands in front of the host in an address, as a password may.

    Whatever is printed, logged or written into a report passes through here: others read it.

    >>> without_users("https://user:secret@example.org/@team?to=a@b")
    'https://***@example.org/@team?to=a@b'
    """
    return _USER.sub("://***@", text) if "@" in text else text


def one_line(text: str) -> str:
    r"""``text`` on one line, which no terminal and no CI service takes for a command.

    >>> one_line("a\n::error::b"), one_line("::error::b")
    ('a\\n::error::b', '\\u003a:error::b')
    """
    return _COMMAND.sub(lambda match: f"{match[1] or ''}\\u{ord(match[0][-1]):04x}", printable(text))


def shortened(text: str) -> str:
    """``text`` without what is too long to read in a message: of a word, 200 characters, of all, 2,000.

    >>> len(shortened("The host is " + "a" * 255_000))
    213
    """
    if len(text) > _LENGTH_LIMIT:
        text = _LONG_WORD.sub(lambda word: f"{word[0][:_LENGTH_LIMIT]}…", text)
    if len(text) > 10 * _LENGTH_LIMIT:
        text = f"{text[: 10 * _LENGTH_LIMIT]}…"
    return text


JSON_VERSION = 1
"""Of the JSON that commands print: a field that goes, or means something else, makes it another one."""


def json_text(data: object, *, sort_keys: bool = False) -> str:
    r"""``data`` as JSON for programs that no CI service takes for a command where it is printed to a log.

    >>> json_text(["##vso[task.complete]"]) == '[\n  "\\u0023#vso[task.complete]"\n]'
    True
    """
    text = dumps(data, indent=2, sort_keys=sort_keys, ensure_ascii=False)
    # Commands of Azure Pipelines and TeamCity begin with ``##``.
    return _HASHES.sub(r"\\u0023", without_users(text))


def printable(text: str, encoding: str = "utf-8") -> str:
    r"""``text`` with escapes as in JSON for what is not printable or not in ``encoding``; line breaks, too.

    >>> printable("é\x1b[31m\x85"), printable("é€", "ascii")
    ('é\\u001b[31m\\u0085', '\\u00e9\\u20ac')
    """
    text = without_users(text)
    if _can_print(text, encoding):
        return text
    parts = []
    for character in text:
        if _can_print(character, encoding):
            parts.append(character)
        elif character in _SHORT:
            parts.append(_SHORT[character])
        else:
            units = character.encode("utf-16-be", "surrogatepass")
            parts += [f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2)]
    return "".join(parts)


def markdown_code(text: str) -> str:
    """``text`` as code in a cell of a Markdown table: no markup, link, image, mention or cell of its own.

    >>> markdown_code("a|b![x](y) @someone <img>"), markdown_code("set `links`")
    ('`a%7Cb![x](y) @someone <img>`', '`` set `links` ``')
    """
    text = one_line(text).replace("|", "%7C")
    runs = _BACKTICKS.findall(text)
    if not runs:
        return f"`{text}`"
    fence = "`" * (1 + max(map(len, runs)))  # no run of another length ends it
    return f"{fence} {text} {fence}"


def fitting(rows: Iterable[str], room: int) -> Iterator[str]:
    """The rows that fit into ``room`` bytes of UTF-8, one after the other, each with its line break.

    >>> list(fitting(["aa", "bbbbbbb", "c"], 5))
    ['aa', 'c']
    """
    for row in rows:
        size = len(row.encode("utf-8", "backslashreplace")) + 1
        if size <= room:
            room -= size
            yield row


def many(number: int, noun: str) -> str:
    """A number and its noun.

    >>> many(1, "page"), many(1_000, "address"), many(2, "index")
    ('1 page', '1,000 addresses', '2 indexes')
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith(("s", "x")):
        return f"{number:,} {noun}es"
    return f"{number:,} {noun}s"


def _can_print(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return text.isprintable()
