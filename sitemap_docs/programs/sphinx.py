"""Sphinx: pages that it generates or copies as they are, and the files that prove a build of Sphinx."""

import ast
import json
import os
import re
from collections.abc import Iterable

from sitemap_docs import files
from sitemap_docs.linear import linear
from sitemap_docs.programs.built_pages import BuiltPage, Generated

#: The templates of pages that are no documents.
GENERATED = frozenset(
    {"domainindex.html", "genindex.html", "genindex-single.html", "genindex-split.html", "search.html"}
)
# Text from these templates, in Sphinx itself, in furo and in sphinx-basic-ng, and text from viewcode for one
# module and for all modules. The heading of a document contains an anchor, and is in a section.
_WRITTEN = re.compile(
    rb'<h1 id="index">|class="(?:indextable )?(?:gen|mod|domain)index[-t]'
    rb'|<tr class="pcap">'
    rb'|<div id="search-results"'
    rb'|<h1>[^<]*</h1><div class="highlight"><pre>'
    rb'|<h1>[^<]*</h1>\s*<ul><li><a href="'
)
#: A file in each output folder of Sphinx. mdBook before 0.5 writes a file with the same name.
SEARCH_INDEX = "searchindex.js"
#: A file in each output folder of the builder ``html``.
FLAT = "search.html"
#: Folders with files that pages load. They contain no pages.
ASSETS = frozenset({"_static", "_sources", "_images", "_downloads"})
#: The title of a document that has no title (TitleCollector, Sphinx 7.4 to 9.0).
UNTITLED = "<no title>"
#: A script that the pages of every theme load, and the link to it in a page.
SCRIPT = b"documentation_options.js"
SCRIPT_FROM_PAGE = re.compile(rb'"((?:\.\./)*)_static/' + re.escape(SCRIPT))
# Sphinx 7 writes a space behind each colon and comma.
_DOCNAMES = re.compile(rb'"?docnames"?: ?(\["(?:[^"\\]|\\.)*"(?:, ?"(?:[^"\\]|\\.)*")*\])')
#: The beginning of a directive, in reStructuredText and in Markdown.
DIRECTIVE = r"(?:\.\.[ \t]+|`{3,}\{|:{3,}\{)"
_INCLUDED = re.compile(rf"\n[ \t]*{DIRECTIVE}include(?:::|\}})[ \t]+(\S[^\n]*)")


def generated(page: BuiltPage) -> Generated | None:
    """Return the kind of a page that Sphinx generates, such as an index, or None for other pages."""
    is_from_template = page.is_document is False and _WRITTEN.search(page.text) is not None
    return Generated("indexes, the search form and source code") if is_from_template else None


def docnames(index: bytes) -> frozenset[str]:
    """Return the document names in the content of ``searchindex.js``, such as ``guide/install``.

    Raises:
        ValueError: The list of documents is damaged.
    """
    match = _DOCNAMES.search(index)
    return frozenset(json.loads(match[1])) if match else frozenset()


@linear
def included_names(text: str) -> list[str]:
    """Return the names of the files that a text includes with the directive ``include``."""
    return [name.strip() for name in _INCLUDED.findall(f"\n{text}")]


def extra_paths(folder: str) -> tuple[str, ...]:
    """Return the paths in the option ``html_extra_path`` of the ``conf.py`` in a folder."""
    from sitemap_docs.sources.modules import parse_python  # noqa: PLC0415  no build with Sphinx asks

    try:
        tree = parse_python(files.read_file(f"{folder}/conf.py"))
    except OSError:
        return ()
    names: list[ast.expr] = []
    for statement in tree.body:
        match statement:
            case ast.Assign([ast.Name("html_extra_path")], value):
                names = getattr(value, "elts", [])
    texts = [name.value for name in names if isinstance(name, ast.Constant)]
    return tuple(os.path.normpath(os.path.join(folder, text)) for text in texts if isinstance(text, str))


def copied_file(name: str, entries: Iterable[str]) -> str:
    """Return the source file that Sphinx copies to ``name`` in the output folder, or ``""``.

    ``entries`` are the paths in ``html_extra_path`` or ``html_static_path``.
    """
    for entry in entries:
        if os.path.isfile(f"{entry}/{name}"):
            return f"{entry}/{name}"
        if os.path.basename(entry) == name and os.path.isfile(entry):
            return entry
    return ""
