"""HTML files in a built folder, for the programs that answer whether they have generated such a file."""

import os
import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.model import Fact

_FOLDERS = 4_096  # Folders for which the existence of a file is remembered.


class Generated(NamedTuple):
    """The kind of a page that a program has generated, for example a search form or an index.

    Attributes:
        pages: The kind of page, in words for the manual, for example ``source code``.
        fact: The fact that decides whether the page is listed.
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
        """Return a file below the root, such as ``api/pot_8h_source.html``.

        ``is_document`` tells whether Sphinx rendered the file from a document. It is None if Sphinx did not
        write the folder of the file.
        """
        return BuiltPage(self, file, is_document)

    def read(self, file: str) -> bytes:
        """Return the content of a file below the root. A file that cannot be read counts as empty."""
        try:
            return files.read_inside(self._root, file)
        except OSError:
            return b""

    def _exists(self, name: str) -> bool:
        """Check whether a file or folder is below the root. The method ``exists`` remembers the answer."""
        # Path.exists raises for a name that is too long.
        return os.path.exists(f"{self._root}/{name}")


class BuiltPage:
    """An HTML file of a built folder. The file is read only if a program asks for its text.

    Attributes:
        file: The path below the built folder, such as ``api/search/all_0.html``.
        folders: The names of the folders in the path, such as ``["api", "search"]``.
        name: The name of the file, such as ``all_0.html``.
        is_document: Whether Sphinx rendered the file from a document. None for other generators.
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
        """Check whether a file of the program is in the folder of the page.

        The folder of ``print/index.html`` is the folder that contains ``print/``, because the address of the
        page is ``print/``. The ``name`` may contain folders, as in ``js/print-site.js``.
        """
        folders = self.folders[:-1] if self.name == "index.html" else self.folders
        return self._pages.exists("/".join([*folders, name]))


class PageTemplate(NamedTuple):
    """A template with which a program generates pages.

    Attributes:
        pages: The kind of page, in words for the manual.
        text: Matches text in such a page that no document has.
        name: Matches the name of the file. None stands for any name.
        folder: The name of a folder that contains the page, directly or not. ``""`` stands for any folder.
        beside: A file that the program writes into the folder of the page. Without this file, no page is from
            the template. ``""`` stands for a program that writes no such file.
    """

    pages: str
    text: re.Pattern[bytes]
    name: re.Pattern[str] | None = None
    folder: str = ""
    beside: str = ""


def from_template(page: BuiltPage, templates: Iterable[PageTemplate]) -> Generated | None:
    """Return the kind of a page that is from one of the templates, or None for any other page.

    The page is read only if its name and its folder fit.
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
