"""The options of a project, and what describes a built folder, as flags of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_docs.cli.console import print_line
from sitemap_docs.config.options import HIDDEN, OF_HOSTS, OPTIONS
from sitemap_docs.config.parsing import TABLE
from sitemap_docs.folder.site import FolderSettings
from sitemap_docs.model import SitemapError
from sitemap_docs.text import one_line
from sitemap_docs.web import BUDGET, budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitemap_docs.config.options import Option

    Command = Callable[..., object]

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)

configured = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"TOML file with options; [tool.{TABLE}] in a pyproject.toml. [default: ./pyproject.toml]",
)


def _set_budget(ctx: click.Context, _: click.Parameter, seconds: float) -> None:
    if not ctx.resilient_parsing:  # which completes the command in a shell
        ctx.with_resource(budget(seconds))


timeout = click.option(
    "--timeout",
    callback=_set_budget,
    expose_value=False,
    type=click.FloatRange(0.1, 86_400),
    default=BUDGET,
    metavar="SECONDS",
    help="Seconds for all that the command asks of the network. [default: 600]",
)


def removed_flag(*names: str, instead: str, is_flag: bool = False) -> Callable[[Command], Command]:
    """A flag that was removed: it has no effect, and a warning says what to write ``instead``."""

    def warn(context: click.Context, _: click.Parameter, value: object) -> None:
        if value and not context.resilient_parsing:
            print_line(f"warning: {names[0]} was removed and has no effect. {instead}", err=True)

    return click.option(
        *names, hidden=True, expose_value=False, multiple=not is_flag, is_flag=is_flag, callback=warn
    )


def joining_options(command: Command) -> Command:
    """Gives a command that writes a sitemap over other sitemaps the flags that shape its files."""
    return _options(command, [option for option in OPTIONS if option.name in JOINING])


_READING = ("excludes", "links", "lastmod", "cache")
JOINING = (
    *("filename", "gzip", "stylesheet", "indent", "max_urls", "max_bytes", "index", "nested_index"),
    *("extra_sitemaps", "lastmod_format", "robots", "replace", "previews", "min_translated"),
)
"""The options that shape what ``join`` writes."""


def _options(command: Command, options: Sequence[Option]) -> Command:
    for option in reversed(options):
        command = _flag(option)(command)
    return command


def given(flags: Mapping[str, Any]) -> dict[str, object]:
    """The options that were given as flags, as ``Options.of`` takes them, and no others.

    Raises SitemapError for a value that is not valid, with the flag as it was written.
    """
    values: dict[str, object] = {}
    for option in OPTIONS:
        written = flags.get(option.name)
        if written in (None, ()):
            continue
        name = _name(option)
        value = written
        if option.shape == "map":
            value = _pairs(name, written)
        elif option.shape == "choice" and written in ("true", "false"):
            value = written == "true"
        try:
            option.parse(value)
        except ValueError as error:
            texts = written if isinstance(written, tuple) else (written,)
            flag = " ".join(f"{name} {text}" for text in texts)
            raise SitemapError(f"`{one_line(flag)}` must be {error}.") from None
        values[option.name] = value
    return values


def _pairs(flag: str, texts: Iterable[str]) -> dict[str, object]:
    """The values of a flag that is given as KEY=VALUE; a list for a key that is given more than once."""
    lists: dict[str, list[str]] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise SitemapError(f"{flag} must be KEY=VALUE, not {text!r}.")
        lists.setdefault(key, []).append(value)
    return {key: values if values[1:] else values[0] for key, values in lists.items()}


def _name(option: Option) -> str:
    return "--" + option.name.replace("_", "-")


def site_flags(command: Command) -> Command:
    """Gives a command the argument SITE and all flags that :func:`folder_settings` reads."""
    options = [option for option in OPTIONS if option.name not in OF_HOSTS]
    site = click.argument("folder", metavar="[SITE]", type=FOLDER, required=False)
    return site(_folder_flags(command, options))


def reading_flags(command: Command) -> Command:
    """Gives a command that writes no sitemap the flags that matter to it, and no argument."""
    return _folder_flags(command, [option for option in OPTIONS if option.name in _READING])


def _folder_flags(command: Command, options: Sequence[Option]) -> Command:
    # The last one that is added stands first in the help.
    cache = click.Path(file_okay=False, path_type=Path)
    command = click.option("--cache-dir", type=cache, help=_CACHE)(command)
    command = configured(command)
    command = _options(command, options)
    command = click.option("--map", "maps", multiple=True, metavar="SITE=SOURCE", help=_MAP)(command)
    command = click.option("--source", "sources", type=FOLDER, multiple=True, help=_SOURCE)(command)
    return click.option("--base-url", help="Where the folder is deployed. [default: detected]")(command)


_CACHE = (
    "Where dates from git and records of builds are kept between builds. [default: the user's cache folder]"
)
_MAP = "Sources that are not at their page's path, such as 'fr/**=**.fr.md'. Repeat it for more."
_SOURCE = (
    "Folder of the sources. Repeat it for more. [default: the generator's, if its configuration is found]"
)


def folder_settings(flags: Mapping[str, Any]) -> FolderSettings:
    """The built folder that the flags describe."""
    return FolderSettings(
        folder=flags["folder"],
        config=flags["config"],
        base_url=flags["base_url"] or "",
        base_url_by="--base-url",
        sources=flags["sources"],
        maps=flags["maps"],
        cache_dir=flags["cache_dir"],
        options=given(flags),
    )


def _flag(option: Option) -> Callable[[Command], Command]:
    name = _name(option)
    text = option.help.replace("`", "")
    if option.shape in ("list", "map"):
        text += " Repeat it for more."
    default = option.form if option.form not in ("[]", "{}", "''") else "none"
    shown: dict[str, Any] = {"help": f"{text} [default: {default}]", "hidden": option.name in HIDDEN}
    if option.shape == "switch":
        return click.option(f"{name}/--no-{name[2:]}", option.name, default=None, **shown)
    if option.shape == "map":
        return click.option(name, option.name, multiple=True, metavar="KEY=VALUE", **shown)
    kind = int if option.shape == "number" else str
    return click.option(name, option.name, type=kind, multiple=option.shape == "list", **shown)
