"""The meta plugin of Material for MkDocs: default front matter for the pages in a folder."""

from typing import Any

from sitemap_docs.programs.protocols import PluginPages


class DefaultMeta(PluginPages):
    """Adds the front matter from files such as ``guide/.meta.yml`` to the pages in their folder."""

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401  of MkDocs
        """Add the values from ``.meta.yml`` to the front matter of a page."""
        # With --dirty, MkDocs does not read unchanged pages, so the plugin has added nothing.
        self.plugin.on_page_markdown(page.markdown, page=page, **build)
