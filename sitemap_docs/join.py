"""One sitemap over a tree of builds, an index of theirs or their entries anew, and marks in old versions."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, partial
from itertools import chain, starmap
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from sitemap_docs import files
from sitemap_docs.build import reported_findings
from sitemap_docs.config.patterns import Globs, UnmatchedGlobs
from sitemap_docs.html.body import fingerprint
from sitemap_docs.html.head import parse_head
from sitemap_docs.html.marks import (
    HeadProblem,
    UnsureHead,
    read_unmarked,
    with_canonical,
    with_noindex,
    without_marks,
)
from sitemap_docs.listing.alternates import move_alternates
from sitemap_docs.listing.error_pages import is_error_page
from sitemap_docs.listing.indexing import canonical_links, exclusion_of
from sitemap_docs.model import Alternate, BuildRow, BuildSitemap, Entry, Finding, Reason, Row, SitemapError
from sitemap_docs.output import writer
from sitemap_docs.output.record import start_recording
from sitemap_docs.output.robots_file import RobotsTxt
from sitemap_docs.output.transaction import Output
from sitemap_docs.programs.mike import read_aliases
from sitemap_docs.project import Project
from sitemap_docs.publish import Published, empty_sitemap
from sitemap_docs.robots import CrawlerRules, Robots, forbids_folder, search_rules
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.sitemap import reader
from sitemap_docs.text import many, one_line
from sitemap_docs.tree import (
    base_claimed,
    build_at,
    builds_of,
    default_language,
    entries_of_build,
    folder_names,
    is_in_preview,
    language,
    read_builds,
)
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.languages import add_default
from sitemap_docs.urls.link_styles import address
from sitemap_docs.urls.versions import is_preview, newest_versions, version_number, version_rank
from sitemap_docs.webroot import Webroot

NEWEST = "newest"
Treatment = Literal["noindex", "canonical", "keep"]
"""What is done to the pages of old versions; ``keep`` takes back what was done before."""

_MOST_LANGUAGES = 150
"""Languages of a page that are linked with each other: the links are as many as their square."""
_MOST_REDIRECTS = 5
_MOST_SHOWN = 10
"""Builds that a message shows for one reason."""


class LeftOut(Enum):
    """Why a join leaves out a build, whatever its version. The value is the text that users see."""

    OPTION = "the option `leave_out` matches it"
    PREVIEW = "its folder has the name of a preview"
    ROBOTS = "robots.txt forbids it"


class Joined(NamedTuple):
    """What a join did with each build, and of each old version the number of pages that it edited."""

    builds: Collection[BuildRow]
    done: Published
    edited: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Policy:
    """Which versions are wanted: ``canonical`` alone, or those of ``names``, and the ``newest`` by PEP 440.

    Nothing of these: all. ``aliases`` are the names in mike's list, each with its version. ``treatment`` is
    how the pages of other versions than the canonical one are edited. ``whole``: one urlset for all.
    ``default`` is the language of ``x-default``, ``root`` that of builds whose folder names none.
    """

    names: Sequence[str] = ()
    newest: int = 0
    canonical: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    treatment: Treatment | None = None
    whole: bool = False
    default: str = ""
    root: str = ""

    @property
    def named(self) -> frozenset[str]:
        """Names that are versions whatever they look like.

        These are the names in mike's list, the canonical version, and a preview that ``names`` asks for.
        """
        asked_for = filter(is_preview, self.names)
        return frozenset({*self.aliases, self.canonical, *asked_for} - {""})

    def versions(self, builds: Collection[BuildRow], *, channels: bool = False) -> list[BuildRow]:
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

    def wanted(self, builds: Collection[BuildRow]) -> tuple[set[str], set[str]]:
        """The paths of the builds whose version is wanted or that have none, and those of the others.

        Raises SitemapError for a name that no version has.
        """
        counted = [build for build in builds if build.sitemaps]
        if self.canonical:
            # The folders of versions next to those with a sitemap, or else at the top. Elsewhere, a folder
            # with such a name may be anything: a page of a changelog, or of a blog.
            versions = self.versions(builds)
            around = {build.above for build in counted if build.version}
            if not around and versions:
                around = {min((build.above for build in versions), key=lambda above: above.count("/"))}
            counted += [build for build in versions if build.above in around]
        known = {build.version for build in counted} - {""}
        chosen = known
        if self.names or self.newest:
            chosen = {
                *newest_versions(known, self.newest),
                *chain(*(self._named(name, known) for name in self.names)),
            }
        if self.canonical:
            chosen &= {self.canonical_of(known)}
        wanted = {build.path for build in counted if not build.version or build.version in chosen}
        return wanted, {build.path for build in counted} - wanted

    def canonical_of(self, known: AbstractSet[str]) -> str:
        """The version that ``canonical`` names. Raises SitemapError for none."""
        if self.canonical in known:
            return self.canonical
        found = newest_versions(known, 1) if self.canonical == NEWEST else []
        return (found or self._named(self.canonical, known))[0]

    def _named(self, name: str, known: AbstractSet[str]) -> list[str]:
        matching = {version for version in known if fnmatchcase(version, name)}
        # An alias may be a folder, too: a copy, which is left out later, so that the version must be in.
        matching |= {version for alias, version in self.aliases.items() if fnmatchcase(alias, name)} & known
        if not matching:
            there = ", ".join(sorted(known)) or "none"
            raise SitemapError(f"No version is called {name!r}. There are: {there}.")
        return sorted(matching)


def join_builds(
    project: Project,
    policy: Policy,
    tree: Path | None = None,
    places: Iterable[str] = (),
    about_settings: Iterable[Finding] = (),
    guessed_by: str = "",
) -> Joined:
    """Join the builds in a folder, or sitemaps at paths and web addresses.

    Args:
        project: The project.
        policy: The wanted versions.
        tree: The folder of the builds, if any.
        places: Paths and addresses of sitemaps, which are joined if there is no ``tree``.
        about_settings: Findings about the configuration of the project.
        guessed_by: The sitemap in which the base URL was found, if nobody named the base URL.

    Raises:
        SitemapError: If the builds cannot be joined.
    """
    if project.no_sitemap:
        return Joined((), Published(no_sitemap=project.no_sitemap), {})
    versions: Mapping[str, str] = {}
    findings: list[Finding] = [*about_settings]
    if tree is None:
        found = builds_of(places, project.base)
    else:
        policy = replace(policy, aliases=read_aliases(tree))
        found = read_builds(tree, project.base, policy.named, project.options.filename)
    robots = RobotsTxt(replace(project, output=tree or project.output)).rules
    left_out = find_left_out(found, project.base, project.options.leave_out, robots, policy.named)
    table = choose(found, left_out, project.base, policy)
    builds = table.values()
    if tree:
        policy = replace(policy, default=policy.default or default_language(tree, project.base, table))
        if policy.treatment:
            versions, about_versions = find_versions(tree, project.base, policy, table, left_out)
            findings += about_versions
        _check_own(tree / project.options.filename, builds)
    done = join_sitemaps(project, builds, policy, tree)
    edited: Mapping[str, int] = {}
    has_sitemaps = any(build.sitemaps for build in builds)
    canonical_folders = sorted(set(versions.values()) - {""})
    unjoined = _find_unjoined(canonical_folders, table, project.base)
    if has_sitemaps and not done.listed and policy.treatment != "keep":
        if versions:  # which of them is the canonical one is in doubt
            message = "No page of an old version is edited: no sitemap of the canonical version is joined."
            findings.append(old_version_unchanged(message))
    elif unjoined:
        why = "the join leaves out its sitemap"
        findings += [canonical_version_unlisted(folder, why).at(folder) for folder in unjoined]
    elif tree and versions:
        edits, edited = edit_pages(tree, project.base, versions, policy, dry_run=project.dry_run)
        findings += edits.findings
        done = replace(done, changed=done.changed + edits.changed)
    if guessed_by:
        candidates = {path: build for path, build in table.items() if path not in left_out}
        findings += _different_bases(candidates, project.base, guessed_by)
    findings += _left_out_findings(found, left_out, project.options.leave_out)
    shown = reported_findings(project, (*done.findings, *findings))
    return Joined(builds, replace(done, findings=shown), edited)


def find_left_out(
    builds: Mapping[str, BuildRow], base: Base, leave_out: Globs, robots: Robots, names: AbstractSet[str]
) -> dict[str, LeftOut]:
    """Return the builds that are left out whatever their version, by path, each with the reason.

    Args:
        builds: The builds by path.
        base: The base URL of the tree.
        leave_out: The option of that name. A glob with ``!`` lists a preview.
        robots: The robots.txt that crawlers read.
        names: Folders that are versions, even if they have the name of a preview.
    """
    crawlers = search_rules(robots).values()
    left_out = {}
    for path, build in builds.items():
        decision = leave_out.decision(folder_names(path))
        is_matched = decision is not None and decision[0]
        if is_matched:
            left_out[path] = LeftOut.OPTION
        elif _is_forbidden(build, base, crawlers):
            left_out[path] = LeftOut.ROBOTS
        elif decision is None and is_in_preview(path, names):
            left_out[path] = LeftOut.PREVIEW
    return left_out


def _is_forbidden(build: BuildRow, base: Base, crawlers: Iterable[CrawlerRules]) -> bool:
    """Check whether no crawler of a search engine may fetch a page that the build lists."""
    folders = {sitemap.pages for sitemap in build.sitemaps if sitemap.pages.startswith(base.url)}
    if not folders:
        return False
    return all(forbids_folder(rules, folder) for rules in crawlers for folder in folders)


def _left_out_findings(
    builds: Mapping[str, BuildRow], left_out: Mapping[str, LeftOut], globs: Globs
) -> list[Finding]:
    """Return a finding that lists the builds which are left out, and one about globs that match no build."""
    unmatched = UnmatchedGlobs([("leave_out", glob) for glob in globs.patterns], "build")
    for path in builds:
        unmatched.compare(folder_names(path))
    findings = unmatched.findings()
    joinable = [path for path in left_out if builds[path].sitemaps]
    if joinable:
        preview = next((path for path in joinable if left_out[path] is LeftOut.PREVIEW), "")
        listed = _described({path: left_out[path] for path in joinable})
        findings.append(build_left_out(listed, preview.rstrip("/")))
    return findings


def _described(left_out: Mapping[str, LeftOut]) -> str:
    """Return the builds that are left out as a text, those with one reason together."""
    paths: dict[LeftOut, list[str]] = {}
    for path, reason in left_out.items():
        paths.setdefault(reason, []).append(one_line(path) or "the build at the root")
    parts = []
    for reason, together in paths.items():
        shown = ", ".join(together[:_MOST_SHOWN])
        if len(together) > _MOST_SHOWN:
            shown += f" and {len(together) - _MOST_SHOWN:,} more"
        parts.append(f"{shown} ({reason.value})")
    return "; ".join(parts)


def choose(
    builds: Mapping[str, BuildRow], left_out: Mapping[str, LeftOut], base: Base, policy: Policy
) -> dict[str, BuildRow]:
    """Return the builds by path, each with the decision whether it is joined.

    Unwanted versions, copies, and sitemaps that list the pages of another folder are not joined, nor are the
    builds in ``left_out``.

    Raises:
        SitemapError: If a sitemap is outside the host or folder of the index, which the protocol forbids
            (https://www.sitemaps.org/protocol.html#location), or if there is no version of a name.
    """
    candidates = {path: build for path, build in builds.items() if path not in left_out}
    try:
        wanted, unselected = policy.wanted(candidates.values())
    except SitemapError as error:
        if not left_out:
            raise
        raise SitemapError(f"{error} Left out: {_described(left_out)}.") from None
    if policy.canonical:  # which may be an alias, whose pages are those of another folder
        versions = [build for path, build in candidates.items() if path in wanted and build.version]
        folders = [candidates.get(build.folder, build) for build in versions]
        shown = {_shown_version(candidates, build, base).folder for build in folders}
        wanted |= {path for path in unselected if builds[path].folder in shown}
    chosen = {}
    for path, build in builds.items():
        row = build._replace(language=build.language or policy.root)
        if path in left_out:
            why = left_out[path].value
            sitemaps = [each._replace(why=why) for each in build.sitemaps]
            row = row._replace(sitemaps=tuple(sitemaps), state="unselected", left_out=why)
        elif path in wanted:
            sitemaps = [each._replace(why=_why_not(build, each, base)) for each in build.sitemaps]
            is_joined = any(not each.why for each in sitemaps)
            row = row._replace(sitemaps=tuple(sitemaps), state="joined" if is_joined else "left out")
        elif path in unselected:
            sitemaps = [each._replace(why="its version is not selected") for each in build.sitemaps]
            row = row._replace(sitemaps=tuple(sitemaps), state="unselected")
        chosen[path] = row
    return chosen


def _why_not(build: BuildRow, sitemap: BuildSitemap, base: Base) -> str:
    """Returns why a sitemap of a wanted build is not joined; ``""`` where it is."""
    if not sitemap.pages:
        return "it lists no pages of one host"
    if not sitemap.url.startswith(base.url):
        raise SitemapError(
            f"{sitemap.url} lies outside {base.url}: an index lists only sitemaps of its own host, in its "
            "own folder or below. Leave it out, and name it in the robots.txt at the root of a host: "
            f"Sitemap: {sitemap.url}"
        )
    if not sitemap.pages.startswith(sitemap.folder):
        return f"it lists pages of {sitemap.pages}"
    return "its home page names another as canonical" if build.original else ""


def _check_own(file: Path, builds: Iterable[BuildRow]) -> None:
    """Raises SitemapError when the tree's own file lists pages outside the folders of its builds."""
    if not files.find_inside(file.parent, file.name):
        return
    folders = {sitemap.folder for build in builds for sitemap in build.sitemaps}
    with files.translated_errors(file, "read"):
        parsed = reader.parse(file)
        if parsed.is_index:
            return  # of an earlier join
        for entry in parsed.entries():
            if not files.is_below_any(entry.loc, folders):
                raise SitemapError(
                    f"{file} is the sitemap of a build at the root of the tree: it lists {entry.loc}. To "
                    "keep it and join it with the others, pass --filename sitemap-index.xml"
                )


def join_sitemaps(
    project: Project, builds: Collection[BuildRow], policy: Policy, tree: Path | None = None
) -> Published:
    """Writes the root sitemap of builds that were chosen, and robots.txt; returns what was done.

    An index of their sitemaps; where the policy says so, one urlset as long as it fits. Builds that are
    translations of each other are listed anew, one sitemap a build, with the alternates of the pages that
    several have; all builds are, too, where one lists session ids, to take these off. Pages in ``tree`` that
    have the words of the default language are left out. Raises SitemapError before anything is moved into
    place.
    """
    joined = [build for build in builds if build.state == "joined"]
    sitemaps = [sitemap for build in joined for sitemap in build.joined]
    if not sitemaps:
        return Published(findings=(_nothing_joined(builds, tree, policy, project),))
    # A page of an existing sitemap may be missing in ours where a build says so that was looked at.
    known = {sitemap.folder for build in builds for sitemap in build.sitemaps}
    layout = writer.Layout(
        base=project.base.url,
        options=project.options,
        accounts_for=lambda loc: files.is_below_any(loc, known),
        joined=True,
    )
    families = _families(joined)
    lists_anew = policy.whole or len(families) < len(joined) or any(each.session for each in sitemaps)
    untranslated: Sequence[str] = ()
    findings: list[Finding] = []
    robots = RobotsTxt(project)
    with (
        closing(start_recording(project)) as record,
        Output(project.output, dry_run=project.dry_run) as output,
    ):
        if lists_anew:
            webroot = Webroot(tree, project.hosting) if tree and not project.options.untranslated else None
            entries, untranslated, findings = _entries(families, policy, webroot)
            written = writer.write_sitemap(entries, output, layout)
        else:
            entries, indexes = _listed(builds, project)
            written = writer.write_sitemap(entries, output, layout, of_sitemaps=True)
            written = replace(written, sitemaps=(*written.sitemaps, *indexes))
        findings += [*written.findings, *robots.write(output, written.sitemaps)]
        output.commit()
        if tree and project.output == tree.resolve():
            webroot = Webroot(tree, project.hosting)
            for loc in untranslated:
                record.add(Row(webroot.file_of(loc) or "", loc, Reason.FALLBACK))
            record.commit(project.base.url, written.files, builds=builds)
    findings += _other_languages(joined)
    return Published(
        listed=len(sitemaps),
        files=written.files,
        changed=tuple(output.changed),
        removed=tuple(output.removed),
        findings=tuple(findings),
    )


def _nothing_joined(
    builds: Collection[BuildRow], tree: Path | None, policy: Policy, project: Project
) -> Finding:
    """Return the finding that no sitemap is written, with the reason."""
    build_first = "Run `sitemap-docs build FOLDER --base-url URL` on each build first."
    with_sitemaps = [build for build in builds if build.sitemaps]
    if not with_sitemaps:
        finding = empty_sitemap(f"{tree} contains no sitemap of a build. {build_first}")
        # The pages of old versions are edited without a sitemap, too.
        return replace(finding, severity="warning") if policy.treatment else finding
    wanted = [build for build in builds if build.state == "left out"]
    pages = [sitemap.pages for build in wanted for sitemap in build.sitemaps if sitemap.pages]
    claims = {build: _find_claims(build, project.base) for build in wanted}
    claiming = [build for build in wanted if claims[build]]
    if claiming and not any(url.startswith(project.base.url) for url in pages):
        newest_build = max(claiming, key=lambda build: version_rank(build.version))
        sitemap, claimed = claims[newest_build][0]
        return empty_sitemap(
            "No sitemap is joined, and an existing one stays as it is, because of the base URL. It is "
            f"{project.base.url}, from {project.address.origin}, and {sitemap.place} lists pages of "
            f"{sitemap.pages}. If the tree is deployed there, pass --base-url {claimed}"
        )
    first = with_sitemaps[0].sitemaps[0]
    is_empty = with_sitemaps[0].state == "left out" and not first.pages
    advice = build_first if is_empty else "-v shows the others."
    reason = f"{first.url}: {first.why}."
    return empty_sitemap(f"No sitemap is joined, and an existing one stays as it is. {reason} {advice}")


def _find_claims(build: BuildRow, base: Base) -> list[tuple[BuildSitemap, str]]:
    """Return the sitemaps of a build that list pages outside ``base``, each with the base URL that fits."""
    claims = []
    for sitemap in build.sitemaps:
        claimed = base_claimed(sitemap, build.path)
        if claimed and not sitemap.pages.startswith(base.url):
            claims.append((sitemap, claimed))
    return claims


def _different_bases(builds: Mapping[str, BuildRow], base: Base, guessed_by: str) -> list[Finding]:
    """Return a finding if the sitemaps of the builds have different base URLs."""
    claims = []
    for build in builds.values():
        claims += _find_claims(build, base)
    if not claims:
        return []
    sitemap, claimed = claims[0]
    return [base_urls_differ(base.url, guessed_by, len(claims), sitemap.place, claimed).at(sitemap.place)]


def _listed(builds: Collection[BuildRow], project: Project) -> tuple[list[Entry], list[str]]:
    """Returns what the root index lists, and the URLs of the indexes among it, which a cascade keeps.

    An index is kept where all that it lists is joined.
    """
    indexes: set[str] = set()
    # Two of the places that the user names may be one sitemap.
    listed = dict.fromkeys(sitemap for build in builds for sitemap in build.joined)
    left_out = {each.listed_by for build in builds for each in build.sitemaps if each.why}
    if project.options.index == "cascaded":
        own = project.base.loc(project.options.filename)
        indexes = {each.listed_by for each in listed if each.listed_by.startswith(project.base.url)}
        indexes -= {own, f"{own}.gz", *left_out}
    dates: dict[str, list[datetime]] = {}
    for sitemap in listed:
        url = sitemap.listed_by if sitemap.listed_by in indexes else sitemap.url
        dates.setdefault(url, []).extend(filter(None, [sitemap.lastmod]))
    return [Entry(url, max(dates[url], default=None)) for url in sorted(dates)], sorted(indexes)


def _families(builds: Iterable[BuildRow]) -> list[list[BuildRow]]:
    """The builds, those together whose paths differ only in the language."""
    related: dict[str, list[BuildRow]] = {}
    for build in sorted(builds, key=attrgetter("path")):
        rest = language(build.path, build.language)[1] if build.language else build.path
        related.setdefault(rest, []).append(build)
    families: list[list[BuildRow]] = []
    for together in related.values():
        codes = {build.language for build in together}
        if len(codes) == len(together) and "" not in codes:
            families.append(together)
        else:  # they are no translations of each other
            families += [[build] for build in together]
    return families


def _other_languages(builds: Iterable[BuildRow]) -> Iterator[Finding]:
    """Yields what to report of builds in a folder named after a language whose pages are in another one."""
    for build in sorted(builds, key=attrgetter("path")):
        code, _ = language(build.path)
        if code and not language(build.path, build.lang)[0]:
            yield language_unlike_folder(build.path, code, one_line(build.lang)).at(build.path)


def _entries(
    families: Iterable[Sequence[BuildRow]], policy: Policy, webroot: Webroot | None
) -> tuple[list[Entry], list[str], list[Finding]]:
    """The entries of all builds in the order of their addresses, the pages that are not translated, findings.

    A build has a sitemap of its own, which is named after its folder.
    """
    listed: dict[str, Entry] = {}
    untranslated: list[str] = []
    findings = []
    for family in families:
        # By their addresses below the build, and then by language.
        pages: dict[str, dict[str, Entry]] = {}
        for build in family:
            group = ""
            if not policy.whole:  # some file systems tell no case
                group = re.sub(r"[^a-z0-9]+", "-", build.path.lower()).strip("-") or "root"
            for sitemap in build.joined:
                if sitemap.session:
                    findings.append(session_id(sitemap.place, sitemap.session).at(sitemap.place))
                if sitemap.element:
                    lost = element_lost(sitemap.place, sitemap.element, sitemap.url)
                    findings.append(lost.at(sitemap.place))
                for entry in entries_of_build(sitemap):
                    translations = pages.setdefault(entry.loc.removeprefix(sitemap.folder), {})
                    translations.setdefault(build.language, entry._replace(group=group))
        for translations in pages.values():
            if webroot and policy.default in translations and len(translations) > 1:
                codes = _untranslated(translations, policy.default, webroot)
                untranslated += [translations.pop(code).loc for code in codes]
            alternates = []
            if 1 < len(translations) <= _MOST_LANGUAGES:
                links = {code: translations[code].loc for code in sorted(translations)}
                add_default(links, policy.default)
                alternates = [*starmap(Alternate, links.items())]
            for entry in translations.values():
                # Where two builds list one address, the first one has it.
                listed.setdefault(entry.loc, entry._replace(alternates=tuple(alternates) or entry.alternates))
    left_out = dict.fromkeys(untranslated)
    for loc, entry in listed.items():  # The sitemap of a build may link to pages that the join leaves out.
        alternates_of_build = move_alternates(loc, entry.alternates, left_out)
        listed[loc] = entry._replace(alternates=alternates_of_build)
    untranslated.sort()
    if untranslated:
        findings.append(not_translated(len(untranslated), untranslated[0], policy.default))
    return sorted(listed.values(), key=attrgetter("loc")), untranslated, findings


def _untranslated(translations: Mapping[str, Entry], default: str, webroot: Webroot) -> list[str]:
    """The languages, of those of one page, in which it has the words that it has in the default one."""
    words = {}
    for code, entry in translations.items():
        file = webroot.file(entry.loc)
        if file:
            with suppress(OSError):
                words[code] = fingerprint(file)
    original = words.pop(default, "")  # empty also where there is too little text to compare
    return [code for code, text in words.items() if original and text == original]


def find_versions(
    tree: Path, base: Base, policy: Policy, table: Mapping[str, BuildRow], left_out: Mapping[str, LeftOut]
) -> tuple[Mapping[str, str], list[Finding]]:
    """Return the versions whose pages are marked or restored, and findings about versions.

    Each version comes with the folder of the canonical version next to it, or with ``""`` if it is canonical.
    Builds in ``left_out`` are not changed, with two exceptions. A version that robots.txt forbids is marked
    like the others. A preview is restored, because earlier versions of ``join`` marked previews. There are no
    versions if search engines would not list a canonical version.

    Raises:
        SitemapError: If the canonical version has no pages of its own.
    """
    restores = policy.treatment == "keep"
    root = os.path.realpath(tree)
    builds = {}
    for path, build in table.items():
        is_left_out_preview = path in left_out and is_in_preview(path, policy.named)
        is_unchanged = left_out.get(path) is LeftOut.OPTION or (is_left_out_preview and not restores)
        if not is_unchanged:
            builds[path] = build
    versions = []
    for build in policy.versions(builds.values(), channels=restores):
        folder = os.path.normpath(f"{root}/{build.path}")
        if os.path.realpath(folder) == folder:  # an alias that is a link has no pages of its own
            versions.append(build)
    if restores:
        return {build.path: "" for build in versions}, []
    candidates = {path: build for path, build in builds.items() if path not in left_out}
    version = policy.canonical_of({build.version for build in candidates.values() if build.state} - {""})
    canonical_of: dict[str, str] = {}
    webroot = Webroot.at(tree, base)
    joined = {build.folder for build in builds.values() if build.state == "joined"}
    checked: dict[str, Finding | None] = {}
    alone = []
    for build in versions:
        named = candidates.get(f"{build.above}{version}/")
        if named is None:
            alone.append(build.path)
            continue
        canonical = _shown_version(candidates, named, base)
        if canonical.path not in checked:
            has_sitemap = canonical.folder in joined
            checked[canonical.path] = check_home(webroot, canonical.path, has_sitemap=has_sitemap)
        canonical_of[build.path] = canonical.path
        is_same = build == named or _is_alias(build, canonical, tree, policy.aliases)
        if build == canonical or (is_same and policy.treatment == "noindex"):
            canonical_of[build.path] = ""
    unlisted = [*filter(None, checked.values())]
    if unlisted:
        return {}, unlisted
    if not alone:
        return canonical_of, []
    return canonical_of, [old_version_alone(len(alone), alone[0], version).at(alone[0])]


def _shown_version(builds: Mapping[str, BuildRow], build: BuildRow, base: Base) -> BuildRow:
    """The version next to a build whose pages it shows, as its copy or alias; itself, where it is none."""
    path = base.path_of(build.original) if build.original else None
    other = None if path is None else build_at(builds, f"{path}/")
    if other and other.version and other.above == build.above:
        return builds.get(other.folder, other)
    return build


def _is_alias(build: BuildRow, other: BuildRow, tree: Path, aliases: Mapping[str, str]) -> bool:
    """Whether two folders are one version: the same folder by a link, or two names of it in mike's list."""
    if aliases.get(build.version, build.version) == aliases.get(other.version, other.version):
        return True
    return os.path.realpath(tree / build.path) == os.path.realpath(tree / other.path)


def edit_pages(
    tree: Path, base: Base, versions: Mapping[str, str], policy: Policy, *, dry_run: bool = False
) -> tuple[Published, Mapping[str, int]]:
    """Marks the pages of old versions, or takes the marks away; all other versions lose theirs.

    Returns what was done, and the number of edited pages of each version.

    All pages are written before the first is moved into place, each as a whole. What is marked as it should
    be is left alone, so that a run that was interrupted can be repeated. Raises SitemapError.
    """
    address_of = cache(partial(_canonical_address, Webroot.at(tree, base)))  # several old pages ask for one
    edited: Counter[str] = Counter()
    unsure: dict[HeadProblem, list[str]] = {}
    with Output(tree, dry_run=dry_run) as output:
        for folder, replaced_by in versions.items():
            for name in _pages(tree, folder):
                path = name.removeprefix(folder)
                with files.translated_errors(tree / name, "read", "Correct its permissions."):
                    deployed = files.read_inside(tree, name)
                page = without_marks(deployed)
                if replaced_by and not is_error_page(path):
                    url = address_of(replaced_by, path) if policy.treatment == "canonical" else ""
                    try:
                        page = _marked(page, name, base, tree, url)
                    except UnsureHead as error:
                        unsure.setdefault(error.problem, []).append(name)
                        continue
                if page != deployed:
                    output.add(name, page)
                    edited[folder] += 1
        output.commit()
    findings = []
    for problem, names in unsure.items():
        pages = many(len(names), "page")
        message = f"{pages} of old versions, such as {names[0]}, not changed: {problem.value}."
        findings.append(old_version_unchanged(message).at(names[0]))
    return Published(changed=tuple(output.changed), findings=tuple(findings)), edited


def _marked(page: bytes, name: str, base: Base, tree: Path, url: str) -> bytes:
    """Return a page with a canonical link to ``url``, or with a noindex if ``url`` is ``""``.

    A page with a noindex loses its canonical links to other pages: a search engine may follow them instead,
    and the pages may be gone. Redirects, parts of pages and pages that have a noindex already do not change.

    Args:
        page: The content of the page.
        name: The name of its file in the tree.
        base: The base URL of the tree.
        tree: The folder of the tree.
        url: The address of the same page in the canonical version.
    """
    head = parse_head(page)
    loc = base.loc(name)
    exclusion = exclusion_of(head, loc, canonical_links(head, loc, tree / name, base, tree))
    if head.template or (exclusion and exclusion.reason is not Reason.CANONICAL):
        return page
    if url:
        return with_canonical(page, url)
    return with_noindex(page, unlinked=exclusion is not None)


def _canonical_address(webroot: Webroot, folder: str, below: str) -> str:
    """The address of a page of the version in ``folder``; ``""`` where it is gone or not indexed."""
    name = f"{folder}{below}"
    # A page may have changed from a.html to a/index.html since.
    file = webroot.file_at(name) or webroot.file_at(address(name, "bare"))
    if file is None or not file.endswith(files.HTML_SUFFIXES):
        return ""
    head = read_unmarked(webroot.folder, file)
    loc = webroot.base.loc(address(file, "folders"))
    links = canonical_links(head, loc, webroot.folder / file, webroot.base, webroot.folder)
    exclusion = exclusion_of(head, loc, links)
    if head.template or (exclusion and exclusion.reason is not Reason.CANONICAL):
        return ""
    root = os.path.realpath(webroot.folder / folder)
    for url in head.canonical_urls(loc):  # as this version spells its addresses
        target = webroot.file(url)
        if target and files.is_inside(os.path.realpath(target), root):
            return url
    return loc


def _pages(tree: Path, folder: str) -> Iterator[str]:
    """The names of the HTML files of a version, below the tree; links are passed over."""
    root = os.path.realpath(tree / folder)
    with files.translated_errors(tree / folder, "read as a whole", "Correct the permissions of its folders."):
        for below, _, names in files.walk_folders(root, whole=True):
            for name in sorted(names):
                if name.lower().endswith(files.HTML_SUFFIXES) and not Path(root, below, name).is_symlink():
                    yield f"{folder}{below}{name}"


def check_home(webroot: Webroot, folder: str, *, has_sitemap: bool) -> Finding | None:
    """Return a finding if search engines would not list the canonical version, judging by its home page.

    If all other versions got noindex then, the whole site would be gone from search.

    Args:
        webroot: The tree.
        folder: The path of the canonical version.
        has_sitemap: Whether a sitemap of the version is joined, so that it has pages without noindex.

    Raises:
        SitemapError: If the version has no home page, or if the home page redirects to another folder.
    """
    tree, base = webroot.folder, webroot.base
    name = f"{folder}index.html"
    if not files.find_inside(tree, name):
        raise SitemapError(f"{tree / folder} has no index.html, so it cannot be the canonical version.")
    head = read_unmarked(tree, name)
    for _ in range(_MOST_REDIRECTS):
        redirect = head.refresh_elsewhere(base.loc(name))
        if not redirect:
            break
        if not (webroot.path_of(redirect) or "").startswith(folder):
            raise SitemapError(
                f"{tree / name} is a redirect to {head.refresh}: pass the version there as "
                "--canonical-version."
            )
        target = webroot.file_of(redirect)
        if target is None:
            break
        name = target
        head = read_unmarked(tree, name)
    why = ""
    elsewhere = canonical_links(head, base.loc(name), tree / name, base, tree).elsewhere
    if elsewhere and webroot.path_of(elsewhere) is None:
        why = f"it has a canonical link to {elsewhere}, which is not below {base.url}"
    elif elsewhere and webroot.file_of(elsewhere) is None:
        why = f"it has a canonical link to {elsewhere}, and there is no such page"
    elif head.noindex and not has_sitemap:
        why = "it has noindex"
    return canonical_version_unlisted(name, why).at(name) if why else None


def _find_unjoined(folders: Iterable[str], builds: Mapping[str, BuildRow], base: Base) -> list[str]:
    """Return the folders of versions that have a sitemap of which nothing is joined.

    The pages of a copy are joined if the build is joined that it is a copy of.
    """
    with_sitemap = set()
    joined = set()
    for build in builds.values():
        path = base.path_of(build.original) if build.original else build.path
        shown = None if path is None else build_at(builds, f"{path}/index.html".lstrip("/"))
        if build.sitemaps:
            with_sitemap.add(build.folder)
        if build.sitemaps and shown and shown.state == "joined":
            joined.add(build.folder)
    return [folder for folder in folders if builds[folder].folder in with_sitemap - joined]


@reported("info")
def base_urls_differ(url: str, guessed_by: str, number: int, place: str, other: str) -> str:
    """The sitemaps in a tree have different base URLs, and nobody said which of them is right.

    Only sitemaps whose pages have the base URL of the tree are joined.
    Pass the base URL, and build the other versions again if they should be listed.
    Wrong: `sitemap-docs join public`, if `public/1.0/sitemap.xml` lists pages of a former host
    Right: `sitemap-docs join public --base-url https://example.org/`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    return (
        f"The builds have different base URLs. {url} is used, from {guessed_by}, and "
        f"{many(number, 'sitemap')} with another one, such as {other} in {place}, cannot be joined. If {url} "
        "is wrong, pass --base-url."
    )


@reported("info")
def build_left_out(listed: str, preview: str) -> str:
    """A build has a sitemap that is not joined: a preview, or a folder that robots.txt or you leave out.

    Search engines do not find its pages through the sitemap of the tree.
    If the folder is no preview, add its name with `!` to the option `leave_out`.
    Wrong: `sitemap-docs join public`, if `public/preview/` has the pages of a version called preview
    Right: `sitemap-docs join public --leave-out '!preview'`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    message = f"Left out: {listed}."
    if preview:
        message += (
            f" To list a preview, add its folder with ! to the option `leave_out`, such as `!{preview}`."
        )
    return message


@reported()
def session_id(place: str, session: str) -> str:
    """The sitemap of a build lists addresses with session ids.

    Each visit has another one, and engines would fetch one page many times.
    Configure the generator to leave them out; they are listed again without them.
    Wrong: `https://example.org/guide/;jsessionid=1A2B`
    Right: `https://example.org/guide/`
    Source: Google: URL structure,
    https://developers.google.com/search/docs/crawling-indexing/url-structure
    """
    return (
        f"{place} lists addresses with session ids, such as {session}. They are listed again without them. "
        "Configure the generator to leave them out."
    )


@reported("info")
def not_translated(number: int, first: str, default: str) -> str:
    """Pages of a translation have the words of the page in another language, and are left out.

    Engines show one of two pages with the same words.
    Translate them, or list them with the option `untranslated`.
    Wrong: `de/guide/`, in English
    Right: `de/guide/`, in German; or `--untranslated`
    Source: Google: localized versions of pages,
    https://developers.google.com/search/docs/specialty/international/localized-versions
    """
    return (
        f"Left out: {many(number, 'page')} not translated, such as {first}: the words are those of the page "
        f"in {default}. To list all, set `untranslated` to true."
    )


@reported("info")
def language_unlike_folder(build: str, code: str, lang: str) -> str:
    """A build is in a folder named after a language, and its pages name another one.

    They get no links to their translations.
    Build them with the language of the folder.
    Wrong: `de/index.html` with `<html lang="en">`
    Right: `de/index.html` with `<html lang="de">`
    Source: HTML: the attribute lang,
    https://html.spec.whatwg.org/multipage/dom.html#the-lang-and-xml:lang-attributes
    """
    return (
        f'{build} is named after the language {code}, and its pages have lang="{lang}", so that they get no '
        f"hreflang links. If they are in {code}, build them with that language (`language` in conf.py, "
        "`theme: language` in mkdocs.yml)."
    )


@reported()
def element_lost(place: str, element: str, url: str) -> str:
    """A sitemap has elements that are lost, as its pages are listed again in one without them.

    Engines no longer read what they say, such as the titles of news or videos.
    Also name the sitemap in robots.txt with the option `extra_sitemaps`, or join without `--merge`.
    Wrong: `sitemap-docs join public --merge` with `<news:news>` in `public/blog/sitemap.xml`
    Right: the same with `--extra-sitemaps https://example.org/blog/sitemap.xml`
    Source: Google: combining sitemap extensions,
    https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
    """
    return (
        f"{place} has elements that are lost where its pages are listed again, such as {element}. Also name "
        f"it in robots.txt: --extra-sitemaps {url}"
    )


@reported()
def old_version_alone(number: int, first: str, version: str) -> str:
    """Next to an old version there is no folder of the canonical one, so that its pages are not changed.

    Engines go on to show them.
    Name the version that is there, or build it in that folder.
    Wrong: `--canonical-version stable` in a tree of `1.0/` and `2.0/`
    Right: `--canonical-version 2.0`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    return (
        f"The pages of {many(number, 'folder')}, such as {first}, are not changed: there is no folder "
        f"{version} next to them."
    )


@reported("error")
def canonical_version_unlisted(name: str, why: str) -> str:
    """Search engines would not list the canonical version, so no page of an old version is edited.

    If all other versions got noindex, the whole site would be gone from search.
    Build the version again with canonical links to its own pages, or deploy the pages that the links lead to.
    Wrong: `--canonical-version 2.0`, if the pages in `2.0/` link to `latest/`, which is not deployed
    Right: `mike deploy 2.0 latest`, which deploys both
    Source: Google: canonical URLs,
    https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
    """
    return (
        f"No page of an old version is edited, because search engines would not list {name}: {why}. Correct "
        "this version, or pass another one as --canonical-version."
    )


@reported_text()
def old_version_unchanged(message: str) -> None:
    """A page of an old version was to be edited and was not.

    Engines go on to show it.
    The message has the cause: a head that browsers read in several ways, or no canonical version.
    Wrong: a page with two elements `head`
    Right: a page with one
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
