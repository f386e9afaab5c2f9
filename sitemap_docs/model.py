"""The values that modules pass to each other.

For one page, in the order in which the values are made:

- ``Page``: a rendered page, as its entry point knows it
  - ``Decision`` (``listing/selection.py``): its address, and whether it is listed
    - ``Row``: everything that is decided about it, in the record, too
      - ``Entry``: what the sitemap says about it, if it is listed
      - ``Cause``: why it has no date, if it has none
      - ``HtmlPage`` (``audit/html_page.py``): the row, and the file as it is now, for the rules
        - ``PageRow`` (``report/figures.py``): a line of the report

For one site:

- ``Project`` (``project.py``): what is known before the pages are collected
  - ``Collected`` (``decide.py``): what the entry point learned, with the pages
    - ``Decided`` (``decide.py``): the rows, the findings, and ``NoSitemap`` if it has no sitemap
      - ``Published`` (``publish.py``): what was written
      - ``Record`` (``output/record.py``): what a later command knows of the build
- ``BuiltFolder`` (``built.py``): a folder that somebody built, with the record
  - ``BuiltSite`` (``built.py``): the rows, from the record or from a new decision
    - ``Site`` (``audit/site.py``): the files and the rows together, for the rules
      - ``Audited`` (``audit/run.py``): the findings of the rules

A reason is a value, too: ``Reason`` says why a page is left out, ``Cause`` why a page has no date, and
``NoSitemap`` why a site has no sitemap. No code reads their words.
"""

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
    """A function that passes items on and counts them. ``doing`` describes the work: ``pages read``."""

    def __call__(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]: ...


