"""Decide which pages of old versions are edited, and edit them.

Every version but the canonical one is an old version. Each page of an old version gets a canonical link to
the page that replaces it, or a ``noindex``.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sitemap_docs import files
from sitemap_docs.html.head import parse_head
from sitemap_docs.html.marks import (
    HeadProblem,
    UnsureHead,
    read_unmarked,
    with_canonical,
    with_noindex,
    without_marks,
)
from sitemap_docs.join.replacements import (
    GONE,
    CanonicalVersion,
    Replacement,
    ReplacementKind,
    needs_replacement,
    open_tree_visitor,
)
from sitemap_docs.join.request import Treatment
from sitemap_docs.listing.indexing import canonical_links, exclusion_of
from sitemap_docs.model import Finding, Reason, SitemapError, TreeSite
from sitemap_docs.output.transaction import Output
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many
from sitemap_docs.tree import ROOT, is_in_preview, site_at
from sitemap_docs.urls.base import Base
from sitemap_docs.version_policy import LeftOut, Policy, canonical_site
from sitemap_docs.webroot import Visit, Webroot


class EditedVersion(NamedTuple):
    """A version whose pages are edited, or get back their original content.

    Attributes:
        path: The folder of the version, such as ``1.0/``.
        canonical: The version that search engines should show instead. None if the pages get back their
            original content.
    """

    path: str
    canonical: CanonicalVersion | None = None


@dataclass(frozen=True, kw_only=True)
class EditedPages:
    """The result of editing the pages of old versions.

    Attributes:
        changed: The paths of the changed files, such as ``1.0/a.html``.
        numbers: The number of changed pages in each version, such as ``{"1.0/": 12}``.
        replacements: How many old pages have a new page at the same path, at another path, or none.
        findings: Problems with pages that could not be edited.
    """

    changed: tuple[str, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    replacements: Mapping[ReplacementKind, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def find_edited_versions(
    webroot: Webroot,
    policy: Policy,
    treatment: Treatment,
    table: Mapping[str, TreeSite],
    left_out: Mapping[str, LeftOut],
    canonical_name: str | None,
) -> tuple[list[EditedVersion], list[Finding]]:
    """Find the versions whose pages are edited, or get back their original content.

    Usually, all old versions are edited. Each old version is returned with its canonical version, the version
    that search engines should show instead. The pages of the canonical version get back their original
    content, in case earlier runs edited them.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        policy: The user's choice of versions, for example only the newest.
        treatment: How the pages of old versions are edited, such as ``noindex``. With ``keep``, the pages of
            all versions get back their original content.
        table: All versions and languages by path, such as ``2.0/``.
        left_out: The paths of versions that the common sitemap never lists, such as previews, each with the
            reason. Previews are edited only with ``keep``. Versions that the option ``leave_out`` excludes
            are never edited.
        canonical_name: The name of the canonical version. ``""`` means the top folder. None is only possible
            with ``keep``.

    Returns:
        The versions, and problems for the user. If search engines would not show the canonical version, the
        list of versions is empty.

    Raises:
        SitemapError: The canonical version has no pages of its own.
    """
    restores = treatment == "keep"
    sites = _editable_sites(policy, table, left_out, restores=restores)
    versions = _versions_with_pages(webroot, policy, sites, restores=restores)
    if restores or canonical_name is None:
        return [EditedVersion(site.path) for site in versions], []
    matches, alone = _match_versions(webroot, policy, table, left_out, canonical_name)
    same_paths = {match.site.path for match in matches if match.is_same}
    old_paths = {site.path for site in versions} - same_paths
    others = frozenset({*old_paths, *left_out} - {""})
    unlisted = _check_homes(webroot, matches, others, sites)
    if unlisted:
        return [], unlisted
    edited = []
    for match in matches:
        is_restored = match.site == match.canonical or (match.is_same and treatment == "noindex")
        canonical = None if is_restored else CanonicalVersion(match.canonical.path, others)
        edited.append(EditedVersion(match.site.path, canonical))
    findings = []
    if alone:
        findings.append(old_version_alone(len(alone), alone[0], canonical_name).at(alone[0]))
    return edited, findings


def describe_other_versions(
    webroot: Webroot,
    policy: Policy,
    table: Mapping[str, TreeSite],
    left_out: Mapping[str, LeftOut],
    canonical_name: str,
) -> dict[str, str]:
    """Describe each version for messages, for example ``1.0/`` as ``the old version 1.0/``.

    If a version has the same pages as the canonical version, it is described as ``the copy latest/``. The
    canonical version is the version that search engines should show.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        policy: The user's choice of versions, for example only the newest.
        table: All versions and languages by path, such as ``2.0/``.
        left_out: The paths of versions that the common sitemap never lists, such as previews, each with the
            reason.
        canonical_name: The name of the canonical version. ``""`` means the top folder.

    Returns:
        The descriptions by path.
    """
    matches, _ = _match_versions(webroot, policy, table, left_out, canonical_name)
    same_paths = {match.site.path for match in matches if match.is_same}
    described = {}
    for site in policy.versions(table.values()):
        is_same = site.path in same_paths
        described[site.path] = f"the copy {site.path}" if is_same else f"the old version {site.path}"
    return described


def _editable_sites(
    policy: Policy, table: Mapping[str, TreeSite], left_out: Mapping[str, LeftOut], *, restores: bool
) -> dict[str, TreeSite]:
    """Return the versions and languages whose pages may be edited, by path.

    Args:
        policy: The user's choice of versions. It may contain folders that only look like previews.
        table: All versions and languages by path, such as ``2.0/``.
        left_out: The paths of versions that the common sitemap never lists, each with the reason. Versions
            that the option ``leave_out`` excludes are not returned.
        restores: Whether the pages get back their original content. Only then, previews in ``left_out`` are
            returned, too.
    """
    sites = {}
    for path, site in table.items():
        is_left_out_preview = path in left_out and is_in_preview(path, policy.folder_names)
        is_unchanged = left_out.get(path) is LeftOut.OPTION or (is_left_out_preview and not restores)
        if not is_unchanged:
            sites[path] = site
    return sites


def _versions_with_pages(
    webroot: Webroot, policy: Policy, sites: Mapping[str, TreeSite], *, restores: bool
) -> list[TreeSite]:
    """Return the versions that have pages of their own. Aliases that are symbolic links are left out.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        policy: The user's choice of versions, which tells versions from other folders.
        sites: The versions and languages by path, such as ``2.0/``.
        restores: Whether the pages get back their original content. Then each folder called ``dev`` or
            ``stable`` is a version, even without a sitemap.
    """
    root = os.path.realpath(webroot.folder)
    versions = []
    for site in policy.versions(sites.values(), channels=restores):
        folder = os.path.normpath(f"{root}/{site.path}")
        if os.path.realpath(folder) == folder:
            versions.append(site)
    return versions


def _match_versions(
    webroot: Webroot,
    policy: Policy,
    table: Mapping[str, TreeSite],
    left_out: Mapping[str, LeftOut],
    canonical_name: str,
) -> tuple[list["_Match"], list[str]]:
    """Find for each version the version that search engines should show instead.

    For example, it is ``en/stable/`` for ``en/1.0/``, and ``de/stable/`` for ``de/1.0/``.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        policy: The user's choice of versions, for example only the newest.
        table: All versions and languages by path, such as ``2.0/``.
        left_out: The paths of versions that the common sitemap never lists, such as previews, each with the
            reason.
        canonical_name: The name of the version to show, such as ``stable``. ``""`` means the top folder.

    Returns:
        The pairs of versions, and the paths of versions for which there is no version to show.
    """
    sites = _editable_sites(policy, table, left_out, restores=False)
    candidates = {path: site for path, site in sites.items() if path not in left_out}
    matches = []
    alone = []
    for site in _versions_with_pages(webroot, policy, sites, restores=False):
        match = _match_canonical(site, canonical_name, candidates, webroot, policy)
        if match:
            matches.append(match)
        else:
            alone.append(site.path)
    return matches, alone


class _Match(NamedTuple):
    """A version, and the version in the same folder that search engines should show instead.

    Attributes:
        site: The version, such as ``en/1.0/``.
        canonical: The version to show instead, such as ``en/stable/``.
        is_same: Whether ``site`` has the pages of the version to show, for example as an alias or a copy.
    """

    site: TreeSite
    canonical: TreeSite
    is_same: bool


def _match_canonical(
    site: TreeSite, name: str, candidates: Mapping[str, TreeSite], webroot: Webroot, policy: Policy
) -> _Match | None:
    """Find the version in the same folder that search engines should show instead of ``site``.

    For example, it is ``en/stable/`` for ``en/1.0/``, and ``de/stable/`` for ``de/1.0/``.

    Args:
        site: A version, such as ``en/1.0/``.
        name: The name of the version to show, such as ``stable``. ``""`` means the pages that are directly in
            ``en/``, outside of all versions.
        candidates: The versions and languages that the common sitemap may list, by path.
        webroot: The folder with all versions, and the redirects of its host.
        policy: The user's choice of versions, with all aliases.

    Returns:
        ``site`` together with the version to show, or None if its folder contains no version to show.
    """
    # A project or a language in a folder of its own may have old versions only.
    if not name and site.above and webroot.file_at(site.above) is None:
        return None
    canonical = canonical_site(candidates, site.above, name, webroot.base)
    if canonical is None:
        return None
    is_same = name != "" and (
        site.version == name or _is_alias(site, canonical, webroot.folder, policy.aliases)
    )
    return _Match(site, canonical, is_same or _is_copy(site, canonical, webroot.base))


def _is_alias(site: TreeSite, other: TreeSite, tree: Path, aliases: Mapping[str, str]) -> bool:
    """Check whether two folders are the same version, for example ``latest/`` and ``2.0/``.

    They are the same if one is a symbolic link to the other, or if the list of versions says so.

    Args:
        site: The version in one folder.
        other: The version in the other folder.
        tree: The folder with all versions, such as a checkout of ``gh-pages``.
        aliases: All names in the list of versions, such as ``{"latest": "2.0", "2.0": "2.0"}``.
    """
    if aliases.get(site.version, site.version) == aliases.get(other.version, other.version):
        return True
    return os.path.realpath(tree / site.path) == os.path.realpath(tree / other.path)


def _is_copy(site: TreeSite, other: TreeSite, base: Base) -> bool:
    """Check whether the version ``site`` is marked as a copy of the version ``other``.

    A copy has exactly the same pages. ``base`` is the base URL of the folder with all versions.
    """
    return site.is_copy and base.path_of(site.original) == other.path


def _check_homes(
    webroot: Webroot, matches: Sequence[_Match], others: frozenset[str], sites: Mapping[str, TreeSite]
) -> list[Finding]:
    """Report each canonical version that search engines would not show, for example because of ``noindex``.

    A canonical version is the version that search engines should show instead of old versions.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        matches: Pairs of a version and its canonical version.
        others: The folders of all versions that are not canonical.
        sites: All versions and languages by path, such as ``2.0/``.

    Raises:
        SitemapError: A canonical version has no pages of its own.
    """
    joined = {site.folder or site.path for site in sites.values() if site.state == "joined"}
    findings = []
    for site in {match.canonical.path: match.canonical for match in matches}.values():
        has_sitemap = (site.folder or site.path) in joined
        finding = check_home(webroot, CanonicalVersion(site.path, others), has_sitemap=has_sitemap)
        if finding:
            findings.append(finding)
    return findings


def why_not_edited(
    treatment: Treatment | None,
    versions: Sequence[EditedVersion],
    sites: Mapping[str, TreeSite],
    base: Base,
    *,
    has_listed: bool,
) -> list[Finding]:
    """Return the reasons why the pages of old versions must not be edited, or an empty list.

    For example, search engines may be unable to find the new pages. If the old pages got a ``noindex``, the
    whole site would disappear from search.

    Args:
        treatment: How the pages of old versions are edited, such as ``noindex``.
        versions: The versions to edit.
        sites: All versions and languages by path, such as ``2.0/``.
        base: The common base URL.
        has_listed: Whether the common sitemap lists anything.
    """
    has_sitemaps = any(site.sitemaps for site in sites.values())
    if has_sitemaps and not has_listed and treatment != "keep":
        message = "No page of an old version is edited, as no sitemap of the canonical version is joined."
        return [old_version_unchanged(message)]
    why = "the join leaves out its sitemap"
    unjoined = _find_unlisted_canonical(versions, sites, base)
    return [canonical_version_unlisted(folder, why).at(folder) for folder in unjoined]


def _find_unlisted_canonical(
    versions: Iterable[EditedVersion], sites: Mapping[str, TreeSite], base: Base
) -> list[str]:
    """Return the folders of canonical versions whose sitemaps the common sitemap does not list.

    A canonical version is the version that search engines should show instead of old versions. If it has no
    sitemap at all, its folder is not returned.

    Args:
        versions: The old versions, each with its canonical version.
        sites: All versions and languages by path, such as ``2.0/``.
        base: The common base URL.
    """
    with_sitemap = set()
    joined = set()
    for site in sites.values():
        folder = site.folder or site.path
        path = base.path_of(site.original) if site.original else site.path
        shown = None if path is None else site_at(sites, f"{path}/index.html".lstrip("/"))
        if site.sitemaps:
            with_sitemap.add(folder)
        if site.sitemaps and shown and shown.state == "joined":
            joined.add(folder)
    unjoined = []
    for path in sorted({version.canonical.folder for version in versions if version.canonical}):
        canonical = sites.get(path)
        folder = path
        if canonical and canonical.folder:
            folder = canonical.folder
        if folder in with_sitemap - joined:
            unjoined.append(path)
    return unjoined


def check_home(webroot: Webroot, canonical: CanonicalVersion, *, has_sitemap: bool) -> Finding | None:
    """Return a finding if search engines would not show the home page of the canonical version.

    The canonical version is the version that search engines should show instead of old versions. If they
    could not show it and the old versions got a ``noindex``, the whole site would disappear from search.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        canonical: The canonical version.
        has_sitemap: Whether the common sitemap lists pages of this version. Then its home page may have a
            ``noindex``.

    Raises:
        SitemapError: The version has no home page, or its home page redirects to another version.
    """
    tree, base = webroot.folder, webroot.base
    name = f"{canonical.folder}index.html"
    visits = open_tree_visitor(webroot).follow(base.loc(canonical.folder))
    if not (visits[0].target or files.find_inside(tree, name)):
        raise SitemapError(
            f"{tree / canonical.folder} has no index.html, so it cannot be the canonical version. Build it "
            "first, or pass another --canonical-version."
        )
    for visit in visits:
        if visit.file and visit.file.endswith(files.HTML_SUFFIXES):
            name = visit.file
        if visit.target:
            _check_redirect(webroot, canonical, visit)
    head = read_unmarked(tree, name)
    why = ""
    elsewhere = canonical_links(head, base.loc(name), tree / name, base, tree).elsewhere
    if elsewhere and webroot.path_of(elsewhere) is None:
        why = f"it has a canonical link to {elsewhere}, which is not below {base.url}"
    elif elsewhere and webroot.file_of(elsewhere) is None:
        why = f"it has a canonical link to {elsewhere}, but that page does not exist"
    elif head.noindex and not has_sitemap:
        why = "it has noindex"
    return canonical_version_unlisted(name, why).at(name) if why else None


def _check_redirect(webroot: Webroot, canonical: CanonicalVersion, visit: Visit) -> None:
    """Raise SitemapError if a redirect of the home page leads readers out of their version.

    ``canonical`` is the version, and ``visit`` the redirect.
    """
    path = webroot.path_of(visit.target)
    if path is not None and canonical.covers(path):
        return
    advice = "pass the version there as --canonical-version."
    above = canonical.folder.rstrip("/").rpartition("/")[0]
    if path is not None and path.removesuffix("index.html").rstrip("/") == above:
        advice = f"pass --canonical-version {ROOT}"
    raise SitemapError(f"{visit.url} is a redirect to {visit.target}: {advice}")


def edit_pages(
    webroot: Webroot,
    pages: Mapping[EditedVersion, Sequence[str]],
    replacements: Mapping[CanonicalVersion, Mapping[str, Replacement]],
    *,
    dry_run: bool = False,
) -> EditedPages:
    """Add a canonical link or a ``noindex`` to the pages of old versions, for search engines.

    A page with a known new page gets a canonical link to the new page. All other pages get a ``noindex``. If
    an error occurs, no page is changed.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        pages: The paths of the pages in each version. If ``version.canonical`` is None, the pages get back
            their original content.
        replacements: For each version with new pages: the new page for the path of each old page.
        dry_run: Whether to write no file.

    Raises:
        SitemapError: A page cannot be read or written.
    """
    tree = webroot.folder
    numbers: Counter[str] = Counter()
    kinds: Counter[ReplacementKind] = Counter()
    unsure: dict[HeadProblem, list[str]] = {}
    with Output(tree, dry_run=dry_run) as output:
        for version, paths in pages.items():
            for path in paths:
                name = version.path + path
                with files.translated_errors(tree / name, "read", "Correct its permissions."):
                    deployed = files.read_inside(tree, name)
                page = without_marks(deployed)
                if version.canonical:
                    replacement = replacements.get(version.canonical, {}).get(path, GONE)
                    try:
                        marked = _edit_page(webroot, version.path, path, page, replacement)
                    except UnsureHead as error:
                        unsure.setdefault(error.problem, []).append(name)
                        continue
                    if marked is not None:
                        page = marked
                        kinds[replacement.kind] += 1
                if page != deployed:
                    output.add(name, page)
                    numbers[version.path] += 1
        output.commit()
    findings = []
    for problem, names in unsure.items():
        number = many(len(names), "page")
        message = f"Could not edit {number} of old versions, for example {names[0]}: {problem.value}."
        findings.append(old_version_unchanged(message).at(names[0]))
    return EditedPages(
        changed=tuple(output.changed), numbers=numbers, replacements=kinds, findings=tuple(findings)
    )


def _edit_page(
    webroot: Webroot, version_path: str, path: str, page: bytes, replacement: Replacement
) -> bytes | None:
    """Return an old page with a canonical link to its new page, or with ``noindex`` if it has no new page.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        version_path: The folder of the old version, such as ``1.0/``.
        path: The path of the old page inside its version, such as ``a.html``.
        page: The original content of the old page.
        replacement: The new page.

    Returns:
        The edited page. None if search engines do not show the old page anyway, for example because it is a
        redirect.

    Raises:
        UnsureHead: The page cannot be edited safely.
    """
    name = version_path + path
    head = parse_head(page)
    loc = webroot.base.loc(name)
    if not needs_replacement(path, head, loc):
        return None
    links = canonical_links(head, loc, webroot.folder / name, webroot.base, webroot.folder)
    exclusion = exclusion_of(head, loc, links)
    if exclusion and exclusion.reason is not Reason.CANONICAL:
        return None
    if replacement.url:
        return with_canonical(page, replacement.url)
    return with_noindex(page, unlinked=exclusion is not None)


@reported()
def old_version_alone(number: int, first: str, version: str) -> str:
    """The pages of an old version are not edited, because there is no canonical version in the same folder.

    Search engines still show the old pages.
    Pass a version that exists in this folder, or build the canonical version there.
    Wrong: `--canonical-version stable` in a tree of `1.0/` and `2.0/`
    Right: `--canonical-version 2.0`
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    missing = f"folder {version}" if version else "index.html"
    return (
        f"The pages of {many(number, 'folder')}, for example {first}, were not changed, because there is no "
        f"{missing} next to them. Pass another --canonical-version, or build that version there."
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
        f"No page of an old version was edited, because search engines would not list {name}: {why}. "
        "Correct this version, or pass another one as --canonical-version."
    )


@reported_text()
def old_version_unchanged(message: str) -> None:
    """A page of an old version could not be edited.

    Search engines still show the page.
    The message shows the reason: the head of the page is not clear, or no canonical version is joined.
    Wrong: a page with two elements `head`
    Right: a page with one
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
