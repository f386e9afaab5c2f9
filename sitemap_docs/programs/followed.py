"""The table of the programs that we follow, and functions that search the table.

Other packages call these functions. They need not know which programs there are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from re import fullmatch
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sitemap_docs import programs
from sitemap_docs.programs.answers import (
    ChangesPages,
    Configures,
    Describes,
    ExtendsSphinx,
    Generates,
    HasAliases,
    HasRules,
    IncludesFiles,
    NamesVersion,
    Previews,
    ProgramAnswer,
    Reviews,
    RunsBuilds,
    ServesSites,
    SignsPages,
)
from sitemap_docs.urls.base import Base
from sitemap_docs.urls.hosts import Platform

if TYPE_CHECKING:
    from sitemap_docs.programs.built_pages import BuiltPage, Generated
    from sitemap_docs.programs.protocols import ExtensionPages, GeneratingProgram, PluginPages
    from sitemap_docs.sources.includes import IncludeReader, Includes, MarkdownConfig, Reader
    from sitemap_docs.sources.source_files import SourceLayout

_Answer = TypeVar("_Answer")


class Program:
    """A program that sitemap-docs knows, such as MkDocs.

    ``answers`` contain what is known about it, such as the environment variable that it sets in a build.
    """

    def __init__(self, name: str, *answers: ProgramAnswer) -> None:
        self.name = name
        self.answers = answers


#: All programs. The first program that fits a file, a folder, a page or a build wins.
PROGRAMS = (
    # Platforms, and other tools that build or serve sites
    Program(
        "Cloudflare Pages",
        RunsBuilds("CF_PAGES", "1", lambda: programs.cloudflare_pages),
        ServesSites(lambda: programs.cloudflare_pages, host="cloudflare-pages"),
        # No variable has the name of the production branch.
        Previews(r"[^.]+\.[^.]+\.pages\.dev", "CF_PAGES_BRANCH", production=("main", "master")),
    ),
    Program(
        "Read the Docs",
        RunsBuilds("READTHEDOCS", "True", lambda: programs.read_the_docs),
        ServesSites(lambda: programs.read_the_docs),
        Previews(
            r".+\.readthedocs\.build|.+\.rtd-builds?\..+",
            "READTHEDOCS_VERSION_TYPE",
            previews=("external",),
        ),
        NamesVersion(("READTHEDOCS_VERSION", "READTHEDOCS_VERSION_NAME")),
    ),
    Program(
        "Netlify",
        RunsBuilds("NETLIFY", "true", lambda: programs.netlify),
        HasRules("netlify.toml", lambda: programs.netlify),
        Previews(r".+--.+\.netlify\.(?:app|com)", "CONTEXT", production=("production",)),
    ),
    Program(
        "Vercel",
        RunsBuilds("VERCEL", "1", lambda: programs.vercel),
        # The hash of a deployment has nine characters. Nine letters are a word, as in
        # my-reference.vercel.app.
        Previews(
            r".+-git-.+\.vercel\.app|.+-(?=[a-z]{0,8}[0-9])[a-z0-9]{9}(?:-.+)?\.vercel\.app",
            "VERCEL_ENV",
            production=("production",),
        ),
    ),
    Program(
        "GitLab Pages",
        RunsBuilds("GITLAB_CI", "true", lambda: programs.gitlab),
        Previews(
            "",
            "CI_PIPELINE_SOURCE",
            previews=("merge_request_event",),
            only_job=("CI_JOB_NAME", "pages"),
        ),
        Reviews("CI_PIPELINE_SOURCE", ("merge_request_event", "external_pull_request_event")),
    ),
    Program(
        "GitHub Actions",
        RunsBuilds("GITHUB_ACTIONS", "true", lambda: programs.github),
        Reviews("GITHUB_EVENT_NAME", ("pull_request", "pull_request_target", "merge_group")),
    ),
    Program("Render", Previews(r".+-pr-\d+\.onrender\.com")),
    Program(
        "a tunnel",
        Previews(r".+\.(?:ngrok(?:-free)?\.(?:app|dev|io)|trycloudflare\.com|loca\.lt|app\.github\.dev)"),
    ),
    Program(
        "mike",
        NamesVersion(("MIKE_DOCS_VERSION",)),
        HasAliases("mike", "MIKE_DOCS_VERSION", lambda: programs.mike),
    ),
    Program("sphinx-multiversion", NamesVersion(("SPHINX_MULTIVERSION_NAME",), shares_configuration=True)),
    # Generators
    Program(
        "Zensical",
        Configures(("zensical.toml", "zensical.yml", "zensical.yaml"), lambda: programs.mkdocs),
        SignsPages("zensical", includes_files=True, reads_sitemap=True),
    ),
    Program(
        "ProperDocs",
        Configures(("properdocs.yml", "properdocs.yaml"), lambda: programs.mkdocs),
        SignsPages("properdocs", loads_plugin=True),
    ),
    Program(
        "MkDocs",
        Configures(("mkdocs.yml", "mkdocs.yaml"), lambda: programs.mkdocs, key="site_name"),
        SignsPages("mkdocs", includes_files=True, reads_sitemap=True, writes_gzip=True, loads_plugin=True),
        Generates(lambda: programs.mkdocs),
    ),
    Program(
        "mdBook",
        Configures(("book.toml",), lambda: programs.mdbook),
        IncludesFiles(("mdbook",), lambda: programs.mdbook),
    ),
    Program("MyST and Jupyter Book 2", Configures(("myst.yml",), lambda: programs.myst)),
    Program("Quarto", Configures(("_quarto.yml", "_quarto.yaml"), lambda: programs.quarto)),
    Program("Doxygen", Generates(lambda: programs.doxygen)),
    Program("rustdoc", Generates(lambda: programs.rustdoc)),
    Program("pydoctor", Generates(lambda: programs.pydoctor)),
    Program("Google Search Console", Generates(lambda: programs.google)),
    # Sphinx and its extensions
    Program(
        "ABlog", ExtendsSphinx("ablog", lambda: programs.ablog.BlogPages), Generates(lambda: programs.ablog)
    ),
    Program(
        "Sphinx-Gallery",
        ExtendsSphinx("sphinx_gallery.gen_gallery", lambda: programs.sphinx_gallery.GalleryPages),
        Generates(lambda: programs.sphinx_gallery),
    ),
    Program("sphinx-autoapi", ExtendsSphinx("autoapi.extension", lambda: programs.autoapi.AutoapiPages)),
    Program("sphinx-tags", ExtendsSphinx("sphinx_tags", lambda: programs.sphinx_tags.TagPages)),
    Program(
        "sphinx-notfound-page",
        ExtendsSphinx("notfound.extension", lambda: programs.sphinx_notfound_page.NotFoundPage),
    ),
    Program("sphinx-click", Describes("click", "sphinx_click", lambda: programs.sphinx_click)),
    Program("sphinx-argparse", Describes("argparse", "sphinxarg", lambda: programs.sphinx_argparse)),
    Program("Sphinx", Generates(lambda: programs.sphinx)),
    # Plugins of MkDocs, and Markdown extensions
    Program("pymdownx.snippets", IncludesFiles(("pymdownx.snippets",), lambda: programs.pymdownx_snippets)),
    Program(
        "markdown-include-variants",
        IncludesFiles(("markdown_include_variants",), lambda: programs.markdown_include_variants),
    ),
    Program(
        "mkdocs-include-markdown-plugin",
        IncludesFiles(("include-markdown",), lambda: programs.include_markdown),
    ),
    Program(
        "markdown-include and mdx_include",
        IncludesFiles(
            ("markdown_include.include", "markdown_include", "mdx_include.mdx_include", "mdx_include"),
            lambda: programs.markdown_include,
        ),
    ),
    Program("mkdocs-macros-plugin", IncludesFiles(("macros",), lambda: programs.macros)),
    Program(
        "mkdocstrings and mkautodoc",
        IncludesFiles(("mkdocstrings", "mkautodoc"), lambda: programs.mkdocstrings),
        ChangesPages(("mkdocstrings",), lambda: programs.mkdocstrings.ObjectPages),
    ),
    Program("mkdocs-click", IncludesFiles(("mkdocs-click",), lambda: programs.mkdocs_click)),
    Program("mkdocs-static-i18n", ChangesPages(("i18n",), lambda: programs.static_i18n.TranslatedPages)),
    Program(
        "Blog of Material for MkDocs",
        ChangesPages(("blog", "material/blog"), lambda: programs.material_blog.PostPages),
    ),
    Program(
        "Meta of Material for MkDocs",
        ChangesPages(("material/meta",), lambda: programs.material_meta.DefaultMeta),
    ),
    Program("mkdocs-literate-nav", ChangesPages(("literate-nav",), lambda: programs.literate_nav.NavPages)),
    Program("mkdocs-print-site-plugin", Generates(lambda: programs.print_site)),
)


def answers_to(question: type[_Answer]) -> Iterator[_Answer]:
    """Yield the entries of ``PROGRAMS``, the supported plugins, that are instances of one class.

    For example, ``IncludesFiles`` yields an entry for each plugin that includes files in pages.
    """
    for program in PROGRAMS:
        for answer in program.answers:
            if isinstance(answer, question):
                yield answer


# --- Includes ---


def names_of_includes() -> set[str]:
    """Return the names of all plugins and Markdown extensions that include files."""
    return {name for answer in answers_to(IncludesFiles) for name in answer.names}


def includes_of(config: MarkdownConfig) -> Includes:
    """Return an :class:`Includes` object, which finds the files that Markdown pages include."""
    from sitemap_docs.sources.includes import Includes  # noqa: PLC0415  no build with Sphinx asks

    readers: list[IncludeReader] = []
    for answer in answers_to(IncludesFiles):
        for name in answer.names:
            options = config.extensions.get(name, config.plugins.get(name))
            if options is not None:
                readers.append(answer.load().reader(config, options))
    marks = {reader.mark for reader in readers if reader.mark}
    before = [reader.read for reader in readers if not reader.mark]
    behind = [reader.read for reader in readers if reader.mark]
    unrendered: list[Reader] = []
    if marks:
        unrendered.append(programs.macros.unrendered(config, marks))
        if programs.markdown_exec.is_on(config):
            behind.append(programs.markdown_exec.executed)
    sees_pages = any(reader.sees_pages for reader in readers)
    return Includes(before, behind, unrendered, sees_pages=sees_pages)


# --- Pages ---


@cache
def _generating_programs() -> tuple[GeneratingProgram, ...]:
    return tuple(answer.load() for answer in answers_to(Generates))


def recognise_generated(page: BuiltPage) -> Generated | None:
    """Return the kind of a page that a program such as Doxygen generates, or None for other pages."""
    for program in _generating_programs():
        if answer := program.generated(page):
            return answer
    return None


def extension_pages(
    extensions: Collection[str],
    app: Any,  # noqa: ANN401  of Sphinx
    documents: Mapping[str, str],
) -> list[ExtensionPages]:
    """Create an ``ExtensionPages`` object for each Sphinx extension that adds or changes pages.

    ``extensions`` are the names of the extensions that Sphinx has loaded. ``documents`` maps the names of
    documents to their source files.
    """
    found = []
    for answer in answers_to(ExtendsSphinx):
        if answer.name in extensions:
            pages = answer.load()
            found.append(pages(app, documents))
    return found


def plugin_pages(plugins: Mapping[str, Any]) -> list[PluginPages]:
    """Create a ``PluginPages`` object for each MkDocs plugin that changes pages."""
    found = []
    for answer in answers_to(ChangesPages):
        for name in answer.names:
            if name in plugins:
                pages = answer.load()
                found.append(pages(plugins[name]))
    return found


def layout_of(config: MarkdownConfig) -> SourceLayout | None:
    """Return the :class:`SourceLayout` of a plugin that moves pages, such as blog posts, otherwise None."""
    for answer in answers_to(ChangesPages):
        for name in answer.names:
            if name in config.plugins:
                layout = answer.load().layout(config.docs, config.plugins[name])
                if layout:
                    return layout
    return None


class Signature(NamedTuple):
    """The program that made a page, according to ``<meta name="generator">``."""

    #: The name of the program, such as ``MkDocs``.
    program: str
    #: The program's entry in the table of programs.
    sign: SignsPages


def signature_of(generator: str) -> Signature | None:
    """Recognise a program by the text in ``<meta name="generator">``, or return None.

    >>> signature_of("mkdocs-1.6.1, mkdocs-material-9.7.0").program
    'MkDocs'
    """
    for program in PROGRAMS:
        for answer in program.answers:
            if isinstance(answer, SignsPages) and generator.lower().startswith(answer.generator):
                return Signature(program.name, answer)
    return None


# --- Platforms ---


def platform(environ: Mapping[str, str]) -> Platform:
    """Return the platform on which a build runs.

    >>> platform({"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "https://x.readthedocs.io/en/latest/"}).name
    'Read the Docs'
    """
    found = Platform()
    for program in PROGRAMS:
        for answer in program.answers:
            if isinstance(answer, RunsBuilds) and environ.get(answer.variable) == answer.value:
                found = answer.load().platform(environ, _why_preview_build(program, environ))
                return replace(found, is_version=bool(version_names(environ)))
    return replace(found, is_version=bool(version_names(environ)))


def serving_platform(built_on: Platform, base: Base, named: str, root: Path | None) -> Platform:
    """Return the platform that serves a site, such as Cloudflare Pages.

    If the platform is not recognised, return ``built_on``.

    Args:
        built_on: The platform on which the build runs.
        base: The base URL of the site.
        named: The platform that the user has set with the option ``host``, such as ``cloudflare-pages``.
        root: The folder of the project, or None.
    """
    for answer in answers_to(ServesSites):
        program = answer.load()
        if answer.host == named or program.serves(base, root):
            serving = program.platform({}, "")
            return built_on if built_on.name == serving.name else serving
    return built_on


def _why_preview_build(program: Program, environ: Mapping[str, str]) -> str:
    """Return why a build is a preview: ``VERCEL_ENV is preview``. If it is not a preview, return ``""``.

    ``program`` is the platform, with the environment variables by which it marks previews.
    """
    for signs in program.answers:
        if not isinstance(signs, Previews):
            continue
        job, deploying = signs.only_job
        if not environ.get(job, "").startswith(deploying):
            continue
        value = environ.get(signs.variable)
        if not value or value in signs.production or (signs.previews and value not in signs.previews):
            continue
        words = f"{signs.variable} is {value}"
        if len(signs.production) > 1:
            words += f", neither {' nor '.join(signs.production)}"
        return words
    return ""


def previewing_platform(host: str) -> str:
    """Return the name of the platform whose preview deployments have such a host name, or ``""``.

    >>> previewing_platform("deploy-preview-1--docs.netlify.app")
    'Netlify'
    """
    for program in PROGRAMS:
        for signs in program.answers:
            if isinstance(signs, Previews) and signs.hosts and fullmatch(signs.hosts, host):
                return program.name
    return ""


def why_review(environ: Mapping[str, str]) -> str:
    """Return why a CI run is for a proposed change, or ``""`` for other runs.

    An example is ``GITHUB_EVENT_NAME is pull_request``.
    """
    for review in answers_to(Reviews):
        value = environ.get(review.variable)
        if value in review.values:
            return f"{review.variable} is {value}"
    return ""


def version_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Read the names of the version being built from variables such as ``READTHEDOCS_VERSION``."""
    names = []
    for answer in answers_to(NamesVersion):
        names += [environ[variable] for variable in answer.variables if environ.get(variable)]
    return tuple(names)


def keep_command() -> None:
    """If this process is mike, save its command line in an environment variable for the build that it starts.

    mike is a tool that deploys several versions of a MkDocs site.
    """
    command = Path(sys.argv[0]).stem.removesuffix("-script")  # of older launchers on Windows
    for answer in answers_to(HasAliases):
        if answer.command == command:
            answer.load().keep_command()


def version_aliases(
    environ: Mapping[str, str], plugins: Mapping[str, Any], branch: str, read: Callable[[str, str], bytes]
) -> tuple[str, ...]:
    """Return the aliases of the version being built, such as ``latest`` for ``2.0``.

    Args:
        environ: The environment variables of the build.
        plugins: The MkDocs plugins of the build, by name.
        branch: The git branch with the deployed versions.
        read: A function that returns the content of a file on a branch, or ``b""`` if it does not exist.
    """
    aliases: list[str] = []
    for answer in answers_to(HasAliases):
        version = environ.get(answer.variable)
        if version:
            settings = plugins[answer.command].config if answer.command in plugins else {}
            aliases += answer.load().find_aliases(version, environ, settings, branch, read)
    return tuple(aliases)


def version_variable(environ: Mapping[str, str]) -> str:
    """Return the name of the environment variable that contains the version of the build, or ``""``.

    Only programs that use one ``conf.py`` for all versions have such a variable. For sphinx-multiversion, it
    is ``SPHINX_MULTIVERSION_NAME``.
    """
    for answer in answers_to(NamesVersion):
        if answer.shares_configuration:
            for variable in answer.variables:
                if environ.get(variable):
                    return variable
    return ""
