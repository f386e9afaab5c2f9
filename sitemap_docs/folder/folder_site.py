"""Open a built folder: its project, the sources of its pages, and the record of its build."""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from sitemap_docs.decide import Collected
from sitemap_docs.files import HTML_SUFFIXES, names_below, seen_from
from sitemap_docs.folder.addressing import find_address, find_listed_base, find_style, read_home
from sitemap_docs.folder.settings import (
    FolderConfiguration,
    FolderSettings,
    configure_folder,
    find_options,
    find_record_files,
    find_root,
)
from sitemap_docs.hosting import find_hosting
from sitemap_docs.model import NO_PAGES, Finding, NoSitemap, SitemapError
from sitemap_docs.output.existing import Replaced, read_replaced
from sitemap_docs.output.record import Record, RecordProblem, find_old_record, find_problem, read_record
from sitemap_docs.programs.followed import includes_of, signature_of
from sitemap_docs.programs.sphinx import extra_paths
from sitemap_docs.project import Address, Project
from sitemap_docs.rules import reported
from sitemap_docs.sources.includes import Includes
from sitemap_docs.sources.source_files import SourceFolders, SourceMap
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.webroot import Webroot


@reported("info")
def configuration_missing(generator: str) -> str:
    """MkDocs or Zensical has built the pages, but its configuration file was not found.

    The file says which files a page includes. Without it, included files do not date the page.
    Pass the file.
    Wrong: `sitemap-docs build public`, with the configuration in `config/docs.yml`
    Right: `sitemap-docs build public --generator-config config/docs.yml`
    Source: MkDocs: configuration,
    https://www.mkdocs.org/user-guide/configuration/
    """
    return (
        f"{generator} has built the pages, but its configuration file was not found, so changes of included "
        "files do not count for the dates. Pass the file with --generator-config."
    )


@reported()
def record_unused(file: str, words: str, advice: str) -> str:
    """The record of a build that was passed or found does not fit the sitemap in the folder.

    Without the record, the audit does not know which pages the build left out on purpose, and reports less.
    Pass the record that the build of this folder has written.
    Wrong: `sitemap-docs check site --record record.jsonl`, with the record of another job
    Right: the folder and the record of one build, as artifacts of one job
    Source: sitemap-docs: the page Check a sitemap and a site
    """
    return f"{file} is not used: {words}. {advice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSite:
    """A built folder with its settings and source folders. Its pages have not been read yet."""

    project: Project
    sources: SourceFolders
    #: Data for the sitemap, still without pages.
    known: Collected = Collected()
    includes: Includes | None = None
    templates: Path | None = None
    #: The folder of the Markdown files, such as ``docs``.
    docs: str = ""
    #: Files and folders that Sphinx copies unchanged.
    extra: tuple[str, ...] = ()
    named_sources: tuple[str, ...] = ()
    record: Record | None = None
    #: The base URL of a record that is not used, because the site has got another base URL, or ``""``.
    base_before: str = ""
    record_warnings: tuple[Finding, ...] = ()
    is_audited: bool = False
    has_plugin: bool = False

    @property
    def root(self) -> str:
        """The path of the built folder as ``str``."""
        return str(self.project.output)


