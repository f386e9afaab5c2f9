"""One build of a site by Sphinx: its events and pages, translated for the core."""

from __future__ import annotations

import os
import posixpath
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.logging import getLogger

from sitemap_docs.after_build import checked
from sitemap_docs.html.head import read_head
from sitemap_docs.model import SitemapError
from sitemap_docs.paths import user_cache
from sitemap_docs.pipeline import SiteBuild, publish, sorted_by_loc, unchanged
from sitemap_docs.sphinx import sphinx_sitemap, switch
from sitemap_docs.sphinx.address import (
    UNCONFIRMED,
    AddressSettings,
    checked_url,
    missing,
    shared_by_versions,
    unusable,
)
from sitemap_docs.sphinx.collect import Extra, Memory, collect, copied_from, page_path
from sitemap_docs.sphinx.config import (
    configuration_error,
    named_locales,
    read_options,
    written,
)
from sitemap_docs.sphinx.log import report
from sitemap_docs.sphinx.scheme import Scheme
from sitemap_docs.text import one_line
from sitemap_docs.urls.base import is_local
from sitemap_docs.urls.platforms import build_time, platform

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sphinx.application import Sphinx
    from sphinx.config import Config

    from sitemap_docs.config.options import Options
    from sitemap_docs.listing.selection import Decision
    from sitemap_docs.model import Entry, Finding, Page
    from sitemap_docs.pipeline import Published
    from sitemap_docs.sphinx.address import Address
    from sitemap_docs.urls.platforms import Platform

logger = getLogger(__name__)


class Build:
    """One build whose pages are for browsers, from its first event to its last."""

    def __init__(
        self,
        app: Sphinx,
        builder: StandaloneHTMLBuilder,
        site: SiteBuild,
        address: Address,
        findings: Sequence[Finding],
    ) -> None:
        self._builder = builder
        self._site = site
        self._address = address
        self._findings = findings
        self._memory = Memory(app)
        self._extras: set[Extra] = set()
        self._complete = False
        self._their_base = checked_url(app.config.site_url) or checked_url(app.config.html_baseurl)

    @classmethod
    def of(cls, app: Sphinx, builder: StandaloneHTMLBuilder) -> Build | None:
        """The build of a site; None without a base URL. Raises SitemapError for wrong options."""
        config = app.config
        options, findings = read_options(config)
        where = platform(os.environ)
        scheme = Scheme(options.url_scheme, config.version)
        language = config.language or ""
        address = _address(app, AddressSettings(*_base_urls(config), scheme, language), where, options)
        if address is None:
            return None
        shared = shared_by_versions(address.base, os.environ)
        named, unused = named_locales(options, address, scheme, language)
        site = SiteBuild(
            root=Path(app.confdir),
            output=Path(app.outdir),
            base=address.base,
            platform=where,
            options=replace(options, locales=named),
            environ=os.environ,
            now=build_time(os.environ, time()),
            language=language,
            made=_left_by_others(app.config, Path(app.confdir), options.filename),
            source_of=partial(copied_from, app),
            cache=Path(app.doctreedir) / "sitemap-docs",
            records=user_cache() / "records",
        )
        build = cls(app, builder, site, address, (*findings, *address.findings, *unused, *shared))
        if address.canonical.url != config.html_baseurl:
            config.html_baseurl = address.canonical.url
            builder.build_info = builder.create_build_info()  # a new base renders each page again
        return build

    def on_page(self, app: Sphinx, name: str, template: str, context: dict[str, Any], _: object) -> None:
        """Remembers an extra page, and puts its canonical link right.

        Documents come here in whatever process renders them, extra pages in the main one. A canonical link
        that the project or another extension made is left alone.
        """
        if name not in app.env.all_docs:
            self._extras.add(Extra(name, template))
        if context.get("pageurl") in _default_urls(app.config.html_baseurl, self._builder, name):
            context["pageurl"] = self._address.canonical.loc(page_path(self._builder, name))

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
            findings, summary = self._publish(app)
        except SitemapError as problem:
            raise configuration_error(problem) from None
        for finding in findings:
            report(finding, app)
        logger.info("sitemap-docs: %s", summary)

    def _publish(self, app: Sphinx) -> tuple[list[Finding], Published]:
        site = self._site
        extras = self._extras if self._complete else self._memory.recall()
        found, findings = collect(app, self._builder, extras, site.options)
        pages = sorted_by_loc(map(self._canonical, found), site.base)
        replaced = switch.replaced_locs(site.place.folder / site.place.name)
        out: list[Decision] = []
        published = publish(
            site,
            pages,
            {source for page in pages for source in page.sources},
            on_left_out=partial(_note_left_out, out),
            transform=partial(_transformed, app) if app.events.listeners.get("sitemap-entry") else unchanged,
        )
        if published.skipped:
            return [], published
        if replaced is not None:
            self._report_switch(app.config, replaced, pages, out)
        return [*self._reportable(pages), *findings, *published.findings, *checked(site, pages)], published

    def _canonical(self, page: Page) -> Page:
        """The page with the canonical link that it has instead of its address, if it has another."""
        if self._address.canonical == self._address.base:
            return page
        return page._replace(canonical=self._address.canonical.loc(page.path))

    def _reportable(self, pages: Iterable[Page]) -> Iterator[Finding]:
        """The findings of the settings; a theme without canonical links cannot contradict a scheme."""
        for finding in self._findings:
            if finding.rule != UNCONFIRMED or any(read_head(page.file).canonicals for page in pages):
                yield finding

    def _report_switch(
        self, config: Config, replaced: Sequence[str], pages: Sequence[Page], out: Sequence[Decision]
    ) -> None:
        before = switch.before_file(replaced, pages)
        if not before and self._their_base and sphinx_sitemap.was_used(config):
            before = switch.before_settings(
                partial(sphinx_sitemap.listed, config, self._their_base), pages, out
            )
        lines = list(switch.changes(before, pages, out, self._site.base)) if before else []
        if lines:
            logger.info("sitemap-docs: the first sitemap in place of sphinx-sitemap's:\n%s", _indented(lines))


