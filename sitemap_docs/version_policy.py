"""Decide which versions of a documentation are listed in the common sitemap, and which one is canonical.

The canonical version is the version that search engines should show, such as ``2.0/``.
"""

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
from sitemap_docs.text import many, one_line
from sitemap_docs.tree import ROOT, VersionNames, find_hidden, folder_names, mark_copies, site_at
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.versions import is_preview, newest_versions, preview_folder, version_number
from sitemap_docs.webroot import Webroot

NEWEST = "newest"
"""The name that stands for the newest version."""

_MOST_SHOWN = 10
"""How many sites a message shows for one reason."""


def normalize_version(text: str) -> str:
    """Normalize the name or path of a version.

    >>> [normalize_version(text) for text in ("./2.0/", "en/2.0", ".", "./")]
    ['2.0', 'en/2.0', '/', '/']
    """
    name = posixpath.normpath(text).strip("/")
    return ROOT if name in ("", ".") else name


class LeftOut(Enum):
    """The reason why the sitemap index never lists a folder such as ``preview/``."""

    OPTION = "the option `leave_out` matches it"
    PREVIEW = "the name of its folder looks like a preview"
    ROBOTS = "robots.txt forbids it"


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The user's choice of versions for the sitemap index. By default, all are listed."""

    #: Names or globs of versions, such as ``2.*``.
    names: Sequence[str] = ()
    newest: int = 0
    #: The version that search engines should show, such as ``stable``.
    canonical: str = ""
    #: The names in a file such as ``versions.json``.
    listed: VersionNames = VersionNames()
    #: The versions to list, if several versions have the same pages.
    preferred: Sequence[str] = ()
    #: Whether there is a version next to the folders of the other versions.
    has_root: bool = False

    @property
    def aliases(self) -> Mapping[str, str]:
        """The version of each alias, such as ``{"latest": "2.0"}``."""
        return self.listed.aliases

    @property
    def is_root_canonical(self) -> bool:
        """Whether search engines should show the version in the top folder, not one such as ``1.0/``."""
        return self._is_root(self.canonical)

    @property
    def folder_names(self) -> frozenset[str]:
        """The names of folders that also count as versions, such as ``lts``."""
        wanted_previews = filter(is_preview, self.names)
        return frozenset({*self.listed.folders, self.canonical, *wanted_previews} - {"", ROOT})

    def versions(self, sites: Collection[TreeSite]) -> list[TreeSite]:
        """Return the folders that contain a version of the documentation, such as ``2.0/``.

        A folder without a number, such as ``dev/``, counts only if it has a sitemap, or if the user or a file
        such as ``versions.json`` names it.
        """
        names = self.folder_names
        with_sitemap = {site.folder for site in sites if site.sitemaps}
        versions = []
        for site in self.possible_versions(sites):
            # A folder dev/ without a sitemap may contain guides for developers.
            is_known = site.folder in with_sitemap or site.version in names
            if is_known or version_number(site.version) is not None:
                versions.append(site)
        return versions

    def possible_versions(self, sites: Iterable[TreeSite]) -> list[TreeSite]:
        """Return the folders whose names look like versions, such as ``dev/``, with or without a sitemap."""
        return [site for site in sites if site.version and site.path == site.folder]

    def select(self, sites: Collection[TreeSite], canonical: str | None) -> tuple[set[str], set[str]]:
        """Return the folders of the versions that the user has selected, and all other folders.

        Folders without a version, such as ``blog/``, are always selected.

        Raises:
            SitemapError: A selected version does not exist.
        """
        candidates = self.candidates(sites)
        known = _version_names(candidates)
        selected = known
        if self.names or self.newest:
            selected = set(newest_versions(known, self.newest))
            for name in self.names:
                matching = self._matching(name, known)
                if not matching:
                    raise _no_version(name, known)
                selected.update(matching)
        if canonical is not None:
            # The version at the root has no name. Its site is wanted like all sites without a version.
            selected &= {canonical}
        wanted = {site.path for site in candidates if not site.version or site.version in selected}
        return wanted, {site.path for site in candidates} - wanted

    def candidates(self, sites: Collection[TreeSite]) -> list[TreeSite]:
        """Return the versions that the sitemap index could list: those with a sitemap.

        If the user has chosen a canonical version, also return versions without a sitemap.
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
        """Return the version that the user wants search engines to show, such as ``2.0`` for ``newest``.

        The version in the top folder is returned as ``""``. If the user has chosen no version, return None.
        ``sites`` are all versions.

        Raises:
            SitemapError: The chosen version does not exist.
        """
        if not self.canonical:
            return None
        return self._find_version(self.canonical, _version_names(self.candidates(sites)))

    def prefer_versions(self, canonical: str | None) -> list[str]:
        """Return the names or globs of versions, such as ``2.*``, to list if several have the same pages.

        The first version in the list is preferred. It is ``canonical``, the version that search engines
        should show, if there is one.
        """
        preferred = [*self.names, *self.preferred]
        if canonical is None:
            return preferred
        folder = self.aliases.get(canonical, canonical)
        return [folder or ROOT, *preferred]

    def find_path(self, text: str, sites: Mapping[str, TreeSite], left_out: Collection[str]) -> str:
        """Return the folder of a version, such as ``2.0/`` for ``latest``.

        ``text`` is a version or alias, and ``sites`` has all versions by folder. ``left_out`` are folders
        that an alias cannot mean.

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
            paths = [site.path.rstrip("/") for site in sites.values() if site.version]
            raise _no_version(text, [*self._root_names, *paths])
        return path

    def _is_root(self, name: str) -> bool:
        """Check whether a name, such as ``/`` or an alias of it, means the version in the top folder."""
        return ROOT in (name, self.aliases.get(name))

    def _find_version(self, name: str, known: AbstractSet[str]) -> str:
        """Return the version that a user means, such as ``2.0`` for ``newest``, ``latest`` or ``2.*``."""
        if self._is_root(name):
            return ""
        if name in known:
            return name
        newest = newest_versions(known, 1) if name == NEWEST else []
        matching = newest or self._matching(name, known)
        if not matching:
            raise _no_version(name, [*self._root_names, *known])
        return matching[0]

    @property
    def _root_names(self) -> list[str]:
        """The list ``["/"]`` if the top folder contains a version, otherwise an empty list.

        In options, ``/`` is the name of the version in the top folder.
        """
        return [ROOT] if self.has_root else []

    def _matching(self, name: str, known: AbstractSet[str]) -> list[str]:
        """Return the versions in ``known`` whose name or alias matches the glob ``name``, such as ``2.*``."""
        matching = {version for version in known if fnmatchcase(version, name)}
        # An alias may be a folder, too: a copy, which is left out later, so that the version must be in.
        matching |= {version for alias, version in self.aliases.items() if fnmatchcase(alias, name)} & known
        return sorted(matching)


