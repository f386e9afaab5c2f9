"""``sitemap-docs build``: write the sitemap of a built folder from any generator."""

from dataclasses import replace
from functools import partial
from typing import Any, cast

import click

from sitemap_docs.annotations import annotate
from sitemap_docs.build import build_site
from sitemap_docs.cli import flags
from sitemap_docs.cli.console import Console
from sitemap_docs.folder.collect import collect_pages
from sitemap_docs.folder.folder_site import open_folder
from sitemap_docs.listing.processes import scan_in_processes
from sitemap_docs.urls.link_styles import LinkStyle, address


@click.command("build", cls=flags.Command)
@click.argument("folder", metavar="[SITE]", type=flags.SITE, required=False)
@flags.folder_flags("build")
@click.option(
    "--jobs", type=click.IntRange(1), help="Number of processes that read pages. [default: one per core]"
)
@flags.dry_run
@flags.strict
@flags.verbosity
def command(jobs: int | None, **values: Any) -> int:  # noqa: ANN401  what click made of the flags
    """Write the sitemap of a built site.

    SITE is the folder that contains the built HTML files. You may leave it out if the configuration of your
    generator sets the folder.
    """
    console = Console(values)
    dry = values["dry_run"]
    folder = open_folder(flags.folder_settings(values))
    project = replace(folder.project, dry_run=dry)
    console.info(f"base URL {project.base.url} from {project.address.origin}")
    console.debug(f"sources: {', '.join(folder.sources.folders)}")
    with console.progress("build") as watch:
        published = build_site(
            project,
            collect_pages(folder, watch),
            check=folder.is_audited,
            scan=partial(scan_in_processes, jobs),
            watch=watch,
            log=console.debug,
        )
    links = published.style.links
    links_by = published.style.by or "by default"
    style = cast("LinkStyle", links)  # of a folder, never auto
    examples = ", ".join(address(file, style) for file in ("a.html", "b/index.html"))
    spelled = f"links {links} ({examples}) {links_by}"
    if published.style.by:
        console.info(spelled)
    elif published.listed:
        console.info(
            f"No canonical link, configuration or sitemap shows how addresses end, so {examples} is assumed "
            f"(--links {links}). If this is wrong, pass another --links."
        )
    console.findings(published.findings)
    annotate(published.findings, project.surroundings.environ)
    console.changes(published.changed, published.removed, dry_run=dry)
    console.result(
        f"sitemap-docs: {published}",
        {
            "base_url": project.base.url,
            "base_url_from": project.address.origin,
            "links": links,
            "links_from": links_by,
            "listed": published.listed,
            "dated": published.dated,
            "left_out": {reason.value: number for reason, number in published.left_out.items()},
            "files": published.files,
            "changed": published.changed,
            "removed": published.removed,
            "skipped": published.skipped,
            "findings": [finding.data() for finding in published.findings],
        },
    )
    return flags.exit_status(published.findings, strict=values["strict"])
