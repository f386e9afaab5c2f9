"""The plugin meta of Material for MkDocs: front matter that a file has for all pages of its folder."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from posixpath import basename, dirname
from typing import Any

from sitemap_docs import files
from sitemap_docs.config.generator_files import load_defaults, merged
from sitemap_docs.config.parsing import as_text
from sitemap_docs.model import SitemapError


class PageDefaults:
    """The front matter that files such as ``.meta.yml`` have for all pages of their folders.

    https://squidfunk.github.io/mkdocs-material/plugins/meta/
    """

    @classmethod
    def of(cls, docs: Path, options: Mapping[str, Any]) -> PageDefaults | None:
        """Those of the plugin with its options; None where it is not enabled."""
        if options.get("enabled") is False:
            return None
        return cls(docs, as_text(options.get("meta_file")) or ".meta.yml")

    def __init__(self, docs: Path, name: str) -> None:
        self._docs = docs
        self._name = name

    def below(self, meta: Mapping[str, object], source: str) -> Mapping[str, object]:
        """The front matter of a source, with what it does not say itself."""
        inherited: dict[str, Any] = {}
        page = files.seen_from(self._docs, source)
        for folder, defaults in self._by_folder:
            if page.startswith(folder):  # as the plugin compares: of the folder `a`, in `ab` as well
                inherited = merged(inherited, defaults, adds=True)
        return merged(inherited, meta, adds=True)

    @cached_property
    def _by_folder(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What each file has, by its folder, those of the upper folders first."""
        by_folder: list[tuple[str, Mapping[str, Any]]] = []
        for name in sorted(files.names_below(self._docs), key=lambda name: (name.count("/"), name)):
            if basename(name) == self._name:
                with suppress(SitemapError):  # with which the plugin builds no site
                    by_folder.append((dirname(name), load_defaults(self._docs / name)))
        return by_folder
