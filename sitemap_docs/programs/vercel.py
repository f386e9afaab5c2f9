"""Vercel: facts about a build."""

from collections.abc import Mapping

from sitemap_docs.urls.hosts import Platform


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return facts about a build on Vercel, such as its base URL.

    ``preview`` is the reason why the build is a preview, such as ``VERCEL_ENV is preview``, or ``""``.
    https://vercel.com/docs/environment-variables/system-environment-variables
    """
    # The variables contain host names without https://.
    host = environ.get("VERCEL_PROJECT_PRODUCTION_URL")
    if preview:
        host = environ.get("VERCEL_BRANCH_URL") or environ.get("VERCEL_URL")
    return Platform(
        name="Vercel",
        base_url=f"https://{host}/" if host else None,
        preview=preview,
        deploys_later=True,
        whole_history="""In the settings of the project, add the environment variable:
  VERCEL_DEEP_CLONE=true""",
    )
