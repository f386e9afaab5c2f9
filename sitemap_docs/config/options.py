"""Every option, declared once: its name, type, default and help; and what the option ``ignore`` means."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fnmatch import fnmatchcase
from re import compile as compiled
from typing import Any, Generic, Literal, TypeVar

from sitemap_docs.config import option_types as types
from sitemap_docs.config.option_types import OptionType, read_fields
from sitemap_docs.config.patterns import Globs
from sitemap_docs.model import MAX_URLS, Changefreq, ExtraUrl, Finding, SitemapError, reported

_T = TypeVar("_T")
Meaning = Literal["commit", "author", "none"]
LastmodFormat = Literal["exact", "day"]
LinkStyle = Literal["folders", "files", "clean", "bare"]
"""How the addresses of ``a.html`` and ``b/index.html`` are spelled.

folders: ``a.html`` and ``b/``; files: ``a.html`` and ``b/index.html``; clean: ``a`` and ``b/``; bare: ``a``
and ``b``.
"""
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


@dataclass(frozen=True)
class Option(Generic[_T]):
    """One option: ``default`` is as written, and ``doors`` take it."""

    name: str
    help: str
    type: OptionType[_T]
    default: object
    heading: Heading
    doors: AbstractSet[Door]

    def __get__(self, options: Options, owner: object) -> _T:
        """The default; an instance of :class:`Options` has its own value of this name."""
        return self.type.parse(self.default)

    @property
    def form(self) -> str:
        """The default as it is written."""
        if isinstance(self.default, bool):
            return str(self.default).lower()
        return str(self.default) or "''"


def option(
    type_: OptionType[_T],
    default: object,
    heading: Heading = "Pages",
    doors: AbstractSet[Door] = BUILDS,
) -> Callable[[Callable[[Any], _T]], Option[_T]]:
    """Declares an option: the name is that of the method, the help its docstring. It has no body."""

    def declare(method: Callable[[Any], _T]) -> Option[_T]:
        text = " ".join((method.__doc__ or "").split())
        return Option(method.__name__, text, type_, default, heading, doors)

    return declare


class Options:
    """The project's options, valid; ``Options.of`` makes them from what the user wrote."""

    @option(types.FILE_NAME, "sitemap.xml", "Output", JOINED)
    def filename(self) -> str:
        """The sitemap's file name in the output folder, or `../sitemap.xml`."""

    @option(types.GLOBS, [], doors=READ)
    def excludes(self) -> Globs:
        """Globs of pages to exclude. A leading `!` re-includes; the last match wins."""

    @option(types.list_of(types.choice(Literal["lists", "pagination"])), [], doors=HOSTS)
    def excludes_generated(self) -> tuple[str, ...]:
        """Exclude `lists` (archives, categories, tags) and `pagination` of blogs. Sphinx and MkDocs only."""

    @option(types.GLOBS, [], doors=HOSTS)
    def noindex_versions(self) -> Globs:
        """Globs of versions to keep out of search engines.

        Every page gets a noindex tag, and there is no sitemap. Sphinx and MkDocs only.
        """

    @option(types.SWITCH, True, doors=HOSTS)
    def orphans(self) -> bool:
        """List pages outside the navigation, such as `:orphan:` and `not_in_nav`. Sphinx and MkDocs only."""

    @option(types.URL_SCHEME, PLAIN, doors=frozenset({"sphinx"}))
    def url_scheme(self) -> str:
        """The address below the base URL, with `{lang}`, `{version}` and `{link}`. Sphinx only."""

    @option(types.LOCALES, {})
    def locales(self) -> types.Pairs[str]:
        """Language → base URL of each translation. The key `x-default` is allowed."""

    @option(types.choice(LinkOption), "auto", doors=READ)
    def links(self) -> LinkOption:
        """How addresses are spelled; `auto` follows the canonical links.

        The others are `folders` (a.html, b/), `files` (a.html, b/index.html), `clean` (a, b/), `bare` (a, b).
        """

    @option(types.SWITCH, False, doors=JOINED)
    def untranslated(self) -> bool:
        """Also list pages of a translation that are not translated."""

    @option(types.choice(Meaning), "commit", "Dates", READ)
    def lastmod(self) -> Meaning:
        """The date of a page: `commit` (committed), `author` (written) or `none`."""

    @option(types.choice(LastmodFormat), "exact", "Dates", JOINED)
    def lastmod_format(self) -> LastmodFormat:
        """Write dates with their time (`exact`), or only the `day` in UTC."""

    @option(types.SWITCH, True, "Dates")
    def lastmod_dependencies(self) -> bool:
        """Also date pages by the files they include."""

    @option(types.PATH, "", "Dates")
    def lastmod_ignore_revs(self) -> str:
        """File that lists commits to ignore. By default, `.git-blame-ignore-revs` where it exists."""

    @option(types.GLOBS, [], "Dates")
    def lastmod_excludes(self) -> Globs:
        """Globs of source files and included files whose commits never count.

        They are relative to the configuration file.
        """

    @option(types.TEXTS, [], "Dates")
    def lastmod_fields(self) -> tuple[str, ...]:
        """Front-matter date fields that take precedence over git, such as `last_update.date`."""

    @option(types.PAGE_DATES, False, "Dates", HOSTS)
    def page_dates(self) -> str:
        """Show each page's lastmod on the page: true, with MkDocs also a format such as `%d %B %Y`.

        Sphinx and MkDocs only.
        """

    @option(types.SWITCH, False)
    def images(self) -> bool:
        """List the images in each page's main content."""

    @option(types.GZIP, "auto", "Output", JOINED)
    def gzip(self) -> types.Gzip:
        """Whether to compress the sitemap; `auto` does what your generator does.

        `beside` also writes sitemap.xml.gz, `instead` writes only that, `off` writes none.
        """

    @option(types.SWITCH, True, "Output", JOINED)
    def stylesheet(self) -> bool:
        """Make the sitemap readable in a browser (CSS)."""

    @option(types.INDENT, 0, "Output", JOINED)
    def indent(self) -> int:
        """Spaces of indentation."""

    @option(types.number(1, MAX_URLS), MAX_URLS, "Output", JOINED)
    def max_urls(self) -> int:
        """Maximum number of URLs per sitemap."""

    @option(types.INDEX, "auto", "Output", JOINED)
    def index(self) -> types.Index:
        """Write an index: `auto` (where there are several sitemaps), true (always) or `cascaded`.

        With `cascaded`, it lists an index for each group.
        """

    @option(types.GROUPS, {})
    def groups(self) -> types.Pairs[Globs]:
        """Groups of pages that get their own sitemap: name → globs."""

    @option(types.EXTRA_URLS, [])
    def extra_urls(self) -> tuple[ExtraUrl, ...]:
        """Extra URLs to list: URLs, and globs of built files such as `*.pdf`.

        In a file, also mappings `{loc, lastmod}`.
        """

    @option(types.ADDRESSES, [], "robots.txt", JOINED)
    def extra_sitemaps(self) -> tuple[str, ...]:
        """Additional sitemaps to name in robots.txt."""

    @option(types.list_of(types.choice(Literal["text"])), [], "Output")
    def formats(self) -> tuple[str, ...]:
        """Additional formats to write: `text` (sitemap.txt)."""

    @option(types.SWITCH, False, "Output", JOINED)
    def replace(self) -> bool:
        """Overwrite a sitemap that sitemap-docs did not write."""

    @option(types.SWITCH, True, "General", READ)
    def cache(self) -> bool:
        """Cache dates from git between builds."""

    @option(types.PATH, "", "General", JOINED | READ)
    def record(self) -> str:
        """File for the record of the build, relative to the configuration file.

        `check`, `explain` and `report` read it. By default, it is in the cache folder.
        """

    @option(types.choice(ServedBy), "auto", "General", READ)
    def host(self) -> ServedBy:
        """What serves the site: `cloudflare-pages`, or `auto`, as the base URL and the build tell."""

    @option(types.map_of(types.CHANGEFREQ), {})
    def changefreq(self) -> types.Pairs[Changefreq]:
        """Glob → changefreq. Search engines ignore it."""

    @option(types.map_of(types.PRIORITY), {})
    def priority(self) -> types.Pairs[float]:
        """Glob → priority. Search engines ignore it."""

    @option(types.ROBOTS_TXT, "auto", "robots.txt", JOINED)
    def robots(self) -> types.RobotsMode | types.Table:
        """Write or merge robots.txt: `auto` (at the root of a host), true or false.

        In a file, also groups of rules.
        """

    @option(types.SWITCH, False, "Output", JOINED)
    def previews(self) -> bool:
        """Also write sitemaps for preview deployments."""

    @option(types.IGNORE, [], "Checks", JOINED | READ)
    def ignore(self) -> types.Pairs[Globs]:
        """Findings not to report: names of rules, or `NAME=GLOB` for those at some pages or files.

        In a file, also a mapping from names to globs.
        """

    @option(types.AUDIT, False, "Checks")
    def check(self) -> bool | types.Table:
        """Audit the site after each build: true or false.

        In a file, also a mapping of select, ignore, severity and rules.
        """

    def __init__(self, **values: Any) -> None:  # noqa: ANN401
        for option in OPTIONS:
            vars(self)[option.name] = values.get(option.name, getattr(Options, option.name))

    def replaced(self, **values: Any) -> Options:  # noqa: ANN401
        """The options with other values."""
        return Options(**{**vars(self), **values})

    @classmethod
    def of(cls, given: Mapping[str, object], doors: AbstractSet[Door] = JOINED) -> Options:
        """Options from the user's values, of which :func:`option_values` raises; the others have defaults."""
        return cls(**option_values(given, doors))


