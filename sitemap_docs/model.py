"""The values that flow from the hosts to the files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, auto
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, NamedTuple, ParamSpec, Protocol, TypeVar

from sitemap_docs.text import one_line, shortened, without_users

#: What the protocol allows: addresses in a sitemap, its bytes unpacked, and characters of an address.
MAX_URLS = 50_000
MAX_BYTES = 52_428_800
MAX_LOC = 2_047

NO_PAGES = "{} contains no HTML page. Build the site first, or name the folder that it is in."

Severity = Literal["error", "warning", "info"]
_P = ParamSpec("_P")
_T = TypeVar("_T")
Changefreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]


class Watch(Protocol):
    """Passes items on while somebody counts them; ``doing`` names them in the passive, ``pages read``."""

    def __call__(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]: ...


def unwatched(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:  # noqa: ARG001
    """The ``Watch`` where there is no terminal."""
    return items


class SitemapError(Exception):
    """Why nothing can be done: what is wrong, where, what to do. As text it is one printable line."""

    def __str__(self) -> str:
        return one_line(shortened(super().__str__()))


class ExistingFileError(SitemapError):
    """A file of the user or of another program is in the way and may not be replaced."""


class Reason(Enum):
    """Why a page is left out; the value is what users see."""

    NOINDEX = "noindex"
    REDIRECT = "redirect"
    CANONICAL = "canonical elsewhere"
    GENERATED = "generated"
    STATIC = "static file"
    NOT_FOUND = "404 page"
    DRAFT = "draft"
    INCLUDED = "only included elsewhere"
    ORPHAN = "not in the navigation"
    NAVIGATION = "only navigation"
    ENCRYPTED = "encrypted"
    SITEMAP_TEMPLATE = "left out by the sitemap template"
    TEMPLATE = "template"
    EXCLUDED = "excluded"
    META = "sitemap: false"
    FALLBACK = "not translated"
    UNSELECTED = "version not selected"
    COPY = "copy of another build"
    DUPLICATE = "duplicate address"
    UNREADABLE = "unreadable"
    SESSION = "session id"
    TOO_LONG = "address too long"
    HOOK = "dropped by the entry hook"
    LEFT = "left by an earlier build"

    def counted(self, number: int) -> str:
        """``3 redirects``, ``1 redirect``, ``4 noindex``."""
        text = f"{number:,} {self.value}"
        countable = (Reason.REDIRECT, Reason.NOT_FOUND, Reason.DRAFT, Reason.STATIC, Reason.TEMPLATE)
        if number != 1 and self in countable:
            text += "s"
        return text


class NoSitemap(NamedTuple):
    """The reason why a build writes no sitemap.

    Attributes:
        kind: What to do with existing files. On a ``preview``, no file changes. A ``version`` that search
            engines must not show loses all sitemaps, including the sitemap of its host. If canonical links
            lead ``elsewhere``, only our own sitemap is removed. Otherwise the existing sitemap stays.
        words: The reason, as users see it.
    """

    kind: Literal["preview", "version", "elsewhere", "no base URL", "own file", "dates", "off"]
    words: str


class Fact(Enum):
    """What a front door knows of a page; what follows from it is decided in ``listing/selection.py``.

    A page is copied as it is (``STATIC``), has no title and is part of others (``INCLUDED``), is a link to a
    folder that is not followed (``LINK``), or is not in the project's own template (``NOT_IN_TEMPLATE``).
    """

    DRAFT = auto()
    ERROR_PAGE = auto()
    GENERATED = auto()
    INCLUDED = auto()
    LEFT = auto()
    LINK = auto()
    LIST = auto()
    NAVIGATION = auto()
    NOT_IN_TEMPLATE = auto()
    ORPHAN = auto()
    PAGINATION = auto()
    STATIC = auto()
    UNREADABLE = auto()
    UNTRANSLATED = auto()


class ExtraUrl(NamedTuple):
    """One value of ``extra_urls``: an address as the user wrote it, perhaps with its date, or a glob."""

    loc: str
    lastmod: datetime | None = None

    @property
    def is_glob(self) -> bool:
        """Whether it names built files: it has a ``*``, or ``!`` in front to leave files out."""
        return "*" in self.loc or self.loc.startswith("!")


class Alternate(NamedTuple):
    """One ``xhtml:link``: a BCP 47 code or ``x-default``, and an absolute URL."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options of one page, from its front matter or field list."""

    listed: bool | None = None
    noindex: bool = False
    lastmod: datetime | None = None
    sources: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    ignore: tuple[str, ...] = ()


#: Of most pages: one for all, as Python makes a new empty one each time.
NO_FACTS: frozenset[Fact] = frozenset()


class Cause(NamedTuple):
    """The reason why a page has no date.

    Attributes:
        rule: The rule of the finding about pages like this one, such as ``shallow-clone``.
        words: The reason as users see it, as a part of a sentence. No code reads the words.
        files: Included files that git does not track.
    """

    rule: str
    words: str
    files: tuple[str, ...] = ()


