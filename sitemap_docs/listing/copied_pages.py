"""The pages in an output folder that a host did not render itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.html.head import read_head
from sitemap_docs.model import Fact, Page
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.spelling import address

#: Folders in which Sphinx keeps what pages load, not pages.
ASSETS = frozenset({"_static", "_sources", "_images", "_downloads"})
#: The title that Sphinx gives a document that has none (TitleCollector, Sphinx 7.4 to 9.0).
UNTITLED = "<no title>"
#: Files of a site of its own that another build put below this one, such as another language.
SITES = frozenset({"searchindex.js", "sitemap.xml"})


def other_pages(
    output: Path,
    base: Base,
    known: Iterable[Page],
    source_of: Callable[[str], Path | None] | None,
    fact_of: Callable[[str, bytes], Fact | None] | None = None,
) -> list[Page]:
    """The project's HTML files that are copied as they are, and the redirects that other plugins wrote.

    Files that the host rendered itself are none of this build, but left of an earlier one. ``fact_of`` tells
    by its name and its bytes what a file without a source is; None where that is not sure.
    """
    known_names = {files.seen_from(output, page.file) for page in known}
    others = []
    for below, folders, names in files.walk_folders(os.path.realpath(output)):
        if below and not SITES.isdisjoint(names):
            folders.clear()
            continue
        folders[:] = [name for name in folders if name not in ASSETS]
        for each in sorted(names):
            name = below + each
            if name in known_names or not name.lower().endswith(files.HTML_SUFFIXES):
                continue
            path = address(name, "folders")
            source = source_of(name) if source_of else None
            fact = Fact.STATIC if source else None
            sources = (source,) if source else ()
            page = Page(path=path, file=output / name, sources=sources, names=(path, name))
            try:
                if fact_of and not source:
                    fact = fact_of(name, files.read_file(page.file))
                redirects = read_head(page.file).refresh_elsewhere(base.loc(path))
            except OSError:
                redirects = ""
            if redirects:
                others.append(page)
            elif fact is Fact.LEFT:  # which no glob means
                others.append(page._replace(names=(), facts=frozenset({fact})))
            elif fact:
                others.append(page._replace(facts=frozenset({fact})))
    return others