_TITLES: Mapping[str, str] = {"sphinx": "Sphinx", "mkdocs": "MkDocs"}
OPTIONS: tuple[Option[Any], ...] = tuple(each for each in vars(Options).values() if isinstance(each, Option))


def option_values(
    given: Mapping[str, object], doors: AbstractSet[Door], others: Mapping[str, OptionType[Any]] | None = None
) -> dict[str, Any]:
    """The values of options and of ``others``, which the place has as well.

    Raises SitemapError, naming option and value, for an unknown name, for an option that none of the
    ``doors`` takes, and for a value that does not fit.
    """
    fields = dict(others or {})
    for option in OPTIONS:
        if option.doors & doors:
            fields[option.name] = option.type
        elif option.name in given:
            hosts = " and ".join(_TITLES[host] for host in sorted(option.doors, reverse=True))
            raise SitemapError(f"The option `{option.name}` is for {hosts} only. Remove it.")
    return read_fields(given, fields)


PAGE_OPTIONS: Mapping[str, OptionType[Any]] = {
    "lastmod": types.DATE,
    "sources": types.TEXTS,
    "changefreq": types.CHANGEFREQ,
    "priority": types.PRIORITY,
    "ignore": types.TEXTS,
}
"""What ``sitemap`` holds in the front matter of a page; in a field list, ``sitemap-lastmod`` and so on."""


