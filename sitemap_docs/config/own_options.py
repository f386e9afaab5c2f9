"""A page as its front matter or field list has it."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sitemap_docs.files import Folders
from sitemap_docs.model import Finding, Page
from sitemap_docs.text import one_line


def with_own_options(
    page: Page,
    meta: Mapping[str, object],
    where: str,
    source: Path | str,
    folders: Folders,
    fields: Iterable[str] = (),
) -> tuple[Page, list[Finding]]:
    """The page with the options and sources that its front matter or field list names; and what is wrong.

    ``source`` is the file of the page's source, ``fields`` the option ``lastmod_fields``.
    """
    if not fields and not any(str(name).startswith(("sitemap", "robots")) for name in meta):
        return page, []  # as most pages, so that most builds do not load the rest
    from sitemap_docs.config.frontmatter import named_sources, page_options, page_sources  # noqa: PLC0415

    options, findings = page_options(meta, where, fields)
    sources: dict[str, Path | str] = {os.fspath(source): source for source in page.sources}
    for pattern in options.sources:
        named = named_sources(pattern, Path(source).parent, folders)
        for file in named.files:
            sources.setdefault(str(file), file)
        if named.problem:
            findings.append(page_sources(one_line(pattern), named.problem).at(one_line(where)))
    unknown = page.unknown
    if len(sources) > len(page.sources):  # the author knows what only the build does
        unknown = ""
    return page._replace(options=options, sources=tuple(sources.values()), unknown=unknown), findings
