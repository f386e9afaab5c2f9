"""Decide which sites of a tree are joined, and which version is the canonical one."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.config.patterns import Globs, UnmatchedGlobs
from sitemap_docs.model import Finding, SitemapError, TreeSite, TreeSitemap
from sitemap_docs.output.robots_file import RobotsTxt
from sitemap_docs.project import Project
from sitemap_docs.robots import CrawlerRules, Robots, forbids_folder, search_rules
from sitemap_docs.rules import reported
from sitemap_docs.text import one_line
from sitemap_docs.tree import ROOT, VersionNames, folder_names, is_in_preview, mark_copies, site_at
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.versions import is_preview, newest_versions, version_number

NEWEST = "newest"
"""The name that stands for the newest version."""

_MOST_SHOWN = 10
"""How many sites a message shows for one reason."""


def normalize_version(text: str) -> str:
    """Return the name or path of a version in one spelling. The top folder is ``/``.

    >>> [normalize_version(text) for text in ("./2.0/", "en/2.0", ".", "./")]
    ['2.0', 'en/2.0', '/', '/']
    """
    name = posixpath.normpath(text).strip("/")
    return ROOT if name in ("", ".") else name


class LeftOut(Enum):
    """The reason why the common sitemap never lists a version. The value is the text that users see."""

    OPTION = "the option `leave_out` matches it"
    PREVIEW = "the name of its folder looks like a preview"
    ROBOTS = "robots.txt forbids it"


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The user's choice of the versions to list. Without a choice, all versions are listed.

    Attributes:
        names: Names or globs of the versions to list.
        newest: How many of the newest versions to list, in the order of PEP 440.
        canonical: The only version to list: its name, an alias, ``newest``, or ``/`` for the top folder.
        listed: The names and aliases that a file such as ``versions.json`` or ``switcher.json`` lists.
        preferred: Names of the versions to list if another version has the same pages.
    """

    names: Sequence[str] = ()
    newest: int = 0
    canonical: str = ""
    listed: VersionNames = VersionNames()
    preferred: Sequence[str] = ()

    @property
    def aliases(self) -> Mapping[str, str]:
        """All names and aliases of versions, each with its folder: ``{"2.0": "2.0", "latest": "2.0"}``."""
        return self.listed.aliases

    @property
    def is_root_canonical(self) -> bool:
        """Whether search engines should show the version in the top folder."""
        return self._is_root(self.canonical)

    @property
    def folder_names(self) -> frozenset[str]:
        """Names of folders that are versions, even if they do not look like versions, such as ``lts``."""
        wanted_previews = filter(is_preview, self.names)
        return frozenset({*self.listed.folders, self.canonical, *wanted_previews} - {"", ROOT})

    def versions(self, sites: Collection[TreeSite], *, channels: bool = False) -> list[TreeSite]:
        """Return the folders that are versions, such as ``2.0/``. Their subfolders are left out.

        Args:
            sites: All versions and languages.
            channels: Whether a folder called ``dev`` or ``stable`` is always a version. Usually, it is a
                version only if it has a sitemap or a known name, because it may contain anything, for example
                guides for developers.
        """
        names = self.folder_names
        with_sitemap = {site.folder for site in sites if site.sitemaps}
        versions = []
        for site in sites:
            is_sure = channels or site.folder in with_sitemap or site.version in names
            if not is_sure:
                is_sure = version_number(site.version) is not None
            if site.version and site.path == site.folder and is_sure:
                versions.append(site)
        return versions

    def select(self, sites: Collection[TreeSite], canonical: str | None) -> tuple[set[str], set[str]]:
        """Return the paths of the versions that the user has chosen, and the paths of the others.

        Folders that contain no version, such as ``blog/``, are always chosen.

        Args:
            sites: The versions and languages that may be listed.
            canonical: The result of :meth:`find_canonical`.

        Raises:
            SitemapError: There is no version with one of the names.
        """
        candidates = self.candidates(sites)
        known = _version_names(candidates)
        selected = known
        if self.names or self.newest:
            selected = set(newest_versions(known, self.newest))
            for name in self.names:
                selected.update(self._matching(name, known))
        if canonical is not None:
            # The version at the root has no name. Its site is wanted like all sites without a version.
            selected &= {canonical}
        wanted = {site.path for site in candidates if not site.version or site.version in selected}
        return wanted, {site.path for site in candidates} - wanted

    def candidates(self, sites: Collection[TreeSite]) -> list[TreeSite]:
        """Return the folders among which the user can choose.

        Usually, each folder must have a sitemap. If the user has chosen a version that search engines should
        show, versions without a sitemap are returned, too.
        """
        candidates = [site for site in sites if site.sitemaps]
        if self.canonical:
            # The folders of versions next to those with a sitemap, or else at the top. Elsewhere, a folder
            # with such a name may be anything: a page of a changelog, or of a blog.
            versions = self.versions(sites)
            around = {site.above for site in candidates if site.version}
            if not around and versions:
                around = {min((site.above for site in versions), key=lambda above: above.count("/"))}
            candidates += [site for site in versions if site.above in around]
        return candidates

    def find_canonical(self, sites: Collection[TreeSite]) -> str | None:
        """Return the name of the version that search engines should show.

        Args:
            sites: The versions and languages that may be listed.

        Returns:
            The name, or ``""`` for the top folder. None means that the user has not chosen a version to show.

        Raises:
            SitemapError: ``sites`` does not contain the version that the user has chosen.
        """
        if not self.canonical:
            return None
        return self._find_version(self.canonical, _version_names(self.candidates(sites)))

    def prefer_versions(self, canonical: str | None) -> list[str]:
        """Return the versions to list if another version has the same pages, as names or globs.

        For example, if ``latest/`` and ``2.0/`` have the same pages, the user may prefer ``latest``.

        Args:
            canonical: The name of the version that search engines should show. None if the user has not
                chosen a version to show.
        """
        preferred = [*self.names, *self.preferred]
        if canonical is None:
            return preferred
        folder = self.aliases.get(canonical, canonical)
        return [folder or ROOT, *preferred]

    def find_path(self, text: str, sites: Mapping[str, TreeSite], left_out: Collection[str]) -> str:
        """Return the folder of a version, such as ``2.0/`` for ``2.0``, for ``latest`` or for ``newest``.

        Args:
            text: The name, the alias or the path of the version, or ``/`` for the top folder.
            sites: All versions and languages by path.
            left_out: The paths of the versions that are never listed. The search for ``newest`` ignores them.

        Raises:
            SitemapError: There is no such version.
        """
        name = normalize_version(text)
        if self._is_root(name):
            return ""
        above, slash, last = name.rpartition("/")
        version = self.aliases.get(last, last)
        if f"{above}{slash}{version}/" not in sites:
            listable = [site for path, site in sites.items() if path not in left_out]
            version = self._find_version(last, _version_names(self.candidates(listable)))
        path = f"{above}{slash}{version}/"
        if path not in sites:
            versions = ", ".join(site.path.rstrip("/") for site in sites.values() if site.version) or "none"
            raise SitemapError(f"There is no version {text!r}. The versions are: {versions}.")
        return path

    def _is_root(self, name: str) -> bool:
        """Check whether a name or an alias means the version in the top folder."""
        return ROOT in (name, self.aliases.get(name))

    def _find_version(self, name: str, known: AbstractSet[str]) -> str:
        """Return the name of a version, such as ``2.0`` for the alias ``latest``. The top folder is ``""``.

        Args:
            name: A name, an alias, a glob or ``newest``.
            known: The names of all versions.

        Raises:
            SitemapError: There is no such version.
        """
        if self._is_root(name):
            return ""
        if name in known:
            return name
        newest = newest_versions(known, 1) if name == NEWEST else []
        return (newest or self._matching(name, known))[0]

    def _matching(self, name: str, known: AbstractSet[str]) -> list[str]:
        """Return the known versions with this name or alias. The name may be a glob such as ``2.*``.

        Raises:
            SitemapError: There is no such version.
        """
        matching = {version for version in known if fnmatchcase(version, name)}
        # An alias may be a folder, too: a copy, which is left out later, so that the version must be in.
        matching |= {version for alias, version in self.aliases.items() if fnmatchcase(alias, name)} & known
        if not matching:
            there = ", ".join(sorted(known)) or "none"
            raise SitemapError(f"There is no version {name!r}. The versions are: {there}.")
        return sorted(matching)


