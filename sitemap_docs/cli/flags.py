"""The options of a project as flags of the command line, and from its TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_docs.generators import load_toml
from sitemap_docs.model import SitemapError
from sitemap_docs.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sitemap_docs.options import Option

    Command = Callable[..., object]

TABLE = "sitemap-docs"
PYPROJECT = Path("pyproject.toml")
_WORDS = {"true": True, "false": False}

configured = click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"TOML file with options; [tool.{TABLE}] in a pyproject.toml. [default: ./pyproject.toml]",
)


def all_options(command: Command) -> Command:
    """Gives a command a flag for every option of a project; :func:`given` reads them back."""
    return _flags(command, OPTIONS)


def reading_options(command: Command) -> Command:
    """Gives a command that writes no sitemap the flags that still matter to it."""
    return _flags(command, [option for option in OPTIONS if option.name in _READING])


_READING = ("excludes", "lastmod", "cache")


def _flags(command: Command, options: Sequence[Option]) -> Command:
    for option in reversed(options):
        command = _flag(option)(command)
    return command


def given(flags: Mapping[str, Any]) -> dict[str, object]:
    """The options that were given as flags, as ``Options.of`` takes them, and no others."""
    known = {option.name: option for option in OPTIONS}
    said = {name: value for name, value in flags.items() if name in known and value not in (None, ())}
    return {name: _value(known[name], value) for name, value in said.items()}


def read_config(file: Path | None) -> dict[str, object]:
    """The options of a project's TOML file, with underscores in their names; empty without a file.

    Raises SitemapError for a file that cannot be read.
    """
    if file is None and not PYPROJECT.is_file():
        return {}
    said = load_toml(file or PYPROJECT)
    table = said.get("tool", {}).get(TABLE)
    if table is None:
        table = {} if file is None or file.name == PYPROJECT.name else said
    if not isinstance(table, dict):
        raise SitemapError(f"[tool.{TABLE}] in {file or PYPROJECT} must be a table.")
    return {name.replace("-", "_"): value for name, value in table.items()}


def _flag(option: Option) -> Callable[[Command], Command]:
    name = "--" + option.name.replace("_", "-")
    if option.shape == "switch":
        return click.option(f"{name}/--no-{name[2:]}", option.name, default=None, help=_help(option))
    if option.shape == "map":
        return click.option(name, option.name, multiple=True, metavar="KEY=VALUE", help=_help(option))
    kind = int if option.shape == "number" else str
    return click.option(name, option.name, type=kind, multiple=option.shape == "list", help=_help(option))


def _help(option: Option) -> str:
    again = " Repeat it for more." if option.shape in ("list", "map") else ""
    default = option.form if option.form not in ("[]", "{}", "''") else "none"
    return f"{option.help.replace('`', '')}{again} [default: {default}]"


def _value(option: Option, value: Any) -> object:  # noqa: ANN401  what click made of a flag
    if option.shape == "map":
        return _pairs(option.name, value)
    if option.shape == "choice":
        return _WORDS.get(value, value)
    return value


def _pairs(name: str, texts: Iterable[str]) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise SitemapError(f"--{name.replace('_', '-')} must be KEY=VALUE, not {text!r}.")
        before = pairs.get(key)
        pairs[key] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
    return pairs
