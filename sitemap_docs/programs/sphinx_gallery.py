"""Sphinx-Gallery: the examples from which it makes pages, and the lists of computation times."""

import os
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from sitemap_docs.config.parsing import as_items
from sitemap_docs.programs.built_pages import BuiltPage, Generated
from sitemap_docs.programs.protocols import ExtensionPages

#: The name of the documents that list how long examples ran: one for each gallery, and one for all.
TIMES = "sg_execution_times"
#: The names of the text above the examples of a folder.
_HEADERS = ("GALLERY_HEADER", "README", "readme")


class GalleryPages(ExtensionPages):
    """The pages that Sphinx-Gallery generates from examples."""

    def __init__(self, app: Any, documents: Mapping[str, str]) -> None:  # noqa: ANN401  of Sphinx
        super().__init__(app, documents)
        self._folders = _gallery_folders(app.config, os.path.realpath(app.srcdir))

    def original(self, file: str) -> str:
        """Return the file from which a gallery page was generated, such as ``plot_a.py`` for ``plot_a.rst``.

        For an index page, it is the introduction, such as ``README.txt``. If no such file exists, return
        ``""``. A file outside all galleries is returned unchanged.
        """
        original = file
        for examples, gallery in self._folders:
            if not file.startswith(gallery + os.sep):
                continue
            original = ""  # but a gallery may be in the folder of another one
            stem = os.path.splitext(examples + file.removeprefix(gallery))[0]
            folder, name = os.path.split(stem)
            names: Sequence[str] = [name]
            endings = sorted(self.app.config.sphinx_gallery_conf.get("example_extensions", {".py"}))
            if name == "index":
                names, endings = _HEADERS, [".rst", ".txt", ".md"]
            for name, ending in product(names, endings):
                source = os.path.join(folder, name + ending)
                if os.path.isfile(source):
                    return source
        return original


def _gallery_folders(config: Any, srcdir: str) -> list[tuple[str, str]]:  # noqa: ANN401
    """Return the folders of each gallery: one with the examples, and one with the generated pages."""
    conf = getattr(config, "sphinx_gallery_conf", None) or {}
    examples_dirs = filter(None, as_items(conf.get("examples_dirs")))
    gallery_dirs = filter(None, as_items(conf.get("gallery_dirs")))
    pairs = []
    for examples, gallery in zip(examples_dirs, gallery_dirs, strict=False):
        source = os.path.normpath(os.path.join(srcdir, examples))
        pairs.append((source, os.path.normpath(os.path.join(srcdir, gallery))))
    return pairs


def generated(page: BuiltPage) -> Generated | None:
    """Recognise Sphinx-Gallery's list of computation times, a page that no author wrote.

    Return the kind of page with its name for users, or None for other pages.
    """
    # Unlike the generated pages of other programs, a list of computation times is a document of Sphinx.
    if page.is_document is None:
        return None
    folder = page.folders[-1] if page.folders else ""
    is_list = TIMES in (page.name.removesuffix(".html"), folder)
    return Generated("lists of computation times") if is_list else None
