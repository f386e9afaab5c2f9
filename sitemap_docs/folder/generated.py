"""Decide whether a file in a built folder is a document of its generator."""

import os
import re
from functools import lru_cache
from posixpath import dirname, join

from sitemap_docs import files
from sitemap_docs.listing.generated_pages import PageTemplates
from sitemap_docs.model import Fact
from sitemap_docs.programs.ablog import lists_drafts
from sitemap_docs.programs.sphinx import FLAT, SEARCH_INDEX, docnames, is_generated
from sitemap_docs.programs.sphinx_gallery import TIMES

_HOMES = 64  # Builds of Sphinx whose documents are remembered.
_FOLDERS = 4_096  # Folders whose home is remembered.

#: A file that proves to Google who owns the site. It has no content.
_PROOF = re.compile(r"google[0-9a-f]{16}\.html")


class GeneratedPages:
    """Says which pages below a folder are generated, and which folders are builds of Sphinx.

    Args:
        root: The folder.

    Attributes:
        home: Return the home of a folder, which is the output folder of the build of Sphinx that wrote it. If
            Sphinx did not write the folder, the result is None.
        is_flat: Check whether a home is from the builder ``html``, which links to files by their names.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._templates = PageTemplates(root)
        self.home = lru_cache(maxsize=_FOLDERS)(self._find_home)
        self.is_flat = lru_cache(maxsize=_FOLDERS)(lambda home: self._exists(home, FLAT))
        self._documents = lru_cache(maxsize=_HOMES)(self._read_documents)
        self._is_home = lru_cache(maxsize=_FOLDERS)(self._has_documents)

    def fact(self, file: str) -> Fact | None:
        """Return the fact that makes a file no document, or None for a document.

        Such a file is for example an index, a search form, a list of drafts, or a proof for Google.
        """
        folder, _, name = file.rpartition("/")
        home = self.home(folder)
        if _PROOF.fullmatch(file):
            return Fact.GENERATED
        if home is not None and TIMES in (name.removesuffix(".html"), folder.rpartition("/")[2]):
            return Fact.GENERATED
        if home is not None and not self.is_document(home, file):
            text = self._templates.read(file)
            if lists_drafts(file, text):
                return Fact.DRAFT
            if is_generated(text):
                return Fact.GENERATED
        return Fact.GENERATED if self._templates.template_of(file) else None

    def is_document(self, home: str, file: str) -> bool:
        """Check whether a file in a build of Sphinx is the page of a document."""
        docname = file.removeprefix(f"{home}/").rpartition(".")[0]
        documents = self._documents(home) or frozenset()
        return not documents.isdisjoint((docname, docname.removesuffix("/index")))

    def is_sphinx(self, folder: str) -> bool:
        """Check whether a folder itself is the output folder of a build of Sphinx."""
        return self._is_home(folder)

    def _find_home(self, folder: str) -> str | None:
        while not self._is_home(folder):
            if not folder:
                return None
            folder = dirname(folder)
        return folder

    def _has_documents(self, folder: str) -> bool:
        """Check whether the search index in a folder is from Sphinx.

        Each search index of Sphinx has documents. mdBook before 0.5 writes a file with the same name.
        """
        if not self._exists(folder, SEARCH_INDEX):
            return False
        documents = self._documents(folder)
        return documents is None or bool(documents)

    def _read_documents(self, home: str) -> frozenset[str] | None:
        """Return the documents in the search index of a folder, or None if the index cannot be read."""
        try:
            return docnames(files.read_inside(self._root, join(home, SEARCH_INDEX)))
        except (OSError, ValueError):
            return None

    def _exists(self, folder: str, name: str) -> bool:
        return os.path.exists(f"{self._root}/{folder}/{name}")
