"""One audit from beginning to end: read the site, run the rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_docs import pipeline
from sitemap_docs.audit.checking import audit
from sitemap_docs.audit.findings import summed
from sitemap_docs.audit.history import read_history
from sitemap_docs.audit.reading import Context, read_site
from sitemap_docs.audit.settings import Settings, settings_of
from sitemap_docs.audit.site import History, Site
from sitemap_docs.model import SitemapError
from sitemap_docs.output.record import read_record
from sitemap_docs.progress import unwatched
from sitemap_docs.urls.languages import read_locales

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemap_docs.model import Finding, Page
    from sitemap_docs.progress import Watch


@dataclass(frozen=True, kw_only=True)
class Audited:
    """A site as it was audited, and the findings."""

    site: Site
    findings: tuple[Finding, ...]


def audit_site(
    site: pipeline.SiteBuild,
    pages: Iterable[Page],
    settings: Settings,
    *,
    sources_from: Path | None = None,
    watch: Watch = unwatched,
) -> Audited:
    """Audits the folder that a build wrote, as :func:`read_built` reads it."""
    seen = read_built(site, pages, settings, sources_from=sources_from, watch=watch)
    return Audited(site=seen, findings=audit(seen, settings, watch))


def read_built(
    site: pipeline.SiteBuild,
    pages: Iterable[Page],
    settings: Settings,
    *,
    sources_from: Path | None = None,
    watch: Watch = unwatched,
) -> Site:
    """The folder that a build wrote, as far as the rules of ``settings`` read it.

    ``watch`` counts what is done. Sources are relative to ``sources_from``. Raises SitemapError for
    files that cannot be read.
    """
    found = list(watch(pages, "pages found"))
    dated = any(rule.startswith("lastmod-") for rule in settings.rules)
    try:
        return read_site(
            site.output,
            site.base,
            watch(found, "pages read", len(found)),
            Context(
                now=site.now,
                excludes=site.options.excludes,
                history=_history(site, found) if dated else History(),
                sources_from=sources_from,
                robots_moved=site.platform.serves_robots,
                elsewhere=_built_elsewhere(site),
            ),
            whole=settings.whole,
        )
    except OSError as error:
        raise SitemapError(
            f"{error.filename} cannot be read: {error.strerror}. Build the site again."
        ) from None


def _built_elsewhere(site: pipeline.SiteBuild) -> tuple[str, ...]:
    """The languages of the option ``locales`` below the site that have no folder here.

    The build takes them to have every page, and so links to these.
    """
    elsewhere = []
    for base in read_locales(site.options.locales, site.base, site.language).values():
        path = site.base.path_of(base.url)
        if path and not (site.output / path).is_dir():
            elsewhere.append(base.url)
    return tuple(elsewhere)


def _history(site: pipeline.SiteBuild, pages: Iterable[Page]) -> History:
    dated = [page for page in pages if page.sources]
    sources = {source for page in dated for source in page.sources}
    dates = pipeline.dates_of(site, sources)
    return read_history(dated, site.output, dates, site.options.lastmod, site.environ)


def findings_of_build(site: pipeline.SiteBuild, pages: Iterable[Page]) -> tuple[Finding, ...]:
    """What a host reports at the end of a build: one finding for each rule that was broken.

    ``site.options.check`` holds the settings. To be called when all files are in place. Raises SitemapError.
    """
    settings = settings_of(site.options.check)
    # As the command `check` sees them: the build may have left out pages that look like any other.
    record = read_record(site.output, site.records) if site.records else None
    if record:
        pages = record.decided(pages)
    audited = audit_site(site, pages, settings)
    return (*settings.findings, *summed(audited.findings))
