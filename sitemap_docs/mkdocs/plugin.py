"""The MkDocs plugin. It collects the pages when MkDocs has read them, and writes the sitemap after the build.

It runs under ProperDocs, too, which loads the plugins of MkDocs.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

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
from sitemap_docs.config.parsing import ENABLED, as_mapping, repeated_options
from sitemap_docs.decide import Collected
from sitemap_docs.files import HTML_SUFFIXES
from sitemap_docs.history.git import Git, GitTrouble
from sitemap_docs.history.page_dates import Dates, PageDate, page_date, read_dates
from sitemap_docs.listing import no_sitemap
from sitemap_docs.listing.alternates import link_translations
from sitemap_docs.listing.copied_pages import other_pages
from sitemap_docs.listing.extra_urls import own_date_finder
from sitemap_docs.mkdocs import collect
from sitemap_docs.mkdocs.address import find_address, is_served, set_site_url
from sitemap_docs.mkdocs.collect import SITEMAP_NAME, find_template, follow_template
from sitemap_docs.mkdocs_rules import page_dates_elsewhere
from sitemap_docs.model import Entry, Fact, Finding, NoSitemap, Page, SitemapError
from sitemap_docs.output.existing import is_ours, listed_rows, own_sitemap
from sitemap_docs.programs.followed import keep_command, plugin_pages, version_aliases, version_names
from sitemap_docs.programs.mkdocs import link_style
from sitemap_docs.programs.protocols import PluginPages
from sitemap_docs.programs.read_the_docs import SETS_BASE_URL, has_configuration
from sitemap_docs.project import Address, Project
from sitemap_docs.surroundings import Surroundings, read_surroundings
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import base_url, is_web
from sitemap_docs.urls.languages import Translation

MADE = frozenset({SITEMAP_NAME, f"{SITEMAP_NAME}.gz"})  # by MkDocs itself, from its template, in every build
HOOK = "sitemap_entry"
_OTHERS = "git_revision_date_localized"
_HEAD = re.compile(r"<head(?:\s[^<>]*)?>", re.IGNORECASE)


logger = get_plugin_logger("sitemap-docs")


@contextmanager
def plugin_errors() -> Iterator[None]:
    """In a ``with`` block, turn each SitemapError into an error that MkDocs shows without a traceback."""
    try:
        yield
    except SitemapError as error:
        raise PluginError(f"sitemap-docs: {error}") from None


@dataclass(slots=True)
class BuildState:
    """The data that one build has collected so far."""

    surroundings: Surroundings
    #: The version if ``noindex_versions`` hides it, otherwise ``""``.
    version: str
    options: Options = field(default_factory=Options)
    address: Address | NoSitemap | None = None
    pages: dict[str, Page] = field(default_factory=dict)
    #: The language of each translated page, by HTML file.
    translations: dict[Path | str, Translation] = field(default_factory=dict)
    #: Files that MkDocs copies, by their paths in the site.
    copied: dict[str, Path] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    #: The dates that the pages show, or None.
    dates: Dates | None = None


class SitemapPlugin(BasePlugin[LegacyConfig]):  # type: ignore[no-untyped-call]  # of MkDocs 1.6
    """The MkDocs plugin ``sitemap-docs``, which writes a sitemap when MkDocs builds the site."""

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
        """Check the options in mkdocs.yml, and return all errors at once."""
        errors: ConfigErrors = []
        for name, value in options.items():
            try:
                valid_options({name: value})
            except SitemapError as error:
                errors.append((name, ValidationError(str(error))))
        if config_file_path:
            for name, message in repeated_options(Path(config_file_path), options):
                errors.append((name, ValidationError(message)))
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
            keep_command()
            surroundings = read_surroundings()
            version = self._find_hidden_version(config, surroundings)
            self._build = BuildState(surroundings, version)
        # After those that change it, such as literate-nav. Of a method `on_nav` of a plugin before its own,
        # awesome-pages would warn.
        of_navigation = config.plugins.events["nav"]
        if self._remember_navigation not in of_navigation:
            of_navigation.append(self._remember_navigation)
        set_site_url(config, self._build.surroundings.platform)

    def _find_hidden_version(self, config: MkDocsConfig, surroundings: Surroundings) -> str:
        """Return the version of this build if the option ``noindex_versions`` matches it, otherwise ``""``.

        The option may name the version by an alias, such as ``latest``.
        """
        hidden_versions = valid_options(self.config).noindex_versions
        names = version_names(surroundings.environ)
        if not (names and hidden_versions.patterns):
            return ""

        git = Git(str(project_folder(config)), surroundings.environ)

        def read(branch: str, name: str) -> bytes:
            # With the whole name of the branch, git cannot read the branch `--output=file` as an option.
            with suppress(GitTrouble, ValueError):  # ValueError: the name contains a NUL.
                return git.output("show", f"refs/heads/{branch}:{name}")
            return b""

        aliases = version_aliases(surroundings.environ, config.plugins, config.remote_branch, read)
        return names[0] if hidden_versions.includes((*names, *aliases)) else ""

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
        if build.address is None:  # static-i18n may change `site_url` for the languages that follow
            build.options = valid_options(self.config, project_folder(config))  # hooks may have set some
            platform = build.surroundings.platform
            try:
                build.address = find_address(config, build.options, platform, build.version)
            except SitemapError as error:
                build.address = no_sitemap.no_base()
                build.findings.append(base_url(str(error)))
        options = build.options
        copied = collect.copied_files(files, config)
        own = copied.pop(SITEMAP_NAME, None)  # over which MkDocs writes its own
        if own and not options.replace and options.filename == SITEMAP_NAME:
            message = (
                f"{own} is your own sitemap. MkDocs and sitemap-docs overwrite it with a file of the same "
                "name. Remove it, or set `replace: true` in the options of sitemap-docs."
            )
            build.findings.append(own_sitemap(message))
        collector = collect.Collector(config, options, self._navigation, build.surroundings)
        template = find_template(config)
        pages: dict[File, Page] = {}
        plugins = plugin_pages(config.plugins)
        for file in collect.candidates(files, config):
            meta = front_matter(file, config, files)
            if template and file.page and file.page.markdown is None:
                file.page.meta = dict(meta)  # --dirty read none, and the template may ask for it
            page = collector.page(file, meta)
            pages[file] = page
            build.pages[file.dest_uri] = page
            for plugin in plugins:
                if translation := plugin.translation(file):
                    build.translations[page.file] = translation
        # Each language of static-i18n has the pages that are not translated.
        build.findings = [*dict.fromkeys((*build.findings, *collector.findings))]
        build.copied |= copied
        if options.page_dates:
            build.dates = self._read_dates(config)
            now = build.surroundings.now
            find_own_date = own_date_finder(options, Path(config.site_dir), build.address, now)
            page_dates = {
                file: page_date(page, build.dates, now, find_own_date(page)) for file, page in pages.items()
            }
            build.findings += show_page_dates(page_dates, options.page_dates)
        for name in config.theme.static_templates:
            if name.endswith(HTML_SUFFIXES) and name not in build.pages:
                made = Path(config.site_dir, name)
                build.pages[name] = Page(name, made, names=(name,), facts=frozenset({Fact.GENERATED}))

    def _read_dates(self, config: MkDocsConfig) -> Dates:
        """Read the dates of the pages from git."""
        build = self._build
        sources: list[Path | str] = [source for page in build.pages.values() for source in page.sources]
        if languages_plugin(config) and not build.dates:
            # The languages that follow then know the dates, too.
            sources += [file for file in Path(config.docs_dir).rglob("*") if file.is_file()]
        return read_dates(build.options, sources, around=build.surroundings, known=build.dates)

    def on_post_page(self, output: str, *, config: MkDocsConfig, **_: object) -> str:
        """Add a noindex tag to a page if the option ``noindex_versions`` hides this version."""
        if not self.config[ENABLED] or not self._build.version or is_served(config):
            return output
        return _HEAD.sub(lambda head: head[0] + no_sitemap.NOINDEX, output, count=1)

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """Add a noindex tag to a page such as 404.html if ``noindex_versions`` hides this version."""
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
        if isinstance(build.address, Address):
            self._publish(config, build.address)
            return
        why = build.address or no_sitemap.no_base()
        if why.kind == "version":
            logger.info("%s", why.words)
            return
        self._report(build.findings, config)
        lines = [why.words]
        is_deployed = config.site_url != ""  # An empty address is for builds that are not deployed.
        if kept := kept_sitemap(Path(config.site_dir)):
            lines.append(kept)
        if is_deployed:
            advice = (
                "In mkdocs.yml, write the address of the site, such as site_url: https://docs.example.com/, "
                'or site_url: "" for builds that are not deployed.'
            )
            if has_configuration(project_folder(config)):
                line = 'site_url: !ENV [READTHEDOCS_CANONICAL_URL, "https://docs.example.com/"]'
                advice = f"{SETS_BASE_URL} in mkdocs.yml: {line}"
            lines.append(advice)
        logger.info("no sitemap: %s", ". ".join(lines))

    def _publish(self, config: MkDocsConfig, address: Address) -> None:
        """Write the sitemap of a MkDocs build, and report problems.

        ``address`` contains the base URL of the site. If the project has its own template for
        ``sitemap.xml``, the sitemap lists the addresses in that template, not all pages.
        """
        build, options = self._build, self._build.options
        project = Project(
            root=project_folder(config),
            output=Path(config.site_dir),
            options=options,
            address=address,
            surroundings=build.surroundings,
        )
        pages = [*build.pages.values()]
        if not project.no_sitemap:
            languages = languages_plugin(config)
            template = find_template(config)
            # If several languages are built, the file that is there is that of the last language.
            if template and not languages and not options.replace and options.filename == SITEMAP_NAME:
                pages, added, findings = follow_template(template, build.pages, config, project.base)
                extra_urls = (*options.extra_urls, *added)
                project = replace(project, options=options.replaced(extra_urls=extra_urls))
                build.findings += findings
            links = link_style(config.use_directory_urls)
            pages += other_pages(project, pages, build.copied.get, links=links)
            if languages:
                default = languages.default_language
                pages = link_translations(pages, build.translations, project.base, default)
        collected = Collected(
            pages=pages,
            findings=build.findings,
            # MkDocs empties its output folder first, so this build has written the sitemap that is there. An
            # earlier build may have done so with --dirty.
            made=MADE | {options.filename, f"{options.filename}.gz"},
            dates=build.dates,
            source_of=build.copied.get,
            gzip="beside",
            full_urlset=True,
            without_html="Remove `use_directory_urls: false`, so that no address ends with .html.",
        )
        transform = transform_of(config)
        check = bool(options.check)
        published = build_site(project, collected, check=check, log=logger.debug, transform=transform)
        self._report(published.findings, config)
        line = str(published)
        if published.no_sitemap and (kept := kept_sitemap(project.output)):
            line += f". {kept}"
        logger.info("%s", line)

    def _report(self, findings: Iterable[Finding], config: MkDocsConfig) -> None:
        """Log the warnings of a build, each with the name of its rule, such as ``[git-missing]``."""
        shown = [*without_ignored(findings, self._build.options.ignore)]
        if shown:
            from sitemap_docs.annotations import annotate  # noqa: PLC0415  most builds report nothing

            annotate(shown, self._build.surroundings.environ)
        for finding in shown:
            log = getattr(logger, finding.severity_in(strict=config.strict))
            log("%s", finding)


def valid_options(given: Mapping[str, object], folder: Path | None = None) -> Options:
    """Check the options in mkdocs.yml, and return them. Relative paths in options are relative to ``folder``.

    Raises:
        SitemapError: An option is unknown or has an invalid value.
    """
    values = {name: value for name, value in given.items() if value is not None and name != ENABLED}
    return Options.of(values, {"mkdocs"}, folder)


def project_folder(config: MkDocsConfig) -> Path:
    """Return the folder that contains mkdocs.yml."""
    return Path(config.config_file_path or config.docs_dir).parent


def kept_sitemap(site: Path) -> str:
    """Return the sentence "The built-in sitemap.xml is kept, …", or ``""`` if MkDocs has written none."""
    file = site / SITEMAP_NAME
    if not file.is_file() or is_ours(file):
        return ""
    kept = "The built-in sitemap.xml is kept, because themes read it"
    with suppress(SitemapError, OSError):
        for row in listed_rows(file):
            if not is_web(row.loc):
                return f"{kept}, but search engines reject its incomplete address {one_line(row.loc)}"
    return kept


def transform_of(config: MkDocsConfig) -> Callable[[Page, Entry], Entry | None] | None:
    """Return a function with which hooks and plugins change the sitemap entry of a page.

    If none of them has the method ``sitemap_entry``, return None.
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