class Page(NamedTuple):
    """One rendered page, as its host knows it.

    ``path`` is the URL path below the base URL, not percent-encoded: ``""`` is the home page. The canonical
    link of the page may spell it otherwise.
    ``sources`` are the files it is made of, its own source first; none for a page that no file explains.
    ``names`` are what ``excludes`` and the other glob options are matched against.
    ``facts`` is what its host knows of it, and ``template`` the name of the project's sitemap template.
    ``alternates`` are the translations that the host knows of, this page's own included. ``undated`` are
    files that the page depends on and whose commits do not date it, because every page depends on them.
    ``unknown`` is the cause if only a build can find all files that the page includes, for example because
    the name of a file is computed. No commit dates such a page.
    """

    path: str
    file: Path | str
    sources: tuple[Path | str, ...] = ()
    names: tuple[str, ...] = ()
    facts: frozenset[Fact] = NO_FACTS
    alternates: tuple[Alternate, ...] = ()
    options: PageOptions = PageOptions()  # frozen: one for all pages
    undated: tuple[Path | str, ...] = ()
    template: str = ""
    unknown: Cause | None = None


class Entry(NamedTuple):
    """One ``<url>`` of a urlset or ``<sitemap>`` of an index; ``loc`` is absolute and percent-encoded.

    ``group`` names the sitemap of its own that the project gives it, if it does; it is not written.
    """

    loc: str
    lastmod: datetime | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    group: str = ""


class BuildSitemap(NamedTuple):
    """One sitemap of a build: its ``url``, and the ``place`` that it is read from.

    ``pages`` is the URL of the deepest folder that holds what it lists, ``lastmod`` its newest date,
    and ``listed_by`` the URL of the index that lists it.
    ``session`` is the first address with a session id, ``element`` the first element that no entry of ours
    has. ``why`` is why a join leaves it out, ``""`` where it does not.
    """

    url: str
    place: str = ""
    pages: str = ""
    lastmod: datetime | None = None
    listed_by: str = ""
    session: str = ""
    element: str = ""
    why: str = ""

    @property
    def folder(self) -> str:
        """The URL of the folder that it lies in."""
        return self.url.rpartition("/")[0] + "/"


class BuildRow(NamedTuple):
    """A row of the table of builds in a tree: a build with its sitemaps, or the folder of a version.

    ``path`` is that of its folder below the tree, with a slash at its end; that of the tree itself is ``""``.
    ``language`` is the one that it is in, and ``lang`` what its home page has, which may contradict the name
    of the folder. ``version`` is the part of the path that names one. ``original`` is the URL at which its
    pages put themselves, where that is not in its own folder: it is a copy, or an alias. ``state`` is what a
    join did with it; ``""`` where no join is known. ``left_out`` is why a join leaves out any version of it.
    """

    path: str
    language: str = ""
    lang: str = ""
    version: str = ""
    sitemaps: tuple[BuildSitemap, ...] = ()
    original: str = ""
    state: Literal["", "joined", "unselected", "left out"] = ""
    left_out: str = ""

    @property
    def above(self) -> str:
        """The path of the folder that holds its version and the others; its own without a version."""
        if not self.version:
            return self.path
        return f"{f'/{self.path}'.partition(f'/{self.version}/')[0]}/".removeprefix("/")

    @property
    def folder(self) -> str:
        """Its path up to its version; ``""`` without one."""
        return f"{self.above}{self.version}/" if self.version else ""

    @property
    def joined(self) -> list[BuildSitemap]:
        """The sitemaps of it that a join took."""
        return [sitemap for sitemap in self.sitemaps if self.state and not sitemap.why]


NameOf = Literal["loc", "file", "source"]
"""What names a page: its address, its file below the output folder, the file of its own source."""


