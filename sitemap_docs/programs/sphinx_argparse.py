"""sphinx-argparse: the parser that its directive describes."""

from collections.abc import Mapping

from sitemap_docs.sources.modules import Described


def described(argument: str, options: Mapping[str, str]) -> Described:
    """Return the command-line parser that the Sphinx directive ``argparse`` documents.

    ``options`` are the options of the directive, such as ``:module:``. ``argument`` is not used here.
    """
    name = options.get("ref", "")
    if options.keys() >= {"module", "func"}:
        name = f"{options['module']}.{options['func']}"
    return Described(name, options.get("filename", ""))
