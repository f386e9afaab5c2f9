"""The front matter or field list of a page: its own options, and the files that it names as its sources."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from json import loads
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_docs import files
from sitemap_docs.config.directives import forbid_listing, read_directives
from sitemap_docs.config.option_types import hint, nearest, shown
from sitemap_docs.config.options import PAGE_OPTIONS
from sitemap_docs.config.parsing import as_items, as_text
from sitemap_docs.files import Folders, is_inside, repository_of
from sitemap_docs.model import Finding, PageOptions, reported
from sitemap_docs.text import one_line

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
