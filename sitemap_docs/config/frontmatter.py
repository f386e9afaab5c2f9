"""A page's own options, in its front matter or field list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from json import loads
from typing import TYPE_CHECKING, Any

from sitemap_docs.config import validators
from sitemap_docs.config.globs import named_sources, page_sources
from sitemap_docs.model import Finding, PageOptions
from sitemap_docs.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from sitemap_docs.model import Page


def with_own_options(
    page: Page, meta: Mapping[str, object], where: str, folder: Path, fields: Iterable[str] = ()
) -> tuple[Page, tuple[Finding, ...]]:
    """The page with the options and sources that its front matter or field list names; and what is wrong.

    ``folder`` is the one of the page's source, ``fields`` the option ``lastmod_fields``.
    """
    options, wrong = page_options(meta, where, fields)
    named = [named_sources(pattern, folder) for pattern in options.sources]
    sources = dict.fromkeys((*page.sources, *(file for each in named for file in each.files)))
    failed = tuple(page_sources(where, each) for each in named if each.problem)
    return page._replace(options=options, sources=tuple(sources)), (*wrong, *failed)


def page_options(
    meta: Mapping[str, object], where: str, fields: Iterable[str] = ()
) -> tuple[PageOptions, tuple[Finding, ...]]:
    """The options in a page's front matter or field list, and a finding for each value that does not fit.

    ``fields`` are dotted names of fields that may hold the date, such as ``last_update.date``.
    Reads ``sitemap`` (false, or a mapping with lastmod, sources, changefreq, priority), ``sitemap-lastmod``
    and so on, ``robots``, and the names that other tools have for the same: ``hide: [sitemap]``,
    ``nositemap``, ``noindex`` and ``priority``. MyST flattens front matter to texts (``'False'``, JSON): both
    are understood.
    """
    options = _unflattened(meta.get("sitemap"))
    given = {key: meta[f"sitemap-{key}"] for key in PAGE_PARSERS if f"sitemap-{key}" in meta}
    parsed: dict[str, Any] = {}
    findings = []
    if isinstance(options, Mapping):
        given |= {str(key): value for key, value in options.items()}
        if _unflattened(given.get("disable")) in (True, False):  # Hugo's name for it, since its version 0.125
            given["listed"] = not _unflattened(given.pop("disable"))
    elif isinstance(options, bool):
        given.setdefault("listed", options)
    elif options is not None:
        findings.append(_finding(f"sitemap: {_text(options)}", "false, true or a mapping", where))
    for key, value in given.items():
        if key not in PAGE_PARSERS:
            findings.append(_unknown(key, where))
            continue
        try:
            parsed[key] = PAGE_PARSERS[key](_unflattened(value))
        except ValueError as error:
            findings.append(_finding(f"sitemap: {key}: {_text(value)}", str(error), where))
    if "lastmod" not in given:
        findings += _add_field(parsed, meta, where, fields)
    hidden = _unflattened(meta.get("hide"))
    is_hidden = isinstance(hidden, (list, tuple)) and "sitemap" in hidden
    if is_hidden or meta.get("nositemap", False) is not False:  # a field of reStructuredText has no value
        parsed.setdefault("listed", False)
    if "priority" not in given and "priority" in meta:
        with suppress(ValueError):  # `priority: high` has another meaning, for somebody else
            parsed["priority"] = PAGE_PARSERS["priority"](_unflattened(meta["priority"]))
    noindex = bool({"noindex", "none"} & set(_directives(meta.get("robots"))))
    noindex = noindex or _unflattened(meta.get("noindex")) is True
    return PageOptions(noindex=noindex, **parsed), tuple(findings)


def _add_field(
    parsed: dict[str, Any], meta: Mapping[str, object], where: str, fields: Iterable[str]
) -> Iterable[Finding]:
    """Adds the date of the first field that is there."""
    for name in fields:
        value = _field(meta, name)
        if value is None:
            continue
        try:
            parsed["lastmod"] = validators.timestamp(value)
        except ValueError as error:
            return (_finding(f"{name}: {_text(value)}", str(error), where),)
        break
    return ()


def _field(meta: object, name: str) -> object:
    """The value of a field, of nested ones by their dotted name; None: it is not there."""
    value = meta
    for part in name.split("."):
        value = _unflattened(value)
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def _directives(value: object) -> list[str]:
    """The directives of a string or a list of strings."""
    texts = value if isinstance(value, (list, tuple)) else [value]
    return " ".join(text for text in texts if isinstance(text, str)).lower().replace(",", " ").split()


def _text(value: object) -> str:
    return value if isinstance(value, str) and len(value) < _LONG else validators.shown(value)


_LONG = 120


def _finding(written: str, expected: str, where: str) -> Finding:
    return Finding(
        rule="page-option", where=one_line(where), message=f"`{one_line(written)}` must be {expected}."
    )


def _unknown(key: str, where: str) -> Finding:
    similar = validators.nearest(key, PAGE_PARSERS)
    hint = f"Did you mean `{similar}`?" if similar else f"It has: {', '.join(PAGE_PARSERS)}."
    message = f"The front matter's `sitemap:` has no key `{one_line(_text(key))}`. {hint}"
    return Finding(rule="page-option", where=one_line(where), message=message)


def _unflattened(value: object) -> object:
    if not isinstance(value, str):
        return value
    booleans = {"false": False, "no": False, "off": False, "true": True, "yes": True, "on": True}
    if value.strip().lower() in booleans:
        return booleans[value.strip().lower()]
    if value.strip()[:1] in ("{", "["):
        try:
            return loads(SMART_QUOTES.sub('"', value))
        except (ValueError, RecursionError):  # no JSON, or numbers and nesting beyond reason
            return value
    return value


SMART_QUOTES = re.compile("[“”„«»]")  # Sphinx's SmartQuotes changes field lists, too

PAGE_PARSERS: dict[str, Callable[[object], object]] = {
    "listed": validators.switch,
    "lastmod": validators.timestamp,
    "sources": validators.texts,
    "changefreq": validators.changefreq,
    "priority": validators.priority,
}
