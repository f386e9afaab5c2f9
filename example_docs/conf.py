"""The manual, built by Sphinx: sphinx-build -b dirhtml -c example_docs example_docs/pages OUTPUT."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "sitemap-docs"
extensions = ["myst_parser", "sitemap_docs"]
html_baseurl = "https://sitemap-docs.example/"
html_theme = "alabaster"

CONTENTS = "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def add_contents(_: Sphinx, page: str, source: list[str]) -> None:
    """MkDocs has its `nav`; the home page gets a table of contents for Sphinx alone."""
    if page == "index":
        source[0] += CONTENTS


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_contents)
