"""Collect the pages that MkDocs writes, with their sources and the facts that leave some of them out.

If the project has its own template for sitemap.xml, the template decides which pages are listed.
"""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.utils.meta import get_data

from sitemap_docs.config.directives import mentions_options
from sitemap_docs.config.options import Options
from sitemap_docs.config.own_options import about_unread, with_own_options
from sitemap_docs.files import HTML_SUFFIXES, Folders, seen_from
from sitemap_docs.history.page_dates import PageSources, page_sources
from sitemap_docs.mkdocs_rules import sitemap_template
from sitemap_docs.model import NO_FACTS, Cause, ExtraUrl, Fact, Finding, Page, SitemapError
from sitemap_docs.output.existing import is_ours
from sitemap_docs.programs.followed import includes_of, names_of_includes, plugin_pages
from sitemap_docs.programs.protocols import PluginPages
from sitemap_docs.sitemap.reader import parse
from sitemap_docs.sources.includes import MarkdownConfig, page_template
from sitemap_docs.surroundings import Surroundings
from sitemap_docs.text import many
from sitemap_docs.urls.base import Base
from sitemap_docs.webroot import Webroot

SITEMAP_NAME = "sitemap.xml"


def candidates(files: Files, config: MkDocsConfig) -> Iterator[File]:
    """Yield the Markdown and HTML files that may become pages."""
    for file in files:
        if file.is_documentation_page():
            if file.inclusion.name != "EXCLUDED":
                yield file
        elif file.dest_uri.endswith(HTML_SUFFIXES) and is_built(file) and _in_docs(file, config):
            yield file


def is_built(file: File) -> bool:
    """Check whether ``mkdocs build`` writes a file to the site."""
    return file.inclusion.name not in ("EXCLUDED", "DRAFT")


def _in_docs(file: File, config: MkDocsConfig) -> bool:
    return file.abs_src_path is not None and Path(file.abs_src_path).is_relative_to(config.docs_dir)


def copied_files(files: Files, config: MkDocsConfig) -> dict[str, Path]:
    """Return the files that MkDocs copies unchanged, by their paths in the site, such as ``img/a.png``."""
    copied = {}
    for file in files:
        if file.is_documentation_page() or not is_built(file):
            continue
        if file.abs_src_path and _in_docs(file, config):
            copied[file.dest_uri] = Path(file.abs_src_path)
    return copied


class Collector:
    """Creates a :class:`Page` for each page of one build.

    Attributes:
        findings: Warnings about options in the front matter of pages.
    """

    def __init__(
        self, config: MkDocsConfig, options: Options, navigation: Navigation, surroundings: Surroundings
    ) -> None:
        self.findings: list[Finding] = []
        self._config = config
        self._options = options
        configured = config.mdx_configs or {}
        docs = Path(config.docs_dir)
        self._plugins = plugin_pages(config.plugins)
        including = names_of_includes() & config.plugins.keys()
        markdown = MarkdownConfig(
            docs=docs,
            root=Path(config.config_file_path or docs).parent,
            start=surroundings.here,
            extensions={name: configured.get(name) or {} for name in config.markdown_extensions},
            plugins={name: config.plugins[name].config for name in including},
            hooks=tuple(map(Path, config.hooks)),
            objects=_python_objects(self._plugins),
        )
        self._includes = includes_of(markdown)
        self._folders = Folders()
        self._templates = Path(config.theme.custom_dir) if config.theme.custom_dir else None
        self._navigated = frozenset(map(id, navigation.pages))

    def page(self, file: File, meta: Mapping[str, object]) -> Page:
        """Create the :class:`Page` for a source file. ``meta`` is its front matter."""
        path = unquote(file.url, errors="surrogateescape").removeprefix("./")
        sources = page_sources(
            self._own_source(file), partial(self._other_sources, file, meta), self._options
        )
        page = Page(
            path=path,
            file=file.abs_dest_path,
            sources=sources.files,
            names=(path, file.src_uri, file.src_uri.rpartition(".")[0]),
            facts=frozenset(self._facts(file)) or NO_FACTS,
            unknown=sources.unknown,
        )
        source = file.abs_src_path or os.path.join(self._config.docs_dir, file.src_uri)
        fields = self._options.lastmod_fields
        page, findings = with_own_options(page, meta, file.src_uri, source, self._folders, fields)
        self.findings += findings
        if file.is_documentation_page() and is_built(file):
            self.findings += unread_options(file)
        return page

    def _own_source(self, file: File) -> str | None:
        """Return the source file of a page, or None if a plugin has generated the page without a source."""
        if file.generated_by:
            # It lies in a temporary folder; mkdocs-gen-files may have begun it with a real one.
            begun = os.path.join(self._config.docs_dir, file.src_uri)
            return begun if os.path.isfile(begun) else None
        return file.abs_src_path

    def _other_sources(self, file: File, meta: Mapping[str, object]) -> PageSources:
        """Find the files other than its source that affect a page, such as included files.

        If some of them cannot be found, ``PageSources.unknown`` says why they are missing. ``meta`` is the
        front matter of the page.
        """
        sources: list[str] = []
        unknown: Cause | None = None
        if edited := self._edit_link_target(file):
            sources.append(edited)
        for plugin in self._plugins:
            sources += plugin.sources(file.page)
        if file.is_documentation_page() and self._includes.reads:
            folder = Path(file.abs_src_path).parent if file.abs_src_path else Path(self._config.docs_dir)
            rendered = file.page.markdown if file.page else None  # None where --dirty left the page alone
            included = self._includes.find(file.content_string, folder, rendered=rendered)
            sources += map(str, included.files)
            unknown = included.unknown
        if template := page_template(meta, self._templates):
            sources.append(str(template))
        return PageSources(tuple(sources), unknown)

    def _edit_link_target(self, file: File) -> str | None:
        """If a plugin generated a page, return the file to which its edit link leads, otherwise None.

        ``file`` is MkDocs' object for the page.
        """
        config = self._config
        if not file.generated_by or not file.page or not file.page.edit_url or not config.edit_uri:
            return None
        if set(config.edit_uri) & {"?", "#"}:
            return None
        # The plugin mkdocs-gen-files 0.5 sets the edit link.
        docs_url = urljoin((config.repo_url or "").rstrip("/") + "/", config.edit_uri)
        name = posixpath.relpath(file.page.edit_url, docs_url)  # not quoted
        path = os.path.normpath(os.path.join(config.docs_dir, name))
        return path if os.path.isfile(path) else None

    def _facts(self, file: File) -> Iterator[Fact]:
        if not is_built(file):
            yield Fact.DRAFT
        if not file.is_documentation_page():
            yield Fact.STATIC
            return
        page = file.page
        # No item of the navigation leads to it, nor to the one that it belongs to, as a blog.
        is_orphan = bool(page and not (page.parent or page.is_homepage or id(page) in self._navigated))
        if is_orphan:
            yield Fact.ORPHAN
        for plugin in self._plugins:
            yield from plugin.facts(file, is_orphan=is_orphan)