def _version_names(sites: Iterable[TreeSite]) -> set[str]:
    """Return the names of the versions in ``sites``. Folders that contain no version are left out."""
    return {site.version for site in sites} - {""}


def find_left_out(
    sites: Mapping[str, TreeSite], base: Base, leave_out: Globs, robots: Robots, names: AbstractSet[str]
) -> dict[str, LeftOut]:
    """Find the versions that are never listed, such as previews, each with the reason.

    Args:
        sites: All versions and languages by path.
        base: The common base URL.
        leave_out: The option ``leave_out``. A glob that begins with ``!`` keeps a preview.
        robots: The robots.txt that search engines read.
        names: Names of folders that are versions, even if they look like previews.
    """
    crawlers = search_rules(robots).values()
    left_out = {}
    for path, site in sites.items():
        decision = leave_out.decision(folder_names(path))
        is_matched = decision is not None and decision[0]
        if is_matched:
            left_out[path] = LeftOut.OPTION
        elif _is_forbidden(site, base, crawlers):
            left_out[path] = LeftOut.ROBOTS
        elif decision is None and is_in_preview(path, names):
            left_out[path] = LeftOut.PREVIEW
    return left_out


def _is_forbidden(site: TreeSite, base: Base, crawlers: Iterable[CrawlerRules]) -> bool:
    """Check whether robots.txt hides all pages of a version from all search engines."""
    folders = {sitemap.pages for sitemap in site.sitemaps if sitemap.pages.startswith(base.url)}
    if not folders:
        return False
    return all(forbids_folder(rules, folder) for rules in crawlers for folder in folders)


