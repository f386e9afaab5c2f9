"""Join the sites of a tree: read and choose them, write the sitemap, and edit the pages of old versions."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.build import reported_findings
from sitemap_docs.history.moved_pages import MovedPage
from sitemap_docs.html.marks import read_unmarked
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
    describe_other_versions,
    edit_pages,
    find_edited_versions,
    why_not_edited,
)
from sitemap_docs.join.replacements import (
    CanonicalVersion,
    Replacement,
    ReplacementKind,
    find_replacements,
    is_missing,
    needs_replacement,
)
from sitemap_docs.join.request import JoinRequest
from sitemap_docs.join.version_records import read_version_records
from sitemap_docs.model import SitemapError, TreeSite
from sitemap_docs.output.record import Record
from sitemap_docs.project import Project
from sitemap_docs.publish import Published
from sitemap_docs.surroundings import Environment
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
from sitemap_docs.urls.languages import hreflang
from sitemap_docs.urls.link_styles import address
from sitemap_docs.version_policy import (
    Policy,
    VersionChoice,
    choose_versions,
    left_out_findings,
    normalize_version,
)
from sitemap_docs.webroot import Webroot

Replacements = Mapping[CanonicalVersion, Mapping[str, Replacement]]
"""For each version with new pages: the new page for the path of each old page."""


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The result of ``sitemap-docs join``, which writes the common sitemap of all versions.

    Attributes:
        sites: All versions and languages. The attribute ``state`` says whether the sitemap lists them.
        published: The written files, and problems for the user.
        edited: The number of edited pages in each version, by path.
        replacements: How many old pages have a new page at the same path, at another path, or none.
        redirects: The lines with redirects, if the user asked for redirects only. Then no file is written.
    """

    sites: Collection[TreeSite] = ()
    published: Published = field(default_factory=Published)
    edited: Mapping[str, int] = field(default_factory=dict)
    replacements: Mapping[ReplacementKind, int] = field(default_factory=dict)
    redirects: tuple[str, ...] = ()


class FoundRedirects(NamedTuple):
    """The old addresses of moved pages, which need redirects to the new addresses.

    Attributes:
        moved_pages: The pages with a known new address, each with the old and the new address.
        unknown: The old addresses of pages without a known new address.
    """

    moved_pages: Sequence[MovedPage]
    unknown: Sequence[str]


def join_sites(opened: OpenedTree, request: JoinRequest, places: Iterable[str] = ()) -> Joined:
    """Write the common sitemap of all versions and languages of a documentation.

    Args:
        opened: The project, and the folder with all versions if there is one.
        request: The flags of the user.
        places: The sitemaps of the versions, as files or web addresses, if there is no folder.

    Raises:
        SitemapError: The sitemap cannot be written. No file has been changed.
    """
    project, tree = _protect_records(opened.project, request), opened.folder
    if project.no_sitemap:
        return Joined(published=Published(no_sitemap=project.no_sitemap))
    choice = _find_versions(opened, request, places)
    sites = choice.sites.values()
    findings = [*opened.findings]
    default = hreflang(request.default_language) or ""
    versions: Sequence[EditedVersion] = ()
    pages: Mapping[EditedVersion, Sequence[str]] = {}
    replacements: Replacements = {}
    if tree:
        default = default or default_language(tree, project.base, choice.sites)
        records = read_version_records(
            request.version_records, tree, choice.sites, choice.policy, choice.left_out
        )
        if request.treatment:
            webroot = Webroot(tree, project.hosting)
            versions, about_versions = find_edited_versions(
                webroot, choice.policy, request.treatment, choice.sites, choice.left_out, choice.canonical
            )
            findings += about_versions
            pages = {version: find_pages(tree, version.path) for version in versions}
            if request.treatment == "canonical":
                replacements = _find_all_replacements(webroot, pages, records, project.surroundings.environ)
        if choice.policy.is_root_canonical:
            webroot = Webroot(tree, project.hosting)
            others = describe_other_versions(webroot, choice.policy, choice.sites, choice.left_out, "")
            check_root_pages(tree, project.base, sites, others)
    check_own_sitemap(project, tree, sites)
    settings = IndexSettings(request.is_merged, default, edits_pages=request.treatment is not None)
    published = write_index(project, sites, settings, tree)
    edited = EditedPages()
    if tree and versions:
        has_listed = published.listed > 0
        reasons = why_not_edited(
            request.treatment, versions, choice.sites, project.base, has_listed=has_listed
        )
        findings += reasons
        if not reasons:
            webroot = Webroot(tree, project.hosting)
            edited = edit_pages(webroot, pages, replacements, dry_run=project.dry_run)
    if opened.guessed_by:
        candidates = [site for path, site in choice.sites.items() if path not in choice.left_out]
        findings += base_url_findings(candidates, project.base, opened.guessed_by)
    findings += left_out_findings(choice.sites, choice.left_out, project.options.leave_out)
    shown = reported_findings(project, (*published.findings, *edited.findings, *findings))
    return Joined(
        sites=sites,
        published=replace(published, changed=published.changed + edited.changed, findings=shown),
        edited=edited.numbers,
        replacements=edited.replacements,
    )


