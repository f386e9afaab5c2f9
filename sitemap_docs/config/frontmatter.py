"""Read the front matter or field list of a source, and the options and sources in it."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from json import loads
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.directives import (
    find_misspellings,
    forbid_listing,
    mentions_options,
    read_directives,
)
from sitemap_docs.config.options import PAGE_OPTIONS
from sitemap_docs.config.parsing import DEEPEST, as_items, as_mapping, as_text, loads_toml, loads_yaml
from sitemap_docs.config.similar_names import hint, nearest
from sitemap_docs.files import Folders, is_inside, repository_of
from sitemap_docs.linear import linear
from sitemap_docs.model import Finding, PageOptions, SitemapError
from sitemap_docs.rules import reported, reported_text
from sitemap_docs.text import one_line, shown


def read_front_matter(file: str, fields: Iterable[str] = ()) -> Mapping[str, object]:
    """Read the front matter of a file. An unreadable file has an empty front matter.

    ``fields`` are fields that the caller needs, besides our options.
    """
    return parse_front_matter(read_start(file), file, fields)


def read_start(file: str) -> bytes:
    """Return the first 64 KiB of a file, or nothing if the file cannot be read."""
    try:
        return files.read_file(file, SIZE_LIMIT)
    except OSError:
        return b""


@linear
def parse_front_matter(text: bytes, file: str, fields: Iterable[str] = ()) -> Mapping[str, object]:
    """Parse the front matter at the top of a page, such as ``{"sitemap": False}``.

    To save time, front matter is only parsed if it mentions an option of sitemap-docs or one of ``fields``.
    Otherwise, the returned mapping is empty.

    Raises:
        SitemapError: The front matter is invalid or longer than 64 KiB.
    """
    fence = _FENCE.match(text)
    if not fence:
        return _field_list(text) if file.endswith(".rst") else {}
    block, loads = _FORMATS[fence[1]]
    match = block.match(text, fence.end())
    if not match and len(text) == SIZE_LIMIT:
        raise SitemapError(
            f"The front matter does not end in the first {SIZE_LIMIT:,} bytes. Close it, for example with "
            "`---`, or shorten it."
        )
    if not match:
        return {}
    # Front matter without these words is not parsed. A search is a hundred times faster than parsing YAML.
    words = [field.partition(".")[0].encode() for field in fields]
    if not mentions_options(match[1]) and not any(word in match[1] for word in words):
        return {}
    try:
        # The line break stands for the fence, so that an error mentions the line in the file.
        content = "\n" + match[1].decode()
        check_depth(content)
        return as_mapping(loads(content))
    except (ValueError, RecursionError) as error:
        raise SitemapError(f"The front matter cannot be read: {error}. Correct it.") from None


def check_depth(text: str) -> None:
    """Raise ValueError if brackets are nested too deeply."""
    depth = 0
    for character in text:
        if character in "[{":
            depth += 1
            if depth > DEEPEST:
                raise ValueError(f"brackets nest more than {DEEPEST} levels deep")
        elif character in "]}":
            depth -= 1


def _field_list(source: bytes) -> dict[str, str]:
    """Return the fields at the top of a reStructuredText document, such as ``:sitemap: false``."""
    fields: dict[str, str] = {}
    name = ""
    for line in source.decode("utf-8-sig", "replace").splitlines():
        match = FIELD_LINE.match(line)
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


FIELD_LINE = re.compile(r":([^:\s][^:]*):(?:[ \t]|$)(.*)")
# Like docutils, skip comments, labels and `meta` before the field list. Other directives end the search.
_ABOVE_FIELDS = re.compile(r"\.\.(?:$|[ \t]+(?:meta::|(?![\w:.+-]+::)))")
SIZE_LIMIT = 65_536
_FENCE = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n")
#: By its fence: how a block of front matter ends, and the function that parses it.
_FORMATS: dict[bytes, tuple[re.Pattern[bytes], Callable[[str], object]]] = {
    b"---": (
        re.compile(rb"(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL),
        partial(loads_yaml, of_page=True),
    ),
    b"+++": (re.compile(rb"(.*?\n)\+\+\+[ \t]*(?:\r?\n|\Z)", re.DOTALL), loads_toml),
}


SMART_QUOTES = re.compile("[“”„«»]")  # Sphinx's SmartQuotes changes field lists, too
_BOOLEANS = {"false": False, "no": False, "off": False, "true": True, "yes": True, "on": True}
_QUOTED_AT_MOST = 120


def page_options(
    meta: Mapping[str, object], where: str, fields: Iterable[str] = ()
) -> tuple[PageOptions, list[Finding]]:
    """Return the sitemap options that a page sets in its front matter, and a warning for each mistake.

    Args:
        meta: The parsed front matter.
        where: The name of the page for warnings, such as ``a.md``.
        fields: Fields of the front matter that may contain a date, such as ``last_update.date``.
    """
    parsed: dict[str, Any] = {}
    findings = []

    def report(message: str) -> None:
        findings.append(page_option(message).at(one_line(where)))

    values: dict[str, tuple[str, object]] = {}  # by option: the spelling for messages, and the value
    for field in fields:
        value = _field(meta, field)
        if value is not None:
            values["lastmod"] = field, value
            break
    for name in map(str, meta):
        field = name.removeprefix("sitemap-")
        if field != name and nearest(field, PAGE_OPTIONS):  # Other fields are not meant for us.
            values[field] = f"sitemap: {field}", meta[name]
    options = _parsed_text(meta.get("sitemap"))
    if isinstance(options, Mapping):
        for key, value in options.items():
            values[str(key)] = f"sitemap: {key}", value
    elif isinstance(options, bool):
        parsed["listed"] = options
    elif options is not None:
        report(_misfit("sitemap", options, "false, true or a mapping"))
    for key, (spelling, value) in values.items():
        if key in PAGE_OPTIONS:
            try:
                parsed[key] = PAGE_OPTIONS[key].parse(_parsed_text(value))
            except ValueError as error:
                report(_misfit(spelling, value, str(error)))
        elif key == "disable" and isinstance(_parsed_text(value), bool):
            parsed["listed"] = not _parsed_text(value)  # the name of the option in Hugo, since 0.125
        else:
            advice = hint(key, PAGE_OPTIONS, f"The options are: {', '.join(PAGE_OPTIONS)}.")
            report(f"There is no option `{one_line(_text(key))}` of `sitemap`. {advice}")

    robots = ", ".join(map(as_text, as_items(meta.get("robots"))))
    findings += _about_robots(robots, where)
    noindex = forbid_listing(read_directives(robots))
    return PageOptions(noindex=noindex, **parsed), findings


def _about_robots(robots: str, where: str) -> list[Finding]:
    """Return a warning if the field ``robots`` misspells ``noindex``, such as ``no-index``."""
    word = next(find_misspellings(robots), "")
    if not word:
        return []
    message = f"`robots: {one_line(word)[:_QUOTED_AT_MOST]}` has no effect. Did you mean `noindex`?"
    return [front_matter(message).at(one_line(where))]


@reported_text()
def front_matter(message: str) -> None:
    """An option in the front matter or the field list of a page has no effect.

    For example, a page with `sitemap: false` is listed.
    Correct the line that the message shows.
    Wrong: `title: Install: the short way`
    Right: `title: "Install: the short way"`
    Source: YAML: plain scalars,
    https://yaml.org/spec/1.2.2/#733-plain-style
    """


@reported(strict=True)
def page_sources(glob: str, problem: str) -> str:
    """The field `sitemap: sources` of a page matches no file, or searches outside the repository.

    The changes of the files do not date the page.
    Write a glob relative to the folder of the page. With a leading `/`, it is relative to the repository.
    Wrong: `sitemap: {sources: [tool/commands.py]}` in `docs/commands.md`
    Right: `sitemap: {sources: [/tool/commands.py]}`
    Source: sitemap-docs: the page Dates
    """
    return f"`sitemap: sources: {glob}` {problem}."


@reported_text(strict=True)
def page_option(message: str) -> None:
    """The front matter of a page has an unknown option or an invalid value.

    The option has no effect on the page.
    Correct the option as the message says.
    Wrong: `sitemap: {lastmod: yesterday}`
    Right: `sitemap: {lastmod: 2026-01-31}`
    Source: sitemap-docs: the page Options
    """


def _misfit(spelling: str, value: object, expected: str) -> str:
    text = one_line(f"{spelling}: {_text(value)}")
    return f"`{text}` must be {expected}."


def _text(value: object) -> str:
    if isinstance(value, str) and len(value) < _QUOTED_AT_MOST:
        return value
    return shown(value)


def _field(meta: object, name: str) -> object:
    """Return the value of a field such as ``last_update.date``, or None."""
    value = meta
    for part in name.split("."):
        value = _parsed_text(value)
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def _parsed_text(value: object) -> object:
    """Convert a text such as ``"False"`` or ``"[1, 2]"`` to a Python value. Return other values unchanged."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if text[:1] in ("{", "["):
        try:
            return loads(SMART_QUOTES.sub('"', value))
        except (
            ValueError,
            RecursionError,
        ):  # no JSON, a huge number, or too deep
            return value
    return value


class NamedSources(NamedTuple):
    """The source files that a page lists with a glob in its front matter, such as ``../src/*.py``."""

    files: tuple[Path, ...] = ()
    #: The mistake in the glob, or ``""``.
    problem: str = ""


def named_sources(pattern: str, folder: Path, folders: Folders) -> NamedSources:
    """Return the source files that a page lists with a glob in its front matter.

    Args:
        pattern: The glob, such as ``../src/*.py``. With a leading ``/``, it starts at the top of the
            repository.
        folder: The folder of the page. Globs without a leading ``/`` start there.
        folders: Searches folders, and remembers what they contain.
    """
    top = repository_of(folder)
    root = os.path.realpath(top or folder)
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    levels_up = 0
    while levels_up < len(parts) and parts[levels_up] == "..":
        levels_up += 1
    if ".." in parts[levels_up:]:
        return NamedSources(problem="has `..` after a folder name; `..` may only be at the start")
    start = folder
    if pattern.startswith("/"):
        start = top or Path("/")
    # If a folder is a link, `..` is the folder that contains the link.
    start_folder = normpath(start.joinpath(*parts[:levels_up]))
    if not is_inside(os.path.realpath(start_folder), root):
        if top is None:
            return NamedSources()
        return NamedSources(problem="leads out of the repository; it may only match files inside")
    matches = folders.matching(start_folder, tuple(parts[levels_up:]), root)
    if matches is None:
        return NamedSources(problem=f"searches more than {files.MAX_GLOBBED:,} files; make it more specific")
    if not matches:
        return NamedSources(
            problem="matches no file. It is relative to the page's folder, or with a leading `/` to the top "
            "of the repository"
        )
    return NamedSources(tuple(map(Path, sorted(matches))))
