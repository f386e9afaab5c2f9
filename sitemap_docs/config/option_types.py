"""The types of options: how a value is read, and which flags and JSON Schemas it has.

The reader of a type gets the value of a user. It returns the value as our code uses it, or raises a
ValueError whose text completes the sentence "The option `x` must be …".
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, get_args

from sitemap_docs.config.dates import Day, read_authors_date
from sitemap_docs.config.patterns import Globs, SourceGlobs
from sitemap_docs.config.similar_names import hint
from sitemap_docs.model import Changefreq, ExtraUrl, Severity, SitemapError
from sitemap_docs.text import shown

_T = TypeVar("_T")
Shape = Literal["text", "choice", "switch", "number", "list", "map"]
Schema = Mapping[str, Any]
Table = Mapping[str, object]
Pairs = tuple[tuple[str, _T], ...]


@dataclass(frozen=True, slots=True)
class OptionType(Generic[_T]):
    """The type of an option, such as a list of globs."""

    shape: Shape
    #: Converts the user's value, or raises ValueError.
    parse: Callable[[object], _T]
    #: The JSON Schema of the value in a file.
    schema: Schema
    #: The values that a command-line flag accepts, if limited.
    words: Sequence[str] = ()
    #: Puts a folder before a relative path, or None.
    resolve: Callable[[_T, Path], _T] | None = None


# --- texts and words


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _text(value: object) -> str:
    return _string(value).strip()


_LONGEST_NAME = 180  # bytes of the 255 that systems allow: parts of a sitemap have longer names


def _sitemap_path(value: object) -> str:
    """Check and normalise the path of a sitemap, such as ``../sitemap.xml``."""
    name = posixpath.normpath(_text(value))
    plain = (part for part in name.split("/") if part != "..")
    if name.startswith("/") or not name.endswith(".xml") or not all(map(_is_plain, plain)):
        raise ValueError("a file name without folders that ends in .xml, or a relative path to one")
    if len(posixpath.basename(name).encode()) > _LONGEST_NAME:
        raise ValueError(f"a file name of at most {_LONGEST_NAME} bytes")
    return name


def _is_plain(name: str) -> bool:
    """Check whether a file name works on every system and in URLs."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set('/\\:?#%<>"|*')


def _path(value: object) -> str:
    file = _text(value)
    with suppress(ValueError):  # a lone surrogate
        if b"\0" not in os.fsencode(file):
            return file
    raise ValueError("a path")


def _path_from(file: str, folder: Path) -> str:
    """Put a folder before a relative path. An empty path stays empty."""
    return str(folder / file) if file else ""


def _url_scheme(value: object) -> str:
    scheme = _text(value).lstrip("/")
    start = scheme.removesuffix("{link}").replace("{lang}", "").replace("{version}", "")
    if not scheme.endswith("{link}") or "{" in start or "}" in start:
        raise ValueError("a text that ends in {link}, with {lang} and {version} where needed")
    return scheme


def words(meanings: Mapping[Any, _T]) -> OptionType[_T]:
    """Return the type of an option that accepts only certain words.

    ``meanings`` maps each accepted word, such as ``auto`` or true, to its value in our code.
    """
    first: dict[_T, str] = {}
    for word, meaning in meanings.items():
        first.setdefault(meaning, str(word).lower())  # true and false, too

    def parse(value: object) -> _T:
        if isinstance(value, (bool, str)) and value in meanings:
            return meanings[value]
        expected = f"one of {', '.join(first.values())}"
        if isinstance(value, str) and value.lower() in ("true", "false") and True in meanings:
            expected += " (true and false without quotation marks)"
        raise ValueError(expected)

    return OptionType("choice", parse, {"enum": list(meanings)}, tuple(first.values()))


def choice(literal: Any) -> OptionType[Any]:  # noqa: ANN401  a type of `typing` is no object of a type
    """Return an option type that accepts only certain words, such as ``Literal["exact", "day"]``."""
    return words({word: word for word in get_args(literal)})


Gzip = Literal["auto", "off", "beside", "instead"]
Index = Literal["auto", "on", "cascaded"]
RobotsMode = Literal["auto", "on", "off"]
GZIP: OptionType[Gzip] = words({each: each for each in get_args(Gzip)} | {True: "beside", False: "off"})
INDEX: OptionType[Index] = words({"auto": "auto", True: "on", "cascaded": "cascaded", False: "auto"})
_ROBOTS: OptionType[RobotsMode] = words({"auto": "auto", True: "on", False: "off", "on": "on", "off": "off"})
STRING = OptionType("text", _text, {"type": "string"})
FILE_NAME = OptionType("text", _sitemap_path, {"type": "string", "pattern": r"^\s*[^/\s].*\.xml\s*$"})
PATH = OptionType("text", _path, STRING.schema, resolve=_path_from)
URL_SCHEME = OptionType("text", _url_scheme, STRING.schema)
_SWITCH = words({True: True, False: False})
SWITCH = OptionType("switch", _SWITCH.parse, {"type": "boolean"})

