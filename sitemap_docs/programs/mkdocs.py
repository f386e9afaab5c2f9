"""MkDocs, ProperDocs and Zensical: their configuration, and the pages that themes generate."""

import re
from collections.abc import Mapping
from typing import Any

from sitemap_docs.config.parsing import ENABLED, TABLE, TABLE_TOO, as_list, as_mapping, as_text
from sitemap_docs.programs.built_pages import BuiltPage, Generated, PageTemplate, from_template
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.sources.includes import MarkdownConfig
from sitemap_docs.urls.link_styles import LinkStyle

_TEMPLATES = (
    PageTemplate(
        "the search form and the list of pages",
        re.compile(rb'<div id="mkdocs-search-results" class="search-results"|<h1 id="index">Sitemap</h1>'),
        re.compile(r"search\.html|sitemap\.html"),
    ),
)


def generated(page: BuiltPage) -> Generated | None:
    """Return the kind of a page that a MkDocs theme generates, such as a search form, otherwise None."""
    return from_template(page, _TEMPLATES)


def link_style(use_directory_urls: object) -> LinkStyle:
    """Return the style of page addresses: ``files`` if ``use_directory_urls`` is False, else ``folders``."""
    return "files" if use_directory_urls is False else "folders"


def read_configuration(written: Configuration) -> GeneratorConfig:
    """Return the settings in ``written``, a parsed ``mkdocs.yml`` or ``zensical.toml``.

    https://www.mkdocs.org/user-guide/configuration/
    """
    written = written._replace(keys=as_mapping(written.value("project")) or written.keys)  # of Zensical
    docs = written.folder("docs_dir", default="docs")
    plugins = _options_by_name(written.value("plugins"))
    # Zensical 0.0.73 does not load plugins, but its configuration may contain the options of our plugin.
    options = plugins.get(TABLE, plugins.get(TABLE_TOO))
    if options is not None:
        options = {str(name): value for name, value in options.items() if name != ENABLED}
    templates = written.text("theme", "custom_dir")
    return GeneratorConfig(
        file=written.file,
        base_url=written.text("site_url"),
        site=written.folder("site_dir", default="site"),
        source=docs,
        links=link_style(written.value("use_directory_urls")),
        options=options,
        markdown=MarkdownConfig(
            docs=docs,
            root=written.root,
            start=written.root,
            extensions=_options_by_name(written.value("markdown_extensions")),
            plugins=plugins,
            hooks=tuple(written.below(as_text(hook)) for hook in as_list(written.value("hooks"))),
        ),
        templates=written.below(templates) if templates else None,
        takes_any_folder=True,
    )


def _options_by_name(value: object) -> dict[str, Mapping[str, Any]]:
    """Map the name of each plugin or Markdown extension, such as ``search``, to its options."""
    by_name: dict[str, Mapping[str, Any]] = {}
    for item in as_list(value) or [value]:
        named = as_mapping(item) or {as_text(item): {}}
        for name, options in named.items():
            by_name[str(name)] = as_mapping(options)
            for key, inner in as_mapping(options).items():
                if isinstance(inner, Mapping):
                    by_name[f"{name}.{key}"] = inner
    return by_name
