"""``sitemap-docs build``: the sitemap of any built folder."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from sitemap_docs.after_build import checked
from sitemap_docs.cli.console import Console, verbosity
from sitemap_docs.cli.flags import folder_settings, site_flags
from sitemap_docs.config.options import OPTION_REMOVED
from sitemap_docs.folder.site import open_folder
from sitemap_docs.listing.scan import Processes
from sitemap_docs.pipeline import publish

if TYPE_CHECKING:
    from sitemap_docs.folder.site import FolderSite
    from sitemap_docs.model import Finding
    from sitemap_docs.pipeline import Published


@click.command("build")
@site_flags
@click.option(
    "--jobs", type=click.IntRange(1), help="Processes that read a large site. [default: one a core]"
)
@click.option("--dry-run", is_flag=True, help="Only print what would be written.")
@click.option("--strict", is_flag=True, help="Exit with 1 when there are warnings.")
@verbosity
def command(jobs: int | None, dry_run: bool, strict: bool, **flags: Any) -> int:  # noqa: ANN401, FBT001
    """Write the sitemap of SITE, a folder of HTML, and its line in robots.txt.

    SITE may be left out where the configuration of the generator names the folder.
    """
    console = Console.of(flags)
    built = open_folder(folder_settings(flags))
    console.info(f"base URL {built.site.base.url} from {built.base_by}")
    if built.links.by == "by default":
        console.debug(str(built.links))
    else:
        console.info(str(built.links))
    console.debug(f"sources: {', '.join(built.directory.sources.folders)}")
    with console.progress("build") as watch:
        collected = built.collect(watch)
        published = publish(
            replace(built.site, dry_run=dry_run),
            watch(collected.pages, "pages read", len(collected.pages)),
            (source for page in collected.pages for source in page.sources),
            on_left_out=lambda decision: console.debug(f"left out: {decision}"),
            scan=Processes(jobs) if jobs else Processes.available(),
        )
    audit = checked(built.site, collected.pages) if built.audited and not dry_run else ()
    findings = (*built.findings, *collected.findings, *published.findings, *audit)
    console.findings(findings)
    for name in published.changed:
        if dry_run:
            console.info(f"would write {name}")
        else:
            console.debug(f"write {name}")
    for name in published.removed:
        if dry_run:
            console.info(f"would remove {name}")
        else:
            console.debug(f"remove {name}")
    console.result(f"sitemap-docs: {published}", _as_data(built, published, findings))
    failing = ("error", "warning") if strict else ("error",)
    return int(any(each.severity in failing for each in findings if each.rule != OPTION_REMOVED))


def _as_data(built: FolderSite, published: Published, findings: tuple[Finding, ...]) -> dict[str, object]:
    return {
        "base_url": built.site.base.url,
        "base_url_from": built.base_by,
        "links": built.links.links,
        "links_from": built.links.by,
        "listed": published.listed,
        "dated": published.dated,
        "left_out": {reason.value: number for reason, number in published.left_out.items()},
        "files": published.files,
        "changed": published.changed,
        "removed": published.removed,
        "skipped": published.skipped,
        "findings": [asdict(finding) for finding in findings],
    }
