"""The manual, built by Sphinx: sphinx-build -b dirhtml -c example_docs example_docs/pages OUTPUT."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

sys.path.insert(0, str(Path(__file__).parent))
from files import REPOSITORY, with_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

project = "sitemap-docs"
extensions = ["myst_parser", "sphinx_copybutton", "sitemap_docs"]
copybutton_prompt_text = "$ "
myst_heading_anchors = 3
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL") or os.environ.get(
    "MANUAL_URL", "https://sitemap-docs.example/"
)
sitemap_lastmod_excludes = ["*.png", "*.svg"]  # MkDocs does not count a page's pictures
html_theme = "furo"
html_title = "sitemap-docs"
html_logo = html_favicon = "pages/pictures/logo.svg"
html_static_path = ["pages/styles"]
html_css_files = ["furo.css", "both.css"]
html_js_files = ["rules.js"]  # does something on the page of rules alone
if REPOSITORY:
    html_theme_options = {"footer_icons": [{"name": "Repository", "url": REPOSITORY, "html": "Repository"}]}
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_show_copyright = False
html_show_sourcelink = False


def contents() -> Iterator[str]:
    """Yield the tables of contents of the home page, from the navigation in mkdocs.yml."""
    _, _, nav = (Path(__file__).parent / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")
    groups: list[dict[str, list[Any]]] = [each for each in yaml.safe_load(nav) if isinstance(each, dict)]
    for group in groups:
        for caption, pages in group.items():
            names = "\n".join(page.removesuffix(".md") for page in pages if page != "index.md")
            yield f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n"


def complete(_: Sphinx, page: str, source: list[str]) -> None:
    """Add the tables of contents and files of the repository to a page.

    MkDocs adds them with ``nav`` in mkdocs.yml, and with a hook.
    """
    source[0] = with_files(source[0]) + ("".join(contents()) if page == "index" else "")


def setup(app: Sphinx) -> None:
    app.connect("source-read", complete)
