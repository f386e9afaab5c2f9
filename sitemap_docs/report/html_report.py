"""The report as one HTML file that loads nothing; its script is in it, and it works without."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from importlib.resources import files
from itertools import chain, groupby
from operator import attrgetter
from string import Template
from urllib.parse import urlencode

from sitemap_docs import __version__
from sitemap_docs.audit.formats import by_severity, counted
from sitemap_docs.audit.registry import ALL
from sitemap_docs.model import Reason
from sitemap_docs.report.figures import BUCKETS, LISTED, STALE, Checkout, Count, Figures, PageRow
from sitemap_docs.text import many
from sitemap_docs.web import is_web

_SHOWN = 25
OLD = 1_096  # days
SHADES = (
    (182, "a0", "up to 6 months"),
    (365, "a1", "6–12 months"),
    (730, "a2", "1–2 years"),
    (1_826, "a3", "2–5 years"),
    (10**6, "a4", "over 5 years"),
    (-1, "none", "no date"),
)
"""Ages in days, up to which a class colours what is so old, and the name of each."""
_CODE = re.compile("`{1,2}([^`]+)`{1,2}")
NOT_FOUND = Reason.NOT_FOUND.value
# Ranges in days, from above the first number to the second, as the script compares them.
_LIMITS = [-(10**6), *(most for most, _ in BUCKETS)]
AGES = (
    *((f"{least} {most}", name) for least, (most, name) in zip(_LIMITS, BUCKETS, strict=False)),
    ("none", "no date"),
)
_SHORT = 8  # letters of a commit
# Control characters, those that change the direction of what follows, and halves of characters.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def render_report(figures: Figures) -> str:
    """The whole file, as text."""
    folder = files("sitemap_docs.report")
    dated = age = "none"
    if figures.listed:
        dated = f"{(figures.listed - figures.undated) / figures.listed:.0%}"
    if figures.median_age is not None:
        age = age_text(figures.median_age)
    counts = by_severity(chain.from_iterable(findings for _, findings in figures.found))
    optional = _section("sections", "Sections", _sections(figures))
    optional += _section("variants", "Languages and versions", _variants(figures))
    return Template(folder.joinpath("report.html").read_text("utf-8")).substitute(
        base=as_html(figures.base),
        style=folder.joinpath("report.css").read_text("utf-8"),
        day=f"{figures.now:%Y-%m-%d}",
        date=f"{figures.now.day} {figures.now:%B %Y}",
        checkout=_checkout(figures.checkout),
        listed=f"{figures.listed:,}",
        left_out=f"{sum(reason.pages for reason in _left_out(figures)):,}",
        dated=dated,
        age=age,
        errors=_link("#error" if counts["error"] else "#findings", f"{counts['error']:,}"),
        warnings=_link("#warning" if counts["warning"] else "#findings", f"{counts['warning']:,}"),
        findings=_findings(figures),
        pages=_pages(figures),
        freshness=_freshness(figures),
        optional=optional,
        script=folder.joinpath("report.js").read_text("utf-8"),
        version=__version__,
        **_list(figures),
    )


def as_html(text: str) -> str:
    r"""``text`` in HTML, where what would change how the rest of the page is shown is seen as an escape.

    >>> as_html("a<b\u202e")
    'a&lt;b\\u202e'
    """
    return _UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", html.escape(text))


def _with_code(text: str) -> str:
    """``text`` in HTML, with what stands between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", as_html(text))


def _checkout(checkout: Checkout | None) -> str:
    """What the report was made from, behind its date; ``""`` where that is not known."""
    if checkout is None:
        return ""
    commit = as_html(checkout.commit[:_SHORT])
    if checkout.forge:
        commit = _link(checkout.forge.commit_url(checkout.commit), commit)
    branch = f"branch <code>{as_html(checkout.branch)}</code>, " if checkout.branch else ""
    return f" · {branch}commit <code>{commit}</code>"


def _left_out(figures: Figures) -> list[Count]:
    """What is left out; the error page of the host is none of the pages that could be listed."""
    return [reason for reason in figures.left_out if reason.name != NOT_FOUND]


def _filter(shown: str, **wanted: str) -> str:
    """A link to the list of all pages, which the script filters by the values of its fields."""
    return f'<a href="#list" data-filter="{as_html(urlencode(wanted))}">{as_html(shown)}</a>'


