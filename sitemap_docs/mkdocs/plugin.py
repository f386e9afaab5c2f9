"""The MkDocs plugin: remembers the pages when all are read, and publishes when all is written.

It runs under ProperDocs, too, which loads the plugins of MkDocs.
"""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from mkdocs.config.base import LegacyConfig, ValidationError
    from mkdocs.config.config_options import Optional, Type
    from mkdocs.exceptions import PluginError
    from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
    from mkdocs.utils import get_build_datetime
    from mkdocs.utils.meta import get_data
else:
    try:
        from mkdocs.config.base import LegacyConfig, ValidationError
        from mkdocs.config.config_options import Optional, Type
        from mkdocs.exceptions import PluginError
        from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
        from mkdocs.utils import get_build_datetime
        from mkdocs.utils.meta import get_data
    except ModuleNotFoundError:  # ProperDocs alone; its command answers for mkdocs, its library does not
        from properdocs.config.base import LegacyConfig, ValidationError
        from properdocs.config.config_options import Optional, Type
        from properdocs.exceptions import PluginError
        from properdocs.plugins import BasePlugin, event_priority, get_plugin_logger
        from properdocs.utils import get_build_datetime
        from properdocs.utils.meta import get_data

from sitemap_docs.after_build import checked
from sitemap_docs.config.options import OPTION_REMOVED, OPTIONS, REMOVED, Options, removed_options
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.history import diagnostics
from sitemap_docs.mkdocs import collect
from sitemap_docs.mkdocs.sources import PageSources
from sitemap_docs.model import SitemapError
from sitemap_docs.paths import user_cache
from sitemap_docs.pipeline import SiteBuild, publish, sorted_by_loc
from sitemap_docs.urls.base import Base, is_local
from sitemap_docs.urls.platforms import platform

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mkdocs.config.base import ConfigErrors, ConfigWarnings
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation

    from sitemap_docs.listing.selection import Decision
    from sitemap_docs.model import Entry, Finding, Page

SITEMAP = "sitemap.xml"
MADE = frozenset({SITEMAP, f"{SITEMAP}.gz"})  # by MkDocs itself, from its template, in every build
ENABLED = "enabled"
DISABLED = "`enabled` is false: the sitemap is the one that the host makes by itself"
LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO}

log = get_plugin_logger("sitemap-docs")


class SitemapPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # of MkDocs 1.6
    """``plugins: [sitemap-docs]``."""

    # MkDocs has an `enabled` of its own, which would turn the plugin off without a word.
    config_scheme = (
        (ENABLED, Type(bool, default=True)),
        *((option.name, Optional(Type(object))) for option in OPTIONS),
        *((option, Optional(Type(object))) for option, value, _ in REMOVED if not value),
    )

    def __init__(self) -> None:
        self._depth = 0
        self._base: Base | None = None
        self._built: dict[str, collect.BuiltPage] = {}
        self._copied: dict[str, Path] = {}
        self._navigation: Navigation | None = None
        self._findings: list[Finding] = []

    def load_config(
        self, options: dict[str, Any], config_file_path: str | None = None
    ) -> tuple[ConfigErrors, ConfigWarnings]:
        """The errors of all options at once; MkDocs itself only warns of a name that it does not know."""
        errors: ConfigErrors = []
        for name, value in _without_enabled(options).items():
            try:
                _options({name: value})
            except SitemapError as error:
                errors.append((name, ValidationError(str(error))))
        return (errors, []) if errors else super().load_config(options, config_file_path)

    @event_priority(100)  # first, so that the others see the platform's address
    def on_config(self, config: MkDocsConfig) -> None:
        if not self.config[ENABLED]:
            if not self._depth:
                log.info(DISABLED)
            self._depth = 1
            return
        # mkdocs-static-i18n builds the other languages inside its on_post_build.
        if self._depth == 0:
            self._built, self._copied, self._base = {}, {}, None
            self._findings = removed_options(self.config)
        self._depth += 1
        if not config.site_url or (is_local(config.site_url) and not is_served(config)):
            config.site_url = platform(os.environ).base_url or config.site_url

    def on_build_error(self, **_: object) -> None:
        self._depth = 0

    @event_priority(-150)  # after those that change it, such as literate-nav
    def on_nav(self, nav: Navigation, **_: object) -> None:
        self._navigation = nav

    @event_priority(-150)  # after static-i18n
    def on_env(self, env: object, *, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002
        if is_served(config) or not self.config[ENABLED]:
            return
        with plugin_errors():
            self._collect(config, files)

    def _collect(self, config: MkDocsConfig, files: Files) -> None:
        if not self._base and config.site_url:  # static-i18n may change it for the languages that follow
            self._base = Base.of(config.site_url)
        options = _options(self.config)
        if not options.replace and options.filename == SITEMAP:
            _spare_the_users(config, files)
        sources = PageSources(config, options.lastmod_dependencies)
        for file in collect.candidates(files, config):
            meta = _meta(file, config, files)
            built, findings = collect.built_page(file, meta, sources, options, self._navigation)
            self._built[file.dest_uri] = built
            self._findings += findings
        self._copied |= collect.copied_files(files, config)
        for name in config.theme.static_templates:
            if name.endswith(HTML_SUFFIXES):
                self._built.setdefault(
                    name, collect.BuiltPage(collect.template_page(name, Path(config.site_dir)))
                )

    @event_priority(-150)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._depth -= 1
        if self._depth or is_served(config) or not self.config[ENABLED]:
            return
        if self._base is None or self._base.is_local:
            level = logging.INFO if config.site_url == "" else logging.WARNING
            log.log(level, "%s", no_site_url(self._base))
            return
        with plugin_errors():
            self._publish(config, self._base)

    def _publish(self, config: MkDocsConfig, base: Base) -> None:
        i18n = config.plugins.get("i18n")
        built = collect.with_alternates(
            self._built.values(), base, i18n.default_language.replace("_", "-") if i18n else ""
        )
        site, listed = self._site(config, base), sorted_by_loc(built, base)
        published = publish(
            site,
            listed,
            [path for page, *_ in self._built.values() for path in page.sources],
            on_left_out=_say_left_out,
            transform=Transform(config),
        )
        for finding in (*self._findings, *published.findings):
            log.log(_level(finding, strict=config.strict), "%s", finding)
        for finding in checked(site, listed):
            log.log(LEVELS[finding.severity], "%s [%s]", finding, finding.rule)
        log.info("%s", published)

    def _site(self, config: MkDocsConfig, base: Base) -> SiteBuild:
        return SiteBuild(
            root=Path(config.config_file_path or config.docs_dir).parent,
            output=Path(config.site_dir),
            base=base,
            platform=platform(os.environ),
            options=_options(self.config),
            environ=os.environ,
            now=get_build_datetime(),
            cache=user_cache(),
            records=user_cache() / "records",
            made=MADE,
            source_of=self._copied.get,
            gzip="beside",
            full_urlset=True,
        )


def no_site_url(local: Base | None) -> str:
    """What to report without a usable ``site_url``; ``local`` is one that only this machine can reach."""
    state = f"is {local.url}, which only this machine can reach" if local else "is not set"
    lists = f"lists addresses below {local.url}" if local else "lists no page"
    return (
        f"No sitemap is written: `site_url` {state}. The built-in sitemap.xml is kept, and {lists}. Write "
        "the address of the site in mkdocs.yml, such as site_url: https://docs.example.org/, or "
        'site_url: "" for builds without a sitemap.'
    )


@contextmanager
def plugin_errors() -> Iterator[None]:
    """Turns our error into MkDocs' own, which stops the build with a sentence and no traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemap-docs: {error}") from None


class Transform:
    """The ``sitemap_entry`` functions of the project's hooks and of other plugins, in their order.

    Each is called with the entry, and ``page=`` and ``config=``; it returns the entry, a changed one, None to
    leave it as it is (as in MkDocs' own events) or False to drop it.
    """

    def __init__(self, config: MkDocsConfig) -> None:
        self._config = config
        hooks = ((name, getattr(plugin, "sitemap_entry", None)) for name, plugin in config.plugins.items())
        self._hooks = tuple((name, hook) for name, hook in hooks if hook)

    def __call__(self, page: Page, entry: Entry) -> Entry | None:
        for name, hook in self._hooks:
            with _named_where_it_fails(name, entry.loc):
                changed = hook(entry, page=page, config=self._config)
            if changed is False:
                return None
            entry = entry if changed is None else changed
        return entry


@contextmanager
def _named_where_it_fails(plugin: str, loc: str) -> Iterator[None]:
    """Logs which hook or plugin an error comes from; the error itself goes on, with its traceback."""
    done = False
    try:
        yield
        done = True
    finally:
        if not done:
            log.error("`sitemap_entry` of %s failed for %s", plugin, loc)


def is_served(config: MkDocsConfig) -> bool:
    """Whether this is ``serve``: it builds in a temporary folder for the address of its own server.

    ``serve --clean`` says "build" to on_startup (MkDocs 1.6), so the command's name does not tell.
    """
    site = Path(config.site_dir)
    host, port = config.dev_addr
    temporary = site.name.startswith(("mkdocs_", "properdocs_")) and site.is_relative_to(gettempdir())
    return temporary and urlsplit(config.site_url or "").netloc == f"{host}:{port}"


def _options(given: Mapping[str, object]) -> Options:
    set_ones = {name: value for name, value in _without_enabled(given).items() if value is not None}
    return Options.of(set_ones).without_scheme()


def _without_enabled(given: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in given.items() if name != ENABLED}


def _meta(file: File, config: MkDocsConfig, files: Files) -> Mapping[str, object]:
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


def _spare_the_users(config: MkDocsConfig, files: Files) -> None:
    """MkDocs itself writes over ``docs/sitemap.xml``; this is the last moment to notice."""
    own = files.get_file_from_path(SITEMAP)
    if own and collect.is_built(own) and own.src_dir == config.docs_dir:
        raise SitemapError(
            f"{own.abs_src_path} is your own sitemap, with the name of the one that sitemap-docs writes. "
            "Remove it, or set `replace: true` in the options of sitemap-docs."
        )
    if config.theme.custom_dir and Path(config.theme.custom_dir, SITEMAP).is_file():
        log.log(
            logging.INFO if config.strict else logging.WARNING,  # it was no reason to fail before
            "The template %s is not used anymore: sitemap-docs writes the sitemap. "
            "Remove it, or set `replace: true`.",
            Path(config.theme.custom_dir, SITEMAP),
        )


def _level(finding: Finding, *, strict: bool) -> int:
    # Warnings fail a strict build and MkDocs can suppress none; what git cannot say must fail no build.
    lenient = finding.rule == OPTION_REMOVED or finding.rule in diagnostics.RULES
    return logging.INFO if strict and lenient else LEVELS[finding.severity]


def _say_left_out(verdict: Decision) -> None:
    log.debug("left out: %s", verdict)
