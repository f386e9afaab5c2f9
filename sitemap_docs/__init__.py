"""Sitemaps that tell the truth about documentation sites."""

from __future__ import annotations

__version__ = "0.1.0"


def setup(app: object) -> object:
    """Set up the Sphinx extension."""
    from sitemap_docs.sphinx import extension  # noqa: PLC0415  Sphinx need not be installed

    return extension.setup(app)  # type: ignore[arg-type]  # nor its types
