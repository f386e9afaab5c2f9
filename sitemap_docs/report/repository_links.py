"""Find the address at which a git repository can be read on the web, for links to its commits and files."""

import os
from typing import NamedTuple
from urllib.parse import quote

from sitemap_docs.urls.base import split_url


class _Forge(NamedTuple):
    """A code host such as GitHub, with patterns for the web addresses of commits and files."""

    #: Parts of its host names, such as ``gitlab``.
    names: tuple[str, ...]
    #: The path of a commit, such as ``/commit/{commit}``.
    commit: str
    #: The path of a file in a commit.
    file: str


_FORGES = (
    _Forge(("github",), "/commit/{commit}", "/blob/{commit}/{path}"),
    _Forge(("gitlab",), "/-/commit/{commit}", "/-/blob/{commit}/{path}"),
    _Forge(("bitbucket",), "/commits/{commit}", "/src/{commit}/{path}"),
    _Forge(("codeberg", "forgejo", "gitea"), "/commit/{commit}", "/src/commit/{commit}/{path}"),
)
_WEB_SCHEMES = ("http", "https")
_SCHEMES = (*_WEB_SCHEMES, "ssh", "git", "git+ssh")


class RepositoryLinks(NamedTuple):
    """Makes web links to the commits and files of a git repository."""

    url: str
    forge: _Forge

    def commit(self, commit: str) -> str:
        """Return the web address of a commit, such as ``https://github.com/a/b/commit/1a2b3c``."""
        return self.url + self.forge.commit.format(commit=commit)

    def file(self, commit: str, path: str) -> str:
        """Return the web address of a file in a commit: ``https://github.com/a/b/blob/1a2b3c/docs/a.md``."""
        return self.url + self.forge.file.format(commit=commit, path=quote(os.fsencode(path)))


def repository_links(remote: str) -> RepositoryLinks | None:
    """Return a :class:`RepositoryLinks`, which makes web links to a repository.

    If the host of the repository is unknown, return None.

    >>> repository_links("https://user:secret@gitlab.com/group/project.git").url
    'https://gitlab.com/group/project'
    """
    scheme, host, path = _split_remote(remote)
    path = quote(path.strip("/").removesuffix(".git"), safe="/~%")
    if not path:
        return None
    domain_parts = host.partition(":")[0].split(".")[:-1]
    for forge in _FORGES:
        if not set(forge.names).isdisjoint(domain_parts):
            return RepositoryLinks(f"{scheme}://{host}/{path}", forge)
    return None


def _split_remote(remote: str) -> tuple[str, str, str]:
    """Return the web address for a git remote such as ``git@github.com:a/b``, as scheme, host and path."""
    parts = split_url(remote)
    if parts.scheme in _WEB_SCHEMES:
        return parts.scheme, _without_user(parts.netloc).lower(), parts.path
    if parts.scheme in _SCHEMES:  # The port of SSH is not the port of the web pages.
        return "https", _web_host(parts.hostname or ""), parts.path
    host, colon, path = remote.partition(":")
    if colon and "/" not in host:  # such as git@github.com:name/project.git
        return "https", _web_host(_without_user(host)), path
    return "", "", ""


def _without_user(host: str) -> str:
    """Remove the user from a host: ``user:secret@gitlab.com`` becomes ``gitlab.com``."""
    # A CI job may have written a token there.
    return host.rpartition("@")[2]


def _web_host(host: str) -> str:
    """Return the web host for an SSH host: ``github.com`` for ``ssh.github.com``."""
    return host.lower().removeprefix("altssh.").removeprefix("ssh.")