# --- numbers and dates

_NUMBER = re.compile(r"[0-9]{1,18}")
MAX_INDENT = 64


def number(low: int, high: int) -> OptionType[int]:
    """Return the type of an option that accepts whole numbers from ``low`` to ``high``."""

    def parse(value: object) -> int:
        number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return number

    return OptionType("number", parse, {"type": "integer", "minimum": low, "maximum": high})


def _indent(value: object) -> int:
    """Convert the option ``indent`` to a number of spaces. True means 1, and negative numbers mean 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int) and value < 0:
        return 0
    return number(0, MAX_INDENT).parse(value)


def _priority(value: object) -> float:
    with suppress(OverflowError, ValueError):
        if isinstance(value, (int, float, str)) and not isinstance(value, bool) and 0 <= float(value) <= 1:
            return float(value)
    raise ValueError("a number from 0.0 to 1.0")


def _date(value: object) -> datetime:
    """Convert a user's date to UTC. A date without a time becomes a :class:`Day`."""
    if isinstance(value, str):
        written = read_authors_date(value)
        # "2026-01" could be any day of January.
        value = written.first if written and written.last - written.first < timedelta(days=1) else None
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


DAY_FORMAT = "%Y-%m-%d"
_DATE_FORMAT = r"[^%]*(%[aAbBcdHIjmMpSuUVwWxXyYzZ%][^%]*)+"


def _page_dates(value: object) -> str:
    """Convert the option ``page_dates`` to a date format such as ``%d %B %Y``, or to ``""`` for no dates."""
    if isinstance(value, bool):
        return DAY_FORMAT if value else ""
    if isinstance(value, str) and re.fullmatch(_DATE_FORMAT, value):
        return value
    raise ValueError("true, false or a format of dates such as '%d %B %Y'")


PAGE_DATES = OptionType(
    "switch",
    _page_dates,
    {"anyOf": [{"type": "boolean"}, {"type": "string", "pattern": f"^{_DATE_FORMAT}$"}]},
)
INDENT = OptionType("number", _indent, {"type": ["boolean", "integer"], "maximum": MAX_INDENT})
PRIORITY = OptionType("number", _priority, {"type": "number", "minimum": 0, "maximum": 1})
CHANGEFREQ: OptionType[Changefreq] = choice(Changefreq)
DATE = OptionType("text", _date, {"type": ["string", "null"]})

# --- lists and mappings; None is an empty one, because YAML reads a name without a value as None


def list_of(item: OptionType[_T]) -> OptionType[tuple[_T, ...]]:
    """Return the ``OptionType`` of an option that accepts a list of values, or a single value.

    ``item`` is the type of each value.
    """

    def parse(value: object) -> tuple[_T, ...]:
        items: Iterable[object] = [value]
        if value is None:
            items = ()
        elif isinstance(value, (list, tuple)):
            items = value
        elif isinstance(value, AbstractSet):
            items = sorted(value, key=str)
        try:
            return tuple(map(item.parse, items))
        except ValueError as error:
            raise ValueError(f"a list, each value {error}") from None

    schema = {"anyOf": [item.schema, {"type": "array", "items": item.schema}, {"type": "null"}]}
    return OptionType("list", parse, schema, item.words)


def _table(value: object) -> Table:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ValueError("a mapping with strings as keys")
    return value


def map_of(item: OptionType[_T], names: str = ".*", described: str = "") -> OptionType[Pairs[_T]]:
    """Return the type of an option that accepts a mapping, such as groups of pages.

    Args:
        item: The type of each value in the mapping.
        names: A regular expression for the keys.
        described: The keys and values in words, for error messages, such as "names to lists of globs".
    """
    schema = {"type": ["object", "null"], "additionalProperties": item.schema}
    if described:
        schema["propertyNames"] = {"pattern": f"^{names}$"}

    def parse(value: object) -> Pairs[_T]:
        table = {} if value is None else _table(value)
        if not all(re.fullmatch(names, name, re.DOTALL) for name in table):
            raise ValueError(f"a mapping from {described}")
        try:
            return tuple((name, item.parse(each)) for name, each in table.items())
        except ValueError as error:
            raise ValueError(f"a mapping, each value {error}") from None

    return OptionType("map", parse, schema)


def or_table(few: OptionType[_T], described: str, schema: Schema) -> OptionType[_T | Table]:
    """Return the type of an option that accepts either one of a few words or a mapping.

    For example, the option ``robots_txt`` accepts ``auto``, or rules for user agents.

    Args:
        few: The type that accepts only the words.
        described: What the mapping contains, for error messages, such as "from user agents to rules".
        schema: The JSON Schema of the mapping.
    """

    def parse(value: object) -> _T | Table:
        if isinstance(value, Mapping):
            return _table(value)
        try:
            return few.parse(value)
        except ValueError as error:
            raise ValueError(f"{error}; or a mapping {described}") from None

    return OptionType("choice", parse, {"anyOf": [few.schema, schema]}, few.words)


