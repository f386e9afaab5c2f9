"""Cloudflare Pages: facts about a build."""

from collections.abc import Mapping
from pathlib import Path

from sitemap_docs.urls.base import Base, host_of
from sitemap_docs.urls.hosts import UNSHALLOW, Platform


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Describe Cloudflare Pages as the platform of a build.

    ``preview`` says why the build is a preview, or is empty.
    https://developers.cloudflare.com/pages/configuration/build-configuration/
    """
    # CF_PAGES_URL is the address of a single deployment, even in production, so it cannot be the base URL.
    return Platform(
        name="Cloudflare Pages",
        preview=preview,
        deploys_later=True,
        whole_history=UNSHALLOW,
        redirects_win=True,
        drops_html=True,
    )


def serves(base: Base, root: Path | None) -> bool:
    """Check whether a site is on a host such as ``docs.pages.dev``."""
    return host_of(base.url).endswith(".pages.dev")
