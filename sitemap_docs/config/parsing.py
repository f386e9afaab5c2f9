"""The settings that people write: project files in TOML, YAML or JSON, and front matter of pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import tomli
import yaml
from yaml_env_tag import construct_env_tag  # type: ignore[import-untyped]

from sitemap_docs import files
from sitemap_docs.config import validators
from sitemap_docs.model import Finding, SitemapError

T = TypeVar("T")
PYPROJECT = Path("pyproject.toml")
TABLE = "sitemap-docs"
TABLE_TOO = "sitemap_docs"  # what is imported, and in conf.py the name of the extension


def load_toml(file: Path) -> dict[str, Any]:
    """The tables of a TOML file; raises SitemapError."""
    try:
        return _loads_toml(_text(file))
    except (OSError, ValueError, RecursionError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Correct it.") from None


def load_json(file: Path) -> dict[str, Any]:
    """The mapping of a JSON file; raises SitemapError."""
    try:
        loaded = json.loads(_text(file))
    except (OSError, ValueError, RecursionError) as error:
        raise SitemapError(f"{file} cannot be read: {error}. Correct it.") from None
    return dict(as_mapping(loaded))


def as_mapping(value: object) -> Mapping[str, Any]:
    """What others wrote, where it is a mapping; else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """What others wrote, where it is a list; else an empty one."""
    return value if isinstance(value, (list, tuple)) else []


def as_text(value: object) -> str:
    """What others wrote, where it is a text, without space around it; else an empty one."""
    return value.strip() if isinstance(value, str) else ""


def load_yaml(file: Path, *, inheriting: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The mapping of a YAML file, as MkDocs reads it: with ``!ENV`` and ``INHERIT``.

    Tags of Python objects become None. ``inheriting`` are the files that inherit from this one.
    Raises SitemapError.
    """
    if file in inheriting:
        raise SitemapError(f"{file} cannot be read: it inherits from itself. Correct INHERIT.")
    try:
        loaded = yaml.load(_text(file), Loader=_Loader)  # noqa: S506  a SafeLoader
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SitemapError(f"{file} cannot be read: {_problem(error)}. Correct it.") from None
    own = dict(as_mapping(loaded))
    parent = as_text(own.pop("INHERIT", None))
    if parent:
        return load_yaml((file.parent / parent).resolve(), inheriting=(*inheriting, file)) | own
    return own


def _problem(error: Exception) -> str:
    """What is wrong and where, without the line itself: the file may be a link to any other."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem and error.problem_mark:
        mark = error.problem_mark
        return f"{error.problem} (at line {mark.line + 1}, column {mark.column + 1})"
    return " ".join(str(error).split())


def _loads_toml(text: str) -> dict[str, Any]:
    """The tables of a text; ValueError for dotted keys so long that tomli takes quadratic time."""
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {_DEEPEST} parts")
    return tomli.loads(text)


_DEEPEST = 100
_LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:"[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*\.[ \t]*){{{_DEEPEST}}}""")


_MAX_BYTES = 16 * 1024 * 1024


