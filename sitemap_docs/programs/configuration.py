"""The configuration of a generator: the base URL, the address style, folders and sources."""

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs.config.parsing import as_mapping, as_text
from sitemap_docs.model import SitemapError
from sitemap_docs.sources.includes import MarkdownConfig
from sitemap_docs.sources.source_files import SourceLayout
from sitemap_docs.urls.link_styles import LinkStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """What a configuration file says about a project.

    Attributes:
        file: The configuration file.
        site: The folder that the generator writes.
        source: The folder of the sources.
        base_url: The base URL, or ``""`` if the file has none.
        links: The address style.
        layout: The places of sources, if they differ from the paths of their pages.
        options: The options of our plugin, or None without the plugin. Zensical 0.0.73 does not load plugins.
        markdown: The parts that decide which files a page includes. None for a generator without such parts.
        templates: The folder of the project's own templates, such as MkDocs' ``custom_dir``.
        takes_any_folder: Whether a flag of the generator can change the folder ``site``.
    """

    file: Path
    site: Path
    source: Path
    base_url: str = ""
    links: LinkStyle = "folders"
    layout: SourceLayout | None = None
    options: Mapping[str, object] | None = None
    markdown: MarkdownConfig | None = None
    templates: Path | None = None
    takes_any_folder: bool = False

    def builds(self, folder: Path) -> bool:
        """Check whether the generator writes a folder. The path has no symbolic links."""
        return self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Check whether the configuration may apply to a built folder.

        A folder such as that of MkDocs' flag ``--site-dir`` may have any name.
        """
        return self.takes_any_folder or self.builds(folder)


class Configuration(NamedTuple):
    """A configuration file and its content."""

    file: Path
    keys: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder of the project."""
        return self.file.absolute().parent

    def value(self, *names: str) -> object:
        """Return the value of a key, or None. Several ``names`` lead through tables to the key."""
        setting: object = self.keys
        for name in names:
            setting = as_mapping(setting).get(name)
        return setting

    def text(self, *names: str) -> str:
        """Return the value of a key as text, or ``""`` for a value of another type."""
        return as_text(self.value(*names))

    def folder(self, *names: str, default: str) -> Path:
        """Return the folder that the value of a key refers to, or the ``default`` in the project."""
        return self.below(self.text(*names) or default)

    def below(self, path: str) -> Path:
        """Return the absolute form of a path. A relative path starts in the folder of the project.

        Raises:
            SitemapError: The path is impossible, for example because a name in it is too long.
        """
        whole = Path(os.path.abspath(self.root / path))
        try:
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                whole.stat()
        except (OSError, ValueError):
            raise SitemapError(
                f"{self.file} names a path that no folder can have, {path[:60]!r}. Correct it."
            ) from None
        return whole
