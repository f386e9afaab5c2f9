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
    """A kind of generated pages, for example search forms or indexes.

    Attributes:
        pages: The kind of pages, in words for the manual, for example ``source code``.
        fact: The fact that such pages have, for example ``Fact.DRAFT``. It decides whether the pages are
            listed.
    """

    pages: str
    fact: Fact = Fact.GENERATED


class BuiltPages:
    """The HTML files of a built folder.

    Args:
        root: The folder, for example the output folder of a build.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self.exists = lru_cache(maxsize=_FOLDERS)(self._exists)

    def page(self, file: str, *, is_document: bool | None = None) -> "BuiltPage":
        """Return the HTML file at a path below the root, such as ``api/pot_8h_source.html``.

        ``is_document`` tells whether Sphinx rendered the file from a document. It is None if the file is not
        in a folder that Sphinx has built.
        """
        return BuiltPage(self, file, is_document)

    def read(self, file: str) -> bytes:
        """Return the content of a file below the root. A file that cannot be read counts as empty."""
        try:
            return files.read_inside(self._root, file)
        except OSError:
            return b""

    def _exists(self, name: str) -> bool:
        """Check whether a file or folder exists below the root. The method ``exists`` caches the result."""
        # Path.exists raises for a name that is too long.
        return os.path.exists(f"{self._root}/{name}")


class BuiltPage:
    """An HTML file of a built folder. The file is read only if ``text`` is used.

    Attributes:
        file: The path below the built folder, such as ``api/search/all_0.html``.
        folders: The names of the folders in the path, such as ``["api", "search"]``.
        name: The name of the file, such as ``all_0.html``.
        is_document: Whether Sphinx rendered the file from a document, or None outside the folders of Sphinx.
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
        """Check whether a file called ``name`` is in the folder of the page.

        ``name`` may contain folders, as in ``js/print-site.js``. The address of ``print/index.html`` is
        ``print/``, so the folder of this page is the folder that contains ``print/``.
        """
        folders = self.folders[:-1] if self.name == "index.html" else self.folders
        return self._pages.exists("/".join([*folders, name]))


class PageTemplate(NamedTuple):
    """A template from which a program generates pages.

    A page is from the template if its text, its name and its folder match.

    Attributes:
        pages: The kind of pages, in words for the manual, such as ``lists of members``.
        text: Matches text that is in each page from the template, and in no document.
        name: Matches the file name of the page. None if any name matches.
        folder: The name of a folder above the page, at any depth. ``""`` if any folder matches.
        beside: A file that must also be in the folder of the page, for example a script of the program.
            ``""`` if no file is needed.
    """

    pages: str
    text: re.Pattern[bytes]
    name: re.Pattern[str] | None = None
    folder: str = ""
    beside: str = ""


def from_template(page: BuiltPage, templates: Iterable[PageTemplate]) -> Generated | None:
    """Return the kind of a page that matches one of the templates, or None for any other page.

    The text of the page is read only if its name and its folder match.
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