def fields_of(fields: Mapping[str, Schema], **more: object) -> Schema:
    """Return the JSON Schema of a mapping that has no other fields than ``fields``.

    Keyword arguments such as ``required`` become other parts of the schema.
    """
    return {"type": "object", "properties": fields, "additionalProperties": False, **more}


def read_fields(given: Table, fields: Mapping[str, OptionType[Any]], within: str = "") -> dict[str, Any]:
    """Check and convert the values in a user's mapping, such as the option ``check``.

    Args:
        given: The mapping.
        fields: The type of each allowed field.
        within: A prefix for error messages, such as ``check: ``.

    Raises:
        SitemapError: A field is unknown or its value is invalid.
    """
    values = {}
    for name, value in given.items():
        if name not in fields:
            advice = hint(name, fields, f"The options are: {', '.join(fields)}.")
            raise SitemapError(f"There is no option `{within}{name}`. {advice}")
        try:
            values[name] = fields[name].parse(value)
        except ValueError as error:
            raise SitemapError(f"The option `{within}{name}` must be {error}, not {shown(value)}.") from None
    return values


def _address(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError("an address without line breaks and control characters")
    return value


def _extra_url(value: object) -> ExtraUrl:
    if isinstance(value, str):
        return ExtraUrl(_address(value))
    if not isinstance(value, Mapping) or not {"loc"} <= value.keys() <= {"loc", "lastmod"}:
        raise ValueError("an address, a glob, or a mapping with loc and lastmod")
    url = ExtraUrl(_text(_address(value["loc"])))
    if url.is_glob:
        raise ValueError("a mapping with an address as loc; globs take their dates from git")
    if value.get("lastmod") is None:
        return url
    try:
        return url._replace(lastmod=_date(value["lastmod"]))
    except ValueError as error:
        raise ValueError(f"a mapping in which lastmod is {error}") from None


def _locales(value: object) -> tuple[tuple[str, str], ...]:
    if isinstance(value, Mapping):
        if not all(isinstance(url, str) for url in value.values()):
            raise ValueError("a mapping from each language to one base URL")
        return tuple((language, _text(url)) for language, url in _table(value).items())
    if isinstance(value, (list, tuple)):  # sphinx-sitemap's form; [None] turns the languages off
        value = [item for item in value if item is not None]
    return tuple((language, "") for language in TEXTS.parse(value))


TEXTS = list_of(OptionType("text", _string, STRING.schema))
ADDRESSES = list_of(OptionType("text", _address, STRING.schema))


def _ignored(value: object) -> Pairs[Globs]:
    """Split values of the option ``ignore``, such as ``untracked-source=drafts/*``, into rules and globs."""
    places: dict[str, tuple[str, ...]] = {}
    if isinstance(value, Mapping):
        places.update(map_of(TEXTS).parse(value))
    else:
        for text in TEXTS.parse(value):
            name, _, glob = text.partition("=")
            places[name] = (*places.get(name, ()), glob or "*")
    return tuple((name, Globs(() if "*" in globs else globs)) for name, globs in places.items())


GLOBS = OptionType("list", lambda value: Globs(TEXTS.parse(value)), TEXTS.schema)
SOURCE_GLOBS = OptionType(
    "list", lambda value: SourceGlobs(TEXTS.parse(value)), TEXTS.schema, resolve=SourceGlobs.starting_in
)
_EXTRA_URL = fields_of({"loc": STRING.schema, "lastmod": DATE.schema}, required=["loc"])
EXTRA_URLS = list_of(OptionType("text", _extra_url, {"anyOf": [STRING.schema, _EXTRA_URL]}))
IGNORE = OptionType("list", _ignored, {"anyOf": [map_of(GLOBS).schema, TEXTS.schema]})
GROUPS = map_of(GLOBS, "[A-Za-z0-9][A-Za-z0-9_-]*", "names (letters, digits, - and _) to lists of globs")
LOCALES = OptionType("map", _locales, {"anyOf": [map_of(STRING).schema, list_of(DATE).schema]})
ROBOTS_TXT = or_table(_ROBOTS, "from user agents to rules", {"type": "object"})
AUDIT_FIELDS: Mapping[str, OptionType[Any]] = {
    "select": TEXTS,
    "ignore": TEXTS,
    "severity": choice(Severity),
    "rules": map_of(OptionType("map", _table, {"type": "object"})),
}
AUDIT = or_table(
    _SWITCH,
    "of select, ignore, severity and rules",
    fields_of({name: each.schema for name, each in AUDIT_FIELDS.items()}),
)
