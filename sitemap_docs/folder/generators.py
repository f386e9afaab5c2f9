"""Find the configurations of generators. The module of each generator reads its configuration.

We read no configurations of other generators, because these write sitemaps themselves. For each of them, the
manual has the command to run.
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
    """The configurations that were found, and a finding for each that cannot be read."""

    configs: list[GeneratorConfig]
    findings: list[Finding]


def find_projects(
    folders: Iterable[Path], built: Path | None = None, sources: Iterable[Path] = ()
) -> Projects:
    """Return the projects with a configuration in one of the folders, in the order of the folders.

    Projects that build the folder ``built`` come before the others. Their configuration may also be two
    folders above it. Projects of the sources that the user named come first. Their configuration may also be
    next to the folder of the sources.

    Args:
        folders: The folders in which configurations are.
        built: The built folder.
        sources: The folders of sources that the user named.
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
    """Return what a configuration says about a project, and the places of sources with its plugins."""
    project = program.read_configuration(written)
    layout = layout_of(project.markdown) if project.markdown else None
    return replace(project, layout=layout) if layout else project


def read_named(file: Path) -> GeneratorConfig:
    """Return the project of a configuration that the user named. The project may build any folder.

    The name of the file contains the name of the generator's own file without its ending, as in
    ``mkdocs.en.yml``. A configuration of MkDocs may have any name.

    Raises:
        SitemapError: No generator has such a configuration, or the file cannot be read.
    """
    if file.suffix in LOADERS:
        written = Configuration(file, LOADERS[file.suffix](file))
        program = _program_of(written)
        if program:
            return replace(_read_project(written, program.load()), takes_any_folder=True)
    raise SitemapError(
        f"{file} is no configuration that can be read: it must have a `site_name`, as those of MkDocs, or a "
        "name that holds that of the generator's own, such as zensical, book or myst; and end in .yml, .yaml "
        "or .toml."
    )


def _program_of(written: Configuration) -> Configures | None:
    """Return the program that a configuration belongs to, by its name or by a key in it, or None."""
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
    """The configuration of a generator is there and cannot be read.

    What it names, such as the base URL and the folder of the sources, is not known.
    Correct the file.
    Wrong: `site_url: [https://docs.example.com/` in mkdocs.yml
    Right: `site_url: https://docs.example.com/`
    Source: sitemap-docs: the page Any folder of HTML
    """
    return f"{error} It is not used."
