"""The kinds of entries in the table of programs in ``followed.py``.

Each class stands for a question about a program, for example which files its pages include. An entry answers
the question: it says how the program is recognised, and how its module is loaded. The module implements the
protocol of the question in ``protocols.py``. A few entries need no module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sitemap_docs.programs.protocols import (
        AliasProgram,
        ConfiguredProgram,
        DescribingProgram,
        ExtensionPages,
        GeneratingProgram,
        IncludingProgram,
        PlatformProgram,
        PluginPages,
        RulesProgram,
        ServingProgram,
    )


# --- Programs that include files in pages, or describe other programs in pages ---


class IncludesFiles(NamedTuple):
    """A plugin or Markdown extension that inserts other files into pages, such as mkdocs-macros."""

    #: Its names in a configuration, such as ``macros``.
    names: Collection[str]
    load: Callable[[], IncludingProgram]


class Describes(NamedTuple):
    """A Sphinx extension whose directive documents commands, such as ``click`` of sphinx-click."""

    #: The name of the directive, such as ``click``.
    directive: str
    #: The Python package of the extension.
    package: str
    load: Callable[[], DescribingProgram]


# --- Programs that make pages in a build ---


class ChangesPages(NamedTuple):
    """A MkDocs plugin that adds or changes pages, such as ``i18n``."""

    #: Its names in ``mkdocs.yml``, such as ``i18n``.
    names: Collection[str]
    load: Callable[[], type[PluginPages]]


class ExtendsSphinx(NamedTuple):
    """A Sphinx extension that adds or changes pages, such as ABlog."""

    #: Its name in ``conf.py``, such as ``ablog``.
    name: str
    load: Callable[[], type[ExtensionPages]]


# --- Programs that build a folder ---


class Configures(NamedTuple):
    """A site generator with a configuration file, such as MkDocs with ``mkdocs.yml``."""

    #: Usual names of the file, such as ``mkdocs.yml``.
    files: Collection[str]
    load: Callable[[], ConfiguredProgram]
    #: A key that every such file contains, such as ``site_name``.
    key: str = ""


class Generates(NamedTuple):
    """A program that generates pages without a source document, such as search forms."""

    load: Callable[[], GeneratingProgram]


class SignsPages(NamedTuple):
    """A program that writes its name into ``<meta name="generator">`` of its pages, such as MkDocs."""

    #: The program's name in lower case, such as ``mkdocs``.
    generator: str
    #: Whether pages may include files that we cannot find.
    includes_files: bool = False
    #: Whether its themes read ``sitemap.xml``.
    reads_sitemap: bool = False  # Such a sitemap must not be split into several files.
    writes_gzip: bool = False
    loads_plugin: bool = False


# --- Programs that run builds or serve sites ---


class RunsBuilds(NamedTuple):
    """A platform that runs builds, such as Read the Docs. An environment variable shows its builds."""

    #: An environment variable of builds, such as ``READTHEDOCS``.
    variable: str
    value: str
    load: Callable[[], PlatformProgram]


class ServesSites(NamedTuple):
    """A platform that serves websites, such as Cloudflare Pages."""

    load: Callable[[], ServingProgram]
    #: The value that selects it in the option ``host``.
    host: str = ""


class Previews(NamedTuple):
    """How to recognise the preview deployments of a platform such as Netlify."""

    #: A pattern for host names of previews.
    hosts: str = ""
    #: The environment variable that distinguishes previews from production.
    variable: str = ""
    #: Values of the variable in previews.
    previews: Collection[str] = ()
    #: Values of the variable in production.
    production: Collection[str] = ()
    only_job: tuple[str, str] = ("", "")


class Reviews(NamedTuple):
    """How to recognise a CI run for the review of a change, such as a pull request."""

    #: An environment variable, such as ``GITHUB_EVENT_NAME``.
    variable: str
    #: Values of the variable, such as ``pull_request``.
    values: Collection[str]


class NamesVersion(NamedTuple):
    """A program, such as Read the Docs, that sets environment variables with the version of a build."""

    #: The variables. The first contains the version in URLs.
    variables: Collection[str]
    # With a shared configuration, the base URL must contain the variable, or all versions get the same
    # addresses.
    #: Whether all versions share one configuration file.
    shares_configuration: bool = False


class HasAliases(NamedTuple):
    """A program, such as mike, that deploys versions with aliases, such as ``latest`` for ``2.0``."""

    #: The command and the MkDocs plugin, such as ``mike``.
    command: str
    #: The environment variable with the version being built.
    variable: str
    #: Imports our module about the program.
    load: Callable[[], AliasProgram]


class HasRules(NamedTuple):
    """A web host, such as Netlify, that reads redirects from a file, such as ``netlify.toml``."""

    file: str
    load: Callable[[], RulesProgram]


ProgramAnswer = (
    IncludesFiles
    | Describes
    | ChangesPages
    | ExtendsSphinx
    | Configures
    | Generates
    | SignsPages
    | RunsBuilds
    | ServesSites
    | Previews
    | Reviews
    | NamesVersion
    | HasAliases
    | HasRules
)
