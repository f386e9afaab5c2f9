"""``sitemap-docs join``: write one sitemap for several sites, such as versions."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import click

from sitemap_docs.annotations import annotate
from sitemap_docs.cli import flags
from sitemap_docs.cli.console import Console
from sitemap_docs.cli.diff import print_redirects, refuse_other_output
from sitemap_docs.diff import FORMS, RedirectForm
from sitemap_docs.join.joining import Joined, join_sites
from sitemap_docs.join.redirects import join_redirects
from sitemap_docs.join.request import JoinRequest, RequestError, Treatment, split_versions
from sitemap_docs.model import SitemapError
from sitemap_docs.text import many, one_line
from sitemap_docs.tree import OpenedTree, open_tree

OUTPUT = click.Path(file_okay=False, path_type=Path)


def _parse_version_records(
    _: click.Context, parameter: click.Parameter, texts: Sequence[str]
) -> list[tuple[str, Path]]:
    """Split each text such as ``2.0=records/2.0.jsonl`` into the version and the file."""
    records = []
    for text in texts:
        version, equals, name = text.partition("=")
        if not (version and equals and name):
            raise SitemapError(f"{parameter.opts[0]} must be VERSION=FILE, not {text!r}.")
        records.append((version, Path(name)))
    return records


@click.command("join", cls=flags.Command)
@click.argument("targets", nargs=-1, required=True, metavar="TREE | SITEMAP...", type=flags.PATH_OR_URL)
@click.option("--base-url", metavar="URL", help="URL at which TREE is deployed. [default: detected]")
@click.option("-o", "--output", type=OUTPUT, help="Folder to write the sitemap to. [default: TREE]")
@click.option(
    "--versions",
    "names",
    multiple=True,
    help="Versions to list: names or globs, separated by commas. [default: all]",
)
@click.option(
    "--newest",
    type=click.IntRange(1),
    metavar="N",
    help="List only the newest N versions, sorted like Python versions (PEP 440).",
)
@click.option(
    "--canonical-version",
    metavar="VERSION",
    default="",
    help="List only this version, which search engines should show: a name, newest, or / (root of TREE).",
)
@click.option(
    "--old-versions",
    type=click.Choice(get_args(Treatment)),
    help=(
        "Edit the pages of all other versions: add noindex, or a canonical link to the same page of the "
        "canonical version (canonical), or undo earlier edits (keep)."
    ),
)
@click.option(
    "--version-record",
    "version_records",
    multiple=True,
    metavar="VERSION=FILE",
    callback=_parse_version_records,
    help="The record of a version's build. With the record, join finds pages that were renamed in git. "
    f"{flags.REPEAT}",
)
@click.option(
    "--redirects",
    "form",
    type=click.Choice(FORMS),
    help="Print redirects for pages of older versions that have moved in the canonical version. No file is "
    "written.",
)
@click.option(
    "--x-default",
    metavar="LANGUAGE",
    default="",
    help=(
        "Language for readers whose language has no translation (x-default). [default: the language that "
        "the root redirects to]"
    ),
)
@click.option(
    "--root-language",
    metavar="LANGUAGE",
    default="",
    help="Language of builds whose folder is not named after a language.",
)
@click.option(
    "--merge", "whole", is_flag=True, help="List all pages in one sitemap if they fit, instead of an index."
)
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

    TREE is a folder that contains several builds, such as versions or languages. You can also pass each
    SITEMAP, as a file or a URL.

    By default, all versions are listed. Copies are left out, and so are versions that have noindex or
    canonical links to another version.
    """
    console = Console(values)
    form = values["form"]
    if form:
        refuse_other_output(values, form)
    tree = None
    if len(targets) == 1 and "://" not in targets[0] and not Path(targets[0]).is_file():
        tree = flags.SITE.convert(targets[0])
    request = JoinRequest(
        names=split_versions(values["names"]),
        newest=values["newest"] or 0,
        canonical=values["canonical_version"],
        treatment=values["old_versions"],
        is_merged=values["whole"],
        default_language=values["x_default"],
        root_language=values["root_language"],
        version_records=values["version_records"],
        prints_redirects=form is not None,
        record_argument="--version-record {}=FILE",
    )
    try:
        request.check(has_tree=tree is not None)
    except SitemapError as error:
        raise click.UsageError(flags.as_flags(str(error))) from None
    output = values["output"] or tree
    if output is None:
        raise SitemapError(
            "The option --output is missing. To join sitemaps, pass a folder to write into: sitemap-docs "
            "join SITEMAP... -o FOLDER. To join builds, pass only the folder that contains them."
        )
    settings = flags.folder_settings({**values, "folder": output})
    opened = open_tree(settings, tree, dry_run=values["dry_run"])
    console.info(f"base URL {opened.project.base.url} from {opened.project.address.origin}")
    if form:
        return _print_version_redirects(opened, request, form, console, strict=values["strict"])
    with _translated_errors():
        joined = join_sites(opened, request, targets)
    done = joined.published
    why_not = {sitemap.url: sitemap.why for site in joined.sites for sitemap in site.sitemaps}
    for url, why in why_not.items():
        console.debug(f"left out: {url}: {why}" if why else f"joined: {url}")
    left_out = {url: why for url, why in why_not.items() if why}
    console.findings(done.findings)
    annotate(done.findings, opened.project.surroundings.environ)
    console.changes(done.changed, done.removed, dry_run=values["dry_run"], notes=joined.marks)
    console.result(
        f"sitemap-docs: {_summarize(joined, len(left_out), request, dry_run=values['dry_run'])}",
        {
            "joined": [url for url, why in why_not.items() if not why],
            "left_out": left_out,
            "edited": joined.edited,
            "replacements": joined.replacements,
            "skipped": done.skipped,
            "files": done.files,
            "changed": done.changed,
            "removed": done.removed,
            "findings": [finding.data() for finding in done.findings],
        },
    )
    return flags.exit_status(done.findings, strict=values["strict"])


