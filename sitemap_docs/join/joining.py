"""Run ``sitemap-docs join``: write the common sitemap of all versions, and edit the pages of old versions."""

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
    describe_edited_versions,
    describe_versions,
    edit_pages,
    find_edited_versions,
    has_home,
    why_not_edited,
)
from sitemap_docs.join.replacements import (
    CanonicalVersion,
    NewPages,
    OldAddresses,
    Replacement,
    ReplacementKind,
    find_new_pages,
    find_replacements,
    is_missing,
    needs_replacement,
)
from sitemap_docs.join.request import JoinRequest
from sitemap_docs.join.version_records import read_version_records
from sitemap_docs.model import Finding, SitemapError, TreeSite
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
from sitemap_docs.version_policy import (
    Policy,
    VersionChoice,
    choose_versions,
    hidden_findings,
    left_out_findings,
    normalize_version,
)
from sitemap_docs.webroot import Webroot

Replacements = Mapping[CanonicalVersion, Mapping[str, Replacement]]
"""For each version with new pages: the new page for the path of each old page, such as ``a.html``."""


@dataclass(frozen=True, kw_only=True)
class Joined:
    """The result of ``sitemap-docs join``.

    Attributes:
        published: The written sitemap files, and the problems that were found.
        edited: The number of edited pages in each version, such as ``{"1.0/": 12}``.
        marks: The edit of each changed file, such as ``{"1.0/a.html": "noindex"}``.
        redirects: The lines to print, if the user asked for redirects only.
    """

    sites: Collection[TreeSite] = ()
    published: Published = field(default_factory=Published)
    edited: Mapping[str, int] = field(default_factory=dict)
    replacements: Mapping[ReplacementKind, int] = field(default_factory=dict)
    redirects: tuple[str, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)


class FoundRedirects(NamedTuple):
    """Redirects from the old to the new addresses of moved pages."""

    #: The old and the new address of each page.
    moved_pages: Sequence[MovedPage]
    #: The old addresses of pages without a known new address.
    unknown: Sequence[str]


class _Plan(NamedTuple):
    """Which pages of old versions to edit, such as ``1.0/a.html``, and which pages replace them."""

    versions: Sequence[EditedVersion]
    pages: Mapping[EditedVersion, Sequence[str]]
    replacements: Replacements
    new_pages: Mapping[CanonicalVersion, NewPages]
    findings: Sequence[Finding]


_NOTHING = _Plan((), {}, {}, {}, ())
"""The plan that no page is edited."""


def join_sites(opened: OpenedTree, request: JoinRequest, places: Iterable[str] = ()) -> Joined:
    """Write the sitemap index of all versions, and edit pages of old versions.

    ``places`` are files or URLs of sitemaps, if the user has not passed a folder with all versions.

    Raises:
        SitemapError: The index cannot be written. Nothing was changed.
    """
    project, tree = opened.project, opened.folder
    if project.no_sitemap:
        return Joined(published=Published(no_sitemap=project.no_sitemap))
    choice = _find_versions(opened, request, places)
    sites = choice.sites.values()
    default = hreflang(request.default_language) or ""
    plan = _NOTHING
    if tree:
        default = default or default_language(tree, project.base, choice.sites)
        plan = _plan_edits(project, tree, choice, request)
        # The sitemap of the top folder must not list the pages that are edited.
        others = describe_edited_versions(plan.versions)
        if choice.policy.is_root_canonical:
            others = describe_versions(Webroot(tree, project.hosting), choice)
        check_root_pages(tree, project.base, sites, others)
    check_own_sitemap(project, tree, sites)
    settings = IndexSettings(
        is_merged=request.is_merged,
        default_language=default,
        edits_pages=request.treatment is not None,
        source_of=opened.source_of,
        passed_records=[file for _, file in request.version_records],
        asks_for_record=opened.asks_for_record,
    )
    published = write_index(project, sites, settings, tree)
    findings = [*opened.findings, *choice.policy.listed.findings, *plan.findings]
    edited = EditedPages()
    if tree and plan.versions:
        has_listed = published.listed > 0
        reasons = why_not_edited(
            request.treatment, plan.versions, choice, project.base, has_listed=has_listed
        )
        if not reasons:
            webroot = Webroot(tree, project.hosting)
            edited = edit_pages(
                webroot, plan.pages, plan.replacements, plan.new_pages, dry_run=project.dry_run
            )
        findings += reasons
    if opened.guessed_by:
        findings += base_url_findings(choice.candidates.values(), project.base, opened.guessed_by)
    findings += hidden_findings(choice, ignores_edits=request.treatment is not None)
    findings += left_out_findings(choice.sites, choice.left_out, project.options.leave_out)
    shown = reported_findings(project, (*published.findings, *edited.findings, *findings))
    return Joined(
        sites=sites,
        published=replace(published, changed=published.changed + edited.changed, findings=shown),
        edited=edited.numbers,
        marks=edited.marks,
        replacements=edited.replacements,
    )


