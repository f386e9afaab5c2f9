"""The option ``page_dates`` in Sphinx: each document shows the same date as in the sitemap."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util.i18n import format_date

from sitemap_docs.config.option_types import DAY_FORMAT
from sitemap_docs.config.options import Options
from sitemap_docs.files import read_file
from sitemap_docs.history.page_dates import Dates, page_date, read_dates
from sitemap_docs.listing.extra_urls import own_date_finder
from sitemap_docs.model import Finding, NoSitemap, Page, SitemapError
from sitemap_docs.programs.sphinx_last_updated_by_git import dates_footers
from sitemap_docs.project import Address
from sitemap_docs.sphinx.collect import DocumentSources, page_path
from sitemap_docs.sphinx.config import LAST
from sitemap_docs.sphinx_rules import page_dates_late
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import one_line

_MODIFIED = "article:modified_time"
_ELEMENT = f'<meta property="{_MODIFIED}" content="{{}}">'
_WRITTEN = re.compile(_ELEMENT.format('([^"]*)').encode())
_FIRST = 100  # before the handlers of themes
_FORMAT = "%b %d, %Y"  # of Sphinx itself, which translates it


def show_dates(
    app: Sphinx,
    builder: StandaloneHTMLBuilder,
    options: Options,
    around: Surroundings,
    address: Address | NoSitemap | None,
) -> ShownDates | None:
    """Create the object that shows the date on each page, if the option ``page_dates`` is true.

    If the option is false, or if the extension sphinx-last-updated-by-git shows dates, return None.
    ``around`` contains the time and the environment variables of the build. ``address`` is the base URL, or
    the reason why there is no sitemap.

    Raises:
        SitemapError: The option ``page_dates`` is a date format. With Sphinx, it can only be true or false.
    """
    if options.page_dates not in ("", DAY_FORMAT):
        raise SitemapError(
            "The option `page_dates` must be true or false. Write the date format into html_last_updated_fmt."
        )
    if not options.page_dates or dates_footers(app.extensions):
        return None
    find_own_date = own_date_finder(options, Path(app.outdir), address, around.now)
    return ShownDates(app, builder, options, around, find_own_date)


class ShownDates:
    """Lets each page of a Sphinx build show the date that it has in the sitemap."""

    def __init__(
        self,
        app: Sphinx,
        builder: StandaloneHTMLBuilder,
        options: Options,
        around: Surroundings,
        find_own_date: Callable[[Page], datetime | None],
    ) -> None:
        self._builder = builder
        self._options = options
        self._around = around
        self._find_own_date = find_own_date
        self._pages: dict[str, Page] = {}
        self._shown: dict[str, datetime] = {}
        self.dates: Dates | None = None
        app.connect("env-updated", self.on_updated, LAST)
        # pydata-sphinx-theme renders its footer in this event, to see whether it is empty.
        app.connect("html-page-context", self.on_page, _FIRST)
        app.connect("html-page-context", self.on_tags, LAST)

    def on_updated(self, app: Sphinx, env: BuildEnvironment) -> list[str]:
        """Find the date of each page, and return the pages that still show another date.

        Sphinx renders these pages again.
        """
        sources = DocumentSources(app, self._options, self._around)
        for name in sorted(env.all_docs):
            path = page_path(self._builder.get_target_uri(name), name)
            page = Page(path, os.fspath(self._builder.get_outfilename(name)))
            self._pages[name], _wrong = sources.as_document(page, name)
        made_of: Iterator[Path | str] = (source for page in self._pages.values() for source in page.sources)
        self.dates = read_dates(self._options, made_of, around=self._around)
        differing = []
        for name, page in self._pages.items():
            when = page_date(page, self.dates, self._around.now, self._find_own_date(page)).when
            if when:
                self._shown[name] = when
            written = ""
            with suppress(OSError):
                if found := _WRITTEN.search(read_file(page.file)):
                    written = found[1].decode()
            if written != (when.isoformat() if when else ""):
                differing.append(name)
        return differing

    def on_page(
        self, app: Sphinx, name: str, _template: str, context: dict[str, Any], *_rest: object
    ) -> None:
        """Set the "last updated" date that a page shows."""
        # Without this line, Sphinx would show the date of the build.
        context["last_updated"] = None
        if when := self._shown.get(name):
            form = app.config.html_last_updated_fmt or _(_FORMAT)
            context["last_updated"] = format_date(form, date=when, language=app.config.language)

    def on_tags(self, _: Sphinx, name: str, _template: str, context: dict[str, Any], *_rest: object) -> None:
        """Add the date of a page to its HTML, as ``<meta property="article:modified_time">``."""
        when = self._shown.get(name)
        tags = context.get("metatags", "")
        if when and _MODIFIED not in tags:
            context["metatags"] = f"{tags}\n    {_ELEMENT.format(when.isoformat())}"

    def late_pages(self, pages: Iterable[Page]) -> Iterator[Finding]:
        """Yield a note about pages that may show a date that is too old.

        When Sphinx wrote the dates into these pages, some of their source files were not known yet.
        """
        written = {page.file: page for page in self._pages.values()}
        late = []
        for page in pages:
            before = written.get(page.file)
            if before and not set(page.sources) <= set(before.sources):
                late.append(page)
        if late:
            name = one_line(late[0].names[0])
            yield page_dates_late(len(late), name)
