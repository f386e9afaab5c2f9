"""Recognise pages that a program generates in addition to its documents.

The same kinds of pages are generated for all programs: search forms, alphabetical indexes, source code, lists
of members, the help and the settings of a viewer, and all documents on one page for printing. ``TEMPLATES``
has the pages of each program. The pages of Sphinx itself are in ``programs/sphinx.py``, because each file in
a build of Sphinx that belongs to no document may be one of them.
"""

import os
import re
from functools import lru_cache
from typing import NamedTuple

from sitemap_docs import files

_FOLDERS = 4_096  # Folders for which the existence of a file is remembered.


class GeneratedTemplate(NamedTuple):
    """A template with which a program writes pages that are not documents.

    Attributes:
        program: The program, for example ``Doxygen``.
        pages: The pages, in words for the manual.
        text: Matches text in such a page that no document has.
        name: Matches the name of the file. None stands for any name.
        folder: The name of a folder that contains the page, directly or not. ``""`` stands for any folder.
        beside: A file that the program writes into the folder of the page. The folder of ``print/`` is the
            folder above ``print/index.html``. Without this file, no page is from the template.
    """

    program: str
    pages: str
    text: re.Pattern[bytes]
    name: re.Pattern[str] | None = None
    folder: str = ""
    beside: str = ""


_DOXYGEN = rb'<div class="contents">\s*'

TEMPLATES = (
    GeneratedTemplate(
        "themes of MkDocs",
        "the search form and the list of pages",
        re.compile(
            rb'<div id="mkdocs-search-results" class="search-results"|<h1 id="index">Sitemap</h1>',
        ),
        re.compile(r"search\.html|sitemap\.html"),
    ),
    GeneratedTemplate(
        "mkdocs-print-site-plugin",
        "the page with the whole site",
        re.compile(rb'<div id="print-site-page" class="'),
        beside="js/print-site.js",
    ),
    GeneratedTemplate(
        "Doxygen",
        "search results",
        re.compile(rb'<body class="SRPage">'),
        folder="search",
    ),
    GeneratedTemplate(
        "Doxygen",
        "source code",
        re.compile(_DOXYGEN + rb'(?:<a href="[^"]*">[^<]*</a>\s*)?<(?:div|pre) class="fragment">'),
        re.compile(r".+_source\.html"),
    ),
    GeneratedTemplate(
        "Doxygen",
        "lists of members",
        re.compile(_DOXYGEN + rb'<p>[^<]*<a class="el" href="[^"]*">[^<]*</a>[^<]*</p>\s*<table'),
        re.compile(r".+-members\.html"),
    ),
    GeneratedTemplate(
        "Doxygen",
        "alphabetical indexes",
        re.compile(
            _DOXYGEN + rb'(?:(?:<div class="textblock">[^<]*</div>|&#160;)\s*<(?:h3|ul)|<div class="qindex")'
        ),
        re.compile(r"classes\.html|(?:functions|globals|(?:namespace|module)members)(?:_.+)?\.html"),
    ),
    GeneratedTemplate(
        "rustdoc",
        "source code",
        re.compile(rb'<body class="rustdoc (?:src|source)">'),
        folder="src",
    ),
    GeneratedTemplate(
        "rustdoc",
        "lists of all items, help and settings",
        re.compile(rb'<body class="rustdoc mod sys">'),
        re.compile(r"(?:all|help|settings|scrape-examples-help)\.html"),
    ),
    GeneratedTemplate(
        "pydoctor",
        "the data of the search, indexes and help",
        re.compile(
            rb"<title>(?:All Documents|Index of Names|Module Index|Summary of Undocumented Objects|Help)"
            rb'</title>\s*<meta name="generator" content="pydoctor'
        ),
        re.compile(r"(?:all-documents|nameIndex|moduleIndex|undoccedSummary|apidocs-help)\.html"),
    ),
)


def _join_names() -> re.Pattern[str]:
    """Return an expression that matches all names in the templates."""
    return re.compile("|".join(template.name.pattern for template in TEMPLATES if template.name))


# A page is compared with all templates only if one of these fits. Most pages fit none.
_KNOWN_NAMES = _join_names()
_KNOWN_FOLDERS = frozenset(template.folder for template in TEMPLATES if template.folder)
_KNOWN_FILES = frozenset(template.beside for template in TEMPLATES if template.beside)


class PageTemplates:
    """Recognises the generated pages below a folder, in the output of all programs except Sphinx.

    Args:
        root: The folder, for example the output folder of a build.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        # Path.exists raises for a name that is too long.
        self._exists = lru_cache(maxsize=_FOLDERS)(lambda name: os.path.exists(f"{root}/{name}"))  # noqa: PTH110

    def template_of(self, file: str) -> GeneratedTemplate | None:
        """Return the template with which a program wrote a file, or None if the file may be a document.

        ``file`` is a path below the root, for example ``api/pot_8h_source.html``.
        """
        *folders, name = file.split("/")
        site = "/".join(folders[:-1] if name == "index.html" else folders)
        has_file = False
        for beside in _KNOWN_FILES:
            has_file = has_file or self._exists(f"{site}/{beside}")
        if not (has_file or _KNOWN_NAMES.fullmatch(name) or not _KNOWN_FOLDERS.isdisjoint(folders)):
            return None
        text = self.read(file)
        for template in TEMPLATES:
            if template.folder and template.folder not in folders:
                continue
            if template.beside and not self._exists(f"{site}/{template.beside}"):
                continue
            if template.name and not template.name.fullmatch(name):
                continue
            if template.text.search(text):
                return template
        return None

    def read(self, file: str) -> bytes:
        """Return the content of a file below the root. A file that cannot be read counts as empty."""
        try:
            return files.read_inside(self._root, file)
        except OSError:
            return b""
