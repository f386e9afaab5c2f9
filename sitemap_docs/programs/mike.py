"""mike: the versions and aliases in ``versions.json``, and those of the version that mike deploys now."""

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.config.parsing import as_list, as_mapping, as_text
from sitemap_docs.model import SitemapError

MIKE = "versions.json"
_MOST_NAMES = 10_000  # each is compared with each folder
_COMMAND = "SITEMAP_DOCS_MIKE_COMMAND"

#: The flags of ``mike deploy``. https://github.com/jimporter/mike
FLAGS_WITH_VALUE = (
    ("-b", "--branch"),
    ("--deploy-prefix",),
    ("-F", "--config-file"),
    ("-m", "--message"),
    ("-r", "--remote"),
    ("-t", "--title"),
    ("-T", "--template"),
    ("--alias-type",),
    ("--prop-set",),
    ("--prop-set-string",),
    ("--prop-set-all",),
    ("--prop-delete",),
)
SWITCHES = (
    ("-p", "--push"),
    ("-q", "--quiet"),
    ("-u", "--update-aliases"),
    ("--allow-empty",),
    ("--debug",),
    ("--ignore-remote-status",),
    ("--prop-delete-all",),
)


def read_aliases(tree: Path) -> Mapping[str, str]:
    """Map each version and alias in mike's ``versions.json`` to its version: ``{"latest": "2.0"}``.

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
    """Check whether the file ``versions.json`` next to a folder such as ``3.0`` lists the folder.

    mike writes this file when it deploys a version.
    """
    try:
        return folder.name in read_aliases(folder.parent)
    except SitemapError:
        return False


def version_url(folder: Path, base_url: str, plugins: Mapping[str, Mapping[str, object]]) -> str:
    """Return the base URL of a folder such as ``tree/3.0``: if mike has deployed it, ``3.0/`` is appended.

    ``plugins`` contains the options of all plugins in mkdocs.yml. If ``canonical_version`` of the plugin mike
    is set, append this version instead. If it is ``""``, append nothing.
    """
    if not base_url or not is_deployed_version(folder):
        return base_url
    version = plugins.get("mike", {}).get("canonical_version")
    if version == "":  # The pages of all versions have the same addresses.
        return base_url
    if version is None:
        version = folder.name
    return f"{base_url.rstrip('/')}/{version}/"


def _aliases_in(listed: object) -> Mapping[str, str]:
    """Map each name in ``versions.json`` to its version, for example the alias ``latest`` to ``2.0``.

    ``listed`` is the parsed file. If mike did not write it, the mapping is empty.
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


class _Deployment(NamedTuple):
    """The version, its aliases and the branch in a command such as ``mike deploy 2.0 latest``."""

    #: The version, then its aliases.
    names: tuple[str, ...] = ()
    branch: str = ""
    deploy_prefix: str = ""


def keep_command() -> None:
    """Save the version and aliases of ``mike deploy 2.0 latest`` in an environment variable.

    mike starts a build, and tells it only the version ``2.0``. The build finds the aliases in the variable.
    """
    # Nothing else is saved, because the address in `--remote` may contain a password.
    os.environ[_COMMAND] = json.dumps(_parse_command(sys.argv[1:])._asdict())


def _parse_command(arguments: Sequence[str]) -> _Deployment:
    """Return the version with its aliases, the branch and the folder in the arguments of ``mike deploy``.

    For another command of mike, the returned object is empty.
    """
    from argparse import ArgumentError, ArgumentParser  # noqa: PLC0415  only a build that mike starts needs it

    parser = ArgumentParser(add_help=False, exit_on_error=False)
    for flags in FLAGS_WITH_VALUE:
        parser.add_argument(*flags, default="")
    for flags in SWITCHES:
        parser.add_argument(*flags, action="store_true")
    parser.add_argument("names", nargs="*")
    try:
        # Names may come before and after a flag.
        found, _ = parser.parse_known_intermixed_args(arguments)
    except (ArgumentError, SystemExit):  # mike reports the mistake
        return _Deployment()
    command, *names = found.names or [""]
    if command != "deploy":
        return _Deployment()
    return _Deployment(tuple(names), found.branch, found.deploy_prefix)


def _read_command(text: str) -> _Deployment:
    """Return the version, aliases and branch that :func:`keep_command` has saved.

    If another program has damaged the saved text, the missing values are empty.
    """
    saved: object = None
    with suppress(ValueError, RecursionError):
        saved = json.loads(text)
    fields = as_mapping(saved)
    names = tuple(name for name in as_list(fields.get("names")) if isinstance(name, str))
    return _Deployment(names, as_text(fields.get("branch")), as_text(fields.get("deploy_prefix")))


def find_aliases(
    version: str,
    environ: Mapping[str, str],
    settings: Mapping[str, object],
    branch: str,
    read: Callable[[str, str], bytes],
) -> tuple[str, ...]:
    """Return the aliases of a version that mike deploys, such as ``latest`` in ``mike deploy 2.0 latest``.

    Aliases from earlier deployments are included.

    Args:
        version: The version that mike deploys now.
        environ: The environment variables of the build.
        settings: The options of mike's plugin.
        branch: The branch with all versions. The flag ``--branch`` of mike overrides it.
        read: Returns the content of a file on a branch, or ``b""`` if there is no such file.
    """
    deployment = _read_command(environ.get(_COMMAND, ""))
    aliases: dict[str, None] = {}
    if deployment.names[:1] == (version,):
        aliases.update(dict.fromkeys(deployment.names[1:]))
    folder = deployment.deploy_prefix or as_text(settings.get("deploy_prefix"))
    listed: object = ()
    with suppress(ValueError, RecursionError):
        listed = json.loads(read(deployment.branch or branch, str(PurePosixPath(folder, MIKE))))
    for alias, of_version in _aliases_in(listed).items():
        if of_version == version:
            aliases[alias] = None
    aliases.pop(version, None)
    return tuple(aliases)
