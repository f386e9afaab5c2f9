"""Every option: its name, type, default and help, each declared once as a method of :class:`Options`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from sitemap_docs.config.option_types import (
    ADDRESSES,
    AUDIT,
    CHANGEFREQ,
    DATE,
    EXTRA_URLS,
    FILE_NAME,
    GLOBS,
    GROUPS,
    GZIP,
    IGNORE,
    INDENT,
    INDEX,
    LOCALES,
    PAGE_DATES,
    PATH,
    PRIORITY,
    ROBOTS_TXT,
    SOURCE_GLOBS,
    SWITCH,
    TEXTS,
    URL_SCHEME,
    Gzip,
    Index,
    OptionType,
    Pairs,
    RobotsMode,
    Table,
    choice,
    list_of,
    map_of,
    number,
    read_fields,
)
from sitemap_docs.config.patterns import Globs, SourceGlobs
from sitemap_docs.config.similar_names import BASE_URL_NAMES, plain_name
from sitemap_docs.model import MAX_URLS, Changefreq, ExtraUrl, SitemapError
from sitemap_docs.urls.link_styles import LinkStyle

_T = TypeVar("_T")

Meaning = Literal["commit", "author", "none"]
LastmodFormat = Literal["exact", "day"]
LinkOption = Literal["auto", LinkStyle]
ServedBy = Literal["auto", "cloudflare-pages"]

PLAIN = "{link}"

Door = Literal["sphinx", "mkdocs", "build", "read", "audit", "join"]
"""An entry point, or a group of them, that accepts an option.

``read`` means the commands that only read a site, such as ``check``. ``audit`` means the audit itself, also
of a deployed site, which has no other options. A function of the Python API accepts the options of its
command.
"""
Heading = Literal["Pages", "Dates", "Output", "robots.txt", "Checks", "General"]

HOSTS: frozenset[Door] = frozenset({"sphinx", "mkdocs"})
BUILDS: frozenset[Door] = HOSTS | {"build"}
JOINED: frozenset[Door] = BUILDS | {"join"}
READ: frozenset[Door] = BUILDS | {"read"}
COMMAND_DOORS: frozenset[Door] = (JOINED | READ) - HOSTS
_TITLES: Mapping[Door, str] = {
    "sphinx": "Sphinx",
    "mkdocs": "MkDocs",
    "build": "sitemap-docs build",
    "join": "sitemap-docs join",
    "read": "commands such as sitemap-docs check",
}
_IN_A_FILE = "In a file,"


@dataclass(frozen=True)
class Option(Generic[_T]):
    """An option of sitemap-docs, such as ``excludes``."""

    name: str
    help: str
    #: The text in ``--help``.
    flag_help: str
    type: OptionType[_T]
    #: The default as a user would write it.
    default: object
    #: The section of the manual with the option.
    heading: Heading
    #: The entry points that accept it, such as ``mkdocs``.
    doors: AbstractSet[Door]

    def __get__(self, options: Options, owner: object) -> _T:
        """Return the default value of an option that the user has not set."""
        return self.type.parse(self.default)

    @property
    def form(self) -> str:
        """The default value as text, such as ``auto`` or ``false``. An empty text becomes ``''``."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return str(self.default) or "''"

    @property
    def titles(self) -> str:
        """The names of the programs that accept the option, such as ``Sphinx and MkDocs``."""
        *titles, last = [title for door, title in _TITLES.items() if door in self.doors]
        return f"{', '.join(titles)} and {last}" if titles else last

    @property
    def misplaced(self) -> str:
        """The error message for setting this option in a program that does not accept it."""
        return f"The option `{self.name}` is for {self.titles} only. Remove it."


def option(
    type_: OptionType[_T],
    default: object,
    heading: Heading = "Pages",
    doors: AbstractSet[Door] = BUILDS,
) -> Callable[[Callable[[Any], _T]], Option[_T]]:
    """Return a decorator that declares an option. The method gives the option its name and docstring.

    ``type_`` checks the value, and ``heading`` is the section of the manual about the option. ``doors`` are
    the programs that accept the option, such as ``mkdocs``.
    """

    def declare(method: Callable[[Any], _T]) -> Option[_T]:
        paragraphs = [" ".join(text.split()) for text in (method.__doc__ or "").split("\n\n")]
        about_flags = [text for text in paragraphs if not text.startswith(_IN_A_FILE)]
        texts = " ".join(paragraphs), " ".join(about_flags)
        return Option(method.__name__, *texts, type_, default, heading, doors)

    return declare


