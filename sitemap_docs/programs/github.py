"""GitHub: builds with GitHub Actions, their annotations, and the domain of GitHub Pages."""

import re
from collections.abc import Container, Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.model import Severity
from sitemap_docs.text import one_line
from sitemap_docs.urls.hosts import Platform

CNAME = "CNAME"
_HOST = ".github.io"
_OWN_ACTION = "SITEMAP_DOCS_ACTION"  # action.yml sets it for its steps
_COMMANDS: Mapping[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
_DOMAIN = re.compile(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z0-9-]+")
_WHOLE_HISTORY = """In the workflow:
  - uses: actions/checkout@v7
    with:
      fetch-depth: 0
      filter: blob:none"""


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return a :class:`Platform` for GitHub Actions, which says how to fetch the whole git history.

    The arguments are not used here. The functions for other platforms use them.
    """
    # No variable contains the address of the site. A custom domain or another repository may serve the site.
    return Platform(name="GitHub Actions", whole_history=_WHOLE_HISTORY)


def shows_annotations(environ: Mapping[str, str]) -> bool:
    """Check whether a build runs in GitHub Actions and should show its warnings there as annotations."""
    # In our own Action, the step `check` prints all annotations.
    return environ.get("GITHUB_ACTIONS") == "true" and not environ.get(_OWN_ACTION)


def workflow_command(severity: Severity, message: str, **properties: str) -> str:
    """Return a line that GitHub Actions shows as an annotation, such as ``::warning title=…::…``.

    https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
    """
    # The texts may come from a pull request, so special characters are escaped.
    named = [f"{name}={_escaped(value, ':,')}" for name, value in properties.items()]
    lines = [_escaped(line) for line in message.split("\n")]
    return f"::{_COMMANDS[severity]} {','.join(named)}::{'%0A'.join(lines)}"


def _escaped(value: str, more: str = "") -> str:
    """Return a value on one line, with ``%`` and the characters in ``more`` percent-encoded."""
    value = one_line(value)
    for character in "%" + more:
        value = value.replace(character, f"%{ord(character):02X}")
    return value


def custom_domain(site: Path) -> str:
    """Return the URL of the domain in the file ``CNAME``, such as ``https://example.org/``, or ``""``.

    https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site
    """
    try:
        name = files.read_inside(site, CNAME).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f"https://{name}/" if _DOMAIN.fullmatch(name) else ""


def may_serve(origin: str, names: Container[str]) -> bool:
    """Check whether a site may be on GitHub Pages.

    Such a site has a file ``CNAME``, or a host such as ``me.github.io``.

    ``names`` are the file names of the site.
    """
    return CNAME in names or origin.endswith(_HOST)


def robots_repository(origin: str) -> str:
    """Return the repository with the robots.txt of a host of GitHub Pages, or ``""`` for other hosts.

    >>> robots_repository("https://octocat.github.io")
    'octocat.github.io'
    >>> robots_repository("http://octocat.github.io")
    'octocat.github.io'
    """
    # https://docs.github.com/en/pages/getting-started-with-github-pages/what-is-github-pages
    return origin.partition("://")[2] if origin.endswith(_HOST) else ""
