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
from sitemap_docs.report.listing import render_list
from sitemap_docs.report.markup import day, figure, folded, link, section, table
from sitemap_docs.text import many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.report.figures import Figures, RuleFindings, Stale
    from sitemap_docs.report.trend import ReportRun

SHOWN = 25
OLD = 1_096  # days
_KEY = (
    ("a0", "up to 6 months"),
    ("a1", "6–12 months"),
    ("a2", "1–2 years"),
    ("a3", "2–5 years"),
    ("a4", "over 5 years"),
    ("none", "no date"),
)
_RUNS = 100  # in the table of the trend, the last ones


def render_report(figures: Figures, runs: Sequence[ReportRun] = ()) -> str:
    """The whole file, as text; ``runs`` are those of the trend, this one last."""
    style = files("sitemap_docs.report").joinpath("report.css").read_text(encoding="utf-8")
    parts = (_pages, _freshness, _sections, _variants, _findings, render_list)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>Sitemap report: {escape(figures.base)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#pages">Skip to the figures</a>\n{_header(figures)}<main>\n'
        + "".join(part(figures) for part in parts)
        + (_trend(runs) if runs else "")
        + f"</main>\n<footer><p>sitemap-docs {__version__}</p></footer>\n</body>\n</html>\n"
    )


def _header(figures: Figures) -> str:
    left = sum(each.pages for each in figures.left_out)
    dated = figures.listed - figures.undated
    share = f"{dated / figures.listed:.0%}" if figures.listed else "none"
    found = sum(len(each.findings) for each in figures.found)
    tiles = (
        (f"{figures.listed:,}", "pages listed"),
        (f"{left:,}", "left out"),
        (share, "have a proven date"),
        (svg.age_text(figures.median_age) if figures.median_age is not None else "none", "median age"),
        (f"{found:,}", "findings"),
    )
    shown = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for value, name in tiles)
    return (
        f"<header>\n<p>Sitemap report</p>\n<h1>{link(figures.base, figures.base)}</h1>\n"
        f'<p><time datetime="{figures.now:%Y-%m-%d}">{figures.now.day} {figures.now:%B %Y}</time></p>\n'
        f"<dl>{shown}</dl>\n</header>\n"
    )


def _pages(figures: Figures) -> str:
    parts = [Count("listed", figures.listed), *figures.left_out]
    total = sum(part.pages for part in parts)
    rows = (
        (
            f'<span class="dot p{min(number, 6)}"></span>{escape(part.name)}',
            f"{part.pages:,}",
            f"{part.pages / total:.1%}",
        )
        for number, part in enumerate(parts)
        if total
    )
    caption = f"{figures.listed:,} of {many(total, 'page')} listed."
    numbers = table("Listed and left out", ("pages", "number", "share"), rows)
    return section("pages", "Pages", figure("shares", caption, svg.shares(parts), numbers))


def _freshness(figures: Figures) -> str:
    total = sum(bar.pages for bar in figures.ages)
    if not total:
        hint = (
            "<p>No page has a date that git proves. Name the sources with <code>--source</code>, "
            "and fetch the whole history.</p>\n"
        )
        return section("freshness", "Freshness", hint)
    old = sum(bar.pages for bar, (limit, _) in zip(figures.ages, BUCKETS, strict=True) if limit > OLD)
    undated = f" {many(figures.undated, 'page')} without a date." if figures.undated else ""
    summary = (
        f"<p>Age of {many(total, 'page')} by last commit: the median is {svg.age_text(figures.median_age)}, "
        f"{old:,} unchanged for three years or more.{undated}</p>\n"
    )
    return section("freshness", "Freshness", summary + _ages(figures.ages) + _stale(figures.stalest))


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
    rows = (
        (
            link(page.loc, page.title),
            day(page.when),
            svg.age_text(page.age),
            f'{escape(page.subject)} <span class="by">{escape(page.author)}</span>',
        )
        for page in pages
    )
    return table("Stalest pages", ("page", "last change", "age", "commit"), rows)


