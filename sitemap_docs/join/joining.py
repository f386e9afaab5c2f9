"""Join the sites of a tree: read them, choose, write the sitemap, and edit the pages of old versions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitemap_docs.build import reported_findings
from sitemap_docs.join.index import (
    IndexSettings,
    base_url_findings,
    check_own_sitemap,
    check_root_pages,
    write_index,
)
from sitemap_docs.join.old_versions import (
    EditedPages,
    EditedVersion,
    canonical_version_unlisted,
    edit_pages,
    find_edited_versions,
    find_unjoined,
    old_version_unchanged,
)
from sitemap_docs.join.policy import (
    JoinRequest,
    Policy,
    Treatment,
    choose_sites,
    find_left_out,
    left_out_findings,
)
from sitemap_docs.join.replacements import CanonicalVersion, Replacement, ReplacementKind, find_replacements
from sitemap_docs.model import TreeSite
from sitemap_docs.output.robots_file import RobotsTxt
from sitemap_docs.project import Project
from sitemap_docs.publish import Published
from sitemap_docs.tree import (
    ROOT,
    OpenedTree,
    VersionNames,
    default_language,
    find_pages,
    is_written_by_join,
    read_sites,
    read_version_names,
    sites_of_sitemaps,
)
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The result of a join.

    Attributes:
        sites: All sites of the tree, each with the decision whether it is joined.
        published: The written files and the findings.
        edited: The number of edited pages in each old version, by the path of the version.
        replacements: The number of pages in old versions for each kind of page that replaces them.
    """

    sites: Collection[TreeSite] = ()
    published: Published = field(default_factory=Published)
    edited: Mapping[str, int] = field(default_factory=dict)
    replacements: Mapping[ReplacementKind, int] = field(default_factory=dict)


def join_sites(opened: OpenedTree, request: JoinRequest, places: Iterable[str] = ()) -> Joined:
    """Join the sites of a tree, or sitemaps without a tree.

    Args:
        opened: The project, and the tree if there is one.
        request: The wishes of the user.
        places: The files and web addresses of sitemaps. They are joined if there is no tree.

    Raises:
        SitemapError: The sites cannot be joined.
    """
    project, tree = opened.project, opened.folder
    if project.no_sitemap:
        return Joined(published=Published(no_sitemap=project.no_sitemap))
    policy = _read_policy(request, tree, project.base)
    if tree is None:
        found = sites_of_sitemaps(places, project.base)
    else:
        own = project.options.filename
        if ROOT in (policy.canonical, policy.aliases.get(policy.canonical)) and not is_written_by_join(
            tree / own
        ):
            own = ""  # It is the sitemap of the canonical version.
        found = read_sites(tree, project.base, policy.folder_names, own, policy.preferred)
    robots = RobotsTxt(replace(project, output=tree or project.output)).rules
    left_out = find_left_out(found, project.base, project.options.leave_out, robots, policy.folder_names)
    table = choose_sites(found, left_out, project.base, policy, request.root_language)
    candidates = [site for path, site in table.items() if path not in left_out]
    default = request.default_language
    if tree:
        default = default or default_language(tree, project.base, table)
    findings = [*opened.findings]
    versions: Sequence[EditedVersion] = ()
    if tree and request.treatment:
        # The canonical version is checked before any file is written.
        webroot = Webroot(tree, project.hosting)
        versions, about_versions = find_edited_versions(webroot, policy, request.treatment, table, left_out)
        findings += about_versions
    if tree:
        if policy.is_root_canonical:
            old_paths = [site.path for site in policy.versions(table.values())]
            check_root_pages(tree, project.base, table.values(), old_paths)
        check_own_sitemap(project, tree, table.values())
    settings = IndexSettings(request.is_merged, default, edits_pages=request.treatment is not None)
    published = write_index(project, table.values(), settings, tree)
    edited = EditedPages()
    if tree and versions:
        edited = _edit_versions(project, tree, request.treatment, versions, table, published)
    if opened.guessed_by:
        candidates = [site for path, site in table.items() if path not in left_out]
        findings += base_url_findings(candidates, project.base, opened.guessed_by)
    findings += left_out_findings(found, left_out, project.options.leave_out)
    shown = reported_findings(project, (*published.findings, *edited.findings, *findings))
    return Joined(
        sites=table.values(),
        published=replace(published, changed=published.changed + edited.changed, findings=shown),
        edited=edited.numbers,
        replacements=edited.replacements,
    )


def _read_policy(request: JoinRequest, tree: Path | None, base: Base) -> Policy:
    """Return the rules by which versions are selected, with the list of versions in the tree."""
    listed = VersionNames()
    if tree:
        listed = read_version_names(tree, base)
    canonical = request.canonical.removeprefix("./").rstrip("/")
    if request.canonical and canonical in ("", "."):
        canonical = ROOT
    return Policy(names=request.names, newest=request.newest, canonical=canonical, listed=listed)


def _edit_versions(
    project: Project,
    tree: Path,
    treatment: Treatment | None,
    versions: Sequence[EditedVersion],
    table: Mapping[str, TreeSite],
    published: Published,
) -> EditedPages:
    """Edit the pages of old versions, if the canonical version is in the sitemap.

    If there are sitemaps, but none of the canonical version is joined, it is not certain that search engines
    find the canonical version. Then a finding says so, and no page is edited.

    Args:
        project: The project of the join.
        tree: The folder of the sites.
        treatment: How the pages are edited.
        versions: The versions that are edited.
        table: All sites of the tree by path, with the decision of the join.
        published: The result of writing the sitemap.
    """
    has_sitemaps = any(site.sitemaps for site in table.values())
    if has_sitemaps and not published.listed and treatment != "keep":
        message = "No page of an old version is edited: no sitemap of the canonical version is joined."
        return EditedPages(findings=(old_version_unchanged(message),))
    unjoined = find_unjoined(versions, table, project.base)
    if unjoined:
        why = "the join leaves out its sitemap"
        return EditedPages(
            findings=tuple(canonical_version_unlisted(folder, why).at(folder) for folder in unjoined)
        )
    webroot = Webroot(tree, project.hosting)
    pages = {version: find_pages(tree, version.path) for version in versions}
    replacements: dict[CanonicalVersion, Mapping[str, Replacement]] = {}
    if treatment == "canonical":
        replacements = _find_all_replacements(webroot, pages)
    return edit_pages(webroot, pages, replacements, dry_run=project.dry_run)


def _find_all_replacements(
    webroot: Webroot, pages: Mapping[EditedVersion, Sequence[str]]
) -> dict[CanonicalVersion, Mapping[str, Replacement]]:
    """Return the pages that replace the pages of all old versions, by canonical version and path."""
    paths: dict[CanonicalVersion, dict[str, None]] = {}
    for version, own_paths in pages.items():
        if version.canonical:
            paths.setdefault(version.canonical, {}).update(dict.fromkeys(own_paths))
    return {canonical: find_replacements(webroot, canonical, paths[canonical]) for canonical in paths}
