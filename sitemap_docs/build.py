"""The one sequence of all front doors, which collect the pages and log what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from sitemap_docs.listing.entries import Transform
from sitemap_docs.listing.scan import DescribedScan, Scan, Watch, unwatched
from sitemap_docs.model import Finding, Page
from sitemap_docs.pipeline import Published, SiteBuild, publish


def build_site(  # noqa: PLR0913  most are those of `publish`
    site: SiteBuild,
    pages: Sequence[Page],
    findings: Iterable[Finding] = (),
    *,
    check: bool,
    scan: Scan = map,
    watch: Watch = unwatched,
    log: Callable[[str], None] | None = None,
    transform: Transform | None = None,
) -> Published:
    """Writes the sitemap of a site, and with ``check`` audits it; returns what was done, with all findings.

    They come in the order of the work: ``findings``, those that the front door made while it collected the
    pages, then those of :func:`publish`, which has the other arguments, too, then those of the audit.
    Raises SitemapError before any file is changed, also for settings of ``check``.
    """
    pages_read = watch(pages, "pages read", len(pages))
    sources = chain.from_iterable(page.sources for page in pages)
    if not check:
        published = publish(site, pages_read, sources, log=log, transform=transform, scan=scan)
        return replace(published, findings=(*findings, *published.findings))

    from sitemap_docs.audit.run import findings_of_build  # noqa: PLC0415  expensive, and rarely asked for
    from sitemap_docs.audit.settings import settings_of  # noqa: PLC0415

    settings = settings_of(site.options.check)
    described = DescribedScan(scan)
    published = publish(site, pages_read, sources, log=log, transform=transform, scan=described)
    audited: tuple[Finding, ...] = ()
    if not (published.skipped or site.dry_run):
        audited = findings_of_build(site, pages, settings, described.heads)
    return replace(published, findings=(*findings, *published.findings, *audited))