def _sections(figures: Figures) -> str:
    count = many(len(figures.sections), "section")
    caption = f"{count}: the area is the number of pages, the shade their median age."
    key = "".join(f'<li><span class="dot {name}"></span>{text}</li>' for name, text in _KEY)
    rows = ((escape(each.name), f"{each.pages:,}", svg.age_text(each.age)) for each in figures.sections)
    numbers = folded("As a table", table("Pages by section", ("section", "pages", "median age"), rows))
    picture = svg.treemap(figures.sections) if figures.sections else ""
    return section(
        "sections", "Sections", figure("sections", caption, picture, f'<ul class="key">{key}</ul>\n{numbers}')
    )


def _variants(figures: Figures) -> str:
    tables = "".join(
        table(
            f"Listed pages by {name}",
            (name, "pages"),
            ((escape(each.name), f"{each.pages:,}") for each in counts),
        )
        for name, counts in (("language", figures.languages), ("version", figures.versions))
        if counts
    )
    return (
        section("variants", "Languages and versions", f'<div class="pair">{tables}</div>\n') if tables else ""
    )


def _findings(figures: Figures) -> str:
    if not figures.found:
        return section("findings", "Findings", "<p>No findings.</p>\n")
    groups = groupby(figures.found, key=attrgetter("severity"))
    return section("findings", "Findings", "".join(_severity(name, tuple(same)) for name, same in groups))


def _severity(severity: str, found: Sequence[RuleFindings]) -> str:
    """The rules of one severity, open for errors."""
    number = sum(len(each.findings) for each in found)
    opened = " open" * (severity == "error")
    return (
        f'<details class="severity"{opened}><summary><span class="badge {severity}">{severity}</span> '
        f"{many(number, 'finding')} of {many(len(found), 'rule')}</summary>\n"
        f"{''.join(_rule(each) for each in found)}</details>\n"
    )


def _rule(found: RuleFindings) -> str:
    what, *why = ALL[found.rule].documentation.splitlines()
    places = "".join(f"<li>{each}</li>\n" for each in _places(found))
    more = len(found.findings) - SHOWN
    rest = f"<p>… and {more:,} more.</p>\n" if more > 0 else ""
    return (
        f'<details class="rule" id="{found.rule}"><summary><code>{found.rule}</code> '
        f"<strong>{len(found.findings):,}</strong> <span>{escape(what)}</span></summary>\n"
        f"<p>{escape(' '.join(each for each in why if each))}</p>\n<ul>\n{places}</ul>\n{rest}</details>\n"
    )


def _places(found: RuleFindings) -> Iterator[str]:
    for finding in found.findings[:SHOWN]:
        where = finding.where
        place = (
            link(where, where)
            if where.startswith(("https://", "http://"))
            else escape(where or "the whole site")
        )
        yield f"{place}: {escape(finding.message)}"


def _trend(runs: Sequence[ReportRun]) -> str:
    first, last = runs[0].date[:10], runs[-1].date[:10]
    charts = (
        ("Listed pages", [run.listed for run in runs], lambda value: f"{value:,}"),
        ("Median age", [run.median_age for run in runs], svg.age_text),
        ("Findings", [run.findings for run in runs], lambda value: f"{value:,}"),
    )
    drawn = "".join(
        f'<div><h3>{name}</h3><p class="last">{text(values[-1])}</p>{svg.line_chart(values, name)}</div>\n'
        for name, values, text in charts
    )
    caption = f"{many(len(runs), 'run')}, from {first} to {last}."
    rows = folded("As a table", table("Last runs", _TREND, _runs(runs[-_RUNS:])))
    return section("trend", "Trend", figure("trend", caption, f'<div class="trend">{drawn}</div>', rows))


_TREND = ("run", "listed", "left out", "no date", "median age", "errors", "warnings", "infos")


def _runs(runs: Sequence[ReportRun]) -> Iterable[Sequence[str]]:
    for run in reversed(runs):
        counts = (run.listed, run.left_out, run.undated)
        found = (run.error, run.warning, run.info)
        yield (
            run.date[:16].replace("T", " "),
            *(f"{each:,}" for each in counts),
            svg.age_text(run.median_age),
            *(f"{each:,}" for each in found),
        )
