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

NO_PAGES = "{} contains no HTML page. Build the site first, or name the folder that it is in."

Severity = Literal["error", "warning", "info"]
_T = TypeVar("_T")
Changefreq = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]


class Watch(Protocol):
    """A function that returns items unchanged and shows the user how many of them have been processed.

    ``doing`` describes the work, such as ``pages read``. ``total`` is the number of all items, if it is
    known.
    """

    def __call__(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]: ...


def unwatched(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:  # noqa: ARG001
    """Return the items without showing how many have been processed. This is the default ``Watch``."""
    return items


class SitemapError(Exception):
    """An error for the user. The message says what is wrong, where, and how to fix it, in one line."""

    def __str__(self) -> str:
        return one_line(shortened(super().__str__()))


class ExistingFileError(SitemapError):
    """An error because a build would replace a file of the user or of another program."""


class Reason(Enum):
    """The reason why a page is left out of the sitemap. The value is the text that users see."""

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
        """Return a text about a number of pages with this reason, such as ``3 redirects``, ``4 noindex``."""
        text = f"{number:,} {self.value}"
        countable = (Reason.REDIRECT, Reason.NOT_FOUND, Reason.DRAFT, Reason.STATIC, Reason.TEMPLATE)
        if number != 1 and self in countable:
            text += "s"
        return text


class NoSitemap(NamedTuple):
    """The reason why a build writes no sitemap.

    Attributes:
        kind: The kind of reason. ``preview``: the build is a preview of a change. ``version``: search engines
            must not show this version. ``elsewhere``: all canonical links lead to another site or version.
            ``no base URL``: the base URL is unknown. ``own file``: the project has a sitemap of its own.
            ``dates``: the dates of the existing sitemap would be lost. ``off``: the user has switched
            sitemap-docs off.
        words: The reason as a text for users.
    """

    kind: Literal["preview", "version", "elsewhere", "no base URL", "own file", "dates", "off"]
    words: str


class Fact(Enum):
    """A fact about a page that may keep the page out of the sitemap, for example that it is a draft.

    Sphinx, MkDocs or the reader of the output folder knows these facts. ``listing/selection.py`` decides
    about their effect.

    Attributes:
        GENERATED: No author has written the page, for example a search page or an index.
        INCLUDED: The page has no title, because other pages include its text.
        LEFT: An earlier build has left the file in the output folder.
        LINK: The file is a symbolic link to a folder that is not searched.
        LIST: The page only lists other pages, for example all posts of a category.
        NAVIGATION: The page is only a navigation menu.
        NOT_IN_TEMPLATE: A sitemap template of the project leaves the page out.
        ORPHAN: The navigation does not contain the page.
        PAGINATION: The page is the second or a later part of a list.
        STATIC: The file was copied from the sources as it is.
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
    """A value of the option ``extra_urls``: an address or a glob such as ``*.pdf``, and perhaps a date."""

    loc: str
    lastmod: datetime | None = None

    @property
    def is_glob(self) -> bool:
        """Whether the value is a glob: it contains ``*``, or begins with ``!`` to exclude files."""
        return "*" in self.loc or self.loc.startswith("!")


class Alternate(NamedTuple):
    """A link from a page to its translation in a language.

    ``hreflang`` is the language, such as ``de`` or ``x-default``. ``href`` is the absolute URL.
    """

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options that an author has set in the front matter of a page.

    Attributes:
        listed: Whether to list the page. None if the front matter does not say so.
        noindex: Whether the page has ``robots: noindex``.
        lastmod: The date of the page.
        sources: Globs of further files whose commits date the page.
        changefreq: How often the page changes, for the sitemap.
        priority: The priority of the page, for the sitemap.
        ignore: The names of rules whose findings about this page are not reported.
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
        rule: The name of the rule that reports such pages, such as ``shallow-clone``.
        words: The reason as a text for users, such as ``a.md is untracked``. No code reads the words.
        files: The files of the page that git does not track. If git tracks such a file under another name,
            the first two are the name on the disk and the name in git.
        root: The work tree of the repository that the finding is about, if it is about one.
        remedy: The way to give the page its date.
    """

    rule: str
    words: str
    files: tuple[str, ...] = ()
    root: str = ""
    remedy: Remedy = ""


class Page(NamedTuple):
    """A page that Sphinx, MkDocs or another generator has rendered.

    Attributes:
        path: The URL path below the base URL, not percent-encoded, such as ``guide/``. The home page has
            ``""``.
        file: The rendered HTML file.
        sources: The files whose commits date the page: its own source, then files that it includes.
        names: The names of the page that the option ``excludes`` and other globs match.
        facts: Facts about the page that may keep it out of the sitemap, for example that it is a draft.
        alternates: The translations of the page, including the page itself.
        options: The options in the front matter of the page.
        undated: Files that the page includes, but whose commits do not date it, because all pages include
            them.
        template: The name of the project's own sitemap template, if the template leaves the page out.
        unknown: The reason why the list of included files is not complete, or None. For example, the name of
            a file is computed. Then the page has no date from git.
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
    """An entry of a sitemap, for a page, or of a sitemap index, for a sitemap.

    Attributes:
        loc: The absolute, percent-encoded address.
        lastmod: The date of the last change.
        alternates: The translations of the page, including the page itself.
        images: The addresses of the images on the page.
        changefreq: How often the page changes, if an option says so.
        priority: The priority of the page, if an option sets it.
        group: The name of the group in the option ``groups`` that contains the page, or ``""``. Each group
            has a sitemap file of its own.
    """

    loc: str
    lastmod: datetime | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    group: str = ""


class TreeSitemap(NamedTuple):
    """A sitemap that the command ``join`` has found in the folder of one site, such as ``2.0/sitemap.xml``.

    Attributes:
        url: The address of the sitemap.
        place: The file or address from which the sitemap is read.
        pages: The URL of the deepest folder that contains all listed pages.
        lastmod: The newest date in the sitemap.
        listed_by: The URL of the index that lists the sitemap, or ``""``.
        session: The first address with a session id, or ``""``.
        element: The first XML element that our own sitemaps cannot contain, or ``""``.
        why: The reason why the command leaves out the sitemap, as a text for users, or ``""``.
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
        """The URL of the folder that contains the sitemap, such as ``https://example.com/2.0/``."""
        return self.url.rpartition("/")[0] + "/"


class TreeSite(NamedTuple):
    """One of several sites in a folder, each with its own version or language, such as ``de/2.0/``.

    Attributes:
        path: The path of the site below the folder with all sites, such as ``de/2.0/``. It is ``""`` for a
            site in that folder itself.
        language: The language of the site.
        lang: The language in the home page of the site. It may contradict the name of the folder.
        version: The part of the path that is a version, such as ``2.0``, or ``""``.
        sitemaps: The sitemaps of the site.
        original: The URL of another site that has the same pages, or to whose pages the canonical links lead,
            or ``""``.
        is_copy: Whether the pages are the same as in ``original``, byte for byte.
        state: The decision of the command ``join`` about the site, or ``""`` if there was none.
        left_out: The reason why ``join`` leaves out the site, if it is not the version, or ``""``.
    """

    path: str
    language: str = ""
    lang: str = ""
    version: str = ""
    sitemaps: tuple[TreeSitemap, ...] = ()
    original: str = ""
    state: Literal["", "joined", "unselected", "left out"] = ""
    left_out: str = ""
    is_copy: bool = False

    @property
    def above(self) -> str:
        """The path of the folder that contains all versions: ``de/`` for the site ``de/2.0/``.

        If the site has no version, it is the path of the site itself.
        """
        if not self.version:
            return self.path
        return f"{f'/{self.path}'.partition(f'/{self.version}/')[0]}/".removeprefix("/")

    @property
    def folder(self) -> str:
        """The path up to the version, such as ``de/2.0/``, or ``""`` if the site has no version."""
        return f"{self.above}{self.version}/" if self.version else ""

    @property
    def joined_sitemaps(self) -> list[TreeSitemap]:
        """The sitemaps of the site that the command ``join`` has merged into the common sitemap."""
        return [sitemap for sitemap in self.sitemaps if self.state and not sitemap.why]


NameOf = Literal["loc", "file", "source"]
"""The kinds of names that a page has: its address, its file below the output folder, its source file."""


class Row(NamedTuple):
    """The decision about one page, or about an address in the option ``extra_urls``.

    Attributes:
        file: The path below the output folder, such as ``guide/index.html``. It is ``""`` for an address in
            ``extra_urls``.
        loc: The absolute address.
        reason: The reason why the page is left out, such as ``noindex``. None for a listed page.
        detail: The evidence for the reason, for example the glob that excludes the page.
        asked: Whether an option or the front matter explicitly asks to list the page.
        lastmod: The exact date, even if the sitemap only shows the day.
        commit: The id of the commit that dates the page, or ``""``.
        changed: The full path of the source file that this commit has changed, or ``""``.
        root: The top folder of the repository with that commit, or ``""``.
        cause: The reason why a listed page has no date.
        sources: The full paths of the source files: the page's own source, then files that it includes.
        undated: The full paths of included files whose commits do not date the page.
        alternates: The translations of the page.
        known: Whether a real build has made the decision, not a dry run.
        ignore: The names of rules whose findings about this page are not reported.
        target: The address to which a redirect or a canonical link leads, if that is the reason, or ``""``.
        entry: The sitemap entry of a listed page. It is None if the row was read from a record.
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
        """Check whether the page has a name: an address (``loc``), a ``file`` or a ``source``."""
        if kind == "source":
            return self.sources[:1] == (text,)
        return text == (self.loc if kind == "loc" else self.file)

    def dated(self, lastmod: datetime | None, commit: str = "", changed: str = "", root: str = "") -> Row:
        """Return a copy of the row with another date.

        Args:
            lastmod: The date.
            commit: The id of the commit with this date, or ``""``.
            changed: The full path of the file that the commit has changed, or ``""``.
            root: The top folder of the repository, or ``""``.
        """
        return self._replace(lastmod=lastmod, commit=commit, changed=changed, root=root)

    @property
    def why(self) -> str:
        """The reason why the page is left out, as a text such as ``redirect (../new/)``, or ``listed``."""
        why = self.reason.value if self.reason else "listed"
        if self.detail:
            why += f" ({self.detail})"
        return why


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem that a build or the command ``check`` reports.

    Attributes:
        rule: The name of the rule, such as ``target-missing``. It stays the same in all versions.
        message: A text that says what is wrong and what to do.
        where: The page, URL or file with the problem. ``""`` means the whole site.
        severity: ``error``, ``warning`` or ``info``.
        file: The file of the site with the problem, or ``""``.
        line: The line in that file, or 0.
        source: The source file of the page, or ``""``.
        hint: Lines to copy, such as a piece of YAML, or ``""``.
        strict: Whether the finding makes a strict build fail, for example ``mkdocs build --strict``.
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
        """Return a copy of the finding with the page or file that has the problem, and with lines to copy."""
        return replace(self, where=where, hint=hint)

    def places(self, base: str) -> list[str]:
        """Return the names of the place of the finding that the globs of the option ``ignore`` match.

        They are the address, the path below the URL ``base``, the file and the source file.
        """
        return [*filter(None, (self.where, self.where.removeprefix(base), self.file, self.source))]

    def severity_in(self, *, strict: bool) -> Severity:
        """Return the severity with which Sphinx or MkDocs logs the finding.

        In a strict build, each warning is an error. So most findings become ``info`` there: a strict build
        should not fail only because sitemap-docs is installed.
        """
        if strict and not self.strict:
            return "info"
        return self.severity

    def data(self) -> dict[str, object]:
        """Return the finding as a dictionary for the JSON output. Unknown values are None."""
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
        """The finding as one line, such as ``guide/index.html: The page has no title``."""
        if self.where in self.message:
            return one_line(self.message)
        return one_line(f"{self.where}: {self.message}")

    def __str__(self) -> str:
        """Return the finding as text: a line with the name of its rule, then the lines to copy, if any."""
        return "\n".join(filter(None, [f"{self.summary} [{self.rule}]", self.hint]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule that finds one kind of problem, in a build or with the command ``check``.

    Attributes:
        id: The name of the rule, such as ``target-missing``.
        group: The subject of the rule, such as ``robots``.
        severity: The default severity of its findings.
        function: The function of the rule. In ``check``, it yields the problems that it finds. In a build, it
            returns the message of a finding.
        takes: The names of the function's arguments in ``check``. If the first one is ``page``, the function
            is called for each page.
        settings: The settings of the rule that a project may change, with their defaults.
        once: Whether the rule reports only one finding for all pages together.
        strict: Whether a finding makes a strict build fail.
        by_default: Whether the rule runs if the user selects no rules. A rule that reads whole pages never
            does.
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
        """The text of the manual about the rule: what is wrong, the consequence, and how to fix it.

        It is the docstring of the function.
        """
        return cleandoc(self.function.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the documentation, which says what is wrong."""
        return self.documentation.partition("\n")[0]

    @property
    def source(self) -> tuple[str, str]:
        """The title and the URL of the document on which the rule is based, from the documentation.

        If there is no such document, both are ``""``.
        """
        name, _, url = self.documentation.partition("\nSource: ")[2].partition(",\n")
        return name, url

    @property
    def whole(self) -> bool:
        """Whether the rule needs the whole HTML of pages. Such a rule runs only if the user selects it."""
        return "body" in self.takes

    @property
    def is_default(self) -> bool:
        """Whether the rule runs if the user selects no rules."""
        return self.by_default and not self.whole
