"""pydata-sphinx-theme: the versions in the JSON file of its version switcher."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.programs.mike import MIKE
from sitemap_docs.urls.versions import is_version

PREFERRED = "preferred"
"""The key of the version that the switcher prefers. A join also takes the key as a name of this version."""

#: Usual places of the file below the root of a tree. The theme lets projects choose any other name.
_FILES = ("switcher.json", "_static/switcher.json", MIKE)
_MOST_ENTRIES = 10_000  # each is compared with each folder


class SwitcherEntry(NamedTuple):
    """An entry in the version switcher, a menu with the versions of a site."""

    #: The version, such as ``2.0``.
    version: str
    url: str
    #: The text for readers, such as ``2.0 (stable)``.
    name: str = ""
    #: Whether the switcher marks the version as preferred.
    is_preferred: bool = False


def read_switcher(tree: Path) -> list[SwitcherEntry]:
    """Return the entries of the version switcher in a folder with all versions of a site."""
    for name in _FILES:
        entries = _read_file(tree, name)
        if entries:
            return entries
    # Without a file at the root, each version may have its own file.
    folders = sorted(folder.name for folder in tree.iterdir() if is_version(folder.name))
    found = [_read_file(tree, f"{folder}/{name}") for folder in folders for name in _FILES[:2]]
    return max(found, key=len, default=[])


def _read_file(tree: Path, name: str) -> list[SwitcherEntry]:
    """Return the entries in a file such as ``switcher.json``. An invalid or missing file has none."""
    try:
        return list(_switcher_entries(json.loads(files.read_inside(tree, name))))[:_MOST_ENTRIES]
    except (OSError, ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return []


def _switcher_entries(listed: list[dict[str, object]]) -> Iterator[SwitcherEntry]:
    """Check and yield the entries in the parsed JSON of a version switcher.

    Raises:
        TypeError: A value has the wrong type.
    """
    for entry in listed:
        version, url, name = entry["version"], entry["url"], entry.get("name", "")
        if not (isinstance(version, str) and isinstance(url, str) and isinstance(name, str)):
            raise TypeError
        yield SwitcherEntry(version, url, name, entry.get(PREFERRED) is True)