def languages_plugin(config: MkDocsConfig) -> PluginPages | None:
    """Return the plugin that builds the site in several languages, or None."""
    return next((plugin for plugin in plugin_pages(config.plugins) if plugin.builds_languages), None)


def front_matter(file: File, config: MkDocsConfig, files: Files) -> Mapping[str, object]:
    """Return the front matter of a page, even if ``mkdocs build --dirty`` has not read the page."""
    page = file.page
    if page is None:
        return {}
    if page.markdown is not None:
        return page.meta
    twin = copy(page)
    twin.markdown, twin.meta = get_data(file.content_string)
    for plugin in plugin_pages(config.plugins):
        plugin.complete_meta(twin, config=config, files=files)
    return twin.meta


def show_page_dates(page_dates: Mapping[File, PageDate], form: str) -> list[Finding]:
    """Write the date of each page into its metadata, so that the theme shows it.

    If another plugin shows dates, return a message about it. ``form`` is the date format, such as
    ``%Y-%m-%d``.
    """
    theirs = []
    for file, date in page_dates.items():
        if file.page is None:
            continue
        meta = file.page.meta
        if _OTHERS in meta:
            theirs.append(file.src_uri)
            continue
        when = date.when
        is_dated_post = "updated" in as_mapping(meta.get("date"))
        if when is None or is_dated_post or "revision_date" in meta:
            continue
        # Material for MkDocs shows page.meta.revision_date. The manual has lines for other themes.
        iso = when.isoformat()
        meta["revision_date_iso"] = iso
        meta["revision_date"] = f'<time datetime="{iso}">{escape(when.strftime(form))}</time>'
    if not theirs:
        return []
    return [page_dates_elsewhere(_OTHERS, len(theirs), one_line(theirs[0]))]
