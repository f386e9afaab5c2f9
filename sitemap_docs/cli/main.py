"""The command ``sitemap-docs``: each of its commands has a module."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import cast

import click

from sitemap_docs import __version__
from sitemap_docs.cli.console import discard_output, open_closed_streams, print_line
from sitemap_docs.model import SitemapError

#: Each is the function ``command`` of the module of its name here; a module is loaded when its command runs.
COMMANDS = ("build", "join", "check", "diff", "explain", "notify", "report", "schema")
WRONG_USAGE = 2


class _Group(click.Group):
    """What a command returns is the exit status; a SitemapError is wrong usage, printed as one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"sitemap_docs.cli.{cmd_name}")
        return cast("click.Command", module.command)

    def invoke(self, ctx: click.Context) -> None:
        try:
            status = int(super().invoke(ctx) or 0)
        except SitemapError as error:
            print_line(f"sitemap-docs: {error}", err=True)
            status = WRONG_USAGE
        ctx.exit(status)  # click ignores what a command returns in standalone mode


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitemap-docs")
def group() -> None:
    """Sitemaps for documentation sites, with dates from git.

    Exit status: 0 success, 1 findings, 2 wrong usage.
    """


def main() -> None:
    """Runs the command; where standard output cannot be written, an error that says why."""
    open_closed_streams()
    try:
        group.main()
    except OSError as error:  # click ends for a broken pipe
        if error.filename is not None:
            raise
        discard_output(sys.stdout)
        print_line(f"sitemap-docs: The standard output cannot be written: {error.strerror}.", err=True)
        sys.exit(WRONG_USAGE)