def _plan_edits(project: Project, tree: Path, choice: VersionChoice, request: JoinRequest) -> _Plan:
    """Decide which pages of old versions, such as ``1.0/a.html``, get a canonical link or ``noindex``.

    Args:
        project: The options and the base URL.
        tree: The folder that contains all versions.
        choice: All versions, and which of them the sitemap lists.
        request: The options of ``sitemap-docs join``.
    """
    webroot = Webroot(tree, project.hosting)
    records = read_version_records(request.version_records, webroot, choice)
    if not request.treatment:
        return _NOTHING
    versions, findings = find_edited_versions(webroot, choice, request.treatment)
    if records and not _canonical_folders(versions) & records.keys():
        _require_records(versions, records, request.record_argument)
    pages = {version: find_pages(tree, version.path) for version in versions}
    replacements: Replacements = {}
    new_pages: Mapping[CanonicalVersion, NewPages] = {}
    if request.treatment == "canonical":
        new_pages = _find_all_new_pages(webroot, versions, choice, records)
        replacements = _find_all_replacements(new_pages, pages, records, project.surroundings.environ)
    return _Plan(versions, pages, replacements, new_pages, findings)


def find_redirects(opened: OpenedTree, request: JoinRequest) -> FoundRedirects:
    """Find redirects for pages that have another path in the current version than in old versions.

    If ``1.0/a.html`` has become ``2.0/b.html``, the redirect leads from ``2.0/a.html`` to ``2.0/b.html``.

    Raises:
        SitemapError: A version, or the file with the decisions of its last build, cannot be used.
    """
    project, tree = opened.project, opened.folder
    if tree is None:
        return FoundRedirects((), ())
    choice = _find_versions(opened, request, ())
    webroot = Webroot(tree, project.hosting)
    records = read_version_records(request.version_records, webroot, choice)
    versions, findings = find_edited_versions(webroot, choice, "canonical")
    for finding in findings:
        if finding.severity == "error":
            raise SitemapError(finding.message)
    _require_records(versions, records, request.record_argument)
    pages = {version: find_pages(tree, version.path) for version in versions}
    moved_pages: dict[str, MovedPage] = {}
    unknown: dict[str, None] = {}
    # Readers who change from 1.0/a.html to the version stable/ arrive at stable/a.html.
    new_pages = _find_all_new_pages(webroot, versions, choice, records)
    replacements = _find_all_replacements(new_pages, pages, records, project.surroundings.environ)
    for version, paths in pages.items():
        if version.canonical is None:
            continue
        site = choice.sites.get(version.path)
        old_addresses = OldAddresses(new_pages[version.canonical], site, version.path, records)
        for path in paths:
            replacement = replacements[version.canonical][path]
            needs_redirect = replacement.moved_page or replacement.kind == "gone"
            if not (needs_redirect and _is_content(webroot, version, path)):
                continue
            old_loc = old_addresses.find(path)
            if replacement.moved_page:
                moved_pages[old_loc] = replacement.moved_page._replace(loc=old_loc)
            elif is_missing(webroot, version.canonical, path):
                unknown[old_loc] = None
    return FoundRedirects([moved_pages[loc] for loc in sorted(moved_pages)], sorted(unknown))


