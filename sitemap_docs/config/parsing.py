"""The settings that people write: project files in TOML, YAML or JSON, and front matter of pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sitemap_docs import files
from sitemap_docs.config import validators
from sitemap_docs.model import SitemapError
from sitemap_docs.text import linear

_T = TypeVar("_T")
PYPROJECT = Path("pyproject.toml")
TABLE = "sitemap-docs"
TABLE_TOO = "sitemap_docs"  # what is imported, and in conf.py the name of the extension


@linear
def load_toml(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; raises SitemapError."""
    return _loaded(file, _loads_toml)


def load_json(file: Path) -> dict[str, Any]:
    """The mapping of a JSON file; raises SitemapError."""
    return _loaded(file, json.loads)


@linear
def load_yaml(file: Path) -> dict[str, Any]:
    """The mapping of a YAML file, as MkDocs reads it: with ``!ENV`` and ``INHERIT``.

    Tags of Python objects become None. Raises SitemapError.
    """
    settings: dict[str, Any] = {}
    seen = set()
    by = ""
    while True:
        if file in seen:
            raise SitemapError(f"{file} cannot be read: it inherits from itself. Correct INHERIT.")
        seen.add(file)
        own = _loaded(file, partial(_loads_yaml, of_page=False), by)
        parent = as_text(own.pop("INHERIT", None))
        settings = merged(own, settings)
        if not parent:
            return settings
        by = f", which INHERIT in {file} names,"
        file = (file.parent / parent).resolve()


def load_defaults(file: Path) -> dict[str, Any]:
    """The mapping of a YAML file with front matter of several pages; raises SitemapError."""
    return _loaded(file, partial(_loads_yaml, of_page=True))


def merged(below: Mapping[str, Any], above: Mapping[str, Any], *, adds: bool = False) -> dict[str, Any]:
    """Two mappings, those inside them merged as well; else ``above`` wins, or where it ``adds``, lists grow.

    So MkDocs merges what INHERIT names, and its plugin `meta` front matter, with lists that grow.
    """
    result = dict(below)
    waiting = [(result, above)]
    seen: dict[tuple[int, int], dict[str, Any]] = {}  # aliases of YAML may repeat one mapping without end
    while waiting:
        target, given = waiting.pop()
        for key, value in given.items():
            old = target.get(key)
            if isinstance(old, Mapping) and isinstance(value, Mapping):
                pair = id(old), id(value)
                if pair not in seen:
                    seen[pair] = dict(old)
                    waiting.append((seen[pair], value))
                target[key] = seen[pair]
            elif adds and isinstance(old, list) and isinstance(value, list):
                target[key] = [*old, *value]
            else:
                target[key] = value
    return result


def _loaded(file: Path, loads: Callable[[str], object], by: str = "") -> dict[str, Any]:
    try:
        data = files.read_file(file, _LARGEST + 1)
        if len(data) <= _LARGEST:
            return dict(as_mapping(loads(data.decode("utf-8-sig"))))
        problem = f"it has more than {_LARGEST:,} bytes"
    except (OSError, ValueError, RecursionError) as error:
        problem = str(error)
    raise SitemapError(f"{file}{by} cannot be read: {problem}. Correct it.")


_LARGEST = 16 * 1024 * 1024  # more than anybody writes into a configuration


def _loads_yaml(text: str, *, of_page: bool) -> object:
    from sitemap_docs.config import yaml_loader  # noqa: PLC0415  PyYAML is expensive

    return yaml_loader.load(text, of_page=of_page)


def _loads_toml(text: str) -> dict[str, Any]:
    """The tables of a text; ValueError for dotted keys so long that tomli takes quadratic time."""
    import tomli  # noqa: PLC0415  most builds read no TOML

    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {_DEEPEST} parts")
    return tomli.loads(text)


_DEEPEST = 100
_LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){{{_DEEPEST}}}""")


def as_mapping(value: object) -> Mapping[str, Any]:
    """What others wrote, where it is a mapping; else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """What others wrote, where it is a list; else an empty one."""
    return value if isinstance(value, (list, tuple)) else []


def as_text(value: object) -> str:
    """What others wrote, where it is a text, without space around it; else an empty one."""
    return value.strip() if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """What the file sets; ``folder`` is its own, and None without a file that the user named.

    ``sources`` start at the current folder. ``maps`` are written ``site glob=source glob``.
    """

    folder: Path | None = None
    base_url: str = ""
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)


