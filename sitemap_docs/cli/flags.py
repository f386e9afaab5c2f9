"""Flags of the commands: the options of a project, and the description of a built folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_docs.config.option_types import Shape
from sitemap_docs.config.options import OPTIONS, Door, Option, Options, spelled
from sitemap_docs.config.parsing import TABLE, as_items
from sitemap_docs.config.similar_names import nearest
from sitemap_docs.model import Finding, SitemapError
from sitemap_docs.text import without_users
from sitemap_docs.web import BUDGET, budget

if TYPE_CHECKING:
    from sitemap_docs.folder.settings import FolderSettings

Callback = Callable[..., Any]
Flag = Callable[[Callback], Callback]
"""A decorator that gives a command a flag, or several."""
_HOST = re.compile(
    r"(?:(?:[\w-]+\.)+(?!(?:html|py|toml|ya?ml)$)[a-z]{2,}|(localhost|\d+(?:\.\d+){3}))(?=[:/]|$)",
    re.IGNORECASE,
)


class SiteFolder(click.Path):
    """A type of click arguments: the path of a built folder, such as ``site/``."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None = None,  # noqa: ARG002
        ctx: click.Context | None = None,  # noqa: ARG002
    ) -> Path:
        folder = Path(value)
        try:
            if folder.is_dir():
                os.scandir(folder).close()
                return folder
        except OSError as error:
            raise SitemapError(f"{folder} cannot be read: {error.strerror}.") from None
        hint = "the folder that contains your built site, such as site/ or _build/html/."
        if folder.is_file():
            raise SitemapError(f"{folder} is a file, not a folder. Pass {hint}")
        if "://" in str(value):
            raise SitemapError(
                f"{value} cannot be read. Pass an address that begins with https:// or http://."
            )
        hint = f"Build the site first, or pass {hint}"
        with suppress(OSError):
            similar = nearest(folder.name, [each.name for each in folder.parent.iterdir()])
            if similar:
                hint = f"Did you mean {folder.with_name(similar)}?"
            elif host := _HOST.match(str(value)):
                scheme = "http" if host[1] else "https"
                hint = f"To check a deployed site, pass its address: sitemap-docs check {scheme}://{value}"
        raise SitemapError(f"There is no folder {folder}. {hint}")


FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
SITE = SiteFolder(file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path, allow_dash=True)
REPEAT = "Can be repeated."

#: An argument that may be a path, which a shell completes, or an address of the web.
PATH_OR_URL = click.Path(readable=False)


