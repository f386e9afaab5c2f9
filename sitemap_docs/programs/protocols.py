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
        """Return a reader that finds the included files."""


class DescribingProgram(Protocol):
    """A Sphinx extension with a directive that documents a command or a parser."""

    def described(self, argument: str, options: Mapping[str, str], /) -> Described:
        """Return the object that a directive documents, such as a click command."""


# --- Programs that make pages in a build ---


class PluginPages:
    """The changes that a MkDocs plugin makes to pages.

    Attributes:
        builds_languages: Whether the plugin builds several languages.
    """

    builds_languages = False

    def __init__(self, plugin: Any) -> None:  # noqa: ANN401  of a package that may be missing
        self.plugin = plugin

    @staticmethod
    def layout(docs: Path, options: Mapping[str, Any]) -> SourceLayout | None:
        """Return the layout of the sources if the plugin moves pages."""
        return None

    @property
    def default_language(self) -> str:
        """The language of pages that are not in the folder of a language, or ``""``."""
        return ""

    def sources(self, page: Any) -> Iterable[str]:  # noqa: ANN401
        """Return further files from which a page is made."""
        return ()

    def facts(self, file: Any, *, is_orphan: bool) -> Iterable[Fact]:  # noqa: ANN401
        """Return facts about the page of a file.

        ``is_orphan`` means that neither the page nor an index above it is in the navigation.
        """
        return ()

    def translation(self, file: Any) -> Translation | None:  # noqa: ANN401
        """Return the language of a page and the key of its translations, or None."""
        return None

    def python_objects(self) -> Mapping[str, Any] | None:
        """Return the Python objects that the plugin has loaded, or None."""
        return None

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401
        """Add the defaults of the plugin to the front matter of a page."""


class ExtensionPages:
    """The changes that a Sphinx extension makes to pages."""

    def __init__(self, app: Any, documents: Mapping[str, str]) -> None:  # noqa: ANN401
        self.app = app
        self.documents = documents

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The pages that list other pages, with the sources of those pages."""
        return {}

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield pages, each with a fact such as ``Fact.DRAFT``."""
        yield from ()

    def linked_documents(self) -> Iterable[str]:
        """Return the documents to which pages of the extension link."""
        return ()

    def original(self, file: str) -> str:
        """Return the file from which a source was generated, or ``""`` if unknown.

        A source that was not generated is returned unchanged.
        """
        return file

    def modules(self, name: str) -> Iterable[str]:
        """Return the files of the modules that a page documents, the main module first."""
        return ()


# --- Programs that build a folder ---


class ConfiguredProgram(Protocol):
    """A generator with a configuration file."""

    def read_configuration(self, written: Configuration, /) -> GeneratorConfig:
        """Return the settings in a configuration file.

        Raises:
            SitemapError: A setting is invalid.
        """


class GeneratingProgram(Protocol):
    """A program that generates pages, such as search forms."""

    def generated(self, page: BuiltPage, /) -> Generated | None:
        """Return the kind of a page that the program generates, or None."""
        # The method is called for each page of a folder, so check the path before you read the text.


# --- Programs that run builds or serve sites ---


class PlatformProgram(Protocol):
    """A platform on which builds run, such as Read the Docs."""

    def platform(self, environ: Mapping[str, str], preview: str, /) -> Platform:
        """Describe the platform of a build.

        ``preview`` says why the build is a preview, or is empty.
        """


class ServingProgram(PlatformProgram, Protocol):
    """A platform that also serves sites."""

    def serves(self, base: Base, root: Path | None, /) -> bool:
        """Check whether the platform serves a site."""


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
    """A host with a file for redirects and headers, such as ``netlify.toml``."""

    def find_rules(self, output: Path, folders: Iterable[Path], /) -> Path | None:
        """Return the host's rules file for an output folder, or None."""

    def redirects(self, file: Path, /) -> Iterable[RedirectRule | None]:
        """Return the redirects in a rules file, with None for unsupported redirects."""

    def headers(self, file: Path, /) -> Iterable[HeaderRule]:
        """Return the rules for the header ``X-Robots-Tag`` in a rules file."""
