"""Sitemaps that tell the truth about documentation sites."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` would take as long to import as Python to start
if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

__version__ = "0.1.0"


def setup(app: Sphinx) -> ExtensionMetadata:
    """Sphinx calls this for ``extensions = ["sitemap_docs"]``."""
    from sitemap_docs.sphinx import extension  # noqa: PLC0415  Sphinx need not be installed

    return extension.setup(app)
