"""The HTML files of an output folder that the host did not render: the project's own, and redirects."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs import files
from sitemap_docs.html.head import read_head
from sitemap_docs.listing.selection import is_error_page
from sitemap_docs.model import Page, Reason
from sitemap_docs.paths import seen_from
from sitemap_docs.webroot.lookup import address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitemap_docs.urls.base import Base

#: Folders in which Sphinx keeps what pages load, not pages.
ASSETS = frozenset({"_static", "_sources", "_images", "_downloads"})
#: Files of a site of its own that another build put below this one, such as another language.
SITES = frozenset({"searchindex.js", "sitemap.xml"})


def other_pages(
    output: Path, base: Base, known: Iterable[Page], source_of: Callable[[str], Path | None]
) -> list[Page]:
    """The project's HTML files that are copied as they are, and the redirects that other plugins wrote.

    Other files are none of this build: they may be left of an earlier one.
    """
    names = {seen_from(output, page.file) for page in known}
    found = []
    for folder, folders, entries in os.walk(output):
        if folder != str(output) and not SITES.isdisjoint(entries):
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if name not in ASSETS and not name.startswith("."))
        for entry in sorted(entries):
            if not entry.lower().endswith(files.HTML_SUFFIXES):
                continue
            name = seen_from(output, f"{folder}{os.sep}{entry}")
            if name in names:
                continue
            path = address(name, "folders")
            page = Page(path=path, file=output / name, names=(path, name))
            source = source_of(name)
            if source:
                page = page._replace(
                    sources=(source,), default=Reason.NOT_FOUND if is_error_page(name) else Reason.STATIC
                )
            try:
                redirects = read_head(page.file).refresh_elsewhere(base.loc(path))
            except OSError:
                redirects = ""
            if redirects:
                found.append(page._replace(default=None))
            elif source:
                found.append(page)
    return found
