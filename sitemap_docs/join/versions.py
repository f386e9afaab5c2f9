"""Versions and languages of the builds in one tree, derived from their folders."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from packaging.version import Version

from sitemap_docs import files
from sitemap_docs.model import SitemapError
from sitemap_docs.urls.languages import hreflang

if TYPE_CHECKING:
    from pathlib import Path

MIKE = "versions.json"
NEWEST = "newest"
WORDS = ("latest", "stable", "current", "dev", "devel", "development", "main", "master", "next", "nightly")
"""Folders that are versions, though no number says so."""
# ISO 639-1, and the three-letter codes that documentation is translated to: a folder `api` is no language.
_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el
en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it
iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt
my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl
sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo
za zh zu fil haw
"""
_LANGUAGES = frozenset(_CODES.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Which versions are wanted: those that match one of ``names``, and the ``newest`` by PEP 440.

    Neither: all. ``aliases`` are other names of a version, as mike's ``versions.json`` has them.
    """

    names: Sequence[str] = ()
    newest: int = 0
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def wanted(self, builds: Iterable[str]) -> frozenset[str]:
        """Of the paths of builds, those whose version is wanted or that have none.

        Raises SitemapError for a name that no version has.
        """
        versions = {build: self.version(build) for build in builds}
        if not self.names and not self.newest:
            return frozenset(versions)
        known = {version for version in versions.values() if version}
        chosen = {version for name in self.names for version in self._named(name, known)}
        chosen |= set(_newest(known, self.newest))
        return frozenset(build for build, version in versions.items() if not version or version in chosen)

    def superseded(self, builds: Iterable[str], canonical: str) -> Mapping[str, str]:
        """The builds of other versions than ``canonical``, each with the path that its canonical build has.

        ``canonical`` is a version, an alias of mike's or ``newest``. Raises SitemapError where there is none.
        """
        versions = {build: self.version(build) for build in builds}
        known = {version for version in versions.values() if version}
        if canonical == NEWEST and canonical not in known:
            names = _newest(known, 1)
        else:
            names = [canonical] if canonical in known else self._named(canonical, known)
        kept = names[0] if names else self._named(canonical, known)[0]
        return {
            build: "/".join(kept if part == version else part for part in build.split("/"))
            for build, version in versions.items()
            if version not in ("", kept)
        }

    def version(self, build: str) -> str:
        """The part of a build's path that is its version; ``""`` without one."""
        listed = {*self.aliases, *(alias for each in self.aliases.values() for alias in each)}
        parts = build.strip("/").split("/")
        return next(
            (part for part in parts if part and (part in listed or part in WORDS or _number(part))), ""
        )

    def _named(self, name: str, known: Iterable[str]) -> list[str]:
        known = sorted(known)
        # An alias may be a folder, too: a copy, which is left out later, so that the version must be in.
        found = [
            each
            for each in known
            if any(fnmatchcase(called, name) for called in (each, *self.aliases.get(each, ())))
        ]
        if not found:
            raise SitemapError(f"No version is called {name!r}. There are: {', '.join(known) or 'none'}.")
        return found


def read_aliases(tree: Path) -> Mapping[str, Sequence[str]]:
    """The versions of mike's ``versions.json`` and their aliases; empty without one.

    Other tools keep other things in a file of that name: sphinx-polyversion, for one. Raises SitemapError
    for a file that is no JSON.
    """
    try:
        listed = json.loads(files.read_inside(tree, MIKE))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise SitemapError(
            f"{tree / MIKE} is not a valid list of mike's versions. Run mike again, or correct it."
        ) from None
    try:
        return {_name(each["version"]): tuple(map(_name, each.get("aliases", ()))) for each in listed}
    except (TypeError, KeyError, AttributeError):
        return {}


def _name(value: object) -> str:
    """A name in a list of versions; TypeError for what is none."""
    if isinstance(value, str):
        return value
    raise TypeError


def language(build: str) -> tuple[str, str]:
    """The language of a build as BCP 47 writes it, and the rest of its path; ``("", path)`` without one.

    >>> language("docs/pt_br/1.0/")
    ('pt-BR', 'docs/1.0/')
    """
    parts = build.split("/")
    for number, part in enumerate(parts):
        code = hreflang(part) or ""
        if code.partition("-")[0] in _LANGUAGES:
            return code, "/".join([*parts[:number], *parts[number + 1 :]])
    return "", build


def _number(text: str) -> Version | None:
    try:
        return Version(text)
    except ValueError:  # InvalidVersion, and a number of thousands of digits
        return None


def _newest(versions: Iterable[str], number: int) -> list[str]:
    """The newest by PEP 440; pre-releases only where there is nothing else."""
    parsed = {each: version for each in versions if (version := _number(each))}
    final = [each for each, version in parsed.items() if not version.is_prerelease] or [*parsed]
    return sorted(final, key=lambda each: (parsed[each], each), reverse=True)[:number]