def _text(file: Path) -> str:
    """The text of a configuration; ValueError for more bytes than anybody writes into one."""
    data = files.read_file(file, _MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise ValueError(f"it has more than {_MAX_BYTES:,} bytes")
    return data.decode("utf-8-sig")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """What the file sets; ``folder`` is its own, and None without a file that the user named.

    ``sources`` start at the current folder. ``maps`` are written ``site glob=source glob``. ``findings`` are
    those about the file itself.
    """

    folder: Path | None = None
    base_url: str = ""
    sources: tuple[Path, ...] = ()
    maps: tuple[str, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


def read_project(file: Path | None) -> ProjectFile:
    """What a TOML file sets, with underscores in the names of options.

    Without ``file``, ``pyproject.toml`` in the current folder is read if it exists. That it cannot be read is
    a finding, as the user did not ask for it. Raises SitemapError for another file that cannot be read, and
    for values that do not fit.
    """
    if file is None and not PYPROJECT.is_file():
        return ProjectFile()
    path = file or PYPROJECT
    try:
        tables = load_toml(path)
    except SitemapError as error:
        if file:
            raise
        return ProjectFile(findings=(unreadable(error),))
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
    sources = _pop(left, "source", validators.texts, None)
    return ProjectFile(
        folder=folder,
        base_url=_pop(left, "base_url", validators.string, ""),
        sources=tuple((folder or Path()) / source for source in sources),
        maps=_pop(left, "map", validators.texts, None),
        options=left,
    )


def unreadable(error: SitemapError) -> Finding:
    """The finding about a configuration that cannot be read and that the user did not name."""
    return Finding(rule="configuration-unreadable", message=f"{error} It is not used.")


def _pop(table: dict[str, object], name: str, parse: Callable[[object], T], default: object) -> T:
    value = table.pop(name, default)
    try:
        return parse(value)
    except ValueError as error:
        raise SitemapError(
            f"In the TOML file, `{name.replace('_', '-')}` must be {error}, not {validators.shown(value)}."
        ) from None


# Most front matter has none of them and is not parsed: YAML takes a hundred times as long as this look.
_OURS = (b"sitemap", b"robots", b"noindex", b"priority")


def read_front_matter(file: str, fields: Iterable[str] = ()) -> Mapping[str, object]:
    """The front matter of a source, YAML or TOML, where it names something of ours or a field; else empty.

    Of a source in reStructuredText it is the field list at the top. ``fields`` are dotted names. Raises
    SitemapError for front matter that cannot be read, or is longer than 64 KiB.
    """
    found = _front_matter(file)
    if found is None and file.endswith(".rst"):
        return _field_list(file)
    names = (*_OURS, *(field.partition(".")[0].encode() for field in fields))
    if not found or not any(name in found.text for name in names):
        return {}
    try:
        loaded = found.load(_shallow(found.text.decode()))
    except _UNREADABLE as error:
        problem = str(error) if isinstance(error, (ValueError, yaml.YAMLError)) else type(error).__name__
        raise SitemapError(f"The front matter cannot be read: {problem}. Correct it.") from None
    return as_mapping(loaded)


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


class _FrontMatter(NamedTuple):
    text: bytes
    load: Callable[[str], object]


def _front_matter(file: str) -> _FrontMatter | None:
    try:
        text = files.read_file(file, _USUAL)
        fence = _FENCE.match(text)
        if not fence:
            return None
        expression, load = _FORMS[fence[1]]
        match = expression.match(text, fence.end())
        if not match and len(text) == _USUAL:
            text = files.read_file(file, _LONGEST)
            match = expression.match(text, fence.end())
    except OSError:
        return None
    if match:
        return _FrontMatter(match[1], load)
    if len(text) == _LONGEST:
        raise SitemapError(f"The front matter does not end in the first {_LONGEST:,} bytes. Shorten it.")
    return None


def _field_list(file: str) -> dict[str, str]:
    """The fields with which a document in reStructuredText begins, below comments, labels and ``meta``."""
    try:
        text = files.read_file(file, _USUAL).decode("utf-8-sig", "replace")
    except OSError:
        return {}
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        match = _FIELD.match(line)
        if match:
            name = match[1]
            found[name] = match[2].strip()
        elif not line.strip():
            continue
        elif line[0] in " \t":
            if name:
                found[name] += f"\n{line.strip()}"
        elif found or not _ABOVE_FIELDS.match(line):
            break
    return found


_FIELD = re.compile(r":([^:\s][^:]*):(?:[ \t]|$)(.*)")
# What docutils passes over in the search for the field list of a document: no directive but `meta`.
_ABOVE_FIELDS = re.compile(r"\.\.(?:$|[ \t]+(?:meta::|(?![\w:.+-]+::)))")
_USUAL, _LONGEST = 8_192, 65_536
_FENCE = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n")
# What PyYAML's own constructors raise for texts such as `!!int ''` and `!!timestamp x`.
_UNREADABLE = (
    ValueError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    RecursionError,
    yaml.YAMLError,
)


class _PageLoader(yaml.SafeLoader):
    """Ignores tags (``!!python/name:…``, ``!relative``), and bounds what merge keys (``<<``) add up to."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._merged = 0

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        for key, value in node.value:
            if key.tag != "tag:yaml.org,2002:merge":
                continue
            parts = [value]
            if isinstance(value, yaml.SequenceNode):
                parts = value.value
            for part in parts:
                if isinstance(part, yaml.MappingNode):
                    self.flatten_mapping(part)
                    self._merged += len(part.value)
                    if self._merged > _MOST_MERGED:
                        problem = f"merge keys add more than {_MOST_MERGED:,} values"
                        raise yaml.constructor.ConstructorError(problem=problem)
        super().flatten_mapping(node)


_MOST_MERGED = 10_000


class _Loader(_PageLoader):
    """Loads ``!ENV``, which no page may use: the environment has secrets."""


_PageLoader.add_constructor(None, lambda _loader, _node: None)
_Loader.add_constructor("!ENV", construct_env_tag)

_FORMS: dict[bytes, tuple[re.Pattern[bytes], Callable[[str], object]]] = {
    b"---": (
        re.compile(rb"(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL),
        partial(yaml.load, Loader=_PageLoader),
    ),
    b"+++": (re.compile(rb"(.*?\n)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL), _loads_toml),
}