def _print_version_redirects(
    opened: OpenedTree, request: JoinRequest, form: RedirectForm, console: Console, *, strict: bool
) -> int:
    """Print a redirect for each page of an old version that has moved, and return the exit status.

    ``form`` is the format of the redirects. If ``strict`` is true, warnings change the exit status to 1.
    """
    with _translated_errors():
        redirects = join_redirects(opened, request, form)
    print_redirects(redirects.redirects)
    findings = redirects.published.findings
    console.findings(findings)
    annotate(findings, opened.project.surroundings.environ)
    return flags.exit_status(findings, strict=strict)


def _summarize(joined: Joined, left_out: int, request: JoinRequest, *, dry_run: bool) -> str:
    """Return a summary of a join, such as ``2 sitemaps joined, 1 left out``.

    ``left_out`` is the number of sitemaps that the common sitemap does not list. If ``dry_run`` is true, no
    file was changed.
    """
    done = joined.published
    summary = f"{many(done.listed, 'sitemap')} joined, {left_out:,} left out"
    if done.no_sitemap:
        summary = str(done)
    if joined.edited:
        counts = [f"{many(number, 'page')} in {one_line(folder)}" for folder, number in joined.edited.items()]
        verb = "would edit" if dry_run else "edited"
        summary += f"; {verb} {', '.join(counts)}"
    if request.treatment == "canonical" and joined.replacements:
        has = "would have" if dry_run else "have"
        same, moved, gone = (joined.replacements.get(kind, 0) for kind in ("same", "moved", "gone"))
        summary += (
            f"; old versions {has} {many(same, 'canonical link')} to the same page, {moved:,} to a page that "
            f"moved, and {gone:,} noindex"
        )
    return summary


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Change error messages in the ``with`` block: the option ``x`` becomes the flag ``--x``."""
    try:
        yield
    except RequestError as error:
        raise SitemapError(flags.as_flags(str(error))) from None
