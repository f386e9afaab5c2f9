"""The rules of the MkDocs plugin. This module can be imported without MkDocs."""

from __future__ import annotations

from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many


@reported_text("info")
def sitemap_template(message: str) -> None:
    """The project's own template for sitemap.xml decides which pages are in the sitemap.

    Everything else, such as dates, comes from sitemap-docs. If the template writes no XML, it is not used.
    Remove the template to list all pages, or set the option `replace`.
    Wrong: `overrides/sitemap.xml`, copied from MkDocs for the dates alone
    Right: no template
    Source: MkDocs: sitemap.xml,
    https://www.mkdocs.org/user-guide/customizing-your-theme/
    """


@reported("info")
def page_dates_elsewhere(key: str, number: int, first: str) -> str:
    """The option `page_dates` is set, but another plugin writes the dates that pages show.

    A page may show another date than the sitemap.
    Remove the other plugin, or the option.
    Wrong: `plugins: [git-revision-date-localized, {sitemap-docs: {page_dates: true}}]`
    Right: `plugins: [{sitemap-docs: {page_dates: true}}]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"Another plugin also writes the date that {many(number, 'page')} show (`{key}`), such as {first}. "
        "To show the same date as in the sitemap, remove git-revision-date-localized from `plugins`."
    )
