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
    """Passes items through unchanged, and shows the user how many of them have been processed.

    Args:
        items: The items, such as pages.
        doing: The work, such as ``pages read``.
        total: The number of all items, if it is known.
    """

    def __call__(self, items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]: ...


def unwatched(items: Iterable[_T], doing: str, total: int | None = None) -> Iterable[_T]:  # noqa: ARG001
    """Return the items unchanged, and show nothing to the user. This is a :class:`Watch`."""
    return items


class SitemapError(Exception):
    """An error for the user. The message says what is wrong, where, and how to fix it."""

    def __str__(self) -> str:
        return one_line(shortened(super().__str__()))


class ExistingFileError(SitemapError):
    """The build stops, because it would replace a file of the user or of another program."""


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
        """Return the reason with a number of pages, such as ``3 redirects``."""
        text = f"{number:,} {self.value}"
        countable = (Reason.REDIRECT, Reason.NOT_FOUND, Reason.DRAFT, Reason.STATIC, Reason.TEMPLATE)
        if number != 1 and self in countable:
            text += "s"
        return text


class NoSitemap(NamedTuple):
    """The reason why a build writes no sitemap, for example because it is a preview of a change.

    Attributes:
        kind: The kind of reason. ``version``: search engines must not show this version. ``elsewhere``: all
            canonical links lead to another site. ``own file``: the project has its own sitemap. ``dates``:
            the existing sitemap would lose its dates. ``off``: the user has switched sitemap-docs off.
        words: The reason as a text for users.
    """

    kind: Literal["preview", "version", "elsewhere", "no base URL", "own file", "dates", "off"]
    words: str


class Fact(Enum):
    """A fact about a page that may keep it out of the sitemap, for example that it is a draft.

    Attributes:
        GENERATED: No author has written the page, for example a search page or an index.
        INCLUDED: The file is only a part that other pages include. It has no title of its own.
        LEFT: An earlier build has left the file in the output folder.
        LINK: The file is a symbolic link to a folder whose pages belong to another address.
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
    """An address or a glob such as ``*.pdf`` that the user adds to the sitemap with ``extra_urls``."""

    loc: str
    lastmod: datetime | None = None

    @property
    def is_glob(self) -> bool:
        """Whether the value is a glob: it contains ``*``, or begins with ``!`` to exclude files."""
        return "*" in self.loc or self.loc.startswith("!")


class Alternate(NamedTuple):
    """A link from a page to its translation, for example to the German page with ``hreflang="de"``."""

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """The options that an author has set in the front matter of a page.

    Attributes:
        listed: Whether to list the page. None if the front matter does not say so.
        noindex: Whether the page has ``robots: noindex``.
        lastmod: The date of the page.
        sources: Globs of further source files. The page is as new as the newest of its source files.
        ignore: Names of warnings that should not be shown for this page.
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
    """The reason why a page has no date, for example because its source file is not in git.

    Attributes:
        rule: The name of the warning about such pages, such as ``shallow-clone``.
        words: The reason as a text for users, such as ``a.md is untracked``.
        files: The files that are not in git, such as ``a.md``. If git has the file as ``A.md``, this name
            follows.
        root: The folder of the git repository.
        remedy: How to give the page a date.
    """

    rule: str
    words: str
    files: tuple[str, ...] = ()
    root: str = ""
    remedy: Remedy = ""


