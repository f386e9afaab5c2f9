"""Folder names of versions and previews, and the order of versions."""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from packaging.version import InvalidVersion, Version

CHANNELS = frozenset(
    {"latest", "stable", "current", "dev", "devel", "development", "main", "master", "next", "nightly"}
)
"""Names of folders that contain a version without a number."""
FIRST_YEAR = 1_900
"""A number from here on is a year, as in the folders of a blog, and not a version."""
_PREVIEW = re.compile(r"pr-preview|pr-[0-9]+|previews?", re.IGNORECASE)
_PULL_REQUEST = re.compile(r"pr-preview|pr-[0-9]+", re.IGNORECASE)
_PREVIEWED = re.compile(r"previews?/pr-?[0-9]+", re.IGNORECASE)
_SERIES = re.compile(r"(v?\d+(?:\.\d+)*)\.x", re.IGNORECASE)
_LENGTH_LIMIT = 100  # characters; a longer name is a hash, which may look like a number of PEP 440


def version_number(folder: str) -> Version | None:
    """Return the version in the name of a folder, or None.

    >>> version_number("v1.2")
    <Version('1.2')>
    >>> version_number("2024"), version_number("stable")
    (None, None)
    >>> sorted(["2.0", "2.0rc1", "1.x", "1.10", "1.9"], key=version_number)
    ['1.9', '1.10', '1.x', '2.0rc1', '2.0']
    """
    # PEP 440 knows ASCII digits only; str.isdigit and int() know those of other scripts, too.
    if len(folder) > _LENGTH_LIMIT or not folder.isascii():
        return None
    if folder.isdigit() and int(folder) >= FIRST_YEAR:
        return None
    text = folder
    series = _SERIES.fullmatch(folder)
    if series:
        # A series such as 1.x comes after its releases.
        text = f"{series[1]}.{2**31}"
    try:
        return Version(text)
    except InvalidVersion:
        return None


def is_version(folder: str) -> bool:
    """Check whether a folder is named after a version.

    >>> [is_version(folder) for folder in ("v1.2", "3.x", "Latest", "2.0rc1", "2024", "guide")]
    [True, True, True, True, False, False]
    """
    return folder.lower() in CHANNELS or version_number(folder) is not None


def is_other_version(url: str, other: str) -> bool:
    """Check whether two URLs differ only in a version.

    >>> is_other_version("https://e.org/en/stable/sitemap.xml", "https://e.org/en/latest/sitemap.xml")
    True
    >>> is_other_version("https://e.org/de/stable/sitemap.xml", "https://e.org/en/latest/sitemap.xml")
    False
    """
    segments, other_segments = url.split("/"), other.split("/")
    if len(segments) != len(other_segments):
        return False
    differences = [pair for pair in zip(segments, other_segments, strict=True) if pair[0] != pair[1]]
    return len(differences) == 1 and all(map(is_version, differences[0]))


def is_preview(folder: str) -> bool:
    """Check whether a folder is named like a folder for previews of pull requests.

    >>> [is_preview(folder) for folder in ("pr-preview", "PR-12", "previews", "pr-notes", "link-preview")]
    [True, True, True, False, False]
    """
    return _PREVIEW.fullmatch(folder) is not None


def preview_folder(path: str, names: AbstractSet[str] = frozenset()) -> str:
    """Return the first folder in a path that is named like a preview: ``pr-preview``.

    If there is none, or if it is inside a version, return ``""``. ``names`` are versions whose names only
    look like previews.

    >>> [preview_folder(path) for path in ("docs/pr-preview/pr-12/", "preview/2.0/", "2.0/preview/")]
    ['pr-preview', 'preview', '']
    """
    for folder in path.split("/"):
        # Inside a version, a folder such as preview/ may be a normal page.
        if folder in names or is_version(folder):
            return ""
        if is_preview(folder):
            return folder
    return ""


def preview_in_address(path: str) -> str:
    """Return the folders in the path of a base URL that show a preview of a pull request, or ``""``.

    A folder ``preview/`` alone does not show that. It may contain the versions of a project with this name.

    >>> [preview_in_address(path) for path in ("docs/pr-12/", "previews/PR12/", "preview/1.0/")]
    ['pr-12', 'previews/PR12', '']
    """
    above = ""
    for folder in path.strip("/").split("/"):
        # Inside a version, such a folder may be a normal page.
        if is_version(folder):
            return ""
        if _PULL_REQUEST.fullmatch(folder):
            return folder
        if _PREVIEWED.fullmatch(f"{above}/{folder}"):
            return f"{above}/{folder}"
        above = folder
    return ""


def version_rank(folder: str) -> tuple[int, Version]:
    """Return a key to sort folders: names without a number, then pre-releases, then releases by version.

    The order is, for example, ``stable``, ``2.0rc1``, ``1.0``, ``1.1``.
    """
    version = version_number(folder)
    if version is None:
        return 0, Version("0")
    kind = 1 if version.is_prerelease else 2
    return kind, version


def newest_versions(versions: Iterable[str], number: int) -> list[str]:
    """Return the newest releases, newest first, or pre-releases if there are no releases.

    >>> newest_versions(["1.0", "1.1", "2.0rc1", "latest"], 1)
    ['1.1']
    """
    ranks = {folder: version_rank(folder) for folder in versions}
    best_kind = max((kind for kind, _ in ranks.values()), default=0)
    folders = [folder for folder, (kind, _) in ranks.items() if kind and kind == best_kind]
    folders.sort(key=lambda folder: (ranks[folder], folder), reverse=True)
    return folders[:number]