def unread_options(file: File) -> list[Finding]:
    """Return a warning for each option that the front matter of a page contains but MkDocs has not read."""
    try:
        source = file.content_bytes
    except OSError:  # of a plugin that has removed it
        return []
    if not mentions_options(source):
        return []
    _, meta = get_data(file.content_string)
    return about_unread(source, ".md", meta, file.src_uri)


def _python_objects(plugins: Iterable[PluginPages]) -> Mapping[str, Any]:
    """Return the Python modules that mkdocstrings has loaded, by name, or an empty mapping."""
    for plugin in plugins:
        if objects := plugin.python_objects():
            return objects
    return {}


def find_template(config: MkDocsConfig) -> Path | None:
    """Return the project's own template for sitemap.xml, or None."""
    if not config.theme.custom_dir:
        return None
    file = Path(config.theme.custom_dir, SITEMAP_NAME)
    return file if file.is_file() else None


def follow_template(
    template: Path, built: Mapping[str, Page], config: MkDocsConfig, base: Base
) -> tuple[list[Page], list[ExtraUrl], list[Finding]]:
    """List only the pages that the project's own template for ``sitemap.xml`` lists.

    ``built`` maps paths in the site to pages. ``config`` is the configuration of MkDocs, and ``base`` the
    base URL.

    Returns:
        The pages, the addresses in the template that are not pages, and messages for the user.
    """
    site = Path(config.site_dir)
    rendered = site / SITEMAP_NAME
    pages = dict(built)
    if not rendered.is_file() or is_ours(rendered):  # the template rendered nothing in this build
        return [*pages.values()], [], []
    name = seen_from(Path(config.config_file_path or config.docs_dir).parent, template)
    try:
        entries = [*parse(rendered).entries()]
    except SitemapError as error:
        message = f"The template {name} is not used, because its result cannot be read. {error}"
        return [*pages.values()], [], [replace(sitemap_template(message), severity="warning")]
    webroot = Webroot.at(site, base)
    named = {entry.loc: webroot.file_of(entry.loc) for entry in entries}
    if not pages.keys() & set(named.values()):
        # Such a template is not a list of pages.
        return [*pages.values()], [], []
    for dest, page in built.items():
        if dest not in named.values():
            pages[dest] = page._replace(facts=page.facts | {Fact.NOT_IN_TEMPLATE}, template=name)
    added = []
    asked_for = 0
    for loc, file in named.items():
        try:
            url = base.normalise(loc)
        except ValueError:  # of another host, for example: no sitemap of this site may list it
            continue
        if not file or file not in pages:
            added.append(ExtraUrl(url))
            continue
        page = pages[file]
        # A loop over the pages of MkDocs has none of these: the template names it.
        if page.facts & {Fact.GENERATED, Fact.STATIC} and page.options.listed is None:
            pages[file] = page._replace(options=replace(page.options, listed=True))
            asked_for += 1
    message = (
        f"The sitemap lists only the pages that the template {name} lists, and "
        f"{many(len(added) + asked_for, 'address')} that it adds. Everything else, such as dates, comes "
        "from sitemap-docs. To list all pages, remove the template, or set `replace: true`."
    )
    return [*pages.values()], added, [sitemap_template(message)]