def _pages(figures: Figures) -> str:
    parts = [Count(LISTED, figures.listed), *_left_out(figures)]
    total = sum(part.pages for part in parts)
    bar = ""
    rows = []
    for number, part in enumerate(parts):
        if total:
            colour = f"p{min(number, 6)}"
            bar += f'<span class="{colour}" style="flex-grow:{part.pages}"></span>'
            name = f'<span class="dot {colour}"></span>{_filter(part.name, status=part.name)}'
            rows.append((name, f"{part.pages:,}", f"{part.pages / total:.1%}"))
    expected = ""
    if any(reason.name == NOT_FOUND for reason in figures.left_out):
        expected = " The 404 page is not counted."
    if figures.expected not in (None, figures.listed):
        expected += f" A build of this folder would list {figures.expected:,}."
    return (
        f'<div class="shares" aria-hidden="true">{bar}</div>\n'
        f"<p>{figures.listed:,} of {many(total, 'page')} listed.{expected}</p>\n"
        f"{_table('Listed and left out', ('pages', 'number', 'share'), rows)}"
    )


def _freshness(figures: Figures) -> str:
    total = sum(figures.ages)
    if not total:
        return (
            "<p>No page has a date from git. Name the sources with <code>--source</code>, and fetch the "
            "whole history.</p>\n"
        )
    old = 0
    bars = []
    for pages, (limit, name), (age, _) in zip(figures.ages, BUCKETS, AGES, strict=False):
        bars.append((_filter(name, status=LISTED, age=age), pages, limit, ""))
        if limit > OLD:
            old += pages
    unknown = sum(page.age is None and page.status == LISTED for page in figures.pages)
    undated = f" {many(unknown, 'page')} without a date." if unknown else ""
    shown = (
        f"<p>Age of {many(total, 'page')} by last change: the median is {age_text(figures.median_age)}, "
        f"{old:,} unchanged for three years or more.{undated}</p>\n{_bars('Pages by age', bars)}"
    )
    if not figures.stalest:
        return f"{shown}<p>No page is stale: all with a date changed in the last {STALE} days.</p>\n"
    rows = []
    for page, pages, subject, author in figures.stalest:
        commit = f'{as_html(subject)} <span class="by">{as_html(author)}</span>'
        name = _link(page.loc, page.title)
        if pages > 1:
            same = page.commit[:_SHORT] or page.lastmod[:10]
            name += f" and {_filter(f'{pages - 1:,} more', status=LISTED, text=same)}"
        rows.append((name, _day(page), age_text(page.age), commit))
    return shown + _table("Stalest pages", ("pages", "last change", "age", "commit"), rows)


def _sections(figures: Figures) -> str:
    """The largest sections, and a key of the colours."""
    if not figures.sections:
        return ""
    bars = []
    for name, pages, age in figures.sections[:_SHOWN]:
        bars.append((_filter(name, status=LISTED, section=name), pages, age, age_text(age)))
    rest = ""
    if len(figures.sections) > _SHOWN:
        more = len(figures.sections) - _SHOWN
        rest = f"<p>… and {more:,} more, which the list of all pages has.</p>\n"
    key = ""
    for _, name, text in SHADES:
        key += f'<li><span class="dot {name}"></span>{text}</li>'
    return f'{_bars("Pages and median age", bars)}{rest}<ul class="key">{key}</ul>\n'


def _bars(caption: str, rows: Sequence[tuple[str, int, float | None, str]]) -> str:
    """A table with a bar for each row: its name as HTML, its pages, the age that colours it, a text."""
    most = max(pages for _, pages, _, _ in rows)
    body = ""
    for name, pages, age, text in rows:
        bar = f'<span class="bar {shade(age)}" style="width:{pages / most:.1%}"></span>'
        end = f"<td>{text}</td>" if text else ""
        body += (
            f'<tr><th scope="row">{name}</th><td>{pages:,}</td><td aria-hidden="true">{bar}</td>{end}</tr>\n'
        )
    return f'<table class="bars">\n<caption>{caption}</caption>\n<tbody>\n{body}</tbody>\n</table>\n'


def shade(age: float | None) -> str:
    """The class for an age in days."""
    for limit, name, _ in SHADES:
        if age is not None and age <= limit:
            return name
    return "none"


def age_text(days: float | None) -> str:
    """An age in words: ``11 days``, ``5 months``, ``2.5 years``."""
    if days is None:
        return "no date"
    if days < 60:  # noqa: PLR2004
        return many(round(days), "day")
    if days < 730:  # noqa: PLR2004
        return f"{days / 30.44:.0f} months"
    return f"{days / 365.25:.1f} years"


def _variants(figures: Figures) -> str:
    """The pages by language and by version, where there is more than one."""
    tables = ""
    for name, counts in (("language", figures.languages), ("version", figures.versions)):
        if len(counts) > 1:
            rows = [(as_html(each.name), f"{each.pages:,}") for each in counts]
            tables += _table(f"Listed pages by {name}", (name, "pages"), rows)
    return tables and f'<div class="pair">{tables}</div>\n'


