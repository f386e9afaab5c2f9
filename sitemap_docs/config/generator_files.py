"""The configurations of generators, and front matter of several pages, in YAML or JSON."""

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


@linear
def load_defaults(file: Path) -> dict[str, Any]:
    """Returns the mapping of a YAML file with front matter of several pages; raises SitemapError."""
    return load_file(file, partial(loads_yaml, of_page=True))


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
