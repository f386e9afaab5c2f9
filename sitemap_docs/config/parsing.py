"""What others wrote in TOML, YAML or JSON, and values of the type that is looked for."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sitemap_docs import files
from sitemap_docs.model import SitemapError
from sitemap_docs.text import linear

TABLE = "sitemap-docs"
ENABLED = "enabled"  # of the plugin in mkdocs.yml, and no option of a build
TABLE_TOO = "sitemap_docs"  # what is imported, and in conf.py the name of the extension


def load_toml(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; raises SitemapError."""
    return load_file(file, loads_toml)


def load_file(file: Path, loads: Callable[[str], object], by: str = "") -> dict[str, Any]:
    """The mapping of a file; raises SitemapError, which says ``by`` what the file was named."""
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
    """Returns what a text in YAML says; ValueError for what is none."""
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


def as_mapping(value: object) -> Mapping[str, Any]:
    """Returns what others wrote, where it is a mapping; else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """Returns what others wrote, where it is a list; else an empty one."""
    return value if isinstance(value, (list, tuple)) else []


def as_items(value: object) -> Sequence[Any]:
    """Returns what others wrote, where it is a list; else a list that holds it alone."""
    return value if isinstance(value, (list, tuple)) else [value]


def as_text(value: object) -> str:
    """Returns what others wrote, where it is a text, without space around it; else an empty one."""
    return value.strip() if isinstance(value, str) else ""
