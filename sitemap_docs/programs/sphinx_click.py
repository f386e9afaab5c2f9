"""sphinx-click: the commands that its directive describes."""

from collections.abc import Mapping

from sitemap_docs.sources.modules import Described

#: The levels of subcommands that the page shows, by the option ``nested``. -1 stands for all levels.
_LEVELS = {"full": -1, "none": 0}


def described(argument: str, options: Mapping[str, str]) -> Described:
    """Return the command that the directive ``click`` of sphinx-click documents.

    The returned object also says how many levels of subcommands are shown. ``argument`` is the argument of
    the directive, such as ``package.module:command``. ``options`` are its options, such as ``:nested:``.
    """
    levels = -1 if "show-nested" in options else _LEVELS.get(options.get("nested", ""), 1)
    return Described(argument.replace(":", "."), levels=levels)
