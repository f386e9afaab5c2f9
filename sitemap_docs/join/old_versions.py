"""Decide which pages of old versions are edited, and edit them.

The canonical version is the version that search engines should show, such as ``2.0/``. All other versions are
old versions. For example, ``1.0/a.html`` gets a canonical link to ``2.0/a.html``. If no page replaces it, it
gets ``noindex``.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    NewPages,
    Replacement,
    ReplacementKind,
    find_linked_page,
    needs_replacement,
    open_tree_visitor,
    served_loc,
)
from sitemap_docs.join.request import RequestError, Treatment
from sitemap_docs.listing.indexing import canonical_links, find_exclusion
from sitemap_docs.model import Finding, Reason, TreeSite
from sitemap_docs.output.transaction import Output
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import many
from sitemap_docs.tree import ROOT, has_same_pages, site_at
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.versions import preview_folder
from sitemap_docs.version_policy import LeftOut, VersionChoice, canonical_site
from sitemap_docs.webroot import Visit, Webroot


class EditedVersion(NamedTuple):
    """A version, such as ``1.0/``, in whose pages a canonical link or ``noindex`` is inserted or removed."""

    path: str
    #: The version to show instead, or None to undo earlier edits.
    canonical: CanonicalVersion | None = None
    #: Whether the version has other pages than the canonical version.
    is_old: bool = True


@dataclass(frozen=True, kw_only=True)
class EditedPages:
    """The result of editing pages of old versions."""

    #: The paths of the changed files.
    changed: tuple[str, ...] = ()
    #: The number of changed pages in each version.
    numbers: Mapping[str, int] = field(default_factory=dict)
    #: What each changed file gets, such as ``noindex``.
    marks: Mapping[str, str] = field(default_factory=dict)
    replacements: Mapping[ReplacementKind, int] = field(default_factory=dict)
    #: Problems with pages.
    findings: tuple[Finding, ...] = ()


class _VersionPair(NamedTuple):
    """An old version such as ``1.0/``, and the version to show instead, such as ``stable/``."""

    site: TreeSite
    canonical: TreeSite
    is_same: bool


def find_edited_versions(
    webroot: Webroot, choice: VersionChoice, treatment: Treatment
) -> tuple[list[EditedVersion], list[Finding]]:
    """Return the versions whose pages will be edited, such as ``1.0/``, and a list of problems.

    ``treatment`` is the kind of edit, such as ``noindex``.

    Raises:
        SitemapError: The version that search engines should show has no home page.
    """
    if treatment == "keep" or choice.canonical is None:
        restored_sites = _find_restored_versions(webroot.folder, choice)
        return [EditedVersion(site.path) for site in restored_sites], []
    pairs, alone = _pair_versions(webroot, choice)
    old_folders = {pair.site.path for pair in pairs if not pair.is_same}
    others = frozenset({*old_folders, *alone, *choice.left_out} - {""})
    problems = _check_homes(webroot, pairs, others, choice)
    # If search engines would not show the canonical version, no version is edited.
    if problems:
        return [], problems
    edited = []
    for pair in pairs:
        is_restored = pair.site == pair.canonical or (pair.is_same and treatment == "noindex")
        canonical = None if is_restored else CanonicalVersion(pair.canonical.path, others)
        edited.append(EditedVersion(pair.site.path, canonical, is_old=not pair.is_same))
    findings = []
    if alone:
        findings.append(old_version_alone(len(alone), alone[0], choice.canonical).at(alone[0]))
    return edited, findings


def find_same_folder(webroot: Webroot, choice: VersionChoice, path: str) -> str:
    """Return the folder to show instead of ``path``: ``latest/`` for ``3.1/`` after ``mike deploy``.

    After ``mike deploy 3.1 latest``, both folders have the same pages, and search engines should show
    ``latest/``. If there is no such folder, return ``path``. ``choice`` contains all versions.
    """
    site = choice.sites.get(path)
    if site is None or choice.canonical is None:
        return path
    canonical = _find_canonical_site(webroot, choice, site)
    if canonical is None or not _has_same_pages(webroot, choice, site, canonical):
        return path
    return canonical.path


def describe_versions(webroot: Webroot, choice: VersionChoice) -> dict[str, str]:
    """Return how messages call each version: ``{"1.0/": "the old version 1.0/"}``."""
    pairs, _ = _pair_versions(webroot, choice)
    same_paths = {pair.site.path for pair in pairs if pair.is_same}
    texts = {}
    for site in choice.policy.versions(choice.sites.values()):
        texts[site.path] = _describe_version(site.path, is_old=site.path not in same_paths)
    return texts


def describe_edited_versions(versions: Iterable[EditedVersion]) -> dict[str, str]:
    """Return how messages call each edited version: ``{"1.0/": "the old version 1.0/"}``.

    Edited versions are those whose pages get canonical links or ``noindex``.
    """
    edited = [version for version in versions if version.canonical]
    return {version.path: _describe_version(version.path, is_old=version.is_old) for version in edited}


def _describe_version(path: str, *, is_old: bool) -> str:
    """Return how messages call a version: ``the old version 1.0/`` or ``the copy latest/``.

    A copy has the same pages as the canonical version.
    """
    return f"the old version {path}" if is_old else f"the copy {path}"


def _find_restored_versions(tree: Path, choice: VersionChoice) -> list[TreeSite]:
    """Return the versions whose pages lose ``noindex`` and other edits that an earlier join has made."""
    sites = [site for path, site in choice.sites.items() if choice.left_out.get(path) is not LeftOut.OPTION]
    return _without_links(tree, choice.policy.possible_versions(sites))


def _find_shown_versions(tree: Path, choice: VersionChoice) -> list[TreeSite]:
    """Return the versions that search engines may show. Previews are left out."""
    sites = []
    for path, site in choice.sites.items():
        reason = choice.left_out.get(path)
        is_preview = preview_folder(path, choice.policy.folder_names) != ""
        if reason is None or (reason is LeftOut.ROBOTS and not is_preview):
            sites.append(site)
    return _without_links(tree, choice.policy.versions(sites))


def _without_links(tree: Path, sites: Iterable[TreeSite]) -> list[TreeSite]:
    """Return the versions whose folders are not symbolic links to other folders."""
    root = os.path.realpath(tree)
    real_sites = []
    for site in sites:
        folder = os.path.normpath(f"{root}/{site.path}")
        if os.path.realpath(folder) == folder:
            real_sites.append(site)
    return real_sites


def _pair_versions(webroot: Webroot, choice: VersionChoice) -> tuple[list[_VersionPair], list[str]]:
    """Pair each version with the one to show in search engines instead: ``1.0/`` with ``stable/``.

    Returns:
        The pairs, and the versions for which there is no other one.
    """
    pairs = []
    alone = []
    for site in _find_shown_versions(webroot.folder, choice):
        canonical = _find_canonical_site(webroot, choice, site)
        if canonical is None:
            alone.append(site.path)
        else:
            is_same = _has_same_pages(webroot, choice, site, canonical)
            pairs.append(_VersionPair(site, canonical, is_same))
    return pairs, alone


def _find_canonical_site(webroot: Webroot, choice: VersionChoice, site: TreeSite) -> TreeSite | None:
    """Return the version that search engines should show instead of ``site``: ``stable/`` for ``1.0/``.

    ``choice`` has all versions, and the version that the user prefers. If there is no such version, return
    None.
    """
    name = choice.canonical or ""
    # A project or a language in a folder of its own may have old versions only.
    if not name and site.above and webroot.file_at(site.above) is None:
        return None
    return canonical_site(choice.candidates, site.above, name, webroot.base)


def _has_same_pages(webroot: Webroot, choice: VersionChoice, site: TreeSite, canonical: TreeSite) -> bool:
    """Check whether the version ``site`` has the same pages as the version ``canonical``.

    ``choice`` has all versions and their aliases, such as ``stable`` for ``2.0``.
    """
    if site.is_copy and webroot.base.path_of(site.original) == canonical.path:
        return True
    if choice.canonical:  # The pages of the top folder have no name of a version.
        if site.version == choice.canonical:
            return True
        if _is_alias(site, canonical, webroot.folder, choice.policy.aliases):
            return True
    # If the pages of a copy have canonical links, the copy is not marked as a copy.
    return has_same_pages(webroot.folder, site.path, canonical)


def _is_alias(site: TreeSite, other: TreeSite, tree: Path, aliases: Mapping[str, str]) -> bool:
    """Check whether two folders are names of the same version, such as ``latest/`` and ``2.0/``.

    They are if ``aliases`` (from a file such as ``versions.json``) says so, or if one folder is a symbolic
    link to the other.
    """
    if aliases.get(site.version, site.version) == aliases.get(other.version, other.version):
        return True
    return os.path.realpath(tree / site.path) == os.path.realpath(tree / other.path)


def _check_homes(
    webroot: Webroot, pairs: Iterable[_VersionPair], others: frozenset[str], choice: VersionChoice
) -> list[Finding]:
    """Return a warning for each canonical version whose home page search engines would not index.

    A canonical version is a version that search engines should show instead of an old version.

    Args:
        webroot: The folder with all versions.
        pairs: The old versions, each with its canonical version.
        others: The folders of versions that are not canonical.
        choice: All versions, and which of them are in the common sitemap.
    """
    joined = {_version_folder(site) for site in choice.sites.values() if site.state == "joined"}
    canonical_sites = {pair.canonical.path: pair.canonical for pair in pairs}
    findings = []
    for path, site in canonical_sites.items():
        has_sitemap = _version_folder(site) in joined
        finding = check_home(webroot, CanonicalVersion(path, others), has_sitemap=has_sitemap)
        if finding:
            findings.append(finding)
    return findings


def _version_folder(site: TreeSite) -> str:
    """Return the folder of a version: ``2.0/`` for a site in its subfolder ``2.0/api/``."""
    return site.folder or site.path


def why_not_edited(
    treatment: Treatment | None,
    versions: Iterable[EditedVersion],
    choice: VersionChoice,
    base: Base,
    *,
    has_listed: bool,
) -> list[Finding]:
    """Return the reasons why ``join`` must not edit the pages of old versions, or an empty list if it can.

    Args:
        treatment: What to add to the pages: ``noindex`` or ``canonical``. ``keep`` restores the original
            pages.
        versions: The versions whose pages would be edited.
        choice: All versions of the site, with the user's selection.
        base: The base URL of the whole site.
        has_listed: Whether the common sitemap of all versions lists any page.
    """
    has_sitemaps = any(site.sitemaps for site in choice.sites.values())
    if has_sitemaps and not has_listed and treatment != "keep":
        message = (
            "No page of an old version was edited, because the canonical version has no joined sitemap. "
            "Build its sitemap first."
        )
        return [old_version_unchanged(message)]
    canonical_folders = {version.canonical.folder for version in versions if version.canonical}
    unlisted = _find_unlisted_folders(choice.sites, base)
    findings = []
    for folder in sorted(canonical_folders):
        site = choice.sites.get(folder, TreeSite(folder))
        if _version_folder(site) in unlisted:
            why = "its sitemap is left out of the joined sitemap"
            findings.append(canonical_version_unlisted(folder, why).at(folder))
    return findings


def _find_unlisted_folders(sites: Mapping[str, TreeSite], base: Base) -> set[str]:
    """Return the versions that are not in the sitemap index, such as ``1.0/``."""
    listed: set[str] = set()
    unlisted: set[str] = set()
    for site in sites.values():
        if not site.sitemaps:
            continue
        folders = listed if _is_listed(site, sites, base) else unlisted
        folders.add(_version_folder(site))
    return unlisted - listed


def _is_listed(site: TreeSite, sites: Mapping[str, TreeSite], base: Base) -> bool:
    """Check whether the pages of a version are in the sitemap index.

    If the version is a copy of another version, check the original. ``base`` is the base URL of the folder
    with all versions.
    """
    path = base.path_of(site.original) if site.original else site.path
    if path is None:
        return False
    listed_site = site_at(sites, f"{path}/index.html".lstrip("/"))
    return listed_site is not None and listed_site.state == "joined"


def check_home(webroot: Webroot, canonical: CanonicalVersion, *, has_sitemap: bool) -> Finding | None:
    """Return a warning if search engines would not index the home page of a version, or None.

    If ``has_sitemap`` is true, the sitemap of all versions lists pages of this version. Then its home page
    may have ``noindex``, because search engines find the other pages.

    Raises:
        SitemapError: The home page is missing, or redirects to another version.
    """
    file = _find_home(webroot, canonical)
    why = _why_not_shown(webroot, file, has_sitemap=has_sitemap)
    return canonical_version_unlisted(file, why).at(file) if why else None


def has_home(webroot: Webroot, canonical: CanonicalVersion) -> bool:
    """Check whether the version ``canonical`` has a home page that does not redirect to another version."""
    try:
        _find_home(webroot, canonical)
    except RequestError:
        return False
    return True


def _find_home(webroot: Webroot, canonical: CanonicalVersion) -> str:
    """Return the file of the canonical version's home page, after following redirects.

    ``webroot`` is the folder with all versions. ``canonical`` is the version that search engines should show.
    """
    tree = webroot.folder
    home = f"{canonical.folder}index.html"
    visits = open_tree_visitor(webroot).follow(webroot.base.loc(canonical.folder))
    if not (visits[0].target or files.find_inside(tree, home)):
        raise RequestError(
            f"{tree / canonical.folder} has no index.html, so it cannot be the canonical version. Build it "
            "first, or set the option `canonical_version` to another version."
        )
    for visit in visits:
        if visit.file and files.is_html(visit.file):
            home = visit.file
        if visit.target:
            _check_redirect(webroot, canonical, visit)
    return home


def _check_redirect(webroot: Webroot, canonical: CanonicalVersion, visit: Visit) -> None:
    """Raise SitemapError if the home page of the version ``canonical`` redirects to another version.

    ``visit`` is the redirect at the address of that home page.
    """
    path = webroot.path_of(visit.target)
    if path is not None and canonical.covers(path):
        return
    advice = "pass that version as the option `canonical_version`."
    above = canonical.folder.rstrip("/").rpartition("/")[0]
    if path is not None and path.removesuffix("index.html").rstrip("/") == above:
        advice = f"pass the option `canonical_version={ROOT}`"
    raise RequestError(f"{visit.url} is a redirect to {visit.target}: {advice}")


def _why_not_shown(webroot: Webroot, file: str, *, has_sitemap: bool) -> str:
    """Return the reason why search engines would not index a page, or ``""``."""
    tree, base = webroot.folder, webroot.base
    head = read_unmarked(tree, file)
    loc = served_loc(webroot, file)
    elsewhere = canonical_links(head, loc, tree / file, base, tree).elsewhere
    if elsewhere and webroot.path_of(elsewhere) is None:
        return f"it has a canonical link to {elsewhere}, which is not below {base.url}"
    if elsewhere and webroot.file_of(elsewhere) is None:
        return f"it has a canonical link to {elsewhere}, but that page does not exist"
    # The home page may have noindex if the common sitemap lists its version.
    if not has_sitemap and (head.noindex or webroot.headers.noindex(loc)):
        return "it has noindex"
    return ""


def edit_pages(
    webroot: Webroot,
    pages: Mapping[EditedVersion, Sequence[str]],
    replacements: Mapping[CanonicalVersion, Mapping[str, Replacement]],
    new_pages: Mapping[CanonicalVersion, NewPages],
    *,
    dry_run: bool = False,
) -> EditedPages:
    """Add a canonical link to each page of old versions, or ``noindex`` if no new page replaces it.

    Args:
        webroot: The built site with all versions.
        pages: The paths of the pages in each version. Without a canonical version, undo earlier edits.
        replacements: The new page for each old path, by the version of the new pages.
        new_pages: The pages of each canonical version, to which canonical links of old pages may lead. If it
            is empty, all old pages get ``noindex``.
        dry_run: Whether to change no file.

    Raises:
        SitemapError: A page cannot be read or written. No page was changed.
    """
    tree = webroot.folder
    numbers: Counter[str] = Counter()
    marks: dict[str, str] = {}
    kinds: Counter[ReplacementKind] = Counter()
    unsure: dict[HeadProblem, list[str]] = {}
    with Output(tree, dry_run=dry_run) as output:
        for version, paths in pages.items():
            for path in paths:
                name = version.path + path
                deployed = _read_page(tree, name)
                page = without_marks(deployed)
                mark = "its original content"
                if version.canonical:
                    replacement = replacements.get(version.canonical, {}).get(path, GONE)
                    linkable_pages = new_pages.get(version.canonical)
                    try:
                        edited = _edit_page(webroot, version.path, path, page, replacement, linkable_pages)
                    except UnsureHead as error:
                        unsure.setdefault(error.problem, []).append(name)
                        continue
                    if edited is not None:
                        page, replacement = edited
                        mark = f"canonical link to {replacement.url}" if replacement.url else "noindex"
                        if version.is_old:
                            kinds[replacement.kind] += 1
                if page != deployed:
                    output.add(name, page)
                    marks[name] = mark
                    numbers[version.path] += 1
        output.commit()
    return EditedPages(
        changed=tuple(output.changed),
        numbers=numbers,
        marks=marks,
        replacements=kinds,
        findings=tuple(_describe_unsure(unsure)),
    )


def _read_page(tree: Path, name: str) -> bytes:
    """Return the content of an HTML page in ``tree``, or raise SitemapError if it cannot be read."""
    with files.translated_errors(tree / name, "read", "Correct its permissions."):
        return files.read_inside(tree, name)


def _describe_unsure(unsure: Mapping[HeadProblem, Sequence[str]]) -> Iterator[Finding]:
    """Warn about pages into which no canonical link or ``noindex`` could be inserted safely."""
    for problem, names in unsure.items():
        number = many(len(names), "page")
        message = f"Could not edit {number} of old versions, for example {names[0]}: {problem.value}."
        yield old_version_unchanged(message).at(names[0])


class _EditedPage(NamedTuple):
    """The HTML of an old page with a canonical link or ``noindex``, and the page that replaces it."""

    html: bytes
    replacement: Replacement


def _edit_page(
    webroot: Webroot,
    version_path: str,
    path: str,
    page: bytes,
    replacement: Replacement,
    new_pages: NewPages | None,
) -> _EditedPage | None:
    """Add a canonical link or ``noindex`` to an old page.

    If the page needs neither, for example because it is a redirect, return None.

    Args:
        webroot: The folder with all versions.
        version_path: The folder of the old version, such as ``1.0/``.
        path: The path of the page in that folder, such as ``a.html``.
        page: The HTML of the page.
        replacement: The new page for the canonical link. Without one, the page keeps its own canonical link
            to one of the new pages. If it has no such link, it gets ``noindex``.
        new_pages: The pages of the canonical version, or None to add ``noindex``.

    Raises:
        UnsureHead: The page cannot be edited safely.
    """
    name = version_path + path
    head = parse_head(page)
    if not needs_replacement(webroot, version_path, path, head):
        return None
    loc = served_loc(webroot, name)
    links = canonical_links(head, loc, webroot.folder / name, webroot.base, webroot.folder)
    exclusion = find_exclusion(webroot, name, loc, head, links)
    if exclusion and exclusion.reason is not Reason.CANONICAL:
        return None
    if new_pages and exclusion and not replacement.url:
        replacement = find_linked_page(new_pages, exclusion.target)
    if replacement.url:
        return _EditedPage(with_canonical(page, replacement.url), replacement)
    return _EditedPage(with_noindex(page, unlinked=exclusion is not None), replacement)


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
        f"The pages of {many(number, 'folder')}, for example {first}, were not changed, because the folder "
        f"that contains them has no {missing}. Set the option `canonical_version` to another version, or "
        "build the canonical version there."
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
        "No page of an old version was edited, because search engines would not list the canonical version "
        f"{name}: {why}. Correct this version, or set the option `canonical_version` to another one."
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
