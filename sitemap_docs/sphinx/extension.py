"""The Sphinx extension: its options, its event, and which builds have a sitemap."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeGuard

from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder

from sitemap_docs import __version__
from sitemap_docs.model import SitemapError
from sitemap_docs.sphinx import sphinx_sitemap
from sitemap_docs.sphinx.config import configuration_error, declare, declare_shared, read_options
from sitemap_docs.sphinx.log import report

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.builders import Builder
    from sphinx.config import Config
    from sphinx.util.typing import ExtensionMetadata

    from sitemap_docs.model import Finding

LAST = 900  # after themes and other extensions, most of which stay at 500
BEFORE_CHECKS = 790  # Sphinx checks the types of all values at 800


def setup(app: Sphinx) -> ExtensionMetadata:
    """Adds the options as ``sitemap_<name>`` and the event ``sitemap-entry``."""
    declare(app)
    footer = sphinx_sitemap.keep_footer_dates(app)
    app.add_event("sitemap-entry")
    app.connect("config-inited", declare_shared, BEFORE_CHECKS)
    app.connect("config-inited", partial(configure, footer), LAST)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}


def configure(footer: Finding | None, app: Sphinx, config: Config) -> None:
    """Finds what is wrong with the options before anything is built; raises ConfigError."""
    read_options(config)
    loaded = sphinx_sitemap.disconnect(app)
    findings = [finding for finding in (footer, loaded) if finding]
    app.connect("builder-inited", partial(begin, findings), LAST)


def begin(findings: list[Finding], app: Sphinx) -> None:
    """Connects a build that renders pages below a known base URL; all other builds are left alone."""
    builder = app.builder
    if not renders_pages(builder):
        return
    from sitemap_docs.sphinx.build import begin_build  # noqa: PLC0415  most of the package, for these builds only

    for finding in findings:
        report(finding, app)
    try:
        build = begin_build(app, builder)
    except SitemapError as error:
        raise configuration_error(error) from None
    if build is None:
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
