"""Protocols for the modules of programs: the functions with which a program answers a question.

``answers.py`` has a class for each question. mypy checks that the modules in the table of ``followed.py``
have the functions of their protocols. The module of a program may have any further functions.

``PluginPages`` and ``ExtensionPages`` are base classes in place of protocols, because most plugins and
extensions answer only a few of many questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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
        """Return a reader that finds the included files.

        ``config`` is the configuration of Markdown, and ``options`` are the options of this program in it.
        """


class DescribingProgram(Protocol):
    """A Sphinx extension with a directive that documents a command or a parser."""

    def described(self, argument: str, options: Mapping[str, str], /) -> Described:
        """Return the object that a directive documents, such as the command of ``.. click:: module:command``.

        ``argument`` is the text after the directive, and ``options`` are the options below it.
        """


# --- Programs that make pages in a build ---


class PluginPages:
    """The changes that a plugin of MkDocs makes to the pages of one build.

    By default, the methods describe a plugin that changes nothing. A subclass overrides the methods that its
    plugin needs.

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
        """Return the layout of the sources if the plugin moves pages, or None.

        This method is called if no build is running.

        Args:
            docs: The folder of the sources.
            options: The options of the plugin in the configuration.
        """
        return None

    @property
    def default_language(self) -> str:
        """The language of pages that are not in the folder of a language, or ``""``."""
        return ""

    def sources(self, page: Any) -> Iterable[str]:  # noqa: ANN401
        """Return further files from which a page is made, in addition to the source file of the page."""
        return ()

    def facts(self, file: Any, *, is_orphan: bool) -> Iterable[Fact]:  # noqa: ANN401
        """Return facts about the page that MkDocs makes from a file.

        ``is_orphan`` tells whether the navigation contains neither the page nor an index page above it.
        """
        return ()

    def translation(self, file: Any) -> Translation | None:  # noqa: ANN401
        """Return the language of the page that MkDocs makes from a file, and the key of its translations.

        All translations of a page have the same key. Return None if the plugin has no translations.
        """
        return None

    def python_objects(self) -> Mapping[str, Any] | None:
        """Return the Python objects that the plugin has loaded in this build, by name, or None."""
        return None

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401
        """Add the defaults of the plugin to the front matter of a page.

        ``build`` contains the keyword arguments that MkDocs passes to plugins, such as ``config``.
        """


class ExtensionPages:
    """The changes that a Sphinx extension makes to the pages of one build.

    By default, the methods describe an extension that changes nothing. A subclass overrides the methods that
    its extension needs.

    Args:
        app: The Sphinx application.
        documents: The source file of each document, by the name of the document.
    """

    def __init__(self, app: Any, documents: Mapping[str, str]) -> None:  # noqa: ANN401
        self.app = app
        self.documents = documents

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The pages that list other pages, for example an archive of a blog.

        Each page is mapped to the sources of the pages that it lists. A list that is made from a document is
        left out.
        """
        return {}

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield the names of pages, each with a fact about the page, such as ``Fact.DRAFT``."""
        yield from ()

    def linked_documents(self) -> Iterable[str]:
        """Return the documents to which pages of the extension link, so that they need no toctree."""
        return ()

    def original(self, file: str) -> str:
        """Return the file from which the extension generated a source, or ``""`` if there is no such file.

        If the extension did not generate the source, return ``file`` itself.
        """
        return file

    def modules(self, name: str) -> Iterable[str]:
        """Return the files of the Python modules that a page documents, the main module first."""
        return ()


# --- Programs that build a folder ---


class ConfiguredProgram(Protocol):
    """A generator with a configuration file, which sets the base URL and the folders of a project."""

    def read_configuration(self, written: Configuration, /) -> GeneratorConfig:
        """Return the settings from a parsed configuration file.

        Raises:
            SitemapError: The file contains an invalid setting.
        """


class GeneratingProgram(Protocol):
    """A program that generates pages which no author has written, such as search forms and indexes."""

    def generated(self, page: BuiltPage, /) -> Generated | None:
        """Return the kind of a page that the program has generated, or None if the page may be a document.

        This function is called for each page of a folder. It checks the path of the page first, and reads the
        text only if the path matches.
        """


# --- Programs that run builds or serve sites ---


class PlatformProgram(Protocol):
    """A platform on which builds run, such as Read the Docs."""

    def platform(self, environ: Mapping[str, str], preview: str, /) -> Platform:
        """Return the facts about a build on the platform.

        Args:
            environ: The environment variables of the build. If empty, return the facts that apply to every
                build.
            preview: The reason why the build is for a preview, or ``""``.
        """


class ServingProgram(PlatformProgram, Protocol):
    """A platform that also serves sites, and that may serve a site even if the build runs elsewhere."""

    def serves(self, base: Base, root: Path | None, /) -> bool:
        """Check whether the platform serves the site with a base URL.

        ``root`` is the folder of the project, which may contain a configuration file for the platform.
        """


class AliasProgram(Protocol):
    """A program that deploys versions with aliases, such as ``latest``."""

    def keep_command(self) -> None:
        """Keep the command line of the program for the build that the program starts as another process."""

    def find_aliases(
        self,
        version: str,
        environ: Mapping[str, str],
        settings: Mapping[str, object],
        branch: str,
        read: Callable[[str, str], bytes],
        /,
    ) -> Iterable[str]:
        """Return the aliases that a version has when the program has deployed it.

        Args:
            version: The version that the program deploys now.
            environ: The environment variables of the build.
            settings: The options of the program's MkDocs plugin.
            branch: The branch with all versions, unless the command line of the program sets another.
            read: A function that returns the content of a file on a branch, or nothing if there is no such
                file.
        """


class RulesProgram(Protocol):
    """A host with its own file for redirects and headers, such as ``netlify.toml``."""

    def find_rules(self, output: Path, folders: Iterable[Path], /) -> Path | None:
        """Return the host's rules file, such as ``netlify.toml``, in one of the folders of a project.

        Return None if there is no such file, or if it is for another output folder.
        """

    def redirects(self, file: Path, /) -> Iterable[RedirectRule | None]:
        """Return the redirects in a rules file. A rule that the host does not follow is None."""

    def headers(self, file: Path, /) -> Iterable[HeaderRule]:
        """Return the rules for the header ``X-Robots-Tag`` in a rules file."""
