"""sphinx-sitemap 2.9: the options that it declares, and their defaults."""

SPHINX_SITEMAP = "sphinx_sitemap"
#: Its options, without ``sitemap_`` before them. It takes any value of those that are lenient.
SHARED = ("url_scheme", "locales", "filename", "excludes", "indent", "show_lastmod")
LENIENT = ("filename", "indent", "url_scheme")
THEIR_DEFAULT = "{lang}{version}{link}"
THEIR_DEFAULTS = {"url_scheme": THEIR_DEFAULT, "show_lastmod": False}
#: Links to pages that Sphinx generates, as projects exclude them from the sitemap of sphinx-sitemap.
GENERATED_LINKS = frozenset(
    f"{name}{end}" for name in ("search", "genindex", "py-modindex") for end in (".html", "/")
)
