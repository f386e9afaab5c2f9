"""HTML files in a built folder, and the templates by which programs recognise generated pages."""

import os
import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.model import Fact

_FOLDERS = 4_096  # Folders for which the existence of a file is remembered.


class Generated(NamedTuple):
    """A kind of pages that a program generates, such as search results, and the reason to leave them out."""

    #: The name of the kind, such as ``source code``.
    pages: str
    #: The reason to leave them out, such as ``Fact.DRAFT``.
    fact: Fact = Fact.GENERATED


class BuiltPages:
    """The HTML files in the output folder of a build."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.exists = lru_cache(maxsize=_FOLDERS)(self._exists)

    def page(self, file: str, *, is_document: bool | None = None) -> "BuiltPage":
        """Return a :class:`BuiltPage` for an HTML file such as ``api/index.html``.

        ``is_document`` says whether Sphinx made the page from a source file, a document. None means that this
        is unknown.
        """
        return BuiltPage(self, file, is_document)

    def read(self, file: str) -> bytes:
        """Return the content of a file, or ``b""`` if the file cannot be read."""
        try:
            return files.read_inside(self._root, file)
        except OSError:
            return b""

    def _exists(self, name: str) -> bool:
        """Check whether the output folder contains a file or folder. Callers use the cached ``exists``."""
        # Path.exists raises for a name that is too long.
        return os.path.exists(f"{self._root}/{name}")


class BuiltPage:
    """An HTML file in the output folder of a build, such as ``api/search/all_0.html``.

    ``is_document`` says whether Sphinx made the page from a source file. None means that this is unknown.
    """

    def __init__(self, pages: BuiltPages, file: str, is_document: bool | None) -> None:  # noqa: FBT001
        self._pages = pages
        self.file = file
        *self.folders, self.name = file.split("/")
        self.is_document = is_document

    @cached_property
    def text(self) -> bytes:
        """The content of the file, or an empty text if the file cannot be read."""
        return self._pages.read(self.file)

    def is_beside(self, name: str) -> bool:
        """Check whether a file such as ``js/print.js`` exists in the folder of this page.

        The page ``print/index.html`` counts as ``print.html``, so its folder is the one that contains
        ``print/``.
        """
        folders = self.folders[:-1] if self.name == "index.html" else self.folders
        return self._pages.exists("/".join([*folders, name]))


class PageTemplate(NamedTuple):
    """A text and a file name by which generated pages of one kind, such as search results, are recognised."""

    pages: str
    #: Matches text in each page from the template.
    text: re.Pattern[bytes]
    #: Matches the file name. None allows any name.
    name: re.Pattern[str] | None = None
    #: A folder above the page, or ``""`` for any.
    folder: str = ""
    #: A file that must be beside it, or ``""``.
    beside: str = ""


def from_template(page: BuiltPage, templates: Iterable[PageTemplate]) -> Generated | None:
    """Return the kind of a page, such as ``source code``, if a program made it from one of the templates.

    Otherwise, return None.
    """
    for template in templates:
        if template.name and not template.name.fullmatch(page.name):
            continue
        if template.folder and template.folder not in page.folders:
            continue
        if template.beside and not page.is_beside(template.beside):
            continue
        if template.text.search(page.text):
            return Generated(template.pages)
    return None
