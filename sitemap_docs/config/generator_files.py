"""The configurations of generators, in YAML or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sitemap_docs.config.parsing import as_text, load_file, loads_yaml
from sitemap_docs.model import SitemapError
from sitemap_docs.text import linear


@linear
def load_json(file: Path) -> dict[str, Any]:
    """Returns the mapping of a JSON file, which may be one of a built site; raises SitemapError."""
    return load_file(file, json.loads)


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
        own = load_file(file, partial(loads_yaml, of_page=False), by)
        parent = as_text(own.pop("INHERIT", None))
        settings = merged(own, settings)
        if not parent:
            return settings
        by = f", which INHERIT in {file} names,"
        file = (file.parent / parent).resolve()


def merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Two mappings as MkDocs merges what INHERIT names: those inside them, too; else ``above`` wins."""
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = merged(old, value)
        else:
            result[key] = value
    return result
