"""Error pages, such as ``404.html``, by their names."""

import re

from sitemap_docs.urls.languages import folder_language

#: The names of error pages.
ERROR_PAGES = ("404",)
_NAMED_404 = re.compile(rf"((?:.*/)?)(?:{'|'.join(ERROR_PAGES)})(?:\.html|/|/index\.html)?", re.DOTALL)


def is_named_404(path: str) -> bool:
    """Check whether a path has the name of an error page, such as ``guide/404/``."""
    return _NAMED_404.fullmatch(path) is not None


def is_error_page(path: str) -> bool:
    """Check whether a path is the error page of a site, a language or a version.

    >>> [is_error_page(path) for path in ("404.html", "da/404/", "v2/da/404/index.html", "errors/404.html")]
    [True, True, True, False]
    """
    named = _NAMED_404.fullmatch(path)
    if not named:
        return False
    from sitemap_docs.urls.versions import is_version  # noqa: PLC0415  few sites have such a page

    return all(folder_language(folder) or is_version(folder) for folder in named[1].split("/")[:-1])
