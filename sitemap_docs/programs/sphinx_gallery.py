"""Sphinx-Gallery: the examples that its pages are made of, and what else it generates."""

import os
from collections.abc import Sequence
from itertools import product
from typing import Any

from sitemap_docs.config.parsing import as_items

#: The name of the pages that list how long examples ran: an orphan for each gallery, and one for all.
TIMES = "sg_execution_times"
#: How the text above the examples of a folder is named.
_HEADERS = ("GALLERY_HEADER", "README", "readme")


def galleries(config: Any, srcdir: str) -> list[tuple[str, str]]:  # noqa: ANN401  of Sphinx
    """The folders of the examples, and of what is made of them."""
    conf = getattr(config, "sphinx_gallery_conf", None) or {}
    examples = filter(None, as_items(conf.get("examples_dirs")))
    made = filter(None, as_items(conf.get("gallery_dirs")))
    pairs = []
    for one, other in zip(examples, made, strict=False):
        source = os.path.normpath(os.path.join(srcdir, one))
        pairs.append((source, os.path.normpath(os.path.join(srcdir, other))))
    return pairs


def original(file: str, folders: Sequence[tuple[str, str]], config: Any) -> str:  # noqa: ANN401
    """The example that a file was made of, or the text above the examples of a folder.

    A file of no gallery is its own original; ``""`` for one of a gallery that was made of no file.
    """
    original = file
    for examples, made in folders:
        if not file.startswith(made + os.sep):
            continue
        original = ""  # but a gallery may lie in the folder of another
        stem = os.path.splitext(examples + file.removeprefix(made))[0]
        folder, name = os.path.split(stem)
        names: Sequence[str] = [name]
        endings = sorted(config.sphinx_gallery_conf.get("example_extensions", {".py"}))
        if name == "index":
            names, endings = _HEADERS, [".rst", ".txt", ".md"]
        for each, end in product(names, endings):
            source = os.path.join(folder, each + end)
            if os.path.isfile(source):
                return source
    return original
