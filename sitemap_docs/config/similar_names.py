"""Suggestions for misspelled names of options, commands, rules and fields."""

from collections.abc import Iterable

_CLOSE = 0.75  # `exclude` is close to `excludes`, `base` is not to `cache`


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the most similar of the known names, or None if no name is similar enough.

    >>> nearest("exclude", ["excludes", "cache"]), nearest("base", ["excludes", "cache"])
    ('excludes', None)
    """
    from difflib import get_close_matches  # noqa: PLC0415  for names that are wrong alone

    similar = get_close_matches(name, list(names), 1, _CLOSE)
    return similar[0] if similar else None


def hint(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return the advice for an unknown name: the most similar name, or another text.

    >>> hint("exclude", ["excludes", "cache"], "Remove it.")
    'Did you mean `excludes`?'
    >>> hint("colour", ["excludes", "cache"], "Remove it.")
    'Remove it.'
    """
    similar = nearest(name, names)
    return f"Did you mean `{similar}`?" if similar else otherwise
