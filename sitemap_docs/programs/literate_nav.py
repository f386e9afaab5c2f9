"""mkdocs-literate-nav: the page in which the navigation is written."""

import posixpath
from collections.abc import Iterator
from typing import Any

from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import PluginPages


class NavPages(PluginPages):
    """The pages with the navigation of their folder, such as ``SUMMARY.md``."""

    def facts(self, file: Any, *, is_orphan: bool) -> Iterator[Fact]:  # noqa: ANN401  of MkDocs
        """Yield a fact for a page with the navigation, unless the navigation leads to the page itself."""
        if is_orphan and posixpath.basename(file.src_uri) == self.plugin.config.nav_file:
            yield Fact.NAVIGATION
