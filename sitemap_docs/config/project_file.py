"""Read the options and settings of a project from its TOML file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sitemap_docs.config.option_types import STRING, TEXTS, OptionType
from sitemap_docs.config.options import COMMAND_DOORS, option_values
from sitemap_docs.config.parsing import TABLE, TABLE_TOO, YAML_SUFFIXES, as_mapping, load_toml
from sitemap_docs.model import SitemapError

PYPROJECT = Path("pyproject.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """The settings of sitemap-docs in a TOML file, usually ``pyproject.toml``."""

    file: Path = PYPROJECT
    #: The folder of a file that the user names.
    folder: Path | None = None
    base_url: str | None = None
    sources: tuple[Path, ...] = ()
    #: Rules for the sources of pages, such as ``fr/**=**.fr.md``.
    maps: tuple[str, ...] = ()
    #: All other options by name, with underscores.
    options: Mapping[str, object] = field(default_factory=dict)


FOLDER_OPTIONS: Mapping[str, OptionType[Any]] = {"base_url": STRING, "source": TEXTS, "map": TEXTS}
"""The settings of a built folder, which only a TOML file and the command line have."""


def read_project(file: Path | None) -> ProjectFile:
    """Read the settings in a TOML file, by default ``pyproject.toml``.

    Raises:
        SitemapError: The file is unreadable, or an option is invalid.
    """
    if file is None and not PYPROJECT.is_file():
        return ProjectFile()
    path = file or PYPROJECT
    if path.suffix in YAML_SUFFIXES:
        raise SitemapError(
            f"{path} is not a TOML file. Pass the configuration of a generator as --generator-config."
        )
    tables = load_toml(path)
    tool = as_mapping(tables.get("tool"))
    table = tool.get(TABLE, tool.get(TABLE_TOO))
    if table is None:
        if path.name == PYPROJECT.name and TABLE in tables:
            raise SitemapError(f"{path} has a table [{TABLE}]. Name it [tool.{TABLE}].")
        table = {} if path.name == PYPROJECT.name else tables
    if not isinstance(table, dict):
        raise SitemapError(f"[tool.{TABLE}] in {path} must be a table.")
    options = {name.replace("-", "_"): value for name, value in table.items()}
    try:
        values = option_values(options, COMMAND_DOORS, FOLDER_OPTIONS)
    except SitemapError as error:
        raise SitemapError(f"{path}: {error}") from None
    folder = file.parent if file else None
    start = folder or Path()
    sources = tuple(start / source for source in values.get("source", ()))
    build_options = {name: value for name, value in options.items() if name not in FOLDER_OPTIONS}
    return ProjectFile(
        file=path,
        folder=folder,
        base_url=values.get("base_url"),
        sources=sources,
        maps=values.get("map", ()),
        options=build_options,
    )
