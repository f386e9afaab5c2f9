"""A built folder as its user, the TOML file, its generator and the platform describe it together."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from sitemap_docs.config.options import COMMAND_DOORS, OPTIONS, PATH, Options
from sitemap_docs.config.project_file import ProjectFile, read_project
from sitemap_docs.decide import Host, SiteBuild
from sitemap_docs.files import seen_from
from sitemap_docs.folder.addressing import find_base, find_links, given_bases, read_home
from sitemap_docs.folder.collect import FolderSite
from sitemap_docs.folder.generators import Projects, find_projects, read_named
from sitemap_docs.listing.selection import SiteStyle
from sitemap_docs.model import SitemapError, reported
from sitemap_docs.output.existing import read_replaced
from sitemap_docs.output.record import read_record
from sitemap_docs.programs.configuration import GeneratorConfig
from sitemap_docs.programs.followed import includes_of
from sitemap_docs.programs.sphinx import extra_paths
from sitemap_docs.sources.source_files import SourceFolders, SourceMap
from sitemap_docs.surroundings import read_surroundings


@reported("info")
def configuration_missing(generator: str) -> str:
    """The pages are those of MkDocs or Zensical, and its configuration was not found.

    Which files a page includes is written there, so that they do not date it.
    Name the file.
    Wrong: `sitemap-docs build public`, with the configuration in `config/docs.yml`
    Right: `sitemap-docs build public --generator-config config/docs.yml`
    Source: MkDocs: configuration,
    https://www.mkdocs.org/user-guide/configuration/
    """
    return (
        f"The pages are those of {generator}, and its configuration was not found: what a page includes does "
        "not date it. Name the file with --generator-config."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSettings:
    """A built folder as the user describes it; what is missing comes from the TOML file, or is found.

    ``generator_config`` is the generator's own configuration. ``detects`` is whether the current folder may
    have the others. ``base_url_by`` is what messages call ``base_url``. ``maps`` are written
    ``site glob=source glob``. ``cache_dir`` holds dates between builds. ``options`` are those of
    :class:`sitemap_docs.config.options.Options`, by name.
    """

    folder: Path | None = None
    config: Path | None = None
    generator_config: Path | None = None
    detects: bool = True
    base_url: str = ""
    base_url_by: str = "base_url"
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    cache_dir: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)


def open_folder(settings: FolderSettings, *, is_built: bool = False) -> FolderSite:
    """The site that ``settings`` describe; they win over the TOML file, and that over mkdocs.yml.

    ``is_built`` is for what reads the result of a build: the record of it counts, too. Raises SitemapError.
    """
    project_file = ProjectFile()
    if settings.config or settings.detects:
        project_file = read_project(settings.config)
    given = _named_sources(settings, project_file)
    projects, findings = _find_projects(settings, given)
    output = (settings.folder or _built_by(projects)).resolve()
    # The configurations that describe this folder, or those whose sources the user named; others may still
    # name the base URL.
    named_sources = {folder.resolve() for folder in given}
    own = [each for each in projects if each.describes(output) or each.source.resolve() in named_sources]
    options, audited = _read_options(settings, project_file, own)

    around = read_surroundings(settings.cache_dir)
    named = given_bases(settings.base_url, settings.base_url_by, project_file)
    root = project_file.folder or Path.cwd()
    record = None
    if is_built and around.cache:
        named_record = root / options.record if options.record else None
        record = read_record(output, around.cache, named_record)
    if record:
        named.append((record.base, "the record of the last build"))
    replaced = read_replaced(output, options.filename)
    try:
        base, base_by = find_base(named, projects, output, around.platform, replaced, is_built=is_built)
    except SitemapError as error:  # a configuration that cannot be read, or is not, may name it
        messages = [*(finding.message for finding in findings), str(error)]
        raise SitemapError(" ".join(messages)) from error
    generator = read_home(output).generator or ""
    is_mkdocs = generator.startswith(("mkdocs", "zensical"))
    if is_mkdocs and not any(project.markdown for project in own) and options.lastmod != "none":
        findings.append(configuration_missing("MkDocs" if generator.startswith("mkdocs") else "Zensical"))
    if record and record.base != base.url:  # whoever asks says that the site is deployed elsewhere now
        record = None
    if record:
        options = options.replaced(ignore=(*options.ignore, *record.ignored))
    links, links_by = find_links(output, own, options.links, record)
    folders = given
    layout = markdown = templates = None
    for project in own:
        folders = folders or tuple(filter(Path.is_dir, [project.source]))
        layout = layout or project.layout
        if project.markdown and not markdown:
            markdown, templates = project.markdown, project.templates
    sources = SourceFolders(folders, [*map(SourceMap.of, settings.maps or project_file.maps)], layout)
    looked_in = [seen_from(Path.cwd(), each) for each in sources.folders]
    if record:
        around = replace(around, platform=record.platform)
    site = SiteBuild(
        root=root,
        output=output,
        base=base,
        options=options,
        around=around,
        withheld=record.no_sitemap if record else None,
        base_from=base_by,
        base_by=settings.base_url_by if settings.base_url else "",
        host=Host(
            gzip="beside" if generator.startswith("mkdocs") else "off",
            source_of=sources.find_copied,
            looked_in=", ".join(looked_in) or "no folder",
            full_urlset=is_mkdocs,
            replaced=replaced,
            style=SiteStyle(links, links_by),
        ),
    )
    return FolderSite(
        site=site,
        sources=sources,
        includes=includes_of(markdown) if markdown else None,
        templates=templates,
        docs=str(markdown.docs) if markdown else "",
        extra=tuple(chain.from_iterable(map(extra_paths, sources.folders))),
        record=record,
        named_sources=tuple(map(os.path.abspath, given)),
        findings=() if record else tuple(findings),  # a record answers without them
        audited=audited,
        by_plugin=bool(own and own[0].options is not None),
    )


def _named_sources(settings: FolderSettings, project_file: ProjectFile) -> tuple[Path, ...]:
    """The folders of sources that the user named. Raises SitemapError for one that is not there."""
    folders = settings.sources or project_file.sources
    for folder in folders:
        if not folder.is_dir():
            by = "`sources`" if settings.sources else f"{project_file.file}: `source`"
            raise SitemapError(f"{by} names {folder}: there is no such folder.")
    return folders


def _find_projects(settings: FolderSettings, sources: tuple[Path, ...]) -> Projects:
    """The generators' configurations: that which the user named, else those that lie near."""
    if settings.generator_config:
        return Projects([read_named(settings.generator_config)], [])
    near = []
    if settings.folder:
        near.append(settings.folder.parent)
    if settings.detects:
        near.append(Path.cwd())
    return find_projects(near, settings.folder, sources)


