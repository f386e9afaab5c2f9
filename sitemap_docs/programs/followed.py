"""The programs that we follow, a line each: by what they are met, and their module, which is loaded then.

A module answers questions by functions that have one name in all modules; the doors ask them.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib import import_module
from re import fullmatch
from types import ModuleType
from typing import Any, TypeVar

from sitemap_docs.programs.read_the_docs import READ_THE_DOCS_VERSION
from sitemap_docs.sources.includes import Includes, MarkdownConfig, Reader
from sitemap_docs.urls.base import host_of
from sitemap_docs.urls.hosts import Platform

_Plugin = TypeVar("_Plugin")

#: What pages include, by the name of a plugin or Markdown extension in the configuration of MkDocs.
INCLUDING = {
    "pymdownx.snippets": "pymdownx_snippets",
    "markdown_include_variants": "markdown_include_variants",
    "include-markdown": "include_markdown",
    "markdown_include.include": "markdown_include",
    "markdown_include": "markdown_include",
    "mdx_include.mdx_include": "markdown_include",
    "mdx_include": "markdown_include",
    "macros": "macros",
    "mdbook": "mdbook",
    "mkdocstrings": "mkdocstrings",
    "mkautodoc": "mkdocstrings",
    "mkdocs-click": "mkdocs_click",
}

#: What a plugin of MkDocs makes of pages, by its name.
PLUGINS = {
    "i18n": "static_i18n",
    "blog": "material_blog",
    "material/blog": "material_blog",
}
#: What an extension of Sphinx makes of pages, by its name.
EXTENSIONS = {
    "ablog": "ablog",
    "sphinx_gallery.gen_gallery": "sphinx_gallery",
    "autoapi.extension": "autoapi",
    "sphinx_tags": "sphinx_tags",
}
#: What a directive of Sphinx describes, by its name.
DESCRIBING = {"click": "sphinx_click", "argparse": "sphinx_argparse"}
#: What a configuration names, by the name of its file.
CONFIGURATIONS = {
    "zensical.toml": "mkdocs",
    "properdocs.yml": "mkdocs",
    "mkdocs.yml": "mkdocs",
    "mkdocs.yaml": "mkdocs",
    "book.toml": "mdbook",
    "myst.yml": "myst",
    "_quarto.yml": "quarto",
}
#: What a platform says of a build, by its variable and the value of that.
PLATFORMS = {
    ("READTHEDOCS", "True"): "read_the_docs",
    ("NETLIFY", "true"): "netlify",
    ("VERCEL", "1"): "vercel",
    ("CF_PAGES", "1"): "cloudflare_pages",
    ("GITLAB_CI", "true"): "gitlab",
    ("GITHUB_ACTIONS", "true"): "github",
}
#: What serves a site that the option ``host`` names, wherever it was built, and how its own hosts end.
SERVING = {"cloudflare_pages": ".pages.dev"}
#: What serves deployments for review, by the names that are given to these.
PREVIEWS = {
    "Read the Docs": r".+\.readthedocs\.build|.+\.rtd-builds?\..+",
    "Netlify": r".+--.+\.netlify\.(?:app|com)",
    "Vercel": r".+-git-.+\.vercel\.app|.+-[a-z0-9]{9}(?:-.+)?\.vercel\.app",
    "Cloudflare Pages": r"[^.]+\.[^.]+\.pages\.dev",
    "Render": r".+-pr-\d+\.onrender\.com",
    "a tunnel": r".+\.(?:ngrok(?:-free)?\.(?:app|dev|io)|trycloudflare\.com|loca\.lt|app\.github\.dev)",
}
#: What redirects and headers a host has in a file that no other host reads.
HOST_FILES = {"netlify.toml": "netlify"}
SPHINX_MULTIVERSION = "SPHINX_MULTIVERSION_NAME"
#: The variables with the name of the version that a tool builds.
_VERSIONS = (*READ_THE_DOCS_VERSION, "MIKE_DOCS_VERSION", SPHINX_MULTIVERSION)


def plugin_of(module: str, plugins: Mapping[str, _Plugin]) -> _Plugin | None:
    """Returns what a site has of the plugin that a module of ``PLUGINS`` is about; None without it."""
    return next((plugin for name, plugin in plugins.items() if PLUGINS.get(name) == module), None)


def load_program(module: str) -> ModuleType:
    """The module of a program, loaded now."""
    return import_module(f"sitemap_docs.programs.{module}")


def met(table: Mapping[str, str], names: Collection[str]) -> dict[str, ModuleType]:
    """The modules of those in ``PLUGINS`` or ``EXTENSIONS`` that a site has, by their names."""
    return {module: load_program(module) for name, module in table.items() if name in names}


def includes_of(config: MarkdownConfig) -> Includes:
    """Returns what finds the files that pages include, by the extensions and plugins of a configuration."""
    before: list[Reader] = []
    behind: list[Reader] = []
    marks = set()
    sees_pages = False
    for name, module in INCLUDING.items():
        options: Mapping[str, Any] | None = config.extensions.get(name, config.plugins.get(name))
        if options is None:
            continue
        including = load_program(module)
        # Without a mark, it is a plugin that changes the source.
        mark = getattr(including, "MARK", "")
        (behind if mark else before).append(including.reader(config, options))
        marks |= {mark} - {""}
        if hasattr(including, "sees_pages"):
            sees_pages = including.sees_pages(options)
    if not marks:
        return Includes(before)
    markdown_exec = load_program("markdown_exec")
    if markdown_exec.is_on(config):
        behind.append(markdown_exec.executed)
    return Includes(before, behind, [load_program("macros").unrendered(config, marks)], sees_pages=sees_pages)


def platform(environ: Mapping[str, str]) -> Platform:
    """The platform whose own marker is set in ``environ``; an empty Platform without one.

    >>> platform({"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "https://x.readthedocs.io/en/latest/"}).name
    'Read the Docs'
    """
    found = Platform()
    for (variable, value), module in PLATFORMS.items():
        if environ.get(variable) == value:
            found = load_program(module).platform(environ)
            break
    return replace(found, is_version=bool(version_names(environ)))


def serving(built_on: Platform, base: str, named: str) -> Platform:
    """The platform that serves a base URL: the one that the user ``named``, else as far as these tell."""
    for module, ending in SERVING.items():
        if module == named.replace("-", "_") or host_of(base).endswith(ending):
            found: Platform = load_program(module).platform({})
            return found
    return built_on


def why_preview(host: str) -> str:
    """Returns whose preview a host is, as a phrase after its name; ``""`` for any other host."""
    for platform_name, previews in PREVIEWS.items():
        if fullmatch(previews, host):
            return f"is a preview ({platform_name})"
    return ""


def version_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The names that a tool which builds several versions has for this one; none where no such tool runs."""
    return tuple(filter(None, map(environ.get, _VERSIONS)))
