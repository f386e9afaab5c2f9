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
    """The settings of a site generator, such as those in ``mkdocs.yml``."""

    file: Path
    #: The output folder.
    site: Path
    source: Path
    base_url: str = ""
    #: How addresses end, such as ``folders`` for ``guide/``.
    links: LinkStyle = "folders"
    #: Finds sources whose paths differ from their pages.
    layout: SourceLayout | None = None
    options: Mapping[str, object] | None = None
    markdown: MarkdownConfig | None = None
    templates: Path | None = None
    #: Whether the output may also be elsewhere.
    takes_any_folder: bool = False

    def builds(self, folder: Path) -> bool:
        """Check whether the site generator writes the site into a folder."""
        return self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Check whether a folder can be the output folder of the generator."""
        return self.takes_any_folder or self.builds(folder)


class Configuration(NamedTuple):
    """A parsed configuration file."""

    file: Path
    keys: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder that contains the configuration file."""
        return self.file.absolute().parent

    def value(self, *names: str) -> object:
        """Return the value of the setting with a certain key, or None if the setting is missing.

        For a nested setting, pass the keys one after the other: ``value("theme", "custom_dir")``.
        """
        setting: object = self.keys
        for name in names:
            setting = as_mapping(setting).get(name)
        return setting

    def text(self, *names: str) -> str:
        """Return a setting, or ``""`` if the setting is missing or not a string.

        ``names`` are the keys of the setting, such as ``text("theme", "custom_dir")``.
        """
        return as_text(self.value(*names))

    def folder(self, *names: str, default: str) -> Path:
        """Return the absolute path of the folder in a setting such as ``docs_dir``, or of ``default``."""
        return self.below(self.text(*names) or default)

    def below(self, path: str) -> Path:
        """Convert a path in the configuration file, such as ``docs``, to an absolute path.

        Raises:
            SitemapError: The path is invalid, such as a name that is too long.
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
