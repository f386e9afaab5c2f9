"""The report as one HTML file that loads nothing; its script is in it, and it works without."""

import html
import re
from collections.abc import Sequence
from importlib.resources import files
from itertools import chain, groupby
from operator import attrgetter
from statistics import median
from string import Template
from urllib.parse import urlencode

from sitemap_docs import __version__
from sitemap_docs.audit.formats import by_severity, counted
from sitemap_docs.audit.registry import ALL
from sitemap_docs.model import Reason
from sitemap_docs.report.figures import LISTED, Figures, PageRow
from sitemap_docs.text import many
from sitemap_docs.web import is_web

_SHOWN_AT_MOST = 25
OLD = 1_096  # days
_CODE = re.compile("`{1,2}([^`]+)`{1,2}")
NOT_FOUND = Reason.NOT_FOUND.value
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
"""Ages in days from above the first number to the second, their name, and the class that colours them."""
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
    made_from = ""
    if checkout := figures.checkout:
        if checkout.branch:
            made_from = f"branch <code>{as_html(checkout.branch)}</code>, "
        made_from = f" · {made_from}commit {_commit(checkout.commit)}"
    return Template(folder.joinpath("report.html").read_text("utf-8")).substitute(
        base=as_html(figures.base),
        style=folder.joinpath("report.css").read_text("utf-8"),
        day=f"{figures.now:%Y-%m-%d}",
        date=f"{figures.now.day} {figures.now:%B %Y}",
        checkout=made_from,
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


def _left_out(figures: Figures) -> dict[str, int]:
    """Returns what is left out; the error page of the host is none of the pages that could be listed."""
    return {reason: pages for reason, pages in figures.left_out.items() if reason != NOT_FOUND}


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
    if left_out := sum(_left_out(figures).values()):
        tiles.append(("left out", _filter(f"{left_out:,}", status="left out")))
    if figures.listed:
        tiles.append(("dated", _link("#freshness", f"{figures.dated / figures.listed:.0%}")))
    if figures.ages:
        tiles.append(("median age", _link("#freshness", age_text(median(figures.ages)))))
    return "".join(f"<div><dt>{name}</dt><dd>{figure}</dd></div>\n" for name, figure in tiles)


def _pages(figures: Figures) -> str:
    """Returns how many pages are listed, and how many are not, by reason; ``""`` where all are."""
    left_out = _left_out(figures)
    if not left_out:
        return ""
    parts = {LISTED: figures.listed, **left_out}
    bars = [(_filter(name, status=name), pages, None, "") for name, pages in parts.items()]
    uncounted = " The 404 page is not counted." if NOT_FOUND in figures.left_out else ""
    total = many(sum(parts.values()), "page")
    return f"<p>{figures.listed:,} of {total} listed.{uncounted}</p>\n{_bars('Pages', bars)}"


def _freshness(figures: Figures) -> str:
    ages = figures.ages
    if not ages:
        return (
            "<p>No page has a date from git. Name the sources with <code>--source</code>, and fetch the "
            "whole history.</p>\n"
        )
    bars = []
    for above, most, name, _ in BUCKETS:
        if pages := sum(above < age <= most for age in ages):
            bars.append((_filter(name, status=LISTED, age=f"{above} {most}"), pages, most, ""))
    undated = ""
    if unknown := len(figures.listed_pages) - len(ages):
        undated = f" {_filter(many(unknown, 'page'), status=LISTED, age='none')} without a date."
    return (
        f"<p>Age of {many(len(ages), 'page')} by last change: the median is {age_text(median(ages))}, "
        f"{sum(age > OLD for age in ages):,} unchanged for three years or more.{undated}</p>\n"
        f"{_bars('Pages by age', bars)}"
    )


def _stalest(figures: Figures) -> str:
    """The stalest pages with the commits that date them; ``""`` where no page is stale."""
    rows = ""
    for page, pages, subject, author in figures.stalest:
        name = _link(page.loc, page.title)
        if pages > 1:
            same = page.commit[:_SHORT] or page.lastmod[:10]
            name += f" and {_filter(f'{pages - 1:,} more', status=LISTED, text=same)}"
        if subject:
            name += f'<br><small>{as_html(subject)} <span class="by">{as_html(author)}</span></small>'
        age = f"{age_text(page.age)}<br><small>{_day(page)}</small>"
        rows += f'<tr><th scope="row">{name}</th><td>{age}</td></tr>\n'
    heads = '<th scope="col">page</th><th scope="col">unchanged for</th>'
    return rows and f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"


def _sections(figures: Figures) -> str:
    """The largest sections; ``""`` for a site of one section."""
    if len(figures.sections) < 2:  # noqa: PLR2004
        return ""
    bars = []
    for name, pages in sorted(figures.sections.items(), key=lambda each: (-len(each[1]), each[0])):
        ages = [page.age for page in pages if page.age is not None]
        age = median(ages) if ages else None
        bars.append((_filter(name, status=LISTED, section=name), len(pages), age, age_text(age)))
    more = _more(len(bars), ", which the list of all pages has")
    return f"{_bars('Pages and median age', bars[:_SHOWN_AT_MOST])}{more}"


def _more(number: int, where: str = "") -> str:
    """Returns how many are not shown."""
    return f"<p>… and {number - _SHOWN_AT_MOST:,} more{where}.</p>\n" if number > _SHOWN_AT_MOST else ""


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
    for _, most, _, name in BUCKETS:
        if age is not None and age <= most:
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
            rules += (
                f'<details class="rule" id="{rule}"><summary><code>{rule}</code> '
                f"<strong>{len(findings):,}</strong> <span>{_with_code(what)}</span></summary>\n"
                f"<p>{_with_code(' '.join(filter(None, why)))}</p>\n<ul>\n{places}</ul>\n"
                f"{_more(len(findings))}</details>\n"
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
    ages = "".join(f'<option value="{above} {most}">{name}</option>' for above, most, name, _ in BUCKETS)
    ages += '<option value="none">no date</option>'
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
    return (
        f"{_link(page.loc, page.title)}<br><small>{_path(address)}</small>",
        status,
        changed,
        _path(page.section) if len(figures.sections) > 1 else "",
        _commit(page.commit),
        _path(page.source),
    )


def _section(name: str, title: str, body: str) -> str:
    """A section of the page; ``""`` for one without a body."""
    if not body:
        return ""
    head = f'<h2 id="{name}-title">{title}</h2>'
    return f'<section id="{name}" aria-labelledby="{name}-title">\n{head}\n{body}</section>\n'


def _commit(commit: str) -> str:
    """The beginning of a commit; ``""`` for none."""
    return f"<code>{as_html(commit[:_SHORT])}</code>" if commit else ""


def _link(url: str, text: str) -> str:
    return f'<a href="{as_html(url)}">{as_html(text)}</a>'


def _path(text: str) -> str:
    """A path or an address, which may break between its words and not inside them."""
    text = as_html(text)
    for end in "/_-":
        text = text.replace(end, f"{end}<wbr>")
    return text


def _day(page: PageRow) -> str:
    day = page.lastmod[:10]
    return f'<time datetime="{day}">{day}</time>'
