"""The TOML and YAML that people write: project files, and the front matter of pages."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from yaml_env_tag import construct_env_tag  # type: ignore[import-untyped]

from sitemap_docs import files
from sitemap_docs.model import SitemapError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = "sitemap-docs"
PYPROJECT = Path("pyproject.toml")


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
        raise SitemapError(f"{file} cannot be read: {' '.join(str(error).split())}. Correct it.") from None
    own = dict(loaded) if isinstance(loaded, Mapping) else {}
    parent = own.pop("INHERIT", None)
    if isinstance(parent, str) and parent.strip():
        return load_yaml((file.parent / parent.strip()).resolve(), heirs=(*heirs, file)) | own
    return own


def read_options(file: Path | None) -> dict[str, object]:
    """The options in a project's TOML file, with underscores in their names; empty without a file.

    Without ``file``, ``pyproject.toml`` in the current folder is read if it exists. Raises SitemapError for a
    file that cannot be read.
    """
    if file is None and not PYPROJECT.is_file():
        return {}
    tables = load_toml(file or PYPROJECT)
    table = tables.get("tool", {}).get(TABLE)
    if table is None:
        table = {} if file is None or file.name == PYPROJECT.name else tables
    if not isinstance(table, dict):
        raise SitemapError(f"[tool.{TABLE}] in {file or PYPROJECT} must be a table.")
    return {name.replace("-", "_"): value for name, value in table.items()}


def read_front_matter(file: str) -> Mapping[str, object]:
    """The YAML front matter of a source where it mentions sitemaps or robots; empty otherwise.

    Front matter that is no YAML is left to the generator, which reports it.
    """
    try:
        match = _FRONT_MATTER.match(files.read_file(file, _FRONT))
    except OSError:
        return {}
    if not match or not (b"sitemap" in match[1] or b"robots" in match[1]):
        return {}
    try:
        loaded = yaml.load(match[1].decode(), Loader=_PageLoader)  # noqa: S506  a SafeLoader
    except (ValueError, RecursionError, yaml.YAMLError):
        return {}
    return loaded if isinstance(loaded, Mapping) else {}


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