def left_out_findings(
    sites: Mapping[str, TreeSite], left_out: Mapping[str, LeftOut], globs: Globs
) -> list[Finding]:
    """Report versions that are never listed, and globs in the option ``leave_out`` that match no version.

    Args:
        sites: All versions and languages by path.
        left_out: The paths of versions that are never listed, such as previews, each with the reason.
        globs: The option ``leave_out``.
    """
    unmatched = UnmatchedGlobs([("leave_out", glob) for glob in globs.patterns], "build")
    for path in sites:
        unmatched.compare(folder_names(path))
    findings = unmatched.findings()
    with_sitemap = [path for path in left_out if sites[path].sitemaps]
    if with_sitemap:
        preview = next((path for path in with_sitemap if left_out[path] is LeftOut.PREVIEW), "")
        text = _describe({path: left_out[path] for path in with_sitemap})
        findings.append(build_left_out(text, preview.rstrip("/")))
    return findings


def _describe(left_out: Mapping[str, LeftOut]) -> str:
    """Return a text for messages, such as ``old/, draft/ (robots.txt forbids it)``."""
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


@contextmanager
def _add_left_out_to_errors(left_out: Mapping[str, LeftOut]) -> Iterator[None]:
    """Add the versions that are never listed to the message of each SitemapError in the ``with`` block."""
    try:
        yield
    except SitemapError as error:
        if not left_out:
            raise
        raise SitemapError(f"{error} Left out: {_describe(left_out)}.") from None