class Page(NamedTuple):
    """A page that Sphinx, MkDocs or another generator has rendered.

    Attributes:
        path: The URL path below the base URL, such as ``guide/``. The home page has ``""``.
        file: The rendered HTML file.
        sources: The source file of the page, then files that it includes. The newest gives the page its date.
        names: The names by which options such as ``excludes`` can refer to the page.
        facts: Facts that may keep the page out of the sitemap, for example that it is a draft.
        alternates: The translations of the page, including the page itself.
        options: The options in the front matter of the page.
        undated: Included files that do not affect the date, because all pages include them.
        template: The name of the project's sitemap template, if the template leaves the page out.
        unknown: The reason why some included files are not known, or None. A page with such a reason gets no
            date from git.
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
    """An entry of a sitemap, such as a page, or of a sitemap index, which lists sitemaps.

    Attributes:
        loc: The absolute, percent-encoded address.
        lastmod: The date of the last change.
        alternates: The translations of the page, including the page itself.
        images: The addresses of the images on the page.
        group: The name of the sitemap file for the page, if the user divides the sitemap into groups.
    """

    loc: str
    lastmod: datetime | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    changefreq: Changefreq | None = None
    priority: float | None = None
    group: str = ""


class TreeSitemap(NamedTuple):
    """A sitemap in the folder of one version or language, such as ``2.0/sitemap.xml``.

    Attributes:
        url: The address of the sitemap.
        place: The file or address from which the sitemap is read.
        pages: The URL of the deepest folder that contains all listed pages.
        lastmod: The newest date in the sitemap.
        listed_by: The URL of the index that lists the sitemap, or ``""``.
        session: The first address with a session id, or ``""``. There is a warning about it.
        element: The first XML element that a merged sitemap would lose, or ``""``.
        why: The reason why the sitemap is not merged into the common sitemap, or ``""``.
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
    """One version or language of a documentation, in a folder such as ``de/2.0/``.

    Attributes:
        path: The path of the folder.
        language: The language in the name of the folder, such as ``de``.
        lang: The language that the home page declares. It may differ from the name of the folder.
        version: The version in the name of the folder, or ``""``.
        original: The URL of another site that replaces this one in the sitemap, or ``""``. Its pages are the
            same, or the canonical links lead to it.
        is_copy: Whether the pages are the same as in ``original``, byte for byte.
        state: Whether the common sitemap of all versions lists this site. ``""`` until that is decided.
        left_out: The reason why the site is never listed, for example because it is a preview, or ``""``.
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
        """The path of the folder with all versions, such as ``de/`` for ``de/2.0/``.

        For a site without a version, it is the path of the site.
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
        """The sitemaps of this site that the common sitemap of all versions contains."""
        return [sitemap for sitemap in self.sitemaps if self.state and not sitemap.why]


NameOf = Literal["loc", "file", "source"]
"""The kinds of names that a page has: its address, its file below the output folder, its source file."""


