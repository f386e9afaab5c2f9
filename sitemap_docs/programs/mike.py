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
    """Return the version of each name in ``versions.json``, such as ``latest``.

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
    """Check whether mike has deployed a folder as one of several versions or aliases, such as ``tree/3.0``.

    The versions are in ``tree/versions.json``.
    """
    try:
        return folder.name in read_aliases(folder.parent)
    except SitemapError:
        return False


def version_url(folder: Path, base_url: str, plugins: Mapping[str, Mapping[str, object]]) -> str:
    """Return the base URL of a built folder for the base URL in ``mkdocs.yml``.

    For a version that mike has deployed, such as ``tree/3.0``, mike appends the version. If the plugin of
    mike has the option ``canonical_version``, mike appends that version instead.
    """
    if not base_url or not is_deployed_version(folder):
        return base_url
    version = plugins.get("mike", {}).get("canonical_version") or folder.name
    return f"{base_url.rstrip('/')}/{version}/"


def _aliases_in(listed: object) -> Mapping[str, str]:
    """Return the version of each name in the content of ``versions.json``, or nothing if it is not mike's."""
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
    """Keep the command line of mike for the build that mike starts as another process.

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
    """Return the aliases that a version has when mike has deployed it, such as ``latest``.

    They are in the command line of mike, for example in ``mike deploy 2.0 latest``. The version also keeps
    the aliases that it has on the branch already.

    Args:
        version: The version that mike deploys now.
        environ: The environment variables of the build.
        settings: The options of mike's plugin.
        branch: The branch to which mike deploys, unless its command line sets another.
        read: A function that returns the content of a file on a branch, or nothing if there is no such file.
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
    """Return the value of a flag in a command line, or ``""``: ``--branch pages`` or ``--branch=pages``."""
    for number, argument in enumerate(arguments):
        if argument in flags and number + 1 < len(arguments):
            return arguments[number + 1]
        flag, _, value = argument.partition("=")
        if flag in flags and value:
            return value
    return ""
