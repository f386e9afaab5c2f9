"""What the configuration of a site generator names: the base URL, and the folders of pages and sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitemap_docs.configuration import load_toml, load_yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """One configuration file; ``base_url`` is "" where it names none.

    ``site`` is the folder that is built, ``docs`` the folder of the sources. ``options`` are those of our
    plugin, which Zensical does not load (0.0.73).
    """

    file: Path
    base_url: str = ""
    site: Path | None = None
    docs: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)


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
    return GeneratorConfig(
        file=file,
        base_url=_text(configured.get("site_url")),
        site=file.parent / (_text(configured.get("site_dir")) or "site"),
        docs=file.parent / (_text(configured.get("docs_dir")) or "docs"),
        options=_plugin_options(configured.get("plugins")),
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


def _plugin_options(plugins: object) -> Mapping[str, object]:
    """The options of ``sitemap-docs`` in MkDocs' list, in its mapping, or in Zensical's tables."""
    listed = plugins if isinstance(plugins, list) else [plugins]
    for plugin in listed:
        if isinstance(plugin, Mapping) and isinstance(plugin.get("sitemap-docs"), Mapping):
            return {str(name): value for name, value in plugin["sitemap-docs"].items()}
    return {}


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
