"""mkdocs-literate-nav: the page that contains the navigation."""

import posixpath
from collections.abc import Iterator
from typing import Any

from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import PluginPages


class NavPages(PluginPages):
    """The navigation files of mkdocs-literate-nav, such as ``SUMMARY.md``, which MkDocs builds as pages."""

    def facts(self, file: Any, *, is_orphan: bool) -> Iterator[Fact]:  # noqa: ANN401  of MkDocs
        """Yield ``Fact.NAVIGATION`` if a file such as ``SUMMARY.md`` only contains the navigation.

        If the navigation itself lists the file (``is_orphan`` is false), yield nothing: it is a page for
        readers.
        """
        if is_orphan and posixpath.basename(file.src_uri) == self.plugin.config.nav_file:
            yield Fact.NAVIGATION