def find_canonical_name(
    sites: Mapping[str, TreeSite], left_out: Mapping[str, LeftOut], policy: Policy
) -> str | None:
    """Return the name of the version that search engines should show.

    Args:
        sites: All versions and languages by path.
        left_out: The paths of versions that are never listed, such as previews, each with the reason.
        policy: The user's choice of versions.

    Returns:
        The name, or ``""`` for the top folder. None means that the user has not chosen a version to show.

    Raises:
        SitemapError: The version that the user has chosen does not exist, or is never listed.
    """
    with _add_left_out_to_errors(left_out):
        return policy.find_canonical([site for path, site in sites.items() if path not in left_out])


def choose_sites(
    sites: Mapping[str, TreeSite],
    left_out: Mapping[str, LeftOut],
    base: Base,
    policy: Policy,
    canonical: str | None,
    root_language: str = "",
) -> dict[str, TreeSite]:
    """Decide which versions and languages the common sitemap lists.

    Versions are not listed if one of these conditions applies:

    - The user has not chosen the version.
    - The pages are the same as in another version that is listed.
    - The sitemap lists the pages of another folder.
    - The canonical link of the home page points to another folder.

    Args:
        sites: All versions and languages by path.
        left_out: The paths of versions that are never listed, such as previews, each with the reason.
        base: The common base URL.
        policy: The user's choice of versions.
        canonical: The name of the version that search engines should show. ``""`` means the top folder. None
            means that the user has not chosen a version to show.
        root_language: The language of folders that are not named after a language.

    Returns:
        All versions and languages by path. The attribute ``state`` contains the decision.

    Raises:
        SitemapError: There is no version with a chosen name, or a sitemap is outside the base URL. The
            protocol forbids such a sitemap (https://www.sitemaps.org/protocol.html#location).
    """
    candidates = {path: site for path, site in sites.items() if path not in left_out}
    with _add_left_out_to_errors(left_out):
        wanted, unwanted = policy.select(candidates.values(), canonical)
    if canonical:
        # The canonical version may be a copy. Then its pages are listed where they belong.
        parents = {site.above for path, site in candidates.items() if path in wanted and site.version}
        shown = set()
        for above in parents:
            site_to_show = canonical_site(candidates, above, canonical, base)
            if site_to_show:
                shown.add(site_to_show.folder)
        wanted |= {path for path in unwanted if sites[path].folder in shown}
    shown_originals = {base.loc(path) for path in wanted}
    chosen = {}
    for path, unchosen in sites.items():
        site = unchosen._replace(language=unchosen.language or root_language)
        if path in left_out:
            why = left_out[path].value
            sitemaps = [sitemap._replace(why=why) for sitemap in site.sitemaps]
            site = site._replace(sitemaps=tuple(sitemaps), state="unselected", left_out=why)
        elif path in wanted:
            if site.is_copy and site.original not in shown_originals:
                # The original is not wanted, so that one copy takes its place.
                shown_originals.add(site.original)
                site = site._replace(original="", is_copy=False)
            sitemaps = [sitemap._replace(why=_why_unlisted(site, sitemap, base)) for sitemap in site.sitemaps]
            is_joined = any(not sitemap.why for sitemap in sitemaps)
            site = site._replace(sitemaps=tuple(sitemaps), state="joined" if is_joined else "left out")
        elif path in unwanted:
            sitemaps = [sitemap._replace(why="its version is not selected") for sitemap in site.sitemaps]
            site = site._replace(sitemaps=tuple(sitemaps), state="unselected")
        chosen[path] = site
    return chosen


def canonical_site(
    candidates: Mapping[str, TreeSite], above: str, canonical: str, base: Base
) -> TreeSite | None:
    """Return the version in a folder that search engines should show, or None if it is missing.

    For example, ``en/stable/`` is the version to show in ``en/``. If all its pages are the same as in
    ``en/2.0/`` or point there by canonical links, ``en/2.0/`` is returned.

    Args:
        candidates: The versions and languages that may be listed, by path.
        above: The folder with the versions, such as ``en/``, or ``""`` for the top folder.
        canonical: The name of the version to show, such as ``stable``. ``""`` means the pages that are
            directly in ``en/``, outside of all versions.
        base: The common base URL.
    """
    if not canonical:
        return candidates.get(above, TreeSite(above))
    site = candidates.get(f"{above}{canonical}/")
    return _follow_copy(candidates, site, base) if site else None


