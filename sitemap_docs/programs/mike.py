"""mike: the versions in its list, and their aliases."""

import json
from collections.abc import Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.model import SitemapError

MIKE = "versions.json"
_MOST_NAMES = 10_000  # each is compared with each folder


def read_aliases(tree: Path) -> Mapping[str, str]:
    """Return all names of versions and their aliases in ``versions.json``, each with the version.

    Without such a file, there are no names. Other programs write other values into a file of that name, for
    example sphinx-polyversion. Their files have no names either.

    Raises:
        SitemapError: The file is no JSON, or has more names than any site.
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
            if "url" in each:  # It is the file of a version switcher of pydata-sphinx-theme.
                return {}
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
