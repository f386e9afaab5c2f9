"""Cloudflare Pages: facts about a build."""

from collections.abc import Mapping
from pathlib import Path

from sitemap_docs.urls.base import Base, host_of
from sitemap_docs.urls.hosts import UNSHALLOW, Platform


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return facts about a build on Cloudflare Pages, such as the command that fetches the whole git history.

    ``preview`` is the reason why the build is a preview, such as ``CF_PAGES_BRANCH is fix``, or ``""``.
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
    """Check whether Cloudflare Pages serves a site: its base URL has a host such as ``docs.pages.dev``."""
    return host_of(base.url).endswith(".pages.dev")
