"""``sitemap-docs explain``: all that is known of one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sitemap_docs import explain as explaining
from sitemap_docs.audit.run import audit_site, settings_of
from sitemap_docs.cli.console import Console, verbosity
from sitemap_docs.cli.flags import FOLDER, folder_settings, reading_flags
from sitemap_docs.folder.site import open_built

_SELECT = "Rules to run, as for check: all to read whole pages, too. Repeat it for more. [default: default]"


@click.command("explain")
@click.argument("folder", metavar="SITE", type=FOLDER)
@click.argument("page", metavar="PAGE|URL")
@reading_flags
@click.option("--select", multiple=True, metavar="RULE", help=_SELECT)
@verbosity
def command(page: str, **flags: Any) -> int:  # noqa: ANN401
    """Say why a page of SITE is in the sitemap or out of it, what dates it, and every rule it trips.

    PAGE is its file in the site or its source; or give its URL.
    """
    opened = open_built(folder_settings(flags))
    settings = settings_of(opened.site.options.check, select=flags["select"], severity="info")
    audited = audit_site(opened.site, opened.pages(lambda _: None), settings, sources_from=Path.cwd())
    said = explaining.explain_page(opened.site, audited, opened.base_by, page, opened.record)
    console = Console.of(flags)
    console.debug(opened.read_from)
    console.result(str(said), said.data())
    return 0
