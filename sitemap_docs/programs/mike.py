"""mike: the versions and aliases in ``versions.json``, and those of the version that mike deploys now."""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from sitemap_docs import files
from sitemap_docs.model import SitemapError

MIKE = "versions.json"
_MOST_NAMES = 10_000  # each is compared with each folder
_COMMAND = "SITEMAP_DOCS_MIKE_COMMAND"


def read_aliases(tree: Path) -> Mapping[str, str]:
    """Return the version for each name in ``versions.json``, such as ``2.0`` for ``latest``.

    Raises:
        SitemapError: The file is invalid, or contains more than 10,000 names.
    """
    try:
        listed = json.loads(files.read_inside(tree, MIKE))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise SitemapError(
            f"{tree / MIKE} is not a valid list of mike's versions. Run mike again, or correct the file."
        ) from None
    aliases = _aliases_in(listed)
    if len(aliases) > _MOST_NAMES:
        raise SitemapError(
            f"{tree / MIKE} lists more than {_MOST_NAMES:,} versions and aliases. Delete old "
            "versions with `mike delete`."
        )
    return aliases


def is_deployed_version(folder: Path) -> bool:
    """Check whether a folder such as ``tree/3.0`` is a version or alias in mike's ``tree/versions.json``."""
    try:
        return folder.name in read_aliases(folder.parent)
    except SitemapError:
        return False


def version_url(folder: Path, base_url: str, plugins: Mapping[str, Mapping[str, object]]) -> str:
    """Add the version to the base URL of a folder that mike has deployed, such as ``tree/3.0``.

    The option ``canonical_version`` of mike's plugin can set another version. For all other folders, the base
    URL is returned unchanged.
    """
    if not base_url or not is_deployed_version(folder):
        return base_url
    version = plugins.get("mike", {}).get("canonical_version") or folder.name
    return f"{base_url.rstrip('/')}/{version}/"


def _aliases_in(listed: object) -> Mapping[str, str]:
    """Return the version for each name in the content of mike's ``versions.json``.

    If the content is not from mike, the result is empty.
    """
    aliases: dict[str, str] = {}
    try:
        for entry in listed:  # type: ignore[attr-defined]  # the error is caught
            if "url" in entry:  # It is the file of a version switcher of pydata-sphinx-theme.
                return {}
            names = (entry["version"], *entry.get("aliases", ()))
            if not all(isinstance(name, str) for name in names):
                return {}
            aliases.update(dict.fromkeys(names, entry["version"]))
    except (TypeError, KeyError, AttributeError):
        return {}
    return aliases


def keep_command() -> None:
    """Save the command line of mike in an environment variable, for the build that mike starts.

    mike tells the build the version, such as ``2.0`` in ``mike deploy 2.0 latest``, but not the aliases.
    """
    os.environ[_COMMAND] = json.dumps(sys.argv[1:])


def find_aliases(
    version: str,
    environ: Mapping[str, str],
    settings: Mapping[str, object],
    branch: str,
    read: Callable[[str, str], bytes],
) -> tuple[str, ...]:
    """Return the aliases that a version has after mike has deployed it, such as ``latest``.

    They are those in the command line, such as ``mike deploy 2.0 latest``, and those from earlier
    deployments.

    Args:
        version: The version that mike deploys now.
        environ: The environment variables of the build.
        settings: The options of mike's plugin.
        branch: The branch with all versions. The flag ``--branch`` of mike overrides it.
        read: Returns the content of a file on a branch, or ``b""`` if there is no such file.
    """
    arguments: list[str] = []
    with suppress(ValueError):
        arguments = [str(argument) for argument in json.loads(environ.get(_COMMAND, "[]"))]
    aliases: dict[str, None] = {}
    for number, argument in enumerate(arguments):
        if argument == version:
            for alias in arguments[number + 1 :]:
                if alias.startswith("-"):
                    break
                aliases[alias] = None
    folder = _argument(arguments, "--deploy-prefix") or str(settings.get("deploy_prefix") or "")
    branch = _argument(arguments, "--branch", "-b") or branch
    listed: object = ()
    with suppress(ValueError, RecursionError):
        listed = json.loads(read(branch, str(PurePosixPath(folder, MIKE))))
    for alias, of_version in _aliases_in(listed).items():
        if of_version == version:
            aliases[alias] = None
    aliases.pop(version, None)
    return tuple(aliases)


def _argument(arguments: Sequence[str], *flags: str) -> str:
    """Return the value of a flag in a command line, such as ``pages`` in ``--branch=pages``, or ``""``."""
    for number, argument in enumerate(arguments):
        if argument in flags and number + 1 < len(arguments):
            return arguments[number + 1]
        flag, _, value = argument.partition("=")
        if flag in flags and value:
            return value
    return ""
