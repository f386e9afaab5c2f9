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
    """A kind of generated pages.

    Attributes:
        pages: The name of the kind, such as ``source code``.
        fact: The fact about the pages, such as ``Fact.DRAFT``.
    """

    pages: str
    fact: Fact = Fact.GENERATED


class BuiltPages:
    """The HTML files of a built folder."""

    def __init__(self, root: str) -> None:
        self._root = root
        self.exists = lru_cache(maxsize=_FOLDERS)(self._exists)

    def page(self, file: str, *, is_document: bool | None = None) -> "BuiltPage":
        """Return the page in a file such as ``api/index.html``.

        ``is_document`` says whether Sphinx rendered the page from a document, if known.
        """
        return BuiltPage(self, file, is_document)

    def read(self, file: str) -> bytes:
        """Read a file. An unreadable file is empty."""
        try:
            return files.read_inside(self._root, file)
        except OSError:
            return b""

    def _exists(self, name: str) -> bool:
        """Check whether a file or folder exists, without a cache."""
        # Path.exists raises for a name that is too long.
        return os.path.exists(f"{self._root}/{name}")


class BuiltPage:
    """An HTML file of a built folder.

    Attributes:
        file: The path, such as ``api/search/all_0.html``.
        is_document: Whether Sphinx rendered the page from a document, if known.
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
        """Check whether a file is in the folder of the page.

        The page ``print/index.html`` counts as a page of the folder above ``print/``.
        """
        folders = self.folders[:-1] if self.name == "index.html" else self.folders
        return self._pages.exists("/".join([*folders, name]))


class PageTemplate(NamedTuple):
    """A template from which a program generates pages.

    Attributes:
        text: Matches text in each page from the template.
        name: Matches the file name. None matches all.
        folder: A folder above the page, or ``""``.
        beside: Another file in the page's folder, or ``""``.
    """

    pages: str
    text: re.Pattern[bytes]
    name: re.Pattern[str] | None = None
    folder: str = ""
    beside: str = ""


def from_template(page: BuiltPage, templates: Iterable[PageTemplate]) -> Generated | None:
    """Return the kind of a page that matches a template, or None."""
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
