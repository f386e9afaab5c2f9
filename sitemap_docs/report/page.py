"""The report as one HTML file that loads nothing; its script is in it, and it works without."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from sitemap_docs import __version__
from sitemap_docs.audit.registry import ALL
from sitemap_docs.report import svg
from sitemap_docs.report.figures import BUCKETS, STALE, Count
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from sitemap_docs.model import Finding
    from sitemap_docs.report.figures import Figures, PageRow, Stale

SHOWN = 25
OLD = 1_096  # days
_SHADES = (
    ("a0", "up to 6 months"),
    ("a1", "6–12 months"),
    ("a2", "1–2 years"),
    ("a3", "2–5 years"),
    ("a4", "over 5 years"),
    ("none", "no date"),
)
LISTED = "listed"
_COLUMNS = ("Page", "Section", "Status", "Last change", "Commit", "Source", "Findings")
# Else the browser lays out thousands of rows, again and again, before the script takes them out.
_HIDE = 'document.documentElement.classList.add("loading")'
_SHORT = 8  # letters of a commit


def render_report(figures: Figures) -> str:
    """The whole file, as text."""
    folder = files("sitemap_docs.report")
    style = folder.joinpath("report.css").read_text(encoding="utf-8")
    script = folder.joinpath("report.js").read_text(encoding="utf-8")
    sections = (
        _pages(figures),
        _freshness(figures),
        _sections(figures),
        _variants(figures),
        _findings(figures),
        _list(figures, script),
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>Sitemap report: {escape(figures.base)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#pages">Skip to the figures</a>\n{_header(figures)}'
        f"<main>\n{''.join(sections)}"
        f"</main>\n<footer><p>sitemap-docs {__version__}</p></footer>\n</body>\n</html>\n"
    )


def _header(figures: Figures) -> str:
    left_out = sum(each.pages for each in figures.left_out)
    found = sum(len(findings) for _, findings in figures.found)
    dated = age = "none"
    if figures.listed:
        dated = f"{(figures.listed - figures.undated) / figures.listed:.0%}"
    if figures.median_age is not None:
        age = svg.age_text(figures.median_age)
    tiles = (
        (f"{figures.listed:,}", "pages listed"),
        (f"{left_out:,}", "left out"),
        (dated, "have a proven date"),
        (age, "median age"),
        (f"{found:,}", "findings"),
    )
    shown = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for value, name in tiles)
    return (
        f"<header>\n<p>Sitemap report</p>\n<h1>{_link(figures.base, figures.base)}</h1>\n"
        f'<p><time datetime="{figures.now:%Y-%m-%d}">{figures.now.day} {figures.now:%B %Y}</time></p>\n'
        f"<dl>{shown}</dl>\n</header>\n"
    )


def _pages(figures: Figures) -> str:
    parts = [Count(LISTED, figures.listed), *figures.left_out]
    total = sum(part.pages for part in parts)
    rows = []
    for number, part in enumerate(parts):
        if total:
            name = f'<span class="dot p{min(number, 6)}"></span>{escape(part.name)}'
            rows.append((name, f"{part.pages:,}", f"{part.pages / total:.1%}"))
    caption = f"{figures.listed:,} of {many(total, 'page')} listed."
    numbers = _table("Listed and left out", ("pages", "number", "share"), rows)
    return _section("pages", "Pages", _figure("shares", caption, svg.shares(parts)) + numbers)


def _freshness(figures: Figures) -> str:
    total = sum(bar.pages for bar in figures.ages)
    if not total:
        hint = (
            "<p>No page has a date that git proves. Name the sources with <code>--source</code>, "
            "and fetch the whole history.</p>\n"
        )
        return _section("freshness", "Freshness", hint)
    old = sum(bar.pages for bar, (limit, _) in zip(figures.ages, BUCKETS, strict=True) if limit > OLD)
    undated = f" {many(figures.undated, 'page')} without a date." if figures.undated else ""
    summary = (
        f"<p>Age of {many(total, 'page')} by last commit: the median is {svg.age_text(figures.median_age)}, "
        f"{old:,} unchanged for three years or more.{undated}</p>\n"
    )
    return _section("freshness", "Freshness", summary + _ages(figures.ages) + _stale(figures.stalest))


def _ages(ages: Sequence[Count]) -> str:
    most = max(bar.pages for bar in ages)
    rows = "".join(
        f'<tr><th scope="row">{name}</th><td>{bar.pages:,}</td><td aria-hidden="true">'
        f'<span class="bar {svg.shade(limit)}" style="width:{bar.pages / most:.1%}"></span></td></tr>\n'
        for bar, (limit, name) in zip(ages, BUCKETS, strict=True)
    )
    return f'<table class="bars">\n<caption>Pages by age</caption>\n<tbody>\n{rows}</tbody>\n</table>\n'


def _stale(pages: Sequence[Stale]) -> str:
    if not pages:
        return f"<p>No page is stale: each with a date was changed in the last {STALE} days.</p>\n"
    rows = []
    for page in pages:
        commit = f'{escape(page.subject)} <span class="by">{escape(page.author)}</span>'
        rows.append((_link(page.loc, page.title), _day(page.when), svg.age_text(page.age), commit))
    return _table("Stalest pages", ("page", "last change", "age", "commit"), rows)


def _sections(figures: Figures) -> str:
    count = many(len(figures.sections), "section")
    caption = f"{count}: the area is the number of pages, the shade their median age."
    key = "".join(f'<li><span class="dot {name}"></span>{text}</li>' for name, text in _SHADES)
    rows = [(escape(each.name), f"{each.pages:,}", svg.age_text(each.age)) for each in figures.sections]
    table = _table("Pages by section", ("section", "pages", "median age"), rows)
    picture = svg.treemap(figures.sections) if figures.sections else ""
    body = (
        f'{_figure("sections", caption, picture)}<ul class="key">{key}</ul>\n'
        f"<details><summary>As a table</summary>\n{table}</details>\n"
    )
    return _section("sections", "Sections", body)


def _variants(figures: Figures) -> str:
    tables = ""
    for name, counts in (("language", figures.languages), ("version", figures.versions)):
        if counts:
            rows = [(escape(each.name), f"{each.pages:,}") for each in counts]
            tables += _table(f"Listed pages by {name}", (name, "pages"), rows)
    if not tables:
        return ""
    return _section("variants", "Languages and versions", f'<div class="pair">{tables}</div>\n')


def _findings(figures: Figures) -> str:
    if not figures.found:
        return _section("findings", "Findings", "<p>No findings.</p>\n")
    body = ""
    for severity, same in groupby(figures.found, key=lambda found: found[1][0].severity):
        rules = list(same)
        number = sum(len(findings) for _, findings in rules)
        opened = " open" if severity == "error" else ""
        body += (
            f'<details class="severity"{opened}><summary><span class="badge {severity}">{severity}</span> '
            f"{many(number, 'finding')} of {many(len(rules), 'rule')}</summary>\n"
            f"{''.join(_rule(rule, findings) for rule, findings in rules)}</details>\n"
        )
    return _section("findings", "Findings", body)


def _rule(rule: str, findings: list[Finding]) -> str:
    what, *why = ALL[rule].documentation.splitlines()
    places = "".join(f"<li>{_place(each)}</li>\n" for each in findings[:SHOWN])
    more = len(findings) - SHOWN
    rest = f"<p>… and {more:,} more.</p>\n" if more > 0 else ""
    return (
        f'<details class="rule" id="{rule}"><summary><code>{rule}</code> '
        f"<strong>{len(findings):,}</strong> <span>{escape(what)}</span></summary>\n"
        f"<p>{escape(' '.join(each for each in why if each))}</p>\n<ul>\n{places}</ul>\n{rest}</details>\n"
    )


def _place(finding: Finding) -> str:
    place = escape(finding.where or "the whole site")
    if finding.where.startswith(("https://", "http://")):
        place = _link(finding.where, finding.where)
    return f"{place}: {escape(finding.message)}"


def _list(figures: Figures, script: str) -> str:
    """All pages in a plain table, which the script makes sortable and filterable."""
    pages = sorted(figures.pages, key=attrgetter("loc"))
    rows = "".join(_row(page, page.loc.removeprefix(figures.base) or page.loc) for page in pages)
    table = (
        f"<table>\n<caption>All pages</caption>\n<thead><tr>{_heads(_COLUMNS)}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table>"
    )
    body = (
        f"<script>{_HIDE}</script>\n{_filters(figures)}"
        f"{_scrolled('Table of all pages', table, 'all-pages')}<script>\n{script}</script>\n"
    )
    return _section("list", "All pages", body)


def _row(page: PageRow, address: str) -> str:
    status = f"<td>{LISTED}</td>"
    if page.reason:
        detail = f"<br><small>{escape(page.detail)}</small>" if page.detail else ""
        status = f'<td class="out" data-status="{escape(page.reason)}">{escape(page.reason)}{detail}</td>'
    changed = "<td>no date</td>"
    if page.when is not None and page.age is not None:
        dot = f'<span class="dot {svg.shade(page.age)}"></span>'
        changed = f'<td data-age="{page.age}">{dot}{_day(page.when)}</td>'
    commit = page.commit[:_SHORT]
    if page.commit_url:
        commit = _link(page.commit_url, commit)
    if commit:
        commit = f"<code>{commit}</code>"
    source = escape(page.source)
    if page.edit_url:
        source += f" {_link(page.edit_url, 'edit', f'Edit {page.source}')}"
    rules = " ".join(_link(f"#{rule}", rule) for rule in page.rules)
    return (
        f'<tr><th scope="row">{_link(page.loc, page.title)}<br><small>{escape(address)}</small></th>'
        f"<td>{escape(page.section)}</td>{status}{changed}<td>{commit}</td>"
        f"<td>{source}</td><td>{rules}</td></tr>\n"
    )


def _filters(figures: Figures) -> str:
    sections = sorted({page.section for page in figures.pages})
    reasons = sorted({page.reason for page in figures.pages if page.reason})
    statuses = [LISTED, "left out", *reasons] if reasons else []
    # Ranges in days, from above the first number to the second, as the script compares them.
    ages = []
    least = -(10**6)
    for most, name in BUCKETS:
        ages.append((f"{least} {most}", name))
        least = most
    ages.append(("none", "no date"))
    return (
        '<form class="filters" id="filters" hidden>\n<label>Text <input type="search" name="text"></label>\n'
        f"{_select('Section', [(name, name) for name in sections])}"
        f"{_select('Status', [(name, name) for name in statuses])}"
        f'{_select("Age", ages)}<button type="reset">Clear</button>\n'
        '<p id="matches" role="status"></p>\n</form>\n'
    )


def _select(label: str, choices: Sequence[tuple[str, str]]) -> str:
    options = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in choices)
    select = f'<select name="{label.lower()}"><option value="">all</option>{options}</select>'
    return f"<label>{label} {select}</label>\n"


def _section(name: str, title: str, body: str) -> str:
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def _figure(name: str, caption: str, drawn: str) -> str:
    return f'<figure>\n{drawn}\n<figcaption id="{name}-caption">{caption}</figcaption>\n</figure>\n'


def _table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in a box of its own that scrolls; the first cell of each row is its heading."""
    body = ""
    for first, *rest in rows:
        cells = "".join(f"<td>{each}</td>" for each in rest)
        body += f'<tr><th scope="row">{first}</th>{cells}</tr>\n'
    table = (
        f"<table>\n<caption>{caption}</caption>\n<thead><tr>{_heads(heads)}</tr></thead>\n"
        f"<tbody>\n{body}</tbody>\n</table>"
    )
    return _scrolled(caption, table)


def _heads(names: Iterable[str]) -> str:
    return "".join(f'<th scope="col">{name}</th>' for name in names)


def _scrolled(label: str, body: str, name: str = "") -> str:
    """A box as wide as the page, in which what is wider scrolls, also by keyboard."""
    attribute = f' id="{name}"' if name else ""
    return f'<div class="scroll"{attribute} tabindex="0" role="region" aria-label="{label}">{body}</div>\n'


def _link(url: str, text: str, label: str = "") -> str:
    name = f' aria-label="{escape(label)}"' if label else ""
    return f'<a href="{escape(url)}"{name}>{escape(text)}</a>'


def _day(moment: datetime) -> str:
    return f'<time datetime="{moment:%Y-%m-%d}">{moment:%Y-%m-%d}</time>'
