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
    """The settings in a TOML file.

    Attributes:
        folder: The folder of the file. None for the current folder, if the user has not named the file.
        base_url: The base URL of the site, or ``None`` if the file has none.
        sources: Folders of sources. Relative paths begin in the current folder.
        maps: Rules such as ``fr/**=**.fr.md``, which say where the sources of pages are.
        options: All other options, with underscores in their names.
    """

    file: Path = PYPROJECT
    folder: Path | None = None
    base_url: str | None = None
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)


FOLDER_OPTIONS: Mapping[str, OptionType[Any]] = {"base_url": STRING, "source": TEXTS, "map": TEXTS}
"""The settings of a built folder, which only a TOML file and the command line have."""


def read_project(file: Path | None) -> ProjectFile:
    """Read the settings in a TOML file. By default, this is ``pyproject.toml`` in the current folder.

    The settings are in the table ``[tool.sitemap-docs]``. In a file with another name, they may also be at
    the top level. If ``pyproject.toml`` is missing, there are no settings.

    Raises:
        SitemapError: The file cannot be read, or an option or its value is invalid.
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
