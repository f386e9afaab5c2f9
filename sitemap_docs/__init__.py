"""Sitemaps that tell the truth about documentation sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__version__ = "0.1.0"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Sphinx calls this for ``extensions = ["sitemap_docs"]``."""
    from sitemap_docs.sphinx import extension  # noqa: PLC0415  Sphinx need not be installed

    return extension.setup(app)