def _no_version(name: str, versions: Iterable[str]) -> SitemapError:
    """Return the error that a version does not exist. ``versions`` are those that exist."""
    there = ", ".join(sorted(versions)) or "none"
    return SitemapError(f"There is no version {name!r}. The versions are: {there}.")


def _version_names(sites: Iterable[TreeSite]) -> set[str]:
    """Return the names of all versions, such as ``{"1.0", "2.0"}``."""
    return {site.version for site in sites} - {""}


def find_left_out(
    sites: Mapping[str, TreeSite], base: Base, leave_out: Globs, robots: Robots, names: AbstractSet[str]
) -> dict[str, LeftOut]:
    """Return the folders that must stay out of the sitemap index, such as ``preview/``, with the reasons.

    Args:
        sites: The versions and languages, by folder.
        base: The base URL of all folders.
        leave_out: The user's globs for folders to leave out.
        robots: The rules in robots.txt, which may forbid search engines from reading a folder.
        names: Names of versions, which are not left out even if they look like the names of previews.
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
        elif decision is None and preview_folder(path, names):
            left_out[path] = LeftOut.PREVIEW
    return left_out


def _is_forbidden(site: TreeSite, base: Base, crawlers: Iterable[CrawlerRules]) -> bool:
    """Check whether robots.txt forbids all search engines from reading the version ``site``.

    ``base`` is the base URL of all versions. ``crawlers`` are the rules in robots.txt for each search engine.
    """
    folders = {sitemap.pages for sitemap in site.sitemaps if sitemap.pages.startswith(base.url)}
    if not folders:
        return False
    return all(forbids_folder(rules, folder) for rules in crawlers for folder in folders)


def left_out_findings(
    sites: Mapping[str, TreeSite], left_out: Mapping[str, LeftOut], globs: Globs
) -> list[Finding]:
    """Return notes about folders that the sitemap index leaves out, and about globs that match no folder.

    ``left_out`` maps each folder, such as ``preview/``, to the reason. ``globs`` is the value of the option
    ``leave_out``.
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
    """Describe for the user which folders are left out: ``old/, draft/ (robots.txt forbids it)``."""
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
    """If the ``with`` block raises SitemapError, add the folders that are not joined to its message.

    ``left_out`` maps these folders, such as ``preview/``, to the reasons.
    """
    try:
        yield
    except SitemapError as error:
        if not left_out:
            raise
        raise SitemapError(f"{error} Left out: {_describe(left_out)}.") from None


