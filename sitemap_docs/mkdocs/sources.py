"""What a page of MkDocs is made of: its source, and what it includes, documents or lists."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin

from sitemap_docs.files import seen_from
from sitemap_docs.sources.includes import PLUGINS, Included, Includes, MarkdownConfig, page_template

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

    from sitemap_docs.config.options import Globs


class PageSources:
    """Finds the files behind the pages of one build; reads each included file once."""

    def __init__(self, config: MkDocsConfig, dependencies: Globs | bool) -> None:  # noqa: FBT001
        self._config = config
        self._dependencies = dependencies
        self.docs = Path(config.docs_dir)
        self._includes = Includes(_markdown_config(config))
        custom = config.theme.custom_dir
        self._templates = Path(custom) if custom else None
        #: The sources of pages, each with an include whose name is computed.
        self.computed: list[tuple[str, str]] = []

    def of(self, file: File, meta: Mapping[str, object]) -> Included:
        """The page's own source first, unless it is generated, then the rest without repetition."""
        own: tuple[Path, ...] = ()
        if file.generated_by:
            # It lies in a temporary folder; mkdocs-gen-files may have begun it with a real one.
            path = self.docs / file.src_uri
            if path.is_file():
                own = (path,)
        elif file.abs_src_path:
            own = (Path(file.abs_src_path),)
        if self._dependencies is False:
            return Included(own)
        found = [*self._edited(file)]
        # The posts of a view (index, archive, category) of Material's blog plugin.
        posts: Iterable[Any] = getattr(file.page, "posts", ())
        found += [Path(post.file.abs_src_path) for post in posts if post.file.abs_src_path]
        included = Included(())
        if file.is_documentation_page() and self._includes.reads(".md"):
            folder = Path(file.abs_src_path).parent if file.abs_src_path else self.docs
            included = self._includes.of(file.content_string, folder)
            found += included.files
        if included.computed:
            self.computed.append((file.src_uri, included.computed))
        template = page_template(meta, self._templates)
        if template:
            found.append(template)
        if not isinstance(self._dependencies, bool):
            ignored = self._dependencies
            found = [path for path in found if not ignored.includes([seen_from(self.docs, path)])]
        return Included(tuple(dict.fromkeys((*own, *found))), included.computed)

    def _edited(self, file: File) -> Iterator[Path]:
        """The file behind the "edit" button of a generated page, as mkdocs-gen-files 0.5 sets it."""
        config = self._config
        if not file.generated_by or not file.page or not file.page.edit_url or not config.edit_uri:
            return
        if set(config.edit_uri) & {"?", "#"}:
            return
        docs_url = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri)
        path = Path(normpath(self.docs / unquote(posixpath.relpath(file.page.edit_url, docs_url))))
        if path.is_file():
            yield path


def _markdown_config(config: MkDocsConfig) -> MarkdownConfig:
    options = config.mdx_configs or {}
    docs = Path(config.docs_dir)
    return MarkdownConfig(
        docs=docs,
        root=Path(config.config_file_path or docs).parent,
        start=Path.cwd(),
        extensions={name: options.get(name) or {} for name in config.markdown_extensions},
        plugins={name: config.plugins[name].config for name in PLUGINS if name in config.plugins},
    )
