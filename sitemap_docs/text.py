"""Words of strangers, for terminals and logs."""

from __future__ import annotations


def one_line(text: str) -> str:
    r"""``text`` on one line; what is not printable as Python escapes it: no control codes, no new lines.

    CI services take lines of a log for commands
    (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).

    >>> one_line("a\n::error::b")
    'a\\n::error::b'
    """
    return text if text.isprintable() else "".join(map(_escaped, text))


def many(number: int, noun: str) -> str:
    """A number and its noun.

    >>> many(1, "page"), many(1_000, "address")
    ('1 page', '1,000 addresses')
    """
    ending = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{ending}"


def _escaped(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()
