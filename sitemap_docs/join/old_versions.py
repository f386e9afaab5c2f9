"""The pages of older versions in a tree: marked, so that search engines find the canonical version alone."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from sitemap_docs import files
from sitemap_docs.html.head import parse_head
from sitemap_docs.html.marks import UnsureHead, read_unmarked, with_canonical, with_noindex, without_marks
from sitemap_docs.join.wanted_versions import Policy
from sitemap_docs.listing.indexing import bar
from sitemap_docs.listing.selection import is_error_page
from sitemap_docs.model import BuildRow, Finding, Reason, SitemapError, reported
from sitemap_docs.output.transaction import Output, translated_errors
from sitemap_docs.publish import Published
from sitemap_docs.text import many
from sitemap_docs.tree import is_alias, shown_version
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.spelling import address
from sitemap_docs.webroot.served_files import Webroot


def find_versions(
    tree: Path, base: Base, policy: Policy, builds: Sequence[BuildRow]
) -> tuple[Mapping[str, str], list[Finding]]:
    """The versions below ``tree`` whose pages are marked, or lose their marks, and what is wrong with them.

    Each has the folder of the canonical version next to it; ``""`` for the canonical ones. Raises
    SitemapError where the canonical version has no pages of its own.
    """
    restores = policy.treatment == "keep"
    root = os.path.realpath(tree)
    versions = []
    for build in policy.versions(builds, channels=restores):
        folder = os.path.normpath(f"{root}/{build.path}")
        if os.path.realpath(folder) == folder:  # an alias that is a link has no pages of its own
            versions.append(build)
    if restores:
        return {build.path: "" for build in versions}, []
    version = policy.canonical_of({build.version for build in builds if build.state} - {""})
    table = {build.path: build for build in builds}
    canonical_of = {}
    alone = []
    for build in versions:
        named = table.get(f"{build.above}{version}/")
        if named is None:
            alone.append(build.path)
            continue
        canonical = shown_version(table, named, base)
        _check_home(tree, canonical.path)
        canonical_of[build.path] = canonical.path
        is_same = build == named or is_alias(build, canonical, tree, policy.aliases)
        if build == canonical or (is_same and policy.treatment == "noindex"):
            canonical_of[build.path] = ""
    if not alone:
        return canonical_of, []
    return canonical_of, [old_version_alone(len(alone), alone[0], version).at(alone[0])]


def edit_pages(
    tree: Path, base: Base, versions: Mapping[str, str], policy: Policy, *, dry_run: bool = False
) -> tuple[Published, Mapping[str, int]]:
    """Marks the pages of old versions, or takes the marks away; all other versions lose theirs.

    Returns what was done, and the number of edited pages of each version.

    All pages are written before the first is moved into place, each as a whole. What is marked as it should
    be is left alone, so that a run that was interrupted can be repeated. Raises SitemapError.
    """
    address_of = cache(partial(_canonical_address, Webroot(tree, base)))  # several old pages ask for one
    edited: Counter[str] = Counter()
    unsure: dict[str, list[str]] = {}
    with Output(tree, dry_run=dry_run) as output:
        for folder, replaced_by in versions.items():
            for name in _pages(tree, folder):
                path = name.removeprefix(folder)
                with translated_errors(tree / name, "read", "Correct its permissions."):
                    deployed = files.read_inside(tree, name)
                page = without_marks(deployed)
                if replaced_by and not is_error_page(path):
                    url = address_of(replaced_by, path) if policy.treatment == "canonical" else ""
                    try:
                        page = _marked(page, base.loc(name), url)
                    except UnsureHead as error:
                        unsure.setdefault(str(error), []).append(name)
                        continue
                if page != deployed:
                    output.add(name, page)
                    edited[folder] += 1
        output.commit()
    findings = []
    for why, names in unsure.items():
        message = f"{many(len(names), 'page')} of old versions, such as {names[0]}, not changed: {why}."
        findings.append(old_version_unchanged(message).at(names[0]))
    return Published(changed=tuple(output.changed), findings=tuple(findings)), edited


def _marked(page: bytes, loc: str, url: str) -> bytes:
    """The page at an address with a canonical link to ``url``, or with noindex where there is none.

    With a noindex, its canonical links to other pages go: an engine may follow them instead, and the pages
    may be gone. Redirects, parts of pages and what says noindex itself stay as they are.
    """
    head = parse_head(page)
    barred = bar(head, loc)
    if head.template or (barred and barred.reason is not Reason.CANONICAL):
        return page
    if url:
        return with_canonical(page, url)
    return with_noindex(page, unlinked=barred is not None)


def _canonical_address(webroot: Webroot, folder: str, below: str) -> str:
    """The address of a page of the version in ``folder``; ``""`` where it is gone or not indexed."""
    name = f"{folder}{below}"
    # A page may have changed from a.html to a/index.html since.
    file = webroot.file_at(name) or webroot.file_at(address(name, "bare"))
    if file is None or not file.endswith(files.HTML_SUFFIXES):
        return ""
    head = read_unmarked(webroot.folder, file)
    loc = webroot.base.loc(address(file, "folders"))
    barred = bar(head, loc)
    if head.template or (barred and barred.reason is not Reason.CANONICAL):
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
    with translated_errors(tree / folder, "read as a whole", "Correct the permissions of its folders."):
        for below, _, names in files.walk_folders(root, whole=True):
            for name in sorted(names):
                if name.lower().endswith(files.HTML_SUFFIXES) and not Path(root, below, name).is_symlink():
                    yield f"{folder}{below}{name}"


def _check_home(tree: Path, folder: str) -> None:
    """Raises SitemapError for a canonical version without pages: all others would be gone from search."""
    name = f"{folder}index.html"
    if not files.find_inside(tree, name):
        raise SitemapError(f"{tree / folder} has no index.html, so it cannot be the canonical version.")
    target = read_unmarked(tree, name).refresh or ""
    if target.startswith(("..", "/", "http:", "https:")):
        raise SitemapError(
            f"{tree / name} is a redirect to {target}: pass the version there as --canonical-version."
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


@reported()
def old_version_unchanged(message: str) -> str:
    """A page of an old version was to be edited and was not.

    Engines go on to show it.
    The message has the cause: a head that browsers read in several ways, or no canonical version.
    Wrong: a page with two elements `head`
    Right: a page with one
    Source: sitemap-docs: the page Old versions, and several builds in one sitemap
    """
    return message