def _follow_copy(sites: Mapping[str, TreeSite], site: TreeSite, base: Base) -> TreeSite:
    """Return the original of a version that is a copy. For other versions, return the version itself.

    For example, if the canonical links of ``latest/`` point to ``2.0/``, the original is ``2.0/``. The
    original must be in the same folder.

    Args:
        sites: All versions and languages by path.
        site: A version, which may be a copy.
        base: The common base URL.
    """
    path = base.path_of(site.original) if site.original else None
    other = None if path is None else site_at(sites, f"{path}/")
    if other and other.version and other.above == site.above:
        return sites.get(other.folder, other)
    return site


def _why_unlisted(site: TreeSite, sitemap: TreeSitemap, base: Base) -> str:
    """Return the reason why a sitemap of a chosen version is not listed, or ``""`` if it is listed.

    Raises:
        SitemapError: The sitemap is outside the base URL.
    """
    if not sitemap.pages:
        return "it lists no pages, or pages on several hosts"
    if not sitemap.url.startswith(base.url):
        raise SitemapError(
            f"{sitemap.url} is not below {base.url}, but an index may list only sitemaps in its own folder "
            "or below. Do not pass this sitemap. Add it to the robots.txt at the root of the host instead: "
            f"Sitemap: {sitemap.url}"
        )
    if not sitemap.pages.startswith(sitemap.folder):
        return f"it lists pages below {sitemap.pages}"
    if site.is_copy:
        return f"its pages are the same as those of {site.original}"
    return "the canonical link of its home page points to another page" if site.original else ""


@reported("info")
def build_left_out(listed: str, preview: str) -> str:
    """A site is left out of the join: it is a preview, or robots.txt or the option `leave_out` excludes it.

    Search engines do not find its pages through the sitemap of the tree.
    If the site is not a preview, add its folder with `!` to the option `leave_out`.
    Wrong: `sitemap-docs join public`, if `public/preview/` has the pages of a version called preview
    Right: `sitemap-docs join public --leave-out '!preview'`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    message = f"Left out: {listed}."
    if preview:
        message += f" If {preview} is not a preview, add `!{preview}` to the option `leave_out`."
    return message


class VersionChoice(NamedTuple):
    """All versions and languages, and the decision which of them the common sitemap lists.

    Attributes:
        policy: The user's choice of versions, for example only the newest.
        sites: The versions and languages by path. The attribute ``state`` of each contains the decision.
        left_out: The paths of versions that are never listed, such as previews, each with the reason.
        canonical: The name of the version that search engines should show. ``""`` means the top folder. None
            means that the user has not chosen a version to show.
    """

    policy: Policy
    sites: Mapping[str, TreeSite]
    left_out: Mapping[str, LeftOut]
    canonical: str | None


def choose_versions(
    project: Project,
    sites: Mapping[str, TreeSite],
    policy: Policy,
    tree: Path | None = None,
    root_language: str = "",
) -> VersionChoice:
    """Decide which versions and languages the common sitemap lists.

    Args:
        project: The project, with its base URL and the option ``leave_out``.
        sites: All versions and languages by path.
        policy: The user's choice of versions.
        tree: The folder with all versions. None if the user passed only sitemaps.
        root_language: The language of folders that are not named after a language.

    Raises:
        SitemapError: There is no version with a chosen name, or a sitemap is outside the base URL.
    """
    base = project.base
    robots = RobotsTxt(replace(project, output=tree or project.output)).rules
    left_out = find_left_out(sites, base, project.options.leave_out, robots, policy.folder_names)
    canonical = find_canonical_name(sites, left_out, policy)
    if tree:
        sites = mark_copies(tree, base, sites, policy.prefer_versions(canonical))
    chosen = choose_sites(sites, left_out, base, policy, canonical, root_language)
    return VersionChoice(policy, chosen, left_out, canonical)
