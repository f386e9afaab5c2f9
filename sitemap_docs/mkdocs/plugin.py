"""The MkDocs plugin: remembers the pages when all are read, and publishes when all is written.

It runs under ProperDocs, too, which loads the plugins of MkDocs.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime
from html import escape
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
from sitemap_docs.config.options import OPTIONS, Options, without_ignored
from sitemap_docs.config.parsing import ENABLED, as_mapping
from sitemap_docs.decide import Host, SiteBuild
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.history.page_dates import Dates, lastmod_of, read_dates
from sitemap_docs.listing import no_sitemap
from sitemap_docs.listing.copied_pages import other_pages
from sitemap_docs.mkdocs import collect
from sitemap_docs.mkdocs.collect import SITEMAP_NAME, find_template, follow_template
from sitemap_docs.model import Entry, Fact, Finding, Page, SitemapError, reported
from sitemap_docs.output.existing import is_ours, own_sitemap
from sitemap_docs.programs.followed import PLUGINS, met, plugin_of, version_names
from sitemap_docs.surroundings import Surroundings, read_surroundings
from sitemap_docs.text import many, one_line
from sitemap_docs.urls.base import Base, base_url, given_base, is_elsewhere
from sitemap_docs.urls.languages import hreflang

MADE = frozenset({SITEMAP_NAME, f"{SITEMAP_NAME}.gz"})  # by MkDocs itself, from its template, in every build
HOOK = "sitemap_entry"
_OTHERS = "git_revision_date_localized"
_HEAD = re.compile(r"<head(?:\s[^<>]*)?>", re.IGNORECASE)


logger = get_plugin_logger("sitemap-docs")


@contextmanager
def plugin_errors() -> Iterator[None]:
    """Turns our error into MkDocs' own, which stops the build with a sentence and no traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemap-docs: {error}") from None


@dataclass(slots=True)
class BuildState:
    """What one build has found so far, in all of its languages.

    ``version`` is the name of its version, whose pages are all marked, if ``noindex_versions`` names it.
    """

    around: Surroundings
    version: str
    base: Base | None = None
    pages: dict[str, Page] = field(default_factory=dict)  # by their names in the site
    translations: dict[Path | str, tuple[str, str]] = field(default_factory=dict)
    copied: dict[str, Path] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    dates: Dates | None = None


class SitemapPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # of MkDocs 1.6
    """``plugins: [sitemap-docs]``."""

    # MkDocs has an `enabled` of its own, which would turn the plugin off without a word.
    config_scheme = (
        (ENABLED, Type(bool, default=True)),
        *((option.name, Optional(Type(object))) for option in OPTIONS),
    )

    def __init__(self) -> None:
        self._depth = 0
        self._build: BuildState  # from `on_config` on
        self._navigation: Navigation  # from `on_nav` on

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
            around = read_surroundings()
            names = version_names(around.environ)
            is_hidden = valid_options(self.config).noindex_versions.includes(names)
            self._build = BuildState(around, names[0] if is_hidden else "")
        # After those that change it, such as literate-nav. Of a method `on_nav` of a plugin before its own,
        # awesome-pages would warn.
        of_navigation = config.plugins.events["nav"]
        if self._remember_navigation not in of_navigation:
            of_navigation.append(self._remember_navigation)
        if not given_base(config.site_url or "", in_file=not is_served(config)):
            config.site_url = self._build.around.platform.base_url or config.site_url

    def on_build_error(self, **_: object) -> None:
        self._depth = 0

    def _remember_navigation(self, nav: Navigation, **_: object) -> None:
        self._navigation = nav

    @event_priority(-150)  # after static-i18n
    @plugin_errors()
    def on_env(self, env: object, *, config: MkDocsConfig, files: Files) -> None:  # noqa: ARG002
        if is_served(config) or not self.config[ENABLED]:
            return
        build = self._build
        if not build.base and config.site_url:  # static-i18n may change it for the languages that follow
            try:
                build.base = Base.of(config.site_url)
            except SitemapError as error:
                advice = "Write it as in site_url: https://docs.example.com/."
                build.findings.append(base_url(f"`site_url` in mkdocs.yml: {error} {advice}"))
                return
        options = valid_options(self.config)
        copied = collect.copied_files(files, config)
        own = copied.pop(SITEMAP_NAME, None)  # over which MkDocs writes its own
        if own and not options.replace and options.filename == SITEMAP_NAME:
            message = (
                f"{own} is your own sitemap, with the name of the one that sitemap-docs writes, "
                "as MkDocs itself does. Remove it, or set `replace: true` in the options of sitemap-docs."
            )
            build.findings.append(own_sitemap(message))
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
            build.pages[file.dest_uri] = page
            if i18n and (translation := i18n.translation(file)):
                build.translations[page.file] = translation
        build.findings += collector.findings
        build.copied |= copied
        if options.page_dates:
            build.dates = self._read_dates(config, options)
            build.findings += show_page_dates(pages, build.dates, build.around.now, options.page_dates)
        for name in config.theme.static_templates:
            if name.endswith(HTML_SUFFIXES) and name not in build.pages:
                made = Path(config.site_dir, name)
                build.pages[name] = Page(name, made, names=(name,), facts=frozenset({Fact.GENERATED}))

    def _read_dates(self, config: MkDocsConfig, options: Options) -> Dates:
        """The dates of all pages so far; with static-i18n, of all that its other languages may have, too."""
        sources: list[Path | str] = [source for page in self._build.pages.values() for source in page.sources]
        if plugin_of("static_i18n", config.plugins) and not self._build.dates:
            sources += [file for file in Path(config.docs_dir).rglob("*") if file.is_file()]
        return read_dates(
            options,
            sources,
            root=project_folder(config),
            around=self._build.around,
            known=self._build.dates,
        )

    def on_post_page(self, output: str, *, config: MkDocsConfig, **_: object) -> str:
        """The page with a noindex, in a version that the option ``noindex_versions`` names."""
        if not self.config[ENABLED] or not self._build.version or is_served(config):
            return output
        return _HEAD.sub(lambda head: head[0] + no_sitemap.NOINDEX, output, count=1)

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
        build = self._build
        if build.base is not None and not build.base.is_local:
            self._publish(config, self._site(config, build.base))
        elif hidden := no_sitemap.of_version(build.version, has_base=False):
            logger.info("%s", hidden.words)
        else:
            self._report(build.findings, config)
            local = build.base.url if build.base else ""
            advice = (
                "In mkdocs.yml, write the address of the site, such as site_url: https://docs.example.com/, "
                'or site_url: "" for builds that are not deployed.'
            )
            if config.site_url == "":  # which asks for none
                advice = ""
            why = no_sitemap.no_base(local, kept_sitemap(Path(config.site_dir)), advice)
            logger.info("no sitemap: %s", why.words)

    def _site(self, config: MkDocsConfig, base: Base) -> SiteBuild:
        options, build = valid_options(self.config), self._build
        site = SiteBuild(
            root=project_folder(config),
            output=Path(config.site_dir),
            base=base,
            options=options,
            around=build.around,
            base_from="`site_url` in mkdocs.yml",
            withheld=no_sitemap.of_version(build.version),
            host=Host(
                dates=build.dates,
                made=MADE | {options.filename, f"{options.filename}.gz"},
                source_of=build.copied.get,
                gzip="beside",
                full_urlset=True,
                canonical_by="",
            ),
        )
        where = build.around.platform
        if where.is_exact and where.base_url:
            given = Base.of(where.base_url)
            if is_elsewhere(base, given):
                why = site.withheld or no_sitemap.elsewhere(base.url, given)
                site = replace(site, base=given, withheld=why)
        return site

    def _publish(self, config: MkDocsConfig, site: SiteBuild) -> None:
        """Publishes all pages with their translations, and what a template of the project adds."""
        options, build = site.options, self._build
        pages = [*build.pages.values()]
        if not site.no_sitemap:
            i18n = plugin_of("static_i18n", config.plugins)
            template = find_template(config)
            # With static-i18n, the file that is there is that of the last language.
            if template and not i18n and not options.replace and options.filename == SITEMAP_NAME:
                pages, added, findings = follow_template(template, build.pages, config, site.base)
                site = replace(site, options=options.replaced(extra_urls=(*options.extra_urls, *added)))
                build.findings += findings
            pages += other_pages(site.output, site.base, pages, site.host.source_of)
            if i18n:
                default = hreflang(i18n.default_language) or ""
                pages = collect.with_alternates(pages, build.translations, site.base, default)
        published = build_site(
            site,
            pages,
            build.findings,
            check=bool(options.check),
            log=logger.debug,
            transform=transform_of(config),
        )
        self._report(published.findings, config)
        line = str(published)
        if published.skipped and (kept := kept_sitemap(site.output)):
            line += f". {kept}"
        logger.info("%s", line)

    def _report(self, findings: Iterable[Finding], config: MkDocsConfig) -> None:
        """Logs findings of the build; each line ends with its rule."""
        for finding in without_ignored(findings, valid_options(self.config).ignore):
            log = getattr(logger, finding.severity_in(strict=config.strict))
            log("%s", finding)


def valid_options(given: Mapping[str, object]) -> Options:
    """The options of mkdocs.yml; SitemapError for a value that does not fit, and for one of Sphinx only."""
    values = {name: value for name, value in given.items() if value is not None and name != ENABLED}
    return Options.of(values, {"mkdocs"})


def project_folder(config: MkDocsConfig) -> Path:
    """The folder that relative paths in the options start from."""
    return Path(config.config_file_path or config.docs_dir).parent


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


def show_page_dates(pages: Mapping[File, Page], dates: Dates, now: datetime, form: str) -> list[Finding]:
    """Gives the pages of one build the dates of the sitemap, in the format ``form``; returns what to report.

    Material for MkDocs shows ``page.meta.revision_date``; the manual has lines for templates of other themes.
    What the front matter of a page has set, or another plugin, stays.
    """
    theirs = []
    for file, page in pages.items():
        if file.page is None:
            continue
        meta = file.page.meta
        if _OTHERS in meta:
            theirs.append(file.src_uri)
            continue
        when, *_ = lastmod_of(page, dates, now)
        is_dated_post = "updated" in as_mapping(meta.get("date"))
        if when is None or is_dated_post or "revision_date" in meta:
            continue
        iso = when.isoformat()
        meta["revision_date_iso"] = iso
        meta["revision_date"] = f'<time datetime="{iso}">{escape(when.strftime(form))}</time>'
    if not theirs:
        return []
    return [page_dates_elsewhere(len(theirs), one_line(theirs[0]))]


@reported("info")
def page_dates_elsewhere(number: int, first: str) -> str:
    """Another plugin writes the dates that pages show, and the option `page_dates` is set.

    A page may show another date than the sitemap has.
    Remove the other plugin, or the option.
    Wrong: `plugins: [git-revision-date-localized, {sitemap-docs: {page_dates: true}}]`
    Right: `plugins: [{sitemap-docs: {page_dates: true}}]`
    Source: sitemap-docs: the page Dates
    """
    return (
        f"Another plugin sets `{_OTHERS}`, the date that {many(number, 'page')} show, such as {first}. To "
        "show the date of the sitemap, remove git-revision-date-localized from `plugins`."
    )