def _findings(figures: Figures) -> str:
    """The findings by severity, counted as ``check`` counts them, and then by rule."""
    body = ""
    for severity, same in groupby(figures.found, key=lambda each: each[1][0].severity):
        rules = ""
        number = []
        for rule, findings in same:
            number += findings
            what, *why = ALL[rule].documentation.splitlines()
            places = ""
            for finding in findings[:_SHOWN]:
                place = as_html(finding.where or "the whole site")
                if is_web(finding.where):
                    place = _link(finding.where, finding.where)
                places += f"<li>{place}: {_with_code(finding.message)}</li>\n"
            rest = ""
            if len(findings) > _SHOWN:
                rest = f"<p>… and {len(findings) - _SHOWN:,} more.</p>\n"
            rules += (
                f'<details class="rule" id="{rule}"><summary><code>{rule}</code> '
                f"<strong>{len(findings):,}</strong> <span>{_with_code(what)}</span></summary>\n"
                f"<p>{_with_code(' '.join(filter(None, why)))}</p>\n<ul>\n{places}</ul>\n{rest}</details>\n"
            )
        opened = " open" if severity == "error" else ""
        badge = f'<span class="badge {severity}">{counted(number)}</span>'
        body += (
            f'<details class="severity" id="{severity}"{opened}><summary>{badge}</summary>\n'
            f"{rules}</details>\n"
        )
    return body or f"<p>There are {counted([])}.</p>\n"


def _list(figures: Figures) -> dict[str, str]:
    """The rows of all pages, and what the script filters them by.

    The page hides them until the script has run: else the browser lays out thousands of rows again and again.
    """
    sections = set()
    reasons = set()
    rows = []  # joined at the end: a text that grows by a hundred thousand rows may be copied for each
    for page in sorted(figures.pages, key=attrgetter("loc")):
        sections.add(page.section)
        if page.status != LISTED:
            reasons.add(page.status)
        rows.append(_row(page, figures.base))
    names = sorted(sections)
    statuses = [LISTED, "left out", *sorted(reasons)] if reasons else []
    return {
        "section_options": _options(zip(names, names, strict=True)),
        "status_options": _options(zip(statuses, statuses, strict=True)),
        "age_options": _options(AGES),
        "rows": "".join(rows),
    }


def _row(page: PageRow, base: str) -> str:
    address = page.loc.removeprefix(base) or page.loc
    status = f"<td>{LISTED}</td>"
    if page.status != LISTED:
        detail = ""
        if page.detail:
            detail = f"<br><small>{_path(page.detail.removeprefix(base))}</small>"
        status = f'<td class="out" data-status="{as_html(page.status)}">{as_html(page.status)}{detail}</td>'
    changed = "<td>no date</td>"
    if page.lastmod:
        dot = f'<span class="dot {shade(page.age)}"></span>'
        changed = f'<td data-age="{page.age}">{dot}{_day(page)}</td>'
    commit = ""
    if page.commit:
        commit = page.commit[:_SHORT]
        if page.commit_url:
            commit = _link(page.commit_url, commit)
        commit = f"<code>{commit}</code>"
    source = _path(page.source)
    if page.edit_url:
        source += f" {_link(page.edit_url, 'edit', f'Edit {page.source}')}"
    rules = " ".join(_link(f"#{rule}", rule) for rule in page.findings.split())
    return (
        f'<tr><th scope="row">{_link(page.loc, page.title)}<br><small>{_path(address)}</small></th>'
        f"{status}{changed}<td>{_path(page.section)}</td><td>{commit}</td>"
        f"<td>{source}</td><td>{rules}</td></tr>\n"
    )


def _options(choices: Iterable[tuple[str, str]]) -> str:
    options = ""
    for value, text in choices:
        options += f'<option value="{as_html(value)}">{as_html(text)}</option>'
    return options


def _section(name: str, title: str, body: str) -> str:
    """A section of the page; ``""`` for one without a body."""
    if not body:
        return ""
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in a box as wide as the page, in which what is wider scrolls, also by keyboard.

    The first cell of each row is its heading.
    """
    body = ""
    for first, *rest in rows:
        body += f'<tr><th scope="row">{first}</th><td>{"</td><td>".join(rest)}</td></tr>\n'
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table>\n'
        f"<caption>{caption}</caption>\n<thead><tr>{cells}</tr></thead>\n"
        f"<tbody>\n{body}</tbody>\n</table></div>\n"
    )


def _link(url: str, text: str, label: str = "") -> str:
    name = f' aria-label="{as_html(label)}"' if label else ""
    return f'<a href="{as_html(url)}"{name}>{as_html(text)}</a>'


def _path(text: str) -> str:
    """A path or an address, which may break between its words and not inside them."""
    text = as_html(text)
    for end in "/_-":
        text = text.replace(end, f"{end}<wbr>")
    return text


def _day(page: PageRow) -> str:
    day = page.lastmod[:10]
    return f'<time datetime="{day}">{day}</time>'
