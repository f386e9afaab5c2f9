"""The files that configure redirects and headers: ``_redirects``, ``_headers`` and files of one host."""

from collections.abc import Iterable
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.host_rules import (
    REDIRECTS,
    Headers,
    RedirectRule,
    Redirects,
    underscore_headers,
    underscore_redirects,
)
from sitemap_docs.linear import linear
from sitemap_docs.model import SitemapError
from sitemap_docs.programs.answers import HasRules
from sitemap_docs.programs.followed import answers_to
from sitemap_docs.programs.protocols import RulesProgram
from sitemap_docs.urls.hosts import Platform

#: The names of the files. Netlify reads them in this order.
_NAMES = (REDIRECTS, *(host.file for host in answers_to(HasRules)))


def _host_of_file(name: str) -> RulesProgram | None:
    """Return the module for the web host whose configuration file has this name, or None.

    For example, ``netlify.toml`` is a file of Netlify, so its module is ``programs/netlify.py``.
    """
    for host in answers_to(HasRules):
        if host.file == name:
            return host.load()
    return None


def find_rules_file(output: Path, platform: Platform, folders: Iterable[Path]) -> Path | None:
    """Find the file with the redirects and headers of a web host, such as ``netlify.toml``, or return None.

    ``folders`` are the folders that may contain the file.
    """
    host = _host_of_file(platform.rules)
    return host.find_rules(output, folders) if host else None


@linear
def read_redirects(*paths: Path) -> Redirects:
    """Read the redirects in files such as ``_redirects``, or in folders with such files.

    Raises:
        SitemapError: A file is unreadable, or its name is not supported.
    """
    rules: list[RedirectRule] = []
    for path in paths:
        if path.is_dir():
            in_folder = [path / name for name in _NAMES if files.find_inside(path, name)]
            rules += read_redirects(*in_folder).rules
        elif path.name in _NAMES:
            host = _host_of_file(path.name)
            redirects = host.redirects(path) if host else underscore_redirects(path)
            rules += filter(None, redirects)
        else:
            raise SitemapError(
                f"{path} is not a supported redirects file. Pass a file called {' or '.join(_NAMES)}. "
                "Redirects of plugins and extensions need no file: they are read from the built pages."
            )
    return Redirects(tuple(rules))


def read_headers(output: Path, rules_file: Path | None = None, *, drops_html: bool = False) -> Headers:
    """Return the rules by which the web host serves pages with a header ``X-Robots-Tag``.

    Args:
        output: The folder that may contain ``_headers``.
        rules_file: Another file with headers, such as ``netlify.toml``.
        drops_html: Whether the host redirects ``a.html`` to ``a``.
    """
    rules = underscore_headers(output)
    host = _host_of_file(rules_file.name) if rules_file else None
    if rules_file and host:
        rules += host.headers(rules_file)
    return Headers(tuple(rules), drops_html)
