"""The MkDocs plugin: remembers the pages when all are read, and publishes when all is written.

It runs under ProperDocs, too, which loads the plugins of MkDocs.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.base import ConfigErrors, ConfigWarnings, LegacyConfig, ValidationError
from mkdocs.config.config_options import Optional, Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.utils.meta import get_data

from sitemap_docs.build import build_site
from sitemap_docs.config.ignored import without_ignored
from sitemap_docs.config.options import OPTIONS, Options
from sitemap_docs.config.parsing import ENABLED
from sitemap_docs.decide import NOINDEX, Host, SiteBuild
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.history.page_dates import Dates, read_dates
from sitemap_docs.listing import no_sitemap
from sitemap_docs.listing.copied_pages import other_pages
from sitemap_docs.mkdocs import collect
from sitemap_docs.mkdocs.collect import SITEMAP_NAME, find_template, follow_template
from sitemap_docs.mkdocs.shown_dates import show_dates
from sitemap_docs.model import Entry, Finding, NoSitemap, Page, SitemapError
from sitemap_docs.output.existing import is_ours, own_sitemap
from sitemap_docs.programs.followed import PLUGINS, met, plugin_of, version_names
from sitemap_docs.surroundings import Surroundings, read_surroundings
from sitemap_docs.urls.base import Base, base_url, is_elsewhere, is_local
from sitemap_docs.urls.languages import hreflang

MADE = frozenset({SITEMAP_NAME, f"{SITEMAP_NAME}.gz"})  # by MkDocs itself, from its template, in every build
LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO}
HOOK = "sitemap_entry"
_HEAD = re.compile(r"<head(?:\s[^<>]*)?>", re.IGNORECASE)


logger = get_plugin_logger("sitemap-docs")


@contextmanager
def plugin_errors() -> Iterator[None]:
    """Turns our error into MkDocs' own, which stops the build with a sentence and no traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemap-docs: {error}") from None


class SitemapPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # of MkDocs 1.6
    """``plugins: [sitemap-docs]``."""

    # MkDocs has an `enabled` of its own, which would turn the plugin off without a word.
    config_scheme = (
        (ENABLED, Type(bool, default=True)),
        *((option.name, Optional(Type(object))) for option in OPTIONS),
    )

    def __init__(self) -> None:
        self._depth = 0
        self._base: Base | None = None
        self._pages: dict[str, Page] = {}  # by their names in the site
        self._translations: dict[Path | str, tuple[str, str]] = {}
        self._copied: dict[str, Path] = {}
        self._navigation: Navigation  # from `on_nav` on
        self._findings: list[Finding] = []
        self._version = ""
        self._around: Surroundings  # from `on_config` on
        self._dates: Dates | None = None

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """The errors of all options at once; MkDocs itself only warns of a name that it does not know."""
        errors: ConfigErrors = []
        for name, value in options.items():
            try:
                valid_options({name: value})
            except SitemapError as error:
                errors.append((name, ValidationError(str(error))))
        if errors:
            return errors, []
        return super().load_config(options, config_file_path)

    @event_priority(100)  # first, so that the others see the platform's address
    def on_config(self, config: MkDocsConfig) -> None:
        # mkdocs-static-i18n builds the other languages inside its on_post_build.
        self._depth += 1
        if not self.config[ENABLED]:
            if self._depth == 1:
                logger.info("%s", no_sitemap.DISABLED.words)
            return
        if self._depth == 1:
            self._pages, self._translations, self._copied, self._base = {}, {}, {}, None
            self._findings = []
            self._around, self._dates = read_surroundings(), None
            names = version_names(self._around.environ)
            self._version = ""
            if valid_options(self.config).noindex_versions.includes(names):
                self._version = names[0]
        # After those that change it, such as literate-nav. Of a method `on_nav` of a plugin before its own,
        # awesome-pages would warn.
        of_navigation = config.plugins.events["nav"]
        if self._remember_navigation not in of_navigation:
            of_navigation.append(self._remember_navigation)
        if not config.site_url or (is_local(config.site_url) and not is_served(config)):
            config.site_url = self._around.platform.base_url or config.site_url

    def on_build_error(self, **_: object) -> None:
        self._depth = 0

    def _remember_navigation(self, nav: Navigation, **_: object) -> None:
        self._navigation = nav

    @event_priority(-150)  # after static-i18n
    @plugin_errors()
    def on_env(self, env: object, *, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002
        if is_served(config) or not self.config[ENABLED]:
            return
        if not self._base and config.site_url:  # static-i18n may change it for the languages that follow
            try:
                self._base = Base.of(config.site_url)
            except SitemapError as error:
                advice = "Write it as in site_url: https://docs.example.com/."
                self._findings.append(base_url(f"`site_url` in mkdocs.yml: {error} {advice}"))
                return
        options = valid_options(self.config)
        copied = collect.copied_files(files, config)
        own = copied.pop(SITEMAP_NAME, None)  # over which MkDocs writes its own
        if own and not options.replace and options.filename == SITEMAP_NAME:
            message = (
                f"{own} is your own sitemap, with the name of the one that sitemap-docs writes, "
                "as MkDocs itself does. Remove it, or set `replace: true` in the options of sitemap-docs."
            )
            self._findings.append(own_sitemap(message))
        collector = collect.Collector(config, options, self._navigation)
        template = find_template(config)
        pages: dict[File, Page] = {}
        i18n = met(PLUGINS, config.plugins).get("static_i18n")
        for file in collect.candidates(files, config):
            meta = front_matter(file, config, files)
            if template and file.page and file.page.markdown is None:
                file.page.meta = dict(meta)  # --dirty read none, and the template may ask for it
            page = collector.page(file, meta)
            pages[file] = page
            self._pages[file.dest_uri] = page
            if i18n and (translation := i18n.translation(file)):
                self._translations[page.file] = translation
        self._findings += collector.findings
        self._copied |= copied
        if options.page_dates:
            self._dates = self._read_dates(config, options)
            self._findings += show_dates(pages, self._dates, self._around.now, options.page_dates)
        for name in config.theme.static_templates:
            if name.endswith(HTML_SUFFIXES) and name not in self._pages:
                self._pages[name] = collect.template_page(name, config.site_dir)

    def _read_dates(self, config: MkDocsConfig, options: Options) -> Dates:
        """The dates of all pages so far; with static-i18n, of all that its other languages may have, too."""
        sources: list[Path | str] = [source for page in self._pages.values() for source in page.sources]
        if plugin_of("static_i18n", config.plugins) and not self._dates:
            sources += [file for file in Path(config.docs_dir).rglob("*") if file.is_file()]
        return read_dates(
            options,
            sources,
            root=project_folder(config),
            around=self._around,
            known=self._dates,
        )

    def on_post_page(self, output: str, *, config: MkDocsConfig, **_: object) -> str:
        """The page with a noindex, in a version that the option ``noindex_versions`` names."""
        if not self._version or is_served(config):
            return output
        return _HEAD.sub(lambda head: head[0] + NOINDEX, output, count=1)

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """The same for the theme's own pages, such as 404.html."""
        if not template_name.endswith(HTML_SUFFIXES):
            return output
        return self.on_post_page(output, config=config)

    @event_priority(-250)  # after encryptcontent, whose script tells that pages are encrypted
    @plugin_errors()
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._depth -= 1
        if self._depth or is_served(config) or not self.config[ENABLED]:
            return
        if self._base is not None and not self._base.is_local:
            self._publish(config, self._base)
        elif hidden := no_sitemap.of_version(self._version, has_base=False):
            logger.info("%s", hidden.words)
        else:
            self._report(self._findings, config)
            logger.info("no sitemap: %s", without_base(config, self._base).words)

    def _site(self, config: MkDocsConfig, base: Base) -> SiteBuild:
        options = valid_options(self.config)
        site = SiteBuild(
            root=project_folder(config),
            output=Path(config.site_dir),
            base=base,
            options=options,
            around=self._around,
            base_from="`site_url` in mkdocs.yml",
            withheld=no_sitemap.of_version(self._version),
            host=Host(
                dates=self._dates,
                made=MADE | {options.filename, f"{options.filename}.gz"},
                source_of=self._copied.get,
                gzip="beside",
                full_urlset=True,
                canonical_by="",
            ),
        )
        where = self._around.platform
        if where.is_exact and where.base_url:
            given = Base.of(where.base_url)
            if is_elsewhere(base, given):
                why = site.withheld or no_sitemap.elsewhere(base.url, given)
                site = replace(site, base=given, withheld=why)
        return site

    def _publish(self, config: MkDocsConfig, base: Base) -> None:
        site = self._site(config, base)
        pages = [*self._pages.values()]
        if not site.no_sitemap:
            site, pages = self._all_pages(site, config)
        published = build_site(
            site,
            pages,
            self._findings,
            check=bool(site.options.check),
            log=logger.debug,
            transform=transform_of(config),
        )
        self._report(published.findings, config)
        line = str(published)
        if published.skipped:
            line += f". {kept}" if (kept := kept_sitemap(site.output)) else ""
        logger.info("%s", line)

    def _report(self, findings: Iterable[Finding], config: MkDocsConfig) -> None:
        """Logs findings of the build; each line ends with its rule."""
        for finding in without_ignored(findings, valid_options(self.config).ignore):
            level = LEVELS[finding.severity_in(strict=config.strict)]
            logger.log(level, "%s", finding)

    def _all_pages(self, site: SiteBuild, config: MkDocsConfig) -> tuple[SiteBuild, list[Page]]:
        """All pages with their translations; and the site with what a template of the project adds."""
        options = site.options
        i18n = plugin_of("static_i18n", config.plugins)
        pages = self._pages
        template = find_template(config)
        # With static-i18n, the file that is there is that of the last language.
        if template and not i18n and not options.replace and options.filename == SITEMAP_NAME:
            templated = follow_template(template, pages, config, site.base)
            pages = templated.pages
            site = replace(site, options=options.replaced(extra_urls=(*options.extra_urls, *templated.added)))
            self._findings += templated.findings
        every = [*pages.values()]
        every += other_pages(site.output, site.base, every, site.host.source_of)
        if i18n:
            default = hreflang(i18n.default_language) or ""
            every = collect.with_alternates(every, self._translations, site.base, default)
        return site, every


def valid_options(given: Mapping[str, object]) -> Options:
    """The options of mkdocs.yml; SitemapError for a value that does not fit, and for one of Sphinx only."""
    values = {name: value for name, value in given.items() if value is not None and name != ENABLED}
    return Options.of(values, {"mkdocs"})


def project_folder(config: MkDocsConfig) -> Path:
    """The folder that relative paths in the options start from."""
    return Path(config.config_file_path or config.docs_dir).parent


def without_base(config: MkDocsConfig, local: Base | None) -> NoSitemap:
    """That a build has no usable ``site_url``; ``local`` is one that only this machine can reach."""
    advice = (
        "In mkdocs.yml, write the address of the site, such as site_url: https://docs.example.com/, "
        'or site_url: "" for builds that are not deployed.'
    )
    if config.site_url == "":  # which asks for none
        advice = ""
    return no_sitemap.no_base(local.url if local else "", kept_sitemap(Path(config.site_dir)), advice)


def kept_sitemap(site: Path) -> str:
    """Returns what the last line says of the sitemap.xml that the host wrote itself.

    It is ``""`` where there is none.
    """
    file = site / SITEMAP_NAME
    if not file.is_file() or is_ours(file):
        return ""
    return "The built-in sitemap.xml is kept, as themes read it"


def transform_of(config: MkDocsConfig) -> Callable[[Page, Entry], Entry | None] | None:
    """Returns what the ``sitemap_entry`` functions of hooks and other plugins make of an entry.

    It is None without any.

    Each is called with the entry, and ``page=`` and ``config=``; it returns the entry, a changed one, None to
    leave it as it is (as in MkDocs' own events) or False to drop it.
    """
    hooks = [plugin.sitemap_entry for plugin in config.plugins.values() if hasattr(plugin, HOOK)]
    if not hooks:
        return None

    def transform(page: Page, entry: Entry) -> Entry | None:
        for hook in hooks:
            changed = hook(entry, page=page, config=config)
            if changed is False:
                return None
            if changed is not None:
                entry = changed
        return entry

    return transform


def front_matter(file: File, config: MkDocsConfig, files: Files) -> Mapping[str, object]:
    """The page's front matter, also where ``--dirty`` did not read it because the page is up to date."""
    page = file.page
    if page is None:
        return {}
    if page.markdown is not None:
        return page.meta
    twin = copy(page)
    twin.markdown, twin.meta = get_data(file.content_string)
    if defaults := config.plugins.get("material/meta"):
        defaults.on_page_markdown(twin.markdown, page=twin, config=config, files=files)
    return twin.meta


def is_served(config: MkDocsConfig) -> bool:
    """Whether this is ``serve``: it builds in a temporary folder for the address of its own server.

    ``serve --clean`` says "build" to on_startup (MkDocs 1.6), so the command's name does not tell.
    """
    site = Path(config.site_dir)
    host, port = config.dev_addr
    temporary = site.name.startswith(("mkdocs_", "properdocs_")) and site.is_relative_to(gettempdir())
    return temporary and urlsplit(config.site_url or "").netloc == f"{host}:{port}"