class Options:
    """The values of all options of a project, such as ``options.excludes``."""

    @option(FILE_NAME, "sitemap.xml", "Output", JOINED)
    def filename(self) -> str:
        """The file name of the sitemap in the output folder, or `../sitemap.xml`."""

    @option(GLOBS, [], doors=READ)
    def excludes(self) -> Globs:
        """Patterns of pages to leave out. A leading `!` lists pages again. The last match wins."""

    @option(list_of(choice(Literal["lists", "pagination"])), [], doors=HOSTS)
    def excludes_generated(self) -> tuple[str, ...]:
        """Leave out generated pages of blogs: `lists` (archives, categories, tags) and `pagination`.

        Sphinx and MkDocs only.
        """

    @option(GLOBS, [], doors=HOSTS)
    def noindex_versions(self) -> Globs:
        """Patterns of old versions to keep out of Google and other search engines.

        Every page of such a version gets a noindex tag, and no sitemap is written. Sphinx and MkDocs only.
        """

    @option(SWITCH, True, doors=HOSTS)
    def orphans(self) -> bool:
        """List pages that are not in the navigation, such as `:orphan:` and `not_in_nav`.

        Sphinx and MkDocs only.
        """

    @option(URL_SCHEME, PLAIN, doors=frozenset({"sphinx"}))
    def url_scheme(self) -> str:
        """The address of a page below the base URL: `{lang}`, `{version}`, `{link}`. Sphinx only."""

    @option(GLOBS, [], doors=frozenset({"mkdocs", "join"}))
    def leave_out(self) -> Globs:
        """Patterns of folders that `sitemap-docs join` leaves out, such as `pr-*`.

        The patterns are relative to the joined folder. A leading `!` includes folders again. The last match
        wins. Builds ignore this option.
        """

    @option(LOCALES, {})
    def locales(self) -> Pairs[str]:
        """Languages and the base URL of each translation, for hreflang links. `x-default` is allowed."""

    @option(choice(LinkOption), "auto", doors=READ)
    def links(self) -> LinkOption:
        """How addresses are spelled. By default (`auto`), they follow the canonical links.

        You can also choose `folders` (a.html, b/), `files` (a.html, b/index.html), `clean` (a, b/) or `bare`
        (a, b).
        """

    @option(SWITCH, False, doors=JOINED)
    def untranslated(self) -> bool:
        """List pages that a translation shows in the original language, too."""

    @option(choice(Meaning), "commit", "Dates", READ)
    def lastmod(self) -> Meaning:
        """The date of a page: when its last commit was made (`commit`) or written (`author`), or `none`."""

    @option(choice(LastmodFormat), "exact", "Dates", JOINED)
    def lastmod_format(self) -> LastmodFormat:
        """Write dates with their time (`exact`), or only the `day` in UTC."""

    @option(SWITCH, True, "Dates")
    def lastmod_dependencies(self) -> bool:
        """Date a page by the files that it includes, and not only by its source."""

    @option(PATH, "", "Dates")
    def lastmod_ignore_revs(self) -> str:
        """A file that lists commits to ignore, for example commits that only change formatting.

        By default, `.git-blame-ignore-revs` is used if it exists.
        """

    @option(SOURCE_GLOBS, [], "Dates")
    def lastmod_excludes(self) -> SourceGlobs:
        """Patterns of sources and included files whose changes should not change the date of a page.

        The patterns are relative to the configuration file.
        """

    @option(TEXTS, [], "Dates")
    def lastmod_fields(self) -> tuple[str, ...]:
        """Front matter fields with a date that replaces the date from git, such as `last_update.date`."""

    @option(PAGE_DATES, False, "Dates", HOSTS)
    def page_dates(self) -> str:
        """Show the date of the last update on each page.

        In MkDocs, you can also set a date format such as `%d %B %Y`. Sphinx and MkDocs only.
        """

    @option(SWITCH, False)
    def images(self) -> bool:
        """List the images in the main content of each page."""

    @option(GZIP, "auto", "Output", JOINED)
    def gzip(self) -> Gzip:
        """Compress the sitemap. By default (`auto`), sitemap-docs does what your generator does.

        `beside` also writes `sitemap.xml.gz`, `instead` writes only this file, and `off` writes no such file.
        """

    @option(SWITCH, True, "Output", JOINED)
    def stylesheet(self) -> bool:
        """Add a CSS stylesheet, so that people can read the sitemap in a browser."""

    @option(INDENT, 0, "Output", JOINED)
    def indent(self) -> int:
        """Number of spaces to indent the XML with."""

    @option(number(1, MAX_URLS), MAX_URLS, "Output", JOINED)
    def max_urls(self) -> int:
        """The maximum number of URLs in one sitemap. If there are more, the sitemap is split."""

    @option(INDEX, "auto", "Output", JOINED)
    def index(self) -> Index:
        """Write a sitemap index: only for several sitemaps (`auto`), always (`true`) or `cascaded`.

        With `cascaded`, the index lists an index for each group.
        """

    @option(GROUPS, {})
    def groups(self) -> Pairs[Globs]:
        """Groups of pages that get a sitemap of their own: names and patterns."""

    @option(EXTRA_URLS, [])
    def extra_urls(self) -> tuple[ExtraUrl, ...]:
        """More URLs to list, and patterns of built files such as `*.pdf` for PDF files.

        In a file, you can also write an item as a mapping `{loc, lastmod}`.
        """

    @option(ADDRESSES, [], "robots.txt", JOINED)
    def extra_sitemaps(self) -> tuple[str, ...]:
        """More sitemaps to list in robots.txt."""

    @option(list_of(choice(Literal["text"])), [], "Output")
    def formats(self) -> tuple[str, ...]:
        """More formats to write: `text` writes `sitemap.txt`."""

    @option(SWITCH, False, "Output", JOINED)
    def replace(self) -> bool:
        """Overwrite a sitemap that another program wrote."""

    @option(SWITCH, True, "General", READ)
    def cache(self) -> bool:
        """Keep dates from git in a cache between builds."""

    @option(PATH, "", "General", JOINED | READ)
    def record(self) -> str:
        """A file for a copy of the record of the build, relative to the configuration file.

        `check`, `explain`, `report` and `diff` read the record. By default, it is only in the cache folder.
        """

    @option(choice(ServedBy), "auto", "General", READ)
    def host(self) -> ServedBy:
        """The hosting platform: `cloudflare-pages`, or `auto` to detect it from base URL and build."""

    @option(map_of(CHANGEFREQ), {})
    def changefreq(self) -> Pairs[Changefreq]:
        """Patterns of pages and their change frequency. Search engines ignore changefreq."""

    @option(map_of(PRIORITY), {})
    def priority(self) -> Pairs[float]:
        """Patterns of pages and their priority from 0 to 1. Search engines ignore priority."""

    @option(ROBOTS_TXT, "auto", "robots.txt", JOINED)
    def robots(self) -> RobotsMode | Table:
        """Write `robots.txt`, or add the sitemap to yours. `auto` does so only at the root of a host.

        In a file, you can also write groups of rules.
        """

    @option(SWITCH, False, "Output", JOINED)
    def previews(self) -> bool:
        """Write sitemaps for preview deployments, too."""

    @option(IGNORE, [], "Checks", JOINED | READ | {"audit"})
    def ignore(self) -> Pairs[Globs]:
        """Findings that are not reported: the name of a rule, or `NAME=GLOB` for some pages or files.

        In a file, you can also write a mapping from names to patterns.
        """

    @option(AUDIT, False, "Checks", BUILDS | {"audit"})
    def check(self) -> bool | Table:
        """Check the site after each build. With `-W` or `--strict`, findings fail the build.

        In a file, you can also write a mapping with `select`, `ignore`, `severity` and `rules`.
        """

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        for option in OPTIONS:
            vars(self)[option.name] = values.get(option.name, getattr(Options, option.name))

    def replaced(self, **values: Any) -> Options:  # noqa: ANN401
        """Return a copy of the options with the new values that are passed as keyword arguments."""
        return Options(**{**vars(self), **values})

    @classmethod
    def of(
        cls, given: Mapping[str, object], doors: AbstractSet[Door] = JOINED, folder: Path | None = None
    ) -> Options:
        """Check and convert the user's options, and add the defaults of all other options.

        Relative paths are relative to ``folder``. Only options of the programs in ``doors``, such as
        ``mkdocs``, are allowed.

        Raises:
            SitemapError: An option is unknown or its value is invalid.
        """
        return cls(**option_values(given, doors, folder=folder))