def open_folder(settings: FolderSettings, *, is_built: bool = False) -> FolderSite:
    """Read the settings of a built site, and find its base URL and the folders of its source files.

    If ``is_built`` is true, also read the file in which the last build saved its decision about each page.

    Raises:
        SitemapError: The configuration is wrong, or no base URL is known.
    """
    found = configure_folder(settings)
    record, problem = _find_record(found) if is_built else (None, None)
    replaced = read_replaced(found.output, found.options.filename)
    found_address = find_address(found, replaced, record, is_built=is_built)
    if isinstance(found_address, NoSitemap) and not _has_pages(found.output):
        raise SitemapError(NO_PAGES.format(found.output))
    site_address = required(found_address, found)
    base_before = ""
    if record and not record.is_about(site_address.base.url):
        # The user says that the site is deployed elsewhere.
        base_before = record.base
        if settings.options.get("record"):
            problem = RecordProblem("other", f"it is the record of the site at {record.base}")
        record = None
    options, surroundings = found.options, found.surroundings
    record_warnings: tuple[Finding, ...] = ()
    if record:
        options = options.replaced(
            ignore=(*options.ignore, *record.ignored),
            extra_sitemaps=(*options.extra_sitemaps, *record.extra_sitemaps),
        )
        surroundings = replace(surroundings, platform=record.platform)
    elif is_built:
        record_warnings = tuple(_about_record(found, problem, site_address))
    sources = source_folders(found)
    markdown = next((each.markdown for each in found.own if each.markdown), None)
    return FolderSite(
        project=Project(
            root=found.root,
            output=found.output,
            options=options,
            address=site_address,
            surroundings=surroundings,
            nearby_records=tuple(find_record_files(found.output, surroundings, found)),
        ),
        sources=sources,
        known=_data_without_pages(found, sources, replaced, record),
        includes=includes_of(markdown) if markdown else None,
        templates=next((each.templates for each in found.own if each.markdown), None),
        docs=str(markdown.docs) if markdown else "",
        extra=tuple(chain.from_iterable(map(extra_paths, sources.folders))),
        record=record,
        base_before=base_before,
        record_warnings=record_warnings,
        named_sources=tuple(map(os.path.abspath, found.sources)),
        is_audited=found.is_audited,
        has_plugin=bool(found.own and found.own[0].options is not None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFolder:
    """A built folder to compare, and the base URL of the addresses in its sitemap."""

    webroot: Webroot
    record: Record | None = None
    #: A warning if the site has got another base URL since the build, or ``""``.
    warning: str = ""


def open_listed(place: str, surroundings: Surroundings) -> ListedFolder | None:
    """Return the built folder ``place`` with the base URL of its sitemap, for commands such as ``diff``.

    If ``place`` is a file or URL, or if the base URL is unknown, return None.

    Raises:
        SitemapError: The folder has no sitemap, or the sitemap cannot be read.
    """
    folder = Path(place)
    if not folder.is_dir():
        return None
    record = find_listed_record(folder, surroundings)
    configuration = None
    with suppress(SitemapError):  # The sitemap has the addresses without the configuration.
        configuration = configure_folder(FolderSettings(folder=folder))
    listed = find_listed_base(folder, configuration, record)
    if listed is None:
        return None
    platform = record.platform if record else surroundings.platform
    host = next((options.host for options in find_options(folder, surroundings)), "auto")
    root = find_root(folder, surroundings.here)
    hosting = find_hosting(platform, listed.base, host, root)
    return ListedFolder(webroot=Webroot(folder, hosting), record=record, warning=listed.warning)


def find_listed_record(folder: Path, surroundings: Surroundings) -> Record | None:
    """Return the record of the build that wrote the sitemap in a folder, or None if there is no record.

    A record is the file with the decisions of a build.
    """
    if not folder.is_dir():
        return None
    return read_record(folder.resolve(), surroundings.cache, find_record_files(folder, surroundings))


def _has_pages(folder: Path) -> bool:
    """Check whether a folder has any HTML file."""
    return any(name.lower().endswith(HTML_SUFFIXES) for name in names_below(folder))


def _data_without_pages(
    found: FolderConfiguration, sources: SourceFolders, replaced: Replaced, record: Record | None
) -> Collected:
    """Return the data for a sitemap except its pages, such as the address style (``a/`` or ``a.html``).

    Args:
        found: The settings of the folder.
        sources: The folders with source files.
        replaced: The existing sitemap in the folder.
        record: The file with the decisions of the last build, or None.
    """
    signature = signature_of(read_home(found.output).generator or "")
    reads_sitemap = signature is not None and signature.sign.reads_sitemap
    findings: list[Finding] = []
    if record is None:  # a record answers without the configuration
        findings += found.findings
        needs_markdown = found.options.lastmod != "none" and not any(
            project.markdown for project in found.own
        )
        if needs_markdown and signature and signature.sign.includes_files:
            findings.append(configuration_missing(signature.program))
    looked_in = [seen_from(found.surroundings.here, folder) for folder in sources.folders]
    return Collected(
        findings=findings,
        replaced=replaced,
        style=find_style(found, record),
        source_of=sources.find_copied,
        looked_in=", ".join(looked_in) or "no folder",
        gzip="beside" if signature and signature.sign.writes_gzip else "off",
        full_urlset=reads_sitemap,
    )


def _about_record(
    found: FolderConfiguration, problem: RecordProblem | None, site_address: Address
) -> Iterator[Finding]:
    """Yield a warning or note if the file with the decisions of the last build cannot be used.

    This file is called the record. ``problem`` is the reason why the record in ``--record`` cannot be used.
    It is None if that record can be used, or if the option is not set.
    """
    options, surroundings = found.options, found.surroundings
    if problem:
        shown = seen_from(surroundings.here, options.record)
        advice = (
            f"The base URL of this site is {site_address.base.url}. Pass the record of a build of this "
            "site, or leave out the option."
        )
        yield record_unused(shown, problem.words, advice)
        return
    record_files = find_record_files(found.output, surroundings, found)
    old_record = find_old_record(found.output, surroundings.cache, record_files)
    if old_record:
        file, problem = old_record
        finding = record_unused(str(file), problem.words, "Build the site again to replace it.")
        yield replace(finding, severity="info")


def _find_record(found: FolderConfiguration) -> tuple[Record | None, RecordProblem | None]:
    """Return the record of the last build: the file with its decision about each page.

    If there is no record, return None. The second value is a problem if the record in ``--record`` does not
    fit the folder, otherwise None.

    Raises:
        SitemapError: The record in ``--record`` is missing or damaged.
    """
    surroundings = found.surroundings
    record_files = find_record_files(found.output, surroundings, found)
    passed, name = found.settings.options.get("record"), found.settings.record_by
    record = read_record(found.output, surroundings.cache, record_files, is_passed=passed is not None)
    if passed is None or record:
        return record, None
    if not record_files:
        raise SitemapError(f"`{name}` is empty. Pass the record of the build, or leave `{name}` out.")
    (file,) = record_files
    problem = find_problem(file, found.output)
    if problem and problem.kind in ("missing", "damaged"):
        shown = seen_from(surroundings.here, file)
        raise SitemapError(
            f"`{name}` is {shown}: {problem.words}. Pass the record that the build of this site has written."
        )
    return None, problem


def required(found: Address | NoSitemap, configuration: FolderConfiguration) -> Address:
    """Return the address of the site, or raise SitemapError if no base URL was found.

    ``found`` is the address, or the reason why it was not found. The error message also mentions the problems
    of the ``configuration`` of the folder.
    """
    if isinstance(found, Address):
        return found
    # A configuration that cannot be read may have the base URL.
    messages = [finding.message for finding in configuration.findings]
    raise SitemapError(" ".join([*messages, found.words]))


def source_folders(found: FolderConfiguration) -> SourceFolders:
    """Return the folders with the source files of a site, as set by flags, pyproject.toml or mkdocs.yml.

    ``found`` are the settings that were found for the site.
    """
    folders = found.sources
    layout = None
    for project in found.own:
        folders = folders or tuple(filter(Path.is_dir, [project.source]))
        layout = layout or project.layout
    maps = map(SourceMap.of, found.settings.maps or found.project_file.maps)
    return SourceFolders(folders, [*maps], layout)