class Command(click.Command):
    """A click command whose help groups the flags under headings."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise click.UsageError(self._about_unknown(error), ctx) from None
        except click.UsageError as error:
            raise click.UsageError(without_users(error.format_message()), ctx) from None

    def _about_unknown(self, error: click.NoSuchOption) -> str:
        """Return the error message for an unknown flag."""
        flag = error.option_name.strip("-").replace("-", "_")
        own_names = {parameter.name for parameter in self.params}
        for option in OPTIONS:
            if option.name in {flag, flag.removeprefix("no_")} - own_names:
                return as_flags(option.misplaced)
        return without_users(error.format_message())

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        heading_of: dict[str | None, str] = {option.name: option.heading for option in OPTIONS}
        records: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record and isinstance(parameter, click.Option):
                records.setdefault(heading_of.get(parameter.name, "Options"), []).append(record)
        for heading, rows in records.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


def with_flags(*flags: Flag) -> Flag:
    """Combine several decorators, each of which adds a flag to a command, into one decorator."""

    def decorate(command: Callback) -> Callback:
        for flag in flags:
            command = flag(command)
        return command

    return decorate


verbosity = with_flags(
    click.option("-q", "--quiet", is_flag=True, help="Print only warnings and errors."),
    click.option("-v", "--verbose", is_flag=True, help="Print every page, finding and change."),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON."),
)
"""Gives a command ``--json``, ``-v`` and ``-q``."""
_EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
configured = click.option(
    "--config",
    type=_EXISTING_FILE,
    help=f"TOML file with options, such as a pyproject.toml with [tool.{TABLE}]. [default: ./pyproject.toml]",
)
generator_config = click.option(
    "--generator-config",
    type=_EXISTING_FILE,
    help="Configuration file of your generator, if it has an unusual name or folder. [default: detected]",
)
dry_run = click.option(
    "--dry-run", is_flag=True, help="Print the files that would be written, and write nothing."
)
strict = click.option("--strict", is_flag=True, help="Exit with 1 if there are warnings.")


def exit_status(findings: Iterable[Finding], *, strict: bool) -> int:
    """Return 1 if there are errors (or warnings, if ``strict`` is true), otherwise 0."""
    return int(any(finding.fails_command(strict=strict) for finding in findings))


def timeout(command: Callback) -> Callback:
    """Add the flag ``--timeout`` to a command."""

    @click.option(
        "--timeout",
        type=click.FloatRange(0.1, 86_400),
        default=BUDGET,
        metavar="SECONDS",
        help="Time limit for all network requests of the command. [default: 600]",
    )
    @wraps(command)
    def limited(*arguments: object, timeout: float, **flags: object) -> object:
        with budget(timeout):
            return command(*arguments, **flags)

    return limited


def option_flags(door: Door) -> Flag:
    """Return a decorator that adds a flag to a command for each option that the command accepts.

    ``door`` is the name of the command, such as ``join``. Commands that only read a site, such as ``check``,
    share the name ``read``.
    """
    return with_flags(*(_flag(option) for option in reversed(OPTIONS) if door in option.doors))


_FORMS: Mapping[Shape, Mapping[str, Any]] = {
    "switch": {"default": None},
    "number": {"type": int},
    "list": {"multiple": True},
    "map": {"multiple": True, "metavar": "KEY=VALUE"},
}


def _flag(option: Option[Any]) -> Flag:
    name = _name(option.name)
    names = [name]
    if option.type.shape == "switch":
        names = [f"{name}/--no-{name[2:]}"]
    form = {"help": option.flag_help.replace("`", ""), **_FORMS.get(option.type.shape, {})}
    if option.type.words:
        form["type"] = click.Choice(option.type.words)
    if "multiple" in form:
        form["help"] += f" {REPEAT}"
    if option.form not in ("[]", "{}", "''", "false"):  # which a flag that is not given means anyway
        form["help"] += f" [default: {option.form}]"
    return click.option(*names, option.name, **form)


def _name(option: str) -> str:
    return "--" + option.replace("_", "-")


def given(flags: Mapping[str, Any]) -> dict[str, object]:
    """Return the values of the options that the user has passed as flags.

    Raises:
        SitemapError: A value is not valid.
    """
    values: dict[str, object] = {}
    for option in OPTIONS:
        written = flags.get(option.name)
        if written in (None, ()):
            continue
        if option.type.shape == "map":
            pairs: dict[str, object] = {}
            for text in written:
                key, equals, value = text.partition("=")
                if not equals:
                    raise SitemapError(f"{_name(option.name)} must be KEY=VALUE, not {text!r}.")
                # A key that is given more than once has a list.
                pairs[key] = [*as_items(pairs[key]), value] if key in pairs else value
            written = pairs
        elif option.type.shape == "choice" and written in ("true", "false"):
            written = written == "true"
        values[option.name] = written
    try:
        Options.of(values)
    except SitemapError as error:
        raise SitemapError(as_flags(str(error))) from None
    return values


def as_flags(message: str) -> str:
    """Replace the names of options in a message: ``lastmod`` becomes ``--lastmod``."""
    return spelled(message, _as_flag)


def _as_flag(option: str) -> str:
    """Convert the text of an option, such as ``filename=a.xml``, to a flag: ``--filename a.xml``.

    The flag is in backticks.
    """
    name, equals, value = option.partition("=")
    return f"`{_name(name)} {value}`" if equals else f"`{_name(name)}`"


_CACHE = "Folder for cached dates and the records of builds. [default: the user's cache folder]"
cache_dir = click.option("--cache-dir", type=click.Path(file_okay=False, path_type=Path), help=_CACHE)


def folder_flags(door: Door) -> Flag:
    """Return a decorator that adds flags such as ``--base-url`` to a command about a built folder.

    ``door`` decides which options become flags: ``build`` for the command ``build``, and ``read`` for
    commands that only read a site, such as ``check``.
    """
    return with_flags(
        cache_dir,
        option_flags(door),
        generator_config,
        configured,
        click.option("--map", "maps", multiple=True, metavar="SITE=SOURCE", help=_MAP),
        click.option("--source", "sources", type=FOLDER, multiple=True, help=_SOURCE),
        click.option(
            "--base-url", metavar="URL", help="URL at which the site is deployed. [default: detected]"
        ),
    )


_DESCRIBED = ("folder", "config", "generator_config", "cache_dir")
_MAP = f"Path of pages and path of their sources, if the paths differ, such as 'fr/**=**.fr.md'. {REPEAT}"
_SOURCE = f"Folder that contains the sources. {REPEAT} [default: from the generator's configuration]"


def folder_settings(flags: Mapping[str, Any]) -> FolderSettings:
    """Create a ``FolderSettings`` object from the values of a command's flags."""
    from sitemap_docs.folder.settings import FolderSettings  # noqa: PLC0415  diff, notify and schema open no folder

    return FolderSettings(
        **{name: flags[name] for name in _DESCRIBED},
        sources=flags.get("sources", ()),
        maps=flags.get("maps", ()),
        base_url=flags["base_url"],
        base_url_by="--base-url",
        record_by="--record",
        options=given(flags),
    )
