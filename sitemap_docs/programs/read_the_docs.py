"""Read the Docs: facts about a build, and whether the platform serves a site."""

import os
from collections.abc import Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.urls.base import Base, host_of, split_url
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import folder_language

_HOSTS = (".readthedocs.io", ".readthedocs-hosted.com")
_HOSTS_OF_OTHERS = (".github.io", ".gitlab.io")
_FILE = ".readthedocs.yaml"
_BASE_URL = "READTHEDOCS_CANONICAL_URL"
#: What a local build without a base URL says, before the line for the configuration of the host.
SETS_BASE_URL = "Read the Docs sets the base URL of its builds. To deploy to another host as well, write"
_WHOLE_HISTORY = """In .readthedocs.yaml:
  build:
    jobs:
      post_checkout:
        - git fetch --unshallow --filter=blob:none || git fetch --unshallow || true"""


def platform(environ: Mapping[str, str], preview: str) -> Platform:
    """Return facts about a build on Read the Docs, such as its base URL.

    ``preview`` is the reason why the build is a preview, or ``""``.
    https://docs.readthedocs.com/platform/stable/reference/environment-variables.html
    """
    return Platform(
        name="Read the Docs",
        base_url=environ.get(_BASE_URL) or None,
        preview=preview,
        is_exact=True,
        hosts=_HOSTS,
        serves_robots=True,  # forbids hidden versions, and mentions the sitemap of the default version
        deploys_later=True,
        whole_history=_WHOLE_HISTORY,
    )


def serves(base: Base, root: Path | None) -> bool:
    """Check whether Read the Docs serves a site, by its base URL and the file ``.readthedocs.yaml``.

    ``root`` is the folder of the project. If it is None, the result is False.
    """
    if root is None:
        return False
    if _is_own_host(base):
        return True
    language, _, version = split_url(base.url).path.strip("/").partition("/")
    if not folder_language(language) or not version or "/" in version:
        return False
    return has_configuration(root)


def is_built_there(base: Base, root: Path) -> bool:
    """Check whether Read the Docs builds a site, by its base URL or ``.readthedocs.yaml``.

    ``root`` is the folder of the project. On GitHub Pages and GitLab Pages, the file is only for previews, so
    it is ignored.
    """
    if _is_own_host(base):
        return True
    # On GitHub Pages and GitLab Pages, .readthedocs.yaml is only for previews.
    return not host_of(base.url).endswith(_HOSTS_OF_OTHERS) and has_configuration(root)


def reads_base_url(configuration: Path) -> bool:
    """Check whether a ``conf.py`` mentions the environment variable ``READTHEDOCS_CANONICAL_URL``."""
    try:
        return _BASE_URL.encode() in files.read_file(configuration)
    except OSError:
        return False


def has_configuration(root: Path) -> bool:
    """Check whether a project has a file ``.readthedocs.yaml``."""
    top = files.repository_of(root)
    real = Path(os.path.realpath(root))
    for folder in (real, *real.parents):
        if os.path.isfile(folder / _FILE):
            return True
        if folder == top:
            return False
    return False


def _is_own_host(base: Base) -> bool:
    return host_of(base.url).endswith(_HOSTS)
