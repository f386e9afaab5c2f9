"""Find the address of a build by MkDocs: ``site_url`` and the platform."""

from pathlib import Path
from tempfile import gettempdir
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig

from sitemap_docs.config.options import Options
from sitemap_docs.listing import no_sitemap
from sitemap_docs.model import NoSitemap, SitemapError
from sitemap_docs.project import Address
from sitemap_docs.urls.base import Base, given_base, is_elsewhere
from sitemap_docs.urls.hosts import Platform

ORIGIN = "`site_url` in mkdocs.yml"


def find_address(
    config: MkDocsConfig, options: Options, platform: Platform, version: str = ""
) -> Address | NoSitemap:
    """Return the base URL of the site and the name of the setting from which it comes.

    If there is no public base URL, return the reason for writing no sitemap instead.

    Raises:
        SitemapError: ``site_url`` is not a valid base URL.
    """
    base = None
    if config.site_url:
        try:
            base = Base.of(config.site_url)
        except SitemapError as error:
            advice = "Write the address of the site, such as site_url: https://docs.example.com/."
            raise SitemapError(f"`site_url` in mkdocs.yml: {error} {advice}") from None
    if base is None or base.is_local:
        local = base.url if base else ""
        return no_sitemap.of_version(version, has_base=False) or no_sitemap.no_base(local)
    why = no_sitemap.of_preview(platform, base, options) or no_sitemap.of_version(version)
    if platform.is_exact and platform.base_url:
        served = Base.of(platform.base_url)
        if is_elsewhere(base, served):
            why = why or no_sitemap.elsewhere(base.url, served)
            base = served
    return Address(base=base, origin=ORIGIN, canonical_by="", no_sitemap=why)


def set_site_url(config: MkDocsConfig, platform: Platform) -> None:
    """If mkdocs.yml has no ``site_url``, set it to the base URL of the hosting platform."""
    if not given_base(config.site_url or "", in_file=not is_served(config)):
        config.site_url = platform.base_url or config.site_url


def is_served(config: MkDocsConfig) -> bool:
    """Check whether the site is built by ``mkdocs serve``."""
    # `serve --clean` passes command="build" to on_startup (MkDocs 1.6), so the command does not tell.
    site = Path(config.site_dir)
    host, port = config.dev_addr
    temporary = site.name.startswith(("mkdocs_", "properdocs_")) and site.is_relative_to(gettempdir())
    return temporary and urlsplit(config.site_url or "").netloc == f"{host}:{port}"
