"""The figures of the report, counted from an audited site."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.audit.findings import by_rule
from sitemap_docs.audit.history import recorded_stamp
from sitemap_docs.config.dates import read_date
from sitemap_docs.history.lastmod import describe
from sitemap_docs.history.repository import GitTrouble
from sitemap_docs.report.forge import read_forge
from sitemap_docs.urls.languages import folder_language
from sitemap_docs.urls.versions import is_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemap_docs import pipeline
    from sitemap_docs.audit.run import Audited
    from sitemap_docs.audit.site import HtmlPage
    from sitemap_docs.history.lastmod import Stamp
    from sitemap_docs.model import Finding
    from sitemap_docs.output.record import PageRecord, Record
    from sitemap_docs.report.forge import Forge

STALEST = 15
STALE = 365
"""Days without a change after which a page is stale."""
TOP = "top level"
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

# The name of the site at the end of a title, behind a dash, a bar, a dot or a colon.
_SITE = re.compile(" +[-\u2013\u2014|\u00b7\u2022:] +[^-\u2013\u2014|\u00b7\u2022]+$")


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


@dataclass(frozen=True, kw_only=True)
class Figures:
    """All that the report shows; ages are in days at the time ``now``, ``found`` the findings by rule."""

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
    found: list[tuple[str, list[Finding]]]
    pages: tuple[PageRow, ...]


class _Decided(NamedTuple):
    """A page, why it is left out (``""``: it is listed), what decided, its date and the commit behind it."""

    page: HtmlPage
    reason: str
    detail: str
    when: datetime | None
    stamp: Stamp | None


def figures(site: pipeline.SiteBuild, audited: Audited, record: Record | None = None) -> Figures:
    """Counts the pages of an audited site as the last build did, from its ``record``.

    Without one, pages are listed or left out, and dated, as a build of the folder alone would have it.
    """
    if record:
        known = {page.file: page for page in record.pages()}
        decided = _decided_by_build(known, audited)
        reasons = Counter(page.reason for page in known.values() if page.reason)
        # The sitemap also lists what is no page of the folder, such as `extra_urls`.
        number, dated = record.listed, record.dated
    else:
        decided = _decided_by_folder(audited)
        reasons = Counter(each.reason for each in decided if each.reason)
        number = sum(not each.reason for each in decided)
        dated = sum(not each.reason and each.when is not None for each in decided)

    listed = [each.page for each in decided if not each.reason]
    ages = {each.page.file: (site.now - each.when).days for each in decided if each.when and not each.reason}
    suffix = _site_name([page.head.title or "" for page in listed])
    sections = _sections(listed)
    versions = Counter(_version(page) for page in listed)
    del versions[""]
    return Figures(
        base=site.base.url,
        now=site.now,
        listed=number,
        left_out=_largest_first(reasons),
        ages=_histogram(ages.values()),
        median_age=median(ages.values()) if ages else None,
        undated=number - dated,
        stalest=_stalest(decided, ages, suffix, site.environ),
        sections=_with_ages(sections, ages),
        languages=_largest_first(Counter(page.head.lang or "no lang attribute" for page in listed)),
        versions=_largest_first(versions),
        found=by_rule(audited.findings),
        pages=_rows(decided, sections, suffix, audited, site),
    )


def _decided_by_folder(audited: Audited) -> list[_Decided]:
    decided = []
    for page in audited.site.pages:
        decision = audited.site.decision(page)
        reason = decision.reason.value if decision.reason else ""
        stamp = audited.site.history.stamps.get(page.file)
        decided.append(_Decided(page, reason, decision.detail, stamp.when if stamp else None, stamp))
    return decided


def _decided_by_build(recorded: Mapping[str, PageRecord], audited: Audited) -> list[_Decided]:
    """The pages of the build; what else is in the folder is none."""
    decided = []
    for page in audited.site.pages:
        known = recorded.get(page.file)
        if known:
            date = read_date(known.lastmod)
            when = date.first if date else None
            decided.append(_Decided(page, known.reason, known.detail, when, recorded_stamp(known)))
    return decided


def _rows(
    decided: Iterable[_Decided],
    sections: Mapping[str, Sequence[HtmlPage]],
    suffix: str,
    audited: Audited,
    site: pipeline.SiteBuild,
) -> tuple[PageRow, ...]:
    rules: dict[str, list[str]] = defaultdict(list)
    for finding in audited.findings:
        for place in {finding.where, finding.file} - {""}:
            rules[place].append(finding.rule)

    @cache
    def forge_of(root: Path) -> Forge | None:
        return read_forge(root, site.environ)

    @cache
    def resolved(folder: Path) -> Path:
        return folder.resolve()

    rows = []
    for page, reason, detail, when, stamp in decided:
        commit_url = edit_url = ""
        forge = forge_of(stamp.root) if stamp else None
        if forge and stamp:
            commit_url = forge.commit_url(stamp.commit)
            # A source outside of the repository that dates the page has no editor there.
            own = page.page.sources[0]
            source, top = resolved(own.parent) / own.name, resolved(stamp.root)
            if source.is_relative_to(top):
                edit_url = forge.edit_url(source.relative_to(top).as_posix())
        section = _section(page.file)
        rows.append(
            PageRow(
                loc=page.loc,
                title=_title(page, suffix),
                section=section if section in sections else TOP,
                reason=reason,
                detail=detail,
                when=when,
                age=(site.now - when).days if when else None,
                commit=stamp.commit if stamp else "",
                commit_url=commit_url,
                source=page.source,
                edit_url=edit_url,
                rules=tuple(dict.fromkeys((*rules[page.loc], *rules[page.file]))),
            )
        )
    return tuple(rows)


def _largest_first(counter: Counter[str]) -> tuple[Count, ...]:
    ordered = sorted(counter.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Count(name, pages) for name, pages in ordered)


def _histogram(ages: Iterable[int]) -> tuple[Count, ...]:
    counted: Counter[str] = Counter()
    for age in ages:
        for limit, name in BUCKETS:
            if age <= limit:
                counted[name] += 1
                break
    return tuple(Count(name, counted[name]) for _, name in BUCKETS)


def _stalest(
    decided: Iterable[_Decided], ages: Mapping[str, int], suffix: str, environ: Mapping[str, str]
) -> tuple[Stale, ...]:
    stale = [each for each in decided if ages.get(each.page.file, 0) >= STALE]
    stale.sort(key=lambda each: (-ages[each.page.file], each.page.loc))
    found = []
    for page, _, _, when, stamp in stale[:STALEST]:
        subject = author = ""
        if stamp:  # a date from front matter has no commit
            try:
                change = describe(stamp, environ)
                subject, author = change.subject, change.author
            except GitTrouble:
                pass  # a build knew the commit, which git no longer has
        if when:
            found.append(Stale(page.loc, _title(page, suffix), when, ages[page.file], subject, author))
    return tuple(found)


def _title(page: HtmlPage, suffix: str) -> str:
    return (page.head.title or page.file).removesuffix(suffix)


def _site_name(titles: Sequence[str]) -> str:
    """What most titles end in: the name of the site behind a dash or a bar."""
    ends: Counter[str] = Counter()
    for title in titles:
        match = _SITE.search(title)
        if match:
            ends[match[0]] += 1
    for end, number in ends.most_common(1):
        if number > len(titles) / 2:
            return end
    return ""


def _sections(pages: Iterable[HtmlPage]) -> Mapping[str, Sequence[HtmlPage]]:
    """Pages by their first folder; languages and versions in front of it belong to the name."""
    below: dict[str, list[HtmlPage]] = defaultdict(list)
    for page in pages:
        below[_section(page.file)].append(page)
    # A page with a folder of its own is no section.
    alone = [name for name, those in below.items() if len(those) == 1 and name != TOP]
    for name in alone:
        below[TOP] += below.pop(name)
    return below


def _with_ages(sections: Mapping[str, Sequence[HtmlPage]], ages: Mapping[str, int]) -> tuple[Section, ...]:
    measured = []
    for name, those in sections.items():
        dated = [ages[page.file] for page in those if page.file in ages]
        measured.append(Section(name, len(those), median(dated) if dated else None))
    measured.sort(key=lambda section: (-section.pages, section.name))
    return tuple(measured)


def _section(file: str) -> str:
    *folders, _ = file.split("/")
    for depth, folder in enumerate(folders, 1):
        if not (is_version(folder) or folder_language(folder)):
            return "/".join(folders[:depth])
    return "/".join(folders) or TOP


def _version(page: HtmlPage) -> str:
    folders = page.file.split("/")[:-1]
    if folders and folder_language(folders[0]):
        folders = folders[1:]
    return folders[0] if folders and is_version(folders[0]) else ""
