"""The configuration file of a generator, such as ``mkdocs.yml``, and the settings that we read from it."""

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
    """The settings from a generator's configuration file, such as ``mkdocs.yml``.

    Attributes:
        file: The configuration file.
        site: The folder to which the generator writes the site.
        source: The folder of the sources.
        base_url: The base URL, or ``""`` if the file contains no base URL.
        links: The address style, such as ``folders`` for the address ``guide/``.
        layout: Finds the sources if their paths differ from the paths of the pages. Otherwise, None.
        options: The options of our plugin, or None if the file does not mention the plugin.
        markdown: The settings that decide which files a page includes. None if there are no such settings.
        templates: The folder of the project's own templates, such as MkDocs' ``custom_dir``.
        takes_any_folder: Whether the site may also be in another folder, for example because of MkDocs' flag
            ``--site-dir``.
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
        """Check whether the generator writes the site to ``folder``, which must be a resolved path."""
        return self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Check whether the configuration may belong to the site in ``folder``.

        If a flag such as MkDocs' ``--site-dir`` can change the output folder, any folder is possible.
        """
        return self.takes_any_folder or self.builds(folder)


class Configuration(NamedTuple):
    """A configuration file and its parsed content, with methods that look up settings."""

    file: Path
    keys: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder of the project."""
        return self.file.absolute().parent

    def value(self, *names: str) -> object:
        """Return the value of a key, or None if the key is missing.

        For a key in a table, pass all names, for example ``value("theme", "custom_dir")``.
        """
        setting: object = self.keys
        for name in names:
            setting = as_mapping(setting).get(name)
        return setting

    def text(self, *names: str) -> str:
        """Return the value of a key as text, or ``""`` if the key is missing or its value is not a text."""
        return as_text(self.value(*names))

    def folder(self, *names: str, default: str) -> Path:
        """Return the folder to which a setting such as ``docs_dir`` refers.

        If the setting is missing, return the folder ``default`` of the project.
        """
        return self.below(self.text(*names) or default)

    def below(self, path: str) -> Path:
        """Return the absolute form of a path. A relative path starts in the folder of the project.

        Raises:
            SitemapError: The path is not valid, for example because a name in it is too long.
        """
        whole = Path(os.path.abspath(self.root / path))
        try:
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                whole.stat()
        except (OSError, ValueError):
            raise SitemapError(
                f"{self.file} contains {path[:60]!r}, which is not a valid path. Correct the path."
            ) from None
        return whole
