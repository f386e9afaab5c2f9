"""Read the decisions of a build about the pages in its output folder.

The record of the build contains the decisions. Without a record, a dry run decides again. All commands that
read a built site start here.
"""

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import starmap

from sitemap_docs.decide import Decided, decide
from sitemap_docs.files import seen_from
from sitemap_docs.folder.addressing import read_home
from sitemap_docs.folder.collect import collect_pages, path_finder, walk
from sitemap_docs.folder.folder_site import FolderSite, open_folder
from sitemap_docs.folder.generated import GeneratedPages
from sitemap_docs.folder.settings import FolderSettings
from sitemap_docs.history.page_dates import Dates
from sitemap_docs.html.head import Head
from sitemap_docs.model import Finding, NameOf, Reason, Row, SitemapError, TreeSite, Watch, unwatched
from sitemap_docs.output.existing import listed_rows, our_files
from sitemap_docs.output.record import Record
from sitemap_docs.programs.followed import signature_of
from sitemap_docs.project import Project
from sitemap_docs.robots import Robots
from sitemap_docs.tree import ROOT, read_sites, read_version_names, site_at, version_of
from sitemap_docs.version_policy import Policy, choose_versions, find_left_out


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFolder:
    """The output folder of a build. It may contain several sites, such as versions."""

    project: Project
    #: The configuration and the record, or None while the build still runs.
    site: FolderSite | None = None
    #: The sitemaps that the running build has written.
    made: frozenset[str] = frozenset()
    #: The sites in the folder, after ``join``.
    sites: Mapping[str, TreeSite] = field(default_factory=dict)

    @property
    def record(self) -> Record | None:
        """The decisions of the last build about all pages, or None if they are unknown."""
        return self.site.record if self.site else None

    @property
    def read_from(self) -> str:
        """A message for the user, which says whether the command uses the record of the last build.

        A record is the file with the decisions of a build.
        """
        if self.record is None:
            where = f" in {self.project.record_file}" if self.project.record_file else ""
            if self.site and self.site.base_before:
                where = f" for this base URL (the last build was for {self.site.base_before})"
            return (
                f"no record of the build{where}, so only the folder is read, which does not show why pages "
                "were left out"
            )
        return f"using the record of the last build, {self.record.file} (sitemap-docs {self.record.version})"

    @property
    def is_of_host(self) -> bool:
        """Whether Sphinx or MkDocs built the pages, so that our plugin may have taken part in the build."""
        if self.site is not None and self.site.has_plugin:
            return True
        generated = GeneratedPages(str(self.project.output))
        for path in ("", *self.sites):  # The home page of a tree may be a redirect.
            signature = signature_of(read_home(self.project.output / path).generator or "")
            loads_plugin = signature is not None and signature.sign.loads_plugin
            if loads_plugin or generated.home(path.rstrip("/")) is not None:
                return True
        return False

    @property
    def source_folders(self) -> Sequence[str]:
        """The folders with the sources of the pages, such as ``docs``."""
        return self.site.sources.folders if self.site else ()

    @property
    def setting_warnings(self) -> Sequence[Finding]:
        """Warnings about the configuration, for example about an unknown key."""
        return self.site.known.findings if self.site else ()

    @property
    def glob_warnings(self) -> Sequence[Finding]:
        """Warnings about globs that match no page because they are misspelled."""
        return [glob.finding() for glob in self.record.misspelled] if self.record else []

    @property
    def record_warnings(self) -> Sequence[Finding]:
        """A warning if the record (the file with a build's decisions) and the sitemap are of two builds."""
        return self.site.record_warnings if self.site else ()

    def covers(self, file: str) -> bool:
        """Check whether the record includes a file such as ``guide/index.html``."""
        if self.record is None:
            return self.site is None
        tree_site = site_at(self.sites, file)
        return tree_site is None or not tree_site.state or tree_site.path in self.record.below


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSite:
    """The pages of a built site, each with the decision whether the sitemap lists it."""

    folder: BuiltFolder
    #: The pages, from the record or from a dry run.
    rows: Sequence[Row]
    #: Problems that the dry run has found.
    findings: Sequence[Finding] = ()
    #: The ``<head>`` of each page that the dry run has read.
    heads: Mapping[str, Head] = field(default_factory=dict)
    #: The dates of all source files in git, or None.
    dates: Dates | None = None
    #: Whether some pages are missing, because a command does not need them.
    is_partial: bool = False

    @property
    def project(self) -> Project:
        """The project that was built."""
        return self.folder.project

    @property
    def record(self) -> Record | None:
        """The decisions of the last build about all pages, or None if they are unknown."""
        return self.folder.record


