"""The command ``sitemap-docs``. Each of its commands, such as ``build``, has its own module."""

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import cast

import click

from sitemap_docs import __version__
from sitemap_docs.cli.console import discard_output, open_closed_streams, print_line
from sitemap_docs.model import ExistingFileError, SitemapError
from sitemap_docs.text import one_line

#: Each is the function ``command`` of the module of its name here, which is loaded when its command runs: the
#: help shows the summaries of all commands and loads none.
COMMANDS: Mapping[str, str] = {
    "build": "Write the sitemap of a built site.",
    "join": "Combine several builds under one sitemap.",
    "check": "Audit a built or deployed site.",
    "diff": "Compare two sitemaps or sites.",
    "explain": "Show why a page is listed, and which commit dates it.",
    "notify": "Submit changed URLs with IndexNow.",
    "report": "Write an HTML report about a site.",
    "schema": "Print a JSON Schema of the options.",
}
WRONG_USAGE = 2
INTERRUPTED = 130  # as shells have it: 128 and the number of the signal


class _Group(click.Group):
    """The command ``sitemap-docs``. A subcommand such as ``build`` is imported only when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"sitemap_docs.cli.{cmd_name}")
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            from sitemap_docs.config.similar_names import hint  # noqa: PLC0415  for a mistake only

            otherwise = f"The commands are: {', '.join(COMMANDS)}."
            if Path(name).is_dir():
                otherwise = f"To write the sitemap of this folder: sitemap-docs build {name}"
            advice = hint(name, COMMANDS, otherwise)
            ctx.fail(one_line(f"There is no command `{name}`. {advice}"))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> None:
        try:
            status = int(super().invoke(ctx) or 0)
        except SitemapError as error:
            message = str(error)
            if isinstance(error, ExistingFileError):
                from sitemap_docs.cli.flags import as_flags  # noqa: PLC0415  a command has loaded it

                message = as_flags(message)
            print_line(f"sitemap-docs: {message}", err=True)
            status = WRONG_USAGE
        except KeyboardInterrupt:
            print_line("sitemap-docs: Interrupted.", err=True)
            status = INTERRUPTED
        ctx.exit(status)  # click ignores what a command returns in standalone mode


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitemap-docs")
def group() -> None:
    """Sitemaps for documentation sites, with dates from git.

    Exit status: 0 success, 1 findings, 2 wrong usage.
    """


def start() -> None:
    """Run the command ``sitemap-docs`` with the arguments from the command line."""
    open_closed_streams()
    try:
        group.main()
    except OSError as error:  # click ends for a broken pipe
        if error.filename is not None:
            raise
        message = f"Standard output cannot be written: {error.strerror}."
        if isinstance(error, FileNotFoundError):
            message = "The current folder no longer exists. Change to another folder."
        discard_output(sys.stdout)
        print_line(f"sitemap-docs: {message}", err=True)
        sys.exit(WRONG_USAGE)
