"""The web pages of a repository's forge: one commit, one file in its editor."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from sitemap_docs.history.repository import GitTrouble, open_repository

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_REMOTE = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/]*@)?(?P<host>[\w.-]+)(?::\d+)?/|(?:[^@/:]+@)?(?P<scp>[\w.-]+):)"
    r"(?P<path>[\w.~/-]+?)(?:\.git)?/?"
)
_LAYOUTS = {  # a word of the host's name, then its paths of a commit and of a file's editor
    "github": ("commit/{commit}", "edit/{branch}/{path}"),
    "gitlab": ("-/commit/{commit}", "-/edit/{branch}/{path}"),
    "bitbucket": ("commits/{commit}", "src/{branch}/{path}?mode=edit"),
    "codeberg": ("commit/{commit}", "_edit/{branch}/{path}"),
    "gitea": ("commit/{commit}", "_edit/{branch}/{path}"),
    "forgejo": ("commit/{commit}", "_edit/{branch}/{path}"),
}


class Forge(NamedTuple):
    """A repository on the web; ``branch`` is empty where none is checked out and no default is known."""

    url: str
    commits: str
    editor: str
    branch: str

    def commit_url(self, commit: str) -> str:
        return f"{self.url}/{self.commits.format(commit=commit)}"

    def edit_url(self, path: str) -> str:
        """The editor of the file at ``path`` in the repository; ``""`` without a branch."""
        if not self.branch:
            return ""
        return f"{self.url}/{self.editor.format(branch=quote(self.branch), path=quote(path))}"


def forge_of(remote: str, branch: str) -> Forge | None:
    """The forge that a remote's URL names, without its credentials; None for a host of unknown layout.

    >>> forge_of("git@github.com:me/docs.git", "main").edit_url("a b.md")
    'https://github.com/me/docs/edit/main/a%20b.md'
    """
    if not (found := _REMOTE.fullmatch(remote)):
        return None
    host = (found["host"] or found["scp"]).lower()
    layout = next((paths for word, paths in _LAYOUTS.items() if word in host), None)
    return Forge(f"https://{host}/{found['path'].strip('/')}", *layout, branch) if layout else None


def read_forge(root: Path, environ: Mapping[str, str]) -> Forge | None:
    """The forge of the remote ``origin`` of the repository in ``root``; None where there is none."""
    try:
        git = open_repository(str(root), environ).git
        remote = git.output("config", "--default", "", "--get", "remote.origin.url").decode().strip()
        branch = git.output(
            "for-each-ref", "--points-at=HEAD", "--format=%(HEAD)%(refname:lstrip=2)", "refs/heads"
        )
        default = git.output("for-each-ref", "--format=%(symref:lstrip=3)", "refs/remotes/origin/HEAD")
    except GitTrouble:
        return None
    current = next((line[1:] for line in branch.decode().splitlines() if line.startswith("*")), "")
    return forge_of(remote, current or default.decode().strip())
