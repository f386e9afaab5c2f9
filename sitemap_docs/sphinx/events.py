"""Handle the events of one build by Sphinx: collect its pages, then write the sitemap."""

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.util.logging import getLogger

from sitemap_docs.build import build_site
from sitemap_docs.config.options import Options
from sitemap_docs.decide import Collected
from sitemap_docs.files import replace_file, seen_from, translated_errors
from sitemap_docs.html.head import parse_head, read_head
from sitemap_docs.listing import no_sitemap
from sitemap_docs.listing.copied_pages import about_others, other_pages
from sitemap_docs.model import Entry, ExistingFileError, Fact, Finding, NoSitemap, Page, Reason, SitemapError
from sitemap_docs.output.existing import is_of_other_site, own_sitemap
from sitemap_docs.programs.followed import version_names, version_variable
from sitemap_docs.programs.read_the_docs import SETS_BASE_URL, has_configuration
from sitemap_docs.programs.sphinx_sitemap import SHARED
from sitemap_docs.project import Project
from sitemap_docs.sphinx import address as addresses
from sitemap_docs.sphinx.collect import builder_style, collect, copied_from, page_path, untranslated_pages
from sitemap_docs.sphinx.config import ABOUT_SWITCH, LAST, configuration_error, read_options, report, written
from sitemap_docs.sphinx.shown_dates import ShownDates, show_dates
from sitemap_docs.sphinx_rules import (
    languages_share_address,
    noindex_everywhere,
    theme_canonical,
    versions_share_address,
)
from sitemap_docs.surroundings import Surroundings, read_surroundings
from sitemap_docs.text import many
from sitemap_docs.urls import link_styles
from sitemap_docs.urls.base import Base, base_url, is_local

logger = getLogger(__name__)

_WITHOUT_HTML = (
    "Build with the builder `dirhtml`. Or, if the host serves pages without .html, write in conf.py: "
    'sitemap_links = "clean"'
)
_ONLY_ON_READ_THE_DOCS = """To apply it only on Read the Docs, write in conf.py:
  import os
  if os.environ.get("READTHEDOCS") == "True":
      sitemap_noindex_versions = {}"""


def begin_build(app: Sphinx, builder: StandaloneHTMLBuilder) -> None:
    """Before Sphinx builds, read the options, find the base URL, and connect event handlers.

    Raises:
        SitemapError: An option is wrong.
    """
    config = app.config
    options, findings = read_options(app)
    surroundings = read_surroundings()
    root = Path(app.confdir)
    version = _hide_version(app, builder, options, surroundings)
    try:
        address = addresses.find_address(config, root, options, surroundings.platform, version)
    except SitemapError as error:
        show_dates(app, builder, options, surroundings, None)
        report(base_url(str(error)), app)
        return
    shown = show_dates(app, builder, options, surroundings, address)
    if isinstance(address, NoSitemap):
        _report_no_address(app, address, options.filename)
        return
    language = config.language or ""
    locales, unused = addresses.named_locales(options, address, config.version, language)
    project = Project(
        root=root,
        output=Path(app.outdir),
        options=options.replaced(locales=locales),
        address=address,
        surroundings=surroundings,
        language=language,
    )
    if not project.no_sitemap:  # else no address is listed
        findings += address.findings
        findings += shared_addresses(app, project)
    findings += unused
    build = Build(builder, project, address, findings, config.html_baseurl or "", shown)
    app.connect("build-finished", build.on_finished, LAST)
    if not address.sets_links:
        return
    given, _ = addresses.base_urls(config)
    # A value that is only spelled in another way, such as without the last slash, stays for other extensions.
    if not given or Base.of(given) != address.links_base:
        # All canonical links must begin with the base URL.
        config.html_baseurl = address.links_base.url
        builder.build_info = builder.create_build_info()  # a new base renders each page again
    app.connect("html-page-context", build.on_page, LAST)


def _hide_version(
    app: Sphinx, builder: StandaloneHTMLBuilder, options: Options, surroundings: Surroundings
) -> str:
    """If the option ``noindex_versions`` matches this version, hide its pages from search engines.

    Return the version if it is hidden, otherwise ``""``.
    """
    config = app.config
    names_of_tool = version_names(surroundings.environ)
    names = names_of_tool or tuple(filter(None, (config.version, config.release)))
    version = names[0] if options.noindex_versions.includes(names) else ""
    if version and not names_of_tool:
        hint = ""
        if has_configuration(Path(app.confdir)):
            hint = _ONLY_ON_READ_THE_DOCS.format([*options.noindex_versions.patterns])
        report(noindex_everywhere(version).at(hint=hint), app)
    if options.noindex_versions.patterns:  # what matters to the pages is whether it names their version
        config.sitemap_noindex_versions = [version] if version else []
        builder.build_info = builder.create_build_info()
    if version:
        app.connect("html-page-context", add_noindex, LAST)
    return version


