"""Decide whether a file in a built folder is a document of its generator.

Each program recognises the pages that it generates. This module tells the programs which files are documents
of Sphinx, because Sphinx writes a list of its documents into the search index.
"""

import os
from functools import lru_cache
from posixpath import dirname, join

from sitemap_docs import files
from sitemap_docs.model import Fact
from sitemap_docs.programs.built_pages import BuiltPages
from sitemap_docs.programs.followed import recognise_generated
from sitemap_docs.programs.sphinx import FLAT, SEARCH_INDEX, docnames

_HOMES = 64  # Builds of Sphinx whose documents are remembered.
_FOLDERS = 4_096  # Folders whose home is remembered.


class GeneratedPages:
    """Recognises pages that no author wrote, such as search forms, in a built folder.

    ``home(folder)`` returns the Sphinx output folder that contains a folder, or None. ``is_flat(home)``
    checks whether Sphinx has written files such as ``a.html``, not ``a/index.html``, into this output folder.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._pages = BuiltPages(root)
        self.home = lru_cache(maxsize=_FOLDERS)(self._find_home)
        self.is_flat = lru_cache(maxsize=_FOLDERS)(lambda home: self._exists(home, FLAT))
        self._documents = lru_cache(maxsize=_HOMES)(self._read_documents)
        self._is_home = lru_cache(maxsize=_FOLDERS)(self._has_documents)

    def fact(self, file: str) -> Fact | None:
        """Return ``Fact.GENERATED`` or a similar fact if a program has generated the page, otherwise None."""
        home = self.home(dirname(file))
        is_document = None if home is None else self.is_document(home, file)
        answer = recognise_generated(self._pages.page(file, is_document=is_document))
        return answer.fact if answer else None

    def is_document(self, home: str, file: str) -> bool:
        """Check whether an HTML file is the page of a Sphinx document. ``home`` is Sphinx's output folder."""
        docname = file.removeprefix(f"{home}/").rpartition(".")[0]
        documents = self._documents(home) or frozenset()
        return not documents.isdisjoint((docname, docname.removesuffix("/index")))

    def is_flat_file(self, file: str) -> bool:
        """Check whether a file is in the output of Sphinx' builder ``html``, not of ``dirhtml``."""
        home = self.home(dirname(file))
        return home is not None and self.is_flat(home)

    def is_sphinx(self, folder: str) -> bool:
        """Check whether a folder is an output folder of Sphinx, not only a subfolder of one."""
        return self._is_home(folder)

    def _find_home(self, folder: str) -> str | None:
        while not self._is_home(folder):
            if not folder:
                return None
            folder = dirname(folder)
        return folder

    def _has_documents(self, folder: str) -> bool:
        """Check whether a folder is the output of Sphinx: it has a search index with documents."""
        if not self._exists(folder, SEARCH_INDEX):
            return False
        documents = self._documents(folder)
        return documents is None or bool(documents)

    def _read_documents(self, home: str) -> frozenset[str] | None:
        """Return the names of the documents in Sphinx's search index, or None if it cannot be read."""
        try:
            return docnames(files.read_inside(self._root, join(home, SEARCH_INDEX)))
        except (OSError, ValueError):
            return None

    def _exists(self, folder: str, name: str) -> bool:
        return os.path.exists(f"{self._root}/{folder}/{name}")
