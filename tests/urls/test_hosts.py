"""Hosts that are local, private, previews or placeholders, and what platforms say of a build."""

import pytest

from sitemap_docs.hosting import why_preview
from sitemap_docs.programs.followed import platform
from sitemap_docs.urls.hosts import is_local_host, is_placeholder, why_not_public

HOSTS = [
    ("docs.example.org", False, False, ""),
    ("localhost", True, True, "is a name that only a local network knows"),
    ("Docs.LocalHost.", True, True, "is a name that only a local network knows"),
    ("127.0.0.1", True, True, "is a private address"),
    ("127.0.0.1.example.org", False, False, ""),
    ("[::1]", True, True, "is a private address"),
    ("0.0.0.0", True, True, "is a private address"),
    ("10.0.0.7", False, True, "is a private address"),
    ("docs.example.com", False, True, ""),
    ("www.your-domain.com", False, True, ""),
    ("wiki", False, False, "is a name that only a local network knows"),
    ("docs.corp", False, False, "is a name that only a local network knows"),
    ("docs.test", False, True, "is a name that only a local network knows"),
    ("deploy-preview-1--docs.netlify.app", False, False, "is a preview (Netlify)"),
    ("docs--1.org.readthedocs.build", False, False, "is a preview (Read the Docs)"),
]


@pytest.mark.parametrize(("host", "local", "placeholder", "reason"), HOSTS)
def test_hosts(host, local, placeholder, reason):
    assert (is_local_host(host), is_placeholder(host)) == (local, placeholder)
    assert (why_not_public(host) or why_preview(f"https://{host}/")) == reason


RTD = {"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "https://docs.example.org/en/latest/"}
NETLIFY = {"NETLIFY": "true", "URL": "https://e.org", "DEPLOY_PRIME_URL": "https://x--a.netlify.app"}
VERCEL = {"VERCEL": "1", "VERCEL_PROJECT_PRODUCTION_URL": "e.org", "VERCEL_URL": "a-1.vercel.app"}
BRANCH = {"VERCEL_ENV": "preview", "VERCEL_BRANCH_URL": "a-git-x.vercel.app"}
CLOUDFLARE = {"CF_PAGES": "1", "CF_PAGES_URL": "https://7fd3d2ef.docs.pages.dev"}
ON_GITLAB = "https://me.gitlab.io/docs"
GITLAB = {"GITLAB_CI": "true", "CI_PAGES_URL": ON_GITLAB, "CI_JOB_NAME": "pages"}
PREVIEW, FIX = {"CONTEXT": "deploy-preview"}, {"CF_PAGES_BRANCH": "fix"}
BRANCHES = {"CONTEXT": "branch-deploy"}
MERGE = {"CI_PIPELINE_SOURCE": "merge_request_event"}


BUILDS = [
    ({}, "", None, ""),
    ({**RTD, "READTHEDOCS": "False"}, "", None, ""),
    (RTD, "Read the Docs", RTD["READTHEDOCS_CANONICAL_URL"], ""),
    ({"READTHEDOCS": "True"}, "Read the Docs", None, ""),
    (
        {"READTHEDOCS": "True", "READTHEDOCS_VERSION_TYPE": "external"},
        *("Read the Docs", None, "READTHEDOCS_VERSION_TYPE is external"),
    ),
    ({**NETLIFY, "CONTEXT": "production"}, "Netlify", "https://e.org", ""),
    ({**NETLIFY, **PREVIEW}, "Netlify", "https://x--a.netlify.app", "CONTEXT is deploy-preview"),
    ({**NETLIFY, **BRANCHES}, "Netlify", "https://x--a.netlify.app", "CONTEXT is branch-deploy"),
    ({"URL": "https://e.org", "CONTEXT": "production"}, "", None, ""),
    ({**VERCEL, "VERCEL_ENV": "production"}, "Vercel", "https://e.org/", ""),
    ({**VERCEL, **BRANCH}, "Vercel", "https://a-git-x.vercel.app/", "VERCEL_ENV is preview"),
    ({**VERCEL, "VERCEL_ENV": "preview"}, "Vercel", "https://a-1.vercel.app/", "VERCEL_ENV is preview"),
    ({"VERCEL": "1"}, "Vercel", None, ""),  # its variables are not exposed
    ({**CLOUDFLARE, "CF_PAGES_BRANCH": "main"}, "Cloudflare Pages", None, ""),
    ({**CLOUDFLARE, **FIX}, "Cloudflare Pages", None, "CF_PAGES_BRANCH is fix, neither main nor master"),
    (GITLAB, "GitLab Pages", ON_GITLAB, ""),
    ({**GITLAB, "CI_JOB_NAME": "test"}, "GitLab CI", None, ""),
    ({**GITLAB, "CI_JOB_NAME": "test", **MERGE}, "GitLab CI", None, ""),
    ({**GITLAB, **MERGE}, "GitLab Pages", ON_GITLAB, "CI_PIPELINE_SOURCE is merge_request_event"),
    ({"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "me/docs"}, "GitHub Actions", None, ""),
    ({**NETLIFY, "GITHUB_ACTIONS": "true"}, "Netlify", "https://e.org", ""),  # a host before a CI
]


@pytest.mark.parametrize(("environ", "name", "base_url", "preview"), BUILDS)
def test_platform(environ, name, base_url, preview):
    found = platform(environ)
    assert bool(found.whole_history) == bool(name)
    assert (found.name, found.base_url, found.preview) == (name, base_url, preview)
    assert found.deploys_later == (name in ("Read the Docs", "Netlify", "Vercel", "Cloudflare Pages"))
    assert found.rules == ("netlify.toml" if name == "Netlify" else "")
    assert found.redirects_win == found.drops_html == (name == "Cloudflare Pages")
    assert found.is_exact == found.serves_robots == (name == "Read the Docs")
