"""Compute the figures of the report, and a row for each page, from an audited site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, partial
from operator import attrgetter
from os import fsdecode
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.audit.formats import by_rule
from sitemap_docs.audit.html_page import HtmlPage
from sitemap_docs.audit.run import Audited
from sitemap_docs.audit.site import Unlisted
from sitemap_docs.built import BuiltSite
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.diagnostics import SOURCES_UNTRACKED
from sitemap_docs.history.git import GitTrouble, describe, open_repository
from sitemap_docs.linear import linear
from sitemap_docs.model import Finding, Reason
from sitemap_docs.report.repository_links import RepositoryLinks, repository_links
from sitemap_docs.surroundings import Environment
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.versions import is_version

STALEST = 15
"""The number of groups of stale pages that the report shows."""
STALE = 365
"""A page is stale if it has not changed for this number of days."""
TOP = "top level"
LISTED = "listed"
#: Texts between the title of a page and the name of the site.
_SEPARATORS = (" - ", " \u2013 ", " \u2014 ", " | ", " \u00b7 ")


class PageRow(NamedTuple):
    """A page of the site, with the facts that the report shows about it, such as its title and date."""

    loc: str
    title: str
    section: str
    #: The text ``listed``, or the reason why the page is not listed.
    status: str
    #: Details, such as the glob that excludes the page.
    detail: str
    lastmod: str
    commit: str
    source: str
    #: The names of the page's problems, separated by spaces.
    findings: str
    #: The age in days, or None without a date.
    age: int | None
    root: str
    reason: Reason | Unlisted | None
    commit_url: str
    source_url: str

    def data(self) -> dict[str, str]:
        """Return the page as a dictionary for the JSON output."""
        return {name: getattr(self, name) for name in COLUMNS}


class StaleGroup(NamedTuple):
    """A group of pages that have not changed for a long time, with the same last commit or the same date."""

    #: The first page, sorted by address.
    first: PageRow
    page_count: int
    #: The subject of the commit, or ``""``.
    subject: str
    #: The author of the commit, or ``""``.
    author: str


COLUMNS = PageRow._fields[:9]
"""The fields of a page in the JSON output."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The numbers and lists that ``sitemap-docs report`` shows, such as the oldest pages."""

    base: str
    name: str
    #: The commit that is checked out, or None.
    checkout: Checkout | None
    now: datetime
    listed_count: int
    #: The number of listed addresses with a date.
    dated_count: int
    #: The number of pages for each reason.
    left_out: Mapping[Reason | Unlisted, int]
    #: The oldest pages, the oldest first.
    stale_groups: tuple[StaleGroup, ...]
    findings_by_rule: list[tuple[str, list[Finding]]]
    pages: tuple[PageRow, ...]

    @cached_property
    def listed_pages(self) -> tuple[PageRow, ...]:
        """The pages that the sitemap lists."""
        return tuple(page for page in self.pages if page.reason is None)

    @cached_property
    def sections(self) -> Mapping[str, list[PageRow]]:
        """The pages in the sitemap, grouped by section, such as ``guide`` for all pages below ``guide/``."""
        pages: dict[str, list[PageRow]] = defaultdict(list)
        for page in self.listed_pages:
            pages[page.section].append(page)
        return pages

    @cached_property
    def ages(self) -> tuple[int, ...]:
        """The ages in days of all pages in the sitemap that have a date."""
        return tuple(page.age for page in self.listed_pages if page.age is not None)