def open_built(settings: FolderSettings) -> BuiltFolder:
    """Return the built site of a folder, for commands such as ``check``.

    Raises:
        SitemapError: The configuration is wrong, or no base URL is known.
    """
    site = open_folder(settings, is_built=True)
    record = site.record
    sites = {tree_site.path: tree_site for tree_site in record.sites} if record else {}
    if not sites:
        with suppress(SitemapError):  # A tree that cannot be read is unknown.
            sites = _choose_joined_sites(site.project)
    return BuiltFolder(project=site.project, site=site, sites=sites)


def _choose_joined_sites(project: Project) -> dict[str, TreeSite]:
    """Return the versions in the common sitemap that an earlier ``sitemap-docs join`` has written.

    If there is no such sitemap, return an empty mapping.

    Raises:
        SitemapError: A sitemap or a folder cannot be read.
    """
    output, base = project.output, project.base
    joined_files = [name for name, mark in our_files(output).items() if mark.joined]
    if not joined_files:
        return {}
    names = read_version_names(output, base, is_required=False)
    listed_versions: set[str] = set()
    for name in joined_files:
        for row in listed_rows(output / name):
            listed_versions.add(version_of(base.path_of(row.loc) or "", names.folders) or ROOT)
    policy = Policy(listed=names, preferred=sorted(listed_versions))
    sites = read_sites(output, base, policy.folder_names)
    return dict(choose_versions(project, sites, policy, output).sites)


def read_built(folder: BuiltFolder, watch: Watch = unwatched) -> BuiltSite:
    """Return the pages of a built site. ``watch`` shows the progress to the user.

    Raises:
        SitemapError: A file cannot be read, or the record of the last build is damaged.
    """
    site, record = folder.site, folder.record
    if site is None:
        return BuiltSite(folder=folder, rows=())
    if record is None:
        decided = _dry_run(site, watch)
        return BuiltSite(
            folder=folder,
            rows=_leave_out_versions(decided, folder),
            findings=decided.findings,
            heads=decided.heads,
            dates=decided.dates,
        )
    recorded = {row.file or row.loc: row for row in record.rows()}  # If there are several, the last counts.
    unrecorded = set()
    find_path = path_finder(site)
    find_version = _version_finder(folder)
    for name, _ in walk(site):
        file = name.rstrip("/")  # A folder that is not entered ends with a slash.
        tree_site = find_version(name)
        if tree_site and tree_site.state == "unselected":
            loc = folder.project.base.loc(find_path(file))
            # The record of a site at the root of the tree may have rows of these pages, too.
            recorded[file] = _leave_out_version(Row(file, loc), tree_site)
        elif file not in recorded:
            unrecorded.add(file)
    rows = list(recorded.values())
    if not unrecorded:
        return BuiltSite(folder=folder, rows=rows)
    decided = _dry_run(site, watch)
    rows += [row for row in _leave_out_versions(decided, folder) if row.file in unrecorded]
    return BuiltSite(folder=folder, rows=rows, findings=decided.findings, heads=decided.heads)


def _dry_run(site: FolderSite, watch: Watch) -> Decided:
    """Decide which pages the sitemap should list, but write no file."""
    collected = collect_pages(site, watch)
    return decide(site.project.with_sitemap(), collected, described=True, watch=watch)


def _leave_out_versions(decided: Decided, folder: BuiltFolder) -> list[Row]:
    """Leave out the pages of versions that ``sitemap-docs join`` does not list, such as previews."""
    find_version = _version_finder(folder)
    rows = []
    for decided_row in decided.rows:
        row = decided_row._replace(known=False, entry=None)
        tree_site = find_version(row.file)
        if tree_site:
            row = _leave_out_version(row, tree_site)
        rows.append(row)
    return rows


def _version_finder(folder: BuiltFolder) -> Callable[[str], TreeSite | None]:
    """Return a function that takes a file, such as ``2.0/a.html``, and returns the version that contains it.

    If no version contains the file, the function returns None.
    """
    find_folder_left_out = lru_cache(partial(_find_folder_left_out, folder))
    return lambda file: site_at(folder.sites, file) or find_folder_left_out(posixpath.dirname(file))


