"""GitHub: facts about a build with GitHub Actions, and the domain of GitHub Pages."""

import re
from collections.abc import Container, Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.urls.hosts import Platform

CNAME = "CNAME"
_HOST = ".github.io"
_DOMAIN = re.compile(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+")
_WHOLE_HISTORY = """In the workflow:
  - uses: actions/checkout@v7
    with:
      fetch-depth: 0
      filter: blob:none"""


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return the facts about a build with GitHub Actions.

    No variable has the address of the site. A custom domain or another repository may serve the site.
    """
    return Platform(name="GitHub Actions", whole_history=_WHOLE_HISTORY)


def custom_domain(site: Path) -> str:
    """Return the custom domain of a site on GitHub Pages, from the file CNAME, or ``""``.

    https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site
    """
    try:
        name = files.read_inside(site, CNAME).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f"https://{name}/" if _DOMAIN.fullmatch(name) else ""


def may_serve(origin: str, names: Container[str]) -> bool:
    """Check whether GitHub Pages may serve a site, by its host or by the file CNAME.

    Args:
        origin: Scheme and host of the base URL.
        names: The names of the files of the site.
    """
    return CNAME in names or origin.endswith(_HOST)
