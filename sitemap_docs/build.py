"""The one sequence of all front doors, which collect the pages and log what comes back."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from sitemap_docs.config.options import without_ignored
from sitemap_docs.decide import Scan, SiteBuild, Transform, decide
from sitemap_docs.model import Finding, Page, Watch, unwatched
from sitemap_docs.publish import Published, publish


def build_site(  # noqa: PLR0913  most are those of `decide`
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
    pages, then those of :func:`decide` and :func:`publish`, which have the other arguments, then those of the
    audit. Raises SitemapError before any file is changed, also for settings of ``check``.
    """
    settings = None
    if check:
        from sitemap_docs.audit.registry import settings_of  # noqa: PLC0415
        from sitemap_docs.audit.run import findings_of_build  # noqa: PLC0415  expensive, and rarely asked for

        settings = settings_of(site.options)
    decisions = decide(site, pages, transform=transform, scan=scan, watch=watch, described=check)
    published = publish(decisions, log=log)
    found = [*findings, *published.findings]
    if settings and not (published.skipped or site.dry_run):
        found += findings_of_build(decisions, settings)
    return replace(published, findings=reported_findings(site, found, pages))


def reported_findings(
    site: SiteBuild, findings: Iterable[Finding], pages: Iterable[Page] = ()
) -> tuple[Finding, ...]:
    """The findings that neither the project nor a page ignores; and names that are no rules."""
    names = [name for name, _ in site.options.ignore]
    for page in pages:
        names += page.options.ignore
    if names:
        from sitemap_docs.findings import about_ignored  # noqa: PLC0415  it loads all rules

        findings = [*findings, *about_ignored(names)]
    return tuple(without_ignored(findings, site.options.ignore, site.base.url))
