"""The command ``sitemap-docs``: each of its commands has a module in ``commands``."""

from __future__ import annotations

import click

from sitemap_docs import __version__
from sitemap_docs.commands.build import build
from sitemap_docs.commands.check import check
from sitemap_docs.commands.diff import diff
from sitemap_docs.commands.notify import notify
from sitemap_docs.model import SitemapError

WRONG_USAGE = 2


class _Group(click.Group):
    """What a command returns is the exit status; a SitemapError is wrong usage, in words for the user."""

    def invoke(self, ctx: click.Context) -> None:
        try:
            status = int(super().invoke(ctx) or 0)
        except SitemapError as error:
            click.echo(f"sitemap-docs: {error}", err=True)
            status = WRONG_USAGE
        ctx.exit(status)  # what a command returns is not heard where click itself ends the program


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sitemap-docs")
def group() -> None:
    """Sitemaps that tell the truth, for any built documentation site.

    Exit status: 0 fine, 1 findings, 2 wrong usage.
    """


for command in (build, check, diff, notify):
    group.add_command(command)


def main() -> None:
    group.main()
