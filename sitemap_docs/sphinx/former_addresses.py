"""The addresses that sphinx-sitemap gave the pages of a project, where a switch from it moves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from sphinx.config import Config

from sitemap_docs.config.options import OPTIONS
from sitemap_docs.decide import SiteBuild
from sitemap_docs.model import Fact, Finding, Page, SitemapError, reported
from sitemap_docs.output.ownership import read_mark
from sitemap_docs.output.replaced import Replaced, read_replaced
from sitemap_docs.programs.sphinx_sitemap import SHARED, SPHINX_SITEMAP, THEIR_DEFAULT
from sitemap_docs.sphinx.address import Scheme
from sitemap_docs.sphinx.config import written
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot.served_files import Webroot


def moved_addresses(
    config: Config, site: SiteBuild, start: Base | None, pages: Sequence[Page]
) -> Iterator[Finding]:
    """Yields what to report where no option says that the pages are not where sphinx-sitemap listed them.

    ``start`` is what ``sitemap_url_scheme`` belongs to: without one, sphinx-sitemap puts the language and the
    version behind it. That a project used it is seen by its sitemap, or by settings that only it needs.
    """
    paths = [page.path for page in pages if page.facts <= {Fact.ORPHAN}]
    if start is None or not paths or written(config, "sitemap_url_scheme") is not None:
        return
    theirs = Scheme(THEIR_DEFAULT, config.version).below(start, config.language or "")
    replaced = Replaced()
    with suppress(SitemapError):  # a file that cannot be read: what writes the sitemap reports it
        replaced = read_replaced(site.output, site.options.filename)
    former = replaced.built(site.output)
    if former and not read_mark(site.output / replaced.file):
        ours = Webroot(site.output, site.base)
        before = site.base if any(map(ours.file_of, replaced.listed)) else former.base
    elif _may_have_switched(config) and not site.around.platform.base_url:
        before = theirs
    else:
        return
    if before == site.base:
        return
    below = start.path_of(before.url)
    if before == theirs:
        line = f'sitemap_url_scheme = "{THEIR_DEFAULT}"'
    elif below is None:
        line = f'html_baseurl = "{before.url}"'
    else:
        line = f'sitemap_url_scheme = "{below}{{link}}"'
    yield addresses_moved(before.loc(min(paths)), site.base.loc(min(paths)), line)


@reported()
def addresses_moved(before: str, now: str, line: str) -> str:
    """The pages have other addresses than in the sitemap that another program wrote.

    sphinx-sitemap puts language and version into each address without a scheme: engines would find both.
    Write the scheme into conf.py, the one or the other.
    Wrong: `html_baseurl` and `sitemap_show_lastmod`, without `sitemap_url_scheme`
    Right: `sitemap_url_scheme = "{link}"`
    Source: sphinx-sitemap: Getting started,
    https://sphinx-sitemap.readthedocs.io/en/latest/getting-started.html
    """
    return (
        f"The switch from another sitemap program moves the addresses of the pages: {before} is now {now}. "
        f'In conf.py, write sitemap_url_scheme = "{{link}}" to accept it, or {line} for the former addresses.'
    )


def _may_have_switched(config: Config) -> bool:
    """Whether conf.py has what only sphinx-sitemap needs, and no option that it does not know."""
    names = ("sitemap_show_lastmod", "site_url")
    is_set = any(written(config, name) is not None for name in names)
    ours = [each.name for each in OPTIONS if each.name not in SHARED]
    has_theirs = is_set or SPHINX_SITEMAP in config.extensions
    return has_theirs and all(written(config, f"sitemap_{name}") is None for name in ours)