def _indented(lines: Iterable[str]) -> str:
    return "\n".join(f"  - {line}" for line in lines)


def _left_by_others(config: Config, confdir: Path, filename: str) -> frozenset[str]:
    """The sitemaps in the output folder that an earlier extension left; none where the project has its own.

    With sphinx-sitemap, a build replaces them without asking.
    """
    names = frozenset({filename, f"{filename}.gz"})
    extra = [confdir / name for name in config.html_extra_path]
    own = any(path.name in names or any((path / name).is_file() for name in names) for path in extra)
    return frozenset() if own else names


def _base_urls(config: Config) -> tuple[str, str]:
    """Both base URLs, ``""`` for none. A local one counts only if the command line gives it."""
    urls = {name: checked_url(config[name]) for name in ("html_baseurl", "site_url")}
    html_baseurl, site_url = (
        "" if is_local(url) and name not in config.overrides else url for name, url in urls.items()
    )
    return html_baseurl, site_url


def _missing(app: Sphinx) -> Finding:
    """A warning for a strict build, unless conf.py states that there is no base URL: ``""`` or ``"/"``."""
    config = app.config
    values = [value for name in ("html_baseurl", "site_url") if (value := written(config, name)) is not None]
    local = next((str(value) for value in values if is_local(str(value))), "")
    strict = app.warningiserror or app.keep_going
    return missing(local, severity="warning" if strict and (local or not values) else "info")


def _address(app: Sphinx, settings: AddressSettings, where: Platform, options: Options) -> Address | None:
    """The address of the build; None, and a message that says why, where no sitemap can be written."""
    if where.preview and not options.previews and not (settings.html_baseurl or settings.site_url):
        logger.info("sitemap-docs: no sitemap is written, because %s", f"{where.preview}: a preview")
        return None
    try:
        address = settings.address(where)
    except SitemapError as error:
        name = "html_baseurl" if settings.html_baseurl else "site_url"
        report(unusable(name, error), app)
        return None
    if address is None:
        report(_missing(app), app)
    return address


def _default_urls(base: str, builder: StandaloneHTMLBuilder, name: str) -> tuple[str, ...]:
    """How Sphinx since 8.1, Sphinx before it, and Furo and pydata-sphinx-theme spell a page's address."""
    uri = builder.get_target_uri(name)
    return posixpath.join(base, uri), posixpath.join(base, name + builder.out_suffix), base + uri


def _transformed(app: Sphinx, page: Page, entry: Entry) -> Entry | None:
    """The first answer to ``sitemap-entry`` that is not None: an entry, or False to drop it."""
    answer = app.emit_firstresult("sitemap-entry", page, entry)
    return entry if answer is None else answer or None


def _note_left_out(out: list[Decision], decision: Decision) -> None:
    out.append(decision)
    reason = decision.reason.value if decision.reason else ""
    detail = f" ({decision.detail})" if decision.detail else ""
    logger.verbose("sitemap-docs: left out %s", one_line(f"{decision.page.names[0]}: {reason}{detail}"))
