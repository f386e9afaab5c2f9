"""The configuration of MkDocs, whose keys ProperDocs and Zensical have, too."""

from collections.abc import Mapping
from typing import Any

from sitemap_docs.config.parsing import ENABLED, TABLE, TABLE_TOO, as_list, as_mapping, as_text
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.programs.followed import plugin_of
from sitemap_docs.programs.material_blog import BlogLayout
from sitemap_docs.programs.static_i18n import TranslatedLayout
from sitemap_docs.sources.includes import MarkdownConfig
from sitemap_docs.sources.source_files import SourceLayout


def read_configuration(written: Configuration) -> GeneratorConfig:
    written = written._replace(keys=as_mapping(written.value("project")) or written.keys)  # of Zensical
    docs = written.folder("docs_dir", default="docs")
    plugins = _named(written.value("plugins"))
    options = plugins.get(TABLE, plugins.get(TABLE_TOO))
    if options is not None:
        options = {str(name): value for name, value in options.items() if name != ENABLED}
    templates = written.text("theme", "custom_dir")
    i18n, blog = (plugin_of(module, plugins) for module in ("static_i18n", "material_blog"))
    layout: SourceLayout | None = None
    if i18n is not None:
        layout = TranslatedLayout(docs, i18n)
    elif blog is not None:
        layout = BlogLayout(docs, blog)
    return GeneratorConfig(
        file=written.file,
        base_url=written.text("site_url"),
        site=written.folder("site_dir", default="site"),
        source=docs,
        links="files" if written.value("use_directory_urls") is False else "folders",
        options=options,
        markdown=MarkdownConfig(
            docs=docs,
            root=written.root,
            start=written.root,
            extensions=_named(written.value("markdown_extensions")),
            plugins=plugins,
            hooks=tuple(written.below(as_text(hook)) for hook in as_list(written.value("hooks"))),
        ),
        templates=written.below(templates) if templates else None,
        takes_any_folder=True,
        layout=layout,
    )


def _named(value: object) -> dict[str, Mapping[str, Any]]:
    """The options of plugins or extensions by name, from MkDocs' lists and mappings or Zensical's tables.

    A table within a table is an extension with a dotted name: ``[markdown_extensions.pymdownx.snippets]``.
    """
    by_name: dict[str, Mapping[str, Any]] = {}
    for each in as_list(value) or [value]:
        named = as_mapping(each) or {as_text(each): {}}
        for name, options in named.items():
            by_name[str(name)] = as_mapping(options)
            for key, inner in as_mapping(options).items():
                if isinstance(inner, Mapping):
                    by_name[f"{name}.{key}"] = inner
    return by_name
