"""sphinx-sitemap: loaded next to ours, and what it would list with the same conf.py."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

from sitemap_docs.model import Finding
from sitemap_docs.sphinx.config import written
from sitemap_docs.sphinx.scheme import THEIR_DEFAULT

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

NAME = "sphinx_sitemap"
LOADED = "sphinx-sitemap-loaded"
FOOTER = "footer-dates"

_DATES = "sphinx_last_updated_by_git"
_OWN = ("sitemap_url_scheme", "sitemap_locales", "sitemap_show_lastmod", "site_url")


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
            rule=FOOTER,
            message="`html_last_updated_fmt` in conf.py shows the day of the build: sphinx-sitemap had the "
            f"dates of git from {_DATES}, which cannot be loaded. Install sphinx-last-updated-by-git.",
        )
    return None


def disconnect(app: Sphinx) -> Finding | None:
    """Takes the handlers of sphinx-sitemap off, if anything loaded it; returns what to report then."""
    if NAME not in app.extensions:
        return None
    for listeners in list(app.events.listeners.values()):
        for listener in [each for each in listeners if getattr(each.handler, "__module__", "") == NAME]:
            app.disconnect(listener.id)
    loader = _loader(app)
    advice = f"Remove '{NAME}' from there." if loader == _LIST else "Let it load sitemap_docs."
    return Finding(
        rule=LOADED,
        message=f"{NAME} is loaded, too, by {loader}: it is switched off, sitemap_docs writes the sitemap. "
        f'{advice} To accept it: suppress_warnings = ["sitemap_docs.{LOADED}"]',
    )


_LIST = "`extensions` in conf.py"


def _loader(app: Sphinx) -> str:
    """What loaded sphinx-sitemap; Sphinx notes an extension after those that its ``setup`` loads."""
    if NAME in app.config.extensions:
        return _LIST
    names = list(app.extensions)
    later = (name for name in names[names.index(NAME) + 1 :] if name in app.config.extensions)
    return next((f"the extension {name}" for name in later), "setup() in conf.py")


def listed(config: Config, base: str, link: str) -> str:
    """The address at which sphinx-sitemap lists a page: it only concatenates; ``""`` without a base URL."""
    scheme = str(written(config, "sitemap_url_scheme") or THEIR_DEFAULT)
    lang = f"{config.language}/" if config.language else ""
    version = f"{config.version}/" if config.version else ""
    path = scheme.replace("{lang}", lang).replace("{version}", version).replace("{link}", link)
    return f"{base}{path}" if base else ""


def was_used(config: Config) -> bool:
    """Whether anything shows that the project had sphinx-sitemap: its own options, or its package."""
    return any(written(config, name) is not None for name in _OWN) or find_spec(NAME) is not None