def _report_no_address(app: Sphinx, why: NoSitemap, filename: str) -> None:
    """Log why a build has no sitemap."""
    if why.kind == "version":
        logger.info("sitemap-docs: %s", why.words)
        return
    app.connect("build-finished", partial(report_no_base, why, filename), LAST)


def add_noindex(_: Sphinx, __: str, ___: str, context: dict[str, Any], ____: object) -> None:
    """Add a noindex tag to the ``<head>`` of a page."""
    # All themes write `metatags` into the head.
    context["metatags"] = f"{context.get('metatags', '')}\n    {no_sitemap.NOINDEX}"


@dataclass(slots=True, eq=False)
class Build:
    """The data of one Sphinx build, and the handlers of its events."""

    builder: StandaloneHTMLBuilder
    project: Project
    address: addresses.SphinxAddress
    findings: Sequence[Finding]
    #: The value of ``html_baseurl`` in conf.py.
    their_base: str
    #: Sets the dates that the pages show, or None.
    shown: ShownDates | None = None
    #: Pages without a document, such as ``genindex``, with their templates.
    extras: dict[str, str] = field(default_factory=dict)
    #: Whether the theme writes canonical links itself.
    theme_has_own: bool | None = None

    def on_page(self, app: Sphinx, name: str, template: str, context: dict[str, Any], _: object) -> None:
        """Correct the canonical link of a page before Sphinx renders the page."""
        if name not in app.env.all_docs:  # The main process renders such pages, also in a parallel build.
            self.extras[name] = template
        base = app.config.html_baseurl
        uri = self.builder.get_target_uri(name)
        # How Furo and pydata-sphinx-theme, Sphinx since 8.1, and Sphinx before it spell a page's address.
        file = name + self.builder.out_suffix
        if context.get("pageurl") not in (base + uri, posixpath.join(base, uri), posixpath.join(base, file)):
            return
        if self.their_base != base:
            before = posixpath.join(self.their_base, uri) if self.their_base else None
            if self.theme_has_own is None:
                self.theme_has_own = self._theme_writes_link(template, {**context, "pageurl": before})
            if self.theme_has_own:
                context["pageurl"] = before
                return
        path, links = page_path(uri, name), self.project.options.links
        if links in ("clean", "bare"):  # the canonical link is spelled as the sitemap lists the page
            path = link_styles.address(seen_from(app.outdir, self.builder.get_outfilename(name)), links)
        context["pageurl"] = self.address.links_base.loc(path)

    def _theme_writes_link(self, template: str, context: dict[str, Any]) -> bool | None:
        """Render a page to check whether the theme itself writes the canonical link.

        If the page cannot be rendered, return None.
        """
        try:
            text = self.builder.templates.render(template, context)
            links = parse_head(text.encode(errors="xmlcharrefreplace")).canonicals  # as Sphinx encodes pages
        except Exception:  # noqa: BLE001  templates are code of the project, and may raise anything
            return None
        number = len(links)
        return number > 1 or (number == 1 and context["pageurl"] is None)

    def on_finished(self, app: Sphinx, error: Exception | None) -> None:
        """Write the sitemap, unless the build has failed."""
        # Sphinx calls this again with the error, if there is one, or (before 8.1) a warning with -W.
        if error is not None:
            return
        try:
            self._publish(app)
        except ExistingFileError as problem:
            report(own_sitemap(str(problem)), app)
            logger.info("sitemap-docs: nothing written: %s", no_sitemap.KEPT.words)
        except SitemapError as problem:
            raise configuration_error(problem) from None

    def _pages_without_document(self, app: Sphinx) -> Mapping[str, str]:
        """Return the pages without a source document, such as ``genindex``, with their templates.

        If Sphinx has rendered none of them, because nothing has changed, return the pages that an earlier
        build saved.
        """
        file = Path(app.doctreedir, f"sitemap-docs-{self.builder.name}.json")
        if self.extras:
            data = json.dumps(self.extras, sort_keys=True).encode()
            with translated_errors(file, "written"):
                replace_file(file, [data])
            return self.extras
        # Before Sphinx 8.2, a build without changes fires no page events.
        with suppress(OSError, ValueError, TypeError):
            return dict(json.loads(file.read_bytes()))
        return {}

    def _leftover_sources(self, app: Sphinx, pages: Iterable[Page]) -> frozenset[str]:
        """Return the files in ``_sources/`` of deleted documents, such as ``_sources/old.rst.txt``."""
        left = set()
        for page in pages:
            if Fact.LEFT not in page.facts:
                continue
            document = seen_from(app.outdir, page.file).removesuffix(self.builder.out_suffix)
            for name in (document, document.removesuffix("/index")):
                for suffix in app.config.source_suffix:
                    copied = f"_sources/{name}{suffix}"
                    left |= {copied, f"{copied}{app.config.html_sourcelink_suffix}"}
        return frozenset(left)

    def _publish(self, app: Sphinx) -> None:
        """Collect the pages of the finished build, and write the sitemap."""
        project = self.project
        source_of = partial(copied_from, app)
        extras = self._pages_without_document(app)
        pages, findings = collect(app, self.builder, extras, project.options, project.surroundings)
        dates = None
        if self.shown:
            dates = self.shown.dates
            findings += self.shown.late_pages(pages)
        left: frozenset[str] = frozenset()
        moved: list[Finding] = []
        if not project.no_sitemap:
            # If the build may not know all of its pages, no file counts as older than the build.
            began = project.surroundings.now.timestamp() if extras else 0.0
            style = builder_style(self.builder)
            others = other_pages(project, pages, source_of, app.env.all_docs, began, style)
            findings += about_others(others, project.output, project.options, project.base)
            left = self._leftover_sources(app, others)
            pages += others
            # Of the sitemap that is there now.
            moved += addresses.moved_addresses(app.config, project, self.address, pages)
        transform = None
        if app.events.listeners.get("sitemap-entry"):
            transform = partial(_transform_entry, app)
        collected = Collected(
            pages=pages,
            findings=[*self.findings, *findings],
            made=_made_sitemaps(project),
            left=left,
            dates=dates,
            source_of=source_of,
            # With sphinx-sitemap, a wrong pattern in these options fails no build with -W.
            lenient_options=frozenset(SHARED),
            without_html=_WITHOUT_HTML,
            untranslated=untranslated_pages(app, self.builder, project, pages),
        )
        check = bool(project.options.check)
        log = partial(logger.verbose, "sitemap-docs: %s")
        published = build_site(project, collected, check=check, log=log, transform=transform)
        notes = 0
        for finding in (*published.findings, *([] if published.no_sitemap else moved)):
            # A theme without canonical links cannot contradict a scheme.
            if finding.rule != "scheme-unconfirmed" or any(read_head(page.file).canonicals for page in pages):
                severity = report(finding, app)
                is_note = finding.severity == "warning" and severity == "info"
                notes += is_note and finding.rule in ABOUT_SWITCH
        number = published.left_out.get(Reason.CANONICAL, 0)
        if self.theme_has_own and number:
            option = self.address.canonical_by or "an option of the theme"
            report(theme_canonical(option, number, project.base.url), app)
        about_switch = ""
        if notes:  # A strict build logs these warnings as information, which is easily missed.
            about_switch = f"; {many(notes, 'note')} about the switch from sphinx-sitemap, see above"
        logger.info("sitemap-docs: %s%s", published, about_switch)


