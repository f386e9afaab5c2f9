"""Protocols for the modules of programs: the functions with which a program answers a question.

``answers.py`` has a class for each question. mypy checks that the modules in the table of ``followed.py``
have the functions of their protocols. The module of a program may have any further functions.

``PluginPages`` and ``ExtensionPages`` are base classes in place of protocols, because most plugins and
extensions answer only a few of many questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sitemap_docs.model import Fact

if TYPE_CHECKING:
    from sitemap_docs.host_rules import HeaderRule, RedirectRule
    from sitemap_docs.programs.built_pages import BuiltPage, Generated
    from sitemap_docs.programs.configuration import Configuration, GeneratorConfig
    from sitemap_docs.sources.includes import IncludeReader, MarkdownConfig
    from sitemap_docs.sources.modules import Described
    from sitemap_docs.sources.source_files import SourceLayout
    from sitemap_docs.urls.base import Base
    from sitemap_docs.urls.hosts import Platform
    from sitemap_docs.urls.languages import Translation


# --- Programs that include files in pages, or describe other programs in pages ---


class IncludingProgram(Protocol):
    """A plugin or Markdown extension that includes files in pages."""

    def reader(self, config: MarkdownConfig, options: Mapping[str, Any], /) -> IncludeReader:
        """Return the reader that finds the included files. ``options`` are those of the program."""


class DescribingProgram(Protocol):
    """An extension of Sphinx with a directive that describes a command or a parser."""

    def described(self, argument: str, options: Mapping[str, str], /) -> Described:
        """Return what a directive describes, for example the command of ``.. click:: module:command``."""


# --- Programs that make pages in a build ---


class PluginPages:
    """The changes of a plugin of MkDocs to the pages of one build.

    The methods of this base class answer for a plugin that changes nothing. The class of a plugin overrides
    only the methods with another answer.

    Args:
        plugin: The plugin of the build.

    Attributes:
        builds_languages: Whether MkDocs builds several languages with the plugin.
    """

    builds_languages = False

    def __init__(self, plugin: Any) -> None:  # noqa: ANN401  of a package that may be missing
        self.plugin = plugin

    @staticmethod
    def layout(docs: Path, options: Mapping[str, Any]) -> SourceLayout | None:
        """Return where the sources of pages are, if the plugin moves pages. No build is running.

        ``docs`` is the folder of the sources, and ``options`` are those of the plugin in the configuration.
        """
        return None

    @property
    def default_language(self) -> str:
        """The language of pages in no language folder, or ``""``."""
        return ""

    def sources(self, page: Any) -> Iterable[str]:  # noqa: ANN401
        """Return the files from which MkDocs makes a page, in addition to the file of the page."""
        return ()

    def facts(self, file: Any, *, is_orphan: bool) -> Iterable[Fact]:  # noqa: ANN401
        """Return facts about the page of a file.

        ``is_orphan`` tells whether the navigation leads neither to the page nor to the pages above it.
        """
        return ()

    def translation(self, file: Any) -> Translation | None:  # noqa: ANN401
        """Return the language of the page of a file and the key that its translations share, or None."""
        return None

    def python_objects(self) -> Mapping[str, Any] | None:
        """Return the Python objects that the plugin has loaded in this build, by name, or None."""
        return None

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401
        """Add the defaults of the plugin to the front matter of a page.

        ``build`` contains the arguments that MkDocs passes to plugins, such as ``config``.
        """


class ExtensionPages:
    """The changes of an extension of Sphinx to the pages of one build.

    The methods of this base class answer for an extension that changes nothing. The class of an extension
    overrides only the methods with another answer.

    Args:
        app: The application of Sphinx.
        documents: The source file of each document, by the name of the document.
    """

    def __init__(self, app: Any, documents: Mapping[str, str]) -> None:  # noqa: ANN401
        self.app = app
        self.documents = documents

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The pages without a document that list other pages, with the sources of the listed pages."""
        return {}

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield pairs: the name of a page, and a fact about it such as ``Fact.DRAFT``."""
        yield from ()

    def linked_documents(self) -> Iterable[str]:
        """Return the documents to which pages of the extension link, so that they are no orphans."""
        return ()

    def original(self, file: str) -> str:
        """Return the file from which a source was generated, or ``""`` if there is no such file.

        A file that the extension did not generate is its own original.
        """
        return file

    def modules(self, name: str) -> Iterable[str]:
        """Return the files of the Python modules that a page documents. The module of the page is first."""
        return ()


# --- Programs that build a folder ---


class ConfiguredProgram(Protocol):
    """A generator whose configuration file has the base URL, folders and extensions of a project."""

    def read_configuration(self, written: Configuration, /) -> GeneratorConfig:
        """Return what a configuration file says about the project. Raise SitemapError if it is wrong."""


class GeneratingProgram(Protocol):
    """A program that generates pages in addition to documents, such as search forms and indexes."""

    def generated(self, page: BuiltPage, /) -> Generated | None:
        """Return the kind of a page that the program has generated, or None if the page may be a document.

        This function is called for each page of a folder. It looks at the path first, because the text of
        most pages need not be read.
        """


# --- Programs that run builds or serve sites ---


class PlatformProgram(Protocol):
    """A platform on which builds run, such as Read the Docs."""

    def platform(self, environ: Mapping[str, str], preview: str, /) -> Platform:
        """Return the facts about a build on the platform. Without variables, return facts about any build.

        ``preview`` says why the build is one for a preview, or is ``""``.
        """


class ServingProgram(PlatformProgram, Protocol):
    """A platform that also serves sites, and is recognised without its environment variables."""

    def serves(self, base: Base, root: Path | None, /) -> bool:
        """Check whether the platform serves the site with a base URL.

        ``root`` is the folder of the project, which may contain a configuration for the platform.
        """


class RulesProgram(Protocol):
    """A host with a file of its own for redirects and headers."""

    def find_rules(self, output: Path, folders: Iterable[Path], /) -> Path | None:
        """Return the file in one of the folders of a project, if it applies to the output folder, or None."""

    def redirects(self, file: Path, /) -> Iterable[RedirectRule | None]:
        """Return the redirects in the file, with None for a rule that the host does not follow."""

    def headers(self, file: Path, /) -> Iterable[HeaderRule]:
        """Return the rules for ``X-Robots-Tag`` in the file."""
