"""mike: the versions that it lists, and their aliases."""

import json
from collections.abc import Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.model import SitemapError

MIKE = "versions.json"
_MOST_NAMES = 10_000  # each is compared with each folder


def read_aliases(tree: Path) -> Mapping[str, str]:
    """All names in ``versions.json``, of versions and their aliases, with the version; empty without one.

    Other tools keep other things in a file of that name: sphinx-polyversion, for one. Raises SitemapError
    for a file that is no JSON, and for one with more names than any site has.
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
        for each in listed:
            names = (each["version"], *each.get("aliases", ()))
            if not all(isinstance(name, str) for name in names):
                return {}
            aliases.update(dict.fromkeys(names, each["version"]))
    except (TypeError, KeyError, AttributeError):
        return {}
    if len(aliases) > _MOST_NAMES:
        raise SitemapError(
            f"{tree / MIKE} lists more than {_MOST_NAMES:,} versions and aliases. Delete old ones with mike."
        )
    return aliases
