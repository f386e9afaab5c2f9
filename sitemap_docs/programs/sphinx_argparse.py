"""sphinx-argparse: the parser, or the function that makes it, that its directive describes."""

from collections.abc import Mapping

from sitemap_docs.sources.modules import Described

PACKAGE = "sphinxarg"


def described(_: str, options: Mapping[str, str]) -> Described:
    """That of ``:ref: module.function``, of ``:module:`` and ``:func:``, or of a file."""
    name = options.get("ref", "")
    if options.keys() >= {"module", "func"}:
        name = f"{options['module']}.{options['func']}"
    return Described(name, options.get("filename", ""))
