"""mkdocs-literate-nav: the page that contains the navigation."""

import posixpath
from collections.abc import Iterator
from typing import Any

from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import PluginPages


class NavPages(PluginPages):
    """The navigation files of mkdocs-literate-nav, such as ``SUMMARY.md``, which MkDocs builds as pages."""

    def facts(self, file: Any, *, is_orphan: bool) -> Iterator[Fact]:  # noqa: ANN401  of MkDocs
        """Yield ``Fact.NAVIGATION`` for a file such as ``SUMMARY.md`` that only defines the navigation.

        If the navigation lists the file itself, it is an ordinary page, and ``is_orphan`` is false. Then
        yield nothing.
        """
        if is_orphan and posixpath.basename(file.src_uri) == self.plugin.config.nav_file:
            yield Fact.NAVIGATION
