"""Every option, declared once: its name, type, default and help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import Field, dataclass, field, fields
from functools import cached_property, partial
from re import compile as compiled
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

from sitemap_docs.config import validators
from sitemap_docs.config.patterns import Patterns, globs
from sitemap_docs.model import MAX_URLS, Changefreq, ExtraUrl, SitemapError

_T = TypeVar("_T")
Shape = Literal["text", "choice", "switch", "number", "list", "map"]
Schema = Mapping[str, object]
Meaning = Literal["commit", "author", "none"]
LastmodFormat = Literal["exact", "day"]
LinkStyle = Literal["folders", "files", "clean", "bare"]
"""How the addresses of ``a.html`` and ``b/index.html`` are spelled.

folders: ``a.html`` and ``b/``; files: ``a.html`` and ``b/index.html``; clean: ``a`` and ``b/``; bare: ``a``
and ``b``.
"""
LinkOption = LinkStyle | Literal["auto"]
LINKS = ("auto", *get_args(LinkStyle))

PLAIN = "{link}"

_NAMED = compiled(r"[Tt]he option `(\w+)`")


Door = Literal["sphinx", "mkdocs", "build", "read", "join"]
"""What takes an option: a host, ``build`` and the Python API, the commands that read a site, ``join``."""
Heading = Literal["Pages", "Dates", "Output", "robots.txt", "Checks", "General"]

HOSTS: frozenset[Door] = frozenset({"sphinx", "mkdocs"})
BUILDS: frozenset[Door] = HOSTS | {"build"}
JOINED: frozenset[Door] = BUILDS | {"join"}
READ: frozenset[Door] = BUILDS | {"read"}
COMMAND_DOORS: frozenset[Door] = (JOINED | READ) - HOSTS


class Option(NamedTuple):
    """One option as the front doors need it; ``shape`` decides the flag and the host's type.

    ``form`` is the default as it is written. ``schema`` is the JSON Schema of what a file may hold, and
    ``choices`` are the values that a flag takes, where they are a few. ``doors`` take it, ``instead`` is what
    to do at the others, and ``heading`` is the one of its flag.
    """

    name: str
    default: object
    form: str
    shape: Shape
    parse: Callable[[object], object]
    help: str
    schema: Schema
    choices: Sequence[str]
    doors: AbstractSet[Door]
    instead: str
    heading: Heading


@dataclass(frozen=True)
class GlobMap(Generic[_T]):
    """A mapping glob → value, in which ``*`` and ``?`` cross slashes; the last glob that matches decides."""

    values: tuple[tuple[str, _T], ...] = ()

    def get(self, names: Iterable[str]) -> _T | None:
        if not self.values:
            return None
        number = self._matcher.first(names)
        if number is None:
            return None
        return self.values[-1 - number][1]

    @cached_property
    def _matcher(self) -> Patterns:
        return globs(glob for glob, _ in reversed(self.values))


@dataclass(frozen=True)
class Globs:
    """Patterns of ``excludes``: ``!`` re-includes, the last match decides."""

    patterns: tuple[str, ...] = ()

    def decision(self, names: Iterable[str]) -> tuple[bool, str] | None:
        """Whether the last pattern that matches a name takes it out, and that pattern; None: none matches."""
        pattern = self._by_glob.get(names)
        if pattern is None:
            return None
        return not pattern.startswith("!"), pattern

    def includes(self, names: Iterable[str]) -> bool:
        """Whether the last pattern that matches a name is one without ``!``."""
        decision = self.decision(names)
        return decision is not None and decision[0]

    @cached_property
    def _by_glob(self) -> GlobMap[str]:
        return GlobMap(tuple((pattern.removeprefix("!"), pattern) for pattern in self.patterns))


class Groups:
    """The patterns of all groups, compared with a page at once."""

    def __init__(self, groups: Iterable[tuple[str, Globs]]) -> None:
        self._patterns = [(name, pattern) for name, members in groups for pattern in members.patterns]
        self._matcher = globs(pattern.removeprefix("!") for _, pattern in self._patterns)

    def of(self, names: Iterable[str]) -> str:
        """The first group in which the last pattern that matches is one without ``!``, or ``""``."""
        if not self._patterns:
            return ""
        included: dict[str, bool] = {}
        for number in self._matcher.all(names):
            group, pattern = self._patterns[number]
            included[group] = not pattern.startswith("!")
        return next((group for group, is_included in included.items() if is_included), "")


def _globs(value: object) -> Globs:
    return Globs(validators.texts(value))


def _glob_map(parse: Callable[[object], _T]) -> Callable[[object], GlobMap[_T]]:
    return lambda value: GlobMap(tuple((glob, parse(each)) for glob, each in validators.mapping(value)))


_GROUP = compiled(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def _groups(value: object) -> tuple[tuple[str, Globs], ...]:
    groups = []
    for name, patterns in validators.mapping(value):
        if not _GROUP.fullmatch(name):
            raise ValueError("a mapping from names (letters, digits, - and _) to lists of globs")
        groups.append((name, _globs(patterns)))
    return tuple(groups)


def _option(
    default: object,
    shape: Shape,
    parse: Callable[[object], object],
    text: str,
    schema: Schema | None = None,
    choices: Sequence[str] = (),
    **placed: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    """``placed`` are ``doors``, ``instead`` and ``heading``, where they are not those of most options."""
    described = {"help": text, "schema": schema or validators.SCHEMAS[shape], "choices": choices}
    where = {"doors": BUILDS, "instead": "", "heading": "Pages", **placed}
    return field(default=default, metadata={"shape": shape, "parse": parse, **described, **where})


def _switch(default: bool, text: str, **placed: Any) -> Any:  # noqa: ANN401, FBT001
    return _option(default, "switch", validators.switch, text, **placed)


def _number(default: int, low: int, high: int, text: str, **placed: Any) -> Any:  # noqa: ANN401
    schema = {"type": "integer", "minimum": low, "maximum": high}
    return _option(default, "number", validators.number(low, high), text, schema, **placed)


def _choice(choices: Sequence[str], text: str, **placed: Any) -> Any:  # noqa: ANN401
    """The first choice is the default."""
    parse = partial(validators.one_of, choices=choices)
    return _option(choices[0], "choice", parse, text, {"enum": list(choices)}, choices, **placed)


def _list(
    parse: Callable[[object], object],
    text: str,
    items: Schema = validators.SCHEMAS["text"],
    choices: Sequence[str] = (),
    **placed: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    return _option(parse(None), "list", parse, text, validators.list_of(items), choices, **placed)


def _map_of(schema: Schema, **more: Any) -> Schema:  # noqa: ANN401
    return {**validators.SCHEMAS["map"], "additionalProperties": schema, **more}


@dataclass(frozen=True, kw_only=True)
class Options:
    """The project's options, valid; ``Options.of`` makes them from what the user wrote."""

    filename: str = _option(
        "sitemap.xml",
        "text",
        validators.file_name,
        "The sitemap's file name in the output folder, or `../sitemap.xml`.",
        {"type": "string", "pattern": r"^\s*[^/\s].*\.xml\s*$"},
        doors=JOINED,
        heading="Output",
    )
    excludes: Globs = _list(
        _globs, "Globs of pages to exclude. A leading `!` re-includes; the last match wins.", doors=READ
    )
    noindex_versions: Globs = _list(
        _globs,
        "Globs of versions to keep out of search engines: every page gets a noindex tag, and there is no "
        "sitemap. Sphinx and MkDocs only.",
        doors=HOSTS,
        instead="mark the versions in a tree of builds with `sitemap-docs join --old-versions noindex`",
    )
    orphans: bool = _switch(
        True,
        "List pages outside the navigation, such as `:orphan:` and `not_in_nav`. Sphinx and MkDocs only.",
        doors=HOSTS,
        instead="name the pages in `excludes`",
    )
    url_scheme: str = _option(
        PLAIN,
        "text",
        validators.url_scheme,
        "The address below the base URL, with `{lang}`, `{version}` and `{link}`. Sphinx only.",
        {"type": "string", "pattern": r"\{link\}"},
        doors=frozenset({"sphinx"}),
        instead="write language and version into the base URL",
    )
    locales: tuple[tuple[str, str], ...] = _option(
        (),
        "map",
        validators.locales,
        "Language → base URL of each translation. The key `x-default` is allowed.",
        {"anyOf": [_map_of({"type": "string"}), validators.list_of({"type": ["string", "null"]})]},
    )
    links: LinkOption = _choice(
        LINKS,
        "How addresses are spelled: `folders` (a.html, b/), `files` (a.html, b/index.html), `clean` (a, "
        "b/), `bare` (a, b); `auto` follows the canonical links.",
        doors=READ,
    )
    untranslated: bool = _switch(
        False, "Also list pages of a translation that are not translated.", doors=JOINED
    )
    lastmod: Meaning = _choice(
        get_args(Meaning),
        "The date of a page: `commit` (committed), `author` (written) or `none`.",
        doors=READ,
        heading="Dates",
    )
    lastmod_format: LastmodFormat = _choice(
        get_args(LastmodFormat),
        "Write dates with their time (`exact`), or only the `day` in UTC.",
        doors=JOINED,
        heading="Dates",
    )
    lastmod_dependencies: bool = _switch(True, "Also date pages by the files they include.", heading="Dates")
    lastmod_ignore_revs: str = _option(
        "",
        "text",
        validators.path,
        "File that lists commits to ignore. By default, `.git-blame-ignore-revs` where it exists.",
        heading="Dates",
    )
    lastmod_ignore_renames: bool = _switch(
        False, "Ignore commits that only moved or renamed a file, its content unchanged.", heading="Dates"
    )
    lastmod_excludes: Globs = _list(
        _globs,
        "Globs of source files and included files whose commits never count, relative to the configuration "
        "file.",
        heading="Dates",
    )
    lastmod_fields: tuple[str, ...] = _list(
        validators.texts,
        "Front-matter date fields that take precedence over git, such as `last_update.date`.",
        heading="Dates",
    )
    images: bool = _switch(False, "List the images in each page's main content.")
    gzip: validators.Gzip = _option(
        "auto",
        "choice",
        validators.gzip,
        "Gzip: `beside` also writes sitemap.xml.gz, `instead` writes only that, `off` writes none; "
        "`auto` does what your generator does.",
        {"enum": [True, False, *get_args(validators.Gzip)]},
        get_args(validators.Gzip),
        doors=JOINED,
        heading="Output",
    )
    stylesheet: bool = _switch(
        True, "Make the sitemap readable in a browser (CSS).", doors=JOINED, heading="Output"
    )
    indent: int = _option(
        0,
        "number",
        validators.indent,
        "Spaces of indentation.",
        {"type": ["boolean", "integer"], "maximum": validators.MAX_INDENT},
        doors=JOINED,
        heading="Output",
    )
    max_urls: int = _number(
        MAX_URLS, 1, MAX_URLS, "Maximum number of URLs per sitemap.", doors=JOINED, heading="Output"
    )
    index: validators.Index = _option(
        "auto",
        "choice",
        validators.index,
        "Write an index: `auto` (where there are several sitemaps), true (always), `cascaded` (an index that "
        "lists an index for each group).",
        {"enum": [True, False, "auto", "cascaded"]},
        ("auto", "true", "cascaded"),
        doors=JOINED,
        heading="Output",
    )
    groups: tuple[tuple[str, Globs], ...] = _option(
        (),
        "map",
        _groups,
        "Groups of pages that get their own sitemap: name → globs.",
        _map_of(validators.SCHEMAS["list"], propertyNames={"pattern": f"^{_GROUP.pattern}$"}),
    )
    extra_urls: tuple[ExtraUrl, ...] = _list(
        validators.extra_urls,
        "Extra URLs to list: URLs, and globs of built files such as `*.pdf`; in a file, also mappings "
        "`{loc, lastmod}`.",
        {"anyOf": [{"type": "string"}, validators.EXTRA_URL]},
    )
    extra_sitemaps: tuple[str, ...] = _list(
        validators.addresses, "Additional sitemaps to name in robots.txt.", doors=JOINED, heading="robots.txt"
    )
    formats: tuple[str, ...] = _list(
        validators.formats,
        "Additional formats to write: `text` (sitemap.txt).",
        {"enum": list(validators.OTHER_FORMATS)},
        validators.OTHER_FORMATS,
        heading="Output",
    )
    replace: bool = _switch(
        False, "Overwrite a sitemap that sitemap-docs did not write.", doors=JOINED, heading="Output"
    )
    cache: bool = _switch(True, "Cache dates from git between builds.", doors=READ, heading="General")
    changefreq: GlobMap[Changefreq] = _option(
        GlobMap(),
        "map",
        _glob_map(validators.changefreq),
        "Glob → changefreq. Search engines ignore it.",
        _map_of({"enum": list(get_args(Changefreq))}),
    )
    priority: GlobMap[float] = _option(
        GlobMap(),
        "map",
        _glob_map(validators.priority),
        "Glob → priority. Search engines ignore it.",
        _map_of({"type": "number", "minimum": 0, "maximum": 1}),
    )
    robots: validators.RobotsMode | tuple[tuple[str, object], ...] = _option(
        "auto",
        "choice",
        validators.robots,
        "Write or merge robots.txt: `auto` (at the root of a host), true or false; in a file, also groups "
        "of rules.",
        {"anyOf": [{"enum": [True, False, *get_args(validators.RobotsMode)]}, {"type": "object"}]},
        ("auto", "true", "false"),
        doors=JOINED,
        heading="robots.txt",
    )
    previews: bool = _switch(
        False, "Also write sitemaps for preview deployments.", doors=JOINED, heading="Output"
    )
    check: bool | tuple[tuple[str, object], ...] = _option(
        False,
        "choice",
        validators.audit_settings,
        "Audit the site after each build: true or false; in a file, also a mapping of select, ignore, "
        "severity and rules.",
        {"anyOf": [validators.SCHEMAS["switch"], validators.AUDIT]},
        ("true", "false"),
        heading="Checks",
    )

    @classmethod
    def of(
        cls, given: Mapping[str, object], doors: AbstractSet[Door] = JOINED, also: Iterable[str] = ()
    ) -> Options:
        """Options from the user's values; names that are missing keep their defaults.

        ``also`` are names of other settings that the place has. Raises SitemapError, naming option and value,
        for an unknown name, for one that none of the ``doors`` takes, and for a value that does not fit.
        """
        known = {option.name: option for option in OPTIONS}
        for name in given:
            if name not in known:
                names = [*also, *(each.name for each in OPTIONS if each.doors & doors)]
                hint = validators.hint(name, names, f"The options are: {', '.join(names)}.")
                raise SitemapError(f"There is no option `{name}`. {hint}")
            option = known[name]
            if not option.doors & doors:
                hosts = " and ".join(_TITLES[host] for host in sorted(option.doors, reverse=True))
                raise SitemapError(f"The option `{name}` is for {hosts} only: {option.instead}.")
        parsed: dict[str, Any] = {}
        for name, value in given.items():
            try:
                parsed[name] = known[name].parse(value)
            except ValueError as error:
                shown = validators.shown(value)
                raise SitemapError(f"The option `{name}` must be {error}, not {shown}.") from None
        return cls(**parsed)


_TITLES: Mapping[str, str] = {"sphinx": "Sphinx", "mkdocs": "MkDocs"}


def page_globs(options: Options) -> list[tuple[str, str]]:
    """The options that hold globs of pages, each with one of them."""
    named_globs = [("excludes", glob) for glob in options.excludes.patterns]
    for _, members in options.groups:
        named_globs += [("groups", glob) for glob in members.patterns]
    named_globs += [("changefreq", glob) for glob, _ in options.changefreq.values]
    named_globs += [("priority", glob) for glob, _ in options.priority.values]
    return named_globs


def spelled(message: str, form: str) -> str:
    """A message with its ``the option `name` `` as a front door has it.

    >>> spelled("The option `lastmod` must be none.", "`sitemap_{}` in conf.py")
    '`sitemap_lastmod` in conf.py must be none.'
    """
    return _NAMED.sub(lambda match: form.format(match[1]), message)


def _described(option: Field[Any]) -> Option:
    form = {"list": "[]", "map": "{}"}.get(option.metadata["shape"]) or str(option.default) or "''"
    if isinstance(option.default, bool):
        form = form.lower()
    return Option(option.name, option.default, form, **option.metadata)


OPTIONS = tuple(map(_described, fields(Options)))
