"""sphinx-tags 0.4: the documents that it writes, one for each tag and one for all."""

from collections.abc import Iterator

from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import ExtensionPages


class TagPages(ExtensionPages):
    """The documents in which sphinx-tags lists pages by their tags."""

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield ``Fact.LIST`` for each page about a tag."""
        folder = f"{self.app.config.tags_output_dir}/"
        for name in self.documents:
            if name.startswith(folder) and name != f"{folder}tagsindex":
                yield name, Fact.LIST