def count_figures(audited: Audited, built: BuiltSite) -> Figures:
    """Compute the figures of the report, such as the number of listed pages.

    ``audited`` is the site with the problems that were found. ``built`` contains all pages with the decisions
    about them.
    """
    site = audited.site.build
    pages = list(audited.site.pages)
    record = built.record
    if record and not (record.sites or record.no_sitemap):
        pages = [page for page in pages if page.row.known]
    for decided in built.rows:  # Drafts, and templates that render nothing, have no file.
        if decided.known and decided.reason and decided.file not in audited.site.by_file:
            pages.append(HtmlPage(row=decided, file=decided.file, loc=decided.loc))
    checkouts = _Checkouts(site.surroundings.environ)
    endings = site_names([page.head.title or "" for page in pages])
    rows = _rows(audited, pages, endings, checkouts)
    listed_rows = [row for row in rows if row.reason is None]
    listed_count = len(listed_rows)
    dated_count = sum(row.age is not None for row in listed_rows)
    # A sitemap can also list addresses that are not pages of the folder, for example `extra_urls`.
    if record and not record.sites and audited.site.sitemaps:
        recorded_rows = [row for row in built.rows if row.known and row.reason is None]
        listed_count = len(recorded_rows)
        dated_count = sum(row.lastmod is not None for row in recorded_rows)
    elif audited.site.urls:  # This is also for a joined tree, where a build may be newer than the join.
        listed_count = len({url.loc for url in audited.site.urls})
        dated_count = len(audited.site.dated_pages)
    reasons = Counter(row.reason for row in rows if row.reason)
    most_frequent_first = sorted(reasons, key=lambda reason: (-reasons[reason], reason.value))
    root = next((page.row.root for page in pages if page.row.root), "")
    return Figures(
        base=site.base.url,
        name=_name_of_site(endings, pages),
        checkout=checkouts.find(root),
        now=site.surroundings.now,
        listed_count=listed_count,
        dated_count=dated_count,
        left_out={reason: reasons[reason] for reason in most_frequent_first},
        stale_groups=tuple(_stalest(listed_rows, site.surroundings.environ)),
        findings_by_rule=by_rule(audited.findings),
        pages=rows,
    )


def _rows(
    audited: Audited, pages: Sequence[HtmlPage], endings: Sequence[str], checkouts: _Checkouts
) -> tuple[PageRow, ...]:
    """Return a row of the report for each page.

    Args:
        audited: The site with the findings of the audit.
        pages: The pages for the report.
        endings: Texts such as ``" - Docs"`` that are removed from the end of titles.
        checkouts: Makes web links to the source files and commits of the pages.
    """
    site = audited.site.build
    rules: dict[str, list[str]] = defaultdict(list)
    for finding in audited.findings:
        for place in {finding.where, finding.file} - {""}:
            rules[place].append(finding.rule)
    cached_section_of = cache(section_of)
    source_paths = _SourcePaths()

    rows = []
    section_sizes: Counter[str] = Counter()
    for page in pages:
        decided = page.row
        reason, detail = audited.site.status(page)
        loc = page.loc
        if decided.known and reason:  # The sitemap of another program may have another address for the page.
            loc = decided.loc
        date = decided.lastmod
        if date is None and page.url and page.url.date:
            date = page.url.date.first
        lastmod = ""
        age = None
        if date:
            lastmod = date.isoformat()
            age = (site.surroundings.now - date).days
        folder = page.file.rpartition("/")[0]
        section = cached_section_of(folder, page.head.lang or "")
        section_sizes[section] += reason is None
        title = page.head.title or page.file
        for ending in endings:
            title = title.removesuffix(ending)
        source = source_paths.find(page)
        page_rules = dict.fromkeys(rules[page.loc] + rules[page.file])
        row = PageRow(
            loc=loc,
            title=title,
            section=section,
            status=reason.value if reason else LISTED,
            detail=detail,
            lastmod=lastmod,
            commit=decided.commit,
            source=source.path,
            findings=" ".join(page_rules),
            age=age,
            root=decided.root,
            reason=reason,
            commit_url=checkouts.commit_url(decided.root, decided.commit),
            source_url="" if _is_untracked(page) else checkouts.file_url(source),
        )
        rows.append(row)
    for number, row in enumerate(rows):
        if section_sizes[row.section] <= 1:  # A folder with a single page is not a section.
            rows[number] = row._replace(section=TOP)
    return tuple(rows)


class _SourcePath(NamedTuple):
    """A source file: the path, such as ``docs/guide.md``, and the folder to which the path is relative."""

    root: str
    path: str


class _SourcePaths:
    """Finds the path of a page's source file in its git repository, such as ``docs/guide.md``."""

    def __init__(self) -> None:
        self._resolve = cache(Path.resolve)
        self._repository_of = cache(repository_of)

    def find(self, page: HtmlPage) -> _SourcePath:
        """Return the path of a page's source in its git repository, such as ``docs/guide.md``."""
        if page.row.sources:
            file = Path(page.row.sources[0])
            if root := self._repository_of(file.parent):
                return _SourcePath(str(root), seen_from(root, self._resolve(file.parent) / file.name))
        return _SourcePath("", page.source)