def _find_canonical(
    sites: Mapping[str, TreeSite], left_out: Mapping[str, LeftOut], policy: Policy
) -> str | None:
    """Return the version that the user wants search engines to show, or None if the user has chosen none.

    ``sites`` are all versions. Those in ``left_out`` cannot be chosen.
    """
    with _add_left_out_to_errors(left_out):
        return policy.find_canonical([site for path, site in sites.items() if path not in left_out])


def _select_paths(
    sites: Mapping[str, TreeSite],
    left_out: Mapping[str, LeftOut],
    base: Base,
    policy: Policy,
    canonical: str | None,
) -> tuple[set[str], set[str]]:
    """Return two sets of folders: those that the sitemap index should list, and those that it should not.

    If ``canonical`` is ``latest``, and the canonical links in ``latest/`` lead to ``2.0/``, both folders are
    in the first set.

    Args:
        sites: All versions and languages, by folder.
        left_out: Folders that are never listed. They are in neither of the two sets.
        base: The base URL of the sitemap index.
        policy: The user's choice of versions.
        canonical: The version that search engines should show, or None.
    """
    candidates = {path: site for path, site in sites.items() if path not in left_out}
    with _add_left_out_to_errors(left_out):
        wanted, unwanted = policy.select(candidates.values(), canonical)
    if canonical:
        parents = {site.above for path, site in candidates.items() if path in wanted and site.version}
        shown = set()
        for above in parents:
            site_to_show = canonical_site(candidates, above, canonical, base)
            if site_to_show:
                shown.add(site_to_show.folder)
        wanted |= {path for path in unwanted if sites[path].folder in shown}
    return wanted, unwanted - wanted


def _leave_out_site(site: TreeSite, why: str) -> TreeSite:
    """Mark a version as left out of the sitemap index, for the reason ``why``."""
    sitemaps = [sitemap._replace(why=why) for sitemap in site.sitemaps]
    return site._replace(sitemaps=tuple(sitemaps), state="unselected")


def _list_site(site: TreeSite, base: Base, *, is_hidden: bool) -> TreeSite:
    """Set the state of a version: ``joined`` if the common sitemap lists it, otherwise ``left out``.

    The common sitemap lists a version if it can list at least one of its sitemaps. ``is_hidden`` says whether
    search engines show none of its pages.
    """
    sitemaps = []
    for sitemap in site.sitemaps:
        why = _why_unlisted(site, sitemap, base, is_hidden=is_hidden)
        sitemaps.append(sitemap._replace(why=why))
    is_joined = any(not sitemap.why for sitemap in sitemaps)
    return site._replace(sitemaps=tuple(sitemaps), state="joined" if is_joined else "left out")


def canonical_site(
    candidates: Mapping[str, TreeSite], above: str, canonical: str, base: Base
) -> TreeSite | None:
    """Return the version that search engines should show, such as ``en/stable/``, or None if it is missing.

    Args:
        candidates: The versions to choose from, by folder.
        above: The folder that contains the versions, such as ``en/``.
        canonical: The name of the version, such as ``stable``, or ``""`` for the version in ``above`` itself.
        base: The base URL of the site with all versions.
    """
    if not canonical:
        return candidates.get(above, TreeSite(above))
    site = candidates.get(f"{above}{canonical}/")
    if site is None:
        return None
    return _find_linked_version(candidates, site, base) or site


def _find_linked_version(sites: Mapping[str, TreeSite], site: TreeSite, base: Base) -> TreeSite | None:
    """Return the version in the same folder to which the canonical links of a version lead, or None.

    For example, the canonical links in ``en/stable/`` may lead to ``en/2.0/``.
    """
    path = base.path_of(site.original) if site.original else None
    if path is None:
        return None
    linked = site_at(sites, f"{path}/")
    if linked is None or not linked.version or linked.above != site.above:
        return None
    return sites.get(linked.folder, linked)


def _why_unlisted(site: TreeSite, sitemap: TreeSitemap, base: Base, *, is_hidden: bool) -> str:
    """Return why the sitemap index cannot list the sitemap of a version, or ``""`` if it can.

    Raises:
        SitemapError: The sitemap is outside the base URL.
    """
    if not sitemap.pages:
        return "it lists no pages, or pages on several hosts"
    if not sitemap.url.startswith(base.url):
        # https://www.sitemaps.org/protocol.html#location
        raise SitemapError(
            f"{sitemap.url} is not below {base.url}, but an index may list only sitemaps in its own folder "
            "or below. Do not pass this sitemap. Add it to the robots.txt at the root of the host instead: "
            f"Sitemap: {sitemap.url}"
        )
    if not sitemap.pages.startswith(sitemap.folder):
        return f"it lists pages below {sitemap.pages}"
    if site.is_copy:
        return f"its pages are the same as those of {site.original}"
    if site.original:
        return "the canonical link of its home page points to another page"
    if is_hidden:
        return "each of its pages has a noindex or a canonical link to another page"
    return ""


