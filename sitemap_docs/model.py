"""The values that modules pass to each other, such as a page, an entry of a sitemap, or a finding.

The values of one page, in the order in which they are made:

- ``Page``: a page that Sphinx, MkDocs or another generator has rendered
  - ``Decision`` (``listing/selection.py``): the address of the page, and whether the sitemap lists it
    - ``Row``: the whole decision with date and translations, as the record of the build keeps it
      - ``Entry``: the entry in the sitemap, if the page is listed
      - ``Cause``: the reason why the page has no date
      - ``HtmlPage`` (``audit/html_page.py``): the row together with the HTML file, for the rules of the audit
        - ``PageRow`` (``report/figures.py``): a line of the report

The values of one site:

- ``Project`` (``project.py``): the options, the base URL and the folders
  - ``Collected`` (``decide.py``): the pages, and other facts about the rendered site
    - ``Decided`` (``decide.py``): the rows and the findings, and ``NoSitemap`` if there is no sitemap
      - ``Published`` (``publish.py``): the written files and the numbers of pages
      - ``Record`` (``output/record.py``): a file from which later commands read the rows
- ``BuiltFolder`` (``built.py``): the output folder of a build, with its record
  - ``BuiltSite`` (``built.py``): the rows, from the record or from a dry run
    - ``Site`` (``audit/site.py``): the rows together with the files, for the rules of the audit
      - ``Audited`` (``audit/run.py``): the findings of the rules

Reasons are values, too: ``Reason`` says why a page is left out, ``Cause`` why a page has no date, and
``NoSitemap`` why a site has no sitemap. No code depends on the words in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum, auto
from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from sitemap_docs.text import one_line, shortened, without_users

#: The limits of the sitemap protocol: addresses in a file, unpacked bytes of a file, length of an address.
MAX_URLS = 50_000
MAX_BYTES = 52_428_800
MAX_LOC = 2_047

NO_PAGES = "{} contains no HTML page. Build the site first, or pass the folder that contains it."

Severity = Literal["error", "warning", "info"]
_T = TypeVar("_T")
Changefreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]


class Watch(Protocol):
    """A function that shows the user the progress of a loop.

    Args:
        items: The items of the loop, such as pages.
        doing: The text to show, such as ``pages read``.
        total: The number of items, or None if it is unknown.
    """

    def __call__(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]: ...


def unwatched(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:  # noqa: ARG001
    """Return the items unchanged. Pass this function as ``watch`` to show no progress."""
    return items


class SitemapError(Exception):
    """An error for the user. The message says what is wrong, where, and how to fix it."""

    def __str__(self) -> str:
        return one_line(shortened(super().__str__()))


class ExistingFileError(SitemapError):
    """Raised if the build would replace a file of the user or of another program."""


class Reason(Enum):
    """Why a page is not in the sitemap, for example because it has ``noindex``."""

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
        """Return a number of pages followed by this reason, such as ``3 redirects``."""
        text = f"{number:,} {self.value}"
        countable = (Reason.REDIRECT, Reason.NOT_FOUND, Reason.DRAFT, Reason.STATIC, Reason.TEMPLATE)
        if number != 1 and self in countable:
            text += "s"
        return text


class NoSitemap(NamedTuple):
    """The reason why a build writes no sitemap, for example a preview.

    Attributes:
        kind: A short name, such as ``preview`` or ``off``.
        words: The reason as a text for users.
    """

    kind: Literal["preview", "version", "elsewhere", "no base URL", "own file", "dates", "off"]
    words: str


class Fact(Enum):
    """A fact about a page that may keep the page out of the sitemap.

    Attributes:
        GENERATED: A program, not an author, wrote the content, for example an index.
        INCLUDED: The page is only a part of other pages.
        LEFT: The page is from an earlier build.
        LINK: The page is a symbolic link to another page.
        LIST: The page only lists other pages.
        NAVIGATION: The page is only a menu.
        NOT_IN_TEMPLATE: The sitemap template of the project leaves the page out.
        ORPHAN: The navigation does not contain the page.
        PAGINATION: The page is the second or a later page of a list.
        STATIC: The page was copied from the sources.
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
    """An address or glob in the option ``extra_urls``, such as ``*.pdf``."""

    loc: str
    lastmod: datetime | None = None

    @property
    def is_glob(self) -> bool:
        """Whether ``loc`` is a glob: it contains ``*``, or begins with ``!`` to exclude files."""
        return "*" in self.loc or self.loc.startswith("!")


