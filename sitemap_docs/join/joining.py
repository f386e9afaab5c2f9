"""One sitemap over many builds: an index of theirs, or their entries anew."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from heapq import merge
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sitemap_docs.join.old_versions import add_headers
from sitemap_docs.join.versions import language
from sitemap_docs.model import Alternate, Entry, Finding, SitemapError
from sitemap_docs.output import writer
from sitemap_docs.output.folder import Output
from sitemap_docs.output.robots import add_robots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemap_docs.join.fallbacks import Fallbacks
    from sitemap_docs.join.old_versions import PageHeader
    from sitemap_docs.join.sitemaps import Child
    from sitemap_docs.pipeline import SiteBuild
    from sitemap_docs.urls.base import Base


class LeftOut(NamedTuple):
    """A child that is not joined, and why."""

    child: Child
    why: str


class Choice(NamedTuple):
    """The children that are joined, and the others."""

    joined: Sequence[Child]
    left_out: Sequence[LeftOut] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """What was done: the sitemaps that went in, the files, what to tell the user."""

    children: tuple[Child, ...]
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


class DefaultLanguages(NamedTuple):
    """The language of ``x-default``, and that of builds whose folder names none; ``""``: none."""

    default: str = ""
    root: str = ""


def choose(children: Iterable[Child], base: Base, wanted: frozenset[str], copies: frozenset[str]) -> Choice:
    """The children that are joined, and the others: unwanted versions, copies, other places' pages.

    Raises SitemapError for a child outside the index's host or folder, which the protocol forbids
    (https://www.sitemaps.org/protocol.html#location).
    """
    joined, left_out = [], []
    for child in children:
        why = _why_not(child, base, wanted, copies)
        if why:
            left_out.append(LeftOut(child, why))
        else:
            joined.append(child)
    return Choice(joined, left_out)


def _why_not(child: Child, base: Base, wanted: frozenset[str], copies: frozenset[str]) -> str:
    if child.build not in wanted:
        return "its version is not selected"
    if not child.pages:
        return "it lists no pages of one host"
    if not child.url.startswith(base.url):
        raise SitemapError(
            f"{child.url} lies outside {base.url}: an index lists only sitemaps of its own host, in its own "
            f"folder or below. Leave it out, and name it in the robots.txt at the root of a host: "
            f"Sitemap: {child.url}"
        )
    if not child.pages.startswith(child.url.rpartition("/")[0] + "/"):
        return f"it lists pages of {child.pages}"
    return "its home page names another as canonical" if child.build in copies else ""


def join_sitemaps(
    site: SiteBuild,
    choice: Choice,
    languages: DefaultLanguages,
    *,
    whole: bool,
    fallbacks: Fallbacks | None = None,
    headers: Sequence[PageHeader] = (),
) -> Joined:
    """Writes the root sitemap of builds that were chosen, and robots.txt; ``Joined`` says what was done.

    An index of the children; with ``whole``, one urlset as long as it fits. Builds that are translations of
    each other are listed anew, one sitemap a build, with the alternates of the pages that several have;
    all builds are, too, where one lists session ids, to take these off. ``fallbacks`` finds the pages that
    are no translations, to leave them out. ``headers`` are those of old versions, for ``_headers``. Raises
    SitemapError before anything is moved into place.
    """
    chosen = choice.joined
    families = _families(chosen, languages.root)
    anew = any(len(family) > 1 for family in families) or any(child.session for child in chosen)
    with Output(site.output, dry_run=site.dry_run) as output:
        if whole or anew:
            entries = _entries(families, languages.default, fallbacks)
            written = _write_entries(entries, output, _layout(site, choice), whole=whole)
        else:
            index = (Entry(loc=child.url, lastmod=child.lastmod) for child in chosen)
            in_order = _distinct(sorted(index, key=attrgetter("loc")))
            written = writer.write_index(in_order, output, _layout(site, choice))
        findings = (
            *(_session(child) for child in chosen if child.session),
            *(fallbacks.findings() if fallbacks else ()),
            *written.findings,
            *add_robots(output, written.sitemaps, site.base, site.platform, site.options),
            *add_headers(site, output, headers),
            *(() if chosen else (NOTHING,)),
        )
        output.commit()
    return Joined(
        children=tuple(chosen),
        files=written.files,
        changed=tuple(output.changed),
        removed=tuple(output.removed),
        findings=findings,
    )


def _layout(site: SiteBuild, choice: Choice) -> writer.Layout:
    children = (*choice.joined, *(each.child for each in choice.left_out))
    known = tuple(child.url.rpartition("/")[0] + "/" for child in children)
    return writer.Layout(
        base=site.base.url,
        options=site.options,
        gzip="off" if site.options.gzip == "auto" else site.options.gzip,
        accounts_for=lambda loc: loc.startswith(known),
    )


def _write_entries(
    entries: Iterable[Entry], output: Output, layout: writer.Layout, *, whole: bool
) -> writer.Written:
    listed = _distinct(sorted(entries, key=attrgetter("loc")) if whole else entries)
    return writer.write_sitemap(listed, output, layout, group=_ungrouped if whole else attrgetter("group"))


NOTHING = Finding(
    rule="empty-sitemap",
    message="No sitemap is joined. Run with -v to see why; a build without a sitemap needs "
    "`sitemap-docs build` first.",
)


def _session(child: Child) -> Finding:
    return Finding(
        rule="session-id",
        where=child.place,
        message=f"{child.place} lists addresses with session ids, such as {child.session}. They are listed "
        "anew without. Let the generator leave them out.",
    )


class _Build(NamedTuple):
    """One build: its path below the base, and its sitemaps."""

    path: str
    language: str
    children: tuple[Child, ...]
    group: str = ""

    def pages(self) -> Iterator[tuple[str, _Build, Entry]]:
        """Its entries in the order of their addresses below the build."""
        folder = self.children[0].url.rpartition("/")[0] + "/"
        return ((each.loc[len(folder) :], self, each._replace(group=self.group)) for each in self._entries())

    def _entries(self) -> Iterable[Entry]:
        """In order: as they are read, where each child begins after the one before ends."""
        children = sorted(self.children, key=attrgetter("first"))
        if children[0].first and all(one.last < other.first for one, other in pairwise(children)):
            return chain.from_iterable(each.entries() for each in children)
        return sorted(chain.from_iterable(each.entries() for each in self.children), key=attrgetter("loc"))


def _families(children: Iterable[Child], root: str) -> list[list[_Build]]:
    """The builds, those together whose paths differ only in the language; ``root`` is that of the others."""
    paths: dict[str, list[Child]] = {}
    for child in children:
        paths.setdefault(child.build, []).append(child)
    families: dict[str, list[_Build]] = {}
    groups = _groups(sorted(paths))
    for path, group in groups.items():
        code, rest = language(path)
        families.setdefault(rest, []).append(_Build(path, code or root, tuple(paths[path]), group))
    return [part for family in families.values() for part in _parts(family)]


def _groups(paths: Iterable[str]) -> Mapping[str, str]:
    """The name of each build's sitemap; where two paths would have one, the later has a digest of its own."""
    groups: dict[str, str] = {}
    taken: set[str] = set()
    for path in paths:
        name = re.sub(r"[^A-Za-z0-9]+", "-", path).strip("-") or "root"
        if name.lower() in taken:  # some file systems tell no case
            name = f"{name}-{blake2b(path.encode(errors='surrogateescape'), digest_size=4).hexdigest()}"
        taken.add(name.lower())
        groups[path] = name
    return groups


def _parts(family: list[_Build]) -> list[list[_Build]]:
    """A family, if each of its builds has a language of its own; else each alone."""
    codes = {build.language for build in family}
    return [family] if len(codes) == len(family) and "" not in codes else [[build] for build in family]


def _entries(
    families: Iterable[Sequence[_Build]], default: str, fallbacks: Fallbacks | None
) -> Iterator[Entry]:
    for family in families:
        pages = merge(*(build.pages() for build in family), key=lambda page: page[0])
        for _, same in groupby(pages, key=lambda page: page[0]):
            found = {build.path: (build, entry) for _, build, entry in same}
            if fallbacks:
                left = set(fallbacks.among({build.language: entry for build, entry in found.values()}))
                found = {path: each for path, each in found.items() if each[0].language not in left}
            alternates = _alternates(list(found.values()), default)
            for _, entry in found.values():
                yield entry._replace(alternates=alternates) if alternates else entry


def _alternates(found: Sequence[tuple[_Build, Entry]], default: str) -> tuple[Alternate, ...]:
    """Of one page in several languages: each names itself and all others."""
    hrefs = {build.language: entry.loc for build, entry in found}
    if len(hrefs) < 2:  # noqa: PLR2004  one language is no translation
        return ()
    last = [Alternate("x-default", hrefs[default])] if default in hrefs else []
    return (*(Alternate(code, hrefs[code]) for code in sorted(hrefs)), *last)


def _distinct(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries, the first of those with one address."""
    last = ""
    for entry in entries:
        if entry.loc != last:
            yield entry
        last = entry.loc


def _ungrouped(_: Entry) -> str:
    return ""
