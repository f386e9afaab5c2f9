"""The Sphinx extension: what Sphinx tells, translated for the core, and the core's words for its log."""

from __future__ import annotations

import os
import posixpath
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import time
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeGuard

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.errors import ExtensionError
from sphinx.util.logging import getLogger

from sitemap_docs import __version__
from sitemap_docs.audit.after_build import checked
from sitemap_docs.garbage import collector_paused
from sitemap_docs.history import diagnostics
from sitemap_docs.hosting import build_time, platform
from sitemap_docs.model import SitemapError
from sitemap_docs.options import OPTIONS, PLAIN, Options
from sitemap_docs.paths import user_cache
from sitemap_docs.pipeline import SiteBuild, publish, sorted_by_loc, unchanged
from sitemap_docs.sphinx.pages import Extra, Memory, collect, link
from sitemap_docs.sphinx.scheme import Scheme, check_scheme, moved, old_locs
from sitemap_docs.text import one_line
from sitemap_docs.urls import Base

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config
    from sphinx.util.typing import ExtensionMetadata

    from sitemap_docs.hosting import Platform
    from sitemap_docs.model import Entry, Finding, Page
    from sitemap_docs.options import Option
    from sitemap_docs.pipeline import Published
    from sitemap_docs.selection import Decision

LAST = 900  # after themes and other extensions, most of which stay at 500

#: The plain default of an option's shape, and the types that Sphinx lets pass without a warning. With
#: frozenset among them, Sphinx 9 would turn lists into it and lose their order.
_SHAPES: dict[str, tuple[object, tuple[type, ...]]] = {
    "text": ("", (str, NoneType)),
    "choice": ("", (str, bool, dict, NoneType)),
    "switch": (False, (bool, str, list, tuple, set, dict, NoneType)),
    "number": (0, (int, NoneType)),
    "list": ([], (list, tuple, set, str, NoneType)),
    "map": ({}, (dict, list, tuple, set, NoneType)),
}

logger = getLogger(__name__)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Adds the options as ``sitemap_<name>`` and the event ``sitemap-entry``.

    Raises ExtensionError when sphinx_sitemap is loaded, too.
    """
    if "sphinx_sitemap" in {*app.extensions, *app.config.extensions}:
        raise ExtensionError(
            "sitemap_docs and sphinx_sitemap both write the sitemap: remove 'sphinx_sitemap' from "
            "`extensions` in conf.py; its options keep working."
        )
    for option in OPTIONS:
        app.add_config_value(f"sitemap_{option.name}", _default(option), "", _SHAPES[option.shape][1])
    app.add_config_value("sitemap_show_lastmod", None, "", (bool, NoneType))
    app.add_event("sitemap-entry")
    app.connect("config-inited", add_site_url)
    app.connect("builder-inited", begin, LAST)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def add_site_url(app: Sphinx, config: Config) -> None:
    """Adds sphinx-sitemap's old name of ``html_baseurl``, once all extensions had the chance to own it."""
    if "site_url" not in config:
        app.add_config_value("site_url", None, "html", (str, NoneType))


def _default(option: Option) -> object:
    plain = isinstance(option.default, (str, bool, int))
    return option.default if plain else _SHAPES[option.shape][0]


def begin(app: Sphinx) -> None:
    """Connects a build that renders pages below a known base URL; every other build hears nothing from us."""
    builder = app.builder
    if not renders_pages(builder):
        return
    try:
        build = Build.of(app, builder)
    except SitemapError as error:
        raise ExtensionError(f"sitemap-docs: {error}") from error
    if build is None:
        preview = platform(os.environ).preview
        reason = f"{preview}: a preview" if preview else "html_baseurl is not set"
        logger.info("sitemap-docs: no sitemap is written, because %s", reason)
        return
    app.connect("html-page-context", build.on_page, LAST)
    app.connect("html-collect-pages", build.on_collect_pages, LAST)
    app.connect("build-finished", build.on_finished, LAST)