def _protect_records(project: Project, request: JoinRequest) -> Project:
    """Return the project without the option ``record`` if writing that file would destroy a record.

    The user may have passed the same file with ``--version-record``. It is the record of a version's build.
    """
    if project.record_file is None:
        return project
    own = project.record_file.resolve()
    if all(file.resolve() != own for _, file in request.version_records):
        return project
    return replace(project, options=project.options.replaced(record=""))


def find_redirects(opened: OpenedTree, request: JoinRequest) -> FoundRedirects:
    """Find redirects for pages that have moved since an old version of the documentation.

    For example, ``1.0/a.html`` was moved, and is ``guide/a.html`` in the new version ``stable/``. A reader
    who changes from ``1.0/`` to ``stable/`` gets to ``stable/a.html``, so this address needs a redirect.
    Addresses that already have a redirect are left out. Nothing is written.

    Args:
        opened: The project, and the folder with all versions.
        request: The flags of the user.

    Raises:
        SitemapError: A version, or a file that the user passed, is missing.
    """
    project, tree = opened.project, opened.folder
    if tree is None:
        return FoundRedirects((), ())
    choice = _find_versions(opened, request, ())
    records = read_version_records(
        request.version_records, tree, choice.sites, choice.policy, choice.left_out
    )
    webroot = Webroot(tree, project.hosting)
    versions, findings = find_edited_versions(
        webroot, choice.policy, "canonical", choice.sites, choice.left_out, choice.canonical
    )
    for finding in findings:
        if finding.severity == "error":
            raise SitemapError(finding.message)
    canonical_folders = {version.canonical.folder for version in versions if version.canonical}
    missing = sorted(canonical_folders - records.keys())
    if missing:
        name = missing[0].rstrip("/") or ROOT
        raise SitemapError(
            "The build of the canonical version has no record, so its sources are unknown. Set the option "
            f"`record` in that build, and pass --version-record {name}=FILE."
        )
    pages = {version: find_pages(tree, version.path) for version in versions}
    moved_pages: dict[str, MovedPage] = {}
    unknown: dict[str, None] = {}
    replacements = _find_all_replacements(webroot, pages, records, project.surroundings.environ)
    for version, paths in pages.items():
        if version.canonical is None:
            continue
        for path in paths:
            replacement = replacements[version.canonical][path]
            if not replacement.moved_page and replacement.kind != "gone":
                continue
            name = version.path + path
            head = read_unmarked(tree, name)
            if not needs_replacement(path, head, project.base.loc(name)):
                continue
            if replacement.moved_page:
                moved_pages[replacement.moved_page.loc] = replacement.moved_page
            elif is_missing(webroot, version.canonical, path):
                new_path = address(version.canonical.folder + path, "folders")
                unknown[webroot.base.loc(new_path)] = None
    return FoundRedirects([moved_pages[loc] for loc in sorted(moved_pages)], sorted(unknown))


def _find_versions(opened: OpenedTree, request: JoinRequest, places: Iterable[str]) -> VersionChoice:
    """Find all versions and languages, and decide which of them the common sitemap lists.

    ``places`` are the sitemaps of the versions, if the user passed no folder with all versions.
    """
    project, tree = opened.project, opened.folder
    policy = _read_policy(request, tree, project.base)
    if tree is None:
        sites = sites_of_sitemaps(places, project.base)
    else:
        own = project.options.filename
        if policy.is_root_canonical and not is_written_by_join(tree / own):
            own = ""  # It is the sitemap of the canonical version.
        sites = read_sites(tree, project.base, policy.folder_names, own)
    root_language = hreflang(request.root_language) or ""
    return choose_versions(project, sites, policy, tree, root_language)


def _read_policy(request: JoinRequest, tree: Path | None, base: Base) -> Policy:
    """Return the user's choice of versions, with the names in a file such as ``versions.json``.

    The file is in the folder ``tree``. If ``tree`` is None, there are no such names.
    """
    listed = read_version_names(tree, base) if tree else VersionNames()
    canonical = request.canonical and normalize_version(request.canonical)
    return Policy(names=request.names, newest=request.newest, canonical=canonical, listed=listed)


def _find_all_replacements(
    webroot: Webroot,
    pages: Mapping[EditedVersion, Sequence[str]],
    records: Mapping[str, Record],
    environ: Environment,
) -> dict[CanonicalVersion, dict[str, Replacement]]:
    """Find the new page for each page of all old versions.

    Args:
        webroot: The folder with all versions, and the redirects of its host.
        pages: The paths of the pages in each old version.
        records: The results of builds, by the path of the version, such as ``2.0/``.
        environ: The environment variables for git.

    Returns:
        For each version with new pages: the new page for the path of each old page.
    """
    paths: dict[CanonicalVersion, dict[str, None]] = {}
    for version, own_paths in pages.items():
        if version.canonical:
            paths.setdefault(version.canonical, {}).update(dict.fromkeys(own_paths))
    replacements = {}
    for canonical, old_paths in paths.items():
        replacements[canonical] = find_replacements(webroot, canonical, old_paths, records, environ)
    return replacements
