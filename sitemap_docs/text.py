r"""Write text for users: numbers, names, values, and untrusted text with its control characters escaped.

A page title such as ``\x1b[31m`` or ``::error::`` must not control a terminal or a CI service. Each message,
log line and comment with text from pages, files or the web therefore passes through this module.
"""

import re
from collections.abc import Iterable, Iterator
from reprlib import Repr

_LENGTH_LIMIT = 200
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LONG_WORD = re.compile(rf"\S{{{_LENGTH_LIMIT + 1},}}")
_USER = re.compile(r"://[^\s/?#]*@")
_BACKTICKS = re.compile("`+")
# A line that GitHub (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands),
# Azure Pipelines or TeamCity takes for a command: `::` at its start, `##[` or `##vso[` anywhere.
_COMMAND = re.compile(r"\A(\s*):(?=:)|#(?=#(?:\[|vso\[|teamcity\[))")
_BRIEF = Repr()
_BRIEF.maxlevel = 2
_BRIEF.maxstring = _BRIEF.maxother = 120


def without_users(text: str) -> str:
    """Replace the user name and password in each URL of a text with ``***``.

    >>> without_users("https://user:secret@example.org/@team?to=a@b")
    'https://***@example.org/@team?to=a@b'
    """
    return _USER.sub("://***@", text) if "@" in text else text


def one_line(text: str) -> str:
    r"""Return a text as one line, escaped so that no CI service executes it as a command.

    >>> one_line("a\n::error::b"), one_line("::error::b")
    ('a\\n::error::b', '\\u003a:error::b')
    """
    return _COMMAND.sub(lambda match: f"{match[1] or ''}\\u{ord(match[0][-1]):04x}", printable(text))


def shortened(text: str) -> str:
    """Shorten a text to 2,000 characters, and each of its words to 200.

    >>> len(shortened("The host is " + "a" * 255_000))
    213
    """
    if len(text) > _LENGTH_LIMIT:
        text = _LONG_WORD.sub(lambda word: f"{word[0][:_LENGTH_LIMIT]}…", text)
    if len(text) > 10 * _LENGTH_LIMIT:
        text = f"{text[: 10 * _LENGTH_LIMIT]}…"
    return text


def shown(value: object) -> str:
    """Return a value as text for a message, shortened if it is long.

    >>> shown({"excludes": ["draft"] * 1_000})
    "{'excludes': ['draft', 'draft', 'draft', 'draft', 'draft', 'draft', ...]}"
    """
    try:
        return _BRIEF.repr(value)
    except ValueError:  # an integer of more digits than Python converts (sys.get_int_max_str_digits)
        return "a number of thousands of digits"


def printable(text: str, encoding: str = "utf-8") -> str:
    r"""Escape the characters of a text that cannot be printed, such as ``é`` in ASCII.

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
    """Return a text as inline code for a Markdown table. ``|`` becomes ``%7C``, as it would end the cell.

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
    """Yield the rows of a table that fit into ``room`` bytes, and skip longer rows.

    >>> list(fitting(["aa", "bbbbbbb", "c"], 5))
    ['aa', 'c']
    """
    for row in rows:
        size = len(row.encode("utf-8", "backslashreplace")) + 1
        if size <= room:
            room -= size
            yield row


def many(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural.

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
