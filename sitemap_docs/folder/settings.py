"""What flags, arguments and configuration files say about a built folder, before the folder is read."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_docs.config.options import COMMAND_DOORS, Options, option_values
from sitemap_docs.config.parsing import YAML_SUFFIXES, repeated_options
from sitemap_docs.config.project_file import PYPROJECT, ProjectFile, read_project
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.folder.generators import Projects, find_projects, read_named
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.programs.configuration import GeneratorConfig
from sitemap_docs.surroundings import Surroundings, read_surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSettings:
    """A built folder as flags or arguments describe it. Missing settings come from files or are detected.

    Attributes:
        folder: The built folder.
        config: The TOML file with options.
        generator_config: The generator's own configuration.
        detects: Whether the current folder may have the two files, if they are not given.
        base_url: The base URL, or None if it is not given.
        base_url_by: The name of the flag or argument of ``base_url`` in messages.
        record_by: The name of the flag or argument of the option ``record`` in messages.
        sources: The folders of sources.
        maps: Sources at other paths than their pages, each as ``"site glob=source glob"``.
        cache_dir: The folder for dates from git and records of builds.
        options: The options as the user wrote them, by name.
    """

    folder: Path | None = None
    config: Path | None = None
    generator_config: Path | None = None
    detects: bool = True
    base_url: str | None = None
    base_url_by: str = "base_url"
    record_by: str = "record"
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    cache_dir: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderConfiguration:
    """The settings of a built folder together with the configuration files that belong to it.

    Attributes:
        settings: The settings of the user.
        project_file: The TOML file.
        root: The folder of the project: that of the TOML file if the user named one, or the current folder.
        output: The built folder, without symbolic links in its path.
        sources: The folders of sources that the user or the TOML file names.
        generators: The configurations of generators that were found.
        own: Those of them that describe this folder, or whose sources the user named. The others may still
            have the base URL.
        options: The options of the user, the TOML file and our plugin in mkdocs.yml.
        is_audited: Whether a build ends with an audit. A table ``check`` in the TOML file alone only
            configures the command ``check``.
        surroundings: The surroundings of this run.
        findings: Configurations that cannot be read.
    """

    settings: FolderSettings
    project_file: ProjectFile
    root: Path
    output: Path
    sources: tuple[Path, ...]
    generators: Sequence[GeneratorConfig]
    own: Sequence[GeneratorConfig]
    options: Options
    is_audited: bool
    surroundings: Surroundings
    findings: tuple[Finding, ...]


def configure_folder(
    settings: FolderSettings, *, needs_generator: bool = True, needs_sources: bool = True
) -> FolderConfiguration:
    """Read the configuration files that belong to a built folder.

    The settings of the user win over the TOML file, and the TOML file wins over mkdocs.yml.

    Args:
        settings: The settings of the user.
        needs_generator: Whether a generator's configuration is looked for if the user names none.
        needs_sources: Whether the folders of sources must exist.

    Raises:
        SitemapError: A file cannot be read, an option does not fit, or there is no built folder.
    """
    surroundings = read_surroundings(settings.cache_dir)
    project_file = ProjectFile()
    if settings.config or settings.detects:
        project_file = read_project(settings.config)
    sources = _named_sources(settings, project_file) if needs_sources else ()
    projects = Projects([], [])
    if settings.generator_config or needs_generator:
        projects = _find_projects(settings, sources, surroundings.here)
    output = (settings.folder or _built_by(projects.configs, surroundings.here)).resolve()
    named_sources = {folder.resolve() for folder in sources}
    own = [
        project
        for project in projects.configs
        if project.describes(output) or project.source.resolve() in named_sources
    ]
    options, is_audited = _read_options(settings, project_file, own, surroundings.here)
    return FolderConfiguration(
        settings=settings,
        project_file=project_file,
        root=project_file.folder or surroundings.here,
        output=output,
        sources=sources,
        generators=projects.configs,
        own=own,
        options=options,
        is_audited=is_audited,
        surroundings=surroundings,
        findings=tuple(projects.findings),
    )


def find_record_files(folder: Path, surroundings: Surroundings) -> list[Path]:
    """Return the files of the option ``record`` of a built folder. A file may not exist yet."""
    return [Path(options.record) for options in find_options(folder, surroundings) if options.record]


def find_options(folder: Path, surroundings: Surroundings) -> list[Options]:
    """Return the options in each configuration of a built folder.

    The configuration may be in the current folder, next to the built folder, or at the top of its repository:
    another version of a site is often built in another work tree. A configuration that cannot be read counts
    as none.
    """
    settings = [FolderSettings(folder=folder)]
    for place in dict.fromkeys((folder.parent, repository_of(folder) or folder.parent)):
        config = place / PYPROJECT
        if place != surroundings.here and config.is_file():
            settings.append(FolderSettings(folder=folder, config=config, detects=False))
    found = []
    for each in settings:
        with suppress(SitemapError):
            found.append(configure_folder(each, needs_sources=False).options)
    return found


def _named_sources(settings: FolderSettings, project_file: ProjectFile) -> tuple[Path, ...]:
    """Return the folders of sources that the user named. Raise SitemapError if one does not exist."""
    folders = settings.sources or project_file.sources
    for folder in folders:
        if not folder.is_dir():
            by = "`sources`" if settings.sources else f"{project_file.file}: `source`"
            raise SitemapError(f"{by} names {folder}: there is no such folder.")
    return folders


def _find_projects(settings: FolderSettings, sources: tuple[Path, ...], here: Path) -> Projects:
    """Return the configuration that the user named, or those next to the folder and in the current folder."""
    if settings.generator_config:
        return Projects([read_named(settings.generator_config)], [])
    near = []
    if settings.folder:
        near.append(settings.folder.parent)
    if settings.detects:
        near.append(here)
    return find_projects(near, settings.folder, sources)


def _read_options(
    settings: FolderSettings, project_file: ProjectFile, own: Sequence[GeneratorConfig], here: Path
) -> tuple[Options, bool]:
    """Return the options of all places, and whether a build is audited.

    Paths in flags and arguments start in the current folder, those in a file in the folder of the file.
    """
    values = option_values(project_file.options, COMMAND_DOORS, folder=project_file.folder or here)
    given = option_values(settings.options, COMMAND_DOORS, folder=here)
    is_audited = bool(given.get("check")) or values.get("check") is True
    if given.get("check") is True and values.get("check"):
        del given["check"]  # asked for by a flag, with the settings of the file
    values.update(given)
    if own and own[0].options:
        plugin = own[0]
        if plugin.file.suffix in YAML_SUFFIXES:
            for _, message in repeated_options(plugin.file, own[0].options):
                raise SitemapError(message)
        configured = option_values(
            own[0].options or {}, COMMAND_DOORS | {"mkdocs"}, folder=plugin.file.parent
        )
        values = {**configured, **values}
    return Options(**values), is_audited


def _built_by(projects: Iterable[GeneratorConfig], here: Path) -> Path:
    """Return the folder that a generator has built. Raise SitemapError if there is none."""
    message = "Missing argument SITE: pass the folder that your site is built into, such as site/ or public/."
    for project in projects:
        if project.site.is_dir():
            return project.site
        site, file = seen_from(here, project.site), seen_from(here, project.file)
        message = (
            f"There is no folder {site}, into which {file} builds the site. Build it first, or pass SITE."
        )
    raise SitemapError(message)
