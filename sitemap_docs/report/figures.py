"""The figures of the report, counted from an audited site."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.audit.history import recorded_stamp
from sitemap_docs.audit.registry import SEVERITIES
from sitemap_docs.history.lastmod import CommitInfo, describe
from sitemap_docs.history.repository import GitTrouble
from sitemap_docs.listing.selection import Selector
from sitemap_docs.report.forge import read_forge
from sitemap_docs.sitemap.dates import read_date
from sitemap_docs.webroot.headers import read_headers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemap_docs import pipeline
    from sitemap_docs.audit.run import Audited
    from sitemap_docs.audit.site import HtmlPage
    from sitemap_docs.history.lastmod import Stamp
    from sitemap_docs.model import Finding
    from sitemap_docs.output.record import Record

STALEST = 15
STALE = 365
"""Days without a change after which a page is stale."""
TOP = "top level"
YEARS = 1_900
"""What is larger is a year, as blogs have it, and no version."""
BUCKETS = (
    (30, "up to 1 month"),
    (91, "1–3 months"),
    (182, "3–6 months"),
    (365, "6–12 months"),
    (730, "1–2 years"),
    (1_096, "2–3 years"),
    (1_826, "3–5 years"),
    (10**6, "over 5 years"),
)
"""Ages in days, up to which each bar counts, and its name."""

_VERSION = re.compile(r"v?\d+(?:\.\d+|\.x)*|stable|latest|dev|main|master|current", re.IGNORECASE)
_SITE = re.compile(" +[-\u2013\u2014|\u00b7\u2022:] +[^-\u2013\u2014|\u00b7\u2022]+$")
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")


class Count(NamedTuple):
    """So many pages of one kind."""

    name: str
    pages: int


class Section(NamedTuple):
    """The pages below one folder, and half of them are older than ``age`` days (None: none has a date)."""

    name: str
    pages: int
    age: float | None


class PageRow(NamedTuple):
    """One page of the site; ``reason`` is empty for a listed one, ``detail`` what decided.

    ``when`` and ``age`` are None without a date. ``rules`` are those with a finding about it. The two URLs
    are empty where the forge is not known.
    """

    loc: str
    title: str
    section: str
    reason: str
    detail: str
    when: datetime | None
    age: int | None
    commit: str
    commit_url: str
    source: str
    edit_url: str
    rules: tuple[str, ...]


class Stale(NamedTuple):
    """A page without a change for ``STALE`` days or more, and its last commit."""

    loc: str
    title: str
    when: datetime
    age: int
    subject: str
    author: str


class RuleFindings(NamedTuple):
    """What one rule found."""

    rule: str
    severity: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, kw_only=True)
class Figures:
    """All that the report shows; ages are in days at the time ``now``."""

    base: str
    now: datetime
    listed: int
    left_out: tuple[Count, ...]
    ages: tuple[Count, ...]
    median_age: float | None
    undated: int
    stalest: tuple[Stale, ...]
    sections: tuple[Section, ...]
    languages: tuple[Count, ...]
    versions: tuple[Count, ...]
    found: tuple[RuleFindings, ...]
    pages: tuple[PageRow, ...]


class _JudgedPage(NamedTuple):
    """A page, why it is left out (``""``: it is listed) and what decided; its date, and the commit of it."""

    page: HtmlPage
    reason: str
    detail: str
    when: datetime | None
    stamp: Stamp | None


def figures(site: pipeline.SiteBuild, audited: Audited, record: Record | None = None) -> Figures:
    """Counts the pages of an audited site as the last build did, from its ``record``.

    Without one, pages are listed or left out, and dated, as a build of the folder alone would have it.
    """
    judged = tuple(_from_record(record, audited) if record else _from_folder(site, audited))
    listed = [each.page for each in judged if not each.reason]
    reasons = (each.reason for each in (record.pages() if record else judged) if each.reason)
    ages = {each.page.file: (site.now - each.when).days for each in judged if each.when and not each.reason}
    suffix = _suffix([page.head.title or "" for page in listed])
    sections = _sections(listed)
    number = record.listed if record else len(listed)
    return Figures(
        base=site.base.url,
        now=site.now,
        listed=number,
        left_out=_counts(Counter(reasons)),
        ages=tuple(_histogram(ages.values())),
        median_age=median(ages.values()) if ages else None,
        undated=number - (record.dated if record else len(ages)),
        stalest=tuple(_stalest(judged, ages, suffix, site.environ)),
        sections=tuple(_measured(sections, ages)),
        languages=_counts(Counter(page.head.lang or "no lang attribute" for page in listed)),
        versions=_counts(Counter(version for page in listed if (version := _version(page)))),
        found=tuple(_found(audited.findings)),
        pages=tuple(_rows(judged, sections, suffix, audited, site)),
    )


def _from_folder(site: pipeline.SiteBuild, audited: Audited) -> Iterator[_JudgedPage]:
    select = Selector(base=site.base, excludes=site.options.excludes, headers=read_headers(site.output))
    for page in audited.site.pages:
        decision = select(page.page)
        stamp = audited.site.history.stamps.get(page.file)
        reason = decision.reason.value if decision.reason else ""
        yield _JudgedPage(page, reason, decision.detail, stamp.when if stamp else None, stamp)


def _from_record(record: Record, audited: Audited) -> Iterator[_JudgedPage]:
    """The pages of the build; what else is in the folder is none."""
    for page in audited.site.pages:
        if known := record.page(page.file):
            date = read_date(known.lastmod)
            when = date.first if date else None
            yield _JudgedPage(page, known.reason, known.detail, when, recorded_stamp(known))


def _rows(
    judged: Iterable[_JudgedPage],
    sections: Mapping[str, Sequence[HtmlPage]],
    suffix: str,
    audited: Audited,
    site: pipeline.SiteBuild,
) -> Iterator[PageRow]:
    rules = _rules_by_place(audited.findings)
    links = _Links(site.environ)
    for page, reason, detail, when, stamp in judged:
        section = _section(page.file)
        yield PageRow(
            loc=page.loc,
            title=_title(page, suffix),
            section=section if section in sections else TOP,
            reason=reason,
            detail=detail,
            when=when,
            age=(site.now - when).days if when else None,
            commit=stamp.commit if stamp else "",
            commit_url=links.commit(stamp) if stamp else "",
            source=page.source,
            edit_url=links.edit(stamp, page) if stamp else "",
            rules=tuple(dict.fromkeys((*rules[page.loc], *rules[page.file]))),
        )


def _rules_by_place(findings: Iterable[Finding]) -> Mapping[str, list[str]]:
    rules: dict[str, list[str]] = defaultdict(list)
    for finding in findings:
        for place in {finding.where, finding.file} - {""}:
            rules[place].append(finding.rule)
    return rules


class _Links:
    """The web pages of commits and sources, with one reading of each repository."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._forge = cache(partial(read_forge, environ=environ))
        self._resolved = cache(Path.resolve)

    def commit(self, stamp: Stamp) -> str:
        forge = self._forge(stamp.root)
        return forge.commit_url(stamp.commit) if forge else ""

    def edit(self, stamp: Stamp, page: HtmlPage) -> str:
        """The editor of a page's own source; ``""`` for one outside the repository that dates the page."""
        forge = self._forge(stamp.root)
        own = page.page.sources[0]
        source = self._resolved(own.parent) / own.name
        top = self._resolved(stamp.root)
        return (
            forge.edit_url(source.relative_to(top).as_posix()) if forge and source.is_relative_to(top) else ""
        )