class VersionChoice(NamedTuple):
    """All versions of a documentation, and which of them the user wants to list."""

    policy: Policy
    #: All versions and languages, by folder.
    sites: Mapping[str, TreeSite]
    #: Folders that are never listed, with the reasons.
    left_out: Mapping[str, LeftOut]
    #: The version that search engines should show, or None.
    canonical: str | None
    #: Folders of versions whose pages all have ``noindex`` or a canonical link to another page.
    hidden: AbstractSet[str] = frozenset()

    @property
    def candidates(self) -> dict[str, TreeSite]:
        """All versions and languages, by folder such as ``2.0/``, without those that are never listed."""
        return {path: site for path, site in self.sites.items() if path not in self.left_out}


def choose_versions(
    project: Project,
    sites: Mapping[str, TreeSite],
    policy: Policy,
    tree: Path | None = None,
    root_language: str = "",
    *,
    ignores_edits: bool = False,
) -> VersionChoice:
    """Decide which versions the sitemap index lists, and which version search engines should show.

    If ``ignores_edits`` is true, pages count as if no earlier join had edited them.

    Raises:
        SitemapError: A chosen version does not exist, or a sitemap is outside the base URL.
    """
    base = project.base
    robots = RobotsTxt(replace(project, output=tree or project.output)).rules
    left_out = find_left_out(sites, base, project.options.leave_out, robots, policy.folder_names)
    canonical = _find_canonical(sites, left_out, policy)
    hidden: set[str] = set()
    if tree:
        compared = [site for path, site in sites.items() if not (site.original or path in left_out)]
        hidden = find_hidden(Webroot(tree, project.hosting), compared, ignores_edits=ignores_edits)
        sites = mark_copies(tree, base, sites, policy.prefer_versions(canonical), hidden)
    wanted, unwanted = _select_paths(sites, left_out, base, policy, canonical)
    listed_urls = {base.loc(path) for path in wanted}
    chosen = {}
    for path, found_site in sites.items():
        site = found_site._replace(language=found_site.language or root_language)
        if path in left_out:
            why = left_out[path].value
            site = _leave_out_site(site, why)._replace(left_out=why)
        elif path in wanted:
            if site.is_copy and site.original not in listed_urls:
                # No other version with the same pages is wanted, so this version is listed.
                listed_urls.add(site.original)
                site = site._replace(original="", is_copy=False)
            site = _list_site(site, base, is_hidden=path in hidden)
        elif path in unwanted:
            site = _leave_out_site(site, "its version is not selected")
        chosen[path] = site
    return VersionChoice(policy, chosen, left_out, canonical, hidden)


def hidden_findings(choice: VersionChoice, *, ignores_edits: bool) -> list[Finding]:
    """Warn if the user has chosen versions by name or number that search engines do not show.

    If ``ignores_edits`` is true, edits of earlier joins are not the reason, because this join undoes them.
    """
    policy = choice.policy
    if not (policy.names or policy.newest or policy.canonical):
        return []
    paths = []
    for path in sorted(choice.hidden):
        site = choice.sites[path]
        if site.version and site.state == "left out":
            paths.append(path)
    if not paths:
        return []
    return [chosen_version_hidden(len(paths), paths[0], may_be_edited=not ignores_edits).at(paths[0])]


@reported()
def chosen_version_hidden(number: int, first: str, *, may_be_edited: bool) -> str:
    """A chosen version is left out of the join, because search engines show none of its pages.

    The pages have noindex or a canonical link to another version, usually because a join edited them.
    Choose the version that search engines should show, or restore the pages with the option `old_versions`.
    Wrong: `sitemap-docs join public --versions 1.0`, after a join with `--old-versions canonical`
    Right: `sitemap-docs join public --versions 1.0 --old-versions keep`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    chosen = f"{many(number, 'chosen version')}, such as {first}, are"
    if number == 1:
        chosen = f"The chosen version {first} is"
    advice = (
        "Remove the noindex or the canonical links, or choose another version. A noindex may also be in the "
        "rules of the host, such as `_headers`."
    )
    if may_be_edited:
        advice = (
            "If an earlier join edited the pages, you can restore the pages of all versions: set the option "
            "`old_versions` to keep."
        )
    return f"{chosen} left out, because each page has a noindex or a canonical link to another page. {advice}"


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
        message += (
            f" If {preview} is not a preview, list it: add the exception `!{preview}` to the option "
            "`leave_out`."
        )
    return message
