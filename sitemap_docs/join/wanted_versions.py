"""Versions of the builds in one tree, derived from their folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import chain
from typing import Literal

from sitemap_docs.model import SitemapError
from sitemap_docs.urls.versions import is_version, version_number

NEWEST = "newest"
Treatment = Literal["noindex", "canonical", "keep"]
"""What is done to the pages of old versions; ``keep`` takes back what was done before."""


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Which versions are wanted: ``canonical`` alone, or those of ``names``, and the ``newest`` by PEP 440.

    Nothing of these: all. ``aliases`` are other names of a version, as mike's ``versions.json`` has them.
    ``treatment`` is how the pages of other versions than the canonical one are edited. ``whole``: one urlset
    for all. ``default`` is the language of ``x-default``, ``root`` that of builds whose folder names none.
    """

    names: Sequence[str] = ()
    newest: int = 0
    canonical: str = ""
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)
    treatment: Treatment | None = None
    whole: bool = False
    default: str = ""
    root: str = ""

    def wanted(self, builds: Iterable[str]) -> frozenset[str]:
        """Of the paths of builds, those whose version is wanted or that have none.

        Raises SitemapError for a name that no version has.
        """
        versions = {build: self.version(build) for build in builds}
        known = set(versions.values()) - {""}
        chosen = known
        if self.names or self.newest:
            chosen = set(_newest(known, self.newest))
            for name in self.names:
                chosen |= set(self._named(name, known))
        if self.canonical:
            chosen &= {self.canonical_of(versions)}
        return frozenset(build for build, version in versions.items() if not version or version in chosen)

    def version(self, build: str) -> str:
        """The part of a build's path that is its version; ``""`` without one."""
        return self.folder(build).rpartition("/")[2]

    def folder(self, build: str) -> str:
        """The path of a build up to its version; ``""`` without one."""
        parts = build.split("/")
        for number, part in enumerate(parts):
            if part and self.is_version(part):
                return "/".join(parts[: number + 1])
        return ""

    def is_version(self, folder: str, *, has_sitemap: bool = True) -> bool:
        """Whether a folder is named after a version, or is one that mike lists.

        Without a sitemap, a folder with the name of a channel may be any folder: ``dev/`` has guides.
        """
        if folder in self._listed or version_number(folder):
            return True
        return is_version(folder) and (has_sitemap or folder == self.canonical)

    @cached_property
    def _listed(self) -> frozenset[str]:
        return frozenset([*self.aliases, *chain.from_iterable(self.aliases.values())])

    def canonical_of(self, builds: Iterable[str]) -> str:
        """The version of some builds that ``canonical`` names. Raises SitemapError for none."""
        known = set(map(self.version, builds)) - {""}
        if self.canonical in known:
            return self.canonical
        if self.canonical == NEWEST:
            newest = _newest(known, 1)
            if newest:
                return newest[0]
        return self._named(self.canonical, known)[0]

    def called(self, names: AbstractSet[str]) -> set[str]:
        """All names of the versions that have one of ``names``."""
        all_names = set(names)
        for version, aliases in self.aliases.items():
            if not names.isdisjoint((version, *aliases)):
                all_names |= {version, *aliases}
        return all_names

    def _named(self, name: str, known: Iterable[str]) -> list[str]:
        known = sorted(known)
        matching = []
        for version in known:
            # An alias may be a folder, too: a copy, which is left out later, so that the version must be in.
            names = (version, *self.aliases.get(version, ()))
            if any(fnmatchcase(each, name) for each in names):
                matching.append(version)
        if not matching:
            raise SitemapError(f"No version is called {name!r}. There are: {', '.join(known) or 'none'}.")
        return matching


def _newest(versions: Iterable[str], number: int) -> list[str]:
    """The newest by PEP 440; pre-releases only where there is nothing else."""
    parsed = {}
    for each in versions:
        version = version_number(each)
        if version:
            parsed[each] = version
    final = [each for each, version in parsed.items() if not version.is_prerelease]
    return sorted(final or parsed, key=lambda each: (parsed[each], each), reverse=True)[:number]
