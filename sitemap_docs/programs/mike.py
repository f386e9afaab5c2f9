"""mike: the versions and aliases in ``versions.json``."""

import json
from collections.abc import Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.model import SitemapError

MIKE = "versions.json"
_MOST_NAMES = 10_000  # each is compared with each folder


def read_aliases(tree: Path) -> Mapping[str, str]:
    """Return the version of each name in ``versions.json``, such as ``2.0`` for the alias ``latest``.

    Versions are names, too. If the file is missing, or if another tool such as sphinx-polyversion wrote it,
    the result is empty.

    Raises:
        SitemapError: The file is not JSON, or contains more than 10,000 names.
    """
    try:
        listed = json.loads(files.read_inside(tree, MIKE))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise SitemapError(
            f"{tree / MIKE} is not a valid list of mike's versions. Run mike again, or correct the file."
        ) from None
    aliases: dict[str, str] = {}
    try:
        for entry in listed:
            if "url" in entry:  # It is the file of a version switcher of pydata-sphinx-theme.
                return {}
            names = (entry["version"], *entry.get("aliases", ()))
            if not all(isinstance(name, str) for name in names):
                return {}
            aliases.update(dict.fromkeys(names, entry["version"]))
    except (TypeError, KeyError, AttributeError):
        return {}
    if len(aliases) > _MOST_NAMES:
        raise SitemapError(
            f"{tree / MIKE} lists more than {_MOST_NAMES:,} versions and aliases. Delete old "
            "versions with `mike delete`."
        )
    return aliases
