"""Write the report as a single HTML file.

The file contains its style sheet and script, loads nothing, and can be read without JavaScript.
"""

import html
import re
from collections.abc import Sequence
from importlib.resources import files
from itertools import chain, groupby
from operator import attrgetter
from statistics import median
from string import Template
from typing import NamedTuple
from urllib.parse import urlencode

from sitemap_docs import __version__
from sitemap_docs.audit.formats import by_severity, counted
from sitemap_docs.audit.registry import audit_rules
from sitemap_docs.audit.site import Unlisted
from sitemap_docs.model import Finding, Reason, Severity
from sitemap_docs.report.figures import LISTED, Figures, PageRow
from sitemap_docs.text import many
from sitemap_docs.urls.base import is_web

_SHOWN_AT_MOST = 25
OLD = 1_096  # days
_CODE = re.compile("`{1,2}([^`]+)`{1,2}")
BUCKETS = (
    (-(10**6), 30, "up to 1 month", "a0"),
    (30, 91, "1–3 months", "a0"),
    (91, 182, "3–6 months", "a0"),
    (182, 365, "6–12 months", "a1"),
    (365, 730, "1–2 years", "a2"),
    (730, OLD, "2–3 years", "a3"),
    (OLD, 1_826, "3–5 years", "a3"),
    (1_826, 10**6, "over 5 years", "a4"),
)
"""The groups of the chart of ages. Each has two numbers of days, a name, and a CSS class for its colour.

The days of a group are greater than the first number and at most the second.
"""
FACTS = ("page", "status", "changed", "section", "commit", "source")
"""The columns of the list of all pages, and the CSS classes of their cells."""
_SHORT = 8  # digits of a commit
# Control characters, characters that change the direction of text, and unpaired surrogates.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class _Bar(NamedTuple):
    """A bar of a bar chart."""

    #: The name next to the bar, as HTML.
    name: str
    #: The number of pages, which is the length.
    pages: int
    #: An age in days, which sets the colour.
    age: float | None = None
    #: The text to the right of the bar.
    text: str = ""


def render_report(figures: Figures) -> str:
    """Return the report as HTML."""
    folder = files("sitemap_docs.report")
    charts = _section("freshness", "Freshness", _freshness(figures))
    charts += _section("pages", "Listed and left out", _pages(figures))
    charts += _section("sections", "Sections", _sections(figures))
    cards = f'<div class="cards">\n{charts}</div>\n'
    if stalest := _section("stale", "Stalest pages", _stalest(figures)):
        cards = f'<div class="cards">\n{stalest}{cards}</div>\n'
    sections = _section("findings", "Findings", _findings(figures)) + cards
    checkout_text = ""
    if checkout := figures.checkout:
        url = checkout.links.commit(checkout.commit) if checkout.links else ""
        branch = ""
        if checkout.branch:
            branch = f"branch <code>{as_html(checkout.branch)}</code>, "
        checkout_text = f" · {branch}commit {_commit(checkout.commit, url)}"
    template = folder.joinpath("report.html").read_text("utf-8")
    return Template(template).substitute(
        base=as_html(figures.base),
        name=as_html(figures.name or figures.base),
        style=folder.joinpath("report.css").read_text("utf-8"),
        day=f"{figures.now:%Y-%m-%d}",
        date=f"{figures.now.day} {figures.now:%B %Y}",
        checkout=checkout_text,
        tiles=_tiles(figures),
        sections=sections,
        script=folder.joinpath("report.js").read_text("utf-8"),
        version=__version__,
        **_page_table(figures),
    )


def as_html(text: str) -> str:
    r"""Escape text for HTML, and make invisible characters visible.

    >>> as_html("a<b\u202e")
    'a&lt;b\\u202e'
    """
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", html.escape(text))


