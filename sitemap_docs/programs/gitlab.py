"""GitLab: what it says of a build, and where GitLab Pages serves it."""

from collections.abc import Mapping

from sitemap_docs.urls.hosts import Platform

_WHOLE_HISTORY = """In .gitlab-ci.yml:
  variables:
    GIT_DEPTH: "0\""""


def platform(environ: Mapping[str, str]) -> Platform:
    """https://docs.gitlab.com/ci/variables/predefined_variables/: CI_PAGES_URL is set in every job.

    Since 17.9 it carries a pages job's path_prefix; a custom domain it does not know.
    """
    if not environ.get("CI_JOB_NAME", "").startswith("pages"):
        return Platform(name="GitLab CI", whole_history=_WHOLE_HISTORY)
    preview = ""
    if environ.get("CI_PIPELINE_SOURCE") == "merge_request_event":
        preview = "CI_PIPELINE_SOURCE is merge_request_event"
    return Platform(
        name="GitLab Pages",
        base_url=environ.get("CI_PAGES_URL") or None,
        preview=preview,
        whole_history=_WHOLE_HISTORY,
    )
