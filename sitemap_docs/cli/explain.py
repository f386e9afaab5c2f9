"""``sitemap-docs explain``: show everything that is known about a page."""

from typing import Any

import click

from sitemap_docs.audit.rule_settings import settings_of
from sitemap_docs.built import open_built
from sitemap_docs.cli import flags
from sitemap_docs.cli.console import Console
from sitemap_docs.config.ignored import without_ignored
from sitemap_docs.explain import explain_page, explained

_SELECT = f"Rules to run, as in sitemap-docs check. {flags.REPEAT} [default: default]"


@click.command("explain", cls=flags.Command)
@click.argument("folder", metavar="SITE", type=flags.SITE)
@click.argument("page", metavar="PAGE|URL", required=False, default="", type=flags.PATH_OR_URL)
@flags.folder_flags("read")
@click.option("--select", multiple=True, metavar="RULE", help=_SELECT)
@flags.verbosity
def command(page: str, **values: Any) -> int:  # noqa: ANN401
    """Show why a page is listed, and which commit dates it.

    SITE is the folder that contains the built HTML files. PAGE is an HTML file in this folder, or its source
    file. You can also pass the URL of the page.

    If the page is not in the sitemap, the command prints the reason. It also prints all findings about the
    page.
    """
    console = Console(values)
    folder = open_built(flags.folder_settings(values))
    console.debug(folder.read_from)
    console.findings(without_ignored(folder.record_warnings, folder.project.options.ignore))
    settings = settings_of(folder.project.options, select=values["select"], severity="info")
    data = explain_page(folder, page, settings)
    console.result(explained(data), data)
    return 0
