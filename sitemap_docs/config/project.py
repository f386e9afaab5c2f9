"""The project's TOML file: the options in it, and what it says of a built folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sitemap_docs.config import validators
from sitemap_docs.config.parsing import TABLE, TABLE_TOO, as_mapping, load_toml
from sitemap_docs.model import Finding, SitemapError

T = TypeVar("T")
PYPROJECT = Path("pyproject.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """What the file sets; ``folder`` is its own, and None without a file that the user named.

    ``sources`` start at the current folder. ``maps`` are written ``site glob=source glob``. ``findings`` are
    those about the file itself.
    """

    folder: Path | None = None
    base_url: str = ""
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def read_project(file: Path | None) -> ProjectFile:
    """What a TOML file sets, with underscores in the names of options.

    Without ``file``, ``pyproject.toml`` in the current folder is read if it exists. That it cannot be read is
    a finding, as the user did not ask for it. Raises SitemapError for another file that cannot be read, and
    for values that do not fit.
    """
    if file is None and not PYPROJECT.is_file():
        return ProjectFile()
    path = file or PYPROJECT
    try:
        tables = load_toml(path)
    except SitemapError as error:
        if file:
            raise
        return ProjectFile(findings=(unreadable(error),))
    tool = as_mapping(tables.get("tool"))
    table = tool.get(TABLE, tool.get(TABLE_TOO))
    if table is None:
        table = {} if path.name == PYPROJECT.name else tables
    if not isinstance(table, dict):
        raise SitemapError(f"[tool.{TABLE}] in {path} must be a table.")
    left = {name.replace("-", "_"): value for name, value in table.items()}
    folder = file.parent if file else None
    sources = _pop(left, "source", validators.texts, None)
    return ProjectFile(
        folder=folder,
        base_url=_pop(left, "base_url", validators.string, ""),
        sources=tuple((folder or Path()) / source for source in sources),
        maps=_pop(left, "map", validators.texts, None),
        options=left,
    )


def unreadable(error: SitemapError) -> Finding:
    """The finding about a configuration that cannot be read and that the user did not name."""
    return Finding(rule="configuration-unreadable", message=f"{error} It is not used.")


def _pop(table: dict[str, object], name: str, parse: Callable[[object], T], default: object) -> T:
    value = table.pop(name, default)
    try:
        return parse(value)
    except ValueError as error:
        raise SitemapError(
            f"In the TOML file, `{name.replace('_', '-')}` must be {error}, not {validators.shown(value)}."
        ) from None
