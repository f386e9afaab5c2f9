"""Add the options in the front matter of a page to the page."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from sitemap_docs.config.directives import mentions_options
from sitemap_docs.files import Folders, read_file
from sitemap_docs.model import Finding, Page
from sitemap_docs.text import one_line

OptionsPlace = Literal["front matter", "field list", ""]
"""The place of the options in a source file. ``""`` means that its format has no place for them."""

#: Formats without front matter. Some generators, such as Hugo, accept front matter even in AsciiDoc.
_WITHOUT_FRONT_MATTER = {".adoc", ".asciidoc", ".org", ".astro", ".tsx", ".jsx", ".ipynb"}
_FENCES = (b"---", b"+++")


def find_options_place(source: str) -> OptionsPlace:
    """Return the part of a source file that may contain options, or ``""``.

    >>> find_options_place("guide.md"), find_options_place("guide.rst"), find_options_place("guide.adoc")
    ('front matter', 'field list', '')
    """
    ending = Path(source).suffix.lower()
    if ending == ".rst":
        return "field list"
    if ending not in _WITHOUT_FRONT_MATTER:
        return "front matter"
    with suppress(OSError):
        if ending != ".astro" and read_file(source, len(_FENCES[0])) in _FENCES:  # Astro has code there.
            return "front matter"
    return ""


def with_own_options(
    page: Page,
    meta: Mapping[str, object],
    where: str,
    source: Path | str,
    folders: Folders,
    fields: Iterable[str] = (),
) -> tuple[Page, list[Finding]]:
    """Return a page with the options in its front matter, and a warning for each mistake in them.

    Args:
        page: The page.
        meta: The front matter.
        where: The name of the page for warnings, such as ``a.md``.
        source: The source file of the page.
        folders: An object that finds source files by globs such as ``docs/*.md``.
        fields: Fields that may contain the page's date, such as ``last_update.date``.
    """
    has_our_fields = any(str(name).startswith(("sitemap", "robots")) for name in meta)
    if not fields and not has_our_fields:
        return page, []  # This is the normal case, so most builds need not import the module.
    from sitemap_docs.config.frontmatter import named_sources, page_options, page_sources  # noqa: PLC0415

    options, findings = page_options(meta, where, fields)
    sources: dict[str, Path | str] = {os.fspath(source): source for source in page.sources}
    for pattern in options.sources:
        result = named_sources(pattern, Path(source).parent, folders)
        for file in result.files:
            sources.setdefault(str(file), file)
        if result.problem:
            finding = page_sources(one_line(pattern), result.problem)
            findings.append(finding.at(one_line(where)))
    unknown = page.unknown
    if len(sources) > len(page.sources):
        # The author has listed the files that we could not find out.
        unknown = None
    return page._replace(options=options, sources=tuple(sources.values()), unknown=unknown), findings


def about_unread(
    text: bytes,
    ending: str,
    read: Mapping[str, object],
    where: str,
    *,
    reports_errors: bool = False,
    reads_toml: bool = False,
) -> list[Finding]:
    """Return warnings about options in the source of a page that Sphinx or MkDocs could not read.

    Args:
        text: The source of the page.
        ending: The ending of the source file, such as ``.md``.
        read: The front matter that Sphinx or MkDocs has read.
        where: The name of the page for warnings, such as ``a.md``.
        reports_errors: Whether invalid front matter is already reported elsewhere, for example by MyST.
        reads_toml: Whether front matter in TOML is allowed.
    """
    if not mentions_options(text):
        return []
    from sitemap_docs.config.frontmatter import front_matter  # noqa: PLC0415
    from sitemap_docs.config.unread import find_unread_block, find_unread_fields  # noqa: PLC0415

    source = text.decode("utf-8-sig", "replace")
    if ending == ".rst":
        problems = [*find_unread_fields(source, read)]
    else:
        problems = [find_unread_block(source, read, reports_errors=reports_errors, reads_toml=reads_toml)]
    return [front_matter(problem).at(one_line(where)) for problem in problems if problem]