def renders_pages(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Whether each document becomes a page of its own for browsers: html, dirhtml and their subclasses."""
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not isinstance(builder, SingleFileHTMLBuilder)
        and not builder.embedded
        and not hasattr(builder, "dump_context")  # of sphinxcontrib.serializinghtml's json and pickle
    )


class Build:
    """One build whose pages are for browsers, from its first event to its last."""

    def __init__(self, app: Sphinx, builder: StandaloneHTMLBuilder, site: SiteBuild, scheme: Scheme) -> None:
        self._builder = builder
        self._site = site
        self._scheme = scheme
        self._memory = Memory(app)
        self._extras: set[Extra] = set()
        self._complete = False

    @classmethod
    def of(cls, app: Sphinx, builder: StandaloneHTMLBuilder) -> Build | None:
        """The build of a site; None without a base URL. Raises SitemapError for wrong options."""
        config = app.config
        options, scheme = _options(config)
        where = platform(os.environ)
        url = _base_url(config, where, options)
        if url is None:
            return None
        base = Base.of(url)
        if url != config.html_baseurl:
            config.html_baseurl = base.url
            builder.build_info = builder.create_build_info()  # a new base renders each page again
        site = SiteBuild(
            root=Path(app.confdir),
            output=Path(app.outdir),
            base=base,
            platform=where,
            options=options,
            environ=os.environ,
            now=build_time(os.environ, time()),
            language=config.language or "",
            cache=Path(app.doctreedir) / "sitemap-docs",
            records=user_cache() / "records",
        )
        return cls(app, builder, site, scheme)

    def on_page(self, app: Sphinx, name: str, template: str, context: dict[str, Any], _: object) -> None:
        """Remembers an extra page, and puts its canonical link right.

        Documents come here in whatever process renders them, extra pages in the main one. A canonical link
        that the project or another extension made is left alone.
        """
        if name not in app.env.all_docs:
            self._extras.add(Extra(name, template))
        if context.get("pageurl") in _default_urls(app.config.html_baseurl, self._builder, name):
            context["pageurl"] = self._site.base.loc(link(self._builder, name))

    def on_collect_pages(self, _: Sphinx) -> tuple[()]:
        """Notes that this build renders the extra pages."""
        self._complete = True
        return ()

    def on_finished(self, app: Sphinx, error: Exception | None) -> None:
        """Publishes; Sphinx calls this again with the error when it raises or, before 8.1 under -W, warns."""
        if error is not None:
            return
        if self._complete:
            self._memory.keep(self._extras)
        try:
            with collector_paused():
                findings, summary = self._publish(app)
        except SitemapError as problem:
            raise ExtensionError(f"sitemap-docs: {problem}") from problem
        for finding in findings:
            _log(finding, app)
        logger.info("sitemap-docs: %s", summary)

    def _publish(self, app: Sphinx) -> tuple[list[Finding], Published]:
        site = self._site
        extras = self._extras if self._complete else self._memory.recall()
        found, findings = collect(app, self._builder, extras, site.options)
        pages = sorted_by_loc((self._scheme.applied(page, site.base) for page in found), site.base)
        if self._scheme.text != PLAIN:
            check_scheme(pages, site.base)
        old = old_locs(site.output / site.options.filename)
        published = publish(
            site,
            pages,
            {source for page in pages for source in page.sources},
            on_left_out=_say_left_out,
            transform=partial(_transformed, app) if app.events.listeners.get("sitemap-entry") else unchanged,
        )
        if change := moved(old, pages, site.base):
            logger.info("sitemap-docs: an address that changes with this sitemap: %s is now %s", *change)
        return [*findings, *published.findings, *checked(site, pages)], published


def _options(config: Config) -> tuple[Options, Scheme]:
    """The options that the project set; raises SitemapError for one that does not fit."""
    values = {option: config[f"sitemap_{option.name}"] for option in OPTIONS}
    given = {o.name: _value(o, v) for o, v in values.items() if v not in (None, _default(o))}
    if config.sitemap_show_lastmod is False:
        given.setdefault("lastmod", "none")
    options = Options.of(given)
    languages: tuple[str, ...] = ()
    if "{lang}" in options.url_scheme and not any(url for _, url in options.locales):
        languages = tuple(language for language, _ in options.locales)
        options = replace(options, locales=())
    return options, Scheme(options.url_scheme, config.language or "", config.version, languages)


def _value(option: Option, value: object) -> object:
    # From the command line, Sphinx before 9 hands over texts where more than booleans are allowed.
    return value == "1" if option.shape in {"switch", "choice"} and value in ("0", "1") else value


def _base_url(config: Config, where: Platform, options: Options) -> str | None:
    """``html_baseurl``, else sphinx-sitemap's old ``site_url``, else what the platform says."""
    for url in (config.html_baseurl, config.site_url):
        if url and url != "/":  # Read the Docs documents "/" for a build elsewhere
            return str(url)
    return None if where.preview and not options.previews else where.base_url


def _default_urls(base: str, builder: StandaloneHTMLBuilder, name: str) -> tuple[str, ...]:
    """How Sphinx since 8.1, Sphinx before it, and Furo and pydata-sphinx-theme spell a page's address."""
    uri = builder.get_target_uri(name)
    return posixpath.join(base, uri), posixpath.join(base, name + builder.out_suffix), base + uri


def _transformed(app: Sphinx, page: Page, entry: Entry) -> Entry | None:
    """The first answer to ``sitemap-entry`` that is not None: an entry, or False to drop it."""
    answer = app.emit_firstresult("sitemap-entry", page, entry)
    return entry if answer is None else answer or None


def _say_left_out(verdict: Decision) -> None:
    reason = verdict.reason.value if verdict.reason else ""
    detail = f" ({verdict.detail})" if verdict.detail else ""
    logger.verbose("sitemap-docs: left out %s", one_line(f"{verdict.page.names[0]}: {reason}{detail}"))


def _log(finding: Finding, app: Sphinx) -> None:
    # -W, with and without --keep-going, before and since Sphinx 8.1; what git cannot say must fail no build
    strict = app.warningiserror or app.keep_going
    if finding.severity == "info" or (strict and finding.rule in diagnostics.RULES):
        logger.info("sitemap-docs: %s", finding)
        return
    document = finding.where in app.env.all_docs
    logger.log(
        finding.severity.upper(),
        "sitemap-docs: %s",
        one_line(finding.message) if document else finding,
        type="sitemap_docs",
        subtype=finding.rule,
        location=finding.where if document else None,
    )