def _with_code(text: str) -> str:
    """Escape text for HTML, and show words between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", as_html(text))


def _left_out(figures: Figures) -> dict[Reason | Unlisted, int]:
    """Return how many pages the sitemap leaves out for each reason, without counting the 404 page.

    ``figures`` contains the numbers in the report.
    """
    return {reason: pages for reason, pages in figures.left_out.items() if reason is not Reason.NOT_FOUND}


def _filter(shown: str, **wanted: str) -> str:
    """Return an HTML link with the text ``shown`` that filters the pages in the report.

    For example, ``_filter("12", status="noindex")`` shows only the pages with ``noindex``. All keyword
    arguments are columns with the wanted value.
    """
    return f'<a href="#list" data-filter="{as_html(urlencode(wanted))}">{as_html(shown)}</a>'


def _tiles(figures: Figures) -> str:
    """Return the most important numbers as HTML, for the top of the report."""
    tiles = []
    findings = chain.from_iterable(rule_findings for _, rule_findings in figures.findings_by_rule)
    for severity, number in by_severity(findings).items():
        if number:
            is_singular = severity == "info" or number == 1
            name = severity if is_singular else f"{severity}s"
            link = _link(f"#{severity}", f"{number:,}")
            tiles.append((name, link))
    if not tiles:
        tiles.append(("findings", "0"))
    tiles.append(("pages listed", _filter(f"{figures.listed_count:,}", status=LISTED)))
    left_out = sum(_left_out(figures).values())
    if left_out:
        tiles.append(("left out", _filter(f"{left_out:,}", status="left out")))
    if figures.listed_count:
        share = figures.dated_count / figures.listed_count
        tiles.append(("dated", _link("#freshness", f"{share:.0%}")))
    if figures.ages:
        median_age = age_text(median(figures.ages))
        tiles.append(("median age", _link("#freshness", median_age)))
    html_tiles = ""
    for name, figure in tiles:
        html_tiles += f"<div><dt>{name}</dt><dd>{figure}</dd></div>\n"
    return html_tiles


def _pages(figures: Figures) -> str:
    """Return a bar chart of the pages in the sitemap and those left out for each reason.

    If no page is left out, return ``""``.
    """
    left_out = _left_out(figures)
    if not left_out:
        return ""
    numbers = {LISTED: figures.listed_count}
    for reason, number in left_out.items():
        numbers[reason.value] = number
    bars = [_Bar(_filter(name, status=name), pages) for name, pages in numbers.items()]
    note = ""
    if Reason.NOT_FOUND in figures.left_out:
        note = " The 404 page is not counted."
    total = many(sum(numbers.values()), "page")
    summary = f"<p>{figures.listed_count:,} of {total} are listed.{note}</p>\n"
    return summary + _bars("Pages", bars)


def _freshness(figures: Figures) -> str:
    ages = figures.ages
    if not ages:
        return (
            "<p>No page has a date from git. Pass the folder of the sources with <code>--source</code>. In "
            "a shallow clone, first run <code>git fetch --unshallow --filter=blob:none</code>.</p>\n"
        )
    bars = []
    for above, most, name, _ in BUCKETS:
        pages = sum(above < age <= most for age in ages)
        if pages:
            link = _filter(name, status=LISTED, age=f"{above} {most}")
            bars.append(_Bar(link, pages, most))
    undated = ""
    undated_count = len(figures.listed_pages) - len(ages)
    if undated_count:
        link = _filter(many(undated_count, "page"), status=LISTED, age="none")
        undated = f" {link} without a date."
    median_age = age_text(median(ages))
    old_count = sum(age > OLD for age in ages)
    summary = (
        f"<p>Time since the last change of {many(len(ages), 'page')}: the median is {median_age}; "
        f"{old_count:,} unchanged for three years or more.{undated}</p>\n"
    )
    return summary + _bars("Pages by age", bars)


def _stalest(figures: Figures) -> str:
    """Return an HTML table of the oldest pages, or ``""`` if no page is old."""
    rows = ""
    for page, pages, subject, author in figures.stale_groups:
        cell = _link(page.loc, page.title)
        if pages > 1:
            shared_text = page.commit[:_SHORT] or page.lastmod[:10]
            link = _filter(f"{pages - 1:,} more", status=LISTED, text=shared_text)
            cell += f" and {link}"
        if subject:
            commit = _linked(page.commit_url, as_html(subject))
            cell += f'<br><small>{commit} <span class="by">{as_html(author)}</span></small>'
        age = f"{age_text(page.age)}<br><small>{_day(page)}</small>"
        rows += f'<tr><th scope="row">{cell}</th><td>{age}</td></tr>\n'
    if not rows:
        return ""
    heads = '<th scope="col">page</th><th scope="col">unchanged for</th>'
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"


def _sections(figures: Figures) -> str:
    """Return a bar chart of the largest sections, or ``""`` if the site has fewer than two sections."""
    if len(figures.sections) < 2:  # noqa: PLR2004
        return ""
    bars = []
    sections = figures.sections
    largest_first = sorted(sections, key=lambda name: (-len(sections[name]), name))
    for name in largest_first:
        pages = sections[name]
        ages = [page.age for page in pages if page.age is not None]
        age = median(ages) if ages else None
        link = _filter(name, status=LISTED, section=name)
        bars.append(_Bar(link, len(pages), age, age_text(age)))
    more = _note_of_more(len(bars), " in the list of all pages")
    return _bars("Pages and median age", bars[:_SHOWN_AT_MOST]) + more


def _note_of_more(number: int, where: str = "") -> str:
    """Return a note such as ``… and 12 more``, or ``""`` if a list of ``number`` items is not cut.

    Lists are cut after :data:`_SHOWN_AT_MOST` items. ``where`` ends the note, as in ``" in the list"``.
    """
    if number <= _SHOWN_AT_MOST:
        return ""
    return f"<p>… and {number - _SHOWN_AT_MOST:,} more{where}.</p>\n"


def _bars(caption: str, bars: Sequence[_Bar]) -> str:
    """Return a bar chart, as an HTML table."""
    most_pages = max(bar.pages for bar in bars)
    body = ""
    for bar in bars:
        width = bar.pages / most_pages
        span = f'<span class="bar {shade(bar.age)}" style="width:{width:.1%}"></span>'
        cells = f'<th scope="row">{bar.name}</th><td>{bar.pages:,}</td><td aria-hidden="true">{span}</td>'
        if bar.text:
            cells += f"<td>{bar.text}</td>"
        body += f"<tr>{cells}</tr>\n"
    return f'<table class="bars">\n<caption>{caption}</caption>\n<tbody>\n{body}</tbody>\n</table>\n'


def shade(age: float | None) -> str:
    """Return the CSS class that gives an age in days its colour, such as ``a1`` for 200 days."""
    for _, most, _, name in BUCKETS:
        if age is not None and age <= most:
            return name
    return "none"


def age_text(days: float | None) -> str:
    """Return an age in words, such as ``11 days``, ``5 months`` or ``2.5 years``."""
    if days is None:
        return "no date"
    if days < 60:  # noqa: PLR2004
        return many(round(days), "day")
    if days < 730:  # noqa: PLR2004
        return f"{days / 30.44:.0f} months"
    return f"{days / 365.25:.1f} years"


def _findings(figures: Figures) -> str:
    """Return the problems of the site as HTML, the most severe first."""
    body = ""
    for severity, rules in groupby(figures.findings_by_rule, key=_severity):
        details = ""
        findings: list[Finding] = []
        for rule, rule_findings in rules:
            findings += rule_findings
            details += _rule_details(rule, rule_findings)
        is_open = "" if body else " open"
        badge = f'<span class="badge {severity}">{counted(findings)}</span>'
        body += f'<details class="severity" id="{severity}"{is_open}><summary>{badge}</summary>\n'
        body += f"{details}</details>\n"
    return body


def _severity(rule_and_findings: tuple[str, list[Finding]]) -> Severity:
    _, findings = rule_and_findings
    return findings[0].severity


def _rule_details(rule: str, findings: Sequence[Finding]) -> str:
    summary, *lines = audit_rules()[rule].documentation.splitlines()
    explanation = " ".join(filter(None, lines))
    items = ""
    for finding in findings[:_SHOWN_AT_MOST]:
        place = as_html(finding.where or "the whole site")
        if is_web(finding.where):
            place = _link(finding.where, finding.where)
        items += f"<li>{place}: {_with_code(finding.message)}</li>\n"
    return (
        f'<details class="rule" id="{rule}"><summary><code>{rule}</code> '
        f"<strong>{len(findings):,}</strong> <span>{_with_code(summary)}</span></summary>\n"
        f"<p>{_with_code(explanation)}</p>\n<ul>\n{items}</ul>\n"
        f"{_note_of_more(len(findings))}</details>\n"
    )


def _page_table(figures: Figures) -> dict[str, str]:
    """Return three parts of the page table as HTML: ``{"heads": …, "rows": …, "age_options": …}``.

    The template of the report has a placeholder for each part. ``age_options`` is the filter by age.
    """
    pages = sorted(figures.pages, key=attrgetter("loc"))
    cells = [_cells(page, figures) for page in pages]
    columns = zip(*cells, strict=True)
    used_columns = [number for number, column in enumerate(columns) if any(column)]
    heads = ""
    for number in used_columns:
        name = FACTS[number]
        heads += f'<th scope="col" class="{name}">{name.capitalize()}</th>'
    # Each row is a line of text for the script. As elements, 20,000 rows would take a browser a second.
    rows = []  # Appending a hundred thousand rows to a string could copy the string each time.
    for page, page_cells in zip(pages, cells, strict=True):
        age = "" if page.age is None else page.age
        facts = ""
        for number in used_columns[1:]:
            facts += f'<td class="{FACTS[number]}">{page_cells[number]}</td>'
        rows.append(
            f'<tr data-status="{as_html(page.status)}" data-age="{age}">'
            f'<th scope="row">{page_cells[0]}</th>{facts}</tr>\n'
        )
    age_options = ""
    for above, most, name, _ in BUCKETS:
        age_options += f'<option value="{above} {most}">{name}</option>'
    age_options += '<option value="none">no date</option>'
    return {"age_options": age_options, "heads": heads, "rows": "".join(rows)}


def _cells(page: PageRow, figures: Figures) -> tuple[str, ...]:
    """Return the row of the HTML table for a page: one cell for each column in ``FACTS``.

    ``figures`` are the facts about the whole site.
    """
    address = page.loc.removeprefix(figures.base) or page.loc
    title = f"{_link(page.loc, page.title)}<br><small>{_path(address)}</small>"
    status = as_html(page.status)
    if page.detail and page.reason:
        detail = page.detail.removeprefix(figures.base)
        status += f"<br><small>{_path(detail)}</small>"
    for rule in page.findings.split():  # Few pages have findings. A column for them would be wide and empty.
        status += f"<br>{_link(f'#{rule}', rule)}"
    changed = ""
    if page.lastmod:
        changed = f'<span class="dot {shade(page.age)}"></span>{_day(page)}'
    section = ""
    if len(figures.sections) > 1:
        section = _path(page.section)
    commit = _commit(page.commit, page.commit_url)
    source = _linked(page.source_url, _path(page.source))
    return (title, status, changed, section, commit, source)


def _section(name: str, title: str, body: str) -> str:
    """Return a section of the report with its heading. If the body is empty, return ``""``."""
    if not body:
        return ""
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def _commit(commit: str, url: str) -> str:
    """Return the first digits of a commit hash as HTML, linked to ``url``."""
    if not commit:
        return ""
    return _linked(url, f"<code>{as_html(commit[:_SHORT])}</code>")


def _link(url: str, text: str) -> str:
    return _linked(url, as_html(text))


def _linked(url: str, content: str) -> str:
    """Put a link around HTML, or return the HTML unchanged if ``url`` is empty."""
    return f'<a href="{as_html(url)}">{content}</a>' if url else content


def _path(text: str) -> str:
    """Return a path as HTML that can wrap after ``/``, ``_`` and ``-``."""
    text = as_html(text)
    for character in "/_-":
        text = text.replace(character, f"{character}<wbr>")
    return text


def _day(page: PageRow) -> str:
    day = page.lastmod[:10]
    return f'<time datetime="{day}">{day}</time>'
