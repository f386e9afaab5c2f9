"""What an option's value must look like: each function returns the value as we use it or raises ValueError.

The error's text completes the sentence "The option `x` must be …".
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import date, datetime, timedelta, timezone
from reprlib import Repr
from typing import Literal, TypeVar, get_args

from sitemap_docs.config.dates import Day, read_authors_date
from sitemap_docs.model import Changefreq, ExtraUrl, Severity

_T = TypeVar("_T")
Gzip = Literal["auto", "off", "beside", "instead"]
Index = Literal["auto", "on", "cascaded"]
RobotsMode = Literal["auto", "on", "off"]

MAX_INDENT = 64
_CLOSE = 0.75  # `exclude` is close to `excludes`, `base` is not to `cache`


def list_of(schema: Mapping[str, object]) -> Mapping[str, object]:
    """The JSON Schema of one value, or of a list of values."""
    return {"anyOf": [schema, {"type": "array", "items": schema}, {"type": "null"}]}


# JSON Schemas (draft 7) of what files may hold; they are not stricter than the functions below, but for
# numbers, which must not be texts there.
SCHEMAS: Mapping[str, Mapping[str, object]] = {
    "text": {"type": "string"},
    "switch": {"type": "boolean"},
    "list": list_of({"type": "string"}),
    "map": {"type": ["object", "null"]},
}
EXTRA_URL: Mapping[str, object] = {
    "type": "object",
    "properties": {"loc": {"type": "string"}, "lastmod": {"type": ["string", "null"]}},
    "required": ["loc"],
    "additionalProperties": False,
}
AUDIT: Mapping[str, object] = {
    "type": "object",
    "properties": {
        "select": {"type": "array", "items": {"type": "string"}},
        "ignore": {"type": "array", "items": {"type": "string"}},
        "severity": {"enum": list(get_args(Severity))},
        "rules": {"type": "object", "additionalProperties": {"type": "object"}},
    },
    "additionalProperties": False,
}

_NUMBER = re.compile(r"[0-9]{1,18}")


def string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value.strip()


_LONGEST_NAME = 180  # bytes of the 255 that systems allow: parts of a sitemap have longer names


def file_name(value: object) -> str:
    """A plain name, or a relative path to one, in normal form: ``../sitemap.xml``."""
    name = posixpath.normpath(string(value))
    plain = (part for part in name.split("/") if part != "..")
    if name.startswith("/") or not name.endswith(".xml") or not all(map(_is_plain, plain)):
        raise ValueError("a file name without folders that ends in .xml, or a relative path to one")
    if len(posixpath.basename(name).encode()) > _LONGEST_NAME:
        raise ValueError(f"a file name of at most {_LONGEST_NAME} bytes")
    return name


def _is_plain(name: str) -> bool:
    """Whether every system can have a file of this name, and every address."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set('/\\:?#%<>"|*')


def shown(value: object) -> str:
    """A value for a message: short, however large it is, or however often YAML's aliases repeat it."""
    try:
        return _BRIEF.repr(value)
    except ValueError:  # an integer of more digits than Python converts (sys.get_int_max_str_digits)
        return "a number of thousands of digits"


_BRIEF = Repr()
_BRIEF.maxlevel = 2
_BRIEF.maxstring = _BRIEF.maxother = 120


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of ``names``, of options, commands or rules, that ``name`` is most likely a misspelling of.

    >>> nearest("exclude", ["excludes", "cache"]), nearest("base", ["excludes", "cache"])
    ('excludes', None)
    """
    from difflib import get_close_matches  # noqa: PLC0415  for names that are wrong alone

    similar = get_close_matches(name, list(names), 1, _CLOSE)
    return similar[0] if similar else None


def hint(name: str, names: Iterable[str], otherwise: str) -> str:
    """What to tell whoever wrote ``name``: the one of ``names`` that is like it, or ``otherwise``."""
    similar = nearest(name, names)
    return f"Did you mean `{similar}`?" if similar else otherwise


def indent(value: object) -> int:
    """Spaces as sphinx-sitemap counts them: true is one, nothing below zero."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and value < 0:
        return 0
    return number(0, MAX_INDENT)(value)


def switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def number(low: int, high: int) -> Callable[[object], int]:
    def parse(value: object) -> int:
        number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return number

    return parse


def texts(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple, AbstractSet)) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of strings")
    if isinstance(value, AbstractSet):
        return tuple(sorted(value))
    return tuple(value)


def addresses(value: object) -> tuple[str, ...]:
    given = texts(value)
    if not all(address.isprintable() for address in given):
        raise ValueError("a list of addresses without line breaks and control characters")
    return given


def extra_urls(value: object) -> tuple[ExtraUrl, ...]:
    """Addresses and globs, and mappings with ``loc`` and ``lastmod``."""
    items = value if isinstance(value, (list, tuple)) else texts(value)
    return tuple(map(_extra_url, items))


