"""Read the settings of a built folder from flags, arguments and configuration files."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from sitemap_docs.config.options import COMMAND_DOORS, Door, Options, option_values
from sitemap_docs.config.parsing import YAML_SUFFIXES, repeated_options
from sitemap_docs.config.project_file import PYPROJECT, ProjectFile, read_project
from sitemap_docs.files import repository_of, seen_from
from sitemap_docs.folder.generators import Projects, find_projects, read_named
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.programs.configuration import GeneratorConfig
from sitemap_docs.surroundings import Surroundings, read_surroundings


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSettings:
    """The settings of a built site that the user has passed as flags or as Python arguments."""

    folder: Path | None = None
    config: Path | None = None
    generator_config: Path | None = None
    #: Whether to look for configuration files.
    detects: bool = True
    base_url: str | None = None
    #: How a message calls ``base_url``, such as ``--base-url``.
    base_url_by: str = "base_url"
    #: How a message calls ``record``, such as ``--record``.
    record_by: str = "record"
    sources: tuple[Path, ...] = ()
    #: Rules that find sources, such as ``fr/**=**.fr.md``.
    maps: tuple[str, ...] = ()
    cache_dir: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    doors: AbstractSet[Door] = COMMAND_DOORS


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderConfiguration:
    """All settings of a built site, from flags and from configuration files."""

    settings: FolderSettings
    project_file: ProjectFile
    #: The folder of the project.
    root: Path
    #: The built folder.
    output: Path
    sources: tuple[Path, ...]
    #: The configurations of generators that were found.
    generators: Sequence[GeneratorConfig]
    #: The ones among them that describe this folder.
    own: Sequence[GeneratorConfig]
    options: Options
    is_audited: bool
    surroundings: Surroundings
    findings: tuple[Finding, ...]


def configure_folder(
    settings: FolderSettings, *, needs_generator: bool = True, needs_sources: bool = True
) -> FolderConfiguration:
    """Read the settings of a built site from flags and configuration files.

    If ``needs_generator`` is false, do not look for the files of site generators, such as mkdocs.yml. If
    ``needs_sources`` is false, ignore the folders of source files.

    Raises:
        SitemapError: A setting is wrong, or there is no built folder.
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
        root=project_file.folder or find_root(output, surroundings.here, sources),
        output=output,
        sources=sources,
        generators=projects.configs,
        own=own,
        options=options,
        is_audited=is_audited,
        surroundings=surroundings,
        findings=tuple(projects.findings),
    )


def find_root(output: Path, here: Path, sources: Iterable[Path] = ()) -> Path:
    """Return the folder of the project to which a built folder belongs, usually the current folder.

    If the built folder is in another git repository than the current folder, return the top folder of that
    repository. A repository that contains only the built site is not the project.

    Args:
        output: The built folder.
        here: The current folder.
        sources: The folders of source files that the user has passed.
    """
    top, current = repository_of(output), repository_of(here)
    is_below_current = current is not None and output.resolve().is_relative_to(here)
    if top is None or top in (current, output.resolve()) or is_below_current:
        return here
    if any(repository_of(source) != top for source in sources):
        return here
    return top


def find_record_files(
    folder: Path, surroundings: Surroundings, found: FolderConfiguration | None = None
) -> list[Path]:
    """Return the files that the option ``record`` names in the settings for a built folder.

    A record is the file with the decisions of the last build.

    Args:
        folder: The built folder.
        surroundings: The current folder and the environment variables.
        found: The settings for the built folder, or None to look for configuration files.
    """
    if found is None:
        configured = find_options(folder, surroundings)
    elif found.settings.options.get("record") is not None:
        configured = [found.options]
    else:
        configured = [found.options, *_find_nearby_options(folder, surroundings)]
    records = [options.record for options in configured if options.record]
    return [Path(record) for record in dict.fromkeys(records)]


def find_options(folder: Path, surroundings: Surroundings) -> list[Options]:
    """Return our options in each pyproject.toml that may belong to a built folder.

    These files are in the current folder, next to the built folder, and in its git repository. Invalid files
    are ignored.
    """
    current = _read_if_valid(FolderSettings(folder=folder))
    return [*current, *_find_nearby_options(folder, surroundings)]


def _find_nearby_options(folder: Path, surroundings: Surroundings) -> list[Options]:
    """Return the options from pyproject.toml next to a built folder and at the top of its git repository."""
    # Another version of the site is often built in another work tree of the repository.
    found = []
    for place in dict.fromkeys((folder.parent, repository_of(folder) or folder.parent)):
        config = place / PYPROJECT
        if place != surroundings.here and config.is_file():
            found += _read_if_valid(FolderSettings(folder=folder, config=config, detects=False))
    return found


def _read_if_valid(settings: FolderSettings) -> list[Options]:
    """Return a list with the options of a built folder. If an option is invalid, the list is empty."""
    with suppress(SitemapError):
        return [configure_folder(settings, needs_sources=False).options]
    return []


def _named_sources(settings: FolderSettings, project_file: ProjectFile) -> tuple[Path, ...]:
    """Return the folders of source files that the user has set, by flags or else in a TOML file.

    ``settings`` contains the flags, and ``project_file`` the settings in the TOML file.
    """
    folders = settings.sources or project_file.sources
    for folder in folders:
        if not folder.is_dir():
            by = "`sources`" if settings.sources else f"{project_file.file}: `source`"
            raise SitemapError(f"{by} contains {folder}, but there is no such folder.")
    return folders


def _find_projects(settings: FolderSettings, sources: tuple[Path, ...], here: Path) -> Projects:
    """Find configuration files such as mkdocs.yml of the project that may have built a folder.

    ``sources`` are the folders with the source files, and ``here`` is the current folder.
    """
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
    """Return the options from all flags and files, and whether ``check`` is on, which audits the site.

    ``project_file`` has the project's own options. ``own`` are the site generator's configurations, such as
    ``mkdocs.yml``, that belong to the folder. Paths in flags are relative to ``here``.
    """
    values = option_values(project_file.options, COMMAND_DOORS, folder=project_file.folder or here)
    given = option_values(settings.options, settings.doors, folder=here)
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
    """Return the first existing folder among the output folders that mkdocs.yml and similar files set.

    Messages show paths relative to the folder ``here``.

    Raises:
        SitemapError: None of the output folders exists.
    """
    message = "Missing argument SITE: pass the folder that your site is built into, such as site/ or public/."
    for project in projects:
        if project.site.is_dir():
            return project.site
        site, file = seen_from(here, project.site), seen_from(here, project.file)
        message = (
            f"There is no folder {site}, the output folder in {file}. Build the site first, or pass SITE."
        )
    raise SitemapError(message)