def _is_untracked(page: HtmlPage) -> bool:
    """Check whether the source file of a page has not been committed to git."""
    return page.row.cause is not None and page.row.cause.rule == SOURCES_UNTRACKED


def _name_of_site(endings: Sequence[str], pages: Sequence[HtmlPage]) -> str:
    """Return the name of a site from its page titles, such as ``Docs`` from ``Install - Docs``.

    ``endings`` are the endings that most titles share, such as ``" - Docs"``. If there are none, return the
    title of the home page.
    """
    if endings:
        longest = max(endings, key=len)
        return longest.lstrip("".join(_SEPARATORS))
    for page in pages:
        if page.file == "index.html" and page.row.reason is None:
            return page.head.title or ""
    return ""


@linear
def site_names(titles: Collection[str]) -> list[str]:
    """Return the endings that most titles share, such as ``" - Docs"``.

    >>> site_names(["Home - Docs", "Install - Docs", "404"])
    [' - Docs']
    """
    endings: Counter[str] = Counter()
    for title in titles:
        for separator in _SEPARATORS:
            _, found_separator, name = title.rpartition(separator)
            endings[found_separator + name] += found_separator != ""
    return [ending for ending, number in endings.items() if number > len(titles) / 2]


def section_of(path: str, lang: str) -> str:
    """Return the section of a folder: ``guide`` for ``guide/install``, ``de/guide`` for ``de/guide/install``.

    ``lang`` is the language of the pages.
    """
    section = ""
    for folder in path.split("/"):
        section = f"{section}/{folder}".lstrip("/")
        if not (is_version(folder) or folder_language(folder, lang)):
            break
    return section or TOP


def _stalest(rows: Iterable[PageRow], environ: Environment) -> Iterator[StaleGroup]:
    """Yield the 15 oldest groups of pages that have not changed for a year, grouped by last commit.

    ``environ`` are the environment variables for git.
    """
    groups: dict[str, list[PageRow]] = defaultdict(list)
    for row in sorted(rows, key=attrgetter("loc")):
        if (row.age or 0) >= STALE:
            groups[row.commit or row.lastmod[:10]].append(row)
    oldest_first = sorted(groups.values(), key=lambda group: -(group[0].age or 0))
    for group in oldest_first[:STALEST]:
        first = group[0]
        subject = author = ""
        if first.commit:  # A date from front matter has no commit.
            author, subject = describe(first.root, first.commit, environ)
        yield StaleGroup(first, len(group), subject, author)


class Checkout(NamedTuple):
    """The commit that is checked out in a git repository."""

    commit: str
    #: The branch, or ``""``.
    branch: str
    #: Makes links to the repository, or None.
    links: RepositoryLinks | None = None


def read_checkout(root: Path | str, environ: Environment) -> Checkout | None:
    """Return the commit that is checked out in a git repository, or None if git fails."""
    try:
        repository = open_repository(str(root), environ)
        branch = fsdecode(repository.git.output("branch", "--show-current")).strip()
    except GitTrouble:
        return None
    links = None
    with suppress(GitTrouble):  # The repository has no remote with this name.
        remote = fsdecode(repository.git.output("remote", "get-url", "origin"))
        links = repository_links(remote.strip())
    return Checkout(repository.head, branch, links)


class _Checkouts:
    """Finds the current commit of each git repository, and makes web links to its commits and files."""

    def __init__(self, environ: Environment) -> None:
        self._read = cache(partial(read_checkout, environ=environ))

    def find(self, root: str) -> Checkout | None:
        """Return the checked out commit of the git repository in the folder ``root``, otherwise None."""
        return self._read(root) if root else None

    def commit_url(self, root: str, commit: str) -> str:
        """Return the web address of a commit, such as one on GitHub, or ``""`` if it is unknown."""
        checkout = self.find(root)
        if not (commit and checkout and checkout.links):
            return ""
        return checkout.links.commit(commit)

    def file_url(self, source: _SourcePath) -> str:
        """Return the web address of a source file, such as one on GitHub, or ``""`` if it is unknown."""
        checkout = self.find(source.root)
        if not (checkout and checkout.links):
            return ""
        return checkout.links.file(checkout.commit, source.path)
