"""Which platform builds the site, what it says of the base URL, production or preview."""

import pytest

from sitemap_docs.urls.hosts import Platform, platform

RTD = {
    "READTHEDOCS": "True",
    "READTHEDOCS_CANONICAL_URL": "https://docs.example.org/en/latest/",
    "READTHEDOCS_VERSION_TYPE": "branch",
}
NETLIFY = {
    "NETLIFY": "true",
    "URL": "https://docs.example.org",
    "DEPLOY_PRIME_URL": "https://x--a.netlify.app",
}
VERCEL = {
    "VERCEL": "1",
    "VERCEL_PROJECT_PRODUCTION_URL": "docs.example.org",
    "VERCEL_BRANCH_URL": "a-git-x.vercel.app",
    "VERCEL_URL": "a-1234.vercel.app",
}
CLOUDFLARE = {"CF_PAGES": "1", "CF_PAGES_URL": "https://7fd3d2ef.docs.pages.dev"}
GITLAB = {"GITLAB_CI": "true", "CI_PAGES_URL": "https://me.gitlab.io/docs", "CI_JOB_NAME": "pages"}


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        pytest.param({}, Platform(), id="a machine that says nothing"),
        pytest.param(
            RTD,
            Platform(
                name="Read the Docs",
                base_url="https://docs.example.org/en/latest/",
                is_exact=True,
                serves_robots=True,
            ),
            id="Read the Docs",
        ),
        pytest.param(
            {**RTD, "READTHEDOCS_VERSION_TYPE": "external"},
            Platform(
                name="Read the Docs",
                base_url="https://docs.example.org/en/latest/",
                preview="READTHEDOCS_VERSION_TYPE is external",
                is_exact=True,
                serves_robots=True,
            ),
            id="a pull request on Read the Docs",
        ),
        pytest.param({**RTD, "READTHEDOCS": "False"}, Platform(), id="not Read the Docs"),
        pytest.param(
            {"READTHEDOCS": "True"},
            Platform(name="Read the Docs", is_exact=True, serves_robots=True),
            id="older Read the Docs",
        ),
        pytest.param(
            {**NETLIFY, "CONTEXT": "production"},
            Platform(name="Netlify", base_url="https://docs.example.org"),
            id="Netlify",
        ),
        pytest.param(
            {**NETLIFY, "CONTEXT": "deploy-preview"},
            Platform(
                name="Netlify", base_url="https://x--a.netlify.app", preview="CONTEXT is deploy-preview"
            ),
            id="a preview on Netlify",
        ),
        pytest.param(
            {"URL": "https://example.org", "CONTEXT": "production"},
            Platform(),
            id="URL without Netlify's marker",
        ),
        pytest.param(
            {**VERCEL, "VERCEL_ENV": "production"},
            Platform(name="Vercel", base_url="https://docs.example.org/"),
            id="Vercel",
        ),
        pytest.param(
            {**VERCEL, "VERCEL_ENV": "preview"},
            Platform(name="Vercel", base_url="https://a-git-x.vercel.app/", preview="VERCEL_ENV is preview"),
            id="a preview on Vercel",
        ),
        pytest.param(
            {"VERCEL": "1", "VERCEL_ENV": "preview", "VERCEL_BRANCH_URL": "", "VERCEL_URL": "a-1.vercel.app"},
            Platform(name="Vercel", base_url="https://a-1.vercel.app/", preview="VERCEL_ENV is preview"),
            id="a preview on Vercel without a branch",
        ),
        pytest.param({"VERCEL": "1"}, Platform(name="Vercel"), id="Vercel, its variables not exposed"),
        pytest.param(
            {**CLOUDFLARE, "CF_PAGES_BRANCH": "main"},
            Platform(name="Cloudflare Pages"),
            id="Cloudflare Pages: the address of the deployment is no base",
        ),
        pytest.param(
            {**CLOUDFLARE, "CF_PAGES_BRANCH": "fix"},
            Platform(name="Cloudflare Pages", preview="CF_PAGES_BRANCH is fix, neither main nor master"),
            id="a preview on Cloudflare Pages",
        ),
        pytest.param(
            GITLAB,
            Platform(name="GitLab Pages", base_url="https://me.gitlab.io/docs"),
            id="GitLab's pages job",
        ),
        pytest.param(
            {**GITLAB, "CI_JOB_NAME": "test"}, Platform(name="GitLab CI"), id="another job of GitLab's"
        ),
        pytest.param(
            {**GITLAB, "CI_PIPELINE_SOURCE": "merge_request_event"},
            Platform(
                name="GitLab Pages",
                base_url="https://me.gitlab.io/docs",
                preview="CI_PIPELINE_SOURCE is merge_request_event",
            ),
            id="a merge request on GitLab",
        ),
        pytest.param(
            {"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "me/docs"},
            Platform(name="GitHub Actions"),
            id="GitHub: a custom domain is not known",
        ),
        pytest.param(
            {**NETLIFY, "CONTEXT": "production", "GITHUB_ACTIONS": "true"},
            Platform(name="Netlify", base_url="https://docs.example.org"),
            id="a host before a CI",
        ),
    ],
)
def test_platform(environ: dict[str, str], expected: Platform) -> None:
    assert platform(environ) == expected
