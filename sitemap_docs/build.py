"""Build a sitemap: decide about the pages, write the files, and audit the site if the user asks for it.

The Sphinx extension, the MkDocs plugin and the command collect the pages before, and log the result after.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from sitemap_docs.config.ignored import without_ignored
from sitemap_docs.decide import Collected, Scan, Transform, decide
from sitemap_docs.listing.home_page import missing_home_of_host
from sitemap_docs.model import Finding, Page, Watch, unwatched
from sitemap_docs.project import Project
from sitemap_docs.publish import Published, publish
from sitemap_docs.webroot import Webroot


def build_site(  # noqa: PLR0913  most are those of `decide`
    project: Project,
    collected: Collected,
    *,
    check: bool,
    scan: Scan = map,
    watch: Watch = unwatched,
    log: Callable[[str], None] | None = None,
    transform: Transform | None = None,
) -> Published:
    """Write the sitemap of a site, and return the result.

    Args:
        project: The options, the base URL and the folders of the project.
        collected: The pages of the site.
        check: Whether to audit the site at the end.
        scan: A function like ``map``, which may use several processes.
        watch: Shows the progress to the user.
        log: Prints why a page is left out or has no date.
        transform: A function of the user that changes entries of the sitemap.

    Raises:
        SitemapError: The sitemap cannot be written. No file has been changed.
    """
    settings = None
    if check:
        from sitemap_docs.audit.rule_settings import settings_of  # noqa: PLC0415
        from sitemap_docs.audit.run import findings_of_build  # noqa: PLC0415  expensive, and rarely asked for

        settings = settings_of(project.options)
    decided = decide(project, collected, transform=transform, scan=scan, watch=watch, described=check)
    published = publish(project, decided, log=log)
    findings = [*collected.findings, *published.findings]
    is_of_folder = bool(collected.looked_in)  # Then `collect_pages` has looked for the home page.
    if published.listed and not is_of_folder:
        findings += filter(None, [missing_home_of_host(Webroot(project.output, project.hosting))])
    if settings and not (published.no_sitemap or project.dry_run):
        findings += findings_of_build(project, decided, settings)
    return replace(published, findings=reported_findings(project, findings, collected.pages))


def reported_findings(
    project: Project, findings: Iterable[Finding], pages: Iterable[Page] = ()
) -> tuple[Finding, ...]:
    """Return the findings of a build, except those that the option ``ignore`` hides.

    Also return a warning for each wrong rule name in this option or in the front matter of ``pages``.
    """
    names = [name for name, _ in project.options.ignore]
    for page in pages:
        names += page.options.ignore
    if names:
        from sitemap_docs.audit.ignore_option import about_ignored  # noqa: PLC0415  it loads all rules

        findings = [*findings, *about_ignored(names)]
    return tuple(without_ignored(findings, project.options.ignore, project.base.url))
