"""``sitemap-docs explain``: all that is known of one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sitemap_docs import explain as explaining
from sitemap_docs.audit.run import read_built
from sitemap_docs.audit.settings import settings_of
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
    """Print why a page of SITE is listed or left out, the commit that dates it, and its findings.

    PAGE is its file in the site or its source; or pass its URL.
    """
    built = open_built(folder_settings(flags))
    settings = settings_of(built.site.options.check, select=flags["select"], severity="info")
    seen = read_built(built.site, built.collect().pages, settings, sources_from=Path.cwd())
    explanation = explaining.explain_page(built.site, seen, settings, built.base_by, page, built.record)
    console = Console.of(flags)
    console.debug(built.read_from)
    console.result(str(explanation), explanation.data())
    return 0