class Alternate(NamedTuple):
    """A link from a page to its translation (``hreflang``)."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options in the front matter of a page.

    Attributes:
        listed: Whether to list the page. None means unset.
        sources: Globs of more source files, whose commits also change the date of the page.
        ignore: Names of rules to ignore for this page.
    """

    listed: bool | None = None
    noindex: bool = False
    lastmod: datetime | None = None
    sources: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    ignore: tuple[str, ...] = ()


#: The facts of most pages. All of them share this value, because Python makes a new empty set each time.
NO_FACTS: frozenset[Fact] = frozenset()


Remedy = Literal["", "literal-name", "extension"]
"""A way to give a page its date: write the name of an included file literally, or use the Sphinx extension.

``""`` means that the only way is to list the sources in the page itself.
"""


class Cause(NamedTuple):
    """The reason why a page has no date.

    Attributes:
        rule: The name of the warning, such as ``shallow-clone``.
        words: The reason, such as ``a.md is untracked``.
        files: The files that are not in git.
        root: The folder of the git repository.
        remedy: What helps: ``extension`` means to use the Sphinx extension.
    """

    rule: str
    words: str
    files: tuple[str, ...] = ()  # If git has a.md as A.md, this name follows.
    root: str = ""
    remedy: Remedy = ""


class Page(NamedTuple):
    """A page that Sphinx, MkDocs or another generator has rendered.

    Attributes:
        path: The path below the base URL, such as ``guide/``.
        file: The rendered HTML file.
        sources: The source file and the files it includes.
        names: The paths with which globs in options such as ``excludes`` are compared.
        facts: Possible reasons to leave out the page.
        alternates: The translations, including the page itself.
        undated: Included files that do not affect the date.
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
    unknown: Cause | None = None  # A page with such a reason gets no date from git.


class Entry(NamedTuple):
    """An entry of a sitemap or of a sitemap index.

    Attributes:
        loc: The absolute, percent-encoded URL.
        lastmod: The date of the last change.
        alternates: The translations, including the page itself.
        images: The URLs of images on the page.
        group: The name in the option ``groups``, or ``""``.
    """

    loc: str
    lastmod: datetime | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    group: str = ""


class TreeSitemap(NamedTuple):
    """The sitemap of one version or language, such as ``2.0/sitemap.xml``, which ``sitemap-docs join`` reads.

    Attributes:
        place: The file or URL to read.
        pages: The URL of the folder that contains all pages.
        listed_by: The URL of the sitemap index that lists this sitemap, or ``""``.
        session: The first page URL with a session id, which is a problem, or ``""``.
        element: An XML element that merging would lose, which is a problem, or ``""``.
        why: Why the sitemap is not merged, or ``""``.
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
        """The URL of the folder with the sitemap, such as ``https://example.com/2.0/``."""
        return self.url.rpartition("/")[0] + "/"


class TreeSite(NamedTuple):
    """One version or language of a documentation, in a folder such as ``de/2.0/``.

    Attributes:
        language: The language in the path, such as ``de``.
        lang: The language that the home page declares.
        version: The version in the path, or ``""``.
        original: The URL of the site to list instead of this site, or ``""``.
        is_copy: Whether its pages are exactly those of ``original``.
        state: The decision about this site, such as ``joined``: the sitemap of all versions lists it.
        left_out: The reason for the state ``left out``, or ``""``.
    """

    path: str
    language: str = ""
    lang: str = ""
    version: str = ""
    sitemaps: tuple[TreeSitemap, ...] = ()
    original: str = ""
    state: Literal["", "joined", "unselected", "left out"] = ""  # The state is "" until the join decides.
    left_out: str = ""
    is_copy: bool = False

    @property
    def above(self) -> str:
        """The path of the folder with all versions, such as ``de/`` if this version is ``de/2.0/``."""
        if not self.version:
            return self.path
        return f"{f'/{self.path}'.partition(f'/{self.version}/')[0]}/".removeprefix("/")

    @property
    def folder(self) -> str:
        """The path of this version's folder on the site: ``de/2.0/``. Without a version, it is ``""``."""
        return f"{self.above}{self.version}/" if self.version else ""

    @property
    def joined_sitemaps(self) -> list[TreeSitemap]:
        """The sitemaps of this version that are in the sitemap index of all versions."""
        return [sitemap for sitemap in self.sitemaps if self.state and not sitemap.why]


NameOf = Literal["loc", "file", "source"]
"""The kinds of names that a page has: its address, its file below the output folder, its source file."""


