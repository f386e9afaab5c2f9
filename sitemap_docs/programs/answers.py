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
    """A table entry for a plugin or Markdown extension that includes files in pages.

    Attributes:
        names: The names of the plugin or extension in a configuration, such as ``macros``.
        load: Imports the module of the program.
    """

    names: Collection[str]
    load: Callable[[], IncludingProgram]


class Describes(NamedTuple):
    """A table entry for a Sphinx extension with a directive that documents a command or a parser.

    Attributes:
        directive: The name of the directive, such as ``click``.
        package: The Python package of the extension. Another package may define a directive with the same
            name.
        load: Imports the module of the program.
    """

    directive: str
    package: str
    load: Callable[[], DescribingProgram]


# --- Programs that make pages in a build ---


class ChangesPages(NamedTuple):
    """A table entry for a plugin of MkDocs that adds or changes pages.

    Attributes:
        names: The names of the plugin in ``mkdocs.yml``, such as ``i18n``.
        load: Imports the module of the program, and returns its subclass of ``PluginPages``.
    """

    names: Collection[str]
    load: Callable[[], type[PluginPages]]


class ExtendsSphinx(NamedTuple):
    """A table entry for a Sphinx extension that adds or changes pages.

    Attributes:
        name: The name of the extension in ``conf.py``, such as ``ablog``.
        load: Imports the module of the program, and returns its subclass of ``ExtensionPages``.
    """

    name: str
    load: Callable[[], type[ExtensionPages]]


# --- Programs that build a folder ---


class Configures(NamedTuple):
    """A table entry for a generator with a configuration file that we can read.

    Attributes:
        files: The usual names of the configuration file, such as ``mkdocs.yml``.
        load: Imports the module of the program.
        key: A key that every configuration of the program contains, such as ``site_name``. A configuration
            file with an unusual name is recognised by the key.
    """

    files: Collection[str]
    load: Callable[[], ConfiguredProgram]
    key: str = ""


class Generates(NamedTuple):
    """A table entry for a program that generates pages which no author has written, such as search forms.

    Attributes:
        load: Imports the module of the program. Its function ``generated`` recognises the pages.
    """

    load: Callable[[], GeneratingProgram]


class SignsPages(NamedTuple):
    """A table entry for a program that writes its name into ``<meta name="generator">``.

    Attributes:
        generator: The name in lower case, such as ``mkdocs``. In a page, a version may follow.
        includes_files: Whether pages may include files that we cannot find without the program's
            configuration.
        reads_sitemap: Whether themes of the program read ``sitemap.xml``, so that it must not be split into
            several files.
        writes_gzip: Whether the program also writes ``sitemap.xml.gz``.
        loads_plugin: Whether the program can load our plugin.
    """

    generator: str
    includes_files: bool = False
    reads_sitemap: bool = False
    writes_gzip: bool = False
    loads_plugin: bool = False


# --- Programs that run builds or serve sites ---


class RunsBuilds(NamedTuple):
    """A table entry for a platform on which builds run, such as Read the Docs.

    Attributes:
        variable: The environment variable by which the platform is recognised, such as ``READTHEDOCS``.
        value: The value of the variable on the platform, such as ``True``.
        load: Imports the module of the platform.
    """

    variable: str
    value: str
    load: Callable[[], PlatformProgram]


class ServesSites(NamedTuple):
    """A table entry for a platform that serves sites, such as Cloudflare Pages.

    Attributes:
        load: Imports the module of the platform.
        host: The value of our option ``host`` that selects the platform, such as ``cloudflare-pages``. ``""``
            if no value selects the platform.
    """

    load: Callable[[], ServingProgram]
    host: str = ""


class Previews(NamedTuple):
    """A table entry that says how to recognise a platform's previews, such as deployments of pull requests.

    Attributes:
        hosts: A pattern for the host names of previews, or ``""``.
        variable: An environment variable that the platform sets in builds, or ``""``.
        previews: If given, only these values of the variable mean a preview.
        production: If given, these values of the variable mean production, and any other value means a
            preview.
        only_job: If given, the variable with the name of the job, and the beginning of that name for a job
            that deploys the site. Another job only tests the site, and is no preview.
    """

    hosts: str = ""
    variable: str = ""
    previews: Collection[str] = ()
    production: Collection[str] = ()
    only_job: tuple[str, str] = ("", "")


class Reviews(NamedTuple):
    """A table entry that says how to recognise a CI run for a proposed change, such as a pull request.

    Such a run deploys nothing.

    Attributes:
        variable: The environment variable, such as ``GITHUB_EVENT_NAME``.
        values: The values of the variable in such a run, such as ``pull_request``.
    """

    variable: str
    values: Collection[str]


class NamesVersion(NamedTuple):
    """A table entry for a program that puts the name of the version being built into environment variables.

    Attributes:
        variables: The variables. The first variable contains the name as it is in URLs.
        shares_configuration: Whether the program builds all versions with one configuration. The base URL in
            the configuration must then contain the variable, or all versions get the same addresses.
    """

    variables: Collection[str]
    shares_configuration: bool = False


class HasAliases(NamedTuple):
    """A table entry for a program that deploys versions with aliases, such as ``latest`` for ``2.0``.

    The program loads the MkDocs plugins of the build itself, before it starts the build as another process.

    Attributes:
        command: The command of the program, and the name of its plugin, such as ``mike``.
        variable: The environment variable with the version being built.
        load: Imports the module of the program.
    """

    command: str
    variable: str
    load: Callable[[], AliasProgram]


class HasRules(NamedTuple):
    """A table entry for a host with its own file for redirects and headers.

    Attributes:
        file: The name of the file, such as ``netlify.toml``.
        load: Imports the module of the host.
    """

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
