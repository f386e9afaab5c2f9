"""Read TOML, YAML and JSON files, and check the types of the values in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_docs import files
from sitemap_docs.linear import linear
from sitemap_docs.model import SitemapError

if TYPE_CHECKING:
    from sitemap_docs.config.yaml_loader import RepeatedKey

TABLE = "sitemap-docs"
ENABLED = "enabled"  # an option of the MkDocs plugin alone
YAML_SUFFIXES = (".yml", ".yaml")
TABLE_TOO = "sitemap_docs"  # the name of the package, and of the extension in conf.py


def load_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SitemapError: The file is unreadable or invalid.
    """
    return load_file(file, loads_toml)


def load_file(file: Path, loads: Callable[[str], object], by: str = "") -> dict[str, Any]:
    """Read and parse a file that contains a mapping.

    Args:
        file: The file.
        loads: Parses the text of the file.
        by: Words to put after the file name in an error message, to say what refers to the file, or ``""``.

    Raises:
        SitemapError: The file is unreadable, invalid, or larger than 16 MiB.
    """
    with files.translated_errors(f"{file}{by}", "read", files.CHECK_FILE):
        data = files.read_file(file, _LARGEST + 1)
    try:
        if len(data) <= _LARGEST:
            return dict(as_mapping(loads(data.decode("utf-8-sig"))))
        problem = f"it has more than {_LARGEST:,} bytes"
    except (ValueError, RecursionError) as error:
        problem = str(error)
    raise SitemapError(f"{file}{by} cannot be read: {problem}. Correct it.")


_LARGEST = 16 * 1024 * 1024  # more than anybody writes by hand; some of the files come from pull requests


def loads_yaml(text: str, *, of_page: bool) -> object:
    """Parse YAML from a configuration file, or from the front matter of a page if ``of_page`` is true.

    In front matter, values with a tag such as ``!ENV`` become None.

    Raises:
        ValueError: The text is invalid.
    """
    from sitemap_docs.config import yaml_loader  # noqa: PLC0415  PyYAML is expensive

    return yaml_loader.load(text, of_page=of_page)


@linear
def repeated_keys(text: str) -> Sequence[RepeatedKey]:
    """Return each key that a mapping in a YAML text contains twice, in the order of its lines."""
    from sitemap_docs.config import yaml_loader  # noqa: PLC0415  PyYAML is expensive

    return yaml_loader.find_repeated(text)


def repeated_options(file: Path, options: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield each of our options that ``mkdocs.yml`` sets twice, with a message for the user.

    ``options`` are our options as MkDocs has read them.
    """
    seen = set()
    while file not in seen:
        seen.add(file)
        try:
            text = files.read_file(file, _LARGEST).decode("utf-8-sig")
        except (OSError, ValueError):
            return  # The reader of the configuration reports this.
        if _may_repeat(text, options):
            for key in repeated_keys(text):
                if key.path[:1] == ("plugins",) and key.path[1] in (TABLE, TABLE_TOO) and key.path[2:]:
                    first, last = key.lines
                    name = ": ".join(key.path[2:])
                    message = (
                        f"{file.name} has the option `{name}` twice, in lines {first} and {last}, and only "
                        "the last one is used. Merge them into one."
                    )
                    yield key.path[2], message
        if "INHERIT" in text:
            parent = as_text(load_file(file, partial(loads_yaml, of_page=False)).get("INHERIT"))
            file = (file.parent / parent).resolve() if parent else file


def _may_repeat(text: str, options: Mapping[str, object]) -> bool:
    """Check whether a YAML text may set an option twice, because its name appears twice in the text."""
    waiting = [options]
    while waiting:
        for name, value in waiting.pop().items():
            if text.count(str(name)) > 1:
                return True
            waiting += [item for item in as_items(value) if isinstance(item, Mapping)]
    return False


def loads_toml(text: str) -> dict[str, Any]:
    """Parse TOML.

    Raises:
        ValueError: The text is invalid, or a key has more than 100 parts.
    """
    import tomli  # noqa: PLC0415  most builds read no TOML

    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {DEEPEST} parts")
    return tomli.loads(text)


DEEPEST = 100
"""The limit for parts of a dotted key and for nested brackets. With more, parsers need quadratic time."""
_LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){{{DEEPEST}}}""")


@linear
def load_json(file: Path) -> dict[str, Any]:
    """Read a JSON file.

    Raises:
        SitemapError: The file is unreadable or invalid.
    """
    return load_file(file, json.loads)


def load_yaml(file: Path) -> dict[str, Any]:
    """Read a YAML file as MkDocs does, with ``!ENV`` and ``INHERIT``.

    Raises:
        SitemapError: The file, or a file in ``INHERIT``, is unreadable or invalid.
    """
    settings: dict[str, Any] = {}
    seen = set()
    by = ""
    while True:
        if file in seen:
            raise SitemapError(f"{file} cannot be read: it inherits from itself. Correct INHERIT.")
        seen.add(file)
        inherited = load_file(file, partial(loads_yaml, of_page=False), by)
        parent = as_text(inherited.pop("INHERIT", None))
        settings = merge_mappings(inherited, settings)
        if not parent:
            return settings
        by = f", the file in INHERIT of {file},"
        file = (file.parent / parent).resolve()


def merge_mappings(parent: Mapping[str, Any], child: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two nested mappings. If both have a key, the value in ``child`` wins."""
    result = dict(parent)
    for key, value in child.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = merge_mappings(old, value)
        else:
            result[key] = value
    return result


def as_mapping(value: object) -> Mapping[str, Any]:
    """Return the value if it is a mapping, otherwise an empty mapping."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """Return the value if it is a list or tuple, otherwise an empty list."""
    return value if isinstance(value, (list, tuple)) else []


def as_items(value: object) -> Sequence[Any]:
    """Return a list or tuple unchanged, and any other value in a list."""
    return value if isinstance(value, (list, tuple)) else [value]


def as_text(value: object) -> str:
    """Return the stripped value if it is a string, otherwise ``""``."""
    return value.strip() if isinstance(value, str) else ""
