"""sphinx-click: the commands of click that its directive describes."""

from collections.abc import Mapping

from sitemap_docs.sources.modules import Described

PACKAGE = "sphinx_click"
#: How deep it shows subcommands, by its option ``nested``; -1: all of them.
_LEVELS = {"full": -1, "none": 0}


def described(argument: str, options: Mapping[str, str]) -> Described:
    """The command of ``click:: module:command``."""
    levels = -1 if "show-nested" in options else _LEVELS.get(options.get("nested", ""), 1)
    return Described(argument.replace(":", "."), levels=levels)
