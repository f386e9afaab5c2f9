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
    """The configurations of generators such as MkDocs, and warnings about those that cannot be read."""

    configs: list[GeneratorConfig]
    findings: list[Finding]


def find_projects(
    folders: Iterable[Path], built: Path | None = None, sources: Iterable[Path] = ()
) -> Projects:
    """Find the configuration files of site generators, such as mkdocs.yml.

    A generator that reads the folders ``sources`` comes first. Next is a generator that writes the site into
    ``built``.

    Args:
        folders: The folders to search.
        built: The built folder, or None if it is not known.
        sources: The folders of source files. Their parent folders are searched, too.
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
    """Return the settings in ``written``, the parsed configuration file of a site generator.

    ``program`` is our module about the generator, such as MkDocs.
    """
    project = program.read_configuration(written)
    layout = layout_of(project.markdown) if project.markdown else None
    return replace(project, layout=layout) if layout else project


def read_named(file: Path) -> GeneratorConfig:
    """Read a configuration file that the user has passed, such as mkdocs.yml.

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
    """Return the site generator to which a configuration file such as mkdocs.yml belongs, or None.

    The name or the keys of the file decide.
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
