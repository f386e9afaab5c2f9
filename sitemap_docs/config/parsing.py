"""The files of settings that people write, in TOML, YAML or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sitemap_docs import files
from sitemap_docs.config.option_types import STRING, TEXTS, OptionType
from sitemap_docs.config.options import COMMAND_DOORS, option_values
from sitemap_docs.model import SitemapError
from sitemap_docs.text import linear

PYPROJECT = Path("pyproject.toml")
TABLE = "sitemap-docs"
ENABLED = "enabled"  # of the plugin in mkdocs.yml, and no option of a build
TABLE_TOO = "sitemap_docs"  # what is imported, and in conf.py the name of the extension


def load_toml(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; raises SitemapError."""
    return _loaded(file, loads_toml)


@linear
def load_json(file: Path) -> dict[str, Any]:
    """Returns the mapping of a JSON file, which may be one of a built site; raises SitemapError."""
    return _loaded(file, json.loads)


def load_yaml(file: Path) -> dict[str, Any]:
    """The mapping of a YAML file, as MkDocs reads it: with ``!ENV`` and ``INHERIT``.

    Tags of Python objects become None. Raises SitemapError.
    """
    settings: dict[str, Any] = {}
    seen = set()
    by = ""
    while True:
        if file in seen:
            raise SitemapError(f"{file} cannot be read: it inherits from itself. Correct INHERIT.")
        seen.add(file)
        own = _loaded(file, partial(loads_yaml, of_page=False), by)
        parent = as_text(own.pop("INHERIT", None))
        settings = merged(own, settings)
        if not parent:
            return settings
        by = f", which INHERIT in {file} names,"
        file = (file.parent / parent).resolve()


@linear
def load_defaults(file: Path) -> dict[str, Any]:
    """Returns the mapping of a YAML file with front matter of several pages; raises SitemapError."""
    return _loaded(file, partial(loads_yaml, of_page=True))


def merged(below: Mapping[str, Any], above: Mapping[str, Any], *, adds: bool = False) -> dict[str, Any]:
    """Two mappings, those inside them merged as well; else ``above`` wins, or where it ``adds``, lists grow.

    So MkDocs merges what INHERIT names, and its plugin `meta` front matter, with lists that grow.
    """
    result = dict(below)
    waiting = [(result, above)]
    seen: dict[tuple[int, int], dict[str, Any]] = {}  # aliases of YAML may repeat one mapping without end
    while waiting:
        target, given = waiting.pop()
        for key, value in given.items():
            old = target.get(key)
            if isinstance(old, Mapping) and isinstance(value, Mapping):
                pair = id(old), id(value)
                if pair not in seen:
                    seen[pair] = dict(old)
                    waiting.append((seen[pair], value))
                target[key] = seen[pair]
            elif adds and isinstance(old, list) and isinstance(value, list):
                target[key] = [*old, *value]
            else:
                target[key] = value
    return result


def _loaded(file: Path, loads: Callable[[str], object], by: str = "") -> dict[str, Any]:
    try:
        data = files.read_file(file, _LARGEST + 1)
        if len(data) <= _LARGEST:
            return dict(as_mapping(loads(data.decode("utf-8-sig"))))
        problem = f"it has more than {_LARGEST:,} bytes"
    except (OSError, ValueError, RecursionError) as error:
        problem = str(error)
    raise SitemapError(f"{file}{by} cannot be read: {problem}. Correct it.")


_LARGEST = 16 * 1024 * 1024  # more than anybody writes; front matter of a folder is not the project's own


def loads_yaml(text: str, *, of_page: bool) -> object:
    """What a text in YAML says; ValueError for what is none."""
    from sitemap_docs.config import yaml_loader  # noqa: PLC0415  PyYAML is expensive

    return yaml_loader.load(text, of_page=of_page)


def loads_toml(text: str) -> dict[str, Any]:
    """The tables of a text; ValueError for dotted keys so long that tomli takes quadratic time."""
    import tomli  # noqa: PLC0415  most builds read no TOML

    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {DEEPEST} parts")
    return tomli.loads(text)


DEEPEST = 100
"""Parts of a key, and brackets in one another: more take quadratic time."""
_LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){{{DEEPEST}}}""")


def as_mapping(value: object) -> Mapping[str, Any]:
    """What others wrote, where it is a mapping; else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """What others wrote, where it is a list; else an empty one."""
    return value if isinstance(value, (list, tuple)) else []


def as_items(value: object) -> Sequence[Any]:
    """What others wrote, where it is a list; else a list that holds it alone."""
    return value if isinstance(value, (list, tuple)) else [value]


def as_text(value: object) -> str:
    """What others wrote, where it is a text, without space around it; else an empty one."""
    return value.strip() if isinstance(value, str) else ""


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
    """What a TOML file sets, with underscores in the names of options.

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