def _read_options(
    settings: FolderSettings, project_file: ProjectFile, own: Sequence[GeneratorConfig]
) -> tuple[Options, bool]:
    """The options of the user, the TOML file and our plugin in mkdocs.yml; whether a build is audited."""
    written = {**project_file.options, **settings.options}
    audited = bool(settings.options.get("check")) or written.get("check") is True
    if settings.options.get("check") is True and project_file.options.get("check"):
        written["check"] = project_file.options["check"]  # asked for by a flag, with the project's settings
    options = Options.of(written, COMMAND_DOORS)
    if own and own[0].options:
        configured = dict(own[0].options)
        for option in OPTIONS:
            value = configured.get(option.name)
            if option.type is PATH and isinstance(value, str) and value:
                configured[option.name] = str(own[0].file.parent / value)  # where those in mkdocs.yml start
        options = Options.of({**configured, **written}, COMMAND_DOORS | {"mkdocs"})
    return options, audited


def _built_by(projects: Iterable[GeneratorConfig]) -> Path:
    message = "Missing argument SITE: pass the folder that your site is built into, such as site/ or public/."
    for project in projects:
        if project.site.is_dir():
            return project.site
        site, file = seen_from(Path.cwd(), project.site), seen_from(Path.cwd(), project.file)
        message = (
            f"There is no folder {site}, into which {file} builds the site. Build it first, or pass SITE."
        )
    raise SitemapError(message)
