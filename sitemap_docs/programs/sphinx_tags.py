"""sphinx-tags 0.4: the documents that it writes, one for each tag and one for all."""

from collections.abc import Iterator

from sitemap_docs.model import Fact
from sitemap_docs.programs.protocols import ExtensionPages


class TagPages(ExtensionPages):
    """The pages that sphinx-tags generates: for each tag, a list of the pages with the tag."""

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield the name of each tag page, and ``Fact.LIST`` as a possible reason to leave the page out.

        A tag page lists all pages with a tag.
        """
        folder = f"{self.app.config.tags_output_dir}/"
        for name in self.documents:
            if name.startswith(folder) and name != f"{folder}tagsindex":
                yield name, Fact.LIST