def unwatched(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:  # noqa: ARG001
    """Return the items without counting them. This is the ``Watch`` without a terminal."""
    return items


class SitemapError(Exception):
    """An error for the user. The message says what is wrong, where, and how to fix it, in one line."""

    def __str__(self) -> str:
        return one_line(shortened(super().__str__()))


class ExistingFileError(SitemapError):
    """A file of the user or of another program is in the way and may not be replaced."""


class Reason(Enum):
    """The reason why a page is left out. The value is the text that users see."""

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
        """Return a number of pages with this reason, such as ``3 redirects`` or ``4 noindex``."""
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
            lead ``elsewhere``, only our own sitemap is removed. Otherwise, the existing sitemap stays.
        words: The reason, as users see it.
    """

    kind: Literal["preview", "version", "elsewhere", "no base URL", "own file", "dates", "off"]
    words: str


class Fact(Enum):
    """A fact that an entry point knows about a page. ``listing/selection.py`` decides about its effect.

    Some facts need a word. ``STATIC``: the host copied the page from the sources. ``INCLUDED``: the page has
    no title, because other pages include it. ``LINK``: the file is a link to a folder that is not followed.
    ``NOT_IN_TEMPLATE``: the project's own sitemap template leaves the page out.
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
    """One value of the option ``extra_urls``: an address or a glob, as the user wrote it."""

    loc: str
    lastmod: datetime | None = None

    @property
    def is_glob(self) -> bool:
        """Whether the value is a glob for built files, such as ``*.pdf``, or ``!draft.pdf``."""
        return "*" in self.loc or self.loc.startswith("!")


class Alternate(NamedTuple):
    """A link to a translation: a BCP 47 code or ``x-default``, and an absolute URL."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options of one page, from its front matter or its field list."""

    listed: bool | None = None
    noindex: bool = False
    lastmod: datetime | None = None
    sources: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    ignore: tuple[str, ...] = ()


#: The facts of most pages. All of them share this value, because Python makes a new empty set each time.
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
    """A page that the build has rendered, as its entry point knows it.

    Attributes:
        path: The URL path below the base URL, not percent-encoded, such as ``guide/``. The home page has
            ``""``. The canonical link of the page may use another spelling.
        file: The rendered file.
        sources: The files that date the page, its own source first. Some pages have none.
        names: The names that ``excludes`` and the other glob options match.
        facts: The facts that the entry point knows.
        alternates: The translations that the host knows, including this page.
        options: The options of the page.
        undated: Files that the page depends on, but whose commits do not date it, because every page depends
            on them.
        template: The name of the project's own sitemap template, if it leaves the page out.
        unknown: The cause if only a build can find all files that the page includes, for example because the
            name of a file is computed. No commit dates such a page.
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
    """An entry of a sitemap (``<url>``) or of an index (``<sitemap>``).

    Attributes:
        loc: The absolute, percent-encoded address.
        lastmod: The date.
        alternates: The translations, including the page itself.
        images: The addresses of the images on the page.
        changefreq: How often the page changes, if an option says so.
        priority: The priority, if an option sets it.
        group: The group with a sitemap of its own, or ``""``. It is not written.
    """

    loc: str
    lastmod: datetime | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    group: str = ""


class BuildSitemap(NamedTuple):
    """A sitemap of a build in a tree.

    Attributes:
        url: The address of the sitemap.
        place: The file or address from which the sitemap is read.
        pages: The URL of the deepest folder that contains all listed pages.
        lastmod: The newest date.
        listed_by: The URL of the index that lists the sitemap.
        session: The first address with a session id, or ``""``.
        element: The first XML element that our entries do not have, or ``""``.
        why: The reason why a join leaves out the sitemap, as users see it, or ``""``.
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
        """The URL of the folder of the sitemap."""
        return self.url.rpartition("/")[0] + "/"


class BuildRow(NamedTuple):
    """A build in a tree of several builds, or the folder of a version.

    Attributes:
        path: The path of the build's folder below the tree, with a slash at the end, such as ``de/2.0/``. The
            tree itself has the path ``""``.
        language: The language of the build.
        lang: The language in the home page, which may contradict the name of the folder.
        version: The part of the path that is a version, or ``""``.
        sitemaps: The sitemaps of the build.
        original: The URL of another build of which this build is a copy, by its canonical links, or ``""``.
        state: The decision of a join about the build, or ``""`` without a join.
        left_out: The reason why a join leaves out the build whatever its version, or ``""``.
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
        """The path of the folder with all versions. Without a version, it is the path of the build."""
        if not self.version:
            return self.path
        return f"{f'/{self.path}'.partition(f'/{self.version}/')[0]}/".removeprefix("/")

    @property
    def folder(self) -> str:
        """The path up to and including the version, or ``""`` if the build has no version."""
        return f"{self.above}{self.version}/" if self.version else ""

    @property
    def joined(self) -> list[BuildSitemap]:
        """The sitemaps of the build that a join has taken."""
        return [sitemap for sitemap in self.sitemaps if self.state and not sitemap.why]


NameOf = Literal["loc", "file", "source"]
"""The kinds of names of a page: its address, its file below the output folder, its own source file."""


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
        known: Whether a build made the decision. Otherwise, it is the result of a dry run.
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
        """Check whether this is the row of the page with a name."""
        if kind == "source":
            return self.sources[:1] == (text,)
        return text == (self.loc if kind == "loc" else self.file)

    def dated(self, lastmod: datetime | None, commit: str = "", changed: str = "", root: str = "") -> Row:
        """Return the row with a date, which may come from a commit."""
        return self._replace(lastmod=lastmod, commit=commit, changed=changed, root=root)

    @property
    def why(self) -> str:
        """The reason with its evidence, such as ``redirect (../new/)``, or ``listed``."""
        why = self.reason.value if self.reason else "listed"
        if self.detail:
            why += f" ({self.detail})"
        return why


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem that a build or the audit reports.

    Attributes:
        rule: The stable name of the rule, such as ``target-missing``.
        message: A text that says what is wrong and what to do.
        where: A page, URL or file. ``""`` means the whole site.
        severity: The severity.
        file: The file of the site, if the audit knows it.
        line: The line in that file, or 0.
        source: The source of the page.
        hint: Lines to copy, such as a piece of YAML.
        strict: Whether the finding also stops a strict build. This is so if one of our settings is wrong, or
            if the audit found the problem, because the user has asked for the audit.
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
        # Text from pages may have any length, for example a title of a megabyte.
        object.__setattr__(self, "message", shortened(without_users(self.message)))
        object.__setattr__(self, "where", without_users(self.where))
        if len(self.where) > MAX_LOC:
            object.__setattr__(self, "where", f"{self.where[:MAX_LOC]}…")

    def at(self, where: str = "", hint: str = "") -> Finding:
        """Return the finding with a place, and with lines to copy."""
        return replace(self, where=where, hint=hint)

    def places(self, base: str) -> list[str]:
        """Return the texts that globs may match: address, path below ``base``, built file, source."""
        return [*filter(None, (self.where, self.where.removeprefix(base), self.file, self.source))]

    def severity_in(self, *, strict: bool) -> Severity:
        """Return the severity with which a host logs the finding.

        In a strict build, it is ``info`` unless the finding stops strict builds: a strict build that passes
        without us must pass with us, too.
        """
        if strict and not self.strict:
            return "info"
        return self.severity

    def data(self) -> dict[str, object]:
        """Return the fields of the finding in the JSON output. Unknown values are null."""
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
        """The message as one printable line. The place comes first, unless the message contains it."""
        if self.where in self.message:
            return one_line(self.message)
        return one_line(f"{self.where}: {self.message}")

    def __str__(self) -> str:
        """Return the summary with the rule in brackets, and the hint below."""
        return "\n".join(filter(None, [f"{self.summary} [{self.rule}]", self.hint]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule of the audit or of builds.

    Attributes:
        id: The name.
        group: The subject. For the audit, it is the module of the rule, for builds the package.
        severity: The default severity.
        function: Yields the findings of the audit, or returns the message of a build's finding.
        takes: The names of the arguments in the audit. The rule is called for each object of the first one.
        settings: The settings that a project may change, with their defaults.
        once: Whether the findings about all pages are reported as one.
        strict: Whether a finding stops a strict build.
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
        """The docstring: what is wrong, the consequence, what to do, and the source."""
        return cleandoc(self.function.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first sentence of the documentation, which says what is wrong."""
        return self.documentation.partition("\n")[0]

    @property
    def source(self) -> tuple[str, str]:
        """The name and the address of the document that the rule is based on. Both may be ``""``."""
        name, _, url = self.documentation.partition("\nSource: ")[2].partition(",\n")
        return name, url

    @property
    def whole(self) -> bool:
        """Whether the rule reads whole pages. It then runs only if it is selected."""
        return "body" in self.takes


DECLARED: list[Rule] = []
"""The rules of builds, joins and entry points in the imported modules. ``findings.py`` imports all."""


def reported(
    severity: Severity = "warning", *, strict: bool = False
) -> Callable[[Callable[_P, str]], Callable[_P, Finding]]:
    """Declare a rule of builds.

    The decorated function returns the message of the finding. Its name becomes the name of the rule, and its
    docstring the documentation. The decorator turns it into a function that returns the finding.
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
