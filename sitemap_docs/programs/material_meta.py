"""The meta plugin of Material for MkDocs: default front matter for the pages in a folder."""

from typing import Any

from sitemap_docs.programs.protocols import PluginPages


class DefaultMeta(PluginPages):
    """Default front matter from files ``.meta.yml``."""

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401  of MkDocs
        """Add the default front matter to a page."""
        # With --dirty, MkDocs does not read unchanged pages, so the plugin has added nothing.
        self.plugin.on_page_markdown(page.markdown, page=page, **build)
