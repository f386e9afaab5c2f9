"""Versions of the builds in one tree, derived from their folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from sitemap_docs.model import BuildRow, SitemapError
from sitemap_docs.tree import names_of
from sitemap_docs.urls.versions import newest, version_number

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

    @property
    def named(self) -> frozenset[str]:
        """The names of versions, whatever they are: in mike's list, or the canonical one."""
        return names_of(self.aliases) | {self.canonical} - {""}

    def versions(self, builds: Sequence[BuildRow], *, channels: bool = False) -> list[BuildRow]:
        """The folders of versions.

        Without a sitemap, a folder with the name of a channel may be any folder: ``dev/`` has guides. With
        ``channels`` it counts.
        """
        named = self.named
        listed = {build.folder for build in builds if build.sitemaps}
        found = []
        for build in builds:
            is_sure = channels or build.folder in listed or build.version in named
            if build.version and build.path == build.folder and (is_sure or version_number(build.version)):
                found.append(build)
        return found

    def wanted(self, builds: Sequence[BuildRow]) -> tuple[set[str], set[str]]:
        """The paths of the builds whose version is wanted or that have none, and those of the others.

        Raises SitemapError for a name that no version has.
        """
        counted = [build for build in builds if build.sitemaps]
        if self.canonical:
            counted += self._next_to(builds)
        known = {build.version for build in counted} - {""}
        chosen = known
        if self.names or self.newest:
            chosen = set(newest(known, self.newest))
            for name in self.names:
                chosen |= set(self._named(name, known))
        if self.canonical:
            chosen &= {self.canonical_of(known)}
        wanted = {build.path for build in counted if not build.version or build.version in chosen}
        return wanted, {build.path for build in counted} - wanted

    def _next_to(self, builds: Sequence[BuildRow]) -> list[BuildRow]:
        """The folders of versions next to those with a sitemap, or else at the top.

        Elsewhere, a folder with such a name may be anything: a page of a changelog, or of a blog.
        """
        versions = self.versions(builds)
        around = {build.above for build in builds if build.sitemaps and build.version}
        if not around and versions:
            around = {min((build.above for build in versions), key=lambda above: above.count("/"))}
        return [build for build in versions if build.above in around]

    def canonical_of(self, known: AbstractSet[str]) -> str:
        """The version that ``canonical`` names. Raises SitemapError for none."""
        if self.canonical in known:
            return self.canonical
        if self.canonical == NEWEST:
            found = newest(known, 1)
            if found:
                return found[0]
        return self._named(self.canonical, known)[0]

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
