"""Cloudflare Pages: what it says of a build."""

from collections.abc import Mapping

from sitemap_docs.urls.hosts import UNSHALLOW, Platform


def platform(environ: Mapping[str, str]) -> Platform:
    """https://developers.cloudflare.com/pages/configuration/build-configuration/, and its neighbours.

    CF_PAGES_URL is the address of the single deployment, for production too: no base URL. Nothing names the
    production branch; main and master are taken for it.
    """
    branch, preview = environ.get("CF_PAGES_BRANCH", "main"), ""
    if branch not in ("main", "master"):
        preview = f"CF_PAGES_BRANCH is {branch}, neither main nor master"
    return Platform(
        name="Cloudflare Pages",
        preview=preview,
        deploys_later=True,
        whole_history=UNSHALLOW,
        redirects_win=True,
        drops_html=True,
    )