class Row(NamedTuple):
    """A page, and the decision whether the sitemap lists it, and with which date.

    Attributes:
        file: The HTML file, such as ``guide/index.html``.
        reason: Why the page is left out, or None.
        detail: More about the reason, such as the glob that matches.
        commit: The commit that gives the date, or ``""``.
        cause: The reason why a listed page has no date.
        target: The target of the page's redirect or canonical link.
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
    target: str = ""  # Only a page that is left out for this reason has a target.
    entry: Entry | None = None

    def is_named(self, kind: NameOf, text: str) -> bool:
        """Check whether ``text`` is the page's ``loc``, ``file`` or ``source``, depending on ``kind``."""
        if kind == "source":
            return self.sources[:1] == (text,)
        return text == (self.loc if kind == "loc" else self.file)

    def dated(self, lastmod: datetime | None, commit: str = "", changed: str = "", root: str = "") -> Row:
        """Return a copy of this page with another date.

        The date comes from ``commit``, which has changed the file ``changed`` in the repository ``root``.
        """
        return self._replace(lastmod=lastmod, commit=commit, changed=changed, root=root)

    @property
    def why(self) -> str:
        """The reason for leaving the page out, such as ``redirect (../new/)``, or else ``listed``."""
        why = self.reason.value if self.reason else "listed"
        if self.detail:
            why += f" ({self.detail})"
        return why


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem that a check or a build has found.

    Attributes:
        rule: The name of the rule, such as ``target-missing``.
        message: The problem, and what to do.
        where: The page, URL or file, or ``""``.
        severity: ``error``, ``warning`` or ``info``.
        file: The built file, such as ``guide/index.html``, or ``""``.
        line: The line in the built file, or 0.
        source: The source file, such as ``docs/guide.md``, or ``""``.
        hint: Lines for the user to copy, or ``""``.
        strict: Whether the problem makes a strict build fail.
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
        """Return a copy of the finding for one page, such as ``guide.html``, with advice in ``hint``."""
        return replace(self, where=where, hint=hint)

    def places(self, base: str) -> list[str]:
        """Return all names for the page with this problem: URL, path below ``base``, file and source."""
        return [*filter(None, (self.where, self.where.removeprefix(base), self.file, self.source))]

    def severity_in(self, *, strict: bool) -> Severity:
        """Return the severity of the finding in a strict or normal build."""
        # A strict build stops at each warning.
        if strict and not self.strict:
            return "info"
        return self.severity

    def fails_command(self, *, strict: bool) -> bool:
        """Check whether the finding makes a command such as ``sitemap-docs build`` fail."""
        return self.severity == "error" or (strict and self.severity == "warning")

    def data(self) -> dict[str, object]:
        """Return the finding for JSON. Unknown values are None."""
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
        """The finding in one line: ``guide/index.html: The page has no title``."""
        if self.where in self.message:
            return one_line(self.message)
        return one_line(f"{self.where}: {self.message}")

    def __str__(self) -> str:
        """Return the problem as text, followed by lines that the user can copy to fix it."""
        return "\n".join(filter(None, [f"{self.summary} [{self.rule}]", self.hint]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A check for one kind of problem, such as links to missing pages.

    Attributes:
        id: The name, such as ``target-missing``.
        group: The subject, such as ``robots``.
        severity: The default severity.
        function: The function that finds the problem. If a build finds it, the function returns the message.
        takes: The names of the function's arguments.
        settings: The settings of the rule, with defaults.
        once: Whether to report only the first finding, with the total number of findings.
        by_default: Whether the rule runs if the user selects no rules.
    """

    id: str
    group: str
    severity: Severity
    function: Callable[..., Any]
    takes: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    once: bool = False
    strict: bool = True
    by_default: bool = True

    @property
    def documentation(self) -> str:
        """The manual's text about this rule: the problem, the consequence and the fix."""
        return cleandoc(self.function.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the rule's documentation."""
        return self.documentation.partition("\n")[0]

    @property
    def source(self) -> tuple[str, str]:
        """The title and URL of the document that the rule is based on, or ``""`` for both."""
        name, _, url = self.documentation.partition("\nSource: ")[2].partition(",\n")
        return name, url

    @property
    def whole(self) -> bool:
        """Whether this rule reads the ``<body>`` of pages, not only the ``<head>``, which takes longer."""
        return "body" in self.takes

    @property
    def is_default(self) -> bool:
        """Whether the rule runs if the user selects no rules."""
        return self.by_default and not self.whole
