"""mike: the versions in its list, and their aliases."""

import json
from collections.abc import Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.model import SitemapError

MIKE = "versions.json"
_MOST_NAMES = 10_000  # each is compared with each folder


def read_aliases(tree: Path) -> Mapping[str, str]:
    """Return the version for each name in ``versions.json``. The names are those of versions and aliases.

    The result is empty if the file is missing, or if another tool such as sphinx-polyversion wrote it.

    Raises:
        SitemapError: The file is not JSON, or has more names than any site.
    """
    try:
        listed = json.loads(files.read_inside(tree, MIKE))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise SitemapError(
            f"{tree / MIKE} is not a valid list of mike's versions. Run mike again, or correct it."
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
            f"{tree / MIKE} lists more than {_MOST_NAMES:,} versions and aliases. Delete old ones with mike."
        )
    return aliases
