"""Every option, declared once: its name, type, default and help; and what the option ``ignore`` means.

A type reads a value, and says which forms flags, conf.py and JSON Schemas have. What reads a value returns it
as we use it, or raises ValueError, whose text ends the sentence "The option `x` must be …".
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, get_args

from sitemap_docs.config.dates import Day, read_authors_date
from sitemap_docs.config.patterns import Globs, SourceGlobs
from sitemap_docs.model import MAX_URLS, Changefreq, ExtraUrl, Finding, Severity, SitemapError, reported
from sitemap_docs.text import shown
from sitemap_docs.urls.link_styles import LinkStyle

_T = TypeVar("_T")
Shape = Literal["text", "choice", "switch", "number", "list", "map"]
Schema = Mapping[str, Any]
Table = Mapping[str, object]
Pairs = tuple[tuple[str, _T], ...]


@dataclass(frozen=True, slots=True)
class OptionType(Generic[_T]):
    """The type of an option: how a value is read, and which forms it has.

    Attributes:
        shape: The form of the flag, and the types that Sphinx accepts.
        parse: Returns the value as we use it, or raises ValueError.
        schema: The JSON Schema (draft 7) of a value in a file. Only numbers are stricter than ``parse``: a
            text is not valid there.
        words: The values that a flag accepts, if there are only a few.
        resolve: Returns a parsed path, or globs of paths, as relative to a folder. None for all other types.
    """

    shape: Shape
    parse: Callable[[object], _T]
    schema: Schema
    words: Sequence[str] = ()
    resolve: Callable[[_T, Path], _T] | None = None


_CLOSE = 0.75  # `exclude` is close to `excludes`, `base` is not to `cache`


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the most similar of some names, of options, commands or rules, or None.

    >>> nearest("exclude", ["excludes", "cache"]), nearest("base", ["excludes", "cache"])
    ('excludes', None)
    """
    from difflib import get_close_matches  # noqa: PLC0415  for names that are wrong alone

    similar = get_close_matches(name, list(names), 1, _CLOSE)
    return similar[0] if similar else None