def _extra_url(item: object) -> ExtraUrl:
    if isinstance(item, str):
        return ExtraUrl(addresses(item)[0])
    if not isinstance(item, Mapping) or not {"loc"} <= item.keys() <= {"loc", "lastmod"}:
        raise ValueError("a list of addresses, globs and mappings with loc and lastmod")
    url = ExtraUrl(addresses(string(item["loc"]))[0])
    if url.is_glob:
        raise ValueError("a list whose mappings have addresses as loc; globs take their dates from git")
    if item.get("lastmod") is None:
        return url
    try:
        return url._replace(lastmod=timestamp(item["lastmod"]))
    except ValueError as error:
        raise ValueError(f"a list in which each lastmod is {error}") from None


def path(value: object) -> str:
    file = string(value)
    with suppress(ValueError):  # a lone surrogate
        if b"\0" not in os.fsencode(file):
            return file
    raise ValueError("a path")


OTHER_FORMATS = ("text",)


def formats(value: object) -> tuple[str, ...]:
    names = texts(value)
    if not set(names) <= set(OTHER_FORMATS):
        raise ValueError("a list of formats; there is `text`")
    return names


def mapping(value: object) -> tuple[tuple[str, object], ...]:
    if value is None:
        return ()
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ValueError("a mapping with strings as keys")
    return tuple(value.items())


def locales(value: object) -> tuple[tuple[str, str], ...]:
    if isinstance(value, Mapping):
        if not all(isinstance(url, str) for url in value.values()):
            raise ValueError("a mapping from each language to one base URL")
        return tuple((language, string(url)) for language, url in mapping(value))
    if isinstance(value, (list, tuple)):  # sphinx-sitemap's form; [None] turns the languages off
        value = [item for item in value if item is not None]
    return tuple((language, "") for language in texts(value))


def one_of(value: object, choices: Sequence[_T]) -> _T:
    for known in choices:
        if value == known:
            return known
    raise ValueError(f"one of {', '.join(map(str, choices))}")


def gzip(value: object) -> Gzip:
    known: dict[object, Gzip] = {True: "beside", False: "off"} | {each: each for each in get_args(Gzip)}
    if isinstance(value, (bool, str)) and value in known:
        return known[value]
    raise ValueError(f"one of {', '.join(get_args(Gzip))}; true is beside, false is off")


def index(value: object) -> Index:
    known: dict[object, Index] = {False: "auto", True: "on", "auto": "auto", "cascaded": "cascaded"}
    if isinstance(value, (bool, str)) and value in known:
        return known[value]
    raise ValueError("'auto', true or 'cascaded'; false is auto")


def robots(value: object) -> RobotsMode | tuple[tuple[str, object], ...]:
    known: dict[object, RobotsMode] = {True: "on", False: "off", "auto": "auto", "on": "on", "off": "off"}
    if isinstance(value, (bool, str)) and value in known:
        return known[value]
    if not isinstance(value, Mapping):
        raise ValueError("'auto', true, false, or a mapping from user agents to rules")
    return mapping(value)


def audit_settings(value: object) -> bool | tuple[tuple[str, object], ...]:
    if isinstance(value, bool):
        return value
    if not isinstance(value, Mapping):
        raise ValueError("true, false, or a mapping of select, ignore, severity and rules")
    return mapping(value)


def url_scheme(value: object) -> str:
    scheme = string(value).lstrip("/")
    rest = scheme.replace("{lang}", "").replace("{version}", "").replace("{link}", "", 1)
    if "{link}" not in scheme or "{" in rest or "}" in rest:
        raise ValueError("a string with {link} in it, and {lang} and {version} where needed")
    return scheme


def changefreq(value: object) -> Changefreq:
    return one_of(value, get_args(Changefreq))


def priority(value: object) -> float:
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            number = float(value)
        except (OverflowError, ValueError):
            number = -1.0
        if 0.0 <= number <= 1.0:
            return number
    raise ValueError("a number from 0.0 to 1.0")


def timestamp(value: object) -> datetime:
    """The moment of a date in UTC, to the second; of one without a time, its :class:`Day`."""
    if isinstance(value, str):
        written = read_authors_date(value)
        # A month or a year alone may be any day of it.
        value = written.first if written and written.last - written.first < _DAY else None
    if isinstance(value, date) and not isinstance(value, datetime):
        value = Day(value.year, value.month, value.day, tzinfo=timezone.utc)
    if not isinstance(value, datetime):
        raise ValueError("a date such as 2026-01-31 or 2026-01-31T10:20:30+00:00")
    if not value.tzinfo:
        value = value.replace(tzinfo=timezone.utc)
    try:
        return value.astimezone(timezone.utc).replace(microsecond=0)
    except OverflowError:
        raise ValueError("a date within the years 1 to 9999 of UTC") from None


_DAY = timedelta(days=1)