def report_no_base(why: NoSitemap, filename: str, app: Sphinx, error: Exception | None) -> None:
    """At the end of a build without a base URL, log why, and how to set a base URL in conf.py.

    ``why`` is the reason, and ``filename`` is the name of the sitemap.
    """
    if error is not None:
        return
    lines = [why.words]
    values = [written(app.config, name) for name in ("html_baseurl", "site_url")]
    # With "", the project wants no base URL.
    if any(map(is_local, map(str, values))) or values == [None, None]:
        if Path(app.outdir, filename).is_file():
            lines.append(f"The existing {filename} was not changed")
        advice = 'In conf.py, write html_baseurl = "https://docs.example.com/", the address of the site.'
        if has_configuration(Path(app.confdir)):
            line = 'html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "https://docs.example.com/")'
            advice = f"{SETS_BASE_URL} in conf.py: {line}"
        lines.append(advice)
    logger.info("sitemap-docs: no sitemap: %s", ". ".join(lines))


def shared_addresses(app: Sphinx, project: Project) -> Iterator[Finding]:
    """Yield a warning if several versions or languages have the same base URL."""
    url = project.base.url
    environ = project.surroundings.environ
    variable = version_variable(environ)
    if variable and not unquote(url).endswith(f"/{environ[variable]}/"):
        yield versions_share_address(environ[variable], variable)
    language = str(app.config.overrides.get("language", ""))
    if language and project.output.name == language and f"/{language}/" not in url:
        yield languages_share_address(language, url)


def _made_sitemaps(project: Project) -> frozenset[str]:
    """Return the names of the sitemaps that sphinx-sitemap may have written, such as ``sitemap.xml``.

    A sitemap of another site is left out.
    """
    # Sphinx never cleans its output folder, so a sitemap of this site there is of an earlier build. It is not
    # compared, because sphinx-sitemap may have written other addresses, or addresses of pages that are gone:
    # a project that switches must not be stopped. `copied_from` knows the user's own file.
    made = set()
    for name in (project.options.filename, f"{project.options.filename}.gz"):
        is_foreign = False
        with suppress(SitemapError):  # The code that writes the sitemap reports a file that cannot be read.
            is_foreign = is_of_other_site(project.output, name, project.base)
        if not is_foreign:
            made.add(name)
    return frozenset(made)


def _transform_entry(app: Sphinx, page: Page, entry: Entry) -> Entry | None:
    """Let other extensions change the sitemap entry of a page, by the event ``sitemap-entry``.

    If an extension leaves the page out, return None.
    """
    answer = app.emit_firstresult("sitemap-entry", page, entry)
    if answer is None:
        return entry
    return None if answer is False else answer
