"""The TOML file of a project: its options, and what describes its built folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sitemap_docs.config.options import COMMAND_DOORS, STRING, TEXTS, OptionType, option_values
from sitemap_docs.config.parsing import TABLE, TABLE_TOO, as_mapping, load_toml
from sitemap_docs.model import SitemapError

PYPROJECT = Path("pyproject.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """What the ``file`` sets; ``folder`` is its own, and None without a file that the user named.

    ``sources`` start at the current folder. ``maps`` are written ``site glob=source glob``.
    """

    file: Path = PYPROJECT
    folder: Path | None = None
    base_url: str = ""
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)


FOLDER_OPTIONS: Mapping[str, OptionType[Any]] = {"base_url": STRING, "source": TEXTS, "map": TEXTS}
"""What a TOML file has of a built folder, apart from options."""


def read_project(file: Path | None) -> ProjectFile:
    """Returns what a TOML file sets, with underscores in the names of options.

    Without ``file``, ``pyproject.toml`` in the current folder is read if it exists. Raises SitemapError for a
    file that cannot be read, and for values that do not fit.
    """
    if file is None and not PYPROJECT.is_file():
        return ProjectFile()
    path = file or PYPROJECT
    if path.suffix in (".yml", ".yaml"):
        raise SitemapError(
            f"{path} is no TOML file. Is it that of a generator? Pass it as --generator-config."
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
    return ProjectFile(
        file=path,
        folder=folder,
        base_url=values.get("base_url", ""),
        sources=tuple((folder or Path()) / source for source in values.get("source", ())),
        maps=values.get("map", ()),
        options={name: value for name, value in options.items() if name not in FOLDER_OPTIONS},
    )
