"""Find HTML files in the output folder that Sphinx or MkDocs has not rendered, and decide who wrote them."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import LinkOption, Options
from sitemap_docs.listing.address_style import early_path
from sitemap_docs.listing.selection import is_redirect, reason_without_options
from sitemap_docs.model import Fact, Finding, Page, Reason
from sitemap_docs.programs.built_pages import BuiltPages
from sitemap_docs.programs.followed import recognise_generated
from sitemap_docs.programs.sphinx import ASSETS, SCRIPT, SCRIPT_FROM_PAGE, SEARCH_INDEX
from sitemap_docs.project import Project
from sitemap_docs.rules import reported
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base

#: A subfolder with one of these files is a separate site, for example another language.
SITES = frozenset({SEARCH_INDEX, "sitemap.xml"})


def other_pages(
    project: Project,
    known: Iterable[Page],
    source_of: Callable[[str], Path | None] | None,
    documents: Container[str] | None = None,
    began: float = 0.0,
    links: LinkOption = "auto",
) -> list[Page]:
    """Return the HTML files in the output folder that Sphinx or MkDocs has not rendered.

    A file older than ``began`` may be from an earlier build.

    Args:
        project: The project with the output folder.
        known: The rendered pages.
        source_of: A function that returns the source of a copied file, or None.
        documents: The names of Sphinx documents, or None for MkDocs.
        began: The time when the build started.
        links: The option ``links``, such as ``folders`` for addresses such as ``a/``.
    """
    output, base = project.output, project.base
    known_names = {files.seen_from(output, page.file) for page in known}
    others = []
    built = BuiltPages(str(output))
    for below, folders, names in files.walk_folders(os.path.realpath(output)):
        if below and not SITES.isdisjoint(names):
            folders.clear()
            continue
        folders[:] = [name for name in folders if name not in ASSETS]
        for file_name in sorted(names):
            name = below + file_name
            if name in known_names or not files.is_html(name):
                continue
            path = early_path(name, links)
            source = source_of(name) if source_of else None
            fact = Fact.STATIC if source else None
            sources = (source,) if source else ()
            page = Page(path=path, file=output / name, sources=sources, names=(early_path(name), name))
            try:
                if documents is not None and not source:
                    fact = _fact_of(output / name, name, documents, began)
                elif not source and (answer := recognise_generated(built.page(name))):
                    fact = answer.fact
            except OSError:
                fact = None
            if fact is Fact.LEFT:  # The globs of options do not refer to such files.
                page = page._replace(names=())
            # A file of unknown origin has no fact. It is left out, unless it is a redirect.
            if fact:
                others.append(page._replace(facts=frozenset({fact})))
            elif is_redirect(page, base, output):
                others.append(page)
    return others


def _fact_of(file: Path, name: str, documents: Container[str], began: float) -> Fact | None:
    """Return ``Fact.STATIC`` if another program wrote an HTML file, or ``Fact.LEFT`` if an earlier build did.

    If this build wrote the file, return None. ``documents`` are the Sphinx documents, and ``began`` is the
    time at which the build started.
    """
    html = files.read_file(file)
    script = SCRIPT_FROM_PAGE.search(html)
    if script is None:
        return None if SCRIPT in html.lower() else Fact.STATIC
    # All pages from Sphinx templates load a script from the root folder of their site. If this file loads the
    # script of this site, belongs to no document and is older than the build, an earlier build has left it.
    has_script_of_site = script[1].count(b"../") == name.count("/")
    stem = name.rpartition(".")[0]
    is_document = stem in documents or stem.removesuffix("index").rstrip("/") in documents
    if has_script_of_site and not is_document and file.stat().st_mtime < began:
        return Fact.LEFT
    return None


def about_others(others: Sequence[Page], output: Path, options: Options, base: Base) -> Iterator[Finding]:
    """Yield warnings about HTML files in ``output`` that earlier builds or other programs have written."""
    left_out_names = []
    for page in others:
        if page.sources or options.excludes.decision(page.names):
            continue
        if reason_without_options(page, options, base, output) is Reason.STATIC:
            left_out_names.append(page.names[-1])
    if left_out_names:
        first = left_out_names[0]
        folder = first.rpartition("/")[0].partition("/")[0]
        glob = f"!{folder}/*" if folder else f"!{first}"
        yield written_by_others(len(left_out_names), one_line(first), one_line(repr(glob)))
    old_names = [files.seen_from(output, page.file) for page in others if Fact.LEFT in page.facts]
    if old_names:
        yield left_by_earlier_build(len(old_names), one_line(old_names[0]))


@reported("info")
def left_by_earlier_build(number: int, first: str) -> str:
    """The output folder still has the page of a document that was deleted or renamed.

    The sitemap does not list it, but it is deployed, and search engines find it by links.
    Delete the page, or build into an empty folder.
    Wrong: `old.html` in the output, and no `old.rst`
    Right: `make clean html`
    Source: Sphinx: sphinx-build, the option --fresh-env,
    https://www.sphinx-doc.org/en/master/man/sphinx-build.html
    """
    return (
        f"The output folder has {many(number, 'page')} of an earlier build, such as {first}, for which there "
        "is no document any more. Delete old pages, or build into an empty folder."
    )


@reported("info")
def written_by_others(number: int, first: str, glob: str) -> str:
    """The output folder has HTML files that Sphinx did not write, and no option mentions them.

    They may be pages of another program, or only parts of pages, so the sitemap does not list them.
    To list them, add their folder with a `!` to `sitemap_excludes`.
    Wrong: pydoctor's pages in `api/`, to be found by engines
    Right: `sitemap_excludes = ["!api/*"]`
    Source: sitemap-docs: the page Sphinx
    """
    return (
        f"The output folder has {many(number, 'HTML file')} that Sphinx did not write, such as {first}. The "
        f"sitemap does not list them. To list them, add this exception to sitemap_excludes: {glob}."
    )
