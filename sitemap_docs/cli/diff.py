"""``sitemap-docs diff``: compare two builds, and exit with 1 if too many pages are gone."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from sitemap_docs import diff
from sitemap_docs.cli.console import Console, print_line, print_text
from sitemap_docs.cli.flags import PATH_OR_URL, REPEAT, Command, timeout, verbosity
from sitemap_docs.model import SitemapError
from sitemap_docs.text import one_line

FILE_OR_FOLDER = click.Path(exists=True, path_type=Path)


@click.command("diff", cls=Command)
@click.argument("old", type=PATH_OR_URL)
@click.argument("new", type=PATH_OR_URL)
@click.option(
    "--max-removed",
    "limits",
    multiple=True,
    metavar="LIMIT",
    help=(
        "Exit with 1 if more URLs were removed than this number, or than this share, such as 5%. Repeat it "
        "to set both."
    ),
)
@click.option("--require-redirects", is_flag=True, help="Exit with 1 if a removed URL has no redirect.")
@click.option(
    "--redirects",
    metavar=f"FILE|{'|'.join(diff.FORMS)}",
    multiple=True,
    help="FILE: a file or folder with redirects of the host, such as _redirects or netlify.toml. "
    f"A format such as netlify: print redirects for pages that moved in git. {REPEAT}",
)
@click.option(
    "--markdown", is_flag=True, help="Print a Markdown table, for example for a comment in a pull request."
)
@timeout
@verbosity
def command(old: str, new: str, **flags: Any) -> int:  # noqa: ANN401  what click made of the flags
    """Compare two sitemaps or sites.

    OLD and NEW are sitemaps, sitemap indexes, built folders or URLs of deployed sites.

    Exit status: 0 if the changes are accepted, 1 if too many URLs were removed or have no redirect, 2 for
    wrong usage.
    """
    console = Console(flags)
    if console.json and flags["markdown"]:
        raise click.UsageError("--json and --markdown cannot be combined. Leave out one of them.")
    forms = [form for form in diff.FORMS if form in flags["redirects"]]
    places = [FILE_OR_FOLDER.convert(each, None, None) for each in flags["redirects"] if each not in forms]
    for form in forms:
        refuse_other_output(flags, form)
    difference = diff.compare_places(old, new, places)
    if flags["require_redirects"] and difference.outcomes[""]:
        raise SitemapError(
            "--require-redirects cannot work with sitemaps, because they contain no redirects. Pass the "
            "built folder as NEW, or pass the file that configures redirects as --redirects."
        )
    wrong = list(diff.violations(difference, flags["limits"], require_redirects=flags["require_redirects"]))
    # A violation is printed as an error below, and not as a warning, too.
    for warning in diff.warnings(difference):
        if warning not in wrong:
            print_line(f"warning: {warning}", err=True)
    if forms:
        for form in forms:
            redirects = diff.redirect_lines(difference.moved_pages, form)
            print_redirects(redirects.lines)
            if redirects.problem:
                print_line(f"warning: {redirects.problem}", err=True)
    elif flags["markdown"]:
        print_text(diff.difference_markdown(difference, wrong))
    else:
        lines = diff.difference_text(difference, None if console.verbose else diff.SHOWN)
        console.result("\n".join(map(one_line, lines)), diff.difference_data(difference))
    for error in wrong:
        print_line(f"error: {error}", err=True)
    for message in diff.unknown_moves(difference):
        if forms:
            print_line(f"warning: {message}", err=True)
        elif difference.lost:
            console.info(f"info: {message}")
    return int(bool(wrong))


def refuse_other_output(values: Mapping[str, Any], form: str) -> None:
    """Raise UsageError if the user combines ``--redirects`` with ``--json`` or ``--markdown``.

    ``values`` are the values of the flags. ``form`` is the value of ``--redirects``.
    """
    for flag, is_passed in (("--json", values["as_json"]), ("--markdown", values.get("markdown"))):
        if is_passed:
            raise click.UsageError(
                f"{flag} and --redirects {form} cannot be combined. Leave out one of them."
            )


def print_redirects(lines: Iterable[str]) -> None:
    """Print redirects to standard output, such as ``/old/ /new/ 301``."""
    for line in lines:
        print_line(line)
