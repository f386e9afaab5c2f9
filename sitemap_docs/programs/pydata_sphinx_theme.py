"""pydata-sphinx-theme: the versions in the JSON file of its version switcher."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.config.parsing import as_list, as_mapping
from sitemap_docs.model import SitemapError
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
    """Return the entries of a site's version menu, from a file such as ``tree/switcher.json``.

    Raises:
        SitemapError: The file is damaged.
    """
    for name in _FILES:
        entries = _read_file(tree, name)
        if entries:
            return entries
    # Without a file at the root, each version may have its own file.
    longest: list[SwitcherEntry] = []
    problems = []
    for folder in filter(is_version, files.names_in(tree)):
        for name in _FILES[:2]:
            try:
                longest = max(longest, _read_file(tree, f"{folder}/{name}"), key=len)
            except SitemapError as problem:
                problems.append(problem)
    # The damaged file of an old version does no harm if another version has a valid file.
    if problems and not longest:
        raise problems[0]
    return longest


def _read_file(tree: Path, name: str) -> list[SwitcherEntry]:
    """Return the versions in a file such as ``switcher.json`` in the folder ``tree``.

    If the file is missing, the list is empty.

    Raises:
        SitemapError: The file is damaged.
    """
    try:
        content = json.loads(files.read_inside(tree, name))
        return list(_switcher_entries(content))[:_MOST_ENTRIES]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, ValueError, RecursionError) as error:
        problem = (error.strerror or "") if isinstance(error, OSError) else str(error)
    raise SitemapError(
        f"{tree / name} is not a valid list of versions for the switcher of pydata-sphinx-theme: {problem}. "
        "Correct the file."
    )


def _switcher_entries(content: object) -> Iterator[SwitcherEntry]:
    """Yield each version in the parsed ``switcher.json``, after checking its fields.

    If no entry has both a version and a URL, yield nothing.

    Raises:
        ValueError: An entry is incomplete, or a value has the wrong type.
    """
    entries = list(map(as_mapping, as_list(content)))
    if not any("version" in entry and "url" in entry for entry in entries):
        return
    for number, entry in enumerate(entries, 1):
        version, url, name = entry.get("version"), entry.get("url"), entry.get("name") or ""
        if not (isinstance(version, str) and isinstance(url, str) and isinstance(name, str)):
            raise ValueError(f"`version` and `url` of entry {number} must be texts, and so must its `name`")
        yield SwitcherEntry(version, url, name, entry.get(PREFERRED) is True)
