"""Read the Docs: what it says of a build, and whether it serves a site."""

from collections.abc import Mapping
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.urls.base import Base, split_url
from sitemap_docs.urls.hosts import Platform
from sitemap_docs.urls.languages import folder_language

#: The variables with the name of the version: that in addresses first.
READ_THE_DOCS_VERSION = ("READTHEDOCS_VERSION", "READTHEDOCS_VERSION_NAME")
_HOSTS = (".readthedocs.io", ".readthedocs-hosted.com")
_FILE = ".readthedocs.yaml"
_WHOLE_HISTORY = """In .readthedocs.yaml:
  build:
    jobs:
      post_checkout:
        - git fetch --unshallow || true"""


def platform(environ: Mapping[str, str]) -> Platform:
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
        hosts=_HOSTS,
        serves_robots=True,
        deploys_later=True,
        whole_history=_WHOLE_HISTORY,
    )


def is_on_read_the_docs(base: Base, root: Path) -> bool:
    """Whether Read the Docs serves a site, whose robots.txt is then at the root of the host.

    ``root`` is the folder of the project. A domain of its own is known by the project's configuration and the
    form of the address, ``/en/latest/``.
    """
    url = split_url(base.url)
    if (url.hostname or "").endswith(_HOSTS):
        return True
    language, _, version = url.path.strip("/").partition("/")
    if not folder_language(language) or not version or "/" in version:
        return False
    folders = filter(None, (root, files.repository_of(root)))
    return any((folder / _FILE).is_file() for folder in folders)
