"""Finds the configurations of generators, whose modules read them.

Those of other generators are not read: these have sitemaps of their own, and the manual has the line for
each.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sitemap_docs.config.parsing import load_toml, load_yaml
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
from sitemap_docs.programs.followed import CONFIGURATIONS, load_program
from sitemap_docs.rules import reported


class Projects(NamedTuple):
    """The configurations that were found, and a finding for each that cannot be read."""

    configs: list[GeneratorConfig]
    findings: list[Finding]


def find_projects(
    folders: Iterable[Path], built: Path | None = None, sources: Iterable[Path] = ()
) -> Projects:
    """The projects whose configuration lies in one of the folders, in the folders' order.

    Those that build the folder ``built`` come first; of these, also one that lies two folders above it.
    Before them come those of the ``sources`` that the user named: their configuration lies next to them.
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
    for folder in [*near, *sorted(farther.difference(near))]:
        for name, module in CONFIGURATIONS.items():
            file = folder / name
            if not file.is_file():
                continue
            try:
                written = Configuration(file, LOADERS[file.suffix](file))
                project = load_program(module).read_configuration(written)
            except SitemapError as error:
                if folder in near:
                    projects.findings.append(configuration_unreadable(str(error)))
                continue
            # Farther away, there are also configurations of other projects.
            if folder in near or rank(project) != (True, True):
                projects.configs.append(project)
    projects.configs.sort(key=rank)
    return projects


def read_named(file: Path) -> GeneratorConfig:
    """The project of a configuration that the user named; it is that of any folder. Raises SitemapError.

    Its name holds that of the generator's own file without the ending, as ``mkdocs.en.yml`` does; one of
    MkDocs may have any name.
    """
    if file.suffix in LOADERS:
        written = Configuration(file, LOADERS[file.suffix](file))
        modules = [module for name, module in CONFIGURATIONS.items() if name.partition(".")[0] in file.name]
        if "site_name" in written.keys:  # which MkDocs requires
            modules.append("mkdocs")
        if modules:
            project: GeneratorConfig = load_program(modules[0]).read_configuration(written)
            return replace(project, takes_any_folder=True)
    raise SitemapError(
        f"{file} is no configuration that can be read: it must have a `site_name`, as those of MkDocs, or a "
        "name that holds that of the generator's own, such as zensical, book or myst; and end in .yml, .yaml "
        "or .toml."
    )


LOADERS = {".toml": load_toml, ".yaml": load_yaml, ".yml": load_yaml}
"""What reads a configuration, by the ending of its name."""


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
