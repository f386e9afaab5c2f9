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
    """A plugin or Markdown extension that inserts other files into pages."""

    def reader(self, config: MarkdownConfig, options: Mapping[str, Any], /) -> IncludeReader:
        """Return an :class:`IncludeReader`, which finds the files that a Markdown page includes."""


class DescribingProgram(Protocol):
    """A Sphinx extension that generates the documentation of a command or parser from its Python file."""

    def described(self, argument: str, options: Mapping[str, str], /) -> Described:
        """Return the Python object that a Sphinx directive documents, such as a click command.

        For ``.. click:: package.module:command``, ``argument`` is ``package.module:command``. The other
        argument contains the options of the directive, such as ``:nested:``.
        """


# --- Programs that make pages in a build ---


class PluginPages:
    """Describes the pages that a MkDocs plugin adds or changes, such as their sources and languages."""

    #: Whether the plugin builds several languages.
    builds_languages = False

    def __init__(self, plugin: Any) -> None:  # noqa: ANN401  of a package that may be missing
        self.plugin = plugin

    @staticmethod
    def layout(docs: Path, options: Mapping[str, Any]) -> SourceLayout | None:
        """Return a :class:`SourceLayout`, which finds the source files of moved pages.

        If the plugin moves no pages, return None.
        """
        return None

    @property
    def default_language(self) -> str:
        """The language of pages outside folders such as ``de/``, or ``""`` if it is unknown."""
        return ""

    def sources(self, page: Any) -> Iterable[str]:  # noqa: ANN401
        """Return the source files of a page besides its Markdown file, such as the posts in an archive."""
        return ()

    def facts(self, file: Any, *, is_orphan: bool) -> Iterable[Fact]:  # noqa: ANN401
        """Return possible reasons to leave out a page, such as ``Fact.LIST`` if it only lists blog posts.

        ``is_orphan`` is true if the page is not in the navigation.
        """
        return ()

    def translation(self, file: Any) -> Translation | None:  # noqa: ANN401
        """Return the language of a page, such as ``de``, and the path ``a.md`` of all its translations.

        If the page is not a translation, return None.
        """
        return None

    def python_objects(self) -> Mapping[str, Any] | None:
        """Return the Python modules that a plugin such as mkdocstrings has loaded, by name.

        If no modules are loaded, return None.
        """
        return None

    def complete_meta(self, page: Any, **build: Any) -> None:  # noqa: ANN401
        """Add default values of the MkDocs plugin, such as common tags, to the front matter of a page."""


class ExtensionPages:
    """Knows which pages a Sphinx extension adds or changes, and the source files of these pages."""

    def __init__(self, app: Any, documents: Mapping[str, str]) -> None:  # noqa: ANN401
        self.app = app
        self.documents = documents

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        """The pages that list others, such as ``blog/2024``, with the source files of the listed pages."""
        return {}

    def facts(self) -> Iterator[tuple[str, Fact]]:
        """Yield pages of a Sphinx extension that the sitemap may leave out, each with the reason.

        A reason is a fact about the page, such as ``Fact.DRAFT``.
        """
        yield from ()

    def linked_documents(self) -> Iterable[str]:
        """Return the documents to which generated pages of the extension link, such as blog posts."""
        return ()

    def original(self, file: str) -> str:
        """Return the file from which a source was generated, such as ``plot_a.py`` for ``plot_a.rst``.

        If that file is unknown, return ``""``. A source that was not generated is returned unchanged.
        """
        return file

    def modules(self, name: str) -> Iterable[str]:
        """Return the Python files that a page such as ``autoapi/a/index`` documents, the main one first."""
        return ()


# --- Programs that build a folder ---


class ConfiguredProgram(Protocol):
    """A site generator with a configuration file, such as ``mkdocs.yml``."""

    def read_configuration(self, written: Configuration, /) -> GeneratorConfig:
        """Return the settings in ``written``, a parsed configuration file.

        Raises:
            SitemapError: A setting is invalid.
        """


class GeneratingProgram(Protocol):
    """A program that writes pages without a source document, such as the search page of Sphinx."""

    def generated(self, page: BuiltPage, /) -> Generated | None:
        """Return the kind of ``page`` if the program generated it, such as ``source code`` for Doxygen.

        For any other page, return None.
        """
        # The method is called for each page of a folder, so check the path before you read the text.


# --- Programs that run builds or serve sites ---


class PlatformProgram(Protocol):
    """Our module about a platform that runs builds, such as Read the Docs."""

    def platform(self, environ: Mapping[str, str], preview: str, /) -> Platform:
        """Return facts about a build on this platform, such as its base URL and whether it is a preview.

        The arguments are ``environ``, the environment variables of the build, and ``preview``, the reason why
        the build is a preview, such as ``VERCEL_ENV is preview``, or ``""``.
        """


class ServingProgram(PlatformProgram, Protocol):
    """A platform such as Cloudflare Pages, which serves sites and can recognise them by the base URL."""

    def serves(self, base: Base, root: Path | None, /) -> bool:
        """Check whether the platform serves the site, by its base URL or the files of the project."""


class AliasProgram(Protocol):
    """A program such as mike, which gives a version more names (aliases), such as ``latest`` for ``2.0``."""

    def keep_command(self) -> None:
        """Save a command such as ``mike deploy 2.0 latest``, so that the build knows the alias ``latest``."""

    def find_aliases(
        self,
        version: str,
        environ: Mapping[str, str],
        settings: Mapping[str, object],
        branch: str,
        read: Callable[[str, str], bytes],
        /,
    ) -> Iterable[str]:
        """Return the aliases of the version that is built, such as ``latest`` in ``mike deploy 2.0 latest``.

        Args:
            version: The version that is built now.
            environ: The environment variables of the build.
            settings: The options of the MkDocs plugin ``mike``.
            branch: The git branch with the deployed versions, unless the mike command names another branch.
            read: Returns the content of a file on a branch, or ``b""`` if there is no such file.
        """


class RulesProgram(Protocol):
    """A web host, such as Netlify, that reads redirects and headers from a file, such as ``netlify.toml``."""

    def find_rules(self, output: Path, folders: Iterable[Path], /) -> Path | None:
        """Return the file with the host's rules for a site, such as ``netlify.toml``, or None.

        For example, ``find_rules(Path("site"), [Path("."), Path("site")])`` searches the current folder and
        the built folder ``site`` for the rules of ``site``.
        """

    def redirects(self, file: Path, /) -> Iterable[RedirectRule | None]:
        """Return the redirects in a file such as ``netlify.toml``, and None for each unsupported redirect."""

    def headers(self, file: Path, /) -> Iterable[HeaderRule]:
        """Return the rules in ``file``, such as ``netlify.toml``, that set the header ``X-Robots-Tag``."""
