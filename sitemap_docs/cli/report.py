"""``sitemap-docs report``: the whole site on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sitemap_docs.audit.run import audit_site
from sitemap_docs.audit.settings import settings_of
from sitemap_docs.cli.console import Console, verbosity
from sitemap_docs.cli.flags import FILE, FOLDER, READING, Command, folder_flags, folder_settings
from sitemap_docs.folder.site import open_built
from sitemap_docs.model import SitemapError
from sitemap_docs.report import figures, render_report
from sitemap_docs.text import many


@click.command("report", cls=Command)
@click.argument("folder", metavar="[SITE]", type=FOLDER, required=False)
@folder_flags(READING)
@click.option(
    "-o",
    "--output",
    type=FILE,
    default=Path("report.html"),
    help="The file to write. [default: report.html]",
)
@verbosity
def command(output: Path, **flags: Any) -> int:  # noqa: ANN401
    """Write an HTML report about a site.

    SITE is the built folder. It may be left out where the configuration of the generator names it. The report
    is one file: pages, freshness, sections, languages, findings.
    """
    console = Console.of(flags)
    built = open_built(folder_settings(flags))
    console.debug(built.read_from)
    settings = settings_of(built.site.options.check, severity="info")
    with console.progress("report") as watch:
        audited = audit_site(
            built.site, built.collect().pages, settings, sources_from=Path.cwd(), watch=watch
        )
    counted = figures(built.site, audited, built.record)
    try:
        output.write_text(render_report(counted), encoding="utf-8")
    except OSError as error:
        raise SitemapError(f"{output} could not be written: {error.strerror}.") from None
    summary = f"{many(counted.listed, 'listed page')}, {many(len(audited.findings), 'finding')}: {output}"
    console.result(
        f"sitemap-docs: {summary}",
        {
            "file": str(output),
            "listed": counted.listed,
            "left_out": {each.name: each.pages for each in counted.left_out},
            "dated": counted.listed - counted.undated,
            "findings": len(audited.findings),
            "record": built.record is not None,
        },
    )
    return 0
