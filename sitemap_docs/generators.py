"""What a site generator's own configuration says: the base URL, and the folders of pages and sources."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml
from yaml_env_tag import construct_env_tag  # type: ignore[import-untyped]

from sitemap_docs import files
from sitemap_docs.model import SitemapError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorConfig:
    """What one configuration file says; ``base_url`` is "" where it names none.

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


def load_toml(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; raises SitemapError."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Correct it.") from None


def load_yaml(file: Path, *, heirs: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The mapping of a YAML file, as MkDocs reads it: with ``!ENV`` and ``INHERIT``.

    Tags of Python objects become None. ``heirs`` are the files that inherit from this one.
    Raises SitemapError.
    """
    if file in heirs:
        raise SitemapError(f"{file} cannot be read: it inherits from itself. Correct INHERIT.")
    try:
        loaded = yaml.load(file.read_text(encoding="utf-8-sig"), Loader=_Loader)  # noqa: S506  a SafeLoader
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Correct it.") from None
    own = dict(loaded) if isinstance(loaded, Mapping) else {}
    if parent := _text(own.pop("INHERIT", None)):
        return load_yaml((file.parent / parent).resolve(), heirs=(*heirs, file)) | own
    return own


def read_front_matter(file: str) -> Mapping[str, object]:
    """The YAML front matter of a source where it may speak of sitemaps or robots; empty otherwise.

    Front matter that is no YAML is left to the generator, and to its words.
    """
    try:
        match = _FRONT_MATTER.match(files.read_file(file, _FRONT))
    except OSError:
        return {}
    if not match or not (b"sitemap" in match[1] or b"robots" in match[1]):
        return {}
    try:
        said = yaml.load(match[1].decode(), Loader=_PageLoader)  # noqa: S506  a SafeLoader
    except (ValueError, RecursionError, yaml.YAMLError):
        return {}
    return said if isinstance(said, Mapping) else {}


_FRONT = 8_192
_FRONT_MATTER = re.compile(
    rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)


class _PageLoader(yaml.SafeLoader):
    """Tags of its own (``!!python/name:…``, ``!relative``) are of no interest here."""


class _Loader(_PageLoader):
    """Knows ``!ENV``, which no page may say: the environment holds secrets."""


_PageLoader.add_constructor(None, lambda _loader, _node: None)
_Loader.add_constructor("!ENV", construct_env_tag)


def _read_mkdocs(file: Path, said: Mapping[str, Any]) -> GeneratorConfig:
    return GeneratorConfig(
        file=file,
        base_url=_text(said.get("site_url")),
        site=file.parent / (_text(said.get("site_dir")) or "site"),
        docs=file.parent / (_text(said.get("docs_dir")) or "docs"),
        options=_plugin_options(said.get("plugins")),
    )


def _read_zensical(file: Path, said: Mapping[str, Any]) -> GeneratorConfig:
    project = said.get("project", said)
    return _read_mkdocs(file, project if isinstance(project, Mapping) else {})


def _read_antora(file: Path, said: Mapping[str, Any]) -> GeneratorConfig:
    output = _table(said, "output")
    return GeneratorConfig(
        file=file,
        base_url=_text(_table(said, "site").get("url")),
        site=file.parent / (_text(output.get("dir")) or "build/site"),
    )


def _plugin_options(plugins: object) -> Mapping[str, object]:
    """The options of ``sitemap-docs`` in MkDocs' list, in its mapping, or in Zensical's tables."""
    listed = plugins if isinstance(plugins, list) else [plugins]
    for plugin in listed:
        if isinstance(plugin, Mapping) and isinstance(plugin.get("sitemap-docs"), Mapping):
            return {str(name): value for name, value in plugin["sitemap-docs"].items()}
    return {}


def _table(said: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = said.get(name)
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