def page_globs(options: Options) -> list[tuple[str, str]]:
    """The options that hold globs of pages, each with one of them."""
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
    """Whether a finding is not reported at a place that has these names.

    ``others`` are what else the rule is called: its group, and names that it had.
    """
    for name, places in ignored:
        is_meant = name in others or fnmatchcase(rule, name)
        if is_meant and (not places.patterns or places.includes(names)):
            return True
    return False


def without_ignored(findings: Iterable[Finding], ignored: Ignored, base: str = "") -> Iterator[Finding]:
    """The findings that are reported of a site, the addresses of whose pages begin with ``base``."""
    for finding in findings:
        if finding.rule in ALWAYS or not is_ignored(finding.rule, ignored, finding.places(base)):
            yield finding


@reported(strict=True)
def ignore_unused(name: str) -> str:
    """The option `ignore` names a finding without which something would be lost, or all dates.

    It is reported all the same.
    Do what the message says; in `check`, its table has an `ignore` of its own.
    Wrong: `ignore: [shallow-clone]`
    Right: `git fetch --unshallow` before the build
    Source: sitemap-docs: the page Options
    """
    return (
        f"The option `ignore` names {name}, which is reported all the same: it may cost pages or all dates."
    )


_NAMED = compiled(r"[Tt]he option `([^`]+)`")


def spelled(message: str, name: Callable[[str], str]) -> str:
    """A message with its ``the option `name` `` as a front door has it.

    >>> spelled("The option `lastmod` must be none.", "`sitemap_{}`".format)
    '`sitemap_lastmod` must be none.'
    """
    return _NAMED.sub(lambda match: name(match[1]), message)
