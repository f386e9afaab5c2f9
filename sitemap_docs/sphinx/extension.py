"""The Sphinx extension: its options, its event, and which builds have a sitemap.

If sphinx-sitemap is loaded, too, it is switched off.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from docutils.parsers.rst import directives  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.builders.singlehtml import SingleFileHTMLBuilder
from sphinx.config import Config
from sphinx.errors import ExtensionError

from sitemap_docs import __version__
from sitemap_docs.model import SitemapError
from sitemap_docs.programs import sphinx_sitemap
from sitemap_docs.programs.sphinx_last_updated_by_git import REPLACED, UPDATED_BY_GIT, dates_footers
from sitemap_docs.sphinx import config as conf_py
from sitemap_docs.sphinx import translations
from sitemap_docs.sphinx.config import LAST
from sitemap_docs.sphinx_rules import footer_dates, sphinx_sitemap_loaded

if TYPE_CHECKING:
    from sitemap_docs.programs.protocols import DescribingProgram

BEFORE_CHECKS = 790  # Sphinx checks the types of all values at 800


def setup(app: Sphinx) -> dict[str, object]:
    """Add the options ``sitemap_<name>`` and the event ``sitemap-entry`` to Sphinx."""
    app.require_sphinx("7.4")
    conf_py.declare(app)
    date_footers(app)
    app.add_event("sitemap-entry")
    app.connect("config-inited", conf_py.declare_shared, BEFORE_CHECKS)
    app.connect("config-inited", check_options, LAST)
    app.connect("builder-inited", begin, LAST)
    translations.connect(app)
    # 1: with the modules of commands as dependencies. 2: with the number of translated messages. 3: with
    # hashes of the texts. Sphinx reads all documents again if the environment has another version.
    return {"version": __version__, "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}


def check_options(app: Sphinx, _: Config) -> None:
    """Check the options before the build, and switch off sphinx-sitemap.

    Raises:
        ConfigError: An option has an invalid value.
    """
    conf_py.read_options(app)
    switch_off_sphinx_sitemap(app)
    note_modules(app)


def note_modules(app: Sphinx) -> None:
    """Let directives such as ``click`` tell Sphinx which Python files a page depends on."""
    from sitemap_docs.programs.answers import Describes  # noqa: PLC0415
    from sitemap_docs.programs.followed import answers_to  # noqa: PLC0415  not for `setup`

    for program in answers_to(Describes):
        directive = directives._directives.get(program.directive)  # noqa: SLF001  where Sphinx itself looks
        if directive and directive.__module__.partition(".")[0] == program.package:
            app.add_directive(program.directive, _noting(directive, program.load()), override=True)


def _noting(directive: Any, program: DescribingProgram) -> Any:  # noqa: ANN401  of a package that may be missing
    def run(self: Any) -> Any:  # noqa: ANN401
        from sitemap_docs.sources.modules import command_files  # noqa: PLC0415  for these directives only

        nodes = directive.run(self)
        env = self.state.document.settings.env
        described = program.described("".join(self.arguments), self.options)
        found: Iterable[str] = [str(Path(env.srcdir, described.file))]
        if not described.file:
            found = command_files(described.name, described.levels)
        for file in found:
            if Path(file).is_file():
                env.note_dependency(file)
        return nodes

    return type(directive.__name__, (directive,), {"run": run})


def begin(app: Sphinx) -> None:
    """If Sphinx builds HTML pages, prepare the sitemap.

    Raises:
        ConfigError: An option is wrong.
    """
    builder = app.builder
    if not renders_pages(builder):
        return
    from sitemap_docs.sphinx.events import begin_build  # noqa: PLC0415  most of the package, for these builds only

    if dates_footers(app.extensions):
        options = [name for name in REPLACED if conf_py.written(app.config, name) is not None]
        conf_py.report(footer_dates(options), app)
    if sphinx_sitemap.is_loaded(app.extensions):
        conf_py.report(sphinx_sitemap_loaded(), app)
    try:
        begin_build(app, builder)
    except SitemapError as error:
        raise conf_py.configuration_error(error) from None


def renders_pages(builder: Builder) -> TypeGuard[StandaloneHTMLBuilder]:
    """Check whether a builder writes an HTML page for each document, as ``html`` and ``dirhtml`` do."""
    # Other builders write a single page (singlehtml), a book (epub) or data (json).
    return (
        isinstance(builder, StandaloneHTMLBuilder)
        and not isinstance(builder, SingleFileHTMLBuilder)
        and not builder.embedded
        and not hasattr(builder, "dump_context")  # of sphinxcontrib.serializinghtml's json and pickle
    )


def date_footers(app: Sphinx) -> None:
    """Show dates in page footers if options such as ``sitemap_show_lastmod`` ask for them."""
    config = app.config
    # As with sphinx-sitemap, the option `sitemap_show_lastmod` also shows dates in footers.
    shows_lastmod = conf_py.written(config, "sitemap_show_lastmod") in (True, "1")
    is_asked_for = conf_py.written(config, "sitemap_page_dates")
    if not (is_asked_for or (shows_lastmod and config.html_last_updated_fmt is not None)):
        return
    has_options = any(conf_py.written(config, name) is not None for name in REPLACED)
    if dates_footers(config.extensions) or has_options:
        with suppress(ExtensionError):  # If it is not installed, the pages show our dates.
            app.setup_extension(UPDATED_BY_GIT)
    elif is_asked_for is None:
        config.sitemap_page_dates = True


def switch_off_sphinx_sitemap(app: Sphinx) -> None:
    """Disconnect the event handlers of sphinx-sitemap."""
    for listeners in app.events.listeners.values():
        for listener in list(listeners):
            if sphinx_sitemap.is_handler(listener.handler):
                app.disconnect(listener.id)
