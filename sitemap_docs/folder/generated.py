"""The pages that a generator adds to its documents, known by what its templates write."""

import os
import re
from functools import lru_cache
from posixpath import dirname, join

from sitemap_docs import files
from sitemap_docs.model import Fact
from sitemap_docs.programs.ablog import lists_drafts
from sitemap_docs.programs.sphinx import FLAT, SEARCH_INDEX, docnames, is_generated
from sitemap_docs.programs.sphinx_gallery import TIMES

_HOMES = 64  # folders whose documents are remembered
_FOLDERS = 4_096  # folders whose home is remembered

# search.html of MkDocs' themes readthedocs and nature (0.6), and sitemap.html of the latter; results of
# Doxygen's search; rustdoc's help, settings and sources; pydoctor's data for its search.
_OTHERS = re.compile(
    rb'<div id="mkdocs-search-results" class="search-results"|<h1 id="index">Sitemap</h1>'
    rb'|<body class="(?:SRPage|rustdoc (?:src|source|mod sys))">'
    rb'|<title>All Documents</title>\s*<meta name="generator" content="pydoctor'
)
_OTHERS_NAMES = {"search.html", "sitemap.html", "help.html", "settings.html", "all-documents.html"}
_OTHERS_FOLDERS = {"search", "src"}
_PROOF = re.compile(r"google[0-9a-f]{16}\.html")  # of ownership, for Google's Search Console


class GeneratedPages:
    """Which pages below a root are generated; it remembers the documents of the folders seen last."""

    def __init__(self, root: str) -> None:
        self._root = root
        #: The folder of the build of Sphinx that a folder below the root is part of; None for another one.
        self.home = lru_cache(maxsize=_FOLDERS)(self._find_home)
        self._is_home = lru_cache(maxsize=_FOLDERS)(lambda folder: self._exists(folder, SEARCH_INDEX))
        self._documents = lru_cache(maxsize=_HOMES)(self._read_documents)
        #: Whether a build is that of Sphinx' builder ``html``, which links to files by their names.
        self.is_flat = lru_cache(maxsize=_FOLDERS)(lambda home: self._exists(home, FLAT))

    def _find_home(self, folder: str) -> str | None:
        while not self._is_home(folder):
            if not folder:
                return None
            folder = dirname(folder)
        return folder

    def fact(self, file: str) -> Fact | None:
        """Returns what makes a file below the root no document: an index, a search form, a proof, a draft."""
        folder, _, name = file.rpartition("/")
        home = self.home(folder)
        if _PROOF.fullmatch(file):
            return Fact.GENERATED
        if home is not None and TIMES in (name.removesuffix(".html"), folder.rpartition("/")[2]):
            return Fact.GENERATED
        if home is not None and not self.is_document(home, file):
            text = self._read(file)
            if lists_drafts(file, text):
                return Fact.DRAFT
            if is_generated(text):
                return Fact.GENERATED
        if name in _OTHERS_NAMES or not _OTHERS_FOLDERS.isdisjoint(folder.split("/")):
            return Fact.GENERATED if _OTHERS.search(self._read(file)) else None
        return None

    def is_document(self, home: str, file: str) -> bool:
        """Whether a file of a build of Sphinx is the page of one of its documents."""
        docname = file.removeprefix(f"{home}/").rpartition(".")[0]
        return not self._documents(home).isdisjoint((docname, docname.removesuffix("/index")))

    def _read_documents(self, home: str) -> frozenset[str]:
        try:
            return docnames(files.read_inside(self._root, join(home, SEARCH_INDEX)))
        except (OSError, ValueError):
            return frozenset()

    def _exists(self, folder: str, name: str) -> bool:
        return os.path.exists(f"{self._root}/{folder}/{name}")

    def _read(self, file: str) -> bytes:
        try:
            return files.read_inside(self._root, file)
        except OSError:
            return b""