def _counts(counter: Counter[str]) -> tuple[Count, ...]:
    return tuple(Count(*each) for each in sorted(counter.items(), key=lambda each: (-each[1], each[0])))


def _histogram(ages: Iterable[int]) -> Iterator[Count]:
    counted = Counter(next(name for limit, name in BUCKETS if age <= limit) for age in ages)
    return (Count(name, counted[name]) for _, name in BUCKETS)


def _stalest(
    judged: Iterable[_JudgedPage], ages: Mapping[str, int], suffix: str, environ: Mapping[str, str]
) -> Iterator[Stale]:
    stale = (each for each in judged if ages.get(each.page.file, 0) >= STALE)
    oldest = sorted(stale, key=lambda each: (-ages[each.page.file], each.page.loc))[:STALEST]
    for page, _, _, when, stamp in oldest:
        change = _described(stamp, environ)
        title = _title(page, suffix)
        if when:
            yield Stale(page.loc, title, when, ages[page.file], change.subject, change.author)


def _described(stamp: Stamp | None, environ: Mapping[str, str]) -> CommitInfo:
    """The commit of a date; nothing of one from front matter, or that git no longer has."""
    with suppress(GitTrouble):
        return describe(stamp, environ) if stamp else CommitInfo("", "", "")
    return CommitInfo("", "", "")


def _title(page: HtmlPage, suffix: str) -> str:
    return (page.head.title or page.file).removesuffix(suffix)


def _suffix(titles: Sequence[str]) -> str:
    """What nearly all titles end in: the name of the site behind a dash or a bar."""
    ends = Counter(match[0] for title in titles if (match := _SITE.search(title)))
    end, number = ends.most_common(1)[0] if ends else ("", 0)
    return end if number > len(titles) / 2 else ""


def _sections(pages: Iterable[HtmlPage]) -> Mapping[str, Sequence[HtmlPage]]:
    """Pages by their first folder; languages and versions in front of it belong to the name."""
    below: dict[str, list[HtmlPage]] = defaultdict(list)
    for page in pages:
        below[_section(page.file)].append(page)
    for name in [name for name, those in below.items() if len(those) == 1]:  # a page with a folder of its own
        below[TOP] += below.pop(name) if name != TOP else []
    return below


def _measured(sections: Mapping[str, Sequence[HtmlPage]], ages: Mapping[str, int]) -> Iterator[Section]:
    for name, those in sorted(sections.items(), key=lambda each: (-len(each[1]), each[0])):
        dated = [ages[page.file] for page in those if page.file in ages]
        yield Section(name, len(those), median(dated) if dated else None)


def _section(file: str) -> str:
    *folders, _ = file.split("/")
    depth = next((number for number, each in enumerate(folders) if not _is_variant(each)), len(folders) - 1)
    return "/".join(folders[: depth + 1]) or TOP


def _is_variant(folder: str) -> bool:
    return _is_version(folder) or bool(_LANGUAGE.fullmatch(folder))


def _version(page: HtmlPage) -> str:
    folders = page.file.split("/")[:-1]
    if folders and _LANGUAGE.fullmatch(folders[0]):
        folders = folders[1:]
    return folders[0] if folders and _is_version(folders[0]) else ""


def _is_version(folder: str) -> bool:
    return bool(_VERSION.fullmatch(folder)) and not (folder.isdigit() and int(folder) > YEARS)


def _found(findings: Iterable[Finding]) -> Iterator[RuleFindings]:
    ordered = sorted(findings, key=lambda each: (SEVERITIES.index(each.severity), each.rule))
    for rule, same in groupby(ordered, key=attrgetter("rule")):
        those = tuple(same)
        yield RuleFindings(rule, those[0].severity, those)
