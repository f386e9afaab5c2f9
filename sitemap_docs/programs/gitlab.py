"""GitLab: facts about a build, and the address on GitLab Pages."""

from collections.abc import Mapping

from sitemap_docs.urls.hosts import Platform

_WHOLE_HISTORY = """In .gitlab-ci.yml:
  variables:
    GIT_DEPTH: "0\""""


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return facts about a build on GitLab, such as its base URL.

    ``preview`` is the reason why the build is a preview, or ``""``.
    https://docs.gitlab.com/ci/variables/predefined_variables/
    """
    # Only a job whose name begins with `pages` deploys a site.
    if not environ.get("CI_JOB_NAME", "").startswith("pages"):
        return Platform(name="GitLab CI", preview=preview, whole_history=_WHOLE_HISTORY)
    # Since GitLab 17.9, CI_PAGES_URL contains the path_prefix of a job. It never contains a custom domain.
    return Platform(
        name="GitLab Pages",
        base_url=environ.get("CI_PAGES_URL") or None,
        preview=preview,
        whole_history=_WHOLE_HISTORY,
    )
