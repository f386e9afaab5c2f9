"""Hosts: which only this machine reaches, an organisation, a preview; and what platforms say of a build."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

# Names that never reach the public: RFC 6761, 6762, 8375 and 9476, and what routers and offices use.
_PRIVATE = re.compile(
    r"(?:.*\.)?(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid"
    r"|example|onion|alt)"
)
# Names of examples (RFC 2606, RFC 6761) and of templates that nobody has filled in.
_PLACEHOLDERS = re.compile(
    r"(?:www\.)?example\.(?:com|org|net)|.*\.(?:local|test|invalid)"
    r"|(?:www\.)?your[-.]?(?:domain|site|project|docs)\.(?:com|org|net|io)"
)
READ_THE_DOCS = (".readthedocs.io", ".readthedocs-hosted.com")
"""The hosts of the one platform that states the address of a build exactly."""


def is_local_host(host: str) -> bool:
    """Whether only this machine can reach a host: localhost, loopback addresses, 0.0.0.0."""
    name, address = _parsed(host)
    if address is None:
        return name == "localhost" or name.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


@lru_cache(maxsize=1_024)  # the audit asks for each listed address
def is_placeholder(host: str) -> bool:
    """Whether a host is that of a default setting: ``example.com``, localhost, a private address."""
    name, address = _parsed(host)
    if address is not None:
        return not address.is_global
    return is_local_host(name) or _PLACEHOLDERS.fullmatch(name) is not None


def why_not_public(host: str) -> str:
    """Why the public cannot reach a host, or should not, as a phrase after its name; ``""``: it can.

    >>> why_not_public("docs.example.org"), why_not_public("10.0.0.7"), why_not_public("wiki")
    ('', 'is a private address', 'is a private name')
    """
    name, address = _parsed(host)
    if address is not None:
        return "" if address.is_global else "is a private address"
    if "." not in name or _PRIVATE.fullmatch(name):
        return "is a private name"
    for each in _PLATFORMS:
        if each.previews and re.fullmatch(each.previews, name):
            return f"is a preview ({each.name})"
    return ""


def _parsed(host: str) -> tuple[str, IPv4Address | IPv6Address | None]:
    """A host in lower case without the dot of the root, and its address if it is one."""
    name = host.lower().rstrip(".")
    try:
        return name, ip_address(name.strip("[]"))
    except ValueError:
        return name, None


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """Where the build runs; ``name`` is ``""`` on any other machine.

    ``base_url`` is that of this deployment, as the platform spells it; None where it names none.
    ``preview`` is why this is a preview deployment, as messages show it; ``""`` for all others.
    ``is_exact`` is true where ``base_url`` is the address of the built folder itself, not only of the
    deployment that holds it. ``serves_robots`` is true where the platform makes a robots.txt that is better
    left alone. ``deploys_later``: it deploys the site when the build has ended.
    ``whole_history`` are the lines with which it fetches the whole history of the repository.
    """

    name: str = ""
    base_url: str | None = None
    preview: str = ""
    is_exact: bool = False
    serves_robots: bool = False
    deploys_later: bool = False
    whole_history: str = ""
    is_version: bool = False

    def writes_none(self, *, previews: bool) -> str:
        """Why no sitemap is written there, which the option ``previews`` may ask for; ``""`` elsewhere."""
        if previews or not self.preview:
            return ""
        return f"a preview deployment, {self.preview} (see the option `previews`)"


def platform(environ: Mapping[str, str]) -> Platform:
    """The platform whose own marker is set in ``environ``; an empty Platform without one.

    >>> platform({"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "https://x.readthedocs.io/en/latest/"}).name
    'Read the Docs'
    """
    found = Platform()
    for each in _PLATFORMS:
        if each.describe and environ.get(each.marker) == each.value:
            described = each.describe(environ)
            found = replace(described, whole_history=each.whole_history, deploys_later=each.deploys_later)
            break
    return replace(found, is_version=bool(version_names(environ)))


def version_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The names that a tool which builds several versions has for this one; none where no such tool runs.

    They are those of Read the Docs (the one in addresses, and that of the branch or tag), mike and
    sphinx-multiversion.
    """
    names = (
        "READTHEDOCS_VERSION",
        "READTHEDOCS_VERSION_NAME",
        "MIKE_DOCS_VERSION",
        "SPHINX_MULTIVERSION_NAME",
    )
    return tuple(filter(None, map(environ.get, names)))


def _read_the_docs(environ: Mapping[str, str]) -> Platform:
    """https://docs.readthedocs.com/platform/stable/reference/environment-variables.html.

    Its robots.txt carries the hidden versions and names the default version's sitemap.
    """
    preview = ""
    if environ.get("READTHEDOCS_VERSION_TYPE") == "external":
        preview = "READTHEDOCS_VERSION_TYPE is external"
    return Platform(
        name="Read the Docs",
        base_url=environ.get("READTHEDOCS_CANONICAL_URL") or None,
        preview=preview,
        is_exact=True,
        serves_robots=True,
    )


def _netlify(environ: Mapping[str, str]) -> Platform:
    """https://docs.netlify.com/build/configure-builds/environment-variables/."""
    context = environ.get("CONTEXT", "production")
    if context == "production":
        return Platform(name="Netlify", base_url=environ.get("URL") or None)
    url = environ.get("DEPLOY_PRIME_URL") or None
    return Platform(name="Netlify", base_url=url, preview=f"CONTEXT is {context}")


def _vercel(environ: Mapping[str, str]) -> Platform:
    """https://vercel.com/docs/environment-variables/system-environment-variables: hosts without a scheme."""
    kind = environ.get("VERCEL_ENV", "production")
    host = environ.get("VERCEL_PROJECT_PRODUCTION_URL")
    preview = ""
    if kind != "production":
        host = environ.get("VERCEL_BRANCH_URL") or environ.get("VERCEL_URL")
        preview = f"VERCEL_ENV is {kind}"
    return Platform(name="Vercel", base_url=f"https://{host}/" if host else None, preview=preview)


def _cloudflare_pages(environ: Mapping[str, str]) -> Platform:
    """https://developers.cloudflare.com/pages/configuration/build-configuration/.

    CF_PAGES_URL is the address of the single deployment, for production too: no base URL. Nothing names the
    production branch; main and master are taken for it.
    """
    branch, preview = environ.get("CF_PAGES_BRANCH", "main"), ""
    if branch not in ("main", "master"):
        preview = f"CF_PAGES_BRANCH is {branch}, neither main nor master"
    return Platform(name="Cloudflare Pages", preview=preview)


def _gitlab(environ: Mapping[str, str]) -> Platform:
    """https://docs.gitlab.com/ci/variables/predefined_variables/: CI_PAGES_URL is set in every job.

    Since 17.9 it carries a pages job's path_prefix; a custom domain it does not know.
    """
    if not environ.get("CI_JOB_NAME", "").startswith("pages"):
        return Platform(name="GitLab CI")
    preview = ""
    if environ.get("CI_PIPELINE_SOURCE") == "merge_request_event":
        preview = "CI_PIPELINE_SOURCE is merge_request_event"
    return Platform(name="GitLab Pages", base_url=environ.get("CI_PAGES_URL") or None, preview=preview)


def _github(environ: Mapping[str, str]) -> Platform:  # noqa: ARG001
    """No variable has the site's address: a custom domain or another repository may serve it."""
    return Platform(name="GitHub Actions")


class _Known(NamedTuple):
    """A platform: the ``marker`` of its builds and its ``value``, and what its variables say of one.

    ``previews`` are the names that it gives to deployments for review. One that only serves has no marker.
    """

    name: str
    marker: str = ""
    value: str = ""
    describe: Callable[[Mapping[str, str]], Platform] | None = None
    previews: str = ""
    whole_history: str = ""
    deploys_later: bool = False


_UNSHALLOW = """At the start of the build command:
  git fetch --unshallow || true"""

_PLATFORMS = (
    _Known(
        "Read the Docs",
        *("READTHEDOCS", "True", _read_the_docs),
        previews=r".+\.readthedocs\.build|.+\.rtd-builds?\..+",
        whole_history="""In .readthedocs.yaml:
  build:
    jobs:
      post_checkout:
        - git fetch --unshallow || true""",
        deploys_later=True,
    ),
    _Known(
        "Netlify",
        *("NETLIFY", "true", _netlify),
        previews=r".+--.+\.netlify\.(?:app|com)",
        whole_history=_UNSHALLOW,
        deploys_later=True,
    ),
    _Known(
        "Vercel",
        *("VERCEL", "1", _vercel),
        previews=r".+-git-.+\.vercel\.app|.+-[a-z0-9]{9}(?:-.+)?\.vercel\.app",
        whole_history="""Among the project's environment variables:
  VERCEL_DEEP_CLONE=true""",
        deploys_later=True,
    ),
    _Known(
        "Cloudflare Pages",
        *("CF_PAGES", "1", _cloudflare_pages),
        previews=r"[^.]+\.[^.]+\.pages\.dev",
        whole_history=_UNSHALLOW,
        deploys_later=True,
    ),
    _Known(
        "GitLab CI",
        *("GITLAB_CI", "true", _gitlab),
        whole_history="""In .gitlab-ci.yml:
  variables:
    GIT_DEPTH: "0\"""",
    ),
    _Known(
        "GitHub Actions",
        *("GITHUB_ACTIONS", "true", _github),
        whole_history="""In the workflow:
  - uses: actions/checkout@v7
    with:
      fetch-depth: 0
      filter: blob:none""",
    ),
    _Known("Render", previews=r".+-pr-\d+\.onrender\.com"),
    _Known(
        "a tunnel",
        previews=r".+\.(?:ngrok(?:-free)?\.(?:app|dev|io)|trycloudflare\.com|loca\.lt|app\.github\.dev)",
    ),
)
