"""sphinx-notfound-page: the page that a host shows for an address without a page."""

from collections.abc import Iterator

from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import ExtensionPages


class NotFoundPage(ExtensionPages):
    """Identifies the error page that sphinx-notfound-page generates, usually ``404``."""

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield one pair: the name of the error page, usually ``404``, and ``Fact.ERROR_PAGE``."""
        yield self.app.config.notfound_pagename, Fact.ERROR_PAGE
