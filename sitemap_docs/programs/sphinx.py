"""Sphinx: the pages that it generates or copies as they are, and by what its builds are known."""

import ast
import json
import os
import re
from collections.abc import Iterable

from sitemap_docs import files
from sitemap_docs.text import linear

#: The templates with which it renders pages that are no documents.
GENERATED = frozenset(
    {"domainindex.html", "genindex.html", "genindex-single.html", "genindex-split.html", "search.html"}
)
# What these templates write, its own, furo's and those of sphinx-basic-ng; and viewcode for a module
# and for all. The heading of a document has an anchor in it, and is in a section.
_WRITTEN = re.compile(
    rb'<h1 id="index">|class="(?:indextable )?(?:gen|mod|domain)index[-t]'
    rb'|<tr class="pcap">'
    rb'|<div id="search-results"'
    rb'|<h1>[^<]*</h1><div class="highlight"><pre>'
    rb'|<h1>[^<]*</h1>\s*<ul><li><a href="'
)
#: What it writes into the folder that it builds.
SEARCH_INDEX = "searchindex.js"
#: What only its builder ``html`` writes there.
FLAT = "search.html"
#: Folders in which it keeps what pages load, not pages.
ASSETS = frozenset({"_static", "_sources", "_images", "_downloads"})
#: The title that it gives a document that has none (TitleCollector, Sphinx 7.4 to 9.0).
UNTITLED = "<no title>"
#: A script that the pages of every theme load, as its templates name it from the page.
SCRIPT = b"documentation_options.js"
SCRIPT_FROM_PAGE = re.compile(rb'"((?:\.\./)*)_static/' + re.escape(SCRIPT))
_DOCNAMES = re.compile(rb'"?docnames"?:(\["(?:[^"\\]|\\.)*"(?:,"(?:[^"\\]|\\.)*")*\])')
#: How a directive begins in reStructuredText, and in Markdown as Sphinx reads it.
DIRECTIVE = r"(?:\.\.[ \t]+|`{3,}\{|:{3,}\{)"
_INCLUDED = re.compile(rf"\n[ \t]*{DIRECTIVE}include(?:::|\}})[ \t]+(\S[^\n]*)")


def is_generated(page: bytes) -> bool:
    """Whether a rendered page that is no document is one of these."""
    return _WRITTEN.search(page) is not None


def docnames(index: bytes) -> frozenset[str]:
    """The documents of a search index; none of that of another program. Raises ValueError."""
    match = _DOCNAMES.search(index)
    return frozenset(json.loads(match[1])) if match else frozenset()


@linear
def included_names(text: str) -> list[str]:
    """Returns what a source includes, as it names the files."""
    return [name.strip() for name in _INCLUDED.findall(f"\n{text}")]


def extra_paths(folder: str) -> tuple[str, ...]:
    """The files and folders that a list in ``html_extra_path`` of a conf.py names; none for other values."""
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
    """The file that is copied to a name, of files and of folders whose content is; ``""`` for none of them.

    These are the entries of ``html_extra_path``, or those of ``html_static_path``.
    """
    for entry in entries:
        if os.path.isfile(f"{entry}/{name}"):
            return f"{entry}/{name}"
        if os.path.basename(entry) == name and os.path.isfile(entry):
            return entry
    return ""
