"""What the configuration of a generator names: the base URL, the spelling of links, folders, sources."""

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
    """One configuration file; ``base_url`` is "" where it names none.

    ``site`` is the folder that is built, ``source`` that of the sources. ``links`` is how addresses are
    spelled. ``layout`` is where sources lie that are not at their page's path. ``options`` are those of our
    plugin, which Zensical does not load (0.0.73); None without it. ``markdown`` is how pages are rendered;
    None for MyST. ``templates`` is the theme's ``custom_dir``, whose files MkDocs copies where it lies among
    the sources.
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
        """Whether a folder, without symbolic links in its path, is what the generator writes."""
        return self.site.resolve() == folder

    def describes(self, folder: Path) -> bool:
        """Whether the folder is the generator's; of MkDocs, that of its flag ``--site-dir``, too."""
        return self.takes_any_folder or self.builds(folder)


class Configuration(NamedTuple):
    """A configuration file, and what it holds."""

    file: Path
    keys: Mapping[str, Any]

    @property
    def root(self) -> Path:
        """The folder of the project."""
        return self.file.absolute().parent

    def value(self, *names: str) -> object:
        """Returns what a table, or one inside another, has for the last of the names; None without it."""
        setting: object = self.keys
        for name in names:
            setting = as_mapping(setting).get(name)
        return setting

    def text(self, *names: str) -> str:
        return as_text(self.value(*names))

    def folder(self, *names: str, default: str) -> Path:
        return self.below(self.text(*names) or default)

    def below(self, path: str) -> Path:
        """The whole path of one from the folder of the project; SitemapError for one that no system has."""
        whole = Path(os.path.abspath(self.root / path))
        try:
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                whole.stat()
        except (OSError, ValueError):
            raise SitemapError(
                f"{self.file} names a path that no folder can have, {path[:60]!r}. Correct it."
            ) from None
        return whole
