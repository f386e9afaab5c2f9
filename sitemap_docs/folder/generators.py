"""Find the configuration files of generators. The module of each generator reads its own files.

Configurations of generators that write sitemaps themselves are not read. For these generators, the manual has
the command to run.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.config.parsing import load_toml, load_yaml
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.programs.answers import Configures
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.programs.followed import answers_to, layout_of
from sitemap_docs.programs.protocols import ConfiguredProgram
from sitemap_docs.rules import reported


class Projects(NamedTuple):
    """The configurations of generators that were found, and findings about files that cannot be read."""

    configs: list[GeneratorConfig]
    findings: list[Finding]


def find_projects(
    folders: Iterable[Path], built: Path | None = None, sources: Iterable[Path] = ()
) -> Projects:
    """Find the configuration files of generators in some folders.

    The result has this order:

    1. projects with their documents in one of ``sources``
    2. projects that build the folder ``built``
    3. all other projects, in the order of ``folders``

    Args:
        folders: The folders to search.
        built: The built folder. A project that builds it is also found two folders above it.
        sources: The folders of documents that the user has named. Their project is also found in the folder
            above.
    """
    near = list(dict.fromkeys(map(Path.resolve, folders)))
    documented = set(map(Path.resolve, sources))
    farther = {folder.parent for folder in documented}
    if built:
        built = built.resolve()
        farther.add(built.parent.parent)

    def rank(project: GeneratorConfig) -> tuple[bool, bool]:
        builds = built is not None and project.builds(built)
        return project.source.resolve() not in documented, not builds

    projects = Projects([], [])
    named = [(name, program) for program in answers_to(Configures) for name in program.files]
    for folder in [*near, *sorted(farther.difference(near))]:
        for name, program in named:
            file = folder / name
            if not file.is_file():
                continue
            try:
                project = _read_project(Configuration(file, LOADERS[file.suffix](file)), program.load())
            except SitemapError as error:
                if folder in near:
                    projects.findings.append(configuration_unreadable(str(error)))
                continue
            # Farther away, there are also configurations of other projects.
            if folder in near or rank(project) != (True, True):
                projects.configs.append(project)
    projects.configs.sort(key=rank)
    return projects


def _read_project(written: Configuration, program: ConfiguredProgram) -> GeneratorConfig:
    """Read a configuration file. If a plugin moves pages, the result also says where their sources are."""
    project = program.read_configuration(written)
    layout = layout_of(project.markdown) if project.markdown else None
    return replace(project, layout=layout) if layout else project


def read_named(file: Path) -> GeneratorConfig:
    """Read the generator's configuration that the user has named. The project may build any folder.

    The name of the file must contain the usual name without the ending: ``mkdocs.en.yml`` is recognised by
    ``mkdocs``. A configuration of MkDocs may have any name.

    Raises:
        SitemapError: The file is not recognised, or cannot be read.
    """
    if file.suffix in LOADERS:
        written = Configuration(file, LOADERS[file.suffix](file))
        program = _program_of(written)
        if program:
            return replace(_read_project(written, program.load()), takes_any_folder=True)
    raise SitemapError(
        f"{file} does not look like the configuration file of a generator. Expected is a file for MkDocs "
        "with `site_name`, or a .yml, .yaml or .toml file with the name of another generator, for example "
        "zensical, book or myst."
    )


def _program_of(written: Configuration) -> Configures | None:
    """Return the generator to which a configuration file belongs, or None.

    The name of the file decides. If no generator has such a name, a setting in the file decides, such as
    ``site_name``.
    """
    programs = [*answers_to(Configures)]
    for program in programs:
        for name in program.files:
            if name.partition(".")[0] in written.file.name:
                return program
    for program in programs:
        if program.key and program.key in written.keys:
            return program
    return None


LOADERS = {".toml": load_toml, ".yaml": load_yaml, ".yml": load_yaml}
"""The functions that read a configuration, by the ending of its name."""


@reported()
def configuration_unreadable(error: str) -> str:
    """The configuration file of a generator cannot be read.

    Its settings, such as the base URL and the folder of the sources, are not known.
    Correct the file.
    Wrong: `site_url: [https://docs.example.com/` in mkdocs.yml
    Right: `site_url: https://docs.example.com/`
    Source: sitemap-docs: the page Any folder of HTML
    """
    return f"{error} It is not used."