def hint(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return a question with the name that is similar to ``name``, or the text ``otherwise``."""
    similar = nearest(name, names)
    return f"Did you mean `{similar}`?" if similar else otherwise


# --- texts and words


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _text(value: object) -> str:
    return _string(value).strip()


_LONGEST_NAME = 180  # bytes of the 255 that systems allow: parts of a sitemap have longer names


def _file_name(value: object) -> str:
    """Return a plain name, or a relative path to one, in normal form: ``../sitemap.xml``."""
    name = posixpath.normpath(_text(value))
    plain = (part for part in name.split("/") if part != "..")
    if name.startswith("/") or not name.endswith(".xml") or not all(map(_is_plain, plain)):
        raise ValueError("a file name without folders that ends in .xml, or a relative path to one")
    if len(posixpath.basename(name).encode()) > _LONGEST_NAME:
        raise ValueError(f"a file name of at most {_LONGEST_NAME} bytes")
    return name


def _is_plain(name: str) -> bool:
    """Check whether every system can have a file of this name, and every address."""
    return name.isprintable() and not name.startswith(".") and not set(name) & set('/\\:?#%<>"|*')


def _path(value: object) -> str:
    file = _text(value)
    with suppress(ValueError):  # a lone surrogate
        if b"\0" not in os.fsencode(file):
            return file
    raise ValueError("a path")


def _path_from(file: str, folder: Path) -> str:
    """Return the path of an option as seen from the current folder; ``""`` stays."""
    return str(folder / file) if file else ""


def _url_scheme(value: object) -> str:
    scheme = _text(value).lstrip("/")
    start = scheme.removesuffix("{link}").replace("{lang}", "").replace("{version}", "")
    if not scheme.endswith("{link}") or "{" in start or "}" in start:
        raise ValueError("a text that ends in {link}, with {lang} and {version} where needed")
    return scheme


def words(meanings: Mapping[Any, _T]) -> OptionType[_T]:
    """Return the type of a few words, each with its meaning. A flag takes the first word of each meaning."""
    first: dict[_T, str] = {}
    for word, meaning in meanings.items():
        first.setdefault(meaning, str(word).lower())  # true and false, too

    def parse(value: object) -> _T:
        if isinstance(value, (bool, str)) and value in meanings:
            return meanings[value]
        raise ValueError(f"one of {', '.join(first.values())}")

    return OptionType("choice", parse, {"enum": list(meanings)}, tuple(first.values()))


def choice(literal: Any) -> OptionType[Any]:  # noqa: ANN401  a type of `typing` is no object of a type
    """Return the type of the words of a ``Literal``, which mean themselves."""
    return words({word: word for word in get_args(literal)})


Gzip = Literal["auto", "off", "beside", "instead"]
Index = Literal["auto", "on", "cascaded"]
RobotsMode = Literal["auto", "on", "off"]
GZIP: OptionType[Gzip] = words({each: each for each in get_args(Gzip)} | {True: "beside", False: "off"})
INDEX: OptionType[Index] = words({"auto": "auto", True: "on", "cascaded": "cascaded", False: "auto"})
_ROBOTS: OptionType[RobotsMode] = words({"auto": "auto", True: "on", False: "off", "on": "on", "off": "off"})
STRING = OptionType("text", _text, {"type": "string"})
FILE_NAME = OptionType("text", _file_name, {"type": "string", "pattern": r"^\s*[^/\s].*\.xml\s*$"})
PATH = OptionType("text", _path, STRING.schema, resolve=_path_from)
URL_SCHEME = OptionType("text", _url_scheme, STRING.schema)
_SWITCH = words({True: True, False: False})
SWITCH = OptionType("switch", _SWITCH.parse, {"type": "boolean"})

# --- numbers and dates

_NUMBER = re.compile(r"[0-9]{1,18}")
MAX_INDENT = 64


def number(low: int, high: int) -> OptionType[int]:
    """Return the type of a whole number within bounds."""

    def parse(value: object) -> int:
        number = int(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
        if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return number

    return OptionType("number", parse, {"type": "integer", "minimum": low, "maximum": high})


def _indent(value: object) -> int:
    """Return a number of spaces as sphinx-sitemap reads it: true is one, negative numbers are zero."""
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
    """Return the moment of a date in UTC, to the second, or a :class:`Day` if it has no time."""
    if isinstance(value, str):
        written = read_authors_date(value)
        # A month or a year alone may be any day of it.
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
    """Return the format of a date for ``datetime.strftime``, or ``""`` if no date is shown."""
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

# --- lists and mappings; nothing, as YAML has it below a name alone, is an empty one


def list_of(item: OptionType[_T]) -> OptionType[tuple[_T, ...]]:
    """Return the type of a list, or of one value in its place. A set is sorted."""

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
    """Return the type of a mapping whose keys match an expression, which is ``described`` in words."""
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
    """Return the type of a few words, or of a mapping in a file, which another reader checks."""

    def parse(value: object) -> _T | Table:
        if isinstance(value, Mapping):
            return _table(value)
        try:
            return few.parse(value)
        except ValueError as error:
            raise ValueError(f"{error}; or a mapping {described}") from None

    return OptionType("choice", parse, {"anyOf": [few.schema, schema]}, few.words)


def fields_of(fields: Mapping[str, Schema], **more: object) -> Schema:
    """Return the schema of a mapping that has these fields and no others."""
    return {"type": "object", "properties": fields, "additionalProperties": False, **more}


def read_fields(given: Table, fields: Mapping[str, OptionType[Any]], within: str = "") -> dict[str, Any]:
    """Return the values of a mapping that has these fields and no others.

    The mapping itself may be ``within`` another. Raise SitemapError with the option and the value.
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
    """Return a mapping from names to globs. A list may have names, each perhaps with ``=`` and a glob."""
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

# --- the options

Meaning = Literal["commit", "author", "none"]
LastmodFormat = Literal["exact", "day"]
LinkOption = Literal["auto", LinkStyle]
ServedBy = Literal["auto", "cloudflare-pages"]

PLAIN = "{link}"

Door = Literal["sphinx", "mkdocs", "build", "read", "join"]
"""What takes an option: a host, ``build`` and the Python API, the commands that read a site, ``join``."""
Heading = Literal["Pages", "Dates", "Output", "robots.txt", "Checks", "General"]

HOSTS: frozenset[Door] = frozenset({"sphinx", "mkdocs"})
BUILDS: frozenset[Door] = HOSTS | {"build"}
JOINED: frozenset[Door] = BUILDS | {"join"}
READ: frozenset[Door] = BUILDS | {"read"}
COMMAND_DOORS: frozenset[Door] = (JOINED | READ) - HOSTS
_TITLES: Mapping[str, str] = {"sphinx": "Sphinx", "mkdocs": "MkDocs", "join": "sitemap-docs join"}


@dataclass(frozen=True)
class Option(Generic[_T]):
    """An option. The ``default`` is as a user writes it, and ``doors`` are the entry points that take it."""

    name: str
    help: str
    type: OptionType[_T]
    default: object
    heading: Heading
    doors: AbstractSet[Door]

    def __get__(self, options: Options, owner: object) -> _T:
        """Return the default. An instance of :class:`Options` has its own value of this name."""
        return self.type.parse(self.default)

    @property
    def form(self) -> str:
        """The default as it is written."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return str(self.default) or "''"

    @property
    def titles(self) -> str:
        """The entry points that take the option, for messages about an option that few of them take."""
        return " and ".join(_TITLES[door] for door in sorted(self.doors, reverse=True))


def option(
    type_: OptionType[_T],
    default: object,
    heading: Heading = "Pages",
    doors: AbstractSet[Door] = BUILDS,
) -> Callable[[Callable[[Any], _T]], Option[_T]]:
    """Declare an option with the name of the method. Its docstring is the help, and it has no body."""

    def declare(method: Callable[[Any], _T]) -> Option[_T]:
        text = " ".join((method.__doc__ or "").split())
        return Option(method.__name__, text, type_, default, heading, doors)

    return declare


class Options:
    """The valid options of a project. ``Options.of`` makes them from the values of the user."""

    @option(FILE_NAME, "sitemap.xml", "Output", JOINED)
    def filename(self) -> str:
        """The sitemap's file name in the output folder, or `../sitemap.xml`."""

    @option(GLOBS, [], doors=READ)
    def excludes(self) -> Globs:
        """Globs of pages to exclude. A leading `!` re-includes; the last match wins."""

    @option(list_of(choice(Literal["lists", "pagination"])), [], doors=HOSTS)
    def excludes_generated(self) -> tuple[str, ...]:
        """Exclude `lists` (archives, categories, tags) and `pagination` of blogs. Sphinx and MkDocs only."""

    @option(GLOBS, [], doors=HOSTS)
    def noindex_versions(self) -> Globs:
        """Globs of versions to keep out of search engines.

        Every page gets a noindex tag, and there is no sitemap. Sphinx and MkDocs only.
        """

    @option(SWITCH, True, doors=HOSTS)
    def orphans(self) -> bool:
        """List pages outside the navigation, such as `:orphan:` and `not_in_nav`. Sphinx and MkDocs only."""

    @option(URL_SCHEME, PLAIN, doors=frozenset({"sphinx"}))
    def url_scheme(self) -> str:
        """The address below the base URL, with `{lang}`, `{version}` and `{link}`. Sphinx only."""

    @option(GLOBS, [], doors=frozenset({"mkdocs", "join"}))
    def leave_out(self) -> Globs:
        """Globs of folders that `join` leaves out, such as `pr-*`. They are relative to the joined folder.

        A leading `!` re-includes; the last match wins. Only `sitemap-docs join` uses this option.
        """

    @option(LOCALES, {})
    def locales(self) -> Pairs[str]:
        """Language → base URL of each translation. The key `x-default` is allowed."""

    @option(choice(LinkOption), "auto", doors=READ)
    def links(self) -> LinkOption:
        """How addresses are spelled; `auto` follows the canonical links.

        The others are `folders` (a.html, b/), `files` (a.html, b/index.html), `clean` (a, b/), `bare` (a, b).
        """

    @option(SWITCH, False, doors=JOINED)
    def untranslated(self) -> bool:
        """Also list pages of a translation that are not translated."""

    @option(choice(Meaning), "commit", "Dates", READ)
    def lastmod(self) -> Meaning:
        """The date of a page: `commit` (committed), `author` (written) or `none`."""

    @option(choice(LastmodFormat), "exact", "Dates", JOINED)
    def lastmod_format(self) -> LastmodFormat:
        """Write dates with their time (`exact`), or only the `day` in UTC."""

    @option(SWITCH, True, "Dates")
    def lastmod_dependencies(self) -> bool:
        """Also date pages by the files they include."""

    @option(PATH, "", "Dates")
    def lastmod_ignore_revs(self) -> str:
        """File that lists commits to ignore. By default, `.git-blame-ignore-revs` where it exists."""

    @option(SOURCE_GLOBS, [], "Dates")
    def lastmod_excludes(self) -> SourceGlobs:
        """Globs of source files and included files whose commits never count.

        They are relative to the configuration file.
        """

    @option(TEXTS, [], "Dates")
    def lastmod_fields(self) -> tuple[str, ...]:
        """Front-matter date fields that take precedence over git, such as `last_update.date`."""

    @option(PAGE_DATES, False, "Dates", HOSTS)
    def page_dates(self) -> str:
        """Show each page's lastmod on the page: true, with MkDocs also a format such as `%d %B %Y`.

        Sphinx and MkDocs only.
        """

    @option(SWITCH, False)
    def images(self) -> bool:
        """List the images in each page's main content."""

    @option(GZIP, "auto", "Output", JOINED)
    def gzip(self) -> Gzip:
        """Whether to compress the sitemap; `auto` does what your generator does.

        `beside` also writes sitemap.xml.gz, `instead` writes only that, `off` writes none.
        """

    @option(SWITCH, True, "Output", JOINED)
    def stylesheet(self) -> bool:
        """Make the sitemap readable in a browser (CSS)."""

    @option(INDENT, 0, "Output", JOINED)
    def indent(self) -> int:
        """Spaces of indentation."""

    @option(number(1, MAX_URLS), MAX_URLS, "Output", JOINED)
    def max_urls(self) -> int:
        """Maximum number of URLs per sitemap."""

    @option(INDEX, "auto", "Output", JOINED)
    def index(self) -> Index:
        """Write an index: `auto` (where there are several sitemaps), true (always) or `cascaded`.

        With `cascaded`, it lists an index for each group.
        """

    @option(GROUPS, {})
    def groups(self) -> Pairs[Globs]:
        """Groups of pages that get their own sitemap: name → globs."""

    @option(EXTRA_URLS, [])
    def extra_urls(self) -> tuple[ExtraUrl, ...]:
        """Extra URLs to list: URLs, and globs of built files such as `*.pdf`.

        In a file, also mappings `{loc, lastmod}`.
        """

    @option(ADDRESSES, [], "robots.txt", JOINED)
    def extra_sitemaps(self) -> tuple[str, ...]:
        """Additional sitemaps to name in robots.txt."""

    @option(list_of(choice(Literal["text"])), [], "Output")
    def formats(self) -> tuple[str, ...]:
        """Additional formats to write: `text` (sitemap.txt)."""

    @option(SWITCH, False, "Output", JOINED)
    def replace(self) -> bool:
        """Overwrite a sitemap that sitemap-docs did not write."""

    @option(SWITCH, True, "General", READ)
    def cache(self) -> bool:
        """Cache dates from git between builds."""

    @option(PATH, "", "General", JOINED | READ)
    def record(self) -> str:
        """File for a copy of the record of the build, relative to the configuration file.

        `check`, `explain`, `report` and `diff` read it. By default, the record is only in the cache folder.
        """

    @option(choice(ServedBy), "auto", "General", READ)
    def host(self) -> ServedBy:
        """The hosting platform: `cloudflare-pages`, or `auto` to detect it from base URL and build."""

    @option(map_of(CHANGEFREQ), {})
    def changefreq(self) -> Pairs[Changefreq]:
        """Glob → changefreq. Search engines ignore it."""

    @option(map_of(PRIORITY), {})
    def priority(self) -> Pairs[float]:
        """Glob → priority. Search engines ignore it."""

    @option(ROBOTS_TXT, "auto", "robots.txt", JOINED)
    def robots(self) -> RobotsMode | Table:
        """Write or merge robots.txt: `auto` (at the root of a host), true or false.

        In a file, also groups of rules.
        """

    @option(SWITCH, False, "Output", JOINED)
    def previews(self) -> bool:
        """Also write sitemaps for preview deployments."""

    @option(IGNORE, [], "Checks", JOINED | READ)
    def ignore(self) -> Pairs[Globs]:
        """Findings not to report: names of rules, or `NAME=GLOB` for those at some pages or files.

        In a file, also a mapping from names to globs.
        """

    @option(AUDIT, False, "Checks")
    def check(self) -> bool | Table:
        """Audit the site after each build: true or false.

        In a file, also a mapping of select, ignore, severity and rules.
        """

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        for option in OPTIONS:
            vars(self)[option.name] = values.get(option.name, getattr(Options, option.name))

    def replaced(self, **values: Any) -> Options:  # noqa: ANN401
        """Return the options with other values."""
        return Options(**{**vars(self), **values})

    @classmethod
    def of(
        cls, given: Mapping[str, object], doors: AbstractSet[Door] = JOINED, folder: Path | None = None
    ) -> Options:
        """Return options from the values of one place, with the defaults of all others.

        Args:
            given: The values as the user wrote them, by the names of the options.
            doors: The entry points whose options may be set there.
            folder: The folder of the file that sets the values, see :func:`option_values`.

        Raises:
            SitemapError: An option is unknown, or its value does not fit.
        """
        return cls(**option_values(given, doors, folder=folder))


OPTIONS: tuple[Option[Any], ...] = tuple(each for each in vars(Options).values() if isinstance(each, Option))


def option_values(
    given: Mapping[str, object],
    doors: AbstractSet[Door],
    others: Mapping[str, OptionType[Any]] | None = None,
    *,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Return the valid values of one place: a configuration file, ``conf.py``, flags or arguments.

    Relative paths, and globs of source files, start in the folder of the file that sets them. They are
    resolved here, once, so that values of several places can be merged.

    Args:
        given: The values as the user wrote them, by the names of the options.
        doors: The entry points whose options may be set there.
        others: The types of other values that may be set there, such as ``base_url``.
        folder: The folder in which relative paths start: that of the file, or the current folder for flags.
            Without a folder, paths stay as they are.

    Raises:
        SitemapError: A name is unknown, none of the ``doors`` takes the option, or a value does not fit.
    """
    fields = dict(others or {})
    for option in OPTIONS:
        if option.doors & doors:
            fields[option.name] = option.type
        elif option.name in given:
            raise SitemapError(f"The option `{option.name}` is for {option.titles} only. Remove it.")
    values = read_fields(given, fields)
    if folder is None:
        return values
    for name, value in values.items():
        if resolve := fields[name].resolve:
            values[name] = resolve(value, folder)
    return values


PAGE_OPTIONS: Mapping[str, OptionType[Any]] = {
    "lastmod": DATE,
    "sources": TEXTS,
    "changefreq": CHANGEFREQ,
    "priority": PRIORITY,
    "ignore": TEXTS,
}
"""What ``sitemap`` holds in the front matter of a page; in a field list, ``sitemap-lastmod`` and so on."""


def page_globs(options: Options) -> list[tuple[str, str]]:
    """Return each glob of pages together with the name of its option."""
    named_globs = [("excludes", glob) for glob in options.excludes.patterns]
    for _, members in options.groups:
        named_globs += [("groups", glob) for glob in members.patterns]
    named_globs += [("changefreq", glob) for glob, _ in options.changefreq]
    named_globs += [("priority", glob) for glob, _ in options.priority]
    return named_globs


Ignored = tuple[tuple[str, Globs], ...]
"""Names of rules, or globs of them, and what the globs of places say; without these, the whole site."""

#: Without which something would be lost, or all dates: they are reported for a site whatever it ignores.
ALWAYS = frozenset({"dates-lost", "empty-sitemap", "own-sitemap", "no-repository", "shallow-clone"})


def is_ignored(rule: str, ignored: Ignored, names: Iterable[str], others: Collection[str] = ()) -> bool:
    """Check whether a finding is not reported at a place that has these names.

    ``others`` are other names of the rule: its group, and former names.
    """
    for name, places in ignored:
        is_meant = name in others or fnmatchcase(rule, name)
        if is_meant and (not places.patterns or places.includes(names)):
            return True
    return False


def without_ignored(findings: Iterable[Finding], ignored: Ignored, base: str = "") -> Iterator[Finding]:
    """Yield the findings that are reported for a site, whose addresses begin with ``base``."""
    for finding in findings:
        if finding.rule in ALWAYS or not is_ignored(finding.rule, ignored, finding.places(base)):
            yield finding


@reported(strict=True)
def ignore_unused(name: str) -> str:
    """The option `ignore` names a finding without which something would be lost, or all dates.

    It is reported all the same.
    Do what the message says; in `check`, its table has an `ignore` of its own.
    Wrong: `ignore: [shallow-clone]`
    Right: `git fetch --unshallow --filter=blob:none` before the build
    Source: sitemap-docs: the page Options
    """
    return (
        f"The option `ignore` names {name}, which is reported all the same: it may cost pages or all dates."
    )


_NAMED = re.compile(r"[Tt]he option `([^`]+)`")


def spelled(message: str, name: Callable[[str], str]) -> str:
    """Return a message with the names of options as an entry point writes them.

    >>> spelled("The option `lastmod` must be none.", "`sitemap_{}`".format)
    '`sitemap_lastmod` must be none.'
    """
    return _NAMED.sub(lambda match: name(match[1]), message)
