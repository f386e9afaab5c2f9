"""The pages in an output folder that a host did not render in this build, and whose they are."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.config.options import Options
from sitemap_docs.html.head import read_head
from sitemap_docs.model import Fact, Finding, Page, reported
from sitemap_docs.programs.sphinx import ASSETS, SCRIPT, SCRIPT_FROM_PAGE, SEARCH_INDEX
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, address

#: Files of a site of its own that another build put below this one, such as another language.
SITES = frozenset({SEARCH_INDEX, "sitemap.xml"})


def other_pages(
    output: Path,
    base: Base,
    known: Iterable[Page],
    source_of: Callable[[str], Path | None] | None,
    documents: Container[str] | None = None,
    began: float = 0.0,
) -> list[Page]:
    """The project's HTML files that are copied as they are, and the redirects that other plugins wrote.

    With the names of the ``documents`` of Sphinx, also what another program wrote without an option, and what
    a build left that came before this one; ``began`` is 0 where this one does not know all of its pages.
    Of other hosts, a file without a source is no page: nothing tells whose it is.
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
                if documents is not None and not source:
                    fact = _fact_of(output / name, name, documents, began)
                redirects = read_head(page.file).refresh_elsewhere(base.loc(path))
            except OSError:
                redirects = ""
            if fact is Fact.LEFT:  # which no glob means
                others.append(page._replace(names=(), facts=frozenset({fact})))
            elif redirects:
                others.append(page)
            elif fact:
                others.append(page._replace(facts=frozenset({fact})))
    return others


def _fact_of(file: Path, name: str, documents: Container[str], began: float) -> Fact | None:
    """Returns whose file it is that a build of Sphinx did not write; None where that is not sure.

    An earlier build left it if it has the script of this folder, as all pages have that a template makes, no
    document has its name, and it is older than this build. Raises OSError.
    """
    html = files.read_file(file)
    script = SCRIPT_FROM_PAGE.search(html)
    if script is None:
        return None if SCRIPT in html.lower() else Fact.STATIC
    stem = name.rpartition(".")[0]
    is_document = stem in documents or stem.removesuffix("index").rstrip("/") in documents
    is_own = script[1].count(b"../") == name.count("/") and not is_document
    return Fact.LEFT if is_own and file.stat().st_mtime < began else None


def about_others(others: Sequence[Page], output: Path, options: Options) -> Iterator[Finding]:
    """Yields what to report of files that another program, such as pydoctor, or an earlier build wrote."""
    static = [page for page in others if Fact.STATIC in page.facts and not page.sources]
    left_out = [page.names[-1] for page in static if not options.excludes.decision(page.names)]
    if left_out:
        folder = left_out[0].rpartition("/")[0].partition("/")[0]
        glob = f"!{folder}/*" if folder else f"!{left_out[0]}"
        yield written_by_others(len(left_out), one_line(left_out[0]), one_line(repr(glob)))
    left = [files.seen_from(output, page.file) for page in others if Fact.LEFT in page.facts]
    if left:
        yield left_by_earlier_build(len(left), one_line(left[0]))


@reported("info")
def left_by_earlier_build(number: int, first: str) -> str:
    """Sphinx leaves the page of a document that was deleted or renamed in the output folder.

    It is deployed with the others, and engines find it by links to it. It is not listed.
    Delete it, or build into an empty folder.
    Wrong: `old.html` in the output, and no `old.rst`
    Right: `make clean html`
    Source: Sphinx: sphinx-build, the option --fresh-env,
    https://www.sphinx-doc.org/en/master/man/sphinx-build.html
    """
    return (
        f"{many(number, 'page')} of the output, such as {first}, {'is' if number == 1 else 'are'} left by an "
        "earlier build: no document is its source. Delete it, or build into an empty folder."
    )


@reported("info")
def written_by_others(number: int, first: str, glob: str) -> str:
    """Sphinx did not write some HTML files of the output folder, and no option names them.

    They may be pages that another program made, or parts of such.
    Add the folder with a `!` to `sitemap_excludes` to list them.
    Wrong: pydoctor's pages in `api/`, to be found by engines
    Right: `sitemap_excludes = ["!api/*"]`
    Source: sitemap-docs: the page Sphinx
    """
    return (
        f"Sphinx did not write {many(number, 'HTML file')} of the output, such as {first}: left out. To list "
        f"them, add to sitemap_excludes: {glob}."
    )
