"""The list of the programs that we follow: the sign by which each is recognised, and its module.

A module is loaded when its program is recognised. Its functions have the same names in all modules.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from re import fullmatch
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

from sitemap_docs.programs.read_the_docs import READ_THE_DOCS_VERSION, is_on_read_the_docs
from sitemap_docs.sources.includes import Includes, MarkdownConfig, Reader
from sitemap_docs.urls.base import Base, host_of
from sitemap_docs.urls.hosts import Platform

_Plugin = TypeVar("_Plugin")

#: Programs that include files in pages, by the name of a plugin or Markdown extension of MkDocs.
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

#: Plugins of MkDocs that change pages, by name.
PLUGINS = {
    "i18n": "static_i18n",
    "blog": "material_blog",
    "material/blog": "material_blog",
}
#: Extensions of Sphinx that change pages, by name.
EXTENSIONS = {
    "ablog": "ablog",
    "sphinx_gallery.gen_gallery": "sphinx_gallery",
    "autoapi.extension": "autoapi",
    "sphinx_tags": "sphinx_tags",
}
#: Directives of Sphinx that describe a program, by name.
DESCRIBING = {"click": "sphinx_click", "argparse": "sphinx_argparse"}
#: Generators, by the name of their configuration file.
CONFIGURATIONS = {
    "zensical.toml": "mkdocs",
    "properdocs.yml": "mkdocs",
    "mkdocs.yml": "mkdocs",
    "mkdocs.yaml": "mkdocs",
    "book.toml": "mdbook",
    "myst.yml": "myst",
    "_quarto.yml": "quarto",
}
#: Platforms, by a variable and its value.
PLATFORMS = {
    ("READTHEDOCS", "True"): "read_the_docs",
    ("NETLIFY", "true"): "netlify",
    ("VERCEL", "1"): "vercel",
    ("CF_PAGES", "1"): "cloudflare_pages",
    ("GITLAB_CI", "true"): "gitlab",
    ("GITHUB_ACTIONS", "true"): "github",
}
#: Platforms that the option ``host`` may set, and the ending of their own hosts.
SERVING = {"cloudflare_pages": ".pages.dev"}


class PreviewSigns(NamedTuple):
    """The signs by which the previews of a platform are recognised.

    Attributes:
        name: The name of the platform.
        hosts: A pattern of the hosts of previews.
        variable: The variable that tells whether a build is for a preview.
        previews: The values of the variable for previews.
        production: The values of the variable for all other deployments, if previews have any other value.
    """

    name: str
    hosts: str = ""
    variable: str = ""
    previews: tuple[str, ...] = ()
    production: tuple[str, ...] = ()


#: The signs of previews, by the module of the platform. Nothing else decides which deployment is a preview.
PREVIEWS = {
    "read_the_docs": PreviewSigns(
        "Read the Docs",
        r".+\.readthedocs\.build|.+\.rtd-builds?\..+",
        "READTHEDOCS_VERSION_TYPE",
        previews=("external",),
    ),
    "netlify": PreviewSigns(
        "Netlify", r".+--.+\.netlify\.(?:app|com)", "CONTEXT", production=("production",)
    ),
    # The hash of a deployment has nine characters. Nine letters are a word, as in my-reference.vercel.app.
    "vercel": PreviewSigns(
        "Vercel",
        r".+-git-.+\.vercel\.app|.+-(?=[a-z]{0,8}[0-9])[a-z0-9]{9}(?:-.+)?\.vercel\.app",
        "VERCEL_ENV",
        production=("production",),
    ),
    # No variable has the name of the production branch.
    "cloudflare_pages": PreviewSigns(
        "Cloudflare Pages", r"[^.]+\.[^.]+\.pages\.dev", "CF_PAGES_BRANCH", production=("main", "master")
    ),
    "gitlab": PreviewSigns("GitLab Pages", "", "CI_PIPELINE_SOURCE", previews=("merge_request_event",)),
    "render": PreviewSigns("Render", r".+-pr-\d+\.onrender\.com"),
    "tunnel": PreviewSigns(
        "a tunnel",
        r".+\.(?:ngrok(?:-free)?\.(?:app|dev|io)|trycloudflare\.com|loca\.lt|app\.github\.dev)",
    ),
}
#: The variables whose values show that a run is for the review of a change, which is not deployed.
REVIEWS = {
    "GITHUB_EVENT_NAME": ("pull_request", "pull_request_target", "merge_group"),
    "CI_PIPELINE_SOURCE": ("merge_request_event", "external_pull_request_event"),
}
#: Files with redirects and headers that only one host reads.
HOST_FILES = {"netlify.toml": "netlify"}
SPHINX_MULTIVERSION = "SPHINX_MULTIVERSION_NAME"
#: The variables with the name of the version that a tool builds.
_VERSIONS = (*READ_THE_DOCS_VERSION, "MIKE_DOCS_VERSION", SPHINX_MULTIVERSION)


def plugin_of(module: str, plugins: Mapping[str, _Plugin]) -> _Plugin | None:
    """Return the plugin of a site to which a module of ``PLUGINS`` belongs, or None."""
    return next((plugin for name, plugin in plugins.items() if PLUGINS.get(name) == module), None)


def load_program(module: str) -> ModuleType:
    """Load the module of a program."""
    return import_module(f"sitemap_docs.programs.{module}")


def met(table: Mapping[str, str], names: Collection[str]) -> dict[str, ModuleType]:
    """Load the modules of the plugins or extensions that a site has, by the names of the modules."""
    return {module: load_program(module) for name, module in table.items() if name in names}


def includes_of(config: MarkdownConfig) -> Includes:
    """Return the readers that find the files that pages include, for a configuration of Markdown."""
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
    """Return the platform whose own marker is set in the environment, or an empty Platform.

    >>> platform({"READTHEDOCS": "True", "READTHEDOCS_CANONICAL_URL": "https://x.readthedocs.io/en/latest/"}).name
    'Read the Docs'
    """
    found = Platform()
    for (variable, value), module in PLATFORMS.items():
        if environ.get(variable) == value:
            found = load_program(module).platform(environ, _why_preview_build(module, environ))
            break
    return replace(found, is_version=bool(version_names(environ)))


def serving_platform(built_on: Platform, base: Base, named: str, root: Path | None) -> Platform:
    """Return the platform that serves a site, as far as it is known.

    Args:
        built_on: The platform on which the build runs.
        base: The base URL of the site.
        named: The option ``host``.
        root: The folder of the project, which may contain the configuration for a platform.
    """
    for module, ending in SERVING.items():
        if module == named.replace("-", "_") or host_of(base.url).endswith(ending):
            return _platform_of(module)
    if root and not built_on.serves_robots and is_on_read_the_docs(base, root):
        return _platform_of("read_the_docs")
    return built_on


def _platform_of(module: str) -> Platform:
    """Return a platform without facts about a build."""
    found: Platform = load_program(module).platform({}, "")
    return found


def _why_preview_build(module: str, environ: Mapping[str, str]) -> str:
    """Return the variable that makes a build one for a preview, in words for users, or ``""``."""
    signs = PREVIEWS.get(module)
    value = environ.get(signs.variable) if signs else None
    if signs is None or not value or value in signs.production:
        return ""
    if signs.previews and value not in signs.previews:
        return ""
    words = f"{signs.variable} is {value}"
    if len(signs.production) > 1:
        words += f", neither {' nor '.join(signs.production)}"
    return words


def previewing_platform(host: str) -> str:
    """Return the platform whose previews are on hosts with such a name, or ``""``.

    >>> previewing_platform("deploy-preview-1--docs.netlify.app")
    'Netlify'
    """
    for signs in PREVIEWS.values():
        if signs.hosts and fullmatch(signs.hosts, host):
            return signs.name
    return ""


def why_review(environ: Mapping[str, str]) -> str:
    """Return the variable that makes a run one for the review of a change, in words for users, or ``""``."""
    for variable, values in REVIEWS.items():
        if environ.get(variable) in values:
            return f"{variable} is {environ[variable]}"
    return ""


def version_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of this version in a tool that builds several versions, or no name."""
    return tuple(filter(None, map(environ.get, _VERSIONS)))
