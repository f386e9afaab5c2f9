"""The front matter or field list of a source: its text, a page's own options, and the sources it names."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from json import loads
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.directives import forbid_listing, read_directives
from sitemap_docs.config.options import PAGE_OPTIONS, hint, nearest, shown
from sitemap_docs.config.parsing import DEEPEST, as_items, as_mapping, as_text, loads_toml, loads_yaml
from sitemap_docs.files import Folders, is_inside, repository_of
from sitemap_docs.model import Finding, PageOptions, SitemapError, reported
from sitemap_docs.text import linear, one_line

# Most front matter has none of them and is not parsed: YAML takes a hundred times as long as this look.
_OURS = (b"sitemap", b"robots")


@linear
def read_front_matter(file: str, fields: Iterable[str] = ()) -> Mapping[str, object]:
    """The front matter of a source, YAML or TOML, where it names something of ours or a field; else empty.

    Of a source in reStructuredText it is the field list at the top. ``fields`` are dotted names. Raises
    SitemapError for front matter that cannot be read, or is longer than 64 KiB.
    """
    try:
        text = files.read_file(file, _SIZE_LIMIT)
    except OSError:
        return {}
    fence = _FENCE.match(text)
    if not fence:
        return _field_list(text) if file.endswith(".rst") else {}
    form, loads = _FORMS[fence[1]]
    match = form.match(text, fence.end())
    if not match and len(text) == _SIZE_LIMIT:
        raise SitemapError(f"The front matter does not end in the first {_SIZE_LIMIT:,} bytes. Shorten it.")
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
            if depth > DEEPEST:
                raise ValueError(f"brackets nest more than {DEEPEST} levels deep")
        elif character in "]}":
            depth -= 1
    return text


def _field_list(source: bytes) -> dict[str, str]:
    """The fields with which a document in reStructuredText begins, below comments, labels and ``meta``."""
    fields: dict[str, str] = {}
    name = ""
    for line in source.decode("utf-8-sig", "replace").splitlines():
        match = _FIELD_LINE.match(line)
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


_FIELD_LINE = re.compile(r":([^:\s][^:]*):(?:[ \t]|$)(.*)")
# What docutils passes over in the search for the field list of a document: no directive but `meta`.
_ABOVE_FIELDS = re.compile(r"\.\.(?:$|[ \t]+(?:meta::|(?![\w:.+-]+::)))")
_SIZE_LIMIT = 65_536
_FENCE = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n")
_FORMS: dict[bytes, tuple[re.Pattern[bytes], Callable[[str], object]]] = {
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
    """The options in a page's front matter or field list, and a finding for each value that does not fit.

    ``fields`` are dotted names of fields that may hold the date, such as ``last_update.date``.
    Reads ``sitemap`` (false, true, or a mapping with lastmod, sources, changefreq, priority, and Hugo's
    disable), ``sitemap-lastmod`` and so on, which field lists can hold, and ``robots``. MyST flattens front
    matter to texts (``'False'``, JSON): both are understood.
    """
    parsed: dict[str, Any] = {}
    findings = []

    def report(message: str) -> None:
        findings.append(page_option(message).at(one_line(where)))

    given: dict[str, tuple[str, object]] = {}  # how each option is written, and its value
    for field in fields:
        value = _field(meta, field)
        if value is not None:
            given["lastmod"] = field, value
            break
    for name in map(str, meta):
        field = name.removeprefix("sitemap-")
        if field != name and nearest(field, PAGE_OPTIONS):  # others are the project's
            given[field] = f"sitemap: {field}", meta[name]
    options = _unflattened(meta.get("sitemap"))
    if isinstance(options, Mapping):
        for key, value in options.items():
            given[str(key)] = f"sitemap: {key}", value
    elif isinstance(options, bool):
        parsed["listed"] = options
    elif options is not None:
        report(_misfit("sitemap", options, "false, true or a mapping"))
    for key, (written, value) in given.items():
        if key in PAGE_OPTIONS:
            try:
                parsed[key] = PAGE_OPTIONS[key].parse(_unflattened(value))
            except ValueError as error:
                report(_misfit(written, value, str(error)))
        elif key == "disable" and isinstance(_unflattened(value), bool):
            parsed["listed"] = not _unflattened(value)  # Hugo's name for it, since its version 0.125
        else:
            advice = hint(key, PAGE_OPTIONS, f"It has: {', '.join(PAGE_OPTIONS)}.")
            report(f"A page has no option `{one_line(_text(key))}` of `sitemap`. {advice}")

    texts = map(as_text, as_items(meta.get("robots")))
    return PageOptions(noindex=forbid_listing(read_directives(", ".join(texts))), **parsed), findings


@reported(strict=True)
def page_sources(glob: str, problem: str) -> str:
    """The field `sitemap: sources` of a page names no file, or one that it may not name.

    The page is dated by its own source alone.
    Write a glob from the folder of the page, or with a leading `/` from the top of the repository.
    Wrong: `sitemap: {sources: [tool/commands.py]}` in `docs/commands.md`
    Right: `sitemap: {sources: [/tool/commands.py]}`
    Source: sitemap-docs: the page Dates
    """
    return f"`sitemap: sources: {glob}` {problem}."


@reported(strict=True)
def page_option(message: str) -> str:
    """The front matter of a page has an option or a value that there is not.

    It is not used, so that the page is listed, dated or left out as all others.
    Write it as the manual has it.
    Wrong: `sitemap: {lastmod: yesterday}`
    Right: `sitemap: {lastmod: 2026-01-31}`
    Source: sitemap-docs: the page Options
    """
    return message


def _misfit(written: str, value: object, expected: str) -> str:
    return f"`{one_line(f'{written}: {_text(value)}')}` must be {expected}."


def _text(value: object) -> str:
    if isinstance(value, str) and len(value) < _QUOTED_AT_MOST:
        return value
    return shown(value)


def _field(meta: object, name: str) -> object:
    """The value of a field, of nested ones by their dotted name; None: it is not there."""
    value = meta
    for part in name.split("."):
        value = _unflattened(value)
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def _unflattened(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.lower() in _BOOLEANS:
        return _BOOLEANS[text.lower()]
    if text[:1] in ("{", "["):
        try:
            return loads(SMART_QUOTES.sub('"', value))
        except (ValueError, RecursionError):  # no JSON, or numbers and nesting beyond reason
            return value
    return value


class NamedSources(NamedTuple):
    """The files that a glob of ``sitemap: {sources: […]}`` matches, sorted, or the ``problem`` with it."""

    files: tuple[Path, ...] = ()
    problem: str = ""


def named_sources(pattern: str, folder: Path, folders: Folders) -> NamedSources:
    """The files of a glob that starts at ``folder``, the page's own, or with ``/`` at the repository's top.

    ``**`` crosses folders and enters no links to folders. Nothing outside the repository is looked at, and
    ``..`` stands only in front. Where there is no repository, nothing outside ``folder`` matters: no problem.
    """
    top = repository_of(folder)
    root = os.path.realpath(top or folder)
    parts = [part for part in pattern.split("/") if part not in ("", ".")]
    above = 0
    while above < len(parts) and parts[above] == "..":
        above += 1
    if ".." in parts[above:]:
        return NamedSources(problem="has `..` after a folder name; `..` may only be at the start")
    start = folder
    if pattern.startswith("/"):
        start = top or Path("/")
    place = normpath(start.joinpath(*parts[:above]))  # `..` behind a link is the folder above its name
    if not is_inside(os.path.realpath(place), root):
        if top is None:
            return NamedSources()
        return NamedSources(problem="leads out of the repository; name files inside it")
    matching = folders.matching(place, tuple(parts[above:]), root)
    if matching is None:
        return NamedSources(problem=f"searches more than {files.MAX_GLOBBED:,} files; make it more specific")
    if not matching:
        return NamedSources(
            problem="matches no file. It is relative to the page's folder, or with a leading `/` to the top "
            "of the repository"
        )
    return NamedSources(tuple(map(Path, sorted(matching))))
