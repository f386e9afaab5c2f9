"""Folders that are named after a version, and the order of versions."""

import re
from collections.abc import Iterable

from packaging.version import InvalidVersion, Version

CHANNELS = frozenset(
    {"latest", "stable", "current", "dev", "devel", "development", "main", "master", "next", "nightly"}
)
"""Folders that hold a version, though no number says which."""
FIRST_YEAR = 1_900
"""A lone number from here on is a year, as blogs have it, and no version."""
_SERIES = re.compile(r"(v?\d+(?:\.\d+)*)\.x", re.IGNORECASE)
_LENGTH_LIMIT = 100  # characters: longer names are hashes, which PEP 440 may read as numbers


def version_number(folder: str) -> Version | None:
    """The version of a folder as PEP 440 orders them; None for a channel and for any other folder.

    A series, such as ``1.x``, comes after its releases.

    >>> sorted(["2.0", "2.0rc1", "1.x", "1.10", "1.9"], key=version_number)
    ['1.9', '1.10', '1.x', '2.0rc1', '2.0']
    >>> version_number("2024"), version_number("stable")
    (None, None)
    """
    if (
        len(folder) > _LENGTH_LIMIT or not folder.isascii()
    ):  # digits of other scripts are no numbers of PEP 440
        return None
    if folder.isdigit() and int(folder) >= FIRST_YEAR:
        return None
    series = _SERIES.fullmatch(folder)
    text = f"{series[1]}.{2**31}" if series else folder
    try:
        return Version(text)
    except InvalidVersion:
        return None


def is_version(folder: str) -> bool:
    """Whether a folder is named after a version or a channel.

    >>> [is_version(folder) for folder in ("v1.2", "3.x", "Latest", "2.0rc1", "2024", "guide")]
    [True, True, True, True, False, False]
    """
    return folder.lower() in CHANNELS or version_number(folder) is not None


def version_rank(folder: str) -> tuple[int, Version]:
    """The place of a folder among versions: other folders come first, then pre-releases, then releases."""
    version = version_number(folder)
    if version is None:
        return 0, Version("0")
    return (1 if version.is_prerelease else 2), version


def newest(versions: Iterable[str], number: int) -> list[str]:
    """The newest by PEP 440; pre-releases only where there is nothing else."""
    ranks = {each: version_rank(each) for each in versions}
    best = max((kind for kind, _ in ranks.values()), default=0)
    alike = [each for each, (kind, _) in ranks.items() if kind and kind == best]
    return sorted(alike, key=lambda each: (ranks[each][1], each), reverse=True)[:number]
