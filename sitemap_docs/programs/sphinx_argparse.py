"""sphinx-argparse: the parser that its directive describes."""

from collections.abc import Mapping

from sitemap_docs.sources.modules import Described


def described(argument: str, options: Mapping[str, str]) -> Described:
    """Return the argparse parser that the Sphinx directive ``argparse`` documents.

    ``options`` are the options of the directive, such as ``:module:``. ``argument`` is ignored, because this
    directive has no argument.
    """
    name = options.get("ref", "")
    if options.keys() >= {"module", "func"}:
        name = f"{options['module']}.{options['func']}"
    return Described(name, options.get("filename", ""))
