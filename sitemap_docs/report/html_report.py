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
from sitemap_docs.report.figures import BUCKETS, LISTED, Checkout, Count, Figures, PageRow
from sitemap_docs.text import many
from sitemap_docs.web import is_web

_SHOWN_AT_MOST = 25
OLD = 1_096  # days
_CODE = re.compile("`{1,2}([^`]+)`{1,2}")
NOT_FOUND = Reason.NOT_FOUND.value
# Ranges in days, from above the first number to the second, as the script compares them.
_LIMITS = [-(10**6), *(most for most, _, _ in BUCKETS)]
AGES = (
    *((f"{least} {most}", name) for least, (most, name, _) in zip(_LIMITS, BUCKETS, strict=False)),
    ("none", "no date"),
)
FACTS = ("page", "status", "changed", "section", "commit", "source")
"""The columns of the list of all pages, and the classes of their cells."""
_SHORT = 8  # letters of a commit
# Control characters, those that change the direction of what follows, and halves of characters.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def render_report(figures: Figures) -> str:
    """The whole file, as text."""
    folder = files("sitemap_docs.report")
    sections = _section("findings", "Findings", _findings(figures))
    sections += _section("stale", "Stalest pages", _stalest(figures))
    sections += _section("freshness", "Freshness", _freshness(figures))
    sections += _section("pages", "Listed and left out", _pages(figures))
    sections += _section("sections", "Sections", _sections(figures))
    return Template(folder.joinpath("report.html").read_text("utf-8")).substitute(
        base=as_html(figures.base),
        style=folder.joinpath("report.css").read_text("utf-8"),
        day=f"{figures.now:%Y-%m-%d}",
        date=f"{figures.now.day} {figures.now:%B %Y}",
        checkout=_checkout(figures.checkout),
        tiles=_tiles(figures),
        sections=sections,
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
    """Returns what the report was made from, behind its date; ``""`` where that is not known."""
    if checkout is None:
        return ""
    commit = as_html(checkout.commit[:_SHORT])
    if checkout.forge:
        commit = _link(checkout.forge.commit_url(checkout.commit), commit)
    branch = f"branch <code>{as_html(checkout.branch)}</code>, " if checkout.branch else ""
    return f" · {branch}commit <code>{commit}</code>"


def _left_out(figures: Figures) -> list[Count]:
    """Returns what is left out; the error page of the host is none of the pages that could be listed."""
    return [reason for reason in figures.left_out if reason.name != NOT_FOUND]


def _filter(shown: str, **wanted: str) -> str:
    """A link to the list of all pages, which the script filters by the values of its fields."""
    return f'<a href="#list" data-filter="{as_html(urlencode(wanted))}">{as_html(shown)}</a>'


def _tiles(figures: Figures) -> str:
    """The figures at the top, each with a link to what it counts; none for what there is nothing of."""
    tiles = []
    for severity, number in by_severity(chain.from_iterable(same for _, same in figures.found)).items():
        if number:
            name = severity if severity == "info" or number == 1 else f"{severity}s"
            tiles.append((name, _link(f"#{severity}", f"{number:,}")))
    if not tiles:
        tiles.append(("findings", "0"))
    tiles.append(("pages listed", _filter(f"{figures.listed:,}", status=LISTED)))
    if left_out := sum(reason.pages for reason in _left_out(figures)):
        tiles.append(("left out", _filter(f"{left_out:,}", status="left out")))
    if figures.listed:
        tiles.append(("dated", _link("#freshness", f"{1 - figures.undated / figures.listed:.0%}")))
    if figures.median_age is not None:
        tiles.append(("median age", _link("#freshness", age_text(figures.median_age))))
    return "".join(f"<div><dt>{name}</dt><dd>{figure}</dd></div>\n" for name, figure in tiles)


def _pages(figures: Figures) -> str:
    """Returns how many pages are listed, and how many are not, by reason; ``""`` where all are."""
    left_out = _left_out(figures)
    if not left_out:
        return ""
    parts = [Count(LISTED, figures.listed), *left_out]
    total = sum(part.pages for part in parts)
    bars = [(_filter(part.name, status=part.name), part.pages, None, "") for part in parts]
    uncounted = ""
    if any(reason.name == NOT_FOUND for reason in figures.left_out):
        uncounted = " The 404 page is not counted."
    return f"<p>{figures.listed:,} of {many(total, 'page')} listed.{uncounted}</p>\n{_bars('Pages', bars)}"


def _freshness(figures: Figures) -> str:
    total = sum(figures.ages)
    if not total:
        return (
            "<p>No page has a date from git. Name the sources with <code>--source</code>, and fetch the "
            "whole history.</p>\n"
        )
    old = 0
    bars = []
    for pages, (limit, name, _), (age, _) in zip(figures.ages, BUCKETS, AGES, strict=False):
        if pages:
            bars.append((_filter(name, status=LISTED, age=age), pages, limit, ""))
        if limit > OLD:
            old += pages
    unknown = sum(page.age is None and page.status == LISTED for page in figures.pages)
    without = _filter(many(unknown, "page"), status=LISTED, age="none")
    undated = f" {without} without a date." if unknown else ""
    return (
        f"<p>Age of {many(total, 'page')} by last change: the median is {age_text(figures.median_age)}, "
        f"{old:,} unchanged for three years or more.{undated}</p>\n{_bars('Pages by age', bars)}"
    )


def _stalest(figures: Figures) -> str:
    """The stalest pages with the commits that date them; ``""`` where no page is stale."""
    rows = []
    for page, pages, subject, author in figures.stalest:
        name = _link(page.loc, page.title)
        if pages > 1:
            same = page.commit[:_SHORT] or page.lastmod[:10]
            name += f" and {_filter(f'{pages - 1:,} more', status=LISTED, text=same)}"
        if subject:
            name += f'<br><small>{as_html(subject)} <span class="by">{as_html(author)}</span></small>'
        rows.append((name, f"{age_text(page.age)}<br><small>{_day(page)}</small>"))
    return _table(("page", "unchanged for"), rows)


def _sections(figures: Figures) -> str:
    """The largest sections; ``""`` for a site of one section."""
    if len(figures.sections) < 2:  # noqa: PLR2004
        return ""
    bars = []
    for name, pages, age in figures.sections[:_SHOWN_AT_MOST]:
        bars.append((_filter(name, status=LISTED, section=name), pages, age, age_text(age)))
    rest = ""
    if len(figures.sections) > _SHOWN_AT_MOST:
        more = len(figures.sections) - _SHOWN_AT_MOST
        rest = f"<p>… and {more:,} more, which the list of all pages has.</p>\n"
    return f"{_bars('Pages and median age', bars)}{rest}"


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
    for limit, _, name in BUCKETS:
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


def _findings(figures: Figures) -> str:
    """The findings by severity, counted as ``check`` counts them, and then by rule; the worst are open."""
    body = ""
    for severity, same in groupby(figures.found, key=lambda each: each[1][0].severity):
        rules = ""
        number = []
        for rule, findings in same:
            number += findings
            what, *why = ALL[rule].documentation.splitlines()
            places = ""
            for finding in findings[:_SHOWN_AT_MOST]:
                place = as_html(finding.where or "the whole site")
                if is_web(finding.where):
                    place = _link(finding.where, finding.where)
                places += f"<li>{place}: {_with_code(finding.message)}</li>\n"
            rest = ""
            if len(findings) > _SHOWN_AT_MOST:
                rest = f"<p>… and {len(findings) - _SHOWN_AT_MOST:,} more.</p>\n"
            rules += (
                f'<details class="rule" id="{rule}"><summary><code>{rule}</code> '
                f"<strong>{len(findings):,}</strong> <span>{_with_code(what)}</span></summary>\n"
                f"<p>{_with_code(' '.join(filter(None, why)))}</p>\n<ul>\n{places}</ul>\n{rest}</details>\n"
            )
        opened = "" if body else " open"
        badge = f'<span class="badge {severity}">{counted(number)}</span>'
        body += (
            f'<details class="severity" id="{severity}"{opened}><summary>{badge}</summary>\n'
            f"{rules}</details>\n"
        )
    return body


def _list(figures: Figures) -> dict[str, str]:
    """The table of all pages without the columns that are empty, and the choices of age.

    Each row is one line, as the script reads them: a browser takes a second for the elements of 20,000 rows.
    """
    pages = sorted(figures.pages, key=attrgetter("loc"))
    cells = [_cells(page, figures) for page in pages]
    drawn = [number for number, column in enumerate(zip(*cells, strict=True)) if any(column)]
    heads = "".join(f'<th scope="col" class="{FACTS[n]}">{FACTS[n].capitalize()}</th>' for n in drawn)
    rows = []  # joined at the end: a text that grows by a hundred thousand rows may be copied for each
    for page, row in zip(pages, cells, strict=True):
        age = "" if page.age is None else page.age
        facts = "".join(f'<td class="{FACTS[n]}">{row[n]}</td>' for n in drawn[1:])
        rows.append(
            f'<tr data-status="{as_html(page.status)}" data-age="{age}">'
            f'<th scope="row">{row[0]}</th>{facts}</tr>\n'
        )
    ages = "".join(f'<option value="{value}">{name}</option>' for value, name in AGES)
    return {"age_options": ages, "heads": heads, "rows": "".join(rows)}


def _cells(page: PageRow, figures: Figures) -> tuple[str, ...]:
    """The cells of a page as HTML, one for each of ``FACTS``; its section only where there are others."""
    address = page.loc.removeprefix(figures.base) or page.loc
    status = as_html(page.status)
    if page.detail and page.status != LISTED:
        status += f"<br><small>{_path(page.detail.removeprefix(figures.base))}</small>"
    for rule in page.findings.split():  # few pages have any: a column of them would be empty, and wide
        status += f"<br>{_link(f'#{rule}', rule)}"
    changed = f'<span class="dot {shade(page.age)}"></span>{_day(page)}' if page.lastmod else ""
    commit = page.commit[:_SHORT]
    if page.commit_url:
        commit = _link(page.commit_url, commit)
    source = _path(page.source)
    if page.edit_url:
        source += f" {_link(page.edit_url, 'edit', f'Edit {page.source}')}"
    return (
        f"{_link(page.loc, page.title)}<br><small>{_path(address)}</small>",
        status,
        changed,
        _path(page.section) if len(figures.sections) > 1 else "",
        f"<code>{commit}</code>" if commit else "",
        source,
    )


def _section(name: str, title: str, body: str) -> str:
    """A section of the page; ``""`` for one without a body."""
    if not body:
        return ""
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the first cell of each row is its heading. ``""`` without rows."""
    body = ""
    for first, *rest in rows:
        body += f'<tr><th scope="row">{first}</th><td>{"</td><td>".join(rest)}</td></tr>\n'
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return body and f"<table>\n<thead><tr>{cells}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


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
