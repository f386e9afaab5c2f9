"""``sitemap-docs schema``: print the options as a JSON Schema (draft 7), from their declarations."""

from collections.abc import Mapping
from json import dumps

import click

from sitemap_docs.cli.console import print_data
from sitemap_docs.cli.flags import Command
from sitemap_docs.config.option_types import STRING, TEXTS, Schema, fields_of
from sitemap_docs.config.options import COMMAND_DOORS, OPTIONS
from sitemap_docs.config.parsing import ENABLED, TABLE

DRAFT = "http://json-schema.org/draft-07/schema#"
TARGETS = ("table", "pyproject.toml", "mkdocs.yml")

_FOLDER: Mapping[str, Schema] = {  # what a TOML file says of a built folder, apart from options
    "base_url": {**STRING.schema, "description": "URL that the folder is deployed to."},
    "source": {
        **TEXTS.schema,
        "description": "Folders of the sources, relative to the folder of this configuration file.",
    },
    "map": {
        **TEXTS.schema,
        "description": "Places of the sources whose paths differ from those of their pages: PAGES=SOURCES.",
    },
}
_ENABLED: Schema = {"type": "boolean", "description": "Whether the plugin is enabled.", "default": True}


@click.command("schema", cls=Command)
@click.argument("file", metavar=f"[{'|'.join(TARGETS)}]", type=click.Choice(TARGETS), default=TARGETS[0])
def command(file: str) -> None:
    """Print a JSON Schema of the options.

    With the schema, editors complete and check the options that you write. Choose the schema of our table in
    TOML (the default), of a whole pyproject.toml, or of the plugin in mkdocs.yml.
    """
    print_data(dumps(schema_of(file), indent=2, ensure_ascii=False))


def schema_of(file: str) -> Schema:
    """Return the JSON Schema of the options in the file with a name such as ``mkdocs.yml``."""
    doors = {"mkdocs"} if file == "mkdocs.yml" else COMMAND_DOORS
    options: dict[str, Schema] = {}
    for option in OPTIONS:
        if option.doors & doors:
            described = {"description": option.help, "default": option.default}
            options[option.name] = {**option.type.schema, **described}
    if file == "mkdocs.yml":
        entry = {"properties": {TABLE: fields_of({ENABLED: _ENABLED, **options}, type=["object", "null"])}}
        root = _holding("plugins", {**entry, "items": entry})  # a mapping, or a list of mappings and names
    else:
        names = {**_FOLDER, **options}
        hyphenated = {name.replace("_", "-"): schema for name, schema in names.items()}
        root = fields_of({**hyphenated, **names})
    if file == "pyproject.toml":
        root = _holding("tool", _holding(TABLE, root))
    return {"$schema": DRAFT, **root}


def _holding(name: str, schema: Schema) -> Schema:
    return {"type": "object", "properties": {name: schema}}
