"""The rules of the MkDocs plugin. This module can be imported without MkDocs."""

from __future__ import annotations

from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many


@reported_text("info")
def sitemap_template(message: str) -> None:
    """The project has a template for sitemap.xml, and the sitemap has the pages that it lists.

    Dates, translations and all else are those of sitemap-docs. Where it renders no XML, it is a warning.
    Remove the template to list all pages, or set the option `replace`.
    Wrong: `overrides/sitemap.xml`, copied from MkDocs for the dates alone
    Right: no template
    Source: MkDocs: sitemap.xml,
    https://www.mkdocs.org/user-guide/customizing-your-theme/
    """


@reported("info")
def page_dates_elsewhere(key: str, number: int, first: str) -> str:
    """Another plugin writes the dates that pages show, and the option `page_dates` is set.

    A page may show another date than the sitemap has.
    Remove the other plugin, or the option.
    Wrong: `plugins: [git-revision-date-localized, {sitemap-docs: {page_dates: true}}]`
    Right: `plugins: [{sitemap-docs: {page_dates: true}}]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"Another plugin sets `{key}`, the date that {many(number, 'page')} show, such as {first}. To "
        "show the date of the sitemap, remove git-revision-date-localized from `plugins`."
    )
