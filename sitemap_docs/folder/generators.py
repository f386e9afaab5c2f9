"""What the configuration of a site generator names: the base URL, and the folders of pages and sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitemap_docs.configuration import load_toml, load_yaml
from sitemap_docs.markdown.includes import MarkdownConfig

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """One configuration file; ``base_url`` is "" where it names none.

    ``site`` is the folder that is built, ``docs`` the folder of the sources. ``options`` are those of our
    plugin, which Zensical does not load (0.0.73). ``markdown`` is how MkDocs and Zensical render pages.
    """

    file: Path
    base_url: str = ""
    site: Path | None = None
    docs: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    markdown: MarkdownConfig | None = None


def find_projects(folders: Iterable[Path]) -> Iterator[GeneratorConfig]:
    """The projects whose configuration lies in one of the folders, in the folders' order.

    Raises SitemapError for a configuration that cannot be read.
    """
    for folder in dict.fromkeys(folder.resolve() for folder in folders):
        for name, (load, read) in CONFIGURATIONS.items():
            file = folder / name
            if file.is_file():
                yield read(file, load(file))


def _read_mkdocs(file: Path, configured: Mapping[str, Any]) -> GeneratorConfig:
    docs = file.parent / (_text(configured.get("docs_dir")) or "docs")
    plugins = _named(configured.get("plugins"))
    options = plugins.get("sitemap-docs", {})
    return GeneratorConfig(
        file=file,
        base_url=_text(configured.get("site_url")),
        site=file.parent / (_text(configured.get("site_dir")) or "site"),
        docs=docs,
        options={str(name): value for name, value in options.items()},
        markdown=MarkdownConfig(
            docs=docs,
            root=file.parent,
            start=file.parent,
            extensions=_named(configured.get("markdown_extensions")),
            plugins=plugins,
        ),
    )


def _read_zensical(file: Path, configured: Mapping[str, Any]) -> GeneratorConfig:
    project = configured.get("project", configured)
    return _read_mkdocs(file, project if isinstance(project, Mapping) else {})


def _read_antora(file: Path, configured: Mapping[str, Any]) -> GeneratorConfig:
    output = _table(configured, "output")
    return GeneratorConfig(
        file=file,
        base_url=_text(_table(configured, "site").get("url")),
        site=file.parent / (_text(output.get("dir")) or "build/site"),
    )


def _named(value: object) -> dict[str, Mapping[str, Any]]:
    """The options of plugins or extensions by name, from MkDocs' lists and mappings or Zensical's tables.

    A table within a table is an extension with a dotted name: ``[markdown_extensions.pymdownx.snippets]``.
    """
    found: dict[str, Mapping[str, Any]] = {}
    for each in value if isinstance(value, list) else [value]:
        named = each if isinstance(each, Mapping) else {each: {}}
        for name, options in named.items():
            table = options if isinstance(options, Mapping) else {}
            found[str(name)] = table
            found |= {f"{name}.{key}": inner for key, inner in table.items() if isinstance(inner, Mapping)}
    return found


def _table(configured: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = configured.get(name)
    return table if isinstance(table, Mapping) else {}


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


_Load = Callable[["Path"], dict[str, Any]]
_Read = Callable[["Path", Mapping[str, Any]], GeneratorConfig]

CONFIGURATIONS: dict[str, tuple[_Load, _Read]] = {
    "zensical.toml": (load_toml, _read_zensical),
    "properdocs.yml": (load_yaml, _read_mkdocs),
    "mkdocs.yml": (load_yaml, _read_mkdocs),
    "mkdocs.yaml": (load_yaml, _read_mkdocs),
    "antora-playbook.yml": (load_yaml, _read_antora),
}
