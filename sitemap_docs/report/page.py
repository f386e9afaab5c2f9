"""The report as one HTML file: no script, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from sitemap_docs import __version__
from sitemap_docs.audit.registry import ALL
from sitemap_docs.report import svg
from sitemap_docs.report.figures import BUCKETS, Count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.report.figures import Figures, RuleFindings, Stale

SHOWN = 25
OLD = 1_096  # days
_KEY = (
    ("a0", "up to half a year"),
    ("a1", "a year"),
    ("a2", "two years"),
    ("a3", "five years"),
    ("a4", "older"),
    ("none", "no date"),
)


def render_report(figures: Figures) -> str:
    """The whole file, as text."""
    style = files("sitemap_docs.report").joinpath("report.css").read_text(encoding="utf-8")
    parts = (_pages, _freshness, _sections, _variants, _findings)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
        f"<title>Sitemap report: {escape(figures.base)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#pages">Skip to the figures</a>\n{_header(figures)}<main>\n'
        + "".join(part(figures) for part in parts)
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
        (svg.told_age(figures.median_age) if figures.median_age is not None else "none", "median age"),
        (f"{found:,}", "findings"),
    )
    shown = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for value, name in tiles)
    return (
        f"<header>\n<p>Sitemap report</p>\n<h1>{_link(figures.base, figures.base)}</h1>\n"
        f'<p><time datetime="{figures.now:%Y-%m-%d}">{figures.now.day} {figures.now:%B %Y}</time></p>\n'
        f"<dl>{shown}</dl>\n</header>\n"
    )


def _section(name: str, title: str, body: str) -> str:
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def _figure(name: str, said: str, drawn: str, more: str = "") -> str:
    picture = f'<div class="wide" tabindex="0">{drawn}</div>'
    return f'<figure>\n{picture}\n<figcaption id="{name}-says">{said}</figcaption>\n</figure>\n{more}'


def _table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    columns = "".join(f'<th scope="col">{each}</th>' for each in head)
    body = "".join(
        f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{each}</td>" for each in rest) + "</tr>\n"
        for first, *rest in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{caption}"><table>\n'
        f"<caption>{caption}</caption>\n"
        f"<thead><tr>{columns}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n"
    )


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n{body}</details>\n"


def _link(url: str, text: str) -> str:
    return f'<a href="{escape(url)}">{escape(text)}</a>'


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
    said = f"{figures.listed:,} of {total:,} pages are listed; the others are left out for a reason."
    table = _table("Pages by what becomes of them", ("pages", "number", "share"), rows)
    return _section("pages", "Pages", _figure("shares", said, svg.shares(parts), table))


def _freshness(figures: Figures) -> str:
    if not any(bar.pages for bar in figures.ages):
        said = (
            "<p>No page has a date that git proves. Name the sources with <code>--source</code>, "
            "and fetch the whole history.</p>\n"
        )
        return _section("freshness", "Freshness", said)
    limits = [limit for limit, _ in BUCKETS]
    old = sum(bar.pages for bar, limit in zip(figures.ages, limits, strict=True) if limit > OLD)
    total = sum(bar.pages for bar in figures.ages)
    said = (
        f"Age of {total:,} pages, by their last commit. "
        f"Half are older than {svg.told_age(figures.median_age)}; "
        f"{old:,} were not touched for three years.{_undated(figures.undated)}"
    )
    rows = ((bar.name, f"{bar.pages:,}") for bar in figures.ages)
    numbers = _folded("The same as a table", _table("Pages by age", ("last change", "pages"), rows))
    picture = svg.histogram(figures.ages, limits)
    stalest = _table(
        "Pages that need love: the longest untouched",
        ("page", "last change", "age", "what changed"),
        (_stale(each) for each in figures.stalest),
    )
    return _section("freshness", "Freshness", _figure("ages", said, picture, numbers + stalest))


def _undated(number: int) -> str:
    if not number:
        return ""
    return " 1 page has no date." if number == 1 else f" {number:,} pages have no date."


def _stale(page: Stale) -> tuple[str, ...]:
    when = f'<time datetime="{page.when:%Y-%m-%d}">{page.when:%Y-%m-%d}</time>'
    change = f'{escape(page.subject)} <span class="by">{escape(page.author)}</span>'
    return _link(page.loc, page.title), when, svg.told_age(page.age), change


def _sections(figures: Figures) -> str:
    said = (
        f"{len(figures.sections):,} sections: the area counts pages, "
        "the shade tells how old half of them are, at least."
    )
    key = "".join(f'<li><span class="dot {name}"></span>{text}</li>' for name, text in _KEY)
    rows = ((escape(each.name), f"{each.pages:,}", svg.told_age(each.age)) for each in figures.sections)
    table = _folded(
        "The same as a table", _table("Pages by section", ("section", "pages", "median age"), rows)
    )
    picture = svg.treemap(figures.sections) if figures.sections else ""
    return _section(
        "sections", "Sections", _figure("sections", said, picture, f'<ul class="key">{key}</ul>\n{table}')
    )


def _variants(figures: Figures) -> str:
    tables = "".join(
        _table(
            f"Listed pages by {name}",
            (name, "pages"),
            ((escape(each.name), f"{each.pages:,}") for each in counts),
        )
        for name, counts in (("language", figures.languages), ("version", figures.versions))
        if counts
    )
    return (
        _section("variants", "Languages and versions", f'<div class="pair">{tables}</div>\n')
        if tables
        else ""
    )


def _findings(figures: Figures) -> str:
    if not figures.found:
        return _section(
            "findings", "Findings", "<p>Nothing found: search engines can trust this sitemap.</p>\n"
        )
    return _section("findings", "Findings", "".join(_rule(each) for each in figures.found))


def _rule(found: RuleFindings) -> str:
    what, *why = ALL[found.rule].documentation.splitlines()
    places = "".join(f"<li>{each}</li>\n" for each in _places(found))
    more = len(found.findings) - SHOWN
    rest = f"<p>… and {more:,} more.</p>\n" if more > 0 else ""
    return (
        f'<details class="rule"><summary><span class="badge {found.severity}">{found.severity}</span> '
        f"<code>{found.rule}</code> <strong>{len(found.findings):,}</strong> "
        f"<span>{escape(what)}</span></summary>\n"
        f"<p>{escape(' '.join(each for each in why if each))}</p>\n<ul>\n{places}</ul>\n{rest}</details>\n"
    )


def _places(found: RuleFindings) -> Iterator[str]:
    for finding in found.findings[:SHOWN]:
        where = finding.where
        link = (
            _link(where, where)
            if where.startswith(("https://", "http://"))
            else escape(where or "the whole site")
        )
        yield f"{link}: {escape(finding.message)}"
