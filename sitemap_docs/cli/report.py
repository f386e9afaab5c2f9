"""``sitemap-docs report``: write an HTML page about a whole site."""

from pathlib import Path
from typing import Any

import click

from sitemap_docs.audit.formats import by_severity, counted
from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.audit.run import audit_site
from sitemap_docs.built import open_built, read_built
from sitemap_docs.cli.console import STDOUT, Console, write_file
from sitemap_docs.cli.flags import FILE, SITE, Command, folder_flags, folder_settings, verbosity
from sitemap_docs.config.ignored import without_ignored
from sitemap_docs.report.figures import count_figures
from sitemap_docs.report.html_report import render_report
from sitemap_docs.text import many


@click.command("report", cls=Command)
@click.argument("folder", metavar="[SITE]", type=SITE, required=False)
@folder_flags("read")
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="File to write the report to, or - for standard output. [default: report.html]",
)
@verbosity
def command(output: Path | None, **flags: Any) -> int:  # noqa: ANN401
    """Write an HTML report about a site.

    SITE is the folder that contains the built HTML files. You may leave it out if the configuration of your
    generator sets the folder.

    The report is a single file. It shows all pages, their age, the sections of the site and all findings.
    """
    console = Console(flags)
    file = output or Path("report.html")
    if file == STDOUT and console.json:
        raise click.UsageError("--json and --output - cannot be combined. Leave out one of them.")
    folder = open_built(folder_settings(flags))
    console.debug(folder.read_from)
    console.findings(without_ignored(folder.record_warnings, folder.project.options.ignore))
    settings = settings_of(folder.project.options, severity="info")
    with console.progress("report") as watch:
        built = read_built(folder, watch)
        audited = audit_site(built, settings, sources_from=folder.project.surroundings.here, watch=watch)
    if audited.site.expects_none:
        console.info(f"no sitemap expected: {audited.site.expects_none.words}")
    figures = count_figures(audited, built)
    write_file(file, render_report(figures))
    summary = f"sitemap-docs: {many(figures.listed_count, 'listed page')}, {counted(audited.findings)}"
    if file == STDOUT:
        console.info(summary)
        return 0
    console.result(
        f"{summary}: {file}",
        {
            "file": str(file),
            "listed": figures.listed_count,
            "left_out": {reason.value: number for reason, number in figures.left_out.items()},
            "dated": figures.dated_count,
            "counts": by_severity(audited.findings),
            "record": built.record is not None,
            "pages": [page.data() for page in figures.pages],
        },
    )
    return 0
