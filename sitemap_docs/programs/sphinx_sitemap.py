"""sphinx-sitemap 2.9: its options, and whether a build loads it."""

from collections.abc import Callable, Collection

SPHINX_SITEMAP = "sphinx_sitemap"
#: The options of the extension, without the prefix ``sitemap_``.
SHARED = ("url_scheme", "locales", "filename", "excludes", "indent", "show_lastmod")
#: The options for which the extension accepts a value of any type.
LENIENT = ("filename", "indent", "url_scheme")
THEIR_DEFAULT = "{lang}{version}{link}"
THEIR_DEFAULTS = {"url_scheme": THEIR_DEFAULT, "show_lastmod": False}
#: Links to pages that Sphinx generates, as projects exclude them from the sitemap of sphinx-sitemap.
GENERATED_LINKS = frozenset(
    f"{name}{end}" for name in ("search", "genindex", "py-modindex") for end in (".html", "/")
)


def is_loaded(extensions: Collection[str]) -> bool:
    """Check whether sphinx-sitemap is one of the ``extensions`` of a build."""
    return SPHINX_SITEMAP in extensions


def is_handler(function: Callable[..., object]) -> bool:
    """Check whether a handler of a Sphinx event belongs to the extension sphinx-sitemap."""
    return getattr(function, "__module__", "") == SPHINX_SITEMAP