class Row(NamedTuple):
    """The decision of a build about one page: whether the sitemap lists it, and with which date.

    Attributes:
        file: The path below the output folder, such as ``guide/index.html``, or ``""`` if there is no file.
        loc: The absolute address.
        reason: The reason why the page is left out, such as ``noindex``. None for a listed page.
        detail: The evidence for the reason, for example the glob that excludes the page.
        asked: Whether an option or the front matter explicitly asks to list the page.
        lastmod: The exact date, even if the sitemap only shows the day.
        commit: The id of the commit with this date, or ``""``.
        changed: The source file that this commit has changed, or ``""``.
        root: The top folder of the repository with that commit, or ``""``.
        cause: The reason why a listed page has no date.
        sources: The source file of the page, then files that it includes, as full paths.
        undated: Included files that do not affect the date of the page.
        alternates: The translations of the page.
        known: Whether a real build has decided, not a dry run.
        ignore: Names of warnings that should not be shown for this page.
        target: The address to which a page redirects, or to which its canonical link leads. Only set if the
            page is left out for this reason.
        entry: The entry in the sitemap, if this build has created it.
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
        """Check whether the page has this name: an address (``loc``), a ``file`` or a ``source``."""
        if kind == "source":
            return self.sources[:1] == (text,)
        return text == (self.loc if kind == "loc" else self.file)

    def dated(self, lastmod: datetime | None, commit: str = "", changed: str = "", root: str = "") -> Row:
        """Return a copy with another date.

        If the date is not from git, all arguments after ``lastmod`` are ``""``.

        Args:
            lastmod: The date.
            commit: The commit with this date.
            changed: The file that the commit has changed.
            root: The folder of the repository.
        """
        return self._replace(lastmod=lastmod, commit=commit, changed=changed, root=root)

    @property
    def why(self) -> str:
        """Why the page is not in the sitemap, for example ``redirect (../new/)``, or ``listed`` if it is."""
        why = self.reason.value if self.reason else "listed"
        if self.detail:
            why += f" ({self.detail})"
        return why


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A warning or an error about the site.

    Attributes:
        rule: The name of the kind of problem, such as ``target-missing``.
        message: A text that says what is wrong and what to do.
        where: The place that messages show: a page, a URL or a file. ``""`` means the whole site.
        severity: ``error``, ``warning`` or ``info``.
        file: The built file with the problem, such as ``guide/index.html``, or ``""``.
        line: The line in the built file, or 0.
        source: The source file of the page, such as ``docs/guide.md``, or ``""``.
        hint: Lines to copy, such as a piece of YAML, or ``""``.
        strict: Whether the problem makes a strict build fail, for example ``mkdocs build --strict``.
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
        """Return a copy of the warning for one page, such as ``guide.html``.

        ``hint`` are lines that the user can copy into a file.
        """
        return replace(self, where=where, hint=hint)

    def places(self, base: str) -> list[str]:
        """Return all names of the page with the problem: its address, its path, its file and its source file.

        The user can give any of these names to the option ``ignore``. ``base`` is the base URL of the site.
        """
        return [*filter(None, (self.where, self.where.removeprefix(base), self.file, self.source))]

    def severity_in(self, *, strict: bool) -> Severity:
        """Return ``error``, ``warning`` or ``info`` for the log of Sphinx or MkDocs.

        A strict build (``-W`` or ``--strict``) stops at each warning of all its extensions. For such a build,
        a finding whose attribute ``strict`` is false becomes ``info``: the build also passes without us.
        """
        if strict and not self.strict:
            return "info"
        return self.severity

    def fails_command(self, *, strict: bool) -> bool:
        """Check whether the finding makes ``sitemap-docs build`` or ``sitemap-docs join`` fail.

        An error does, and with ``strict`` also each warning. The attribute ``strict`` makes no difference
        here, because the flag ``--strict`` of these commands is only about us.
        """
        return self.severity == "error" or (strict and self.severity == "warning")

    def data(self) -> dict[str, object]:
        """Return the problem as a dictionary for the JSON output. Unknown values are None."""
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
        """The problem in one line, such as ``guide/index.html: The page has no title``."""
        if self.where in self.message:
            return one_line(self.message)
        return one_line(f"{self.where}: {self.message}")

    def __str__(self) -> str:
        """Return the problem as text, with the lines to copy below it."""
        return "\n".join(filter(None, [f"{self.summary} [{self.rule}]", self.hint]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A check that finds one kind of problem, such as links to missing pages.

    Attributes:
        id: The name of the rule, such as ``target-missing``.
        group: The subject of the rule, such as ``robots``.
        severity: The default severity: ``error``, ``warning`` or ``info``.
        function: The function that declares the rule. In an audit, the function looks for the problem. For a
            build, it usually writes the message about it.
        takes: The names of the function's arguments. For example, a function whose first argument is ``page``
            is called for each page.
        settings: The settings of the rule that a project may change, with their defaults.
        once: Whether all pages with the problem are reported together.
        strict: Whether the problem makes a strict build fail.
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
        """The text of the manual about the rule: what is wrong, the consequence, and how to fix it."""
        return cleandoc(self.function.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the documentation: what is wrong."""
        return self.documentation.partition("\n")[0]

    @property
    def source(self) -> tuple[str, str]:
        """The title and the URL of the web page on which the rule is based, or ``""`` for both."""
        name, _, url = self.documentation.partition("\nSource: ")[2].partition(",\n")
        return name, url

    @property
    def whole(self) -> bool:
        """Whether the rule must read whole HTML pages, which takes longer."""
        return "body" in self.takes

    @property
    def is_default(self) -> bool:
        """Whether the rule runs if the user selects no rules."""
        return self.by_default and not self.whole
