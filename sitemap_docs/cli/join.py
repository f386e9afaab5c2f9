"""The command ``sitemap-docs join``: one sitemap for several sites, such as versions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import click

from sitemap_docs.cli import flags
from sitemap_docs.cli.console import Console
from sitemap_docs.join.joining import join_sites
from sitemap_docs.join.policy import JoinRequest, Treatment
from sitemap_docs.model import SitemapError
from sitemap_docs.text import many, one_line
from sitemap_docs.tree import open_tree
from sitemap_docs.urls.languages import hreflang

OUTPUT = click.Path(file_okay=False, path_type=Path)


def _language_code(_: click.Context, parameter: click.Parameter, text: str) -> str:
    """Return a language code as hreflang has it, or ``""``. Raise SitemapError for any other text."""
    code = hreflang(text)
    if text and code is None:
        raise SitemapError(f"{parameter.opts[0]} must be a language code such as en or pt-BR, not {text!r}.")
    return code or ""


@click.command("join", cls=flags.Command)
@click.argument("targets", nargs=-1, required=True, metavar="TREE | SITEMAP...", type=flags.PATH_OR_URL)
@click.option("--base-url", metavar="URL", help="Where the tree is deployed. [default: detected]")
@click.option("-o", "--output", type=OUTPUT, help="Folder to write into. [default: TREE]")
@click.option(
    "--versions",
    "names",
    multiple=True,
    help="Names or globs of versions, separated by commas. [default: all]",
)
@click.option("--newest", type=click.IntRange(1), metavar="N", help="Only the newest N versions, by PEP 440.")
@click.option(
    "--canonical-version",
    metavar="VERSION",
    default="",
    help="The version for search engines, or newest. No other version is listed.",
)
@click.option(
    "--old-versions",
    type=click.Choice(get_args(Treatment)),
    help="Edit the pages of all other versions: add noindex, or a canonical link to the same page of the "
    "canonical version; keep restores them.",
)
@click.option(
    "--x-default",
    metavar="LANGUAGE",
    default="",
    callback=_language_code,
    help="Language for all other readers. [default: the one that the root redirects to]",
)
@click.option(
    "--root-language",
    metavar="LANGUAGE",
    default="",
    callback=_language_code,
    help="Language of builds whose folder names none.",
)
@click.option("--merge", "whole", is_flag=True, help="List all pages in one sitemap, as long as they fit.")
@flags.option_flags("join")
@flags.configured
@flags.generator_config
@flags.cache_dir
@flags.dry_run
@flags.strict
@flags.timeout
@flags.verbosity
def command(targets: Sequence[str], **values: Any) -> int:  # noqa: ANN401  what click made of the flags
    """Combine several builds under one sitemap.

    The builds are those in the folder TREE, or SITEMAPs: paths or web addresses. By default, every version
    whose pages are canonical is listed, and copies are left out.
    """
    console = Console(values)
    tree = None
    if len(targets) == 1 and "://" not in targets[0] and not Path(targets[0]).is_file():
        tree = flags.SITE.convert(targets[0])
    treatment = values["old_versions"]
    if treatment and not tree:
        raise click.UsageError("--old-versions edits the pages of one folder: pass TREE.")
    if treatment in ("noindex", "canonical") and not values["canonical_version"]:
        raise click.UsageError(f"--old-versions {treatment} needs --canonical-version.")
    output = values["output"] or tree
    if output is None:
        raise SitemapError(
            "Missing option --output: pass one folder that exists, or sitemaps and a folder to write into: "
            "sitemap-docs join SITEMAP... -o FOLDER."
        )
    settings = flags.folder_settings({**values, "folder": output})
    opened = open_tree(settings, tree, dry_run=values["dry_run"])
    console.info(f"base URL {opened.project.base.url} from {opened.project.address.origin}")
    request = JoinRequest(
        names=list(filter(None, ",".join(values["names"]).split(","))),
        newest=values["newest"] or 0,
        canonical=values["canonical_version"],
        treatment=treatment,
        is_merged=values["whole"],
        default_language=values["x_default"],
        root_language=values["root_language"],
    )
    joined = join_sites(opened, request, targets)
    done, edited = joined.published, joined.edited
    why_not = {sitemap.url: sitemap.why for site in joined.sites for sitemap in site.sitemaps}
    for url, why in why_not.items():
        console.debug(f"left out: {url}: {why}" if why else f"joined: {url}")
    left_out = {url: why for url, why in why_not.items() if why}
    console.findings(done.findings)
    console.changes(done.changed, done.removed, dry_run=values["dry_run"])
    summary = f"{many(done.listed, 'sitemap')} joined, {len(left_out):,} left out"
    if done.no_sitemap:
        summary = str(done)
    if edited:
        counts = [f"{many(number, 'page')} in {one_line(folder)}" for folder, number in edited.items()]
        summary += f"; edited {', '.join(counts)}"
    console.result(
        f"sitemap-docs: {summary}",
        {
            "joined": [url for url, why in why_not.items() if not why],
            "left_out": left_out,
            "edited": edited,
            "skipped": done.skipped,
            "files": done.files,
            "changed": done.changed,
            "removed": done.removed,
            "findings": [finding.data() for finding in done.findings],
        },
    )
    return flags.exit_status(done.findings, strict=values["strict"])
