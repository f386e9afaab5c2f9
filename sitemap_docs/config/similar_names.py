"""Suggestions for misspelled names of options, commands, rules and fields."""

from collections.abc import Iterable

#: Names of the base URL at other entry points, which are no options of sitemap-docs.
BASE_URL_NAMES = frozenset({"base_url", "baseurl", "html_baseurl", "site_url"})
_CLOSE = 0.75  # `exclude` is close to `excludes`, `base` is not to `cache`


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the most similar name, or None.

    >>> nearest("exclude", ["excludes", "cache"]), nearest("base", ["excludes", "cache"])
    ('excludes', None)
    >>> nearest("sitemap_excludes", ["extra_sitemaps", "excludes"])
    'excludes'
    """
    from difflib import get_close_matches  # noqa: PLC0415  for names that are wrong alone

    known = list(names)
    plain = plain_name(name)
    if plain in known:
        return plain
    similar = get_close_matches(name, known, 1, _CLOSE) or get_close_matches(plain, known, 1, _CLOSE)
    return similar[0] if similar else None


def plain_name(name: str) -> str:
    """Return the plain name of an option, such as ``excludes`` for ``--sitemap-excludes``."""
    return name.strip("-").replace("-", "_").removeprefix("sitemap_").removeprefix("docs_")


def hint(name: str, names: Iterable[str], otherwise: str) -> str:
    """Suggest a similar name. If there is none, return the text ``otherwise``.

    >>> hint("exclude", ["excludes", "cache"], "Remove it.")
    'Did you mean `excludes`?'
    >>> hint("colour", ["excludes", "cache"], "Remove it.")
    'Remove it.'
    """
    similar = nearest(name, names)
    return f"Did you mean `{similar}`?" if similar else otherwise
