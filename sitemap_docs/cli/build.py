"""``sitemap-docs build``: the sitemap of any built folder."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import Any

import click

from sitemap_docs.cli.console import Console, verbosity
from sitemap_docs.cli.flags import (
    SITE,
    Command,
    dry_run,
    exit_status,
    folder_flags,
    folder_settings,
    strict,
)
from sitemap_docs.folder.site import open_folder
from sitemap_docs.listing.scan import DescribedScan, scan_in_processes
from sitemap_docs.pipeline import publish


@click.command("build", cls=Command)
@click.argument("folder", metavar="[SITE]", type=SITE, required=False)
@folder_flags("build")
@click.option("--jobs", type=click.IntRange(1), help="Processes that read pages. [default: one per core]")
@dry_run
@strict
@verbosity
def command(jobs: int | None, **flags: Any) -> int:  # noqa: ANN401  what click made of the flags
    """Write the sitemap of a built site.

    SITE is the folder of HTML. It may be left out where the configuration of the generator names it.
    """
    console = Console.of(flags)
    dry = flags["dry_run"]
    built = open_folder(folder_settings(flags))
    console.info(f"base URL {built.site.base.url} from {built.base_by}")
    console.debug(f"sources: {', '.join(built.directory.sources.folders)}")
    scan = DescribedScan(wanted=built.audited and not dry, scan=partial(scan_in_processes, jobs))
    with console.progress("build") as watch:
        collected = built.collect(watch)
        published = publish(
            replace(built.site, dry_run=dry),
            watch(collected.pages, "pages read", len(collected.pages)),
            (source for page in collected.pages for source in page.sources),
            log=console.debug,
            scan=scan,
        )
    links = built.links_of(published.style)
    if links.by == "by default":  # most sites, for whom the line says nothing
        console.debug(str(links))
    else:
        console.info(str(links))
    findings = [*built.findings, *collected.findings, *published.findings]
    if scan.wanted and not published.skipped:
        from sitemap_docs.audit.run import findings_of_build  # noqa: PLC0415  expensive, and rarely asked for

        findings += findings_of_build(built.site, collected.pages, scan.heads)
    console.findings(findings)
    console.changes(published.changed, published.removed, dry_run=dry)
    console.result(
        f"sitemap-docs: {published}",
        {
            "base_url": built.site.base.url,
            "base_url_from": built.base_by,
            "links": links.links,
            "links_from": links.by,
            "listed": published.listed,
            "dated": published.dated,
            "left_out": {reason.value: number for reason, number in published.left_out.items()},
            "files": published.files,
            "changed": published.changed,
            "removed": published.removed,
            "skipped": published.skipped,
            "findings": [asdict(finding) for finding in findings],
        },
    )
    return exit_status(findings, strict=flags["strict"])