def read_project(file: Path | None) -> ProjectFile:
    """What a TOML file sets, with underscores in the names of options.

    Without ``file``, ``pyproject.toml`` in the current folder is read if it exists. Raises SitemapError for a
    file that cannot be read, and for values that do not fit.
    """
    if file is None and not PYPROJECT.is_file():
        return ProjectFile()
    path = file or PYPROJECT
    tables = load_toml(path)
    tool = as_mapping(tables.get("tool"))
    table = tool.get(TABLE, tool.get(TABLE_TOO))
    if table is None:
        table = tables
        if path.name == PYPROJECT.name:
            table = {}
    if not isinstance(table, dict):
        raise SitemapError(f"[tool.{TABLE}] in {path} must be a table.")
    left = {name.replace("-", "_"): value for name, value in table.items()}
    folder = file.parent if file else None
    start = folder or Path()
    return ProjectFile(
        folder=folder,
        base_url=_pop(left, "base_url", validators.string, ""),
        sources=tuple(map(start.joinpath, _pop(left, "source", validators.texts, None))),
        maps=_pop(left, "map", validators.texts, None),
        options=left,
    )


def _pop(table: dict[str, object], name: str, parse: Callable[[object], _T], default: object) -> _T:
    value = table.pop(name, default)
    try:
        return parse(value)
    except ValueError as error:
        raise SitemapError(
            f"In the TOML file, `{name.replace('_', '-')}` must be {error}, not {validators.shown(value)}."
        ) from None


# Most front matter has none of them and is not parsed: YAML takes a hundred times as long as this look.
_OURS = (b"sitemap", b"robots")


@linear
def read_front_matter(file: str, fields: Iterable[str] = ()) -> Mapping[str, object]:
    """The front matter of a source, YAML or TOML, where it names something of ours or a field; else empty.

    Of a source in reStructuredText it is the field list at the top. ``fields`` are dotted names. Raises
    SitemapError for front matter that cannot be read, or is longer than 64 KiB.
    """
    try:
        text = files.read_file(file, _USUAL)
        fence = _FENCE.match(text)
        if not fence and file.endswith(".rst"):
            return _field_list(text)
        if not fence:
            return {}
        form, loads = _FORMS[fence[1]]
        match = form.match(text, fence.end())
        if not match and len(text) == _USUAL:
            text = files.read_file(file, _LONGEST)
            match = form.match(text, fence.end())
    except OSError:
        return {}
    if not match and len(text) == _LONGEST:
        raise SitemapError(f"The front matter does not end in the first {_LONGEST:,} bytes. Shorten it.")
    names = (*_OURS, *(field.partition(".")[0].encode() for field in fields))
    if not match or not any(name in match[1] for name in names):
        return {}
    try:
        # An error names the line of the file: the fence is the first.
        return as_mapping(loads(_shallow("\n" + match[1].decode())))
    except (ValueError, RecursionError) as error:
        raise SitemapError(f"The front matter cannot be read: {error}. Correct it.") from None


def _shallow(text: str) -> str:
    """The text itself; ValueError where brackets nest so deep that PyYAML 6 takes quadratic time."""
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > _DEEPEST:
                raise ValueError(f"brackets nest more than {_DEEPEST} levels deep")
        elif character in "]}":
            depth -= 1
    return text


def _field_list(source: bytes) -> dict[str, str]:
    """The fields with which a document in reStructuredText begins, below comments, labels and ``meta``."""
    fields: dict[str, str] = {}
    name = ""
    for line in source.decode("utf-8-sig", "replace").splitlines():
        match = _FIELD.match(line)
        if match:
            name = match[1]
            fields[name] = match[2].strip()
        elif not line.strip():
            continue
        elif line[0] in " \t":
            if name:
                fields[name] += f"\n{line.strip()}"
        elif fields or not _ABOVE_FIELDS.match(line):
            break
    return fields


_FIELD = re.compile(r":([^:\s][^:]*):(?:[ \t]|$)(.*)")
# What docutils passes over in the search for the field list of a document: no directive but `meta`.
_ABOVE_FIELDS = re.compile(r"\.\.(?:$|[ \t]+(?:meta::|(?![\w:.+-]+::)))")
_USUAL, _LONGEST = 8_192, 65_536
_FENCE = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n")
_FORMS: dict[bytes, tuple[re.Pattern[bytes], Callable[[str], object]]] = {
    b"---": (
        re.compile(rb"(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL),
        partial(_loads_yaml, of_page=True),
    ),
    b"+++": (re.compile(rb"(.*?\n)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL), _loads_toml),
}