class Row(NamedTuple):
    """The decision about one page, or about an address of ``extra_urls``.

    Attributes:
        file: The path below the output folder, with ``/``. It is empty for an address of ``extra_urls``.
        loc: The address.
        reason: Why the page is left out. None for a listed page.
        detail: The evidence for the reason, for example the glob that excludes the page.
        asked: Whether an option or the front matter asks for the page.
        lastmod: The exact date, even if the sitemap only shows the day.
        commit: The commit that dates the page.
        changed: The source that this commit changed.
        root: The root folder of the repository with that commit.
        cause: Why a listed page has no date.
        sources: The whole paths of the sources of the page, the page's own source first.
        undated: The whole paths of files that the page depends on, but whose commits do not date it.
        alternates: The translations. Pages with the same translations share one tuple.
        known: Whether a build made the decision. Otherwise it is the result of a dry run.
        ignore: Rules whose findings the page ignores.
        target: The absolute address to which a redirect or a canonical link leads, if that is the reason.
        entry: The entry of a listed page. It is only known to the run that made the decision.
    """

    file: str
    loc: str
    reason: Reason | None = None
    detail: str = ""
    asked: bool = False
    lastmod: datetime | None = None
    commit: str = ""
    changed: str = ""
    root: str = ""
    cause: Cause | None = None
    sources: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()
    alternates: tuple[Alternate, ...] = ()
    known: bool = True
    ignore: tuple[str, ...] = ()
    target: str = ""
    entry: Entry | None = None

    def is_named(self, kind: NameOf, text: str) -> bool:
        """Whether this is the row of the page with a name."""
        if kind == "source":
            return self.sources[:1] == (text,)
        return text == (self.loc if kind == "loc" else self.file)

    def dated(self, lastmod: datetime | None, commit: str = "", changed: str = "", root: str = "") -> Row:
        """The same with a date, which may be that of a commit."""
        return self._replace(lastmod=lastmod, commit=commit, changed=changed, root=root)

    @property
    def why(self) -> str:
        """``redirect (../new/)``, or ``listed``."""
        why = self.reason.value if self.reason else "listed"
        if self.detail:
            why += f" ({self.detail})"
        return why


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A warning of a build, or what the audit found.

    ``rule`` is stable and hyphenated, ``where`` a page, URL or file (``""``: the whole site), ``message``
    says what is wrong and what to do. The audit also sets the ``file`` of the site and the ``line`` in it
    (0: none), and the page's own ``source``. ``hint`` are lines of ours to copy, such as a piece of YAML.
    ``strict``: it also stops a strict build. It names a setting of ours that is wrong, in the configuration
    or in front matter, or the audit found it, which the user asked for.
    """

    rule: str
    message: str
    where: str = ""
    severity: Severity = "warning"
    file: str = ""
    line: int = 0
    source: str = ""
    hint: str = ""
    strict: bool = False

    def __post_init__(self) -> None:
        # What others wrote may be of any length: a host of 255 KB, a title of a megabyte.
        object.__setattr__(self, "message", shortened(without_users(self.message)))
        object.__setattr__(self, "where", without_users(self.where))
        if len(self.where) > MAX_LOC:
            object.__setattr__(self, "where", f"{self.where[:MAX_LOC]}…")

    def at(self, where: str = "", hint: str = "") -> Finding:
        """The same at a place, with lines to copy."""
        return replace(self, where=where, hint=hint)

    def places(self, base: str) -> list[str]:
        """Returns what globs may match: the address, the path below ``base``, the built file, the source."""
        return [*filter(None, (self.where, self.where.removeprefix(base), self.file, self.source))]

    def severity_in(self, *, strict: bool) -> Severity:
        """Returns how a host logs it: in a strict build as information, but for those that stop it.

        A strict build that passes without us passes with us, too.
        """
        if strict and not self.strict:
            return "info"
        return self.severity

    def data(self) -> dict[str, object]:
        """As JSON has it, where what is not known is null."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "where": self.where,
            "file": self.file,
            "line": self.line or None,
            "source": self.source or None,
            "hint": self.hint or None,
        }

    @property
    def summary(self) -> str:
        """The message, behind the place where it does not name it itself, on one printable line."""
        if self.where in self.message:
            return one_line(self.message)
        return one_line(f"{self.where}: {self.message}")

    def __str__(self) -> str:
        """The line, which ends with the rule in brackets, and the hint below it."""
        return "\n".join(filter(None, [f"{self.summary} [{self.rule}]", self.hint]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule: what findings of one name have in common.

    ``group`` is what it is about: of the audit the module of the rule, of a build its room. ``severity`` is
    what it has unless settings, or in a build the place, have another one. ``function`` yields the findings
    of the audit, or returns the sentence of a build's. A finding that is ``strict`` stops a strict build.
    ``takes`` are the names of the arguments in the audit: it is called once for each object of the first.
    ``settings`` are what a project may change, with their defaults. ``once``: what it finds is one finding.
    """

    id: str
    group: str
    severity: Severity
    function: Callable[..., Any]
    takes: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    once: bool = False
    strict: bool = True

    @property
    def documentation(self) -> str:
        """What is wrong, what follows, what to do, and the source."""
        return cleandoc(self.function.__doc__ or "")

    @property
    def summary(self) -> str:
        """What is wrong, in one sentence."""
        return self.documentation.partition("\n")[0]

    @property
    def source(self) -> tuple[str, str]:
        """The name of what says so and its address, ``""`` for none."""
        name, _, url = self.documentation.partition("\nSource: ")[2].partition(",\n")
        return name, url

    @property
    def whole(self) -> bool:
        """Whether the rule reads whole pages; it then runs only when it is selected."""
        return "body" in self.takes


DECLARED: list[Rule] = []
"""The rules of builds, joins and front doors, of the modules that are imported; ``findings.py`` has all."""


def reported(
    severity: Severity = "warning", *, strict: bool = False
) -> Callable[[Callable[_P, str]], Callable[_P, Finding]]:
    """Declares a rule of builds, with the name of the function and its docstring as the prose.

    The function returns the sentence; what it becomes returns the finding.
    """

    def declare(function: Callable[_P, str]) -> Callable[_P, Finding]:
        name = function.__name__.replace("_", "-")
        room = function.__module__.split(".")[1]
        DECLARED.append(Rule(id=name, group=room, severity=severity, function=function, strict=strict))

        @wraps(function)
        def make(*args: _P.args, **kwargs: _P.kwargs) -> Finding:
            message = function(*args, **kwargs)
            return Finding(rule=name, severity=severity, message=message, strict=strict)

        return make

    return declare
