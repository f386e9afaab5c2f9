"""Vercel: what it says of a build."""

from collections.abc import Mapping

from sitemap_docs.urls.hosts import Platform


def platform(environ: Mapping[str, str]) -> Platform:
    """https://vercel.com/docs/environment-variables/system-environment-variables: hosts without a scheme."""
    kind = environ.get("VERCEL_ENV", "production")
    host = environ.get("VERCEL_PROJECT_PRODUCTION_URL")
    preview = ""
    if kind != "production":
        host = environ.get("VERCEL_BRANCH_URL") or environ.get("VERCEL_URL")
        preview = f"VERCEL_ENV is {kind}"
    return Platform(
        name="Vercel",
        base_url=f"https://{host}/" if host else None,
        preview=preview,
        deploys_later=True,
        whole_history="""Among the project's environment variables:
  VERCEL_DEEP_CLONE=true""",
    )
