"""The meta plugin of Material for MkDocs: the defaults for the front matter of the pages in a folder."""

from typing import Any

from sitemap_docs.programs.protocols import PluginPages


class DefaultMeta(PluginPages):
    """The defaults in files ``.meta.yml``."""

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401  of MkDocs
        """Add the defaults to the front matter of a page that MkDocs has not read, because of ``--dirty``."""
        self.plugin.on_page_markdown(page.markdown, page=page, **build)