def _require_records(versions: Iterable[EditedVersion], records: Mapping[str, Record], argument: str) -> None:
    """Raise SitemapError if the user has not passed the record of a version to show in search engines.

    A record is the file with the decisions of the version's last build. ``argument`` tells the user how to
    pass it, with braces for the version: ``--version-record {}=FILE``.
    """
    missing = sorted(_canonical_folders(versions) - records.keys())
    if missing:
        name = missing[0].rstrip("/") or ROOT
        raise SitemapError(
            "The build of the canonical version has no record, so its source files are unknown. Set the "
            f"option `record` in that build, and pass {argument.format(name)}"
        )


def _canonical_folders(versions: Iterable[EditedVersion]) -> set[str]:
    """Return the folders of the versions that search engines should show, such as ``stable/``."""
    return {version.canonical.folder for version in versions if version.canonical}


def _is_content(webroot: Webroot, version: EditedVersion, path: str) -> bool:
    """Check whether a page of an old version has content, and is no redirect and no error page."""
    head = read_unmarked(webroot.folder, version.path + path)
    return needs_replacement(webroot, version.path, path, head)


def _find_versions(opened: OpenedTree, request: JoinRequest, places: Iterable[str]) -> VersionChoice:
    """Find all versions, and choose the versions for the sitemap index.

    ``places`` are files or URLs of sitemaps, if the user has not passed a folder with all versions.
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
        has_root = _has_root_version(Webroot(tree, project.hosting), policy.possible_versions(sites.values()))
        policy = replace(policy, has_root=has_root)
    root_language = hreflang(request.root_language) or ""
    # A join that edits pages again first restores them. Redirects are for readers, not for search engines.
    ignores_edits = request.treatment is not None or request.prints_redirects
    return choose_versions(project, sites, policy, tree, root_language, ignores_edits=ignores_edits)


def _read_policy(request: JoinRequest, tree: Path | None, base: Base) -> Policy:
    """Return the versions that the user wants to list, and the version names in ``versions.json``.

    Args:
        request: The options of ``sitemap-docs join``.
        tree: The folder with all versions, or None if the user has passed sitemaps.
        base: The base URL of that folder.
    """
    listed = VersionNames()
    if tree:
        needs_names = bool(request.names or request.newest or request.canonical)
        listed = read_version_names(tree, base, is_required=needs_names)
    canonical = request.canonical and normalize_version(request.canonical)
    return Policy(names=request.names, newest=request.newest, canonical=canonical, listed=listed)


def _has_root_version(webroot: Webroot, versions: Collection[TreeSite]) -> bool:
    """Check whether a folder that contains versions such as ``1.0/`` is a version with a home page, too."""
    folders = {site.above for site in versions} or {""}
    others = frozenset(site.path for site in versions)
    return any(has_home(webroot, CanonicalVersion(folder, others)) for folder in folders)


def _find_all_new_pages(
    webroot: Webroot, versions: Iterable[EditedVersion], choice: VersionChoice, records: Mapping[str, Record]
) -> dict[CanonicalVersion, NewPages]:
    """Return the pages of each version that search engines should show instead of an old version.

    ``versions`` are the old versions.
    """
    new_pages = {}
    for version in versions:
        canonical = version.canonical
        if canonical and canonical not in new_pages:
            new_pages[canonical] = find_new_pages(webroot, canonical, choice.sites.values(), records)
    return new_pages


def _find_all_replacements(
    new_pages: Mapping[CanonicalVersion, NewPages],
    pages: Mapping[EditedVersion, Sequence[str]],
    records: Mapping[str, Record],
    environ: Environment,
) -> dict[CanonicalVersion, dict[str, Replacement]]:
    """For each canonical version, map the pages of old versions to the new pages that replace them.

    Args:
        new_pages: The pages of each canonical version, the version that search engines should show.
        pages: The paths of the pages of each old version.
        records: The files with the decisions about all pages of a version, by folder.
        environ: The environment variables, for git.
    """
    old_files: dict[CanonicalVersion, dict[str, list[str]]] = {}
    for version, paths in pages.items():
        if version.canonical:
            files_by_path = old_files.setdefault(version.canonical, {})
            for path in paths:
                files_by_path.setdefault(path, []).append(version.path + path)
    replacements = {}
    for canonical, files_by_path in old_files.items():
        replacements[canonical] = find_replacements(new_pages[canonical], files_by_path, records, environ)
    return replacements
