"""The option ``page_dates`` in MkDocs: each page shows the date that the sitemap has for it.

Material for MkDocs shows ``page.meta.revision_date``; the manual has lines for templates of other themes.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING

from sitemap_docs.config.parsing import as_mapping
from sitemap_docs.history.page_dates import Dates, lastmod_of
from sitemap_docs.model import Finding, Page, reported
from sitemap_docs.text import many, one_line

if TYPE_CHECKING:
    from mkdocs.structure.files import File

_OTHERS = "git_revision_date_localized"


def show_dates(pages: Mapping[File, Page], dates: Dates, now: datetime, form: str) -> list[Finding]:
    """Gives the pages of one build their dates, in the format ``form``; returns what to report.

    What the front matter of a page has set, or another plugin, stays.
    """
    theirs = []
    for file, page in pages.items():
        if file.page is None:
            continue
        meta = file.page.meta
        if _OTHERS in meta:
            theirs.append(file.src_uri)
            continue
        when = lastmod_of(page, dates, now)
        is_dated_post = "updated" in as_mapping(meta.get("date"))
        if when is None or is_dated_post or "revision_date" in meta:
            continue
        iso = when.isoformat()
        meta["revision_date_iso"] = iso
        meta["revision_date"] = f'<time datetime="{iso}">{escape(when.strftime(form))}</time>'
    if not theirs:
        return []
    return [page_dates_elsewhere(len(theirs), one_line(theirs[0]))]


@reported("info")
def page_dates_elsewhere(number: int, first: str) -> str:
    """Another plugin writes the dates that pages show, and the option `page_dates` is set.

    A page may show another date than the sitemap has.
    Remove the other plugin, or the option.
    Wrong: `plugins: [git-revision-date-localized, {sitemap-docs: {page_dates: true}}]`
    Right: `plugins: [{sitemap-docs: {page_dates: true}}]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"Another plugin sets `{_OTHERS}`, the date that {many(number, 'page')} show, such as {first}. To "
        "show the date of the sitemap, remove git-revision-date-localized from `plugins`."
    )
