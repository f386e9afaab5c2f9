"""The answers that a program can give in the table of ``followed.py``.

An answer says which question a program answers, how the program is recognised, and how its module is loaded.
The module implements the protocol of the question in ``protocols.py``. A few answers need no module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sitemap_docs.programs.protocols import (
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
    """The answer of a program that includes files in Markdown pages.

    Attributes:
        names: The names of the plugin or Markdown extension in a configuration, such as ``macros``.
        load: Loads the program.
    """

    names: Collection[str]
    load: Callable[[], IncludingProgram]


class Describes(NamedTuple):
    """The answer of a program that has a directive that describes a command or a parser.

    Attributes:
        directive: The name of the directive, such as ``click``.
        package: The Python package that defines the directive. Other packages may have one of that name.
        load: Loads the program.
    """

    directive: str
    package: str
    load: Callable[[], DescribingProgram]


# --- Programs that make pages in a build ---


class ChangesPages(NamedTuple):
    """The answer of a program that is a plugin of MkDocs that makes or changes pages.

    Attributes:
        names: The names of the plugin in ``mkdocs.yml``, such as ``i18n``.
        load: Loads the program.
    """

    names: Collection[str]
    load: Callable[[], type[PluginPages]]


class ExtendsSphinx(NamedTuple):
    """The answer of a program that is an extension of Sphinx that makes or changes pages.

    Attributes:
        name: The name of the extension in ``conf.py``, such as ``ablog``.
        load: Loads the program.
    """

    name: str
    load: Callable[[], type[ExtensionPages]]


# --- Programs that build a folder ---


class Configures(NamedTuple):
    """The answer of a program that has a configuration file that we read.

    Attributes:
        files: The names of the configuration file, such as ``mkdocs.yml``.
        load: Loads the program.
        key: A key in each configuration of the program, by which a file of any other name is recognised.
    """

    files: Collection[str]
    load: Callable[[], ConfiguredProgram]
    key: str = ""


class Generates(NamedTuple):
    """The answer of a program that generates pages. Its function ``generated`` recognises them.

    Attributes:
        load: Loads the program.
    """

    load: Callable[[], GeneratingProgram]


class SignsPages(NamedTuple):
    """The answer of a program that writes its name into ``<meta name="generator">``.

    Attributes:
        generator: The name, in lower case. A version may follow.
        includes_files: Whether only the configuration of the program tells which files a page includes.
        reads_sitemap: Whether the themes of the program read ``sitemap.xml``. It then is one file.
        writes_gzip: Whether the program also writes ``sitemap.xml.gz``.
        loads_plugin: Whether the program loads our plugin.
    """

    generator: str
    includes_files: bool = False
    reads_sitemap: bool = False
    writes_gzip: bool = False
    loads_plugin: bool = False


# --- Programs that run builds or serve sites ---


class RunsBuilds(NamedTuple):
    """The answer of a program that is a platform on which builds run.

    Attributes:
        variable: The environment variable by which the platform is recognised.
        value: The value of the variable.
        load: Loads the program.
    """

    variable: str
    value: str
    load: Callable[[], PlatformProgram]


class ServesSites(NamedTuple):
    """The answer of a program that is a platform that serves sites.

    Attributes:
        load: Loads the program.
        host: The value of the option ``host`` for the platform, or ``""``.
    """

    load: Callable[[], ServingProgram]
    host: str = ""


class Previews(NamedTuple):
    """The signs of the previews of a platform. Nothing else decides what a preview is.

    Attributes:
        hosts: A pattern of the hosts of previews.
        variable: The variable that tells whether a build is for a preview.
        previews: The values of the variable for previews.
        production: The values of the variable for all other deployments, if previews have any other value.
    """

    hosts: str = ""
    variable: str = ""
    previews: Collection[str] = ()
    production: Collection[str] = ()


class Reviews(NamedTuple):
    """The sign of a run for the review of a change. Such a run deploys nothing.

    Attributes:
        variable: The environment variable.
        values: The values of the variable in such a run.
    """

    variable: str
    values: Collection[str]


class NamesVersion(NamedTuple):
    """The environment variables in which a program names the version that is built.

    Attributes:
        variables: The variables. The first one has the name in addresses.
        shares_configuration: Whether all versions are built with one configuration, so that the base URL in
            it has to contain the variable.
    """

    variables: Collection[str]
    shares_configuration: bool = False


class HasRules(NamedTuple):
    """The answer of a host that has a file of its own for redirects and headers.

    Attributes:
        file: The name of the file, such as ``netlify.toml``.
        load: Loads the program.
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
    | HasRules
)
