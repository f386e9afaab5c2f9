"""sphinx-sitemap: loaded next to ours, and the dates in footers that it brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from sitemap_docs.model import Finding
from sitemap_docs.sphinx.config import written

if TYPE_CHECKING:
    from sphinx.application import Sphinx

NAME = "sphinx_sitemap"
LOADED = "sphinx-sitemap-loaded"

_DATES = "sphinx_last_updated_by_git"


def keep_footer_dates(app: Sphinx) -> Finding | None:
    """Loads what sphinx-sitemap loads for ``sitemap_show_lastmod``, where footers show its dates.

    Returns what to report where it is not installed.
    """
    shown = written(app.config, "sitemap_show_lastmod") in (True, "1")
    if not shown or app.config.html_last_updated_fmt is None:
        return None
    try:
        app.setup_extension(_DATES)
    except ExtensionError:
        return Finding(
            rule="footer-dates",
            message="`html_last_updated_fmt` in conf.py shows the day of the build: sphinx-sitemap had the "
            f"dates of git from {_DATES}, which cannot be loaded. Install sphinx-last-updated-by-git.",
        )
    return None


def disconnect(app: Sphinx) -> Finding | None:
    """Takes the handlers of sphinx-sitemap off, if anything loaded it; returns what to report then."""
    if NAME not in app.extensions:
        return None
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if getattr(listener.handler, "__module__", "") == NAME:
                app.disconnect(listener.id)
    loader, advice = "`extensions` in conf.py", f"Remove '{NAME}' from there."
    if NAME not in app.config.extensions:
        # Sphinx notes an extension after those that its `setup` loads.
        names = list(app.extensions)
        later = [name for name in names[names.index(NAME) + 1 :] if name in app.config.extensions]
        loader = f"the extension {later[0]}" if later else "setup() in conf.py"
        advice = "Let it load sitemap_docs."
    return Finding(
        rule=LOADED,
        message=f"{NAME} is loaded, too, by {loader}: it is switched off, sitemap_docs writes the sitemap. "
        f'{advice} To accept it: suppress_warnings = ["sitemap_docs.{LOADED}"]',
    )