def _find_folder_left_out(folder: BuiltFolder, path: str) -> TreeSite | None:
    """If ``join`` leaves out a folder, for example a preview, return it as a :class:`TreeSite`.

    Otherwise, return None. ``path`` is the folder, which has no sitemap. ``folder`` is the site with all
    versions.
    """
    if not (folder.sites and path):
        return None
    site = TreeSite(f"{path}/")
    names = frozenset(tree_site.version for tree_site in folder.sites.values())
    project = folder.project
    no_robots = Robots(())  # Its rules only matter for folders with a sitemap.
    left_out = find_left_out({site.path: site}, project.base, project.options.leave_out, no_robots, names)
    if site.path not in left_out:
        return None
    return site._replace(state="unselected", left_out=left_out[site.path].value)


def _leave_out_version(row: Row, tree_site: TreeSite) -> Row:
    """Return a page with the reason why ``sitemap-docs join`` does not list the version of the page.

    If the version is left out, for example as a preview, each of its pages gets that reason. If the version
    is a copy of another version, a page keeps its own reason, if it has one.
    """
    if tree_site.state == "unselected":
        return row._replace(reason=Reason.UNSELECTED, detail=tree_site.left_out)
    if tree_site.original and not row.reason:
        return row._replace(reason=Reason.COPY, detail=tree_site.original)
    return row


class PageFinder:
    """Finds a single page of a built site, usually without reading all pages."""

    def __init__(self, folder: BuiltFolder) -> None:
        self.folder = folder
        self._site: BuiltSite | None = None

    def read_all(self) -> BuiltSite:
        """Return the whole site. All pages are read at the first call only."""
        if self._site is None:
            self._site = read_built(self.folder)
        return self._site

    def with_rows(self, rows: Sequence[Row]) -> BuiltSite:
        """Return the built site with only the given rows. A row is a page with the decision about it."""
        if self._site is None:
            return BuiltSite(folder=self.folder, rows=rows, is_partial=True)
        return replace(self._site, rows=rows, is_partial=True)

    def find(self, names: Iterable[tuple[NameOf, str]]) -> Row | None:
        """Return the first page that has one of several names, or None.

        A name is a pair such as ``("file", "a/index.html")`` or ``("loc", "https://example.com/a/")``.
        """
        row = next(self._pages_named([*names]), None)
        if row is None:
            return None
        # A link to a folder that is not entered has a row, too, and shows the home page there.
        return self._page_behind_link(f"{row.file}/index.html") or row

    def find_listed(self, loc: str) -> Row | None:
        """Return the page that the sitemap lists at an address, or None."""
        if self.folder.record:
            row = self.folder.record.find("loc", loc)
            return row if row and row.reason is None else None
        for row in self.read_all().rows:
            if row.loc == loc and row.reason is None:
                return row
        return None

    def _pages_named(self, names: Sequence[tuple[NameOf, str]]) -> Iterator[Row]:
        """Yield the pages with one of several names. Pages in the record of the last build come first.

        Each name is a pair of its kind and text, such as ``("file", "guide/a.html")``.
        """
        if self.folder.record:
            yield from filter(None, starmap(self.folder.record.find, names))
        for kind, text in names:
            named_rows = [row for row in self.read_all().rows if row.is_named(kind, text)]
            if named_rows:
                yield min(named_rows, key=lambda row: row.reason is not None)
        for kind, text in names:
            if kind == "file" and (row := self._page_behind_link(text)):
                yield row

    def _page_behind_link(self, file: str) -> Row | None:
        """If a file is reached through a symbolic link, return its page as a copy of the linked page.

        If ``latest`` is a symbolic link to ``2.0``, the page of ``latest/a.html`` is a copy of
        ``2.0/a.html``. Without a link, return None.
        """
        project, site = self.folder.project, self.folder.site
        output = os.path.realpath(project.output)
        target = seen_from(output, os.path.realpath(f"{output}/{file}"))
        row = self.find([("file", target)]) if target != file else None
        if row is None or site is None:
            return None
        loc = project.base.loc(path_finder(site)(file))
        return row._replace(file=file, loc=loc, reason=Reason.COPY, detail=row.loc)
