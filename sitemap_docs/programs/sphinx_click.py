"""sphinx-click: the commands that its directive describes."""

from collections.abc import Mapping

from sitemap_docs.sources.modules import Described

#: The levels of subcommands that the page shows, by the option ``nested``. -1 stands for all levels.
_LEVELS = {"full": -1, "none": 0}


def described(argument: str, options: Mapping[str, str]) -> Described:
    """Return the command that a Sphinx directive documents, and how many levels of subcommands it shows."""
    levels = -1 if "show-nested" in options else _LEVELS.get(options.get("nested", ""), 1)
    return Described(argument.replace(":", "."), levels=levels)
