"""The list of all pages: a plain table, which a script makes sortable and filterable."""

from __future__ import annotations

from collections import Counter
from html import escape
from importlib.resources import files
from operator import attrgetter
from typing import TYPE_CHECKING

from sitemap_docs.report import svg
from sitemap_docs.report.figures import BUCKETS
from sitemap_docs.report.markup import columns, day, link, scrolled, section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemap_docs.report.figures import Figures, PageRow

LISTED = "listed"
_HEAD = ("Page", "Section", "Status", "Last change", "Commit", "Source", "Findings")
# Else the browser lays out thousands of rows, again and again, before the script takes them out.
_HIDE = 'document.documentElement.classList.add("loading")'
_SHORT = 8  # letters of a commit


def render_list(figures: Figures) -> str:
    """The section with the table, its filters and its script."""
    script = files("sitemap_docs.report").joinpath("report.js").read_text(encoding="utf-8")
    pages = sorted(figures.pages, key=attrgetter("loc"))
    rows = "".join(_row(page, page.loc.removeprefix(figures.base) or page.loc) for page in pages)
    table = (
        f"<table>\n<caption>All pages</caption>\n<thead><tr>{columns(_HEAD)}</tr></thead>\n"
        f"<tbody>\n{rows}</tbody>\n</table>"
    )
    body = (
        f"<script>{_HIDE}</script>\n{_filters(figures)}"
        f"{scrolled('Table of all pages', table, 'all-pages')}<script>\n{script}</script>\n"
    )
    return section("list", "All pages", body)


def _row(page: PageRow, address: str) -> str:
    cells = (
        f'<th scope="row">{link(page.loc, page.title)}<br><small>{escape(address)}</small></th>'
        f"<td>{escape(page.section)}</td>{_status(page)}{_changed(page)}<td>{_commit(page)}</td>"
        f"<td>{_source(page)}</td><td>{_rules(page.rules)}</td>"
    )
    return f"<tr>{cells}</tr>\n"


def _status(page: PageRow) -> str:
    if not page.reason:
        return f"<td>{LISTED}</td>"
    detail = f"<br><small>{escape(page.detail)}</small>" if page.detail else ""
    return f'<td class="out" data-status="{escape(page.reason)}">{escape(page.reason)}{detail}</td>'


def _changed(page: PageRow) -> str:
    if page.when is None or page.age is None:
        return "<td>no date</td>"
    dot = f'<span class="dot {svg.shade(page.age)}"></span>'
    return f'<td data-age="{page.age}">{dot}{day(page.when)}</td>'


def _commit(page: PageRow) -> str:
    short = page.commit[:_SHORT]
    return f"<code>{link(page.commit_url, short) if page.commit_url else short}</code>" if short else ""


def _source(page: PageRow) -> str:
    edit = f" {link(page.edit_url, 'edit', f'Edit {page.source}')}" if page.edit_url else ""
    return f"{escape(page.source)}{edit}"


def _rules(rules: Iterable[str]) -> str:
    return " ".join(link(f"#{rule}", rule) for rule in rules)


def _filters(figures: Figures) -> str:
    sections = Counter(page.section for page in figures.pages)
    reasons = Counter(page.reason for page in figures.pages if page.reason)
    statuses = [(LISTED, LISTED), ("left out", "left out")] if reasons else []
    choices = (
        _select("Section", [(name, name) for name in sorted(sections)]),
        _select("Status", [*statuses, *((name, name) for name in sorted(reasons))]),
        _select("Age", list(_ages())),
    )
    return (
        '<form class="filters" id="filters" hidden>\n<label>Text <input type="search" name="text"></label>\n'
        f'{"".join(choices)}<button type="reset">Clear</button>\n'
        '<p id="matches" role="status"></p>\n</form>\n'
    )


def _select(label: str, choices: Sequence[tuple[str, str]]) -> str:
    options = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in choices)
    select = f'<select name="{label.lower()}"><option value="">all</option>{options}</select>'
    return f"<label>{label} {select}</label>\n"


def _ages() -> Iterator[tuple[str, str]]:
    """Ranges in days, from above the first number to the second, as the script compares them."""
    least = -(10**6)
    for most, name in BUCKETS:
        yield f"{least} {most}", name
        least = most
    yield "none", "no date"