OPTIONS: tuple[Option[Any], ...] = tuple(item for item in vars(Options).values() if isinstance(item, Option))


COMMAND_FLAGS: Mapping[str, str] = {
    **dict.fromkeys(("source", "map", "generator_config", "config", "cache_dir", "jobs"), "build"),
    **dict.fromkeys(("canonical_version", "newest", "versions", "old_versions", "version_record"), "join"),
}
"""Names of flags that users may take for options, each with a command that has the flag."""


def about_command_flag(name: str) -> str:
    """Return the end of a message for a user who has set a command-line flag as an option.

    >>> about_command_flag("source")
    'the command `sitemap-docs build` only. Remove it here. If you run the command, pass --source.'
    """
    plain = plain_name(name)
    flag = plain.replace("_", "-")
    command = COMMAND_FLAGS[plain]
    return (
        f"the command `sitemap-docs {command}` only. Remove it here. If you run the command, pass --{flag}."
    )


def accepted_by(door: Door, values: Mapping[str, _T]) -> dict[str, _T]:
    """Return the values of the options that an entry point such as ``mkdocs`` accepts."""
    return {item.name: values[item.name] for item in OPTIONS if door in item.doors and item.name in values}


def option_values(
    given: Mapping[str, object],
    doors: AbstractSet[Door],
    others: Mapping[str, OptionType[Any]] | None = None,
    *,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Check and convert the user's options, and resolve relative paths.

    Args:
        given: The user's values by option name.
        doors: The names of programs or commands, such as ``mkdocs`` or ``join``. Only their options are
            allowed.
        others: The types of additional settings, such as ``base_url``.
        folder: The folder to which paths are relative. If it is None, they stay relative.

    Raises:
        SitemapError: A name is unknown or not allowed, or a value is invalid.
    """
    fields = dict(others or {})
    for option in OPTIONS:
        if option.doors & doors:
            fields[option.name] = option.type
        elif option.name in given:
            raise SitemapError(option.misplaced)
    for name in given:
        if plain_name(name) in BASE_URL_NAMES - fields.keys():
            raise SitemapError(f"There is no option `{name}`. {_base_url_advice(doors, fields)}")
        if plain_name(name) in COMMAND_FLAGS.keys() - fields.keys():
            raise SitemapError(f"The option `{name}` is for {about_command_flag(name)}")
    values = read_fields(given, fields)
    if folder is None:
        return values
    for name, value in values.items():
        if resolve := fields[name].resolve:
            values[name] = resolve(value, folder)
    return values


def _base_url_advice(doors: AbstractSet[Door], fields: Collection[str]) -> str:
    """Return advice for a user who tried to set the base URL as an unknown option.

    ``doors`` are the programs that read the options, such as ``mkdocs``. ``fields`` are the valid names.
    """
    if "mkdocs" in doors:
        return "The base URL is the setting `site_url` of mkdocs.yml, next to `plugins`."
    if "base_url" in fields:
        return "Did you mean `base_url`?"
    return "Pass the base URL as the argument `base_url`."


PAGE_OPTIONS: Mapping[str, OptionType[Any]] = {
    "lastmod": DATE,
    "sources": TEXTS,
    "changefreq": CHANGEFREQ,
    "priority": PRIORITY,
    "ignore": TEXTS,
}
"""The options of one page: below ``sitemap`` in the front matter, or fields such as ``sitemap-lastmod``."""


def page_globs(options: Options) -> list[tuple[str, str]]:
    """Return the globs of all options that select pages, each with the name of the option.

    >>> page_globs(Options.of({"excludes": ["drafts/*"], "priority": {"guide/*": 0.8}}))
    [('excludes', 'drafts/*'), ('priority', 'guide/*')]
    """
    named_globs = [("excludes", glob) for glob in options.excludes.patterns]
    for _, members in options.groups:
        named_globs += [("groups", glob) for glob in members.patterns]
    named_globs += [("changefreq", glob) for glob, _ in options.changefreq]
    named_globs += [("priority", glob) for glob, _ in options.priority]
    return named_globs


_NAMED = re.compile(r"[Tt]he option `([^`]+)`")


def spelled(message: str, name: Callable[[str], str]) -> str:
    """Rewrite the names of options in a message as the user writes them, such as ``sitemap_lastmod``.

    The words "the option" before a name are removed. The function ``name`` converts the name.

    >>> spelled("The option `lastmod` must be none.", "`sitemap_{}`".format)
    '`sitemap_lastmod` must be none.'
    """
    return _NAMED.sub(lambda match: name(match[1]), message)
