"""``sitemap-docs schema``: the options as a JSON Schema."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

import click

from sitemap_docs.cli.console import print_data
from sitemap_docs.schema import FILES, schema_of

if TYPE_CHECKING:
    from sitemap_docs.schema import File


@click.command("schema")
@click.argument("file", metavar=f"[{'|'.join(FILES)}]", type=click.Choice(FILES), default=FILES[0])
def command(file: File) -> None:
    """Print the JSON Schema of the options, for editors: those of a TOML table, or of a whole file."""
    print_data([dumps(schema_of(file), indent=2, ensure_ascii=False)])
