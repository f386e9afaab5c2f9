"""The figures of the report, and a row for each page, from an audited site."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property
from operator import attrgetter
from os import fsdecode
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.audit.formats import by_rule
from sitemap_docs.audit.run import Audited
from sitemap_docs.audit.site import HtmlPage
from sitemap_docs.built import Built
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.history.git import GitTrouble, describe, open_repository
from sitemap_docs.model import Finding
from sitemap_docs.text import linear
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.versions import is_version

STALEST = 15
"""Commits of stale pages that are shown."""
STALE = 365
"""Days without a change after which a page is stale."""
TOP = "top level"
LISTED = "listed"
_SEPARATORS = (" - ", " \u2013 ", " \u2014 ", " | ", " \u00b7 ")


class PageRow(NamedTuple):
    """One page of the site; what is not known, or is not there, is an empty text.

    ``status`` is ``LISTED`` or the reason why it is not, ``detail`` what decided. ``findings`` are the rules
    with a finding about it. ``age`` is in days, None without a date, ``root`` that of the repository.
    """

    loc: str
    title: str
    section: str
    status: str
    detail: str
    lastmod: str
    commit: str
    source: str
    findings: str
    age: int | None
    root: str

    def data(self) -> dict[str, str]:
        """As JSON has it."""
        return {name: getattr(self, name) for name in COLUMNS}


class StaleGroup(NamedTuple):
    """The stale pages that one commit dates, the first by address, or those of one day without a commit."""

    first: PageRow
    pages: int
    subject: str
    author: str


COLUMNS = PageRow._fields[:9]
"""What is written about a page in JSON."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """All that the report shows; ages are in days at the time ``now``, ``found`` the findings by rule.

    ``listed`` and ``dated`` count addresses, ``left_out`` the pages by reason, the most first. ``stalest``
    are the pages without a change for ``STALE`` days or more, the oldest first. ``checkout`` is what dates
    the pages, None where no commit does.
    """

    base: str
    checkout: Checkout | None
    now: datetime
    listed: int
    dated: int
    left_out: Mapping[str, int]
    stalest: tuple[StaleGroup, ...]
    found: list[tuple[str, list[Finding]]]
    pages: tuple[PageRow, ...]

    @cached_property
    def listed_pages(self) -> tuple[PageRow, ...]:
        return tuple(page for page in self.pages if page.status == LISTED)

    @cached_property
    def sections(self) -> Mapping[str, list[PageRow]]:
        """The listed pages of each section."""
        pages: dict[str, list[PageRow]] = defaultdict(list)
        for page in self.listed_pages:
            pages[page.section].append(page)
        return pages

    @cached_property
    def ages(self) -> tuple[int, ...]:
        """Those of the listed pages that have a date."""
        return tuple(page.age for page in self.listed_pages if page.age is not None)


def figures(audited: Audited, built: Built) -> Figures:
    """Counts the pages of an audited site as its build did, where that is known.

    What the sitemaps list counts, and its dates; in a folder without a sitemap, what a build of the folder
    would list. Files that a build did not know are none of its pages.
    """
    site = audited.site.build
    pages = list(audited.site.pages)
    record = built.record
    if record and not (record.builds or record.no_sitemap):
        pages = [page for page in pages if page.row.known]
    for decided in built.rows():  # drafts, and templates that render nothing
        if decided.known and decided.reason and decided.file not in audited.site.by_file:
            pages.append(HtmlPage(row=decided, file=decided.file, loc=decided.loc))
    rows = _rows(audited, pages)
    listed = [row for row in rows if row.status == LISTED]
    number, dated = len(listed), sum(row.age is not None for row in listed)
    # A sitemap also lists what is no page of the folder, such as `extra_urls`.
    if record and not record.builds:
        known = [row for row in built.rows() if row.known and row.reason is None]
        number, dated = len(known), sum(row.lastmod is not None for row in known)
    elif audited.site.urls:  # of a tree, too: a build in it may be newer than the join
        number = len({url.loc for url in audited.site.urls})
        dated = len(audited.site.dated_pages)
    reasons = Counter(row.status for row in rows if row.status != LISTED)
    root = next((page.row.root for page in pages if page.row.root), "")
    return Figures(
        base=site.base.url,
        checkout=read_checkout(root, site.surroundings.environ) if root else None,
        now=site.surroundings.now,
        listed=number,
        dated=dated,
        left_out=dict(sorted(reasons.items(), key=lambda each: (-each[1], each[0]))),
        stalest=tuple(_stalest(listed, site.surroundings.environ)),
        found=by_rule(audited.findings),
        pages=rows,
    )


def _rows(audited: Audited, pages: Sequence[HtmlPage]) -> tuple[PageRow, ...]:
    """The rows of pages, as they were decided, or as the sitemaps list them."""
    site = audited.site.build
    rules: dict[str, list[str]] = defaultdict(list)
    for finding in audited.findings:
        for place in {finding.where, finding.file} - {""}:
            rules[place].append(finding.rule)
    resolved = cache(Path.resolve)
    repository_at = cache(repository_of)
    place_of = cache(section_of)
    names = site_names([page.head.title or "" for page in pages])

    rows = []
    sizes: Counter[str] = Counter()
    for page in pages:
        decided = page.row
        status, detail = audited.site.status(page)
        loc = page.loc
        if decided.known and status:  # the sitemap of another program may list it, at another address
            loc = decided.loc
        when = decided.lastmod
        if when is None and page.url and page.url.date:
            when = page.url.date.first
        lastmod = ""
        age = None
        if when:
            lastmod = when.isoformat()
            age = (site.surroundings.now - when).days
        # As its repository names it, wherever the command was run; without one, as seen from there.
        source = page.source
        if decided.sources:
            file = Path(decided.sources[0])
            if top := repository_at(file.parent):
                source = seen_from(top, resolved(file.parent) / file.name)
        section = place_of(page.file.rpartition("/")[0], page.head.lang or "")
        sizes[section] += not status
        title = page.head.title or page.file
        for name in names:
            title = title.removesuffix(name)
        row = PageRow(
            loc=loc,
            title=title,
            section=section,
            status=status or LISTED,
            detail=detail,
            lastmod=lastmod,
            commit=decided.commit,
            source=source,
            findings=" ".join(dict.fromkeys((*rules[page.loc], *rules[page.file]))),
            age=age,
            root=decided.root,
        )
        rows.append(row)
    # A page with a folder of its own is no section.
    return tuple(row if sizes[row.section] > 1 else row._replace(section=TOP) for row in rows)


@linear
def site_names(titles: Collection[str]) -> list[str]:
    """Returns what more than half of the titles end with: what separates the name of the site, and this.

    >>> site_names(["Home - Docs", "Install - Docs", "404"])
    [' - Docs']
    """
    ends: Counter[str] = Counter()
    for title in titles:
        for separator in _SEPARATORS:
            _, separates, end = title.rpartition(separator)
            ends[separates + end] += separates != ""
    return [end for end, number in ends.items() if number > len(titles) / 2]


def section_of(path: str, lang: str) -> str:
    """The section of the files in a folder, its first part; ``lang`` is their language.

    Languages and versions in front of a section belong to its name.
    """
    section = ""
    for folder in path.split("/"):
        section = f"{section}/{folder}".lstrip("/")
        if not (is_version(folder) or folder_language(folder, lang)):
            break
    return section or TOP


def _stalest(listed: Iterable[PageRow], environ: Mapping[str, str]) -> Iterator[StaleGroup]:
    groups: dict[str, list[PageRow]] = defaultdict(list)
    for row in sorted(listed, key=attrgetter("loc")):
        if (row.age or 0) >= STALE:
            groups[row.commit or row.lastmod[:10]].append(row)
    oldest = sorted(groups.values(), key=lambda rows: -(rows[0].age or 0))
    for first, *more in oldest[:STALEST]:
        subject = author = ""
        if first.commit:  # a date from front matter has none
            author, subject = describe(first.root, first.commit, environ)
        yield StaleGroup(first, 1 + len(more), subject, author)


class Checkout(NamedTuple):
    """The commit that is checked out, and its branch or ``""``."""

    commit: str
    branch: str


def read_checkout(root: Path | str, environ: Mapping[str, str]) -> Checkout | None:
    """Returns what is checked out in the repository in ``root``."""
    try:
        repository = open_repository(str(root), environ)
        branch = fsdecode(repository.git.output("branch", "--show-current")).strip()
    except GitTrouble:
        return None
    return Checkout(repository.head, branch)
